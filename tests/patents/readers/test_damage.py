"""Whatever happens to a file on its way, a reader gives publications and rejections, or says what is wrong with it."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patent_layouts import LAYOUTS, everything, layout
from patstone.errors import DataError
from patstone.patents.publication import Publication, Rejected
from patstone.patents.readers.formats import readers
from patstone.patents.readers.reader import Reader

FORMATS = {
    "docdb.xml": "docdb",
    "ops-biblio.xml": "ops",
    "ops-biblio.json": "ops",
    "ops-family.xml": "ops",
    "ops-claims.xml": "ops",
    "ops-fault.xml": "ops",
    "ep-grant.xml": "ep-fulltext",
    "ep-a2.xml": "ep-fulltext",
    "google.jsonl": "google-patents",
    "lens.json": "lens",
    "rospatent.json": "rospatent",
    "st96.xml": "st96",
    "table.csv": "table",
}
JSON = [name for name in FORMATS if name.endswith((".json", ".jsonl"))]


def reader(name: str) -> Reader:
    return readers()[FORMATS[name]]


def outcome(name: str, data: bytes) -> list[Publication | Rejected]:
    """Read it all; a `DataError` is an answer too, anything else is a fault of ours."""
    try:
        return everything(reader(name), data, name)
    except DataError as error:
        return [Rejected(path=name, offset=0, reason=error.rule)]


def test_every_layout_is_tried() -> None:
    ours = {path.name for path in LAYOUTS.iterdir() if path.name in FORMATS}
    assert ours == {*FORMATS}


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_is_known_by_its_own_reader_alone(name: str) -> None:
    found = [known.name for known in readers().values() if known.knows(layout(name), name)]
    assert found[0] == FORMATS[name]
    # A table may have any names for its columns, and so is asked last.
    assert found[1:] in ([], ["table"])


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_may_be_cut_anywhere(name: str) -> None:
    data = layout(name)
    whole = outcome(name, data)
    for end in range(0, len(data), max(len(data) // 60, 1)):
        found = outcome(name, data[:end])
        assert len(found) <= len(whole) + 1


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_may_change_anywhere(name: str) -> None:
    dice = random.Random(name)
    for _ in range(60):
        data = bytearray(layout(name))
        for _ in range(dice.choice((1, 1, 3, 20))):
            data[dice.randrange(len(data))] = dice.choice(b'<>"{}[]:,;&/\x00\xff 0a')
        for found in outcome(name, bytes(data)):
            assert isinstance(found, Rejected) or found.number


WRONG: list[object] = [None, True, 0, -1, 7.5, "", "x", "9" * 400, [], [[]], [None], {}, {"a": {}}, "\ud800", 10**30]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document whose value can be changed."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


@pytest.mark.parametrize("name", JSON)
def test_values_may_be_of_any_type(name: str) -> None:
    lines = layout(name).splitlines()[:1] if name.endswith("jsonl") else [layout(name)]
    for number, _ in enumerate(_places(json.loads(lines[0]))):
        for wrong in WRONG:
            document = json.loads(lines[0])
            holder, key = [*_places(document)][number]
            holder[key] = wrong
            for found in outcome(name, json.dumps(document).encode()):
                assert isinstance(found, Rejected) or found.number


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(FORMATS)), st.binary(max_size=300))
def test_anything_else_is_no_document(name: str, data: bytes) -> None:
    assert all(isinstance(found, Rejected) for found in outcome(name, data))


@pytest.mark.parametrize("name", [name for name in FORMATS if name.endswith(".xml")])
def test_entities_are_never_expanded(name: str) -> None:
    begin = layout(name).index(b"?>") + 2
    bomb = b'<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;">]>'
    data = layout(name)
    for doctype in (bomb, b'<!DOCTYPE a [<!ENTITY l SYSTEM "file:///etc/passwd">]>'):
        start = data.find(b"<!DOCTYPE")
        rest = data[begin:] if start < 0 else data[data.index(b">", start) + 1 :]
        for found in outcome(name, data[:begin] + doctype + rest):
            assert isinstance(found, Rejected) or "root:" not in repr(found)
