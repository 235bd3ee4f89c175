"""A claim set's text into claims: labels of every style, and numbers that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.patents.claims import Claim, resolve, split


def numbered(text: str) -> list[tuple[int, str]]:
    return [(claim.number, claim.text) for claim in split(text)]


BELL = [(1, "A bell comprising a dome."), (2, "The bell of claim 1, wherein the dome is brass.")]


@pytest.mark.parametrize(
    "text",
    [
        "1. A bell comprising a dome.\n2. The bell of claim 1, wherein the dome is brass.",
        "What is claimed is:\n\n1. A bell comprising a dome.\n\n2. The bell of claim 1, wherein the dome is brass.\n",
        "We claim: 1. A bell comprising a dome. 2. The bell of claim 1, wherein the dome is brass.",
        "1) A bell comprising a dome.\n2) The bell of claim 1, wherein the dome is brass.",
        "(1) A bell comprising a dome.\n(2) The bell of claim 1, wherein the dome is brass.",
        "Claim 1: A bell comprising a dome.\nClaim 2: The bell of claim 1, wherein the dome is brass.",
        "CLAIMS\n[Claim 1] A bell comprising a dome.\n[Claim 2] The bell of claim 1, wherein the dome is brass.",
        "1.A bell comprising a dome.\n2.The bell of claim 1, wherein the dome is brass.",
        "１．A bell comprising a dome.\r\n２．The bell of claim 1, wherein the dome is brass.\r\n",
        "【請求項１】A bell comprising a dome.【請求項２】The bell of claim 1, wherein the dome is brass.",
        "  1 . A bell comprising a dome.\n  2 . The bell of claim 1, wherein the dome is brass.",
    ],
)
def test_every_style_of_label(text: str) -> None:
    assert numbered(text) == BELL


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("1. Vorrichtung mit einem Rad.\n2. Vorrichtung nach Anspruch 1.", ["Vorrichtung mit", "Vorrichtung nach"]),
        ("Revendications\n1. Pompe.\n2. Pompe selon la revendication 1.", ["Pompe.", "Pompe selon"]),
        ("Формула изобретения\n1. Способ сушки. 2. Способ по п. 1.", ["Способ сушки.", "Способ по"]),
        ("1、一种水泵，包括壳体。\n2、根据权利要求1所述的水泵。", ["一种水泵", "根据权利要求1"]),
        ("1．一种水泵，包括壳体。2．根据权利要求1所述的水泵。", ["一种水泵", "根据权利要求1"]),
        ("【請求項１】\nポンプ。\n【請求項２】\n請求項１に記載のポンプ。", ["ポンプ。", "請求項１に"]),
    ],
)
def test_languages(text: str, starts: list[str]) -> None:
    found = split(text)
    assert [claim.number for claim in found] == [1, 2]
    assert all(claim.text.startswith(start) for claim, start in zip(found, starts, strict=True))


@pytest.mark.parametrize(
    "inside",
    [
        "A bolt of 1.5 mm to 2. 5 mm.",
        "A method comprising: 1) heating; 2) cooling.",
        "A method comprising:\n1) heating;\n2) cooling.",
        "A bolt as shown in FIG. 2. It is long.",
        "A bolt whose length is\n2. 5 times its width.",
        "A bolt of step 2 and\n3.5 mm.",
        "Compound No. 2. The salt of it.",
    ],
)
def test_numbers_inside_a_claim_do_not_split_it(inside: str) -> None:
    assert numbered(f"1. {inside}\n2. The next one.") == [(1, inside), (2, "The next one.")]


def test_a_text_without_numbers_is_claim_1() -> None:
    assert numbered("  A bell comprising a dome.\n") == [(1, "A bell comprising a dome.")]
    steps = "A method comprising:\n1. heating water;\n2. adding tea."
    assert numbered(steps) == [(1, steps)]


@pytest.mark.parametrize(
    ("numbers", "rules"),
    [
        ([1, 2, 4], ["number-gap"]),
        ([2, 3], ["number-gap"]),
        ([1, 2, 2, 3], ["number-duplicate"]),
        ([1, 2, 1, 2], ["number-restart", "number-duplicate"]),
        ([1, 3, 2], ["number-gap", "number-order"]),
        ([1, 2, 3], []),
    ],
)
def test_odd_numbers_are_kept_and_reported(numbers: list[int], rules: list[str]) -> None:
    found = split("\n".join(f"{number}. A bell of sort {number}." for number in numbers))
    assert [claim.number for claim in found] == numbers
    assert [finding.rule for finding in resolve(found).findings] == rules


def test_text_before_the_first_claim_is_not_lost() -> None:
    found = split("US 9 999 999 B2 printed in 2020.\n1. A bell.")
    assert [(claim.number, claim.text) for claim in found] == [(0, "US 9 999 999 B2 printed in 2020."), (1, "A bell.")]
    assert [finding.rule for finding in resolve(found).findings] == ["unnumbered"]


def test_cancelled_claims_are_as_many_as_their_numbers_say() -> None:
    found = split("1-3. (canceled)\n4. A bell.")
    assert [(claim.number, claim.text) for claim in found][2:] == [(3, "(canceled)"), (4, "A bell.")]
    assert [claim.kind for claim in resolve(found)] == ["cancelled"] * 3 + ["independent"]


def test_the_language_given_is_passed_on() -> None:
    assert split("1. Rad.", "de") == (Claim(number=1, text="Rad.", language="de"),)


@pytest.mark.parametrize("text", ["", " \n\t", "\0", "1.", "1. \n2. ", "." * 50])
def test_nothing_and_next_to_nothing(text: str) -> None:
    assert "".join(claim.text for claim in split(text)) in text.strip() or not text.strip()


@given(st.text(alphabet="12. )\nAa:claim【】請求項", max_size=200))
def test_no_letter_is_lost(text: str) -> None:
    kept = "".join(claim.text for claim in split(text))
    letters = [letter for letter in text if letter in "Aa"]
    labels = [letter for letter in kept if letter in "Aa"]
    assert len(labels) <= len(letters)


@given(
    st.lists(
        st.sampled_from(["A bell of 2.5 mm.", "The bell of claim 1.", "A method, comprising: a) b; c) d."]),
        min_size=1,
        max_size=30,
    )
)
def test_what_is_joined_splits_again(texts: list[str]) -> None:
    joined = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))
    assert [claim.text for claim in split(joined)] == texts
