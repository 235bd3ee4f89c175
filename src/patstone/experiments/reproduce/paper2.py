"""Paper 2, cost sensitive evaluation of F-term classification.

Table 1 needs the branch AA01 of theme 2C088 as code and dots; what lies outside of it are the three constants of
`paper2.toml`, which also holds what the paper prints. NTCIR-6's runs are not to be had, so the study of Table 2 and
figures 2 to 7 is done again on forty-three runs of real classifiers over made-up themes: its values are of other runs,
and Table 2's tolerance is as wide as that; what must hold here too is what the paper found.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from patstone.experiments.reproduce.registry import Given, PaperTable, Row, declare

if TYPE_CHECKING:
    from patstone.experiments.reproduce.fterm_runs import Setting
    from patstone.gold.qrels import Floats
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


FIGURES = ("A-Precision", "R-Precision", "F-measure")
SHOWN = ("Binary", "High", "Low")
MADE = "nothing: made-up themes; half a minute of CPU time, once for all of paper2"


@cache
def study(seed: int) -> "tuple[list[Setting], Floats]":
    """The runs, and their means: runs × figures × costs."""
    from patstone.experiments.reproduce.fterm_runs import scored

    settings, scores = scored(seed)
    return settings, scores.means.reshape(len(settings), len(FIGURES), len(SHOWN))


def _figure(measure: str, kind: Literal["scores", "differences"]) -> None:
    """The two figures of each measure: values, and how much the BDM scores are above the binary one."""
    place = FIGURES.index(measure)
    number = 2 + 2 * place + (kind == "differences")

    @declare(paper="paper2", name=f"figure{number}", title=f"{measure} of 43 runs: {kind}", needs=MADE)
    def figure(table: PaperTable, given: Given) -> Iterator[Row]:
        settings, means = study(given.seed)
        for setting, values in zip(settings, means[:, place].tolist(), strict=True):
            for cost, value in zip(SHOWN, values, strict=True):
                if kind == "scores":
                    yield table.shown(setting.name, f"{measure} {cost}", value)
                elif cost != "Binary":
                    yield table.shown(setting.name, f"{measure} {cost} − Binary", value - values[0])


for _measure in FIGURES:
    _figure(_measure, "scores")
    _figure(_measure, "differences")


@declare(paper="paper2", name="table2", title="Kendall's tau of rankings of runs, BDM and binary", needs=MADE)
def table_2(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.compare.correlation import kendall_tau_b

    _, means = study(given.seed)
    printed = published()["table2"]
    for place, measure in enumerate(FIGURES):
        for cost in ("High", "Low"):
            ours = kendall_tau_b(means[:, place, SHOWN.index(cost)], means[:, place, 0])
            yield table.held(cost, measure, printed[cost][place], ours, printed["tolerance"])


@declare(paper="paper2", name="findings", title="What the paper finds in table 2 and the figures", needs=MADE)
def findings(table: PaperTable, given: Given) -> Iterator[Row]:
    from patstone.compare.correlation import kendall_tau_b

    settings, means = study(given.seed)
    hierarchical = np.array([setting.hierarchical for setting in settings])
    for place, measure in enumerate(FIGURES):
        binary, high, low = means[:, place].T
        for cost, values in (("High", high), ("Low", low)):
            gain = values - binary
            least, most = float(gain[hierarchical].min()), float(gain[~hierarchical].max())
            yield table.finding(f"hierarchical runs gain most under BDM {cost}", measure, holds=least > most)
            changes = kendall_tau_b(values, binary) < 1
            yield table.finding(f"BDM {cost} changes the ranking of runs", measure, holds=changes)
        ordered = bool((high >= low).all() and (low >= binary).all())
        yield table.finding("High is above Low, and Low above Binary, for every run", measure, holds=ordered)
        best = np.argsort(-binary)[:3]
        yield table.finding("no hierarchical run is among the best three", measure, holds=not hierarchical[best].any())
