"""The grammar of measures: what is written, what it means, and what a mistake is told."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.errors import UsageError
from patstone.measures.measure import Card, Measure, Parameter, make, parse, registry

CARDS = list(registry().values())


def cutoffs(card: Card) -> st.SearchStrategy[int | None]:
    numbers = st.integers(1, 10**17)
    return {"none": st.none(), "required": numbers, "optional": st.none() | numbers}[card.cutoff]


def settings_of(parameter: Parameter) -> st.SearchStrategy[int | float | str]:
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    low, high = max(parameter.low, -1e300), min(parameter.high, 1e300)
    if parameter.integer:
        return st.integers(int(low), int(min(high, 1e15)))
    return st.floats(low, high, exclude_min=parameter.open_low, exclude_max=parameter.open_high)


@st.composite
def measures(draw: st.DrawFn) -> Measure:
    card = draw(st.sampled_from(CARDS))
    chosen = draw(
        st.lists(st.sampled_from(card.parameters), unique_by=lambda each: each.name) if card.parameters else st.just([])
    )
    return make(card.name, {each.name: draw(settings_of(each)) for each in chosen}, draw(cutoffs(card)))


@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(measures())
def test_text_parses_back(measure: Measure) -> None:
    again = parse(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)
    assert again.arguments == measure.arguments


@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(st.text(max_size=40) | st.from_regex(r"(P|AP|nDCG|PRES)\([a-z]{0,4}=?[^()]{0,9}\)@?.{0,5}", fullmatch=True))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        measure = parse(text)
    except UsageError as error:
        assert len(str(error)) < 600  # noqa: PT017 - either outcome is fine
    else:
        assert parse(str(measure)) == measure


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_card_round_trips_with_its_defaults(card: Card) -> None:
    for cutoff in [None] * (card.cutoff != "required") + [5] * (card.cutoff != "none"):
        measure = make(card.name, {}, cutoff)
        assert str(measure) == card.name + (f"@{cutoff}" if cutoff else "")
        assert parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("P.5", "P@5"),
        ("ndcg", "nDCG"),
        ("NDCG@5", "nDCG@5"),
        ("map", "AP"),
        ("MAP", "AP"),
        ("MAP(rel=2)@10", "AP(rel=2)@10"),
        ("map_cut_100", "AP@100"),
        ("P_5", "P@5"),
        ("Precision@5", "P@5"),
        ("recall_1000", "R@1000"),
        ("Recall(rel=2)@7", "R(rel=2)@7"),
        ("recip_rank", "RR"),
        ("MRR@10", "RR@10"),
        ("RPrec", "Rprec"),
        ("success_5", "Success@5"),
        ("bpref", "Bpref"),
        ("BPref(rel=2)", "Bpref(rel=2)"),
        ("set_F", "F"),
        ("SetF(rel=2)", "F(rel=2)"),
        ("S", "S@20"),
        ("H", "H@20"),
        ("MP", "MP@20"),
        ("mr@5", "MR@5"),
        ("PRES", "PRES@100"),
        (" P( rel = 2 )@5 ", "P(rel=2)@5"),
        ("nDCG(gains='exp')@3", "nDCG(gains=exp)@3"),
        ("RBP(rel=2, p=0.5)", "RBP(p=0.5, rel=2)"),
        ("P(rel=2.0)@5", "P(rel=2)@5"),
        ("P(rel=1.5)@5", "P(rel=1.5)@5"),
    ],
)
def test_names(text: str, meaning: str) -> None:
    assert str(parse(text)) == meaning


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "Unknown measure 'nDGC@10'. Did you mean nDCG"),
        ("", "Unknown measure ''"),
        ("Success", "Success needs a cutoff, such as Success@10."),
        ("Rprec@5", "Rprec takes no cutoff. Got @5."),
        ("P@0", "The 'cutoff' parameter of P must be an int in [1, inf). Got 0 instead."),
        ("P@-1", "The 'cutoff' parameter of P must be an int in [1, inf). Got '-1' instead."),
        ("P@1.5", "The 'cutoff' parameter of P must be an int in [1, inf). Got '1.5' instead."),
        ("P_0", "The 'cutoff' parameter of P must be an int in [1, inf). Got 0 instead."),
        ("P@" + "9" * 400, "The 'cutoff' parameter of P must be an int in [1, inf). Got '999"),
        ("P(k=2)@5", "P has no parameter 'k'; it takes cost, rel."),
        ("Judged(rel=2)@5", "Judged has no parameter 'rel'; it takes no parameters."),
        ("P(rel)@5", "Can't read 'rel' in P(rel)@5: parameters are written name=value."),
        ("P(rel=1, rel=2)@5", "The parameter 'rel' stands twice in P(rel=1, rel=2)@5."),
        ("P(rel=high)@5", "The 'rel' parameter of P must be a number in (-inf, inf). Got 'high' instead."),
        ("P(rel=nan)@5", "must be a number in (-inf, inf). Got nan instead."),
        ("P(rel=inf)@5", "must be a number in (-inf, inf). Got inf instead."),
        ("P(rel=1_0)@5", "must be a number in (-inf, inf). Got '1_0' instead."),
        (f"P(rel=1{'0' * 400})@5", "must be a number in (-inf, inf). Got 1000"),
        (f"P(rel={'9' * 5000})@5", "must be a number in (-inf, inf). Got inf instead."),
        ("RBP(p=1)", "The 'p' parameter of RBP must be a number in [0, 1). Got 1 instead."),
        ("TBG(h=0)", "The 'h' parameter of TBG must be a number in (0, inf). Got 0 instead."),
        ("nDCG(gains=log)@5", "The 'gains' parameter of nDCG must be one of 'linear', 'exp'. Got 'log' instead."),
        ("x" * 10_000, "Unknown measure 'xxx"),
    ],
)
def test_mistakes_name_the_fix(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        parse(text)
    assert len(str(caught.value)) < 400


def test_an_integer_parameter_refuses_what_is_no_integer() -> None:
    parameter = Parameter(name="n", default=1, doc="a count", low=1, integer=True)
    assert parameter.check("M", 3.0) == 3
    for value in (1.5, float("inf"), float("nan"), 10**400, True, "3", 0):
        with pytest.raises(UsageError, match="must be an int in"):
            parameter.check("M", value)


def test_a_cutoff_from_python_must_be_an_int() -> None:
    with pytest.raises(UsageError, match="must be an int"):
        make("P", {}, 2.5)  # type: ignore[arg-type]


def test_a_policy_fills_in_only_what_was_left_open() -> None:
    assert str(parse("P@5").with_default("rel", 2)) == "P(rel=2)@5"
    assert str(parse("P@5").with_default("rel", 1)) == "P@5"
    assert str(parse("P(rel=3)@5").with_default("rel", 2)) == "P(rel=3)@5"
    assert parse("nDCG@5").with_default("rel", 2) == parse("nDCG@5")


def test_a_level_that_was_written_out_stays_even_if_it_is_the_default() -> None:
    written = parse("P(rel=1)@5")
    assert written == parse("P@5")
    assert written.with_default("rel", 2).arguments["rel"] == 1
    assert parse(str(written)).with_default("rel", 2).arguments["rel"] == 1


def test_names_differ_even_without_case() -> None:
    assert len({card.name.lower() for card in CARDS}) == len(CARDS)


def test_no_alias_is_a_measure_of_ours() -> None:
    for card in CARDS:
        for other in CARDS:
            assert not any(re.fullmatch(alias.pattern, other.name) for alias in card.aliases), (card.name, other.name)
