"""Forty-three runs on made-up themes, from real classifiers of graded quality: the stage for paper 2's comparison.

Flat one-vs-rest, top-down and nearest-neighbour classifiers learn from more or fewer patents, with more or less noise
in what they see, and assign more or fewer terms. As at NTCIR-6 most runs are flat, and a few are hierarchical.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from patstone.experiments.reproduce.theme_world import Floats, Ints, Theme, made_theme
from patstone.files import ids
from patstone.gold.columns import offsets
from patstone.gold.qrels import Qrels
from patstone.measures.engine import score
from patstone.measures.scores import Scores
from patstone.measures.vocabulary import Vocabulary
from patstone.systems.classifiers.terms import Task, flat, nearest, top_down
from patstone.systems.run import Run

THEMES, LEARNED, ASKED, RANKED = 4, 500, 150, 200
COSTS = ("binary", "bdm-high", "bdm-low")
MEASURES = {"A-Precision": "AP", "R-Precision": "Rprec", "F-measure": "F1"}


@dataclass(frozen=True)
class Setting:
    """One run: its classifier, how many patents it learns from, how noisy its eyes are, how much it assigns."""

    name: str
    classify: Callable[[Task], Floats]
    learned: int
    noise: float
    bias: float

    @property
    def hierarchical(self) -> bool:
        return self.name.startswith("top-down")


def settings() -> list[Setting]:
    """Twenty flat, nineteen nearest-neighbour and four hierarchical runs."""
    found, sizes, blurs = [], (150, 300, 500), (0.0, 0.03)
    kinds: list[tuple[str, Callable[[Task], Floats], list[tuple[int, float, float]]]] = [
        ("flat", partial(flat, ridge=0.3), [*product((100, 200, 300, 400, 500), blurs, (0.3, 0.6))]),
        ("nearest 3", partial(nearest, k=3), [*product(sizes, blurs, (0.0,))]),
        ("nearest 10", partial(nearest, k=10), [*product(sizes, blurs, (0.0,))]),
        ("nearest 25", partial(nearest, k=25), [*product(sizes, blurs, (0.1,)), (500, 0.01, 0.2)]),
        ("top-down", partial(top_down, ridge=0.3), [*product((300, 500), blurs, (0.1,))]),
    ]
    for kind, classify, several in kinds:
        for place, (learned, noise, bias) in enumerate(several, start=1):
            found.append(Setting(f"{kind} {place:02}", classify, learned, noise, bias))
    return found


def scored(seed: int) -> tuple[list[Setting], Scores]:
    """All runs under all costs, over (patent, theme) pairs."""
    rng = np.random.default_rng(seed)
    themes = [made_theme(f"1T{number:03}", LEARNED + ASKED, rng) for number in range(1, THEMES + 1)]
    runs, known = [], settings()
    for place, setting in enumerate(known):
        runs.append(_run(setting, themes, np.random.default_rng([seed, place])))
    measures = [f"{name}(cost={cost})" for name in MEASURES.values() for cost in COSTS]
    vocabulary = Vocabulary(schemes=tuple(theme.scheme for theme in themes))
    return known, score(_gold(themes), runs, measures, vocabulary=vocabulary)


def _topics(themes: list[Theme]) -> Iterator[tuple[str, Theme, int]]:
    for theme in themes:
        for patent in range(LEARNED, LEARNED + ASKED):
            yield f"P{patent}/{theme.scheme.name}", theme, patent


def _gold(themes: list[Theme]) -> Qrels:
    return Qrels.from_dict(
        {
            topic: {theme.codes[term]: 1.0 for term in np.flatnonzero(theme.labels[patent]).tolist()}
            for topic, theme, patent in _topics(themes)
        }
    )


def _run(setting: Setting, themes: list[Theme], rng: np.random.Generator) -> Run:
    values = np.concatenate([_answered(setting, theme, rng) for theme in themes])
    ranking: Ints = np.argsort(-values, axis=1, kind="stable")[:, :RANKED]
    best = np.take_along_axis(values, ranking, axis=1)
    assigned = best > -setting.bias
    # A patent has at least one term, and so has each answer.
    assigned[:, 0] = True
    codes = np.stack([np.array(theme.codes, dtype=np.bytes_) for theme in themes])
    owner = np.repeat(np.arange(len(themes)), ASKED)
    return Run(
        name=setting.name,
        topics=tuple(topic for topic, _, _ in _topics(themes)),
        starts=offsets(np.full(len(values), ranking.shape[1])),
        docs=ids.widen(codes[owner[:, None], ranking].ravel()),
        scores=best.ravel(),
        assigned=assigned.ravel(),
    )


def _answered(setting: Setting, theme: Theme, rng: np.random.Generator) -> Floats:
    """Test patents × terms: scores."""
    learned = rng.choice(LEARNED, setting.learned, replace=False)
    asked = np.arange(LEARNED, LEARNED + ASKED)
    blur = rng.normal(size=(ASKED, len(learned))) * setting.noise
    return setting.classify(
        Task(
            known=theme.likeness[np.ix_(learned, learned)],
            asked=theme.likeness[np.ix_(asked, learned)] + blur,
            labels=theme.labels[learned],
            parent=theme.parent,
        )
    )
