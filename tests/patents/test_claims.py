"""Claims read one by one, against a golden set written by hand; and the API's small print."""

import re
import tomllib
from pathlib import Path

import pytest

from patstone.patents.claims import Claim, read_claims, resolve
from patstone.patents.claims.languages import LANGUAGES

FILE = tomllib.loads((Path(__file__).parents[1] / "golden/patents/claims.toml").read_text(encoding="utf-8"))
GOLDEN = {language: FILE[language] for language in LANGUAGES}
CONSTRUCTIONS: dict[str, list[str]] = FILE["constructions"]
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
    if kind != "cancelled":  # one word in brackets is too little to tell a language
        assert found.references.language == language
    assert (list(found.depends_on), found.kind, found.category) == (parents, kind, category)
    assert (found.transition.phrase if found.transition else "", found.transition.type if found.transition else "") == (
        phrase,
        type_,
    )


def test_the_golden_set_is_large_enough() -> None:
    assert len(CASES) >= 150
    assert {language: len(cases) >= 25 for language, cases in GOLDEN.items()} == dict.fromkeys(LANGUAGES, True)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_the_golden_set_has_every_construction_in_every_language(construction: str, language: str) -> None:
    pattern = "|".join(CONSTRUCTIONS[construction])
    assert any(re.search(pattern, case[1]) for case in GOLDEN[language])


@pytest.mark.parametrize(("language", "text", "parents"), FILE["further"])
def test_further_mentions_and_numbers_that_are_none(language: str, text: str, parents: list[int]) -> None:
    (found,) = read_claims([Claim(number=9, text=text, language=language)])
    assert list(found.depends_on) == parents


def test_claims_are_read_from_texts_lists_and_claims() -> None:
    texts = ["A pen.", "The pen of claim 1."]
    by_text, by_list = read_claims("1. A pen.\n2. The pen of claim 1."), read_claims(texts)
    by_claims = read_claims([Claim(number=number, text=text) for number, text in enumerate(texts, start=1)])
    assert [claim.depends_on for claim in by_text] == [(), (1,)]
    assert by_text.claims == by_list.claims == by_claims.claims
