"""Gold and runs in, per-topic scores out: each run is read once, and all measures see the same ranking."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.gold.qrels import Floats, Qrels
from patstone.measures.encoded import Encoded
from patstone.measures.measure import Measure, parse
from patstone.measures.pieces import Settled, foreign, rank
from patstone.measures.policies import Policies
from patstone.measures.ranked import Bools, Ranked
from patstone.measures.scores import Scores
from patstone.systems.run import Answers

if TYPE_CHECKING:
    from patstone.measures.vocabulary import Vocabulary
    from patstone.patents.families import Families
    from patstone.systems.lengths import Lengths


def score(
    gold: Qrels,
    runs: Sequence[Answers],
    measures: Sequence[Measure | str],
    *,
    policies: Policies | None = None,
    families: "Families | None" = None,
    lengths: "Lengths | None" = None,
    vocabulary: "Vocabulary | None" = None,
) -> Scores:
    """Score every run with every measure, topic by topic."""
    rules = policies or Policies()
    wanted = [_with_rules(measure, rules) for measure in measures]
    _refuse_what_cannot_be(gold, runs, wanted, rules, vocabulary)
    settled = _settled(gold, wanted, rules, families, lengths, vocabulary)
    values = np.empty((len(runs), len(wanted), len(gold.topics)))
    counts = {}
    for place, run in enumerate(runs):
        ranked, counted = rank(run, settled)
        for column, measure in enumerate(wanted):
            values[place, column] = _computed(ranked, measure, rules)
        counts[run.name] = counted
    return Scores(
        systems=tuple(run.name for run in runs),
        measures=tuple(wanted),
        topics=gold.topics,
        values=values,
        policies=rules,
        gold=gold.digest,
        families=None if families is None else families.digest,
        lengths=None if lengths is None else lengths.digest,
        scheme=None if vocabulary is None else vocabulary.digest,
        counts=counts,
    )


def _settled(
    gold: Qrels,
    measures: Sequence[Measure],
    rules: Policies,
    families: "Families | None",
    lengths: "Lengths | None",
    vocabulary: "Vocabulary | None",
) -> Settled:
    foreseen: dict[str, int] = {}
    if vocabulary is not None:
        gold, foreseen = vocabulary.of_gold(gold, unknown=rules.unknown)
    known = families if rules.self == "family" else None
    # Without families a topic and a document may share a name by chance, so nothing is removed unasked.
    removes_own = known is not None or rules.self == "document"
    return Settled(
        encoded=Encoded.of(_with_inventions(gold, families), families=known),
        rules=rules,
        removes_own=removes_own,
        foreseen=foreseen | _before_any_run(gold, rules, families, removes_own=removes_own),
        lengths=lengths,
        vocabulary=vocabulary,
        cutoffs=tuple(sorted({measure.cutoff for measure in measures if measure.cutoff is not None})),
    )


def _with_inventions(gold: Qrels, families: "Families | None") -> Qrels:
    if families is None:
        return gold
    from patstone.gold.inventions import with_inventions

    return with_inventions(gold, families)


def _before_any_run(gold: Qrels, rules: Policies, families: "Families | None", *, removes_own: bool) -> dict[str, int]:
    """Count what holds for every run: relevant documents that no ranking may show, and families that nobody knows."""
    relevant, counts = gold.grades >= rules.rel, {}
    if rules.offices:
        counts["office_relevant"] = int((relevant & foreign(gold.docs, rules.offices)).sum())
    if removes_own:
        from patstone.gold.inventions import own_rows

        own = own_rows(gold, families if rules.self == "family" else None)
        counts["own_relevant"] = int((relevant & own).sum())
    if families is not None and gold.inventions is None:
        counts["no_invention"] = int((families.of(gold.docs) < 0).sum())
    if families is not None and rules.self == "family":
        counts["no_family"] = int((families.of(ids.pack(gold.topics)) < 0).sum())
    return counts


def _with_rules(measure: Measure | str, rules: Policies) -> Measure:
    parsed = parse(measure) if isinstance(measure, str) else measure
    return parsed.with_default("rel", rules.rel)


def _refuse_what_cannot_be(
    gold: Qrels,
    runs: Sequence[Answers],
    measures: Sequence[Measure],
    rules: Policies,
    vocabulary: "Vocabulary | None",
) -> None:
    if not runs:
        raise UsageError("Name at least one run to score.")
    if not measures:
        raise UsageError("Name at least one measure, such as nDCG@10.")
    if not len(gold):
        raise DataError("A gold standard must hold at least one judgment.")
    names = Counter(run.name for run in runs)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise UsageError(f"Two runs are called {twice[0]!r}; give each a name of its own.")
    for measure in measures:
        if "subtopics" in measure.needs and gold.subtopics is None:
            raise UsageError(f"{measure} needs judgments by subtopic, and this gold standard has none.")
        if "scheme" in measure.needs and (vocabulary is None or not vocabulary.schemes):
            raise UsageError(f"{measure} needs the scheme of the classes: name its file with --scheme (scheme=).")
        if rules.ties == "expected" and (measure.card.expected is None or "scheme" in measure.needs):
            raise UsageError(f"{measure} has no closed form over all orders of ties; use ties=docid or ties=input.")


def _computed(ranked: Ranked, measure: Measure, rules: Policies) -> Floats:
    card = measure.card
    kernel = card.expected if rules.ties == "expected" and card.expected is not None else card.kernel
    values = np.array(kernel(ranked, **measure.arguments), dtype=np.float64)
    values[~ranked.answered] = 0.0 if rules.missing == "zero" else np.nan
    if rules.norel == "skip" and card.judges_relevance:
        values[_without_relevant(ranked, measure)] = np.nan
    return values


def _without_relevant(ranked: Ranked, measure: Measure) -> Bools:
    """Topics that have nothing to find: at the measure's level, or with any positive grade where it has none."""
    gold = ranked.gold
    found = gold.grades >= measure.arguments["rel"] if measure.card.has_rel else gold.grades > 0
    return np.asarray(np.bincount(gold.topic[found], minlength=ranked.size) == 0)
