import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from patstone.compare.significance import compare
from patstone.errors import DataError, MissingExtra
from patstone.measures.policies import Policies
from patstone.measures.scores import Scores
from patstone.report.page import write_page
from patstone.report.panels import worst_topics
from patstone.report.signature import sign
from report.samples import HOSTILE, three, world

NAMES = ("bm25", HOSTILE, "検索 & システム")


class Page(HTMLParser):
    """The tags, attributes and texts of a page, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.tags if "id" in attributes]


def made(path: Path, scores: Scores, **options: object) -> Page:
    write_page(path / "index.html", scores, command="patstone score 'a b' <x>", **options)  # type: ignore[arg-type]
    return Page((path / "index.html").read_text("utf-8"))


@pytest.fixture(scope="module")
def scores() -> Scores:
    small = world(3, 24, 2, names=NAMES)
    return replace(
        small,
        counts={NAMES[1]: {"missing_topics": 3}},
        metadata={"office": ["EP", "US"] * 12},
    )


@pytest.fixture(scope="module")
def page(scores: Scores, tmp_path_factory: pytest.TempPathFactory) -> Page:
    comparison = compare(scores, permutations=500, resamples=200)
    return made(tmp_path_factory.mktemp("page"), scores, comparison=comparison)


def test_it_asks_the_network_for_nothing(page: Page) -> None:
    assert not re.search(r"(?:https?:)?//[a-z0-9]", page.text.replace("// ", ""))
    assert "@import" not in page.text
    assert not [value for _, attributes in page.tags for name, value in attributes.items() if name in ("src", "action")]
    links = [attributes.get("href", "") for _, attributes in page.tags if "href" in attributes]
    assert links == ["#answer"]
    assert "default-src 'none'" in page.text


def test_the_parts_come_in_their_order(page: Page) -> None:
    ids = [name for name in page.ids() if not name.startswith("panel")]
    assert ids == [
        "warnings",
        "answer",
        "scores",
        "measures",
        "measure",
        "slices",
        "again",
        "command",
        "signatures",
        "status",
    ]


def test_it_says_what_was_compared_with_what(page: Page, scores: Scores) -> None:
    words = [word.strip() for word in page.words]
    assert "3 systems, 24 topics, 2 measures" in words
    assert {scores.gold, "24 judged, 24 counted in each mean", "EP, WO", "skip"} <= set(words)
    assert f"{HOSTILE}: 3 of 24 judged topics are not in the run; each is left out of the mean (missing=skip)." in words


def test_the_answer_and_its_test(page: Page) -> None:
    text = " ".join(page.words)
    assert "bm25 has the highest nDCG@10, " in text
    assert "“Really” means p < 0.05 by a paired randomisation test, 500 sign flips, Holm-adjusted, seed 0." in text


def test_the_figures_are_those_of_the_scores(page: Page, scores: Scores) -> None:
    exact = {attributes["data-value"] for tag, attributes in page.tags if "data-value" in attributes}
    assert {repr(float(mean)) for mean in scores.means.ravel()} <= exact
    words = {word.strip() for word in page.words}
    assert {f"{mean:.4f}" for mean in scores.means.ravel()} <= words


def test_there_is_a_panel_for_each_measure(page: Page) -> None:
    assert [name for name in page.ids() if re.fullmatch(r"panel-\d", name)] == ["panel-1", "panel-2"]
    assert sum(tag == "svg" for tag, _ in page.tags) == 2 * 2 * 2
    assert page.text.count("Worst topics of bm25") == 2


def test_no_name_becomes_markup(page: Page) -> None:
    assert sum(tag == "script" for tag, _ in page.tags) == 1
    assert "<script>alert" not in page.text
    assert HOSTILE in [word.strip() for word in page.words]


def test_signatures_and_command_are_at_the_foot(page: Page, scores: Scores) -> None:
    plain = page.text.replace("<wbr>", "")
    assert all(str(sign(scores, measure, seed=0)) in plain for measure in scores.measures)
    assert "patstone score 'a b' <x>" in page.words


def test_headings_do_not_skip_a_level_and_ids_are_unique(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    assert len(page.ids()) == len(set(page.ids()))
    labels = {str(attributes["aria-labelledby"]) for _, attributes in page.tags if "aria-labelledby" in attributes}
    assert labels <= set(page.ids())


def test_every_table_has_a_caption_and_scoped_heads(page: Page) -> None:
    tags = [tag for tag, _ in page.tags]
    assert tags.count("caption") == tags.count("table") == 1 + 1 + 2 + 1
    assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")


def test_the_same_scores_give_the_same_bytes(scores: Scores, tmp_path: Path) -> None:
    comparison = compare(scores, permutations=100, resamples=100)
    pages = [made(tmp_path, scores, comparison=comparison).text for _ in range(2)]
    assert pages[0] == pages[1]


def test_one_system_needs_no_comparison(tmp_path: Path) -> None:
    page = made(tmp_path, world(1, 5, 1))
    assert "system 0 scores " in page.text
    assert "Really" not in page.text
    assert "<select" not in page.text
    assert "minus" not in page.text


def test_systems_are_compared_when_nobody_did(tmp_path: Path) -> None:
    page = made(tmp_path, world(2, 12, 1), intervals=(np.zeros((2, 1)), np.ones((2, 1))))
    assert "Holm-adjusted" in page.text
    assert "[0.0000, 1.0000]" in page.text


def test_a_run_without_any_topic_is_shown_and_not_compared(tmp_path: Path) -> None:
    page = made(tmp_path, three())
    assert (
        "dense has the highest nDCG@10, 0.7500; whether it is really different from the others was not tested."
        in page.text
    )
    assert "Holm" not in page.text


def test_nothing_that_counts_is_a_page_too(tmp_path: Path) -> None:
    scores = replace(world(2, 3, 1), values=np.full((2, 1, 3), np.nan))
    assert "No topic counts, so there is nothing to tell." in made(tmp_path, scores).text


def test_against_a_baseline(tmp_path: Path) -> None:
    scores = world(3, 12, 1)
    comparison = compare(scores, permutations=200, resamples=100, baseline="system 1")
    page = made(tmp_path, scores, comparison=comparison)
    assert "Measured by nDCG@10, " in page.text
    assert "<b>system 0 minus system 1</b>" in page.text
    assert "Filled: the baseline and what can't be told apart from it." in page.text


def test_the_worst_topics_are_the_best_system_s() -> None:
    table = worst_topics(three(), 0)
    assert [column.heading for column in table.columns] == ["topic", "dense", "best of the others", "by"]
    assert table.rows == (
        ("q2", 0.5, 0.75, "bm25"),
        ("q4", 0.5, 0.5, "bm25"),
        ("q3", 1.0, 0.5, "bm25"),
        ("q1", 1.0, 0.25, "bm25"),
    )


def test_the_big_case_stays_below_three_megabytes(tmp_path: Path) -> None:
    scores = world(30, 1000, 12)
    comparison = compare(scores, test="t", resamples=10)
    ends = (scores.means - 0.01, scores.means + 0.01)
    page = made(tmp_path, scores, comparison=comparison, intervals=ends)
    assert len(page.text.encode()) < 3_000_000
    assert "30 systems, 1,000 topics, 12 measures" in page.text


def test_policies_are_all_there(page: Page) -> None:
    words = [word.strip() for word in page.words]
    assert set(Policies.__dataclass_fields__) <= set(words)


def test_without_the_extra_nothing_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match="report"):
        made(tmp_path, world(1, 3, 1))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="folder"):
        made(tmp_path / "none", world(1, 3, 1))
