"""Looking pairs up by hash is exact: pairs whose hashes are made to be equal are told apart by their bytes."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.files import ids
from patstone.measures.index import PairIndex, Rows, repeated, spans

Pair = tuple[int, str]

bounded = settings(max_examples=150, derandomize=True, deadline=None, database=None)
docs = st.text("ab", min_size=1, max_size=4) | st.text("ab", min_size=7, max_size=40)
pairs = st.lists(st.tuples(st.integers(0, 3), docs), max_size=40)


def rows_of(wanted: list[Pair], *, seed: int = 0) -> Rows:
    return Rows.of(ids.pack(doc for _, doc in wanted), np.array([t for t, _ in wanted], dtype=np.int64), seed=seed)


def index_of(gold: list[Pair], topics: int) -> tuple[list[Pair], PairIndex]:
    ordered = sorted(gold, key=lambda pair: pair[0])
    rows = rows_of(ordered)
    return ordered, PairIndex.of(ids.from_words(rows.words), rows.topic, topics)


def check_find(gold: list[Pair], run: list[Pair], topics: int) -> None:
    ordered, index = index_of(gold, topics)
    present = np.array(sorted({topic for topic, _ in run if topic < topics}), dtype=np.int64)
    found, at = index.find(rows_of(run, seed=index.seed), present)
    place = {pair: at for at, pair in enumerate(ordered)}
    expected = {row: place[pair] for row, pair in enumerate(run) if pair in place}
    assert dict(zip(found.tolist(), at.tolist(), strict=True)) == expected
    assert found.tolist() == sorted(found.tolist())


def check_repeated(run: list[Pair]) -> None:
    places: defaultdict[Pair, list[int]] = defaultdict(list)
    for row, pair in enumerate(run):
        places[pair].append(row)
    expected = sorted(rows for rows in places.values() if len(rows) > 1)
    assert sorted(group.tolist() for group in repeated(rows_of(run))) == expected


@bounded
@given(gold=st.sets(st.tuples(st.integers(0, 3), docs), max_size=30), run=pairs, topics=st.sampled_from((2, 4)))
def test_finds_what_a_dictionary_finds(gold: set[Pair], run: list[Pair], topics: int) -> None:
    """Topics from `topics` on are the run's own."""
    check_find([pair for pair in gold if pair[0] < topics], run, topics)


@bounded
@given(run=pairs)
def test_groups_what_a_dictionary_groups(run: list[Pair]) -> None:
    check_repeated(run)


def test_many_rows() -> None:
    rng = np.random.default_rng(3)
    run = [(int(topic), f"EP{number}") for topic, number in rng.integers(0, [50, 2000], (20_000, 2)).tolist()]
    check_repeated(run)
    check_find([pair for pair in dict.fromkeys(run[:3000]) if pair[0] < 40], run[2000:6000], 40)


_U = np.uint64


def _mixed(words: ids.Words) -> ids.Words:
    return words ^ (words >> _U(32))


def _inverse(odd: int) -> np.uint64:
    return _U(pow(odd, -1, 1 << 64))


def colliding(count: int, *, topics: tuple[int, int] = (0, 0), seed: int = 0) -> list[Pair]:
    """A pair of topics[0], and others of topics[1], that all have its hash.

    The hash adds up words times factors before it mixes. So the second word of an id can be chosen freely, and the
    first one solved for, until its bytes are printable.
    """
    rng = np.random.default_rng(1)
    factor = [int(ids._factor(place, seed)) for place in range(3)]
    origin = b"EP1234567890A1xy"
    first, second = np.frombuffer(origin, dtype=np.uint64)
    seconds = rng.integers(48, 122, (200_000, 8), dtype=np.uint8).view(np.uint64).reshape(-1)
    rest = (_mixed(second) - _mixed(seconds)) * _U(factor[2])
    rest += _U(((topics[0] - topics[1]) * factor[0]) % (1 << 64))
    firsts = _mixed(_mixed(first) + rest * _inverse(factor[1]))
    raw = np.ascontiguousarray(np.column_stack([firsts, seconds])).view(np.uint8)
    fine = np.flatnonzero(((raw > 47) & (raw < 123)).all(axis=1))[:count]
    assert len(fine) == count
    return [(topics[0], origin.decode()), *((topics[1], raw[row].tobytes().decode()) for row in fine.tolist())]


@pytest.mark.parametrize("topics", [(0, 0), (0, 1), (1, 0)])
def test_the_collisions_are_real(topics: tuple[int, int]) -> None:
    made = colliding(3, topics=topics, seed=5)
    assert len(set(made)) == 4
    assert len(set(rows_of(made, seed=5).keys.tolist())) == 1
    assert len(set(rows_of(made, seed=0).keys.tolist())) == 4


@pytest.mark.parametrize("topics", [(0, 0), (0, 1), (1, 0)])
def test_equal_hashes_of_unequal_pairs(topics: tuple[int, int]) -> None:
    a, b, c, d = colliding(3, topics=topics)
    check_find([a], [b, a, c, d, a], 2)
    check_find([b], [a, c, d], 2)
    # Among the judged pairs themselves: the index takes other factors.
    check_find([a, b, c], [d, c, b, a, (0, "other"), (1, b[1])], 2)
    assert index_of([a], 2)[1].seed == 0
    assert index_of([a, b], 2)[1].seed != 0


@pytest.mark.parametrize("order", ["aba", "ab", "abba", "abcab", "bca", "aab", "abcdabcd", "ccba"])
@pytest.mark.parametrize("topics", [(0, 0), (0, 1)])
def test_duplicates_among_equal_hashes(order: str, topics: tuple[int, int]) -> None:
    made = dict(zip("abcd", colliding(3, topics=topics), strict=True))
    check_repeated([(7, "first"), *(made[letter] for letter in order), (7, "last")])


@pytest.mark.parametrize("width", range(1, 41))
def test_ids_of_every_width(width: int) -> None:
    """Ids that differ in their last byte only, or are another's beginning, in columns padded to any width."""
    gold = [(0, "x" * width), (0, "x" * (width - 1) + "y"), (1, "x" * width)]
    run = [(0, "x" * size) for size in range(1, 44)] + [(0, "x" * (width - 1) + "y"), (0, "x" * (width - 1) + "z")]
    check_find(gold, run, 2)
    check_find(gold, run[:width], 2)
    check_repeated(run + run[width : width + 1])


def test_nothing_on_either_side() -> None:
    check_find([], [(0, "a")], 1)
    check_find([(0, "a")], [], 1)
    check_find([(0, "a")], [(5, "a")], 1)
    check_repeated([])


def test_spans() -> None:
    starts, stops = np.array([3, 10, 4]), np.array([5, 10, 7])
    assert spans(starts, stops).tolist() == [3, 4, 4, 5, 6]
    assert spans(stops[:0], stops[:0]).tolist() == []
