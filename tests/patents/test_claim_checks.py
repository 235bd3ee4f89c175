"""The rules of the claim linter: on the examples of their cards, on a golden set, and what holds for all of them."""

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from patstone.errors import UsageError
from patstone.patents.claims import Claim, split
from patstone.patents.claims.checks import Diagnostic, check, rules
from patstone.patents.claims.checks.finders import FINDERS

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden/claims/checks.toml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(code, language, text, marked, id=f"{code} {language} {place}")
    for code, by_language in GOLDEN.items()
    for language, cases in by_language.items()
    for place, (text, marked) in enumerate(cases)
]


def marked_by(code: str, text: str, language: str = "") -> list[str]:
    claims = split(text, language)
    return [claims[each.place].text[each.start : each.end] for each in check(claims, select=[code]).diagnostics]


@pytest.mark.parametrize("code", rules())
def test_the_examples_of_each_card(code: str) -> None:
    """The bad one breaks this rule and no other; the good one none."""
    rule = rules()[code]
    gold = split(rule.gold) if rule.gold else None
    assert {each.code for each in check(split(rule.bad), gold=gold).diagnostics} == {code}
    assert check(split(rule.good), gold=gold).diagnostics == ()


@pytest.mark.parametrize(("code", "language", "text", "marked"), CASES)
def test_the_golden_set(code: str, language: str, text: str, marked: list[str]) -> None:
    assert marked_by(code, text, language) == marked


@pytest.mark.parametrize("code", FINDERS)
def test_each_rule_has_examples_of_both_kinds_or_its_card(code: str) -> None:
    assert GOLDEN[code]["en"]


def test_a_rule_is_chosen_by_code_beginning_or_name() -> None:
    claims = split("1. A pump comprising a suitable housing, preferably red, wherein the lid is shut")
    assert [each.code for each in check(claims).diagnostics] == ["C401", "C402", "C101", "C305"]
    assert [each.code for each in check(claims, select=["C4"]).diagnostics] == ["C401", "C402"]
    assert [each.code for each in check(claims, select=["C4", "C305"], ignore=["vague-term"]).diagnostics] == [
        "C402",
        "C305",
    ]
    with pytest.raises(UsageError, match=r"C101, C102.*Got 'C9'"):
        check(claims, ignore=["C9"])


def test_a_fault_of_a_parent_is_not_told_again() -> None:
    text = "1. A pump comprising a housing, the lid being red.\n2. The pump of claim 1, wherein the lid is flat."
    assert [each.claim for each in check(split(text), select=["C101"]).diagnostics] == [1]


def test_any_of_several_parents_may_introduce_a_term() -> None:
    text = (
        "1. A pump comprising a housing.\n2. The pump of claim 1, having a lid.\n"
        "3. The pump of claim 1 or 2, wherein the lid is flat."
    )
    assert check(split(text), select=["C101"]).diagnostics == ()


def test_nothing_is_known_below_a_missing_claim() -> None:
    text = "1. A pump comprising a housing.\n2. The pump of claim 8, wherein the lid is flat."
    assert [each.code for each in check(split(text)).diagnostics] == ["C201"]


def test_other_languages_are_checked_without_words_and_counted() -> None:
    found = check(
        split("1. Pompe comprenant un boîtier.\n2. Pompe selon la revendication 7, dans laquelle le ressort est plat.")
    )
    assert [each.code for each in found.diagnostics] == ["C201"]
    assert found.unread == 2


def test_elements_of_the_gold_are_missing_and_new() -> None:
    gold = split(
        "1. A pump comprising a housing, and a motor that drives a piston.\n"
        "2. The pump of claim 1, wherein the housing has a red lid."
    )
    own = split("1. A pump comprising a housing, and an antenna that sends pressures.")
    found = check(own, gold=gold, select=["C5"]).diagnostics
    missing, new = ([each for each in found if each.code == code] for code in ("C501", "C502"))
    assert [each.message.partition("” ")[0] for each in missing] == [
        "“a motor that drives a piston",
        "“the housing has a red lid",
    ]
    assert all(each.start == each.end == len(own[0].text) - 1 for each in missing)
    assert [own[0].text[each.start : each.end] for each in new] == ["an antenna that sends pressures"]


def test_an_element_that_moved_is_neither() -> None:
    gold = split("1. A pump comprising a housing, and a motor that drives a piston.")
    own = split(
        "1. A pump comprising a housing.\n2. The pump of claim 1, further comprising a motor that drives a piston."
    )
    assert check(own, gold=gold, select=["C5"]).diagnostics == ()
    assert check(gold, gold=gold, select=["C5"]).diagnostics == ()


def test_diagnostics_come_by_place_and_lie_in_their_claim() -> None:
    text = "\n".join(rule.bad.replace("1.", f"{number}.", 1) for number, rule in enumerate(rules().values(), 1))
    claims = split(text)
    found = check(claims).diagnostics
    assert found
    for one, other in pairwise(found):
        assert (one.place, one.start) <= (other.place, other.start)
    for each in found:
        assert 0 <= each.start <= each.end <= len(claims[each.place].text)
        assert each.severity == each.rule.severity


def test_a_set_without_claims_and_one_with_an_empty_claim() -> None:
    assert check([]).diagnostics == ()
    assert check([], gold=split("1. A pump comprising a lid.")).diagnostics == ()
    empty = [Claim(number=1, text=""), Claim(number=2, text=" \n")]
    assert [(each.claim, each.code) for each in check(empty).diagnostics] == [(1, "C304"), (2, "C304")]


def test_checking_takes_linear_time_on_chains() -> None:
    """Each of two thousand claims goes back to all before it."""
    from time import process_time

    claims = [Claim(number=1, text="A pump comprising a housing and a lid.")]
    claims += [
        Claim(
            number=number, text=f"The pump of any preceding claim, wherein the lid is heated by a part {number} of it."
        )
        for number in range(2, 2001)
    ]
    start = process_time()
    found: tuple[Diagnostic, ...] = check(claims, select=["C101"]).diagnostics
    assert process_time() - start < 10
    assert found == ()
