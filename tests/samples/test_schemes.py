"""Schemes on real lists: the whole CPC, a subclass in XML, and paper 2's Table 1 from a part of an F-term theme."""

import json
import os
from collections import Counter
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pytest

from patstone.cli.main import main
from patstone.patents.schemes.scheme import Scheme
from patstone.patents.schemes.sources import read_scheme

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))
CPC = SAMPLES / "samples/cpc/cpc-title-list-2022.08.tsv.gz"


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
        start = process_time()
        again = read_scheme(CPC)
        spent.append(process_time() - start)
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


def test_patstone_reproduces_table_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "paper2.table1", "--data", str(SAMPLES), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["pass"] == 30
