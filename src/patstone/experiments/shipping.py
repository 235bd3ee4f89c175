"""Train and validate the judge in the wheel: `python -m patstone.experiments.shipping SAMPLES [--out FILE]`.

Golds are invented claim sets and the claims of the public US samples, a set for each independent claim. Their
degradations give comparisons with known answers: degrees of one kind, and for each criterion one of its own kinds
against one of another criterion's, which leaves it alone. Each kind in turn is held out, with half of the golds, and
the judge without it is held against every lexical measure there; then the whole one is, on a benchmark that another
program made up. Only weights are kept: no text.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from patstone.experiments.claim_world import benchmark
from patstone.experiments.judging import CONTROL, evaluate
from patstone.experiments.ranker import Training, train
from patstone.files.streams import atomic
from patstone.gold.degrading import degrade
from patstone.gold.degrading.degrading import as_text
from patstone.gold.degrading.inventing import invented
from patstone.gold.degrading.kinds import KINDS
from patstone.gold.preferences import text_key
from patstone.gold.qrels import Floats, Ints
from patstone.patents.claims import ClaimSet, resolve
from patstone.patents.publication import Claim, Publication
from patstone.patents.readers.formats import open_source
from patstone.systems.judges.judge import judged
from patstone.systems.judges.registry import LEXICAL, find_judges
from patstone.systems.judges.shipped import FEATURES, LIKENESS, USED, Shipped, table

INVENTED = 40
SEVERITIES = (1, 3)
LIKENESS_SHARE = {"clarity": 0.4, "consistency": 0.4, "linkage": 0.4, "overall": 0.6}
"""The weight of all measures of likeness together, which training does not touch: on degradations it would vanish,
since many faults made here hardly change likeness, while nearly all evidence from experts elsewhere is for it."""
MIXTURES = 3
"""Claim sets of each gold with faults of three criteria at once."""
LARGEST = 20
"""Claims of a gold; longer families are cut there."""
CRITERIA = tuple(USED)


@dataclass(frozen=True, kw_only=True)
class Pair:
    gold: int
    a: int
    b: int
    """Places of the texts."""
    criterion: str
    kinds: frozenset[str]
    label: int


@dataclass(frozen=True)
class Material:
    """Golds, texts made of them, and what is known of them."""

    golds: tuple[str, ...]
    texts: tuple[str, ...]
    """The golds first."""
    gold_of: tuple[int, ...]
    pairs: tuple[Pair, ...]

    @cached_property
    def features(self) -> Floats:
        return table([self.golds[gold] for gold in self.gold_of], self.texts)

    def judged(self, judge: Any) -> Floats:  # noqa: ANN401 - any judge of one column
        golds = [self.golds[gold] for gold in self.gold_of]
        return np.asarray(judge.score(golds, self.texts), dtype=np.float64).reshape(-1)


def families(claims: Sequence[Claim]) -> Iterator[ClaimSet]:
    """A claim set for each independent claim: itself and those that go back to it alone."""
    whole = resolve(claims)
    for top in whole:
        own = [claim for claim in whole if claim.roots == (top.number,)][:LARGEST]
        numbers = {claim.number: place for place, claim in enumerate(own, start=1)}
        if top.kind == "independent" and len(own) > 2 and all(set(claim.depends_on) <= set(numbers) for claim in own):
            from patstone.gold.degrading.edits import changed

            yield resolve(changed(ClaimSet(claims=tuple(own), findings=()), ()))


def golds_of(samples: Path | None) -> list[ClaimSet]:
    found = [resolve(invented(seed)) for seed in range(INVENTED)]
    for one in open_source(samples) if samples is not None else ():
        if isinstance(one, Publication):
            found += [family for family in families(one.claims) if sum(len(c.claim.text) for c in family) < 12_000]
    return found


def material(golds: Sequence[ClaimSet], severities: Sequence[int] = SEVERITIES) -> Material:
    texts = [as_text([claim.claim for claim in gold]) for gold in golds]
    gold_of = list(range(len(golds)))
    pairs: list[Pair] = []
    for place, gold in enumerate(golds):
        made: dict[str, list[int]] = {}
        for kind in KINDS:
            degrees = [degrade(gold, kind, severity=severity, seed=place) for severity in severities]
            different = {len(one.changes): one.text for one in degrees if one.changes}
            made[kind] = list(range(len(texts), len(texts) + len(different)))
            texts += different.values()
            gold_of += [place] * len(different)
        pairs += _pairs(place, made)
        for mixed, kinds in mixtures(gold, place):
            pairs += _against(place, len(texts), kinds, made)
            texts.append(mixed)
            gold_of.append(place)
    return Material(tuple(texts[: len(golds)]), tuple(texts), tuple(gold_of), tuple(pairs))


def mixtures(gold: ClaimSet, seed: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Claims with one kind of fault of each of three criteria, at the highest degree of those used."""
    rng = Random(seed)
    criteria = sorted({criterion for criterion, _ in KINDS.values()} - {"overall"})
    for _ in range(MIXTURES):
        kinds = tuple(
            rng.choice([kind for kind, (own, _) in KINDS.items() if own == criterion])
            for criterion in rng.sample(criteria, 3)
        )
        made = gold
        for kind in kinds:
            made = resolve(degrade(made, kind, severity=max(SEVERITIES), seed=seed).claims)
        yield as_text([claim.claim for claim in made]), kinds


def _against(gold: int, mixed: int, kinds: Sequence[str], made: Mapping[str, Sequence[int]]) -> Iterator[Pair]:
    """Three faults at a high degree are worse than another one at the lowest."""
    for kind, places in made.items():
        if kind not in kinds and places:
            yield _pair(gold, places[0], mixed, "overall", kind, *kinds)


def _pairs(gold: int, made: Mapping[str, Sequence[int]]) -> Iterator[Pair]:
    """The better one is A in every other pair: the loss does not care, and counts of wins do not favour a side."""
    for kind, places in made.items():
        criterion = KINDS[kind][0]
        for better, worse in combinations([gold, *places], 2):
            for name in {criterion, "overall"}:
                yield _pair(gold, better, worse, name, kind)
    for kind, other in combinations(made, 2):
        for criterion in {KINDS[kind][0], KINDS[other][0]} - {"overall"}:
            # Both speak of it, or padding does, which may touch any: then nothing is known.
            if KINDS[kind][0] == KINDS[other][0] or "overall" in (KINDS[kind][0], KINDS[other][0]):
                continue
            bad, sound = (kind, other) if KINDS[kind][0] == criterion else (other, kind)
            for worse in made[bad]:
                for better in made[sound]:
                    yield _pair(gold, better, worse, criterion, kind, other)


def _pair(gold: int, better: int, worse: int, criterion: str, *kinds: str) -> Pair:
    turned = (better + worse) % 2 == 1
    a, b = (worse, better) if turned else (better, worse)
    return Pair(gold=gold, a=a, b=b, criterion=criterion, kinds=frozenset(kinds), label=-1 if turned else 1)


def groups(criterion: str) -> list[tuple[float, list[str]]]:
    """Features that share a fixed weight: likeness and the rest; for completeness all."""
    alike = [name for name in USED[criterion] if name in LIKENESS]
    others = [name for name in USED[criterion] if name not in LIKENESS]
    share = LIKENESS_SHARE.get(criterion, 0.0)
    return [(share, alike), (1 - share, others)] if alike else [(1.0, others)]


def fit(data: Material, pairs: Sequence[Pair], criterion: str, how: Training) -> dict[str, float]:
    own = [pair for pair in pairs if pair.criterion == criterion]
    names = list(USED[criterion])
    a, b, labels = _columns(own)
    differences = (data.features[a] - data.features[b])[:, [FEATURES.index(name) for name in names]]
    prior = {name: share / len(group) for share, group in groups(criterion) for name in group}
    weights = train(
        differences,
        labels,
        np.array([prior[name] for name in names]),
        [np.array([names.index(name) for name in group]) for _, group in groups(criterion)],
        how,
    )
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def _columns(pairs: Sequence[Pair]) -> tuple[Ints, Ints, Floats]:
    rows = np.array([(pair.a, pair.b, pair.label) for pair in pairs], dtype=np.int64).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2].astype(np.float64)


def validate(data: Material, how: Training, *, seed: int = 0, resamples: int = 1000) -> list[dict[str, Any]]:
    """For each criterion: share of pairs of held-out kinds and golds that we and each lexical measure put in order."""
    judges, _ = find_judges(LEXICAL)
    theirs = {judge.name: data.judged(judge) for judge in judges}
    rows: list[dict[str, Any]] = []
    for criterion in CRITERIA:
        right: dict[str, list[Floats]] = {}
        golds: list[Ints] = []
        for kind, (own, _) in KINDS.items():
            if criterion not in (own, "overall"):
                continue
            for half in (0, 1):
                known = [pair for pair in data.pairs if kind not in pair.kinds and pair.gold % 2 == half]
                asked = [
                    pair
                    for pair in data.pairs
                    if kind in pair.kinds and pair.gold % 2 != half and pair.criterion == criterion
                ]
                if not asked:
                    continue
                weights = fit(data, known, criterion, how)
                ours = data.features @ np.array([weights.get(name, 0.0) for name in FEATURES])
                for name, scores in {"patstone": ours, **theirs}.items():
                    right.setdefault(name, []).append(_right(scores, asked))
                golds.append(np.array([pair.gold for pair in asked]))
        rows += _rows(
            criterion,
            {name: np.concatenate(found) for name, found in right.items()},
            np.concatenate(golds),
            seed,
            resamples,
        )
    return rows


def elsewhere(weights: Mapping[str, Mapping[str, float]], *, golds: int = 64) -> list[dict[str, Any]]:
    """Agreement (tau-b) on the benchmark of `reproduce paper4`, whose claims and faults are another program's."""
    judges, _ = find_judges(LEXICAL)
    preferences = benchmark(golds)
    ours = Shipped(weights=weights, digest="", seen=frozenset())
    marks = [judged(judge, preferences) for judge in (ours, *judges)]
    found = evaluate(preferences, marks, text_blind=False)
    # Ours comes first, so that each difference to another judge is ours minus its.
    leads = {(row.criterion, row.subset, row.b): row for row in found.contrasts if row.a == ours.name}
    return [
        {
            "criterion": row.criterion,
            "subset": row.subset,
            "judge": row.judge,
            "pairs": row.pairs,
            "golds": row.golds,
            "tau_b": round(row.value, 4),
            "lead": round(lead.difference, 4) if lead else 0.0,
            "ci": [round(end, 4) for end in lead.ci] if lead else [0.0, 0.0],
        }
        for row in found.agreements
        if (row.statistic, row.predictions) == ("tau_b", "continuous") and not row.judge.startswith(CONTROL)
        for lead in [leads.get((row.criterion, row.subset, row.judge))]
    ]


def _right(scores: Floats, pairs: Sequence[Pair]) -> Floats:
    """1 where the better one scores more, 1/2 where both score alike."""
    a, b, labels = _columns(pairs)
    return np.asarray((np.sign((scores[a] - scores[b]).round(12)) * labels + 1) / 2)


def _rows(
    criterion: str, right: Mapping[str, Floats], golds: Ints, seed: int, resamples: int
) -> Iterator[dict[str, Any]]:
    """Means over pairs, and the interval of our lead from samples of golds."""
    rng = np.random.default_rng(seed)
    known, place = np.unique(golds, return_inverse=True)
    counts = np.bincount(place)
    drawn = rng.integers(0, len(known), (resamples, len(known)))
    for name, found in right.items():
        lead = np.bincount(place, right["patstone"] - found)
        sampled = lead[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = np.quantile(sampled, [0.025, 0.975])
        yield {
            "criterion": criterion,
            "judge": name,
            "pairs": len(golds),
            "golds": len(known),
            "accuracy": round(float(found.mean()), 4),
            "lead": round(float((right["patstone"] - found).mean()), 4),
            "ci": [round(float(low), 4), round(float(high), 4)],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path, help="folder of patents whose claims may be trained on")
    parser.add_argument("--out", default="src/patstone/systems/judges/shipped.json")
    words = parser.parse_args()
    how = Training()
    data = material(golds_of(words.samples))
    weights = {criterion: fit(data, data.pairs, criterion, how) for criterion in CRITERIA}
    digest = blake2b("\n".join(data.texts).encode(), digest_size=4).hexdigest()
    model = {
        "digest": digest,
        "trained_on": {
            "golds": len(data.golds),
            "texts": len(data.texts),
            "pairs": len(data.pairs),
            "kinds": list(KINDS),
        },
        "training": asdict(how),
        "seen": [text_key(gold) for gold in data.golds],
        "weights": weights,
        "validation": validate(data, how),
        "elsewhere": elsewhere(weights),
    }
    with atomic(words.out) as temporary:
        temporary.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
