"""Whole trainings: the same bytes however they were run, paired arms, and controls that do what they say."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import patstone as ps
from patstone.errors import DataError, MissingExtra, UsageError
from patstone.experiments.directed import Trace
from patstone.experiments.journal import Done
from patstone.experiments.training import JOURNAL, Training
from topics import gold_of, write_gold

GOLD = gold_of()
SMALL: dict[str, Any] = {"alpha": 20, "beta": 40, "runs": 4}


def trained(**words: Any) -> Training:
    return ps.train(GOLD, **{**SMALL, **words})


def flat(training: Training) -> list[Any]:
    return [
        (outcome.arm.key, getattr(trace, field.name).tolist())
        for outcome in training.outcomes
        for trace in outcome.traces
        for field in fields(Trace)
    ]


@pytest.fixture(scope="module")
def alone() -> Training:
    return trained(controls=["all"])


@pytest.mark.parametrize(
    "words",
    [{"jobs": 2}, {"jobs": 3, "backend": "threading"}, {"jobs": 2, "backend": "multiprocessing"}, {"jobs": -1}],
    ids=str,
)
def test_the_same_for_any_number_of_jobs_and_any_backend(alone: Training, words: dict[str, Any]) -> None:
    assert flat(trained(controls=["all"], **words)) == flat(alone)


def test_a_backend_of_someone_elses_gives_the_same(alone: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask and Ray come as backends of joblib; so does this one."""
    import joblib
    from joblib._parallel_backends import ThreadingBackend

    started: list[int] = []

    class Elsewhere(ThreadingBackend):  # type: ignore[misc, unused-ignore]
        def submit(self, func: Any, callback: Any = None) -> Any:
            started.append(1)
            return super().submit(func, callback)

    joblib.register_parallel_backend("elsewhere", Elsewhere)
    monkeypatch.setattr("patstone.experiments.training.BACKENDS", ("elsewhere",))
    assert flat(trained(controls=["all"], jobs=2, backend="elsewhere")) == flat(alone)
    assert started


def test_a_run_depends_on_its_number_alone(alone: Training) -> None:
    """More runs, or another order of arms, change nothing in the runs that both have."""
    more = trained(runs=6, controls=["pool-only"])
    for control in ("none", "pool-only"):
        ours, theirs = (each.outcome(control=control).counts("E") for each in (alone, more))
        assert (ours == theirs[:4]).all()
    assert (trained(seed=1).outcomes[0].counts("E") != alone.outcomes[0].counts("E")).any()


def test_the_controls_share_the_start_and_differ_as_they_say(alone: Training) -> None:
    arms = {outcome.arm.design.control: outcome for outcome in alone.outcomes}
    for outcome in arms.values():
        assert (outcome.counts("E")[:, 0] == arms["none"].counts("E")[:, 0]).all()
    frozen = arms["frozen"].counts("H")
    assert (frozen == frozen[:, :1]).all()
    # Nothing is learned, and yet the score on E rises: its errors leave.
    rising = arms["frozen"].curves["E"].values["F1"]
    assert rising[-1] > rising[0]


def test_nobody_from_the_holdout_joins_the_training_set(alone: Training) -> None:
    for outcome in alone.outcomes:
        held = outcome.counts("H")[0, 0].sum()
        assert held == 30
        for run, trace in enumerate(outcome.traces):
            assert len(set(trace.order.tolist())) == len(trace.order) == 40
            assert outcome.counts("E")[run].sum(axis=1).tolist() == [150 - size for size in outcome.sizes]
            assert trace.positives[-1] == GOLD.positive[trace.order].sum()


def test_operators_who_know_no_label() -> None:
    found = trained(operator=["all"]).outcomes
    by = {outcome.arm.design.operator: outcome for outcome in found}
    assert set(by) == {"worst-errors", "uncertainty", "diversity", "max-relevance"}
    # Who asks for the surest positives gets more of them than the third that there are.
    assert by["max-relevance"].positives[-1] > by["diversity"].positives[-1]
    assert len({tuple(outcome.traces[0].order.tolist()) for outcome in found}) == 4


def test_random_sets_stay_balanced_and_share_holdouts_with_directed_ones() -> None:
    both = trained(protocol="both", beta=40)
    directed, random = both.outcomes
    assert list(random.sizes) == [40]
    assert (random.counts("H")[:, 0].sum(axis=1) == directed.counts("H")[:, 0].sum(axis=1)).all()
    grown = trained(protocol="random", alpha=20, beta=40).outcomes[0]
    assert np.abs(2 * grown.positives - np.array(grown.sizes)).max() <= 5
    with pytest.raises(UsageError, match="no random arm"):
        trained().outcome(protocol="random")


def test_without_a_holdout_there_is_no_score_on_it() -> None:
    assert set(trained(gamma=0.0).outcomes[0].curves) == {"E"}


@pytest.mark.parametrize("search", ["random", "directed"])
def test_a_search_says_what_it_chose_and_shares_the_draw(search: str, alone: Training) -> None:
    found = trained(model="naive-bayes", search=search, trials=4).outcomes[0]
    assert all(told == "" or told.startswith("smoothing=") for told in found.parameters)
    drawn = [trace.order[:20].tolist() for trace in found.traces]
    assert drawn == [trace.order[:20].tolist() for trace in alone.outcomes[0].traces]


class Cut(Exception):
    """Stands for a kill."""


def cut_after(count: int) -> Any:
    def watch(finished: Iterator[Done], total: int) -> Iterator[Done]:
        assert total > 0
        for number, one in enumerate(finished):
            if number == count:
                raise Cut
            yield one

    return watch


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_cut_off_is_continued_and_nothing_is_done_twice(alone: Training, tmp_path: Path, jobs: int) -> None:
    with pytest.raises(Cut):
        trained(controls=["all"], folder=tmp_path, watch=cut_after(5), jobs=jobs)
    before = (tmp_path / JOURNAL).read_bytes()
    seen: list[Done] = []

    def watch(finished: Iterator[Done], total: int) -> Iterator[Done]:
        assert total == 16 - (before.count(b"\n") - 1)
        for one in finished:
            seen.append(one)
            yield one

    resumed = trained(controls=["all"], folder=tmp_path, resume=True, watch=watch, jobs=jobs)
    assert flat(resumed) == flat(alone)
    after = (tmp_path / JOURNAL).read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == 1 + 16
    assert len(seen) + before.count(b"\n") - 1 == 16
    # All is there: nothing is left to be done.
    again = trained(controls=["all"], folder=tmp_path, resume=True, jobs=jobs)
    assert flat(again) == flat(alone)
    assert (tmp_path / JOURNAL).read_bytes() == after


def test_a_journal_of_other_titles_is_refused(tmp_path: Path) -> None:
    trained(folder=tmp_path)
    with pytest.raises(DataError, match="other data"):
        ps.train(gold_of(seed=4), **SMALL, folder=tmp_path, resume=True)


def test_a_gold_standard_may_be_a_path(tmp_path: Path) -> None:
    assert flat(ps.train(write_gold(tmp_path / "gold.tsv"), **SMALL)) == flat(trained())


def test_wrong_words_are_refused() -> None:
    for words, said in (({"jobs": 0}, "'jobs'"), ({"jobs": 2, "backend": "magic"}, "'backend'")):
        with pytest.raises(UsageError, match=said):
            trained(**words)


@pytest.mark.parametrize(("backend", "module"), [("dask", "distributed"), ("ray", "ray")])
def test_a_backend_that_is_not_installed_says_how_to_get_it(
    backend: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(MissingExtra, match=rf"patstone\[{backend}\]"):
        trained(jobs=2, backend=backend)
