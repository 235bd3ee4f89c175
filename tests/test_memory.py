"""How much memory a run takes, measured in a process of its own that reads it from a pipe.

Bounds: a run whose topics stand together takes the same few megabytes whatever its length; one whose topics are
scattered takes for each row at most three times its id (padded to eight bytes), its score and its line. For 2 GB:

    python tests/long_runs.py gold >gold.qrels
    python tests/long_runs.py 2000 | /usr/bin/time -v patstone score gold.qrels - -m AP nDCG@10
"""

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from long_runs import DEPTH, JUDGED, judgments, rank_by_rank, topic_by_topic

# The peak of the resident memory is read from /proc, since what getrusage tells is inherited from the parent.
CHILD = """
import sys
from pathlib import Path
from patstone.cli.main import main

code = main(sys.argv[1:])
status = Path("/proc/self/status").read_text().split()
print(status[status.index("VmHWM:") + 1], file=sys.stderr)
sys.exit(code)
"""


@dataclass(frozen=True)
class Measured:
    size: int
    """How many bytes the run has."""
    peak: int
    """How many bytes of memory the process held at most."""
    out: str


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("memory") / "gold.qrels"
    path.write_bytes(judgments())
    return path


def measured(gold: Path, run: Iterable[bytes]) -> Measured:
    words = ["score", str(gold), "-", "-m", "AP", "P@1", "--csv", "--ci", "none", "--quiet"]
    command = [sys.executable, "-c", CHILD, *words]
    size = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        for piece in run:
            size += child.stdin.write(piece)
        child.stdin.close()
        out, err = child.stdout.read().decode(), child.stderr.read().decode()
    assert child.returncode == 0, err
    return Measured(size, int(err) * 1024, out)


def test_a_run_of_any_length_takes_the_same_memory(gold: Path) -> None:
    tiny, short, long = (measured(gold, topic_by_topic(topics)) for topics in (1, 900, 2700))
    assert (short.size, long.size) > (35e6, 110e6)
    assert short.peak - tiny.peak < 30e6
    assert long.peak - short.peak < 4e6
    # Each topic has the same documents, and the first of them is relevant.
    assert short.out == long.out
    assert ",P@1,1.0," in long.out


def test_a_scattered_run_takes_a_bounded_number_of_bytes_a_row(gold: Path) -> None:
    short, long = (measured(gold, rank_by_rank(depth)) for depth in (2_000, 8_000))
    rows, columns = 6_000 * JUDGED, 16 + 8 + 8
    assert (long.peak - short.peak) / rows < 3 * columns


def test_scattered_or_not_the_scores_are_the_same(gold: Path) -> None:
    together, apart = measured(gold, topic_by_topic(JUDGED)), measured(gold, rank_by_rank(DEPTH))
    assert together.size == apart.size
    assert together.out == apart.out
