"""The canonical ranking against the plain engine's, hit by hit, on thousands of small random worlds."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from patstone.errors import DataError
from patstone.files.lines import read_fields
from patstone.gold.qrels import Qrels
from patstone.measures import canonical
from patstone.measures.encoded import Encoded
from patstone.measures.pieces import Settled, rank
from patstone.measures.policies import Policies
from patstone.measures.ranked import Ranked
from patstone.systems.run import Answers, Run
from plain import Row, Rules, Twice, as_ranked, by_topic, evaluate
from rankings import World, run_file, world


def settled(given: World) -> Settled:
    rules = given.rules
    return Settled(
        encoded=Encoded.of(given.gold, families=given.families if rules.by_family else None),
        rules=rules.policies,
        removes_own=rules.removes_own,
        lengths=given.lengths,
        cutoffs=rules.cutoffs,
    )


def columns(ranked: Ranked) -> dict[str, list[float]]:
    """All that a ranking holds."""
    names = ("topic", "rank", "row", "tie_first", "tie_size", "view", "retrieved", "answered")
    given = {name: getattr(ranked, name) for name in names}
    found = {name: column.tolist() for name, column in given.items() if column is not None}
    if ranked.reading is not None:
        found |= {"own": ranked.reading.own.tolist(), "before": ranked.reading.before.tolist()}
        found |= {f"until {k}": words.tolist() for k, words in ranked.reading.until.items()}
    return found


def check(given: World, run: Answers, *, viewed: bool, in_file_order: bool = True) -> None:
    lists = by_topic(given.rows)
    try:
        found = evaluate(given.gold, lists, given.rules)
    except Twice as twice:
        first, second = twice.args if in_file_order else (r"\d+", r"\d+")
        with pytest.raises(DataError, match=rf"line {second}: .* has it on line {first} too"):
            rank(run, settled(given))
        return
    if not found.retrieved:
        with pytest.raises(DataError, match="must share a topic"):
            rank(run, settled(given))
        return
    mine, counts = rank(run, settled(given))
    assert columns(mine) == columns(as_ranked(found, viewed=viewed))
    assert {name: count for name, count in counts.items() if count} == dict(+found.counts)
    assert mine.topic.tolist() == sorted(mine.topic.tolist())
    assert (np.diff(mine.topic * 1000 + mine.rank) > 0).all()


def together(rows: Sequence[Row]) -> bool:
    return [row.topic for row in rows] == [row.topic for found in by_topic(rows).values() for row in found]


@pytest.mark.parametrize("block", [32, 150, 1 << 20])
@pytest.mark.parametrize("ties", ["docid", "input", "expected"])
def test_files_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch, block: int, ties: str) -> None:
    monkeypatch.setattr("patstone.systems.trec.read_fields", partial(read_fields, block=block))
    for seed in range(250):
        given = world(seed, ties=ties)
        check(given, given.file(), viewed=False, in_file_order=together(given.rows))


@pytest.mark.parametrize("ties", ["docid", "input", "expected"])
def test_columns_in_memory(ties: str) -> None:
    for seed in range(1000, 1300):
        given = world(seed, ties=ties)
        check(given, given.columns(), viewed=True, in_file_order=together(given.rows))


def test_parts_and_the_whole_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patstone.systems.trec.read_fields", partial(read_fields, block=100))
    for seed in range(100):
        given = world(seed, duplicates="first", ties="input")
        if any(row.topic in given.gold.topics for row in given.rows):
            ours = settled(given)
            (parts, counts), (whole, again) = rank(given.file(), ours), rank(given.file().whole(ranks=True), ours)
            assert columns(parts) == columns(whole)
            assert counts == again


@pytest.mark.parametrize("sizes", [[5] * 40, [300], [100, 1, 2000]])
def test_long_and_short_lists_are_sorted_alike(sizes: list[int]) -> None:
    """There are two ways to sort, by the length of the lists."""
    rng = np.random.default_rng(2)
    rows = [
        Row(topic=f"t{topic}", doc=f"d{doc}", score=float(rng.integers(0, size // 2 + 1)))
        for topic, size in enumerate(sizes)
        for doc in rng.permutation(size).tolist()
    ]
    gold = Qrels.from_dict(
        {f"t{topic}": {f"d{doc}": 1 for doc in range(0, size, 3)} for topic, size in enumerate(sizes)}
    )
    rules = Rules()
    given = World(gold=gold, rows=tuple(rows), rules=rules)
    mine, _ = rank(run_file(rows), settled(given))
    assert columns(mine) == columns(as_ranked(evaluate(gold, by_topic(rows), rules)))


def one_list(scores: list[float], given: list[int] | None = None) -> Run:
    docs = [f"d{place}" for place in range(len(scores))]
    run = Run.from_dict({"t": dict(zip(docs, scores, strict=True))})
    return run if given is None else Run(**{**vars(run), "given": np.array(given)})


@pytest.mark.parametrize(
    ("ties", "given", "expected"),
    [
        # d0 2, d1 3, d2 3, d3 1, d4 3, d5 2: by id descending 4 2 1 | 5 0 | 3.
        ("docid", None, [4, 2, 1, 5, 0, 3]),
        ("input", None, [1, 2, 4, 0, 5, 3]),
        ("input", [6, 3, 2, 4, 1, 5], [4, 2, 1, 5, 0, 3]),
        ("input", [1, 1, 1, 1, 1, 1], [1, 2, 4, 0, 5, 3]),
        # A given rank never overrides a score.
        ("input", [5, 6, 4, 1, 2, 3], [4, 2, 1, 5, 0, 3]),
    ],
)
def test_tie_rules_by_hand(ties: str, given: list[int] | None, expected: list[int]) -> None:
    run = one_list([2.0, 3.0, 3.0, 1.0, 3.0, 2.0], given)
    assert canonical.full_order(run, run.scores, ties=ties).tolist() == expected
    places = canonical.places(run, run.scores, np.arange(6), ties=ties)
    assert np.argsort(places.place).tolist() == expected
    assert places.tied == 5
    assert places.tie_first.tolist() == [3, 0, 0, 5, 0, 3]
    assert places.tie_size.tolist() == [2, 3, 3, 1, 3, 2]


def test_ids_break_ties_by_their_bytes() -> None:
    docs = ["a", "ab", "b", "B", "é", "abcdefgh", "abcdefghi", "abcdefgi", "10", "9"]
    run = Run.from_dict({"t": dict.fromkeys(docs, 1.0)})
    order = canonical.full_order(run, run.scores, ties="docid").tolist()
    assert [docs[place] for place in order] == sorted(docs, key=str.encode, reverse=True)


def test_words_read_and_views_by_hand() -> None:
    """Ranked d1 d2 d0 with 10, 20 and 5 words."""
    run = one_list([1.0, 3.0, 2.0])
    order = canonical.full_order(run, run.scores, ties="docid")
    hits = np.array([0, 1, 2])
    before, until = canonical.words_read(run, order, hits, np.array([5.0, 10.0, 20.0]), (1, 2, 9))
    assert before.tolist() == [30, 0, 10]
    assert [words.tolist() for words in until] == [[10], [30], [35]]
    assert canonical.viewed(run, hits) is None
    seen = Run(**{**vars(run), "order": np.array([7.0, 7.0, -1.0])})
    viewed = canonical.viewed(seen, hits)
    assert viewed is not None
    assert viewed.tolist() == [2, 3, 1]


def test_the_better_of_two_places_counts() -> None:
    """With ties=input and equal scores that is the one with the better rank, wherever it stands."""
    rows = [Row(topic="t", doc=doc, score=1.0, given=given) for doc, given in [("a", 3), ("b", 2), ("a", 1)]]
    gold = Qrels.from_dict({"t": {"a": 1, "b": 1}})
    given = World(
        gold=gold, rows=tuple(rows), rules=Rules(policies=Policies(ties="input", duplicates="first", self="keep"))
    )
    ranked, counts = rank(run_file(rows), settled(given))
    assert dict(zip(ranked.row.tolist(), ranked.rank.tolist(), strict=True)) == {0: 1, 1: 2}
    assert counts["duplicates"] == 1
