"""How hard a gold standard is for plain means: naive Bayes on titles, metadata alone, five words of titles.

Naive Bayes meets random balanced training sets, as in paper 1's table 5, and stratified holdouts; counts are added up
over the repetitions before F1 is taken (micro average). Metadata and words are learned on K and measured on H.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patstone.experiments.directed import Design, confusion, draw
from patstone.gold.codes import best_rules
from patstone.gold.described import FIELDS, sliced
from patstone.gold.labels import Bools, GoldStandard
from patstone.measures.binary import BINARY, Levels
from patstone.systems.classifiers.naive_bayes import NaiveBayes, Words

SETS, PER_CLASS, WORDS = 10, 150, 5
_FEWEST, _BEAM = 3, 10


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    sets: int
    per_class: int
    """Positives, and negatives, in a random training set: 150, or half of the scarcer class."""
    random_f1: float
    held_f1: float
    metadata_auc: float
    words: tuple[str, ...]
    """The rule of the first holdout: whoever has any of these words is called positive."""
    words_f1: float


def difficulty(gold: GoldStandard, *, gamma: float, seed: int) -> Difficulty:
    rng, positive = np.random.default_rng(seed), gold.positive
    words = Words(gold.texts if gold.titles else [""] * len(gold))
    per_class = min(PER_CLASS, int(positive.sum()) // 2, int((~positive).sum()) // 2)
    held = [draw(positive, Design(gamma=gamma, alpha=0), rng)[0] for _ in range(SETS)]
    chosen, words_f1 = _by_words(words, positive, held)
    return Difficulty(
        sets=SETS,
        per_class=per_class,
        random_f1=_random(words, positive, per_class, rng),
        held_f1=_f1([_trained(words, positive, np.flatnonzero(~rows), rows) for rows in held]),
        metadata_auc=_metadata(gold, held),
        words=chosen,
        words_f1=words_f1,
    )


def _random(words: Words, positive: Bools, per_class: int, rng: np.random.Generator) -> float:
    found = []
    for _ in range(SETS):
        sides = [rng.choice(np.flatnonzero(positive == side), per_class, replace=False) for side in (True, False)]
        training = np.concatenate(sides)
        rest = np.ones(len(positive), dtype=np.bool_)
        rest[training] = False
        found.append(_trained(words, positive, training, rest))
    return _f1(found)


def _trained(words: Words, positive: Bools, rows: NDArray[np.int64], within: Bools) -> NDArray[np.int64]:
    if not len(words.word):
        return np.zeros(4, dtype=np.int64)
    learner = NaiveBayes(words)
    learner.learn(rows, positive[rows])
    return confusion(learner.margins(), positive, within)


def _f1(counts: Sequence[NDArray[np.int64]]) -> float:
    tp, fp, fn, _ = np.sum(counts, axis=0).tolist()
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else float("nan")


def _metadata(gold: GoldStandard, held: Sequence[Bools]) -> float:
    """Mean AUC on H of naive Bayes on what stands beside the titles."""
    told: list[list[str]] = [[] for _ in gold.units]
    for field in (name for name in FIELDS if name != "language"):
        for value, units in sliced(gold, field).items():
            # Years by five: a single year has too few members to be learned.
            five = f"{value[:3]}{int(value[3]) // 5 * 5}" if field == "year" and value.isdigit() else value
            for unit in np.flatnonzero(units).tolist():
                told[unit].append(f"{field} {five}")
    for unit, publications in enumerate(np.bincount(gold.of, minlength=len(gold)).tolist()):
        told[unit].append(f"publications {min(publications, 5)}")
    words, found = Words(told), []
    for rows in held:
        learner = NaiveBayes(words)
        learner.learn(np.flatnonzero(~rows), gold.positive[~rows])
        levels = Levels.of(learner.margins()[rows], gold.positive[rows])
        found.append(float(BINARY["AUC"].kernel(levels)[0]))
    return float(np.mean(found))


def _by_words(words: Words, positive: Bools, held: Sequence[Bools]) -> tuple[tuple[str, ...], float]:
    """The best rule of five words on K, and its F1 on H over all holdouts."""
    has, names = words.has(_FEWEST)
    if not len(names):
        return (), float("nan")
    place, found = {name: column for column, name in enumerate(names)}, []
    first: tuple[str, ...] = ()
    for rows in held:
        rule = best_rules(has[~rows], positive[~rows], names, WORDS, beam=_BEAM)[-1]
        said = has[:, [place[word] for word in rule.codes]].any(axis=1)
        found.append(confusion(np.where(said, 1.0, -1.0), positive, rows))
        first = first or rule.codes
    return first, _f1(found)
