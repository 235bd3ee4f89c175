"""What was checked, as one value: the claim sets, each with what was found in it, and the counts over all."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from patstone.patents.claims.checks import Checked, Diagnostic
from patstone.patents.claims.checks.rules import by_severity
from patstone.patents.readers.claimsets import NamedClaims
from patstone.report.cells import Column, Table


@dataclass(frozen=True)
class CheckedSet:
    named: NamedClaims
    checked: Checked

    def text(self, found: Diagnostic) -> str:
        return self.named.claims[found.place].text


@dataclass(frozen=True)
class Findings:
    sets: Sequence[CheckedSet]

    def __iter__(self) -> Iterator[tuple[CheckedSet, Diagnostic]]:
        return ((one, found) for one in self.sets for found in one.checked.diagnostics)

    @property
    def counts(self) -> dict[str, Any]:
        every = [found for _, found in self]
        return {
            "documents": len(self.sets),
            "claims": sum(len(one.named.claims) for one in self.sets),
            "claims_in_other_languages": sum(one.checked.unread for one in self.sets),
            **{f"{severity}s": count for severity, count in by_severity(every).items()},
            "by_code": dict(sorted(Counter(found.code for found in every).items())),
        }

    @property
    def sentence(self) -> str:
        counts = self.counts
        found = ", ".join(counted(counts[f"{severity}s"], severity) for severity in ("error", "warning", "note"))
        sets = f" of {counts['documents']:,} sets" if counts["documents"] > 1 else ""
        return f"{counted(counts['claims'], 'claim')}{sets}: {found}"

    def table(self) -> Table:
        return Table(
            title="",
            columns=(
                Column(key="document"),
                Column(key="claim", kind="count"),
                Column(key="code"),
                Column(key="severity"),
                Column(key="start", kind="count"),
                Column(key="end", kind="count"),
                Column(key="message", kind="prose"),
                Column(key="fix", kind="prose"),
            ),
            rows=tuple(
                (
                    one.named.name,
                    found.claim,
                    found.code,
                    found.severity,
                    found.start,
                    found.end,
                    found.message,
                    found.rule.fix,
                )
                for one, found in self
            ),
            keys=3,
        )


def counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"
