"""`patstone demo`: the whole flow on a small collection, from searching to the report."""

import csv
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from patstone.cli import demo_classes as classes
from patstone.cli import demo_world as made
from patstone.cli.demo_theme import theme
from patstone.errors import CheckFailed
from patstone.files.streams import atomic, ensured_folder

SHOWN = "nDCG@10 MR@20 alpha_nDCG@10 CT@5 PRES@50 TBG"


def demo(*, out: str = "patstone-demo") -> None:
    """Make a small patent collection, search it in three ways, score, compare and report.

    The collection is made up from a fixed seed: inventions published by three offices in different words, claims as
    subtopics, families, and exact judgments. Everything it writes stays in one folder.

    Try:
      patstone demo
      patstone demo --out /tmp/demo
    """
    folder = ensured_folder(out)
    world = made.make_world()
    write_collection(world, folder)
    runs = [write_run(world, name, folder) for name in made.SYSTEMS]
    print(
        f"{len(world.publications)} publications, {len(world.topics)} topics and {len(runs)} systems are in {folder}\n"
    )
    sources = [str(folder / "gold.csv"), *map(str, runs), "--families", str(folder / "families.csv")]
    show("score", *sources, "--lengths", str(folder / "lengths.csv"), "-m", *SHOWN.split())
    show("compare", *sources, "-m", "nDCG@10", "PRES@50", "--report", str(folder / "report"))
    print(f"The report: {folder / 'report' / 'index.html'}\n\nTo try next:")
    print(" ", line("score", *sources, "-m", "nDCG@10", "--topics", str(folder / "topics.csv"), "--slice", "area"))
    print(" ", line("compare", *sources, "-m", *SHOWN.split(), "--discriminative"))
    print(" ", line("measures", "CT"))
    theme_file, *answers = (str(folder / name) for name in ("theme.txt", "classes.txt", "flat.txt", "top-down.txt"))
    print(" ", line("score", *answers, "--scheme", theme_file, "-m", "F1", "F1(cost=bdm-low)"))


def line(*words: str) -> str:
    return shlex.join(["patstone", *words])


def show(*words: str) -> None:
    """Run a command as a user would, and say which."""
    from patstone.cli.main import main

    print(f"$ {line(*words)}")
    # Notes go to another stream and must not overtake the command that they belong to.
    sys.stdout.flush()
    if main(words):
        raise CheckFailed("The demo stopped: the command above failed.")
    print()


def write_collection(world: made.World, folder: Path) -> None:
    judged = ((topic, claim, doc, grade, world.family[doc]) for topic, claim, doc, grade in made.judge(world))
    write_csv(folder / "gold.csv", ("topic", "subtopic", "doc", "grade", "invention"), judged)
    described = ((topic.number, topic.area, topic.number[:2], len(topic.claims)) for topic in world.topics)
    write_csv(folder / "topics.csv", ("topic", "area", "office", "claims"), described)
    families = ((one.number, one.family) for one in world.publications)
    write_csv(folder / "families.csv", ("document", "family"), families)
    lengths = ((one.number, len(one.words)) for one in world.publications)
    write_csv(folder / "lengths.csv", ("document", "words"), lengths)
    write_text(folder / "theme.txt", theme())
    write_text(folder / "classes.txt", classes.gold(world))
    for name in classes.HITS:
        write_text(folder / f"{name}.txt", classes.answers(world, name))


def write_run(world: made.World, name: str, folder: Path) -> Path:
    path = folder / f"{name}.run"
    found = made.SYSTEMS[name](world)
    text = "".join(f"{topic} Q0 {doc} {rank} {score:.6f} {name}\n" for topic, doc, rank, score in found)
    return write_text(path, text)


def write_text(path: Path, text: str) -> Path:
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


def write_csv(path: Path, header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    with atomic(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
