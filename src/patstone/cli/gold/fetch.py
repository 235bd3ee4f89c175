"""`patstone gold fetch`: a published gold standard in a folder."""

from patstone.cli.answer import Answer


def fetch(name: str, folder: str = ".", *, from_: str | None = None) -> Answer:
    """Bring a published gold standard into a folder, checked against the digests that patstone knows.

    `quantum` is downloaded at a pinned revision; `sample` comes with patstone: labels, class codes, reviews, and the
    answers of two classifiers, all made up; so does `collection`, made-up patents for `patstone search`. Nothing is
    written unless every file is the one that is known.

    Try:
      patstone gold fetch sample demo
      patstone gold fetch collection world
      patstone gold fetch quantum quantum
      patstone gold fetch quantum quantum --from ~/Downloads/quantum-qubit-generation.tsv
    """
    from patstone.gold.fetch import fetch as bring
    from patstone.report.cells import Column, Table
    from patstone.report.records import records

    found = bring(name, folder, origin=from_)
    columns = (Column(key="file"), Column(key="bytes", kind="count"))
    rows = tuple((str(path), path.stat().st_size) for path in found.files)
    table = Table(title=found.title, columns=columns, rows=rows)
    return Answer(
        tables=[table],
        payload=lambda: {
            "signature": None,
            "results": list(records(table)),
            "counts": {"title": found.title, "licence": found.licence, "terms": found.terms},
        },
        notes=[f"licence: {' '.join(filter(None, [found.licence, found.terms]))}"],
    )
