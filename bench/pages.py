"""bench/RESULTS.md: one section for each benchmark, replaced when that benchmark runs again."""

import os
import platform
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """# Side by side

Made by `make bench`, a section by each program in `bench/`. Seconds are CPU seconds, user and system together, on
whatever machine it was; only the ratios within one run mean anything elsewhere.
"""


def replace(title: str, body: str) -> None:
    """Put a section under its title, leaving the other sections as they are."""
    sections = _sections(RESULTS.read_text()) if RESULTS.exists() else {}
    sections[title] = f"\n{body.strip()}\n"
    whole = "\n".join([HEAD, *(f"## {name}\n{text}" for name, text in sorted(sections.items()))])
    RESULTS.write_text(whole)


def _sections(text: str) -> dict[str, str]:
    parts = ("\n" + text).split("\n## ")[1:]
    return {title: body.rstrip() + "\n" for title, _, body in (part.partition("\n") for part in parts)}


def machine() -> str:
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def table(columns: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [columns, ["---"] * len(columns), *rows])
