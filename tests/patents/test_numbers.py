"""Numbers as sources write them, and what they must be read as."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patents.number_shapes import GOLDEN, SHAPES, Shape
from patstone.errors import UsageError
from patstone.patents.numbers import canonical, identify, identify_all
from patstone.patents.numbers.offices import Form, countries, office

SPELLINGS = [(text, number) for number, texts in GOLDEN["numbers"].items() for text in texts]
# An office without forms of its own, such as Mexico, takes those of all others.
OFFICES = sorted(code for code in countries() if code == "MX" or office(code).forms != office("MX").forms)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.office} {shape.made_up} {shape.kind}".strip())
def test_shapes_of_real_files(shape: Shape) -> None:
    found = identify(shape.made_up, country=shape.office, kind=shape.kind, date=shape.date)
    assert [reading.canonical for reading in found.readings] == shape.expected(shape.made_up)
    assert found.ambiguous == (len(shape.readings) > 1)


@pytest.mark.parametrize(("text", "number"), SPELLINGS)
def test_every_spelling_of_a_number_is_that_number(text: str, number: str) -> None:
    found = identify(text)
    assert (found.canonical, found.ambiguous, found.input) == (number, False, text)


def test_no_two_publications_share_a_canonical_form() -> None:
    """Each key of the golden numbers is another publication or application, and so is each shape."""
    asked: list[tuple[str, str, str, str, tuple[str, ...]]] = [
        (text, "", "", "", (number,)) for text, number in SPELLINGS
    ]
    asked += [
        (shape.made_up, shape.office, shape.kind, shape.date, tuple(shape.expected(shape.made_up) or ()))
        for shape in SHAPES
    ]
    owners: dict[str, set[tuple[str, ...]]] = {}
    for text, country, kind, date, meant in asked:
        for reading in identify(text, country=country, kind=kind, date=date).readings:
            owners.setdefault(reading.canonical, set()).add(meant)
    assert {name: owner for name, owner in owners.items() if len(owner) > 1} == {}
    assert len({shape.made_up for shape in SHAPES}) == len(SHAPES)


@pytest.mark.parametrize(("text", "readings"), GOLDEN["ambiguous"].items())
def test_several_readings_are_never_a_guess(text: str, readings: list[str]) -> None:
    found = identify(text)
    assert (found.ambiguous, found.canonical) == (True, "")
    assert [reading.canonical for reading in found.readings] == readings


@pytest.mark.parametrize(("text", "why"), GOLDEN["unreadable"].items())
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    found = identify(text)
    assert (found.readings, found.ambiguous) == ((), False)
    assert why in found.reason


@pytest.mark.parametrize(
    ("text", "context", "number"),
    [
        ("US10012345", {"kind": "B2"}, "US10012345B2"),
        ("US10012345", {"date": "2018-07-03"}, "US10012345"),
        ("US10012345", {"date": "2002-03-11"}, "US10/012345"),
        ("US10012345", {"role": "application"}, "US10/012345"),
        ("US10012345", {"role": "publication"}, "US10012345"),
        ("JP 7300979", {"date": "1995-11-14"}, "JPH07300979"),
        ("JP 7300979", {"kind": "B2"}, "JP7300979B2"),
        ("JP 7-300979", {"role": "application"}, "JP/1995300979"),
        ("55-081471", {"country": "JP", "date": "19800600"}, "JPS5581471"),
        # Five is Showa 5, 1930, and Heisei 5, 1993.
        ("JP 5-11471 B", {"date": "1930"}, "JPS0511471B"),
        ("JP 5-11471 B", {"date": "1993-02-15"}, "JPH0511471B"),
        ("KR 10-2002-0059419", {"date": "2002-07"}, "KR20020059419"),
        ("FR 0412345", {"role": "application"}, "FR/0412345"),
        # DOCDB files an international application under the office that received it, with the kind W.
        ("2004012345", {"country": "EP", "kind": "W"}, "PCT/EP2004/012345"),
        ("9912345", {"country": "US", "kind": "W", "role": "application"}, "PCT/US1999/012345"),
    ],
)
def test_context_decides(text: str, context: dict[str, str], number: str) -> None:
    found = identify(text, **context)
    assert (found.canonical, found.input) == (number, text)


def test_a_date_that_fits_nothing_is_told() -> None:
    found = identify("JP 61-105664", date="1998-06-01")
    assert len(found.readings) == 2
    assert "fits no reading" in found.reason


def test_dates_inside_a_text() -> None:
    dated = {"US7875293B2_20110125": "2011-01-25", "US7875293B2_20110100": "2011-01", "US7875293B2_20110000": "2011"}
    assert {text: identify(text).readings[0].date for text in dated} == dated
    # Eight digits behind the office are the number.
    assert identify("TW 20041234").readings == ()
    assert [reading.date for reading in identify("US 10012345").readings] == ["", ""]


def test_parts_apart() -> None:
    assert canonical("US", "D439981", "S") == "USD439981S"
    assert canonical("JP", "55-081471", date="19800600") == "JPS5581471"
    assert canonical("", "12345") == ""


def test_a_role_is_one_of_two() -> None:
    with pytest.raises(UsageError, match="publication or application"):
        identify("US1", role="grant")


def instances(form: Form) -> st.SearchStrategy[str]:
    """Numbers as a form writes them, within the years and serials that it allows."""
    parts = re.findall(r"\{(\w)(?::(\d+)(?:-(\d+))?)?(?:\+(\d+))?\}|(.)", form.pattern.text)
    return st.tuples(*(_part(form, *part) for part in parts)).map("".join)


def _part(form: Form, name: str, low: str, high: str, offset: str, literal: str) -> st.SearchStrategy[str]:
    if literal:
        return st.sampled_from(["", "-"]) if literal == "~" else st.just(literal.replace("/", "-"))
    first, last = int(low or {"Y": 4, "c": 2}.get(name, 1)), int(high or low or {"Y": 4, "c": 2}.get(name, 1))
    if name in "Yy":
        counted, years = int(offset or 0), range(form.years[0], min(form.years[1], 2077) + 1)
        fitting = [str(year - counted).zfill(first) for year in years if 0 <= year - counted < 10**first]
        return st.sampled_from(fitting)
    if name == "n":
        start, stop = max(form.serials[0], 1), min(form.serials[1], 10**last - 1)
        return st.integers(start, stop).map(lambda value: str(value).zfill(first))
    if name == "d":
        return st.just("7")
    return (
        st.just("") if name == "k" else st.text("ABCD" if name == "c" else "0123456789", min_size=first, max_size=last)
    )


@pytest.mark.parametrize("code", OFFICES)
@settings(max_examples=60)
@given(data=st.data())
def test_what_is_written_is_read_again(code: str, data: st.DataObject) -> None:
    """Parse, format, parse: for every office and form, the canonical form of a reading is read as that reading."""
    form = data.draw(st.sampled_from(office(code).forms))
    kinds = [kind for kind in office(code).kinds if form.takes(kind)] if form.role == "publication" else []
    kind = data.draw(st.sampled_from(["", *kinds]))
    found = identify(f"{code}{data.draw(instances(form))}{kind}", role=form.role)
    for reading in found.readings:
        again = identify(reading.canonical, role=reading.role)
        assert reading.canonical in {each.canonical for each in again.readings}
        if len(again.readings) == 1:
            assert (again.canonical, again.readings[0]) == (reading.canonical, reading)


@given(st.text(max_size=90), st.sampled_from(["", "US", "JP", "WO", "zz"]), st.sampled_from(["", "B2", "W", "00"]))
def test_nothing_crashes(text: str, country: str, kind: str) -> None:
    found = identify(text, country=country, kind=kind)
    assert found.input == text
    assert bool(found.readings) or bool(found.reason)
    (columns,) = identify_all([text], countries=[country], kinds=[kind]).canonical
    assert columns == found.canonical


NOISE = "0123456789 -/.,ABHSUEPJWOKR#;_№特開"


@given(st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=6), st.integers(0, 10**6))
def test_columns_say_what_single_numbers_say(texts: list[tuple[str, str]], seed: int) -> None:
    """Columns go by arrays where a shape comes often, so each spelling comes with other digits many times."""
    chance = random.Random(seed)
    changed = [
        re.sub(r"\d", lambda digit: chance.choice("0123456789" + digit[0] * 10), text)
        for text, _ in texts
        for _ in range(15)
    ]
    changed.append("".join(chance.choices(NOISE, k=12)))
    kinds = [chance.choice(["", "", "A", "B1", "W", "junk"]) for _ in changed]
    dates = [chance.choice(["", "", "1995-01-01", "20040500", "1930", "never"]) for _ in changed]
    for role in ("", "publication", "application"):
        found = identify_all(changed, kinds=kinds, dates=dates, role=role)
        singles = [found[row] for row in range(len(found))]
        assert found.canonical.tolist() == [one.canonical for one in singles]
        assert found.readings.tolist() == [len(one.readings) for one in singles]
        assert found.ambiguous.tolist() == [one.ambiguous for one in singles]


def test_columns_of_context_must_fit() -> None:
    with pytest.raises(UsageError, match=r"as long as the numbers: 2\. Got 1"):
        identify_all(["US1", "US2"], kinds=["B2"])
    assert len(identify_all([])) == 0
