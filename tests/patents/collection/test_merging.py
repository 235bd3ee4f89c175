"""What becomes of documents, families and citations when sources are merged."""

import json
from pathlib import Path
from typing import Any

import pytest

import patstone as ps
from collections_made import made, rows, table
from patstone.files import ids
from patstone.patents.collection import gathering, parts
from patstone.patents.families import read_families


def test_documents_are_numbered_by_office_date_and_number(tmp_path: Path) -> None:
    numbers = ["US7000002B2", "EP1000001A1", "US7000001B2", "US20100000001A1"]
    dates = ["2006-02-14", "2000-10-11", "2006-02-14", ""]
    found = made(tmp_path, [{"number": number, "date": date} for number, date in zip(numbers, dates, strict=True)])
    assert rows(found, "documents", "number") == ["EP1000001A1", "US20100000001A1", "US7000001B2", "US7000002B2"]
    assert rows(found, "documents", "doc") == [0, 1, 2, 3]
    assert rows(found, "documents", "date") == ["2000-10-11", None, "2006-02-14", "2006-02-14"]
    assert len(found) == 4


def test_the_source_named_first_wins_and_others_fill_in(tmp_path: Path) -> None:
    first = {"number": "EP1000001A1", "title": "First", "ipc": ["G06F17/30"], "date": "2000-10-11"}
    second = {"number": "EP1000001A1", "title": "Second", "abstract": "Of the second.", "family": "77"}
    other = {"number": "EP1000002A1", "title": "Other", "date": "2001", "claims": "1. A part.\n2. The part of claim 1."}
    third = {"number": "EP1000001A1", "claims": "1. A thing.", "applicants": ["ACME"], "abstract": "Of the third."}
    found = made(tmp_path, [first], [second, other], [third])
    document = rows(found, "documents")[0]
    assert (document["title"], document["abstract"], document["family_id"]) == ("First", "Of the second.", "77")
    assert (document["applicants"], document["ipc"], document["cpc"]) == (["ACME"], ["G06F17/30"], None)
    assert rows(found, "claims", "doc", "number", "kind", "depends_on", "text") == [
        {"doc": 0, "number": 1, "kind": "independent", "depends_on": [], "text": "A thing."},
        {"doc": 1, "number": 1, "kind": "independent", "depends_on": [], "text": "A part."},
        {"doc": 1, "number": 2, "kind": "dependent", "depends_on": [1], "text": "The part of claim 1."},
    ]
    assert found.counts["merged"]["records"] == 4
    assert len(found) == 2


def test_within_a_source_what_comes_later_wins(tmp_path: Path) -> None:
    folder = tmp_path / "deliveries"
    folder.mkdir()
    table(folder / "1.jsonl", {"number": "EP1000001A1", "title": "Old"}, {"number": "EP1000001A1", "title": "Older"})
    table(folder / "2.jsonl", {"number": "EP1000001A1", "title": "New"}, {"number": "EP1000001A1", "title": "Newest"})
    found = ps.convert(folder, tmp_path / "collection")
    assert rows(found, "documents", "title") == ["Newest"]


def test_sources_of_a_document_are_told(tmp_path: Path) -> None:
    wrapper = {"publication_number": "EP-1000001-A1", "title_localized": [{"text": "G", "language": "en"}]}
    table(tmp_path / "google.jsonl", wrapper)
    table(tmp_path / "own.jsonl", {"number": "EP1000001A1"}, {"number": "EP1000002A1"})
    found = ps.convert([tmp_path / "own.jsonl", tmp_path / "google.jsonl"], tmp_path / "collection")
    assert rows(found, "documents", "sources") == [["table", "google-patents"], ["table"]]
    assert rows(found, "documents", "title") == ["G", None]
    assert found.counts["by"]["documents"]["source"] == {"google-patents": 1, "table": 2}


FAMILIES: list[tuple[dict[str, Any], str, str]] = [
    # The family that the source gives, however the priorities differ.
    ({"number": "EP1000001A1", "family": "7", "priorities": ["US12/000001"]}, "a", "source"),
    ({"number": "JP2005123456A", "family": "7", "priorities": ["US12/000002"]}, "a", "source"),
    # What has the application of one, and what has the same priorities.
    ({"number": "EP1000003A1", "family": "8", "application": "EP99100001"}, "b", "source"),
    ({"number": "EP1000003B1", "application": "EP99100001"}, "b", "application"),
    ({"number": "EP1000004A1", "family": "9", "priorities": ["US12/000003", "US12/000004"]}, "c", "source"),
    ({"number": "US7000004B2", "priorities": ["US12/000004", "US12/000003"]}, "c", "priorities"),
    # No source knows a family: exactly the same priorities, and not some of them.
    ({"number": "US7000005B2", "priorities": ["US12/000005"]}, "d", "priorities"),
    ({"number": "EP1000005A1", "priorities": ["US12/000005"], "family": "0"}, "d", "priorities"),
    ({"number": "EP1000006A1", "priorities": ["US12/000005", "US12/000006"]}, "e", "alone"),
    # A first filing is what later ones claim.
    ({"number": "US7000007B2", "application": "US12/000007"}, "f", "priorities"),
    ({"number": "EP1000007A1", "priorities": ["US12/000007"]}, "f", "priorities"),
    ({"number": "US20100000008A1", "application": "US12/000008"}, "g", "application"),
    ({"number": "US7000008B2", "application": "US12/000008"}, "g", "application"),
    # Nothing is told: never together by what is empty, 0 or -1.
    ({"number": "EP1000009A1", "family": "0"}, "h", "alone"),
    ({"number": "EP1000010A1", "family": "-1"}, "i", "alone"),
    ({"number": "EP1000011A1", "family": ""}, "j", "alone"),
]


def test_families(tmp_path: Path) -> None:
    found = made(tmp_path, [row for row, _, _ in FAMILIES])
    told = {row["number"]: row for row in rows(found, "documents")}
    names: dict[int, set[str]] = {}
    for row, name, _ in FAMILIES:
        names.setdefault(told[row["number"]]["family"], set()).add(name)
    assert sorted(names.values(), key=min) == [{name} for name in "abcdefghij"]
    assert {number: row["family_by"] for number, row in told.items()} == {row["number"]: by for row, _, by in FAMILIES}
    first = [rows(found, "documents", "family").index(family) for family in range(1, 11)]
    assert first == sorted(first)
    assert found.counts["by"]["families"]["rule"] == {"alone": 4, "application": 3, "priorities": 5, "source": 4}


def test_extended_families_hang_together_through_others(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        [
            {"number": "EP1000001A1", "priorities": ["US12/000001", "US12/000002"]},
            {"number": "EP1000002A1", "priorities": ["US12/000002", "US12/000003"]},
            {"number": "EP1000003A1", "priorities": ["US12/000003"]},
            {"number": "US7000004B2", "application": "US12/000001"},
            {"number": "EP1000005A1", "extended": "5"},
            {"number": "EP1000006A1", "extended": "5"},
            {"number": "EP1000007A1", "extended": "0"},
            {"number": "EP1000008A1", "extended": "0"},
        ],
    )
    assert rows(found, "documents", "extended") == [1, 1, 1, 2, 2, 3, 4, 1]
    assert rows(found, "documents", "family") == [1, 2, 3, 4, 5, 6, 7, 8]


def test_families_are_a_table_of_their_own(tmp_path: Path) -> None:
    found = made(tmp_path, [row for row, _, _ in FAMILIES])
    assert rows(found, "families", "family") == sorted(rows(found, "documents", "family"))
    names = {row["doc"]: row["number"] for row in rows(found, "documents", "doc", "number")}
    assert all(names[row["doc"]] == row["document"] for row in rows(found, "families"))
    families = read_families(found.file("families"))
    given, member, other = families.of(ids.pack(["EP1000001A1", "JP2005123456A", "EP1000009A1"])).tolist()
    assert given == member != other


def test_an_application_with_two_families_is_counted(tmp_path: Path) -> None:
    documents = [{"number": f"EP100000{kind}", "application": "EP99100001", "family": kind} for kind in ("1A1", "1B1")]
    found = made(tmp_path, documents)
    assert found.counts["merged"]["applications_with_several_families"] == 1
    assert found.counts["totals"]["families"] == 2


def test_citations_mean_documents(tmp_path: Path) -> None:
    cites = ["EP1000002A1", "EP1000003B1", "US7000005", "JP2005-123456", "EP1000009A1", "FR2800000A1"]
    found = made(
        tmp_path,
        [
            {"number": "EP1000001A1", "citations": cites, "literature": ["A book"]},
            {"number": "EP1000002A1"},
            {"number": "EP1000003A1"},
            {"number": "US7000005B2"},
            {"number": "JP2005123456A", "family": "1"},
            {"number": "FR2800000B1"},
        ],
    )
    meant = {row["cited_number"] or row["raw"]: (row["cited"], row["matched"]) for row in rows(found, "citations")}
    docs = {row["number"]: row["doc"] for row in rows(found, "documents", "number", "doc")}
    assert meant == {
        "EP1000002A1": (docs["EP1000002A1"], "exact"),
        # All kinds of one European number are one application; a French B1 may be another document than the A1.
        "EP1000003B1": (docs["EP1000003A1"], "number"),
        "US7000005": (docs["US7000005B2"], "number"),
        "JP2005123456": (docs["JP2005123456A"], "number"),
        "EP1000009A1": (None, None),
        "FR2800000A1": (None, None),
        "A book": (None, None),
    }
    assert set(rows(found, "citations", "citing")) == {docs["EP1000001A1"]}


def test_a_number_of_several_inventions_is_not_resolved(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        [
            {"number": "EP1000001A1", "citations": ["JPS6163700"]},
            {"number": "JPS6163700A", "family": "1"},
            {"number": "JPS6163700B2", "family": "2"},
        ],
    )
    assert [(row["cited"], row["matched"]) for row in rows(found, "citations")] == [(None, "ambiguous")]


def test_citations_of_several_sources_are_united(tmp_path: Path) -> None:
    graded = {"number": "EP1000002A1", "category": "X", "phase": "SEA", "claims": "1-3"}
    first = {"number": "EP1000001A1", "citations": ["EP1000002A1", "EP1000003A1"], "literature": ["A  book"]}
    second = {"number": "EP1000001A1", "citations": [graded, {"number": "EP1000004A1"}], "literature": ["A book"]}
    single = {"number": "EP1000000A1", "citations": ["EP1000009A1", "EP1000008A1"]}
    found = made(tmp_path, [first, single], [second])
    told = [
        (row["citing"], row["cited_number"], row["category"], row["cited_by"], row["claims"])
        for row in rows(found, "citations")
    ]
    assert told == [
        (0, "EP1000009A1", None, "unknown", None),
        (0, "EP1000008A1", None, "unknown", None),
        (1, "EP1000002A1", "X", "examiner", [1, 2, 3]),
        (1, "EP1000003A1", None, "unknown", None),
        (1, None, None, "unknown", None),
        (1, "EP1000004A1", None, "unknown", None),
    ]


OVERLAY = {
    "response": {
        "docs": [
            {
                "patentApplicationNumber": application,
                "citedDocumentIdentifier": cited,
                "citationCategoryCode": "X",
                "relatedClaimNumberText": "1-2",
                "examinerCitedReferenceIndicator": True,
            }
            for application, cited in [
                ("15123456", "US 2013/0341529 A1"),
                ("15123456", "US 7000001 B2"),
                ("15999999", "US 7000001 B2"),
            ]
        ]
    }
}


def test_office_actions_join_the_latest_publication_of_their_application(tmp_path: Path) -> None:
    application = {"number": "US20180000001A1", "date": "2018-01-04", "application": "US15/123456"}
    grant = {"number": "US10000001B2", "date": "2018-06-19", "application": "US15/123456", "citations": ["US7000001B2"]}
    table(tmp_path / "own.jsonl", application, grant)
    (tmp_path / "actions.json").write_text(json.dumps(OVERLAY))
    found = ps.convert([tmp_path / "own.jsonl", tmp_path / "actions.json"], tmp_path / "collection")
    numbers = rows(found, "documents", "number")
    assert numbers == ["US20180000001A1", "US10000001B2"]
    assert [(numbers[row["citing"]], row["cited_number"], row["category"]) for row in rows(found, "citations")] == [
        ("US10000001B2", "US7000001B2", "X"),
        ("US10000001B2", "US20130341529A1", "X"),
    ]
    assert found.counts["merged"]["overlays"] == 2
    assert found.counts["merged"]["overlays_without_document"] == 1


def test_texts_in_several_languages(tmp_path: Path) -> None:
    titles = [{"language": "de", "text": "Teil"}, {"language": "en", "text": "Part"}]
    document = {"publication_number": "EP-1000001-A1", "title_localized": titles}
    table(tmp_path / "google.jsonl", document)
    found = ps.convert(tmp_path / "google.jsonl", tmp_path / "collection")
    assert [(row["title"], row["titles"]) for row in rows(found, "documents")] == [("Part", titles)]


@pytest.mark.parametrize("often", [0, 1000])
@pytest.mark.parametrize(("batch", "chunk", "block"), [(1, 1, 1), (300, 900, 5_000), (1_000, 2_500, 900)])
def test_sizes_and_ways_of_gathering_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, chunk: int, block: int, often: int
) -> None:
    sources = [
        [
            {
                "number": f"US{7_000_000 + (place * 37 + source * 3) % 60}B2",
                "date": f"20{place % 20:02}-01-01",
                "title": f"{source}/{place}" if (place + source) % 3 else "",
                "abstract": "words " * (place % 50),
                "claims": f"1. A part {place}.",
                "citations": [f"US{7_000_000 + place}B2", "EP1000001A1"][: place % 3],
            }
            for place in range(40)
        ]
        for source in range(2)
    ]
    (tmp_path / "plain").mkdir()
    (tmp_path / "cut").mkdir()
    plain = made(tmp_path / "plain", *sources)
    monkeypatch.setattr(parts, "BATCH", batch)
    monkeypatch.setattr(gathering, "CHUNK", chunk)
    monkeypatch.setattr(gathering, "KEPT", chunk)
    monkeypatch.setattr(gathering, "OPEN", 1)
    monkeypatch.setattr(gathering, "BLOCK", block)
    monkeypatch.setattr(gathering, "OFTEN", often)
    cut = made(tmp_path / "cut", *sources)
    assert plain.counts["totals"]["documents_of_several_sources"] == 0
    assert plain.counts["merged"]["records"] == 80
    for name in ("documents", "claims", "citations", "families"):
        assert rows(cut, name) == rows(plain, name)
