"""Paper 2, cost sensitive evaluation of F-term classification: Table 1 from a part of a real theme.

Table 1 needs the branch AA01 of theme 2C088 as code and dots. What lies outside of it are the three constants of
`paper2.toml`, which also holds what the paper prints.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.experiments.reproduce.registry import Given, PaperTable, Row, declare

if TYPE_CHECKING:
    from patstone.measures.hierarchy import Hierarchy

BRANCH = "f-term-2C088/AA-subtree.csv"


@cache
def published() -> dict[str, Any]:
    text = files("patstone.experiments.reproduce").joinpath("paper2.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@declare(
    paper="paper2",
    name="table1",
    title="BDM between F-terms of theme 2C088",
    needs=f"{BRANCH} in --data: the codes and dots of AA01 and what is below it",
)
def table_1(table: PaperTable, given: Given) -> Iterator[Row]:
    """The measure is symmetric, and so each pair is asked for both ways."""
    theme, printed = theme_of(given.file(BRANCH)), published()["table1"]
    pairs = [pair.split() for pair in printed["values"]]
    for one, other in ((0, 1), (1, 0)):
        ours = theme.similarity("bdm", [pair[one] for pair in pairs], [pair[other] for pair in pairs])
        for pair, value, mine in zip(pairs, printed["values"].values(), ours.tolist(), strict=True):
            yield table.held(f"{pair[one]} {pair[other]}", "BDM", value, round(mine, 2), 0.0)


def theme_of(branch: Path) -> "Hierarchy":
    """What is known of the theme: one branch, and from outside of it the constants."""
    from tempfile import TemporaryDirectory

    from patstone.files.streams import rewindable
    from patstone.files.text import read_text
    from patstone.measures.hierarchy import Hierarchy
    from patstone.patents.schemes.sources import read_scheme

    constants = published()["table1"]["constants"]
    rest = "\n".join(f"{code},{dots}" for code, dots in published()["table1"]["outside"].items())
    with TemporaryDirectory() as folder:
        whole = Path(folder, "2C088.csv")
        whole.write_text(f"{read_text(rewindable(branch)).rstrip()}\n{rest}\n", encoding="utf-8")
        known = Hierarchy.of(read_scheme(whole))
    aa, aa01, aa65 = known.scheme.terms(["AA", "AA01", "AA65"])
    chain, children = known.chain.copy(), known.children.copy()
    chain[aa65], chain[aa], children[aa] = constants["chain_through_AA65"], chain[aa01], constants["children_of_AA"]
    # Only the product of the two means comes into BDM.
    return replace(
        known, mean_chain=constants["branching_times_n0"], mean_branching=1.0, chain=chain, children=children
    )
