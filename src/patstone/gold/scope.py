"""The scope note of a gold standard: how long it is, and whether it says what is left out."""

import re
from dataclasses import dataclass
from functools import cached_property

_EXCLUSION = re.compile(
    r"exclud\w+|except\b|other than|not includ\w+|out of scope|does not|do not|ausgenommen|ausgeschlossen|nicht"
    r"|exclu[es]?\w*|sauf|excepté|excluye\w*|исключ\w+|кроме|除く|除き|含まない|除外|不包括|排除",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True)
class ScopeNote:
    text: str

    @cached_property
    def words(self) -> int:
        """Words; where a script has no spaces, two letters stand for one."""
        letters = len(_UNSPACED.findall(self.text))
        return len(_SPACED.findall(_UNSPACED.sub(" ", self.text))) + letters // 2

    @cached_property
    def exclusion(self) -> str:
        """The first words that leave something out; empty where none do."""
        found = _EXCLUSION.search(self.text)
        return found[0].casefold() if found else ""
