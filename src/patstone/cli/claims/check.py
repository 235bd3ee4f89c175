"""`patstone claims check`: what is wrong with claims, by rules with codes, places and ways to mend."""

from collections.abc import Sequence

from patstone.cli.answer import Answer


def check(
    claims: str,
    *,
    gold: str | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    format: str = "auto",  # noqa: A002 - the word that users know
    language: str = "",
    sarif: str | None = None,
    html: str | None = None,
) -> Answer:
    """Check claim sets by the rules of a linter: antecedents, terms, dependencies, form, wording.

    Reads plain text, Word documents, JSON and JSON lines, and every source of patents. Offsets are characters of the
    claim's own text, without its number. With --gold the elements are compared too: set by set, in their order.
    Exit code 1 where a rule of severity error finds anything; warnings and notes leave it 0.

    Try:
      patstone claims check draft.docx
      patstone claims check draft.txt --ignore C401 --sarif claims.sarif --html claims.html
      patstone claims check generated.jsonl --gold granted.jsonl --json
    """
    from patstone.api import check_claims
    from patstone.report.diagnostics.findings import CheckedSet, Findings, counted
    from patstone.report.diagnostics.marks import marked
    from patstone.report.records import records

    found = check_claims(claims, gold=gold, select=select, ignore=ignore, format=format, language=language)
    findings = Findings([CheckedSet(*pair) for pair in found.sets])
    if sarif is not None:
        from patstone.report.diagnostics.sarif import write_sarif

        write_sarif(findings, sarif)
    if html is not None:
        from patstone.report.diagnostics.page import write_html

        write_html(findings, html)
    counts = {**findings.counts, "rejected": len(found.rejected)}
    table = findings.table()
    return Answer(
        tables=[table],
        text=lambda: marked(findings),
        payload=lambda: {"signature": None, "results": list(records(table)), "counts": counts},
        notes=found.notes,
        failed=f"{counted(counts['errors'], 'error')} in the claims." if counts["errors"] else "",
    )
