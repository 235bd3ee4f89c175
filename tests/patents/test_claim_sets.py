"""Whole claim sets: parents by mark-up and by words, the graph, its findings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.patents.claims import Claim, ClaimSet, resolve


def claims(*named: str, marked: dict[int, tuple[int, ...]] | None = None) -> list[Claim]:
    """`claims("", "1", "1 or 2")` is three claims, of which the second refers to claim 1, and so on."""
    texts = [
        f"The bell of claims {words}, wherein it rings." if words else "A bell comprising a dome." for words in named
    ]
    return [
        Claim(number=number, text=text, references=None if marked is None else marked.get(number, ()))
        for number, text in enumerate(texts, start=1)
    ]


def rules(found: ClaimSet) -> list[tuple[str, int, tuple[int, ...]]]:
    return [(finding.rule, finding.claim, finding.others) for finding in found.findings]


def test_depth_is_the_shortest_way_and_roots_are_all() -> None:
    found = resolve(claims("", "1", "2", "", "3 or 4", "1 to 5"))
    assert [claim.depth for claim in found] == [0, 1, 2, 0, 1, 1]
    assert [claim.roots for claim in found] == [(1,), (1,), (1,), (4,), (1, 4), (1, 4)]
    assert rules(found) == [("multiple-on-multiple", 6, (5,))]


def test_cycles_are_found_once_and_cut_off() -> None:
    found = resolve(claims("", "3", "4", "2", "4"))
    assert ("cycle", 2, (2, 3, 4)) in rules(found)
    assert [claim.depth for claim in found] == [0, None, None, None, None]
    assert [claim.roots for claim in found] == [(1,), (), (), (), ()]


def test_two_cycles_are_two_findings() -> None:
    found = resolve(claims("2", "1", "4", "3", "1 or 3"))
    assert [finding for finding in rules(found) if finding[0] == "cycle"] == [
        ("cycle", 1, (1, 2)),
        ("cycle", 3, (3, 4)),
    ]


def test_forward_missing_and_self_references() -> None:
    found = resolve(claims("", "3", "1", "9", "5", "1 to 7"))
    assert rules(found) == [
        ("forward-reference", 2, (3,)),
        ("missing-claim", 4, (9,)),
        ("self-reference", 5, (5,)),
        ("self-reference", 6, (6,)),
        ("missing-claim", 6, (7,)),
    ]
    assert found.claims[3].kind == "dependent"
    assert found.claims[3].depth is None
    assert found.claims[4].roots == ()


def test_any_preceding_claim_means_those_that_there_are() -> None:
    found = resolve(
        [Claim(number=number, text="A bell.") for number in (1, 4)]
        + [Claim(number=6, text="The bell of any preceding claim.")]
    )
    assert found.claims[2].depends_on == (1, 4)
    assert [finding.rule for finding in found.findings] == ["number-gap", "number-gap"]


def test_a_second_set_refers_to_itself() -> None:
    found = resolve(
        [
            Claim(number=number, text=claim.text)
            for number, claim in zip((1, 2, 1, 2), claims("", "1", "", "1"), strict=True)
        ]
    )
    assert [claim.depth for claim in found] == [0, 1, 0, 1]
    assert found.claims[3].roots == (1,)


def test_markup_wins_and_differences_are_counted() -> None:
    found = resolve(claims("", "1", "1", marked={2: (1,), 3: (2,)}))
    assert [claim.depends_on for claim in found] == [(), (1,), (2,)]
    assert rules(found) == [("markup-differs", 3, (1,))]
    assert found.counts["markup-differs"] == 1
    assert "claim 2" in found.findings[0].message


def test_markup_that_names_a_condition_too_does_not_differ() -> None:
    text = "The bell of claim 2 when dependent on claim 1, wherein it rings."
    found = resolve([*claims("", "1", marked={2: (1,)}), Claim(number=3, text=text, references=(1, 2))])
    assert rules(found) == []
    assert found.claims[2].references.conditions == (1,)


def test_a_set_without_any_markup_goes_by_its_words() -> None:
    assert [claim.depends_on for claim in resolve(claims("", "1", marked={}))] == [(), (1,)]


SYSTEM = "A system configured to perform the method of claim 1."


def test_what_refers_to_another_category_is_dependent_unless_the_policy_says_so() -> None:
    given_set = [
        Claim(number=1, text="A method comprising ringing."),
        Claim(number=2, text=SYSTEM),
        Claim(number=3, text="The system of claim 2, wherein it is red."),
    ]
    usual, other = resolve(given_set), resolve(given_set, cross_category="independent")
    assert [claim.kind for claim in usual] == ["independent", "dependent", "dependent"]
    assert [claim.kind for claim in other] == ["independent", "independent", "dependent"]
    assert (
        [claim.cross_category for claim in other] == [claim.cross_category for claim in usual] == [False, True, False]
    )
    assert usual.counts["cross_category"] == 1
    assert other.claims[1].depends_on == ()
    assert other.claims[1].references.parents == (1,)
    assert other.claims[2].roots == (2,)


def test_nothing_at_all() -> None:
    assert len(resolve([])) == 0
    assert [finding.rule for finding in resolve([Claim(number=1, text="\0 "), Claim(number=2, text="")]).findings] == [
        "empty"
    ]


def test_elements_carry_their_places() -> None:
    text = "1. A kettle comprising: a body (10; 11); a lid, and\n a spout; and a handle."
    (found,) = resolve([Claim(number=1, text=text)])
    assert [element.text for element in found.elements] == ["a body (10; 11)", "a lid, and", "a spout", "a handle"]
    assert all(text[element.start : element.end] == element.text for element in found.elements)
    assert found.preamble == "A kettle"


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("A pen comprising a tube, a nib and an ink.", ["a tube", "a nib", "an ink"]),
        (
            "A pen comprising a tube, which is round, and at least one cap.",
            ["a tube, which is round", "at least one cap"],
        ),
        ("A method comprising heating water, adding tea, and stirring.", ["heating water", "adding tea", "stirring"]),
        (
            "The pen of claim 1, wherein the tube is red, and wherein the nib is gold.",
            ["the tube is red", "wherein the nib is gold"],
        ),
        ("A pen as shown.", []),
    ],
)
def test_elements_without_semicolons(text: str, elements: list[str]) -> None:
    (found,) = resolve([Claim(number=1, text=text)])
    assert [element.text for element in found.elements] == elements


@given(st.lists(st.lists(st.integers(1, 12), max_size=4), max_size=12))
def test_the_graph_agrees_with_a_plain_walk(named: list[list[int]]) -> None:
    found = resolve(claims(*(" or ".join(map(str, sorted({*numbers}))) for numbers in named)))
    parents = {claim.number: {*claim.depends_on} - {claim.number} for claim in found if claim.depends_on}

    def ancestors(number: int) -> set[int]:
        seen, front = set[int](), [number]
        while front:
            front = [
                parent
                for child in front
                for parent in parents.get(child, ())
                if parent not in seen and parent <= len(named)
            ]
            seen.update(front)
        return seen

    for claim in found:
        roots = {
            number
            for number in ancestors(claim.number) | {claim.number}
            if number not in parents and named[number - 1] == []
        }
        assert {*claim.roots} == roots
        assert (claim.depth is None) == (not roots)
    in_cycles = {number for finding in found.findings if finding.rule == "cycle" for number in finding.others}
    assert in_cycles == {claim.number for claim in found if claim.number in ancestors(claim.number)}
