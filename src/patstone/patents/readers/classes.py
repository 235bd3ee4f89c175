"""Classes of a document as canonical symbols; what can't be read as one stays as the source has it."""

import re
from collections.abc import Iterable

from patstone.patents.symbols import Scheme, read

# `A61K   8/04        20060101ALI20221215BHEP` of IPC 2006, ` 7A 61K   9/16   A` of the editions before.
_IPC = re.compile(r"\d?\s*([A-H])\s?(\d\d)\s?([A-Z])(?:\s*(\d{1,4})\s*/\s*(\d{2,6}))?(?:\s.*)?", re.ASCII)


def symbols(texts: Iterable[str], scheme: Scheme) -> tuple[str, ...]:
    """Give each symbol once, in the order of the source."""
    return tuple(dict.fromkeys(_symbol(one, scheme) for one in texts if one))


def _symbol(words: str, scheme: Scheme) -> str:
    if scheme == "ipc" and (found := _IPC.fullmatch(words)):
        section, number, letter, group, subgroup = found.groups()
        words = f"{section}{number}{letter}" + (f"{group}/{subgroup}" if group else "")
    known = read(words, scheme)
    return known.text if known else words
