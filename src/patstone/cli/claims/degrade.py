"""`patstone claims degrade`: claims made worse on purpose, so that it is known which are better."""

from collections.abc import Sequence

from patstone.cli.answer import Answer


def degrade(
    claims: str,
    *,
    criterion: Sequence[str] = (),
    kind: Sequence[str] = (),
    severity: Sequence[int] = (1, 2, 3, 4),
    comparisons: bool = False,
    identical: bool = False,
    format: str = "auto",  # noqa: A002 - the word that users know
    language: str = "",
    seed: int = 0,
) -> Answer:
    """Make claims worse by known degrees: drop elements, use vague words, rename terms, break references, pad.

    A row for each claim set, kind and severity, with the claims in `candidate` and what was changed in `changes`
    (JSON). A severity has all changes that a lower one has. With --comparisons the rows are comparisons instead, which
    `claims score` and `claims meta` read.

    Try:
      patstone claims degrade granted.txt --kind drop-element --severity 1 3 --jsonl
      patstone claims degrade granted.jsonl --comparisons --out known.jsonl
    """
    from patstone.cli.claims.degraded import comparison_rows, degraded_rows, in_full, table_of
    from patstone.errors import DataError
    from patstone.gold.degrading import kinds
    from patstone.patents.claims import resolve
    from patstone.patents.publication import Rejected
    from patstone.patents.readers.claimsets import read_claim_sets

    chosen = list(kind) or kinds(criterion)
    found = list(read_claim_sets(claims, format=format, language=language))
    sets = [(one.name, resolve(one.claims)) for one in found if not isinstance(one, Rejected)]
    if not sets:
        raise DataError("No claims can be read here.", path=claims)
    rows = (
        comparison_rows(sets, chosen, severity, seed, identical=identical)
        if comparisons
        else degraded_rows(sets, chosen, severity, seed)
    )
    short = sum(row["made"] < row["wanted"] for row in rows) if not comparisons else 0
    notes = [f"{one.path}, {one.offset}: passed over: {one.reason}" for one in found if isinstance(one, Rejected)]
    if short:
        notes.append(f"rows with fewer changes than asked for, since more would touch another criterion: {short:,}")
    return Answer(
        tables=[table_of(rows)],
        data=[in_full(rows)],
        payload=lambda: {
            "signature": f"degrade|seed:{seed}",
            "results": rows,
            "counts": {"rows": len(rows), "short": short},
        },
        notes=notes,
    )
