"""Schemes on real lists: the whole CPC, a subclass in XML, and paper 2's Table 1 from a part of an F-term theme."""

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from patstone.measures.hierarchy import Hierarchy, similarity
from patstone.patents.schemes.scheme import Scheme
from patstone.patents.schemes.sources import read_scheme

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))
CPC = SAMPLES / "samples/cpc/cpc-title-list-2022.08.tsv.gz"

TABLE_1 = {
    ("AA", "AA01"): 0.64,
    ("AA", "AA65"): 0.61,
    ("AA", "AA02"): 0.63,
    ("AA", "AA03"): 0.47,
    ("AA01", "AA65"): 0.45,
    ("AA01", "AA02"): 0.90,
    ("AA01", "AA03"): 0.75,
    ("AA65", "AA02"): 0.50,
    ("AA65", "AA03"): 0.38,
    ("AA02", "AA03"): 0.76,
}
"""Paper 2, Table 1; pairs with BA, of another viewpoint, are 0.00 there."""


@pytest.fixture(scope="module")
def cpc() -> Scheme:
    return read_scheme(CPC, keep=False)


def test_every_symbol_of_the_cpc_has_its_place(cpc: Scheme) -> None:
    assert (len(cpc), cpc.kind, cpc.notes) == (260_263, "cpc", ())
    # By level in the list: none is section, class and subclass.
    dots = np.bincount(cpc.depth)
    assert dots[1:4].sum() == 819
    assert dots[4:].tolist() == [9773, 48211, 69930, 62479, 35076, 17654, 8039, 3651, 1552, 1241, 728, 489, 621]
    [term] = cpc.terms(["A01C2001/048"])
    assert [cpc.symbol(place) for place in cpc.chain(int(term))][1:] == [
        "A",
        "A01",
        "A01C",
        "A01C1/00",
        "A01C1/04",
        "A01C2001/048",
    ]


def test_the_cpc_is_read_in_time_and_from_the_cache_in_no_time(
    cpc: Scheme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow  # noqa: F401 - importing it is no part of the reading

    monkeypatch.setenv("PATSTONE_CACHE", str(tmp_path))
    read_scheme(CPC)
    spent = []
    for _ in range(5):
        start = perf_counter()
        again = read_scheme(CPC)
        spent.append(perf_counter() - start)
    assert min(spent) < 0.1
    assert (again.parent == cpc.parent).all()
    assert (again.symbols == cpc.symbols).all()
    assert again.titles[260_263] == cpc.titles[260_263]
    start = perf_counter()
    read_scheme(CPC, keep=False)
    assert perf_counter() - start < 2


def test_a_subclass_in_xml_agrees_with_the_title_list(cpc: Scheme) -> None:
    part = read_scheme(SAMPLES / "samples/uspto/cpcScheme/cpc-scheme-A01L.xml")
    symbols = [part.symbol(term) for term in range(1, len(part.symbols))]
    there = cpc.terms(symbols)
    assert cpc.depth[there].tolist() == part.depth[1:].tolist()
    listed = [cpc.symbol(term) for term in range(1, len(cpc.symbols)) if cpc.symbols[term].startswith(b"A01L")]
    assert Counter(listed) == Counter(symbols[2:])


@pytest.fixture
def theme(tmp_path: Path) -> Hierarchy:
    """What is known of theme 2C088: the branch of AA01, and from outside of it three numbers."""
    part = (SAMPLES / "f-term-2C088/AA-subtree.csv").read_text()
    (tmp_path / "2C088.csv").write_text(part + "AA65,1\nBA,0\n")
    scheme = read_scheme(tmp_path / "2C088.csv")
    aa, aa01, aa65 = scheme.terms(["AA", "AA01", "AA65"])
    known = Hierarchy.of(scheme)
    chain, children = known.chain.copy(), known.children.copy()
    chain[aa65], chain[aa], children[aa] = 4.2, chain[aa01], 4
    # Only the product of the two means comes into it.
    return replace(known, mean_chain=10.85, mean_branching=1.0, chain=chain, children=children)


def test_paper_2_table_1(theme: Hierarchy) -> None:
    keys, responses = (theme.scheme.terms([pair[side] for pair in TABLE_1]) for side in (0, 1))
    for one, other in ((keys, responses), (responses, keys)):
        assert similarity(theme, "bdm", one, other).round(2).tolist() == list(TABLE_1.values())
    ba = np.repeat(theme.scheme.terms(["BA"]), len(keys))
    assert not similarity(theme, "bdm", keys, ba).any()
