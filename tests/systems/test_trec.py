"""TREC run files: topics in whole pieces whatever the blocks, scattered ones gathered, ranks read when asked for."""

import gzip
from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import plain_reader
from patstone.errors import DataError
from patstone.files import ids
from patstone.files.lines import read_fields
from patstone.gold.qrels import Qrels
from patstone.measures.engine import score
from patstone.measures.policies import Policies
from patstone.systems.run import Run, gathered
from patstone.systems.sources import open_run
from patstone.systems.trec import TrecRun

Cell = tuple[str, float, int]
BLOCKS = (40, 200, 1 << 20)


def trec(text: str | bytes) -> TrecRun:
    raw = text.encode() if isinstance(text, str) else text
    return TrecRun(name="mine", path="mine.run", open=lambda: BytesIO(raw))


def cells(run: Run) -> list[tuple[str, list[Cell]]]:
    """By topic: document, score and line of each row."""
    assert run.lines is not None
    rows = list(zip(ids.texts(run.docs), run.scores.tolist(), run.lines.tolist(), strict=True))
    borders = run.starts.tolist()
    return [(topic, rows[borders[t] : borders[t + 1]]) for t, topic in enumerate(run.topics)]


def text_of(rows: Sequence[tuple[str, str, float]]) -> str:
    return "".join(f"{topic} Q0 {doc} 0 {value!r} tag\n" for topic, doc, value in rows)


def meant(text: str) -> list[tuple[str, list[Cell]]]:
    groups = plain_reader.grouped(plain_reader.read(text.encode()), 0)
    return [(rows[0].fields[0], [(row.fields[2], float(row.fields[4]), row.number) for row in rows]) for rows in groups]


def random_rows(rng: np.random.Generator, sizes: Mapping[str, int]) -> list[tuple[str, str, float]]:
    return [
        (topic, f"d{rng.integers(10**9)}", float(rng.random())) for topic, size in sizes.items() for _ in range(size)
    ]


@pytest.mark.parametrize("block", BLOCKS)
def test_parts_hold_whole_topics(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr("patstone.systems.trec.read_fields", partial(read_fields, block=block))
    rng = np.random.default_rng(1)
    for _ in range(5):
        text = text_of(random_rows(rng, {f"t{t}": int(rng.integers(1, 9)) for t in range(120)}))
        parts = [cells(part) for part in trec(text).parts()]
        assert [topic for part in parts for topic in part] == meant(text)
        assert block == max(BLOCKS) or len(parts) > 2


@pytest.mark.parametrize("block", BLOCKS)
def test_the_whole_gathers_scattered_topics(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """In the order of the file, each row with its line."""
    monkeypatch.setattr("patstone.systems.trec.read_fields", partial(read_fields, block=block))
    rng = np.random.default_rng(2)
    rows = random_rows(rng, {"a": 9, "topic-b": 5, "c": 1, "d": 20})
    text = text_of([rows[place] for place in rng.permutation(len(rows)).tolist()])
    together: dict[str, list[Cell]] = {}
    for topic, found in meant(text):
        together.setdefault(topic, []).extend(found)
    assert cells(trec(text).whole()) == list(together.items())


@pytest.mark.parametrize("policy", ["docid", "input"])
def test_scattered_or_not_the_scores_are_the_same(monkeypatch: pytest.MonkeyPatch, policy: str) -> None:
    monkeypatch.setattr("patstone.systems.trec.read_fields", partial(read_fields, block=120))
    rng = np.random.default_rng(3)
    gold = Qrels.from_dict({f"t{t}": {f"d{d}": int(rng.integers(0, 3)) for d in range(10)} for t in range(5)})
    rows = [(f"t{t}", f"d{d}", float(rng.integers(0, 4))) for t in range(5) for d in rng.permutation(15).tolist()]
    order = np.lexsort((np.arange(75), rng.permutation(5).repeat(15)))
    # Shuffled so that the rows of one topic keep their order.
    mixed = np.argsort(rng.random(75)).tolist()
    queues = {f"t{t}": [row for row in rows if row[0] == f"t{t}"] for t in range(5)}
    scattered = [queues[rows[place][0]].pop(0) for place in mixed]
    measures = ["AP", "nDCG", "P@3", "RR", "Bpref"]
    found = [
        score(gold, [trec(text_of(each))], measures, policies=Policies(ties=policy))  # type: ignore[arg-type]
        for each in (rows, [rows[place] for place in order.tolist()], scattered)
    ]
    assert found[0].values.tolist() == found[1].values.tolist() == found[2].values.tolist()
    assert found[0].counts == found[1].counts == found[2].counts


def test_duplicates_far_apart_name_both_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patstone.systems.trec.read_fields", partial(read_fields, block=64))
    rows = [("a", "x", 1.0), *(("b", f"d{d}", 1.0) for d in range(20)), ("a", "y", 2.0), ("a", "x", 3.0)]
    with pytest.raises(DataError, match="'a' has it on line 1 too") as caught:
        score(Qrels.from_dict({"a": {"x": 1}}), [trec(text_of(rows))], ["AP"])
    assert (caught.value.path, caught.value.line, caught.value.value) == ("mine.run", 23, "x")


def test_gathered_needs_no_order_and_keeps_every_column() -> None:
    part = Run(
        name="r",
        topics=("a", "b", "a"),
        starts=np.array([0, 1, 3, 4]),
        docs=ids.pack(["d1", "d2", "d3", "a-much-longer-one"]),
        scores=np.array([1.0, 2.0, 3.0, 4.0]),
        given=np.array([1, 2, 3, 4]),
        order=np.array([4.0, 3.0, 2.0, 1.0]),
        lines=np.array([10, 20, 30, 40]),
        path="p",
    )
    for whole in (gathered([part]), part.whole()):
        assert whole.topics == ("a", "b")
        assert whole.starts.tolist() == [0, 2, 4]
        assert ids.texts(whole.docs) == ["d1", "a-much-longer-one", "d2", "d3"]
        assert whole.given is not None
        assert whole.order is not None
        assert (whole.given.tolist(), whole.order.tolist()) == ([1, 4, 2, 3], [4, 1, 3, 2])
        assert (whole.name, whole.path) == ("r", "p")
    assert gathered([part, part]).starts.tolist() == [0, 4, 8]


RANKED = "t Q0 a 2 1.0 x\nt Q0 b 1 1.0 x\n"


def test_the_rank_column_is_read_when_asked_for() -> None:
    (part,) = trec(RANKED).parts(ranks=True)
    assert part.given is not None
    assert part.given.tolist() == [2, 1]
    (part,) = trec(RANKED).parts()
    assert part.given is None


@pytest.mark.parametrize("rank", ["-", "x", "1.5", "inf", "nan", "1e30", "1_0"])
def test_a_rank_is_a_whole_number_where_it_counts(rank: str) -> None:
    text = f"t Q0 a 2 1.0 x\nt Q0 b {rank} 1.0 x\n"
    gold = Qrels.from_dict({"t": {"a": 1}})
    assert score(gold, [trec(text)], ["AP"]).values.tolist() == [[[0.5]]]
    with pytest.raises(DataError, match="A rank must be a") as caught:
        score(gold, [trec(text)], ["AP"], policies=Policies(ties="input"))
    assert (caught.value.line, caught.value.value) == (2, rank)


@pytest.mark.parametrize("rank", ["3", "-1", "0", "+4", "7.0", "1e3"])
def test_ways_to_write_a_rank(rank: str) -> None:
    (part,) = trec(f"t Q0 a {rank} 1.0 x\n").parts(ranks=True)
    assert part.given is not None
    assert part.given.tolist() == [int(float(rank))]


def test_columns_out_of_place_are_noticed_though_ranks_do_not_count(tmp_path: Path) -> None:
    """CLEF-IP's runs of passages have the rank where the score belongs, and would be read upside down."""
    path = tmp_path / "passages.run"
    path.write_text("t Q0 EP1 /description/p[3] 1 0.9\n")
    with pytest.raises(DataError, match="A rank must be a number") as caught:
        list(TrecRun(name="a", path=str(path), open=lambda: path.open("rb")).parts())
    assert caught.value.line == 1


def test_ties_input_reaches_the_file(tmp_path: Path) -> None:
    """Through the public call, which alone knows both the policy and the file."""
    import patstone

    path = tmp_path / "r.run"
    path.write_text(RANKED)
    gold = {"t": {"b": 1}}
    # Ties by id descending put b first; a stands before b in the file; the rank column says b is first.
    path.write_text("t Q0 c 2 1.0 x\nt Q0 b 1 1.0 x\n")
    assert patstone.score(gold, str(path), ["RR"], ties="docid").values.tolist() == [[[0.5]]]
    assert patstone.score(gold, str(path), ["RR"], ties="input").values.tolist() == [[[1.0]]]


@pytest.mark.parametrize("text", ["", "\n \n\t\n"])
def test_a_run_holds_a_line(text: str) -> None:
    with pytest.raises(DataError, match="this file is empty") as caught:
        list(trec(text).parts())
    assert caught.value.path == "mine.run"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("t Q0 d 1 2.5", "6 fields; this one has 5"),
        ("t Q0 d 1 2.5 tag more", "6 fields; this one has 7"),
        ("t Q0 d 1 nan tag", "A score must be a number"),
        ("t Q0 d 1 2,5 tag", "A score must be a number"),
        ("t Q0 d 1 - tag", "A score must be a number"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, rule: str) -> None:
    path = tmp_path / "bad.run.gz"
    path.write_bytes(gzip.compress((text_of([("a", f"d{d}", 1.0) for d in range(6)]) + line + "\n").encode()))
    with pytest.raises(DataError, match=rule) as caught:
        score(Qrels.from_dict({"a": {"d1": 1}}), [open_run(path)], ["AP"])
    assert (str(caught.value.path), caught.value.line) == (str(path), 7)


def test_a_file_is_read_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    path.write_text(text_of([("a", "d1", 1.0), ("b", "d1", 1.0), ("a", "d2", 2.0)]))
    run = open_run(path)
    for _ in range(2):
        assert sum(len(part) for part in run.parts()) == len(run.whole()) == 3
