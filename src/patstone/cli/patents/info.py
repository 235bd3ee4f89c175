"""`patstone patents info`: what is in a collection."""

from dataclasses import replace

from patstone.cli.answer import Answer


def info(folder: str, *, check: bool = False) -> Answer:
    """Show what is in a collection: documents, claims, citations and families by everything they are counted by.

    Try:
      patstone patents info collection
      patstone patents info collection --check --json
    """
    from patstone.api import read_collection
    from patstone.cli.patents.profile import profile

    found = read_collection(folder)
    damaged = found.damaged() if check else []
    failed = f"{folder}: these files are not what was written: {', '.join(damaged)}." if damaged else ""
    return replace(profile(found), failed=failed)
