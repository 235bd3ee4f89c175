"""JSON documents one at a time, whatever is around them, and what becomes of broken ones."""

import json
from io import BytesIO
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patent_layouts import source
from patstone.errors import DataError
from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers import documents
from patstone.patents.readers.documents import read_documents
from patstone.patents.readers.fields import Record, text


def publication(document: Record) -> Publication:
    number = text(document.get("n"), "n")
    return Publication(number=number, raw=number, source="test", country="EP", description=str(document.get("t", "")))


def run(data: str | bytes, lists: tuple[str, ...] = ("data",)) -> list[Publication | Rejected]:
    raw = data.encode() if isinstance(data, str) else data
    return [*read_documents(source(raw), publication, name="n", lists=lists)]


def numbers(found: list[Publication | Rejected]) -> list[str]:
    return [one.number for one in found if isinstance(one, Publication)]


@pytest.mark.parametrize(
    "data",
    [
        '{"n": "1"}\n{"n": "2"}\n',
        '\ufeff{"n": "1"}\n\n{"n": "2"}',
        '[{"n": "1"}, {"n": "2"}]',
        ' [\n {"n": "1"},\n {"n": "2"}\n]\n',
        '{"total": 2, "data": [{"n": "1"}, {"n": "2"}], "took": 3}',
        '{\n "total": 2,\n "data": [\n  {"n": "1"}, {"n": "2"}\n ]\n}',
        '{\n "n": "1"\n}\n{\n "n": "2"\n}',
        '[{"n": "1"}]\n[{"n": "2"}]',
    ],
)
def test_documents_are_found_in_any_wrapping(data: str) -> None:
    assert numbers(run(data)) == ["1", "2"]


@pytest.mark.parametrize("data", ["", "[]", " \n", '{"data": []}', "[ ]\n"])
def test_nothing_is_no_error(data: str) -> None:
    assert run(data) == []


def test_a_broken_line_costs_only_itself() -> None:
    found = run(b'{"n": "1"}\n{"n": "2",}\n{"n": 1, "n": 2}\n{"n": NaN}\n[1]\n{"n": "\xff"}\n{"n": [1]}\n{"n": "9"}\n')
    assert numbers(found) == ["1", "9"]
    wrong = [one for one in found if isinstance(one, Rejected)]
    assert [one.offset for one in wrong] == [2, 3, 4, 5, 6, 7]
    assert "double quotes" in wrong[0].reason
    assert "twice" in wrong[1].reason
    assert "NaN" in wrong[2].reason
    assert "object" in wrong[3].reason
    assert "UTF-8" in wrong[4].reason


def test_a_wrong_member_of_a_list_costs_only_itself() -> None:
    found = run('[{"n": "1"}, 7, {"n": "2", "n": "3"}, {"n": "4"}]')
    assert numbers(found) == ["1", "4"]
    assert [one.offset for one in found if isinstance(one, Rejected)] == [2, 3]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('[{"n": "1"}, {"n": }, {"n": "3"}]', "after document 1"),
        ('[{"n": "1"}', "missing at its end"),
        ('[{"n": "1"} {"n": "2"}]', "missing before {"),
        ('{\n"n" "1"}', "missing before"),
        ("[" * 200_000, "nested too deeply"),
        (b'[{"n": "\xff"}]', "not UTF-8"),
        ("[1]".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_list_that_breaks_off_says_where(data: str | bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        run(data)


def test_a_long_list_is_never_in_memory_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_CHUNK", 1 << 10)
    written = b"[" + b",".join(b'{"n": "%d", "t": "%s"}' % (place, b"x" * 400) for place in range(2_000)) + b"]"
    taken = 0

    class Counted(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            nonlocal taken
            chunk = super().read(size)
            taken += len(chunk)
            return chunk

    found = read_documents(Rewindable("here", lambda: cast(BinaryIO, Counted(written))), publication, name="n")
    first = [next(found) for _ in range(100)]
    assert numbers(first) == [str(place) for place in range(100)]
    assert taken < len(written) / 10


def test_a_document_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LARGEST", 1 << 20)
    with pytest.raises(DataError, match="over 1 MB"):
        run('[{"n": "' + "x" * (3 << 20) + '"}]')
    with pytest.raises(DataError, match="over 1 MB"):
        run('{"n": "' + "x" * (3 << 20) + '"}')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.lists(JSON, max_size=6), st.integers(1, 40), st.sampled_from([None, 1]))
def test_a_list_reads_the_same_however_it_is_cut(values: list[Any], chunk: int, indent: int | None) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=False).encode(errors="replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_CHUNK", chunk)
        assert [value for _, value in documents._whole(source(data), ())] == json.loads(data)
