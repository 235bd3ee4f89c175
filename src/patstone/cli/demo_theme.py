"""A small F-term theme for the demo's world: a viewpoint for each area, a term for each feature and each wording of it.

Written as the text of a published F-term list: a line of codes, then as many titles with their dots.
"""

from collections.abc import Iterator

from patstone.cli.demo_world import AREAS

THEME = "1X500 THINGS MADE UP, e.g. batteries and wind turbines"


def theme() -> str:
    blocks = (block for place, area in enumerate(AREAS) for block in viewpoint(f"{chr(ord('A') + place)}A", area))
    return "\n".join([THEME, *blocks]) + "\n"


def viewpoint(code: str, area: str) -> Iterator[str]:
    """The viewpoint, then each feature with its wordings; the first wording is the feature's name."""
    yield f"{code}00"
    yield area.upper()
    number = 0
    for feature in AREAS[area]:
        name, *wordings = feature.split("/")
        titles = [f". {name}", *(f". . {wording}" for wording in wordings)]
        yield " ".join(f"{code}{number + place + 1:02}" for place in range(len(titles)))
        yield from titles
        number += len(titles)
