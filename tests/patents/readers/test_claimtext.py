"""Claims out of running texts."""

import pytest

from patstone.patents.readers.claimtext import claims_of, split_claims, without_number


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("What is claimed is:\n 1. A cup.\n 2. The cup of claim 1.", ["A cup.", "The cup of claim 1."]),
        (
            "1. A cup comprising\n 2 walls.\n2. The cup of claim 1.",
            ["A cup comprising 2 walls.", "The cup of claim 1."],
        ),
        (
            "1. A cup. 2. The cup of claim 1. 3. The cup of claim 2.",
            ["A cup.", "The cup of claim 1.", "The cup of claim 2."],
        ),
        ("1.) Becher.\n2.) Becher nach Anspruch 1.", ["Becher.", "Becher nach Anspruch 1."]),
        ("A design as shown.", ["A design as shown."]),
        ("  ", []),
    ],
)
def test_a_text_is_split_at_the_numbers_of_its_claims(text: str, claims: list[str]) -> None:
    found = split_claims(text, "en")
    assert [claim.text for claim in found] == claims
    assert [claim.number for claim in found] == list(range(1, len(claims) + 1))


def test_texts_without_numbers_are_a_claim_each() -> None:
    assert [claim.text for claim in claims_of(["A cup.", "The cup of claim 1."], "en")] == [
        "A cup.",
        "The cup of claim 1.",
    ]


def test_a_claim_loses_its_own_number_only() -> None:
    assert without_number("1. A cup.", 1) == "A cup."
    assert without_number("2. A cup.", 1) == "2. A cup."
    assert without_number("3.5 litres of tea", 3) == "3.5 litres of tea"
