"""Looking pairs up by hash is exact: pairs whose hashes are made to be equal are told apart by their bytes."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.files import ids
from patstone.measures.index import Lookup, Rows, spans

Pair = tuple[int, str]

bounded = settings(max_examples=150, derandomize=True, deadline=None, database=None)
docs = st.text("ab", min_size=1, max_size=4) | st.text("ab", min_size=7, max_size=40)
pairs = st.lists(st.tuples(st.integers(0, 3), docs), max_size=40)


def rows_of(wanted: Sequence[Pair]) -> Rows:
    topics = np.array([topic for topic, _ in wanted], dtype=np.int64)
    return Rows.of(ids.pack(doc for _, doc in wanted), topics, np.ones_like(topics))


def places(run: Sequence[Pair]) -> dict[Pair, list[int]]:
    found: defaultdict[Pair, list[int]] = defaultdict(list)
    for row, pair in enumerate(run):
        found[pair].append(row)
    return found


def check(gold: Sequence[Pair], run: Sequence[Pair]) -> None:
    """A pair that stands twice may be found in either place."""
    where, lookup = places(run), Lookup.of(rows_of(run))
    found = lookup.find(rows_of(gold)).tolist()
    assert all(row in where.get(pair, [-1]) for pair, row in zip(gold, found, strict=True))
    twice = sorted(rows for rows in where.values() if len(rows) > 1)
    assert sorted(group.tolist() for group in lookup.repeated()) == twice


@bounded
@given(gold=pairs, run=pairs)
def test_finds_and_groups_what_a_dictionary_does(gold: list[Pair], run: list[Pair]) -> None:
    check(gold, run)


@pytest.mark.parametrize("size", [1000, 32_767, 32_768, 70_000])
def test_many_rows(size: int) -> None:
    """More than there are slots to have one each."""
    rng = np.random.default_rng(3)
    run = [(int(topic), f"EP{number}") for topic, number in rng.integers(0, [50, 5000], (size, 2)).tolist()]
    check([*run[::7], *((9, f"EP{number}") for number in range(4000, 7000))], run)


def test_topics_in_a_row_are_hashed_as_each_alone() -> None:
    run = [(4, "a"), (4, "b"), (0, "a"), (7, "a"), (7, "b"), (7, "c")]
    rows = Rows.of(ids.pack(doc for _, doc in run), np.array([4, 0, 2, 7]), np.array([2, 1, 0, 3]))
    assert rows.topic.tolist() == [topic for topic, _ in run]
    assert rows.keys.tolist() == rows_of(run).keys.tolist()
    assert rows.take(np.array([5, 0])).keys.tolist() == [rows.keys[5], rows.keys[0]]


_U = np.uint64


def _mixed(words: ids.Words) -> ids.Words:
    return np.asarray(words ^ (words >> _U(32)))


def _inverse(odd: int) -> np.uint64:
    return _U(pow(odd, -1, 1 << 64))


def colliding(count: int, *, topics: tuple[int, int] = (0, 0)) -> list[Pair]:
    """A pair of topics[0], and others of topics[1], that all have its hash.

    The hash adds up words times factors, mixes, and is combined with the topic's. So the second word of an id can be
    chosen freely, and the first one solved for, until its bytes are printable.
    """
    rng = np.random.default_rng(1)
    factor = [int(ids._factor(place)) for place in range(2)]
    salt = ids.hashed([np.array(topics, dtype=np.uint64)])
    origin = b"EP1234567890A1xy"
    first, second = np.frombuffer(origin, dtype=np.uint64).reshape(2, 1)
    seconds = rng.integers(48, 122, (200_000, 8), dtype=np.uint8).view(np.uint64).reshape(-1)
    total = _mixed(first) * _U(factor[0]) + _mixed(second) * _U(factor[1])
    wanted = _mixed(_mixed(total) * ids._FINISH) ^ salt[:1] ^ salt[1:]
    total = _mixed(_mixed(wanted) * _inverse(int(ids._FINISH)))
    firsts = _mixed((total - _mixed(seconds) * _U(factor[1])) * _inverse(factor[0]))
    raw = np.ascontiguousarray(np.column_stack([firsts, seconds])).view(np.uint8)
    fine = np.flatnonzero(((raw > 47) & (raw < 123)).all(axis=1))[:count]
    assert len(fine) == count
    return [(topics[0], origin.decode()), *((topics[1], raw[row].tobytes().decode()) for row in fine.tolist())]


BOTH = [(0, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize("topics", BOTH)
def test_the_collisions_are_real(topics: tuple[int, int]) -> None:
    made = colliding(3, topics=topics)
    assert len(set(made)) == 4
    assert len(set(rows_of(made).keys.tolist())) == 1


@pytest.mark.parametrize("order", ["a", "b", "ab", "ba", "aba", "abba", "abcab", "bca", "aab", "abcdabcd", "ccba", ""])
@pytest.mark.parametrize("topics", BOTH)
def test_equal_hashes_of_unequal_pairs(order: str, topics: tuple[int, int]) -> None:
    made = dict(zip("abcd", colliding(3, topics=topics), strict=True))
    run = [(7, "first"), *(made[letter] for letter in order), (7, "last")]
    check([*made.values(), (7, "last"), (7, made["a"][1]), (0, "other")], run)


@pytest.mark.parametrize("width", range(1, 41))
def test_ids_of_every_width(width: int) -> None:
    """Ids that differ in their last byte only, or are another's beginning, in columns padded to any width."""
    gold = [(0, "x" * width), (0, "x" * (width - 1) + "y"), (1, "x" * width)]
    run = [(0, "x" * size) for size in range(1, 44)] + [(0, "x" * (width - 1) + "y"), (0, "x" * (width - 1) + "z")]
    check(gold, run)
    check(gold, run[:width])
    check(run, gold)
    check(gold, run + run[width : width + 1])


def test_an_id_that_begins_like_another_and_has_its_slot() -> None:
    """Found by trying: of a million ids some share the highest bits of the hash, which choose the slot."""
    numbers = np.char.add("EP123456", np.char.zfill(np.arange(1_000_000).astype("U6"), 6)).astype("S16")
    keys = ids.hashed(list(ids.words(numbers).T), ids.hashed([np.zeros(1, dtype=np.uint64)]))
    short = (0, "EP123456")
    near = np.flatnonzero(keys >> _U(46) == rows_of([short]).keys >> _U(46))
    alike = [(0, number) for number in ids.texts(numbers[near])]
    assert alike
    for pair in alike:
        check([short], [pair])
        check([pair], [short])
        check([pair, short], [short, pair])


def test_nothing_on_either_side() -> None:
    check([], [(0, "a")])
    check([(0, "a")], [])
    check([(0, "a")], [(5, "a")])
    check([], [])


def test_spans() -> None:
    starts, stops = np.array([3, 10, 4]), np.array([5, 10, 7])
    assert spans(starts, stops).tolist() == [3, 4, 4, 5, 6]
    assert spans(stops[:0], stops[:0]).tolist() == []
