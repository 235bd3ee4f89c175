"""What `claims score` and `claims meta` share: read the items, find the judges, let each of them judge."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patstone.gold.preferences import Preferences
    from patstone.systems.judges.judge import Marks


def mark_all(
    path: str,
    judges: Sequence[str],
    *,
    columns: Mapping[str, str] | None = None,
    reference_free: bool = False,
    explain: bool = False,
    comparisons: bool = False,
) -> "tuple[Preferences, list[Marks], list[str]]":
    """The items, what each judge says of them, and what a reader should know."""
    from patstone.gold.preference_files import read_preferences
    from patstone.gold.preferences import compared
    from patstone.systems.judges.judge import judged
    from patstone.systems.judges.registry import find_judges

    chosen, notes = find_judges(judges)
    found = read_preferences(path, columns=columns)
    found = compared(found) if comparisons else found
    if reference_free:
        found = replace(found, gold=found.gold * 0 - 1)
        left_out = [each.name for each in chosen if each.needs_gold]
        # Of a group, those that can judge alone do; whoever is asked for by name says what is missing.
        if len(left_out) < len(chosen):
            chosen = [each for each in chosen if not each.needs_gold]
            notes += [f"without a gold these are left out: {', '.join(left_out)}"] if left_out else []
    marks = []
    for place, judge in enumerate(chosen, start=1):
        _say(f"{judge.name} ({place} of {len(chosen)}) …")
        marks.append(judged(judge, found, explain=explain))
    _say("")
    notes += [finding.message for finding in found.findings]
    return found, marks, [*notes, *(note for each in marks for note in each.notes)]


def _say(words: str) -> None:
    """How far it has come, for those who watch a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()
