"""Runs of any length for little work, piece by piece: `python tests/long_runs.py 2000 >run` writes 2,000 MB.

`python tests/long_runs.py gold >gold.qrels` writes judgments for the first of their topics.
"""

import sys
from collections.abc import Iterator

DEPTH = 1000
JUDGED = 100


def _row(topic: str, place: int) -> str:
    return f"{topic} Q0 EP{place * 7919 % 10**7:07d}A1 {place + 1} {1000 - place / 3:.6f} tag\n"


def judgments() -> bytes:
    pairs = [(topic, place) for topic in range(JUDGED) for place in range(0, DEPTH, 20)]
    return "".join(f"t{topic:07d} 0 {_row('', place).split()[1]} 1\n" for topic, place in pairs).encode()


def topic_by_topic(topics: int) -> Iterator[bytes]:
    """A topic a piece, each with the same thousand documents."""
    rows = "".join(_row("t0000000", place) for place in range(DEPTH)).encode()
    for topic in range(topics):
        yield rows.replace(b"t0000000", b"t%07d" % topic)


def rank_by_rank(depth: int) -> Iterator[bytes]:
    """Every topic's first document, then every topic's second one, and so on: no two rows of a topic together."""
    for place in range(depth):
        yield "".join(_row(f"t{topic:07d}", place) for topic in range(JUDGED)).encode()


if __name__ == "__main__":
    size = sum(map(len, topic_by_topic(1))) / 1e6
    pieces = [judgments()] if sys.argv[1] == "gold" else topic_by_topic(round(float(sys.argv[1]) / size))
    for piece in pieces:
        sys.stdout.buffer.write(piece)
