"""Paper 1's seven criteria of a gold standard for classification, each with evidence and a verdict.

pass, warn and fail follow the limits below; unknown says what would settle it. What has to be learned is learned on K
and measured on H, or on what random training sets leave: never on the directed E, which gets easier by itself. The
criteria are about the gold standard: a fail says that scores on it mean little, not that a classifier is bad.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from patstone.errors import DataError, UsageError
from patstone.experiments.difficulty import Difficulty, difficulty
from patstone.gold.codes import Codes, best_rules
from patstone.gold.duplicates import Duplicates, duplicates
from patstone.gold.findings import Finding
from patstone.gold.labels import GoldStandard
from patstone.gold.reviews import Reviews
from patstone.gold.scope import ScopeNote

Verdict = Literal["pass", "warn", "fail", "unknown"]
CRITERIA = ("scope", "agreement", "diversity", "size", "challenging", "independent", "identification")
_WORST: tuple[Verdict, ...] = ("pass", "unknown", "warn", "fail")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Where a verdict turns: the first number from pass to warn, the second from warn to fail."""

    scope_words: int = 30
    """Paper 1's own scope note has 75."""
    alpha: tuple[float, float] = (0.8, 0.667)
    """Krippendorff's: good enough to rely on, and for tentative conclusions."""
    technologies: tuple[int, int] = (3, 2)
    consumed: tuple[float, float] = (0.6, 0.75)
    """Share of the positives outside H that training uses up at beta: section 8.2 limits beta to 350, where it is
    half, and finds 72 % significantly constraining."""
    beta: int = 350
    gamma: float = 0.2
    easy: tuple[float, float] = (0.9, 0.97)
    """F1 of naive Bayes: section 7 expects a random construction to stay below 0.9."""
    one_code: tuple[float, float] = (0.8, 0.9)
    """F1 of a single class code, of five codes and of five words of titles."""
    metadata: tuple[float, float] = (0.75, 0.9)
    """AUC of offices, years, kinds and family sizes alone."""
    unread: float = 0.01
    """Share of publications whose numbers can't be read in one way."""


@dataclass(frozen=True, kw_only=True)
class Criterion:
    criterion: str
    verdict: Verdict
    evidence: str
    settle: str = ""
    """What would settle what is unknown."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Audit:
    gold: GoldStandard
    criteria: tuple[Criterion, ...]
    findings: tuple[Finding, ...]
    usage: tuple[tuple[int, int, int, float, float], ...]
    """Figure 3: |T|, positives and negatives in T, and the shares of those outside H that this uses up."""

    @property
    def failed(self) -> tuple[str, ...]:
        return tuple(each.criterion for each in self.criteria if each.verdict == "fail")

    def verdict(self, criterion: str) -> Verdict:
        return next(each.verdict for each in self.criteria if each.criterion == criterion)


def audit(
    golds: Sequence[GoldStandard],
    *,
    reviews: Reviews | None = None,
    codes: Sequence[Codes] | None = None,
    limits: Limits | None = None,
    seed: int = 0,
) -> list[Audit]:
    """Audit each gold standard; diversity is of all of them, reviews and codes speak of the one they are given for."""
    rules = limits or Limits()
    if not golds:
        raise UsageError("Name at least one gold standard to audit.")
    if len(golds) > 1 and (reviews is not None or codes is not None):
        raise UsageError("Reviews and class codes speak of one gold standard; audit it alone to use them.")
    variety = diversity(golds, rules)
    return [_audited(gold, variety, reviews, codes, rules, seed) for gold in golds]


def _audited(
    gold: GoldStandard,
    variety: Criterion,
    reviews: Reviews | None,
    codes: Sequence[Codes] | None,
    rules: Limits,
    seed: int,
) -> Audit:
    if gold.positive.all() or not gold.positive.any():
        raise DataError("An audit needs positives and negatives; here is one class only.", path=gold.name)
    shared, hard = duplicates(gold), difficulty(gold, gamma=rules.gamma, seed=seed)
    return Audit(
        gold=gold,
        criteria=(
            scope(gold, rules),
            agreed(reviews, rules, seed),
            variety,
            size(gold, rules),
            challenging(hard, shared, rules),
            independent(hard, codes, rules),
            identification(gold, rules),
        ),
        findings=(*gold.findings, *_shared_titles(gold, shared)),
        usage=tuple(usage(gold, rules, step) for step in range(100, rules.beta + 151, 50)),
    )


def _worst(*verdicts: Verdict) -> Verdict:
    return max(verdicts, key=_WORST.index)


def _low(value: float, limits: tuple[float, float]) -> Verdict:
    """Small is good."""
    return "pass" if value < limits[0] else "warn" if value < limits[1] else "fail"


def _high(value: float, limits: tuple[float, float]) -> Verdict:
    return "pass" if value >= limits[0] else "warn" if value >= limits[1] else "fail"


def scope(gold: GoldStandard, rules: Limits) -> Criterion:
    note = ScopeNote(gold.scope)
    if not note.words:
        return Criterion(
            criterion="scope", verdict="fail", evidence="no scope note",
            settle="a text file of the same name beside the table, or --scope FILE",
        )  # fmt: skip
    told = f"{note.words} words; exclusions " + (f"named ({note.exclusion!r})" if note.exclusion else "not named")
    good = note.words >= rules.scope_words and bool(note.exclusion)
    return Criterion(criterion="scope", verdict="pass" if good else "warn", evidence=told)


def agreed(reviews: Reviews | None, rules: Limits, seed: int) -> Criterion:
    if reviews is None:
        settle = "labels of several reviewers who worked blind: --reviews FILE"
        return Criterion(criterion="agreement", verdict="unknown", evidence="one label for each unit", settle=settle)
    from patstone.compare.agreement import agreement, disagreements
    from patstone.compare.classifiers import Sampling

    found = {each.statistic: each for each in agreement(reviews, Sampling(seed=seed)) if each.of == "all"}
    alpha, kappa = found["alpha"], found["fleiss"]
    evidence = (
        f"{len(reviews.reviewers)} reviewers, {alpha.units} units with two labels or more; Krippendorff's alpha "
        f"{alpha.value:.3f} [{alpha.low:.3f}, {alpha.high:.3f}], Fleiss' kappa {kappa.value:.3f}, raw agreement "
        f"{found['raw'].value:.3f}; {len(disagreements(reviews))} units in dispute"
    )
    return Criterion(criterion="agreement", verdict=_high(alpha.value, rules.alpha), evidence=evidence)


def diversity(golds: Sequence[GoldStandard], rules: Limits) -> Criterion:
    """Technologies are different where their positives' titles share little."""
    from patstone.gold.vocabulary import nearest

    if len(golds) < 2:
        settle = "gold standards of other technologies, audited together"
        return Criterion(criterion="diversity", verdict="unknown", evidence="one technology", settle=settle)
    similar, pair = nearest(golds)
    names = " and ".join(golds[place].name for place in pair)
    evidence = f"{len(golds)} gold standards; the closest two, {names}, have title words of cosine {similar:.2f}"
    enough = _high(len(golds), rules.technologies)
    return Criterion(
        criterion="diversity", verdict=_worst(enough, "warn" if similar > 0.5 else "pass"), evidence=evidence
    )


def usage(gold: GoldStandard, rules: Limits, size_of_t: int) -> tuple[int, int, int, float, float]:
    """A balanced T of this size, and the shares of K+ and K- that it uses up."""
    half = size_of_t // 2
    yes = int(gold.positive.sum())
    pools = [count - round(rules.gamma * count) for count in (yes, len(gold) - yes)]
    shares = [half / pool if pool else float("inf") for pool in pools]
    return size_of_t, half, half, *shares  # type: ignore[return-value]


def size(gold: GoldStandard, rules: Limits) -> Criterion:
    yes = int(gold.positive.sum())
    held = [round(rules.gamma * count) for count in (yes, len(gold) - yes)]
    scarce = min(yes - held[0], len(gold) - yes - held[1])
    consumed = max(usage(gold, rules, rules.beta)[3:])
    limit = int(2 * rules.consumed[0] * scarce)
    evidence = (
        f"{yes} positives, {len(gold) - yes} negatives; H takes {held[0]} + {held[1]}; at |T| = {rules.beta} "
        f"{consumed:.0%} of the scarcer class outside H is used up; |T| up to {limit} uses at most "
        f"{rules.consumed[0]:.0%} (section 8.2)"
    )
    return Criterion(criterion="size", verdict=_low(consumed, rules.consumed), evidence=evidence)


def challenging(hard: Difficulty, shared: Duplicates, rules: Limits) -> Criterion:
    easiest = max(hard.random_f1, hard.held_f1)
    evidence = (
        f"naive Bayes on titles: F1 {hard.random_f1:.3f} from {hard.sets} random sets of {hard.per_class} + "
        f"{hard.per_class}, {hard.held_f1:.3f} on H trained on the rest; {shared.units} units share a title exactly "
        f"with another, {len(shared.near)} pairs nearly; across classes {shared.torn_exact} titles and "
        f"{shared.torn_near} pairs"
    )
    if hard.random_f1 != hard.random_f1:
        return Criterion(
            criterion="challenging", verdict="unknown", evidence="no titles to classify", settle="a column of titles"
        )
    return Criterion(criterion="challenging", verdict=_low(easiest, rules.easy), evidence=evidence)


def independent(hard: Difficulty, codes: Sequence[Codes] | None, rules: Limits) -> Criterion:
    told_words = f"({', '.join(hard.words)}) F1 {hard.words_f1:.3f} on H"
    words = f"{len(hard.words)} title words {told_words}" if hard.words else "no title words"
    told = [
        f"offices, years, kinds and family sizes alone: AUC {hard.metadata_auc:.3f} on H",
        words,
    ]
    verdicts = [_low(hard.metadata_auc, rules.metadata), _low(hard.words_f1 if hard.words else 0.0, rules.one_code)]
    for each in codes or ():
        found = best_rules(each.has, each.positive, each.names, 5)
        top = each.frequent(True, 1)
        cover = each.coverage(True)[top[0]] if top else 0.0
        told.append(
            f"{each.scheme}: the most frequent code of positives covers {cover:.1%}, the best one code has F1 "
            f"{found[0].f1:.3f}, the best {len(found[-1].codes)} F1 {found[-1].f1:.3f}"
        )
        verdicts.append(_low(found[0].f1, rules.one_code))
    settle = "" if codes else "class codes of the units: --codes FILE"
    verdict = _worst(*verdicts, *(() if codes else ("unknown",)))
    return Criterion(criterion="independent", verdict=verdict, evidence="; ".join(told), settle=settle)


def identification(gold: GoldStandard, rules: Limits) -> Criterion:
    rows = {finding.rule: len(finding.rows) for finding in gold.findings}
    unread = rows.get("ambiguous-number", 0) + rows.get("unreadable-number", 0)
    wrong = [finding for finding in gold.findings if finding.severity == "error"]
    kept = f"{len(gold.numbers):,} publications"
    told = [f"{count} {rule}" for rule, count in rows.items()] or [
        "every number is read in one way, every row is sound"
    ]
    verdict: Verdict = "pass"
    if rows:
        verdict = "fail" if wrong or unread > rules.unread * max(1, len(gold.numbers)) else "warn"
    return Criterion(criterion="identification", verdict=verdict, evidence=f"{kept}; {', '.join(told)}")


def _shared_titles(gold: GoldStandard, shared: Duplicates) -> list[Finding]:
    """Which rows share a title with another unit's: first those whose units are labelled differently."""
    lines: dict[int, list[int]] = {}
    for line, unit in zip(gold.lines, gold.of.tolist(), strict=False):
        lines.setdefault(unit, []).append(line)
    label = gold.positive.tolist()
    torn = [group for group in shared.exact if len({label[unit] for unit in group}) > 1]
    across = [pair for pair in shared.near if label[pair[0]] != label[pair[1]]]
    told: list[tuple[str, Sequence[Sequence[int]], str]] = [
        ("shared-title-across-classes", torn, "titles stand in both classes, letter for letter"),
        ("shared-title", [group for group in shared.exact if group not in torn], "titles are shared within a class"),
        ("near-title-across-classes", across, "pairs across the classes have nearly the same titles"),
    ]
    return [
        Finding(
            rule=rule,
            severity="warning",
            rows=tuple(sorted({line for group in groups for unit in group for line in lines.get(unit, ())[:1]})),
            message=f"{len(groups)} {message}.",
        )
        for rule, groups, message in told
        if groups
    ]
