"""Commands as a user runs them, in a process of their own, and small files to try them on."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

QRELS = """\
t1 0 EP1A1 2
t1 0 EP2A1 0
t1 0 US3A1 1
t2 0 EP4A1 1
t2 0 JP5A 1
t3 0 US6A1 0
t3 0 US7B2 1
"""
GOOD = """\
t1 Q0 EP1A1 1 9.5 good
t1 Q0 US3A1 2 8.5 good
t1 Q0 EP9A1 3 7.0 good
t2 Q0 JP5A 1 3.0 good
t2 Q0 EP4A1 2 2.0 good
t3 Q0 US7B2 1 1.0 good
"""
POOR = """\
t1 Q0 EP2A1 1 9.5 poor
t1 Q0 EP9A1 2 8.5 poor
t1 Q0 US3A1 3 7.0 poor
t2 Q0 EP8A1 1 3.0 poor
t2 Q0 EP4A1 2 2.0 poor
t3 Q0 US6A1 1 1.0 poor
t3 Q0 US7B2 2 1.0 poor
"""


@dataclass(frozen=True)
class Sample:
    """Small files to try commands on."""

    folder: Path
    gold: str
    good: str
    poor: str


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def shell(
    *words: str, stdin: str | None = None, cwd: Path | None = None, timeout: float = 60, **environment: str
) -> Ran:
    """Run `patstone WORDS`."""
    done = subprocess.run(
        [sys.executable, "-m", "patstone", *words],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
        timeout=timeout,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
