"""The study of paper 2 on a small world: its tables have their rows, and the findings come from the numbers."""

from collections.abc import Iterator

import numpy as np
import pytest

from patstone.experiments.reproduce import fterm_runs, paper2
from patstone.experiments.reproduce.fterm_runs import scored, settings
from patstone.experiments.reproduce.registry import Given, Row, tables
from patstone.experiments.reproduce.theme_world import made_theme


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One theme and few patents, so that it takes a moment."""
    monkeypatch.setattr(fterm_runs, "THEMES", 1)
    monkeypatch.setattr(fterm_runs, "ASKED", 25)
    # A test may put another in its place.
    study = paper2.study
    study.cache_clear()
    yield
    study.cache_clear()


def rows(name: str) -> list[Row]:
    return tables()[f"paper2.{name}"].reproduced(Given(seed=3), skip=False)


@pytest.mark.usefixtures("small")
def test_tables_of_the_study() -> None:
    means = paper2.study(3)[1]
    figure = {(row.row, row.measure): row.ours for row in rows("figure2")}
    assert len(figure) == 43 * 3
    assert figure["flat 01", "A-Precision High"] == means[0, 0, 1]
    differences = {(row.row, row.measure): row.ours for row in rows("figure7")}
    assert len(differences) == 43 * 2
    assert differences["flat 01", "F-measure Low − Binary"] == pytest.approx(means[0, 2, 2] - means[0, 2, 0])
    assert {row.verdict for row in rows("figure5")} == {"shown"}
    assert [(row.row, row.measure, row.published) for row in rows("table2")][:2] == [
        ("High", "A-Precision", 0.887),
        ("Low", "A-Precision", 0.912),
    ]


@pytest.mark.usefixtures("small")
def test_findings_are_read_off_the_means(monkeypatch: pytest.MonkeyPatch) -> None:
    known, means = paper2.study(3)
    assert all(row.verdict == "pass" for row in rows("findings") if row.row.startswith("High is above"))
    # With the costs' columns swapped nothing gains, and nothing is above anything.
    monkeypatch.setattr(paper2, "study", lambda _: (known, 1 - means))
    assert {row.verdict for row in rows("findings") if row.row.startswith(("hierarchical", "High"))} == {"miss"}


@pytest.mark.usefixtures("small")
def test_the_same_seed_gives_the_same_runs() -> None:
    first, again, other = (scored(seed)[1].values for seed in (1, 1, 2))
    assert first.tolist() == again.tolist()
    assert (first != other).any()


def test_there_are_as_many_runs_as_at_ntcir_6() -> None:
    known = settings()
    assert len({setting.name for setting in known}) == len(known) == 43
    assert sum(setting.hierarchical for setting in known) == 4


def test_near_terms_read_alike() -> None:
    theme = made_theme("1T001", 200, np.random.default_rng(0))
    assert len(theme.codes) == theme.labels.shape[1] == len(theme.scheme) - 1
    assert theme.scheme.terms(theme.codes).tolist() == list(range(1, len(theme.codes) + 1))
    shared = theme.labels.astype(float) @ theme.labels.T
    apart = ~np.eye(200, dtype=bool)
    assert theme.likeness[apart & (shared >= 2)].mean() > theme.likeness[apart & (shared == 0)].mean() + 0.01
