"""The dots that say how deep a term stands, as lists print them before its title."""

import re

_LEADING = re.compile(r"(?:[.．・･·•‧]\s*)+")


def dots_of(title: str) -> tuple[int, str]:
    """How many dots a title begins with, and the title without them."""
    found = _LEADING.match(title.strip())
    if found is None:
        return 0, title.strip()
    return len(re.sub(r"\s", "", found.group())), title.strip()[found.end() :]
