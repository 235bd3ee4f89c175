"""`patstone scheme show`: a class hierarchy, or one of its terms with what stands above and below it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer
from patstone.cli.scheme.statistics import statistics

if TYPE_CHECKING:
    from patstone.measures.hierarchy import Hierarchy
    from patstone.patents.schemes.scheme import Scheme
    from patstone.report.cells import Table


def show(
    scheme: str, symbol: str | None = None, *, layout: str | None = None, columns: Mapping[str, str] | None = None
) -> Answer:
    """Show a class scheme, or one of its terms with what stands above and below it.

    Try:
      patstone scheme show cpc-title-list.tsv.gz
      patstone scheme show cpc-title-list.tsv.gz 'A01B 1/02'
      patstone scheme show 2C088.html AA01 --json
    """
    from patstone.measures.hierarchy import Hierarchy
    from patstone.patents.schemes.sources import read_scheme
    from patstone.report.records import records

    read = read_scheme(scheme, layout=layout, columns=columns)
    hierarchy = Hierarchy.of(read)
    table = depths_table(hierarchy) if symbol is None else term_table(read, int(read.terms([symbol])[0]))
    return Answer(
        tables=[table],
        payload=lambda: {"signature": None, "results": list(records(table)), "counts": statistics(hierarchy)},
        notes=read.notes,
    )


def depths_table(hierarchy: "Hierarchy") -> "Table":
    """How many terms stand how deep, and what the costs make of the whole."""
    from patstone.report.cells import Column, Table

    scheme, known = hierarchy.scheme, statistics(hierarchy)
    several = "" if scheme.is_tree else f" at {len(scheme.parent):,} places"
    return Table(
        title=f"{scheme.name}: {known['terms']:,} terms{several}",
        columns=(
            Column(key="depth", kind="count"),
            Column(key="terms", kind="count"),
            Column(key="leaves", kind="count"),
            Column(key="first"),
            Column(key="title", kind="prose"),
        ),
        rows=tuple(
            (
                depth,
                len(level),
                int((scheme.children[level] == 0).sum()),
                scheme.symbol(int(scheme.term[level[0]])),
                scheme.titles[int(scheme.term[level[0]])],
            )
            for depth, level in enumerate(scheme.levels)
            if scheme.symbols[scheme.term[level[0]]]
        ),
        notes=(
            f"{known['chains']:,} chains; mean chain (n0) {hierarchy.mean_chain:.4f} edges; "
            f"mean branching {hierarchy.mean_branching:.4f} children of an inner term.",
        ),
    )


def term_table(scheme: "Scheme", term: int) -> "Table":
    """A term's chains, and what stands directly below it."""
    from patstone.report.cells import Column, Table

    places = scheme.places_of(term)
    found = [("above", place) for first in places for place in scheme.chain(first)[:-1]]
    found += [("term", places[0]), *(("below", place) for place in scheme.below(places[0]))]
    return Table(
        title=f"{scheme.symbol(term)} in {scheme.name}",
        columns=(
            Column(key="relation"),
            Column(key="depth", kind="count"),
            Column(key="symbol"),
            Column(key="children", kind="count"),
            Column(key="title", kind="prose"),
        ),
        rows=tuple(
            (
                relation,
                int(scheme.depth[place]),
                scheme.symbol(int(scheme.term[place])),
                int(scheme.children[place]),
                scheme.titles[int(scheme.term[place])],
            )
            for relation, place in found
        ),
        keys=3,
    )
