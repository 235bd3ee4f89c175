"""The public API: frozen names, paths or objects alike, and the same words as the command line."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import patstone as ps
import small_collection
from patstone.cli.main import COMMANDS, find
from patstone.cli.words import GROUPS, WORDS
from patstone.errors import DataError, UsageError

GOLD = {"t1": {"a": 1, "b": 0}, "t2": {"c": 2}}
RUN = {"t1": {"b": 2.0, "a": 1.0}, "t2": {"c": 1.0}}

PUBLIC = [
    "Agreement",
    "Audit",
    "CheckFailed",
    "ClaimSet",
    "Collection",
    "Comparison",
    "DataError",
    "Dataset",
    "Discrimination",
    "Families",
    "GoldStandard",
    "Hierarchy",
    "LabelScores",
    "Lengths",
    "Measure",
    "MissingExtra",
    "PatstoneError",
    "Policies",
    "Predictions",
    "Qrels",
    "Reviews",
    "Run",
    "Scheme",
    "Scores",
    "Training",
    "UsageError",
    "agree",
    "audit",
    "build",
    "check_claims",
    "codes",
    "compare",
    "convert",
    "discriminate",
    "fetch",
    "identify",
    "identify_all",
    "measures",
    "open_dataset",
    "open_run",
    "parse",
    "read_claims",
    "read_collection",
    "read_labels",
    "read_predictions",
    "read_qrels",
    "read_reviews",
    "read_scheme",
    "score",
    "score_labels",
    "search",
    "train",
]


def test_the_public_names_are_frozen() -> None:
    assert ps.__all__ == PUBLIC
    assert ps.__version__ == "0.1.0"
    assert set(PUBLIC) <= set(dir(ps))


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there(name: str) -> None:
    assert callable(getattr(ps, name))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        ps.scroe  # noqa: B018


def test_importing_the_package_costs_nothing() -> None:
    code = "import sys, patstone; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"numpy", "pyarrow", "argparse", "dataclasses", "inspect"}.isdisjoint(done.stdout.split())


@pytest.mark.parametrize("first", ["import patstone.compare.intervals", "import patstone.measures.measure", "pass"])
def test_a_room_that_is_named_like_a_verb_can_be_called(first: str) -> None:
    code = (
        f"{first}\nimport patstone as ps\n"
        "assert [card.name for card in ps.measures('PRES@10')] == ['PRES']\n"
        "runs = [ps.Run.from_dict({'t': {'a': 1.0}, 'u': {'b': 1.0}}, name=n) for n in 'xy']\n"
        "found = ps.compare({'t': {'a': 1}, 'u': {'a': 1}}, runs, 'AP', permutations=99)\n"
        "assert found.rows[0].difference == 0\n"
        "import patstone.compare.intervals as room\nassert room is ps.compare.intervals\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_score_takes_dictionaries() -> None:
    scores = ps.score(GOLD, RUN, ["AP", "P@1"])
    assert scores.systems == ("run",)
    assert scores.means.tolist() == [[0.75, 0.5]]


def test_score_takes_paths_objects_and_one_measure(tmp_path: Path) -> None:
    (tmp_path / "gold.qrels").write_text("t1 0 a 1\nt1 0 b 0\nt2 0 c 2\n")
    (tmp_path / "mine.run").write_text("t1 Q0 b 1 2.0 x\nt1 Q0 a 2 1.0 x\nt2 Q0 c 1 1.0 x\n")
    by_path = ps.score(tmp_path / "gold.qrels", [str(tmp_path / "mine.run")], "AP")
    by_object = ps.score(ps.Qrels.from_dict(GOLD), ps.Run.from_dict(RUN, name="mine"), ps.parse("AP"))
    assert by_path.systems == by_object.systems == ("mine",)
    assert by_path.values.tolist() == by_object.values.tolist() == [[[0.5, 1.0]]]
    assert by_path.gold == by_object.gold


def test_runs_of_one_name_are_told_apart() -> None:
    assert ps.score(GOLD, [RUN, RUN, RUN], "AP").systems == ("run", "run#2", "run#3")


def test_measures_that_are_asked_for_twice_come_once() -> None:
    assert [str(measure) for measure in ps.score(GOLD, RUN, ["AP", "map"]).measures] == ["AP"]


def test_default_measures_go_by_what_the_gold_knows() -> None:
    columns = (["t1", "t1"], ["a", "b"], [1.0, 1.0])
    plain = ps.Qrels.from_columns(*columns)
    inventions = ps.Qrels.from_columns(*columns, inventions=["x", "x"])
    subtopics = ps.Qrels.from_columns(*columns, subtopics=["1", "2"])
    chosen = [[str(measure) for measure in ps.score(gold, RUN).measures] for gold in (plain, inventions, subtopics)]
    assert "R@100" in chosen[0]
    assert "S@20" in chosen[1]
    assert "CT@20" in chosen[2]


def test_policies_are_keywords() -> None:
    assert ps.score(GOLD, {"t2": {"c": 1.0}}, "AP", missing="skip").means.tolist() == [[1.0]]
    assert ps.score(GOLD, RUN, "P@1", rel=2).means.tolist() == [[0.5]]
    with pytest.raises(UsageError, match="'ties' policy must be one of"):
        ps.score(GOLD, RUN, "AP", ties="coin")  # type: ignore[arg-type]


def test_topics_can_be_described_for_slicing() -> None:
    table = {"t1": {"office": "EP"}, "t2": {"office": "US"}}
    assert ps.score(GOLD, RUN, "AP", topics=table).metadata == {"office": ["EP", "US"]}
    with pytest.raises(DataError, match="a row for each judged topic"):
        ps.score(GOLD, RUN, "AP", topics={"t1": {"office": "EP"}})


def test_discriminate() -> None:
    other = ps.Run.from_dict({"t1": {"a": 1.0}, "t2": {"x": 1.0}}, name="other")
    found = ps.discriminate(GOLD, [RUN, other], ["AP", "RR"], resamples=50)
    assert [str(row.measure) for row in found.rows] == ["AP", "RR"]


def test_columns_speak_to_the_tables_that_they_name(tmp_path: Path) -> None:
    gold, run = tmp_path / "gold.csv", tmp_path / "run.csv"
    gold.write_text("number,patent,grade\nt1,a,1\nt2,c,1\n")
    run.write_text("number,hit,sim\nt1,a,2\nt2,c,1\n")
    columns = {"topic": "number", "gold.doc": "patent", "run.doc": "hit"}
    assert ps.score(gold, run, "AP", columns=columns).means.tolist() == [[1.0]]
    with pytest.raises(UsageError, match="no column 'colour' to map"):
        ps.score(gold, run, "AP", columns={"colour": "x"})
    with pytest.raises(UsageError, match="none of these sources is one"):
        ps.score(GOLD, RUN, "AP", columns={"topic": "x"})


def parameters(function: object) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_the_command_line_has_the_words_of_the_functions() -> None:
    scoring = {name for name, each in parameters(ps.score).items() if each.kind is each.KEYWORD_ONLY}
    assert scoring == set(GROUPS["scoring"])
    for function, command in (
        (ps.score, "score"),
        (sys.modules["patstone.api"].compare, "compare"),
        (ps.discriminate, "compare"),
        (ps.search, "search"),
        (ps.score_labels, "compare"),
        (ps.audit, "gold audit"),
        (ps.codes, "gold codes"),
        (ps.agree, "gold agree"),
    ):
        words = {entry.name for entry in find(command).entries}
        own = {name for name, each in parameters(function).items() if each.kind is not each.VAR_KEYWORD}
        # One word may name what is scored differently: a classifier's run is its predictions.
        assert own - {"predictions"} <= words


def test_defaults_of_score_are_those_of_the_policies() -> None:
    keywords = parameters(ps.score)
    for name, value in vars(ps.Policies()).items():
        assert keywords[name].default == value


def test_every_word_is_used_by_a_command() -> None:
    used = {entry.word.help for name in COMMANDS for entry in find(name).entries}
    assert {word.help for word in WORDS.values()} == used


def test_the_help_of_score_states_the_default_measures() -> None:
    from patstone import api

    said = " ".join((find("score").run.__doc__ or "").split())
    for chosen in (api.PLAIN, api.INVENTIONS, api.SUBTOPICS):
        assert f" {' '.join(chosen)}" in said


def test_a_collection_is_searched_and_its_answers_scored(tmp_path: Path) -> None:
    dataset = small_collection.write(tmp_path / "small")
    run = ps.search(dataset, model="bm25", query="claims+title", k=5, before="any")
    assert run.name == "bm25:claims+title"
    same = ps.search(str(dataset.path), query="claims+title", k=5, before="any")
    assert ps.score(dataset.path, run, "nDCG@5").means.tolist() == ps.score(dataset.path, same, "nDCG@5").means.tolist()
    assert ps.search(dataset, offices=["JP"]).topics == ("US6B2",)
