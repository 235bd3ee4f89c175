"""`patstone build`: a prior-art test collection from the citations of a collection of patents."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.gold.building.selection import Before, CitedBy, Split
    from patstone.gold.dataset import Dataset


def build(
    collection: str,
    *,
    out: str = "test-collection",
    office: Sequence[str] = (),
    kinds: Sequence[str] = (),
    from_: str | None = None,
    to: str | None = None,
    class_: Sequence[str] = (),
    language: Sequence[str] = (),
    cited_by: "Sequence[CitedBy]" = ("auto",),
    before: "Before" = "priority",
    with_claims: bool = False,
    sample: int | None = None,
    seed: int = 0,
    split: "Split" = "none",
    also: Sequence[Literal["beir", "json"]] = (),
    licence: str = "",
    engine: Literal["duckdb"] = "duckdb",
    memory: str = "1GB",
    jobs: int = 1,
) -> Answer:
    """Make a test collection of prior art: base documents ask, and what their examiners cited is right.

    A base document passes all filters and cites something in the collection. Its cluster is what it cites and the
    families of that, without its own application and family. What was dropped on the way is counted in card.json.

    Try:
      patstone build collection --out clusters
      patstone build collection --out clusters --office US --kinds B1 B2 --from 2015 --class G06F16 --sample 500
      patstone build collection --out clusters --split family --also beir --json
    """
    from patstone.api import build as built

    del engine  # one so far
    made = built(
        collection, out, office=office, kinds=kinds, from_=from_, to=to, class_=class_, language=language,
        cited_by=cited_by, before=before, with_claims=with_claims, sample=sample, seed=seed, split=split, also=also,
        licence=licence, memory=memory, jobs=jobs,
    )  # fmt: skip
    return _shown(made)


def _shown(made: "Dataset") -> Answer:
    from patstone.report.cells import Column, Table

    rows = list(_rows(made))
    columns = (Column(key="table"), Column(key="what"), Column(key="count", kind="count"))
    table = Table(title=made.name, columns=columns, rows=tuple(tuple(row.values()) for row in rows), keys=2)
    return Answer(
        tables=[table],
        payload=lambda: {"signature": None, "results": rows, "counts": made.card["counts"], "card": made.card},
    )


def _rows(made: "Dataset") -> "list[dict[str, Any]]":
    return [
        {"table": name, "what": what, "count": count}
        for name in ("counts", "sizes", "splits")
        for what, count in made.card[name].items()
    ]
