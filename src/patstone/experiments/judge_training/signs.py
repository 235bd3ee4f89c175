"""Signs that a training went wrong, each a word for the log: what the scores look like, not only what they cost."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from patstone.experiments.judge_training.loss import Margins, constant_loss, loss
from patstone.experiments.judging import statistics
from patstone.gold.qrels import Floats

COLLAPSED = 0.01
"""Scores in (0, 1) with a smaller standard deviation are all alike."""
FALL = 0.05
"""A fall of tau-b by this from its best while another criterion rises is a conflict."""
_OVER = 0.2
_FEW = 5


def tau_b(gap: Floats, labels: Floats) -> float:
    """With mirror images; 0 where scores don't differ, since they then say nothing."""
    told = ~np.isnan(labels)
    if told.sum() < _FEW:
        return float("nan")
    found = statistics(gap[told], labels[told], np.ones((1, int(told.sum()))), "continuous")["tau_b"][0]
    return 0.0 if np.isnan(found) else float(found)


def shape(scores: Floats, gap: Floats, labels: Floats, margins: Margins) -> dict[str, float]:
    """Numbers by which the signs are told, for one criterion."""
    told = ~np.isnan(labels)
    columns = gap[told, None], labels[told, None]
    return {
        "loss": float(loss(*columns, margins)[0]),
        "constant_loss": float(constant_loss(columns[1], margins)[0]),
        "spread": float(scores.std()),
        "within_tolerance": float(np.mean(np.abs(gap[told]) <= margins.tolerance)),
        "equal_labels": float(np.mean(labels[told] == 0)),
    }


def signs(criterion: str, found: Mapping[str, float]) -> Iterator[str]:
    if found["spread"] < COLLAPSED:
        yield (
            f"collapse: {criterion}: all scores are alike (standard deviation {found['spread']:.4f}, loss "
            f"{found['loss']:.3f}, that of a constant {found['constant_loss']:.3f})"
        )
    elif found["within_tolerance"] > found["equal_labels"] + _OVER:
        yield (
            f"ties over-predicted: {criterion}: {found['within_tolerance']:.0%} of pairs lie within the tolerance and "
            f"{found['equal_labels']:.0%} are labelled equal"
        )


def conflicts(criteria: Sequence[str], histories: Sequence[Sequence[float]]) -> Iterator[str]:
    """Criteria that fell back from their best while another rose, epoch by epoch of one shared model."""
    tracks = np.array(histories, dtype=np.float64).T
    if tracks.size == 0:
        return
    best = tracks.argmax(axis=1)
    fallen = [place for place, track in enumerate(tracks) if track.max() - track[-1] >= FALL]
    for place in fallen:
        risen = [each for each, track in enumerate(tracks) if each != place and track[-1] > track[best[place]] + 0.01]
        if risen:
            names = ", ".join(criteria[each] for each in risen)
            yield f"criteria in conflict: {criteria[place]} fell while {names} rose"
