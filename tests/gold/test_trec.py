"""TREC's layouts of judgments, read into the same gold standard as plain columns are."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.gold.trec import read_trec


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gold.qrels"


def judged(gold: Qrels) -> dict[tuple[str, str], float]:
    names = [gold.topics[topic] for topic in gold.topic.tolist()]
    return dict(zip(zip(names, ids.texts(gold.docs), strict=True), gold.grades.tolist(), strict=True))


def by_aspect(gold: Qrels) -> dict[tuple[str, str, str], float]:
    aspects = gold.subtopics
    assert aspects is not None
    pairs = list(judged(gold))
    names = [(*pairs[row], aspects.names[at]) for row, at in zip(aspects.judged, aspects.subtopic, strict=True)]
    return dict(zip(names, aspects.grades.tolist(), strict=True))


def test_four_columns(path: Path) -> None:
    path.write_text("t1 0 a 1\nt2  Q0\tb  -1\r\n\nt1 0 c 0.5\n")
    gold = read_trec(path)
    assert judged(gold) == {("t1", "a"): 1.0, ("t2", "b"): -1.0, ("t1", "c"): 0.5}
    assert gold.topics == ("t1", "t2")
    assert gold.inventions is None
    assert gold.subtopics is None


def test_five_columns_name_the_invention(path: Path) -> None:
    path.write_text("t 0 a 1 f1\nt 0 b 1 f2\nt 0 c 1 f1\nu 0 a 2 f1\n")
    gold = read_trec(path)
    assert gold.inventions is not None
    assert gold.inventions[[0, 2]].tolist() != gold.inventions[[1, 2]].tolist()
    assert gold.inventions[0] == gold.inventions[2] != gold.inventions[1]


def test_diversity(path: Path) -> None:
    path.write_text("t 2 a 1\nt 10 a 2\nt 2 b 0\nu 1 a 1\n")
    gold = read_trec(path, "diversity")
    assert judged(gold) == {("t", "a"): 2.0, ("t", "b"): 0.0, ("u", "a"): 1.0}
    assert gold.subtopics is not None
    assert gold.subtopics.names == ("2", "10", "1")
    expected = {("t", "a", "2"): 1.0, ("t", "a", "10"): 2.0, ("t", "b", "2"): 0.0, ("u", "a", "1"): 1.0}
    assert by_aspect(gold) == expected


def test_dynamic_domain_passages_count_as_their_highest_rating(path: Path) -> None:
    path.write_text("t t.1 a p1 1\nt t.1 a p2 4\nt t.1 a p3 2\nt t.2 a p1 3\nt t.1 b p1 0\n")
    gold = read_trec(path, "dd")
    assert judged(gold) == {("t", "a"): 4.0, ("t", "b"): 0.0}
    assert by_aspect(gold) == {("t", "a", "t.1"): 4.0, ("t", "a", "t.2"): 3.0, ("t", "b", "t.1"): 0.0}
    assert gold.notes == (f"{path}: 2 further passages of documents already rated; the highest rating counts",)


def test_dynamic_domain_without_passages(path: Path) -> None:
    path.write_text("t t.1 a 1\nt t.1 b 4\n")
    gold = read_trec(path, "dd")
    assert by_aspect(gold) == {("t", "a", "t.1"): 1.0, ("t", "b", "t.1"): 4.0}
    assert gold.notes == ()


def test_many_judgments_in_any_order_over_several_blocks(path: Path) -> None:
    """1.7 MB, so that it takes two blocks, with topics scattered over both."""
    rng = np.random.default_rng(4)
    pairs = [(f"topic{t}", f"EP{d:07d}A1", int(rng.integers(0, 3))) for t in range(60) for d in range(900)]
    mixed = [pairs[place] for place in rng.permutation(len(pairs)).tolist()]
    path.write_text("".join(f"{topic}\t0\t{doc}\t{grade}\n" for topic, doc, grade in mixed))
    gold = read_trec(path)
    assert judged(gold) == {(topic, doc): float(grade) for topic, doc, grade in pairs}
    assert gold.digest == Qrels.from_columns(*map(list, zip(*pairs, strict=True))).digest


def test_compressed(path: Path) -> None:
    path.write_bytes(gzip.compress(b"t 0 a 1\n"))
    assert judged(read_trec(path)) == {("t", "a"): 1.0}


GOOD = ["t 0 a 1", "t 0 b 0", "u 0 a 2"]


@pytest.mark.parametrize(
    ("layout", "lines", "line", "rule"),
    [
        ("qrels", [*GOOD, "t 0 a"], 4, "4 fields; this one has 3"),
        ("qrels", [*GOOD, "t 0 c 1 f1"], 4, "4 fields; this one has 5"),
        ("qrels", ["t 0 a 1 f1", "t 0 b 1"], 2, "5 fields; this one has 4"),
        ("qrels", ["t 0 a 1 f1 more"], 1, "4 fields; this one has 6"),
        ("qrels", [*GOOD, "", "t 0 c x"], 5, "A grade must be a number"),
        ("qrels", [*GOOD, "t 0 c nan"], 4, "A grade must be a number"),
        ("qrels", [*GOOD, "t 0 c inf"], 4, "A grade must be a finite number"),
        ("qrels", [*GOOD, "t 0 c -inf"], 4, "A grade must be a finite number"),
        ("qrels", ["", *GOOD, "v 0 b 1", "t 7 b 1"], 6, "'t' has it on line 3 too"),
        ("qrels", [*GOOD, "u 0 a 1 "], 4, "'u' has it on line 3 too"),
        ("diversity", ["t 1 a 1", "t 2 a 1", "", "t 1 a 0"], 4, "'t' has it on line 1 too"),
        ("diversity", ["t 1 a 1 p"], 1, "4 fields; this one has 5"),
        ("dd", ["t 1 a p 1", "t 1 a p x"], 2, "A grade must be a number"),
        ("dd", ["t 1 a 1", "t 1 a 1"], 0, ""),
        ("qrels", [], None, "must hold at least one judgment"),
        ("qrels", ["", "  "], None, "must hold at least one judgment"),
    ],
)
def test_what_is_refused(path: Path, layout: str, lines: Sequence[str], line: int | None, rule: str) -> None:
    path.write_text("\n".join(lines))
    if line == 0:
        # Without passages too, Dynamic Domain may rate a document twice.
        assert len(read_trec(path, layout)) == 1
        return
    with pytest.raises(DataError, match=rule) as caught:
        read_trec(path, layout)
    assert (caught.value.path, caught.value.line) == (str(path), line)
