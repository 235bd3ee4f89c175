"""Claims read one by one, against a golden set written by hand; and the API's small print."""

import re
import tomllib
from pathlib import Path

import pytest

from patstone.patents.claims import Claim, read_claims, resolve
from patstone.patents.claims.languages import LANGUAGES

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


# What a claim set may say of a claim's parents, in the words of each language; the golden set has all of them.
CONSTRUCTIONS = {
    "one": (
        r"claim 1,",
        r"Anspruch 1,",
        r"la revendication 1,",
        r"по п\. 1,",
        r"权利要求1所述",
        r"請求項[1１]に",
    ),
    "range": (
        r"claims 1 to 5",
        r"Ansprüche 1 bis 3",
        r"revendications 1 à 3",
        r"пп\. 1-4",
        r"权利要求1至3中任一项",
        r"請求項1から3のいずれか",
    ),
    "list": (
        r"claims 1, 3 and 5-7",
        r"Ansprüchen 1, 3 und 5",
        r"revendications 1, 3 et 5",
        r"пп\. 1, 3 и 5",
        r"权利要求1、3和5",
        r"請求項1、3および5",
    ),
    "any one of": (
        r"any one of claims 1-6",
        r"einem der Ansprüche",
        r"l'une quelconque des",
        r"любому из пп\. 1, 2 или 3",
        r"任一项",
        r"いずれか一項",
    ),
    "any preceding": (
        r"any preceding claim",
        r"einem der vorhergehenden",
        r"revendications précédentes",
        r"любому из предыдущих",
        r"前述权利要求",
        r"前記請求項",
    ),
    "or, word repeated": (
        r"claim 2 or claim 4",
        r"Anspruch 2 oder Anspruch 4",
        r"2 ou la revendication 4",
        r"п\. 2 или п\. 4",
        r"要求2或权利要求4",
        r"請求項2または請求項4",
    ),
    "and/or": (
        r"and/or",
        r"und/oder",
        r"et/ou",
        r"и/или",
        r"和/或",
        r"及び/又は",
    ),
    "condition": (
        r"when dependent on 2",
        r"soweit abhängig",
        r"lorsqu'elle dépend",
        r"когда он зависит",
        r"在引用",
        r"を引用する",
    ),
    "cancelled": (
        r"canceled",
        r"gestrichen",
        r"supprimée",
        r"исключен",
        r"删除",
        r"削除",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_the_golden_set_has_every_construction_in_every_language(construction: str, language: str) -> None:
    pattern = "|".join(CONSTRUCTIONS[construction])
    assert any(re.search(pattern, case[1]) for case in GOLDEN[language])


FURTHER = [
    ("en", "The device of any of claims 1, 2, or 4-6, wherein x.", [1, 2, 4, 5, 6]),
    ("en", "A device as in any one of claims 1 to 3, or 7 to 8.", [1, 2, 3, 7, 8]),
    ("en", "A device according to claim 5, as appended to claims 1 to 3, wherein x.", [5]),
    ("en", "A device according to any preceding claim when dependent on claim 2.", [1, 2, 3, 4, 5, 6, 7, 8]),
    ("en", "The device as claimed in one of claims 1 to 4 and claim 7.", [1, 2, 3, 4, 7]),
    ("en", "The composition of claim 1 or 2, 5 % of which is salt.", [1, 2]),
    ("en", "The method according to claim 1 in which the steps 2 to 4 are repeated.", [1]),
    ("en", "A device substantially as described herein with reference to Figures 1 to 3.", []),
    ("de", "Vorrichtung nach Anspruch 4 und einem der Ansprüche 1 bis 2.", [1, 2, 4]),
    ("de", "Vorrichtung nach Anspruch 1, mit 2 oder 3 Rädern.", [1]),
    ("fr", "Dispositif selon l'une au moins des revendications 1 à 3.", [1, 2, 3]),
    ("fr", "Dispositif selon la revendication 1, comportant 2 à 3 roues.", [1]),
    ("fr", "Dispositif selon la revendication 2 ou la revendication 8.", [2, 8]),
    ("ru", "Устройство по п.п. 1-3.", [1, 2, 3]),
    ("ru", "Устройство по п. 1, имеющее 2 или 3 колеса.", [1]),
    ("ru", "Устройство по любому из пп. 1-3, если оно зависит от п. 2.", [1, 2, 3]),
    ("zh", "根据权利要求1、权利要求2或者权利要求3所述的装置。", [1, 2, 3]),
    ("zh", "根据权利要求1所述的装置，其特征在于，包括2或3个轮子。", [1]),
    ("ja", "請求項１乃至請求項３のいずれか一に記載の装置。", [1, 2, 3]),
    ("ja", "請求項１に記載の装置であって、２又は３の車輪を備える装置。", [1]),
]


@pytest.mark.parametrize(("language", "text", "parents"), FURTHER)
def test_further_mentions_and_numbers_that_are_none(language: str, text: str, parents: list[int]) -> None:
    (found,) = read_claims([Claim(number=9, text=text, language=language)])
    assert list(found.depends_on) == parents


def test_claims_are_read_from_texts_lists_and_claims() -> None:
    texts = ["A pen.", "The pen of claim 1."]
    by_text, by_list = read_claims("1. A pen.\n2. The pen of claim 1."), read_claims(texts)
    by_claims = read_claims([Claim(number=number, text=text) for number, text in enumerate(texts, start=1)])
    assert [claim.depends_on for claim in by_text] == [(), (1,)]
    assert by_text.claims == by_list.claims == by_claims.claims
