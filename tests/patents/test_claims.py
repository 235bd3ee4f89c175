"""Claims read one by one, against a golden set written by hand; and the API's small print."""

import tomllib
from pathlib import Path

import pytest

from patstone.patents.claims import Claim, resolve

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden/patents/claims.toml").read_text(encoding="utf-8"))
CASES = [(language, *case) for language, cases in GOLDEN.items() for case in cases]


@pytest.mark.parametrize(("language", "number", "text", "parents", "kind", "category", "phrase", "type_"), CASES)
@pytest.mark.parametrize("given", [True, False], ids=["language given", "language told by the text"])
def test_golden_claims(
    language: str,
    number: int,
    text: str,
    parents: list[int],
    kind: str,
    category: str,
    phrase: str,
    type_: str,
    given: bool,
) -> None:
    claim = Claim(number=number, text=text, language=language if given else "")
    (found,) = resolve([claim])
    assert found.references.language == language
    assert (list(found.depends_on), found.kind, found.category) == (parents, kind, category)
    assert (found.transition.phrase if found.transition else "", found.transition.type if found.transition else "") == (
        phrase,
        type_,
    )


def test_the_golden_set_is_large_enough() -> None:
    assert len(CASES) >= 40
