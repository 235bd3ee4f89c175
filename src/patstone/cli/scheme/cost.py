"""`patstone scheme cost`: how far apart two terms of a class hierarchy are, or all pairs of a list."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from patstone.cli.answer import Answer
from patstone.cli.scheme.statistics import statistics
from patstone.errors import UsageError

if TYPE_CHECKING:
    from patstone.measures.hierarchy import Judged
    from patstone.report.cells import Table

ALL = "all"


def cost(
    scheme: str,
    terms: Sequence[str] = (),
    *,
    cost: str = "bdm",
    explain: bool = False,
    matrix: bool = False,
    terms_file: str | None = None,
    layout: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Answer:
    """Tell how close two terms of a class scheme are, the key first and then the response; or all pairs of a list.

    The value is a similarity in [0, 1], 1 for equal terms; the distance is in the cost's own unit.

    Try:
      patstone scheme cost cpc-title-list.tsv.gz A01B1/02 A01B1/04 --explain
      patstone scheme cost 2C088.html AA01 AA65 --cost all --json
      patstone scheme cost 2C088.html AA AA01 AA02 --matrix
    """
    from numpy import repeat, tile

    from patstone.measures.hierarchy import COSTS, Hierarchy, judge
    from patstone.patents.schemes.sources import read_scheme

    asked = [*terms, *(listed(terms_file) if terms_file is not None else ())]
    if len(asked) != 2 and not matrix:
        raise UsageError(f"Name two terms, or several with --matrix. Got {len(asked)}.")
    if not asked:
        raise UsageError("Name the terms of the matrix, or a file of them with --terms-file.")
    read = read_scheme(scheme, layout=layout, columns=columns)
    hierarchy, found = Hierarchy.of(read), read.terms(asked)
    keys, responses = (repeat(found, len(found)), tile(found, len(found))) if matrix else (found[:1], found[1:])
    judged = {name: judge(hierarchy, name, keys, responses) for name in (COSTS if cost == ALL else [cost])}
    every = [one for several in judged.values() for one in several]
    squares = [square(several, len(found)) for several in judged.values()] if matrix else []
    return Answer(
        tables=squares or [pairs_table(every, explain=explain)],
        data=[pairs_table(every, explain=True)],
        payload=lambda: {
            "signature": None,
            "results": [asdict(one) for one in every],
            "counts": statistics(hierarchy),
        },
        notes=read.notes,
    )


def listed(path: str) -> list[str]:
    """The lines of a file that are not blank."""
    from patstone.files.streams import rewindable
    from patstone.files.text import read_text

    return [line.strip() for line in read_text(rewindable(path)).splitlines() if line.strip()]


def pairs_table(every: "Sequence[Judged]", *, explain: bool) -> "Table":
    from patstone.report.cells import Column, Table

    parts = [asdict(one.parts) for one in every]
    counts = ("CP", "DPK", "DPR")
    named = [
        Column(key=key, kind="text" if key == "msca" else "count" if key in counts else "score") for key in parts[0]
    ]
    shown = [
        (one.cost, one.a, one.b, one.value, one.distance, one.unit, *(part.values() if explain else ()))
        for one, part in zip(every, parts, strict=True)
    ]
    return Table(
        title="",
        columns=(
            Column(key="cost"),
            Column(key="a", label="key"),
            Column(key="b", label="response"),
            Column(key="value", kind="score"),
            Column(key="distance", kind="score"),
            Column(key="unit", label="of"),
            *(named if explain else ()),
        ),
        rows=tuple(shown),
        keys=3,
        notes=tuple(arithmetic(one) for one in every if one.cost == "bdm") if explain else (),
    )


def arithmetic(one: "Judged") -> str:
    """Equation (1), multiplied by BR, with this pair's numbers."""
    part = one.parts
    near = f"{part.BR:.4f}·{part.CP}/{part.n0:.4f}"
    far = f"{part.DPK}/{part.n2:.4f} + {part.DPR}/{part.n3:.4f}"
    formula = "(BR·CP/n0) / (BR·CP/n0 + DPK/n2 + DPR/n3)"
    value = f"({near}) / ({near} + {far}) = {one.value:.4f}"
    return f"BDM({one.a}, {one.b}) = {formula} = {value}; common ancestor {part.msca}"


def square(several: "Sequence[Judged]", size: int) -> "Table":
    """Keys down, responses across."""
    from patstone.report.cells import Column, Table

    lines = [several[start : start + size] for start in range(0, size * size, size)]
    return Table(
        title=several[0].cost,
        columns=(
            Column(key="key"),
            *(
                Column(key=f"{place} {one.b}", label=one.b, kind="score", decimals=2)
                for place, one in enumerate(lines[0])
            ),
        ),
        rows=tuple((line[0].a, *(one.value for one in line)) for line in lines),
    )
