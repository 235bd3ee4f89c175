"""Check every claim set of a file, beside those of a gold file where there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from patstone.errors import DataError
from patstone.patents.claims.checks.checking import Checked, check
from patstone.patents.claims.checks.lexicon import LANGUAGES
from patstone.patents.publication import Rejected
from patstone.patents.readers.claimsets import NamedClaims, read_claim_sets


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    sets: tuple[tuple[NamedClaims, Checked], ...]
    rejected: tuple[Rejected, ...]
    """Documents that could not be read."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the diagnostics should know."""
        unread = sum(checked.unread for _, checked in self.sets)
        found = [f"{one.path}, {one.offset}: passed over: {one.reason}" for one in self.rejected]
        if unread:
            known = " and ".join(LANGUAGES)
            found.append(f"claims in languages other than {known}, checked only by rules without words: {unread:,}")
        return tuple(found)


def check_file(
    path: str | Path,
    *,
    gold: str | Path | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    format: str = "auto",  # noqa: A002 - the word that users know
    language: str = "",
) -> CheckedFile:
    """Check what lies at a path; the sets of the gold are those of the claims, in the same order."""
    sets, rejected = _read(path, format, language)
    golds: list[NamedClaims] | None = None
    if gold is not None:
        golds, lost = _read(gold, format, language)
        if len(golds) != len(sets):
            raise DataError(f"The gold has {len(golds)} claim sets, and {path} has {len(sets)}.", path=gold)
        rejected += lost
    beside = [None] * len(sets) if golds is None else [one.claims for one in golds]
    return CheckedFile(
        sets=tuple(
            (one, check(one.claims, gold=other, select=select, ignore=ignore))
            for one, other in zip(sets, beside, strict=True)
        ),
        rejected=tuple(rejected),
    )


def _read(path: str | Path, format: str, language: str) -> tuple[list[NamedClaims], list[Rejected]]:  # noqa: A002
    sets: list[NamedClaims] = []
    rejected: list[Rejected] = []
    for one in read_claim_sets(path, format=format, language=language):
        if isinstance(one, Rejected):
            rejected.append(one)
        else:
            sets.append(one)
    if not sets:
        reason = f": {rejected[0].reason}" if rejected else "."
        raise DataError(f"No claims can be read here{reason}", path=path)
    return sets, rejected
