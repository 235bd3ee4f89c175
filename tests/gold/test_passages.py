"""Grades from paragraphs, as paper 5 makes them of CLEF-IP's judgments."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.errors import DataError
from patstone.files import ids
from patstone.gold.qrels import Qrels
from patstone.gold.sources import read_qrels


def grades(gold: Qrels) -> dict[tuple[str, str, str], float]:
    """By topic, subtopic and document."""
    aspects = gold.subtopics
    assert aspects is not None
    docs = ids.texts(gold.docs[aspects.judged])
    topics = [gold.topics[topic] for topic in gold.topic[aspects.judged].tolist()]
    names = [aspects.names[place] for place in aspects.subtopic.tolist()]
    return dict(zip(zip(topics, names, docs, strict=True), aspects.grades.tolist(), strict=True))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "judgments"


def test_paragraphs_are_counted_over_all_topics(path: Path) -> None:
    """The most is 5, for D1 in t1; 4n/5 is 0.8, 1.6 and 2.4 for one, two and three paragraphs, rounded up."""
    listed = [("t1", "1", "D1", 5), ("t1", "2", "D1", 1), ("t1", "1", "D2", 2), ("t2", "1", "D1", 3)]
    path.write_text("".join(f"{t} {c} {d} /p[{n}]\n" for t, c, d, count in listed for n in range(count)))
    gold = read_qrels(path, format="clef-ip")
    assert grades(gold) == {
        ("t1", "1", "D1"): 4.0,
        ("t1", "2", "D1"): 1.0,
        ("t1", "1", "D2"): 2.0,
        ("t2", "1", "D1"): 3.0,
    }
    assert gold.notes == (
        f"{path}: grades are numbers of relevant paragraphs scaled to 1-4; the most in a document is 5",
    )


def test_paragraphs_that_are_not_relevant_leave_a_judged_document(path: Path) -> None:
    path.write_text("t1 1 D1 p1 1\nt1 1 D1 p2 0\nt1 1 D2 p1 0\n")
    assert grades(read_qrels(path, format="clef-ip")) == {("t1", "1", "D1"): 4.0, ("t1", "1", "D2"): 0.0}


def test_nothing_relevant(path: Path) -> None:
    path.write_text("t1 1 D1 p1 0\n")
    assert grades(read_qrels(path, format="clef-ip")) == {("t1", "1", "D1"): 0.0}


def test_a_table_of_paragraphs(tmp_path: Path) -> None:
    table = tmp_path / "gold.csv"
    table.write_text("topic,claim,doc,paragraph\nt1,1,D1,p1\nt1,1,D1,p2\nt1,2,D2,p1\n")
    gold = read_qrels(table)
    assert grades(gold) == {("t1", "1", "D1"): 4.0, ("t1", "2", "D2"): 2.0}
    assert "scaled to 1-4" in gold.notes[-1]
    # Without claims a document has one grade for the whole topic.
    table.write_text("topic,doc,paragraph\nt1,D1,p1\nt1,D1,p2\nt1,D2,p1\n")
    assert read_qrels(table).grades.tolist() == [4.0, 2.0]


def test_a_paragraph_twice_names_both_lines(path: Path) -> None:
    path.write_text("t1 1 D1 p1\nt1 2 D1 p1\n\nt1 1 D1 p1\n")
    with pytest.raises(DataError, match="this one is on line 1 too") as caught:
        read_qrels(path, format="clef-ip")
    assert (caught.value.path, caught.value.line) == (str(path), 4)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12))
def test_grades_follow_the_numbers(counts: list[int]) -> None:
    from patstone.gold.columns import Judgments, coded
    from patstone.gold.passages import counted

    rows = [(f"D{doc}", f"p{n}") for doc, count in enumerate(counts) for n in range(count)]
    topic, topics = coded(["t"] * len(rows))
    judged = Judgments(topics=topics, topic=topic, docs=ids.pack(doc for doc, _ in rows), grades=np.ones(len(rows)))
    made, _ = counted(judged, ids.pack(name for _, name in rows))
    found = made.grades.tolist()
    assert max(found) == 4
    # The smallest whole number that reaches n of N in quarters.
    assert all(
        (grade - 1) * max(counts) < 4 * count <= grade * max(counts) for grade, count in zip(found, counts, strict=True)
    )
