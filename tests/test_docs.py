"""The documentation is run: its commands, its Python, its numbers; generated pages are fresh and complete."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval

from console import shell
from patstone.cli import reference
from patstone.cli.main import COMMANDS, find
from patstone.measures.binary import BINARY
from patstone.measures.measure import registry

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUN = [page for page in PAGES if "$ patstone" in page.read_text() and page.parent.name != "reference"]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_docs(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Each command of a page with the output that the page shows."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_commands_in_the_docs(page: Path, tmp_path: Path) -> None:
    """In order, in one folder, beside the files that the page shows; `…` stands for whatever is left out."""
    for name, content in re.findall(r"^```text ([\w.-]+)\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(content)
    for command, shown in commands(page):
        ran = shell_line(command, tmp_path)
        expected = ".*".join(re.escape(part.strip("\n")) for part in shown.split("…"))
        assert re.fullmatch(expected, ran.strip("\n"), flags=re.DOTALL), f"{page.name}: {command}\n{ran}"


def shell_line(command: str, folder: Path) -> str:
    import shlex

    words = shlex.split(command)
    assert words[0] == "patstone"
    files = [str(path) for word in words[1:] for path in expanded(word, folder)]
    ran = shell(*files, cwd=folder, COLUMNS="100")
    # 1 is an answer: a check that was asked for did not pass.
    assert ran.code in (0, 1), ran.err
    return ran.out


def expanded(word: str, folder: Path) -> list[str]:
    """What a shell makes of a pattern."""
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if "*" in word else []
    return found or [word]


@pytest.mark.parametrize("name", reference.pages())
def test_generated_pages_are_fresh(name: str) -> None:
    assert (DOCS / "reference" / name).read_text() == reference.pages()[name], "run `make docs`"


def test_every_command_option_and_measure_has_its_place() -> None:
    commands_page, measures_page = ((DOCS / "reference" / name).read_text() for name in ("commands.md", "measures.md"))
    for name in COMMANDS:
        section = commands_page.split(f"\n## {name}\n")[1].split("\n## ")[0]
        for entry in find(name).entries:
            assert (entry.shown if entry.positional else f"{entry.flag}") in section
    for name in [*registry(), *BINARY]:
        assert f"\n### {name}\n" in measures_page


def test_every_page_is_linked_from_the_index() -> None:
    index = (DOCS / "index.md").read_text()
    for page in PAGES[1:]:
        path = page.relative_to(DOCS)
        if path.parts[0] != "decisions" and path.name != "index.md":
            assert f"({path})" in index


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_readme_is_one_screen() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 60


GAINS = {"q": {"a": 1, "b": 3}}, {"q": {"a": 2.0, "b": 1.0}}


def test_peers_take_linear_gains_as_the_page_says() -> None:
    gold, run = GAINS
    theirs = pytrec_eval.RelevanceEvaluator(gold, {"ndcg_cut"}).evaluate(run)["q"]["ndcg_cut_10"]
    assert round(theirs, 3) == 0.797
    measure = ir_measures.parse_measure("nDCG@10")
    assert round(ir_measures.calc_aggregate([measure], gold, run)[measure], 3) == 0.797


def test_pytrec_eval_compares_scores_in_32_bits_as_the_page_says() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {"EP1": 1, "EP2": 0}}, {"recip_rank"})
    assert evaluator.evaluate({"q": {"EP1": 0.500000001, "EP2": 0.5}})["q"]["recip_rank"] == 0.5


def test_pytrec_eval_leaves_out_unanswered_topics_as_the_page_says() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"easy": {"a": 1}, "hard": {"b": 1}}, {"map"})
    assert list(evaluator.evaluate({"easy": {"a": 1.0}})) == ["easy"]


def test_ir_measures_keeps_the_last_of_two_rows_as_the_page_says() -> None:
    rows = [
        ir_measures.ScoredDoc("q", "a", 3.0),
        ir_measures.ScoredDoc("q", "b", 2.0),
        ir_measures.ScoredDoc("q", "a", 1.0),
    ]
    measure = ir_measures.parse_measure("RR")
    assert ir_measures.calc_aggregate([measure], [ir_measures.Qrel("q", "a", 1)], rows) == {measure: 0.5}
