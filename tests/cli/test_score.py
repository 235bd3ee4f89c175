"""`patstone score` from files to rows, on values worked out by hand.

AP of `poor`: t1 finds one of two at rank 3: 1/6; t2 one of two at rank 2: 1/4; t3 ties its two documents, and by id
descending the relevant one is first: 1. The mean is 17/36. `good` is perfect.
"""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran, Sample, shell

Run = Callable[..., Ran]


def rows(out: str) -> dict[tuple[str, str], float]:
    return {(row["system"], row["measure"]): row["value"] for row in json.loads(out)["results"]}


def test_json_has_the_stable_keys(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.good, sample.poor, "-m", "AP", "P@1", "--json")
    assert ran.code == 0
    answer = json.loads(ran.out)
    assert set(answer) == {"signature", "results", "counts", "warnings"}
    assert all({"system", "measure", "value", "ci", "topics"} <= set(row) for row in answer["results"])
    assert rows(ran.out) == {
        ("good", "AP"): 1.0,
        ("poor", "AP"): pytest.approx(17 / 36, abs=1e-15),
        ("good", "P@1"): 1.0,
        ("poor", "P@1"): pytest.approx(1 / 3, abs=1e-15),
    }
    assert {row["topics"] for row in answer["results"]} == {3}
    assert answer["counts"]["poor"]["tied"] == 2


def test_the_tie_rule_can_be_changed(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.poor, "-m", "AP", "--ties", "input", "--json")
    assert rows(ran.out)["poor", "AP"] == pytest.approx((1 / 6 + 1 / 4 + 1 / 2) / 3, abs=1e-15)


def test_text_goes_out_and_notes_go_to_the_other_stream(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.good, sample.poor, "-m", "AP")
    assert "0.4722" in ran.out
    assert all(line.startswith("patstone: note: ") for line in ran.err.splitlines())
    assert "tied" in ran.err or "score of another one" in ran.err
    assert patstone("score", sample.gold, sample.poor, "-m", "AP", "--quiet").err == ""


def test_csv_and_jsonl_hold_the_same_exact_rows(patstone: Run, sample: Sample) -> None:
    words = ["score", sample.gold, sample.poor, "-m", "AP", "RR", "--ci", "none"]
    table = list(csv.DictReader(io.StringIO(patstone(*words, "--csv").out)))
    lines = [json.loads(line) for line in patstone(*words, "--jsonl").out.splitlines()]
    assert [float(row["value"]) for row in table] == [row["value"] for row in lines]
    assert [row["measure"] for row in lines] == ["AP", "RR"]


@pytest.mark.parametrize(("style", "sign"), [("--latex", "\\toprule"), ("--markdown", "| :")])
def test_tables_for_documents(patstone: Run, sample: Sample, style: str, sign: str) -> None:
    ran = patstone("score", sample.gold, sample.good, "-m", "AP", style)
    assert ran.code == 0
    assert sign in ran.out


def test_out_goes_by_its_suffix_and_leaves_standard_output_empty(patstone: Run, sample: Sample) -> None:
    target = sample.folder / "answer.json"
    ran = patstone("score", sample.gold, sample.good, "-m", "AP", "--out", str(target))
    assert (ran.code, ran.out) == (0, "")
    assert rows(target.read_text()) == {("good", "AP"): 1.0}


def test_by_topic(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.poor, "-m", "AP", "--by-topic", "--json")
    values = {row["topic"]: row["value"] for row in json.loads(ran.out)["results"]}
    assert values == {"t1": pytest.approx(1 / 6), "t2": 1 / 4, "t3": 1.0}


def test_slices(patstone: Run, sample: Sample) -> None:
    table = sample.folder / "topics.csv"
    table.write_text("topic,office\nt1,EP\nt2,EP\nt3,US\n")
    ran = patstone("score", sample.gold, sample.poor, "-m", "AP", "--topics", str(table), "--slice", "office", "--json")
    values = {row["slice"]: (row["value"], row["topics"]) for row in json.loads(ran.out)["results"]}
    assert values == {"EP": (pytest.approx((1 / 6 + 1 / 4) / 2), 2), "US": (1.0, 1)}


def test_a_slice_needs_every_topic_in_the_table(patstone: Run, sample: Sample) -> None:
    table = sample.folder / "topics.csv"
    table.write_text("topic,office\nt1,EP\n")
    ran = patstone("score", sample.gold, sample.poor, "-m", "AP", "--topics", str(table), "--slice", "office")
    assert (ran.code, ran.out) == (3, "")
    assert "t2" in ran.err
    assert str(table) in ran.err


def test_default_measures_are_stated(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.good, "--json")
    assert [measure for _, measure in rows(ran.out)] == ["nDCG@10", "AP", "P@10", "R@100", "RR"]
    assert "nDCG@10 AP P@10 R@100 RR" in ran.err


def test_standard_input_may_be_the_run_or_the_gold(sample: Sample) -> None:
    run = Path(sample.good).read_text()
    ran = shell("score", sample.gold, "-", "-m", "AP", "--json", "--quiet", stdin=run)
    assert (ran.code, ran.err) == (0, "")
    assert list(rows(ran.out).values()) == [1.0]
    gold = Path(sample.gold).read_text()
    assert shell("score", "-", sample.good, "-m", "AP", "--json", stdin=gold).code == 0


def test_standard_input_is_read_once(patstone: Run) -> None:
    ran = patstone("score", "-", "-", "-m", "AP")
    assert (ran.code, ran.out) == (2, "")
    assert "standard input" in ran.err


@pytest.mark.parametrize("text", ["t1 Q0 d1 1 nan tag\n", "t1 Q0 d1 1\n", "t1 Q0 d1 1 x tag\n", "", "\x00\x01"])
def test_bad_data_ends_with_3_and_names_the_file(patstone: Run, sample: Sample, text: str) -> None:
    bad = sample.folder / "bad.run"
    bad.write_text(text)
    target = sample.folder / "never.csv"
    ran = patstone("score", sample.gold, str(bad), "-m", "AP", "--out", str(target))
    assert (ran.code, ran.out) == (3, "")
    assert "bad.run" in ran.err
    assert ran.err.count("\n") == 1
    assert not target.exists()


def test_a_run_that_shares_no_topic_is_bad_data(patstone: Run, sample: Sample) -> None:
    (sample.folder / "other.run").write_text("t9 Q0 d1 1 1 tag\n")
    ran = patstone("score", sample.gold, str(sample.folder / "other.run"), "-m", "AP")
    assert (ran.code, ran.out) == (3, "")
    assert "'other' must share a topic" in ran.err


@pytest.mark.parametrize("name", ["missing.run", "."])
def test_a_file_that_cannot_be_read_is_bad_data(patstone: Run, sample: Sample, name: str) -> None:
    ran = patstone("score", sample.gold, str(sample.folder / name), "-m", "AP")
    assert (ran.code, ran.out) == (3, "")


def test_an_unwritable_target_is_bad_data(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.good, "-m", "AP", "--out", str(sample.folder / "no" / "such.csv"))
    assert (ran.code, ran.out) == (3, "")


def test_two_runs_of_one_name_are_told_apart(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.good, sample.good, "-m", "AP", "--json")
    assert [system for system, _ in rows(ran.out)] == ["good", "good#2"]


def test_side_files(patstone: Run, sample: Sample) -> None:
    from openpyxl import load_workbook
    from pyarrow import parquet

    topics, book = sample.folder / "topics.parquet", sample.folder / "book.xlsx"
    ran = patstone("score", sample.gold, sample.poor, "-m", "AP", "--per-topic", str(topics), "--xlsx", str(book))
    assert ran.code == 0
    assert parquet.read_table(topics).num_rows == 3
    values = [cell for row in load_workbook(book).worksheets[0].iter_rows(values_only=True) for cell in row]
    assert any(isinstance(value, float) and abs(value - 17 / 36) < 1e-12 for value in values)


def test_a_report_is_one_page(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.poor, sample.good, "-m", "AP", "--report", str(sample.folder / "page"))
    assert ran.code == 0
    page = (sample.folder / "page" / "index.html").read_text()
    assert "0.4722" in page


@pytest.mark.parametrize("kind", ["bca", "t", "none"])
def test_intervals(patstone: Run, sample: Sample, kind: str) -> None:
    ran = patstone("score", sample.gold, sample.poor, "-m", "AP", "--ci", kind, "--json")
    interval = json.loads(ran.out)["results"][0]["ci"]
    if kind == "none":
        assert interval is None
    else:
        assert interval[0] < 17 / 36 < interval[1]


def test_one_seed_gives_the_same_bytes(patstone: Run, sample: Sample) -> None:
    words = ["score", sample.gold, sample.poor, "-m", "AP", "--json", "--seed", "7"]
    assert patstone(*words).out == patstone(*words).out


@pytest.mark.parametrize("style", ["--json", "--csv", "--jsonl", "--markdown", "--latex", "--by-topic"])
def test_a_name_that_is_not_unicode_is_a_name(sample: Sample, style: str) -> None:
    run = sample.folder / "caf\udce9.run"
    run.write_text(Path(sample.good).read_text())
    ran = shell("score", sample.gold, str(run), "-m", "AP", style)
    assert ran.code == 0
    assert "caf" in ran.out
    written = sample.folder / "answer"
    assert shell("score", sample.gold, str(run), "-m", "AP", style, "--out", str(written)).code == 0


def test_families_and_lengths_are_spoken_of(patstone: Run, sample: Sample, tmp_path: Path) -> None:
    families, lengths = tmp_path / "families.csv", tmp_path / "lengths.csv"
    families.write_text("document,family\na,f\nb,\n")
    lengths.write_text("document,words\na,100\n")
    ran = patstone("score", sample.gold, sample.good, "--families", str(families), "--lengths", str(lengths))
    assert "without -m the measures are nDCG@10 AP S@20 H@20 MP@20 MR@20." in ran.err
    assert "documents without a family: 1; each stands alone" in ran.err
    assert "have no length in the table of lengths" in ran.err
    assert "|families:" in ran.out.replace("\n", "")


def test_topics_or_groups_of_topics(patstone: Run, sample: Sample, tmp_path: Path) -> None:
    topics = tmp_path / "topics.csv"
    topics.write_text("topic,office\nt1,EP\nt2,EP\nt3,US\n")
    words = ["score", sample.gold, sample.good, "-m", "AP", "--topics", str(topics), "--slice", "office"]
    assert patstone(*words).code == 0
    ran = patstone(*words, "--by-topic")
    assert (ran.code, ran.out) == (2, "")
    assert "Ask for --by-topic or for --slice" in ran.err


def test_a_table_beside_gold_and_run_is_a_file(patstone: Run, sample: Sample) -> None:
    ran = patstone("score", sample.gold, sample.good, "--families", "-")
    assert (ran.code, ran.out) == (2, "")
    assert "Only GOLD and RUN can be standard input" in ran.err
