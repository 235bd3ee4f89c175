"""Search terms marked in a text: the text in pieces, so that a page can escape each and mark some."""

import re
from collections.abc import Sequence
from itertools import zip_longest

Pieces = list[tuple[str, bool]]
"""Each piece of the text, in order, and whether it is a term."""


def marked(text: str, terms: Sequence[str]) -> Pieces:
    """Split a text at the terms; case doesn't count, and a term with a star stands for any ending."""
    wanted = [re.escape(term).replace(r"\*", r"\w*") for term in sorted(terms, key=len, reverse=True)]
    if not wanted:
        return [(text, False)]
    found = re.split(rf"\b({'|'.join(wanted)})\b", text, flags=re.IGNORECASE)
    pieces = zip_longest(found[::2], found[1::2], fillvalue="")
    return [piece for plain, term in pieces for piece in ((plain, False), (term, True)) if piece[0]]
