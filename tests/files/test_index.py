"""Look-up of ids: exact, whatever their lengths and hashes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patstone.files import ids
from patstone.files.index import Index, first_places

NAMES = st.lists(st.text("ABC123", min_size=1, max_size=20), unique=True, max_size=30)


@given(NAMES, NAMES)
def test_finds_what_a_dictionary_finds(stored: list[str], asked: list[str]) -> None:
    places = {name: place for place, name in enumerate(stored)}
    found = Index.of(ids.pack(stored)).find(ids.pack(asked))
    assert found.tolist() == [places.get(name, -1) for name in asked]


def test_ids_of_other_widths_are_told_apart() -> None:
    index = Index.of(ids.pack(["12345678", "1234567"]))
    assert index.find(ids.pack(["12345678", "123456789", "1234567", "123"])).tolist() == [0, -1, 1, -1]


def test_ids_that_share_a_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "hashed", lambda columns: columns[0] % np.uint64(3))
    stored = [f"D{number}" for number in range(40)]
    asked = [f"D{number}" for number in range(50)]
    found = Index.of(ids.pack(stored)).find(ids.pack(asked))
    assert found.tolist() == [*range(40), *[-1] * 10]


@pytest.mark.parametrize("distinct", [0, 2, 1 << 64])
def test_first_places_are_a_dictionarys(distinct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when hashes hardly differ, so that ids go on meeting in the slots."""
    honest = ids.hashed
    if distinct < 1 << 64:
        monkeypatch.setattr(ids, "hashed", lambda *given: honest(*given) * np.uint64(0) + np.uint64(distinct // 2))
    rng = np.random.default_rng(4)
    names = [f"EP{number}" for number in rng.integers(0, 300, 2000).tolist()]
    beside = rng.integers(0, 3, 2000)
    seen: dict[tuple[str, int], int] = {}
    expected = [seen.setdefault(pair, row) for row, pair in enumerate(zip(names, beside.tolist(), strict=True))]
    assert first_places(ids.pack(names), beside).tolist() == expected
    seen_alone: dict[str, int] = {}
    assert first_places(ids.pack(names)).tolist() == [seen_alone.setdefault(n, row) for row, n in enumerate(names)]


def test_first_places() -> None:
    assert first_places(ids.pack(["A", "B", "A", "C", "B"])).tolist() == [0, 1, 0, 3, 1]
