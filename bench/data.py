"""Synthetic runs and judgments of a given size, the same for every machine: seeded, written once, kept in a cache.

Documents look like publication numbers. Each topic has 50 relevant documents of three grades and ten judged not
relevant, three fifths of them retrieved, and ten subtopics. Scores strictly fall within a topic, so that no tie rule
can make tools differ; ties are what the tests are for.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

COLLECTION = 2_000_000
RELEVANT, NOT_RELEVANT, SUBTOPICS = 50, 10, 10
RETRIEVED_SHARE = 0.6


@dataclass(frozen=True, kw_only=True)
class Size:
    name: str
    topics: int
    depth: int
    runs: int = 1

    def __str__(self) -> str:
        runs = f"{self.runs} runs × " if self.runs > 1 else ""
        return f"{runs}{self.topics:,} topics × {self.depth:,} documents"


@dataclass(frozen=True, kw_only=True)
class Files:
    gold: Path
    subtopics: Path
    runs: tuple[Path, ...]


def files(size: Size, cache: Path) -> Files:
    """Make the files of a size, unless an earlier call has."""
    folder = cache / f"{size.topics}x{size.depth}x{size.runs}"
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _write(size, unfinished)
        unfinished.rename(folder)
    return _named(folder, size.runs)


def _named(folder: Path, runs: int) -> Files:
    return Files(
        gold=folder / "gold.qrels",
        subtopics=folder / "subtopics.qrels",
        runs=tuple(folder / f"system{run:02}.run" for run in range(runs)),
    )


def _write(size: Size, folder: Path) -> None:
    made = _named(folder, size.runs)
    judged = [_judgments(topic) for topic in range(size.topics)]
    with made.gold.open("w") as gold, made.subtopics.open("w") as subtopics:
        for topic, (docs, grades) in enumerate(judged):
            gold.writelines(f"{_topic(topic)} 0 {_doc(d)} {g}\n" for d, g in zip(docs, grades, strict=True))
            subtopics.writelines(_aspects(topic, docs[:RELEVANT]))
    for number, path in enumerate(made.runs):
        with path.open("w") as run:
            for topic, (docs, _) in enumerate(judged):
                run.writelines(_answers(topic, docs, size.depth, number))


def _topic(topic: int) -> str:
    return f"topic{topic:05}"


def _doc(number: int) -> str:
    return f"US{number:08}B2"


def _judgments(topic: int) -> tuple[list[int], list[int]]:
    rng = np.random.default_rng([1, topic])
    docs = rng.choice(COLLECTION, RELEVANT + NOT_RELEVANT, replace=False)
    grades = np.concatenate([rng.integers(1, 4, RELEVANT), np.zeros(NOT_RELEVANT, dtype=np.int64)])
    return docs.tolist(), grades.tolist()


def _aspects(topic: int, docs: list[int]) -> list[str]:
    rng = np.random.default_rng([2, topic])
    answered = rng.random((len(docs), SUBTOPICS)) < 2 / SUBTOPICS
    return [f"{_topic(topic)} {s + 1} {_doc(docs[row])} 1\n" for row, s in np.argwhere(answered).tolist()]


def _answers(topic: int, judged: list[int], depth: int, system: int) -> list[str]:
    rng = np.random.default_rng([3, topic, system])
    found = rng.permutation(judged)[: min(int(len(judged) * RETRIEVED_SHARE), depth)]
    # Half as many again, for those that happen to be judged or drawn twice.
    others = np.setdiff1d(rng.choice(COLLECTION, depth + depth // 2), judged)
    docs = rng.permutation(np.concatenate([found, rng.permutation(others)[: depth - len(found)]]))
    millionths = np.sort((rng.gamma(2, 8, depth) * 1e6).astype(np.int64))[::-1] - np.arange(depth)
    scores = (millionths / 1e6).tolist()
    return [
        f"{_topic(topic)} Q0 {_doc(doc)} {rank} {score:.6f} system{system:02}\n"
        for rank, (doc, score) in enumerate(zip(docs.tolist(), scores, strict=True), start=1)
    ]
