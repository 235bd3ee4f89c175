from dataclasses import replace
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

import patstone
from patstone.errors import UsageError
from patstone.measures.measure import parse
from patstone.measures.policies import Policies
from patstone.report.signature import Signature, sign
from report.samples import three

POLICIES = st.builds(
    Policies,
    ties=st.sampled_from(["docid", "input"]),
    missing=st.sampled_from(["zero", "skip", "error"]),
    norel=st.sampled_from(["zero", "skip"]),
    duplicates=st.sampled_from(["error", "first"]),
    self=st.sampled_from(["family", "document", "keep"]),
    scores=st.sampled_from(["float64", "float32"]),
    rel=st.floats(allow_nan=False, allow_infinity=False),
    depth=st.none() | st.integers(1, 10**9),
    offices=st.lists(st.text(alphabet=ascii_uppercase, min_size=2, max_size=2), max_size=3).map(tuple),
)
SIGNATURES = st.builds(
    Signature,
    measure=st.text(),
    gold=st.text(),
    families=st.none() | st.text(),
    lengths=st.none() | st.text(),
    policies=POLICIES | st.just(Policies(ties="expected")),
    n=st.integers(0),
    seed=st.none() | st.integers(0),
    version=st.text(),
)


@given(SIGNATURES)
def test_a_signature_reads_back(signature: Signature) -> None:
    assert Signature.parse(str(signature)) == signature
    assert Signature.parse(f"{signature}\n") == signature
    assert str(signature).isprintable()


def test_it_is_written_so() -> None:
    scores = replace(three(), policies=Policies(depth=100, offices=("EP", "WO"), rel=1.5))
    assert str(sign(scores, parse("nDCG@10"), seed=7)) == (
        "nDCG@10|gold:0123456789ab|ties:docid|missing:zero|norel:zero|duplicates:error|self:family|scores:float64|"
        f"rel:1.5|unknown:apart|depth:100|offices:EP,WO|n:4|seed:7|version:{patstone.__version__}"
    )


def test_families_and_lengths_stand_in_it_where_they_were_given() -> None:
    written = str(sign(replace(three(), families="fa1", lengths="1e2"), parse("TBG")))
    assert written.startswith("TBG|gold:0123456789ab|families:fa1|lengths:1e2|ties:docid|")
    assert Signature.parse(written).families == "fa1"


def test_what_was_not_chosen_is_a_star() -> None:
    assert "|rel:1|unknown:apart|depth:*|offices:*|n:4|seed:none|" in str(sign(three(), parse("AP")))


def test_a_measure_in_it_is_a_measure() -> None:
    measure = parse("P(rel=2)@10")
    assert parse(Signature.parse(str(sign(three(), measure))).measure) == measure


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("|n:4", ""), "Look at n"),
        (("|n:4", "|n:4|n:4"), "once"),
        (("|n:4", "|m:4"), "Look at m, n"),
        (("|n:4", "|n:four"), "number"),
        (("ties:docid", "ties:random"), "'ties' policy"),
        (("depth:*", "depth:0"), "'depth' policy"),
    ],
)
def test_what_is_wrong_with_one_is_said(change: tuple[str, str], said: str) -> None:
    text = str(sign(three(), parse("AP"))).replace(*change)
    with pytest.raises(UsageError, match=said):
        Signature.parse(text)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Signature.parse(text)
