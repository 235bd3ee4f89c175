"""`patstone patents claims`: claim sets split into claims, each with its parents and parts, and what is wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from patstone.cli.answer import Answer
from patstone.errors import DataError, shorten

if TYPE_CHECKING:
    from patstone.patents.claims import ClaimSet, Finding, ResolvedClaim
    from patstone.patents.publication import Rejected
    from patstone.report.cells import Cell, Column, Table


_MOST_NOTES = 5
"""Of documents that could not be read; all are counted."""


@dataclass(frozen=True, kw_only=True)
class _Settled:
    document: str
    language: str
    claims: "ClaimSet"


def claims(
    source: str,
    *,
    format: str = "auto",  # noqa: A002 - the option's name
    language: str = "",
    cross_category: Literal["dependent", "independent"] = "dependent",
    columns: Mapping[str, str] | None = None,
) -> Answer:
    """Split claims, find all parents of each, take them apart, and tell what is wrong with their references.

    SOURCE is plain text, a table with a claim or a claim set in each row, or patents in any format that is read.
    Mark-up of references wins over words, and where they differ a finding says so.

    Try:
      patstone patents claims claims.txt
      patstone patents claims ipg180703.xml --csv --out claims.csv
      patstone patents claims generated.jsonl --language de --json
    """
    from patstone.patents.claims import resolve
    from patstone.patents.claims.sources import claim_sets
    from patstone.patents.publication import Rejected

    found: list[_Settled] = []
    rejected: list[Rejected] = []
    for one in claim_sets(source, format=format, language=language, columns=columns):
        if isinstance(one, Rejected):
            rejected.append(one)
        else:
            settled = resolve(one.claims, cross_category=cross_category)
            found.append(_Settled(document=one.document, language=one.language, claims=settled))
    counts = _counts(found, rejected)
    if rejected and not counts.get("claims"):
        raise DataError(f"None of {len(rejected)} documents could be read: {rejected[0].reason}", path=rejected[0].path)
    return Answer(
        tables=[_shown(found), *_findings_shown(found)],
        data=[_flat(found)],
        payload=lambda: {
            "signature": None,
            "results": [_row(each, claim) for each in found for claim in each.claims],
            "findings": [_finding(each, finding) for each, finding in _findings(found)],
            "counts": counts,
        },
        notes=[*_told(counts), *(f"{one.path}: {shorten(one.reason)}" for one in rejected[:_MOST_NOTES])],
    )


def _counts(found: "Sequence[_Settled]", rejected: "Sequence[Rejected]") -> dict[str, int]:
    counts = Counter[str]()
    for one in found:
        counts.update(one.claims.counts)
    sets = {"sets": len(found), "without_claims": sum(not one.claims.claims for one in found)}
    return {**sets, "rejected": len(rejected), "findings": sum(len(one.claims.findings) for one in found), **counts}


def _told(counts: Mapping[str, int]) -> Iterator[str]:
    if counts["rejected"]:
        yield f"{counts['rejected']} documents could not be read and are left out"
    if not counts.get("claims"):
        yield "no claims were found"


def _findings(found: "Iterable[_Settled]") -> "Iterator[tuple[_Settled, Finding]]":
    return ((one, finding) for one in found for finding in one.claims.findings)


def _row(one: _Settled, claim: "ResolvedClaim") -> dict[str, Any]:
    return {
        "document": one.document,
        "language": claim.references.language,
        "claim": claim.number,
        "kind": claim.kind,
        "parents": list(claim.depends_on),
        "category": claim.category,
        "transition": asdict(claim.transition) if claim.transition else None,
        "preamble": claim.preamble,
        "elements": [asdict(element) for element in claim.elements],
        "cross_category": claim.cross_category,
        "depth": claim.depth,
        "roots": list(claim.roots),
        "text": claim.claim.text,
    }


def _finding(one: _Settled, finding: "Finding") -> dict[str, Any]:
    return {"document": one.document, "language": one.language, **asdict(finding), "others": list(finding.others)}


def _named(found: "Sequence[_Settled]") -> tuple[list["Column"], list[list["Cell"]]]:
    """The columns that say whose claims these are, where there is more than one set; and their cells by set."""
    from patstone.report.cells import Column

    several = len(found) > 1
    languages = several and len({one.language for one in found}) > 1
    columns = [*([Column(key="document")] if several else []), *([Column(key="language")] if languages else [])]
    cells: list[list[Cell]] = [
        [*([one.document or None] if several else []), *([one.language or None] if languages else [])] for one in found
    ]
    return columns, cells


def _shown(found: "Sequence[_Settled]") -> "Table":
    from patstone.report.cells import Column, Table

    columns, cells = _named(found)
    counted = {"claim", "elements"}
    own = ("claim", "kind", "parents", "category", "transition", "elements")
    return Table(
        title="",
        columns=(*columns, *(Column(key=key, kind="count" if key in counted else "text") for key in own)),
        rows=tuple(
            (
                *names,
                claim.number,
                claim.kind,
                _spans(claim.depends_on) or None,
                claim.category,
                claim.transition.phrase if claim.transition else None,
                len(claim.elements),
            )
            for one, names in zip(found, cells, strict=True)
            for claim in one.claims
        ),
        keys=len(columns) + 1,
    )


def _findings_shown(found: "Sequence[_Settled]") -> "Iterator[Table]":
    from patstone.report.cells import Column, Table

    columns, cells = _named(found)
    rows = tuple(
        (*names, finding.claim, finding.rule, f"claim {finding.claim} {finding.message}")
        for one, names in zip(found, cells, strict=True)
        for finding in one.claims.findings
    )
    if rows:
        own = (Column(key="claim", kind="count"), Column(key="rule"), Column(key="finding", kind="prose"))
        yield Table(title="Findings", columns=(*columns, *own), rows=rows, keys=len(columns) + 1)


def _flat(found: "Sequence[_Settled]") -> "Table":
    """A row for each claim with everything in plain cells; its findings are in the last."""
    from patstone.report.cells import Column, Table

    return Table(
        title="",
        columns=tuple(Column(key=key) for key in _KEYS),
        rows=tuple(_cells(one, claim) for one in found for claim in one.claims),
    )


_KEYS = (
    *("document", "language", "claim", "kind", "parents", "category", "transition", "type", "preamble", "elements"),
    *("cross_category", "depth", "roots", "findings", "text"),
)


def _cells(one: _Settled, claim: "ResolvedClaim") -> tuple["Cell", ...]:
    found = claim.transition
    return (
        one.document,
        claim.references.language,
        claim.number,
        claim.kind,
        _listed(claim.depends_on),
        claim.category,
        found.phrase if found else "",
        found.type if found else "",
        claim.preamble,
        " | ".join(element.text for element in claim.elements),
        claim.cross_category,
        claim.depth,
        _listed(claim.roots),
        _listed(finding.rule for finding in one.claims.findings if finding.claim == claim.number),
        claim.claim.text,
    )


def _listed(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def _spans(numbers: Sequence[int]) -> str:
    """Numbers in short: 1-3, 5."""
    from patstone.patents.claims.graph import spans

    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans(numbers))
