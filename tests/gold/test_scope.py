"""Scope notes: length and exclusions, in the languages of patents."""

import pytest

from patstone.gold.scope import ScopeNote


@pytest.mark.parametrize(
    ("text", "words", "exclusion"),
    [
        ("", 0, ""),
        ("Ion traps that hold single ions.", 6, ""),
        ("Ion traps. Excluded are clocks.", 5, "excluded"),
        ("Ionenfallen, ausgenommen Uhren.", 3, "ausgenommen"),
        ("イオントラップを除く", 5, "除く"),
    ],
)
def test_words_and_exclusions(text: str, words: int, exclusion: str) -> None:
    note = ScopeNote(text)
    assert (note.words, note.exclusion) == (words, exclusion)
