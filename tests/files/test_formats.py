"""What the name of a file says of its format."""

from pathlib import Path

from patstone.files.formats import format_of, split_sheet, suffix


def test_names_tell_formats() -> None:
    assert [format_of(name) for name in ("a.CSV", "a.tsv.gz", "a.ndjson.zst", "a.xlsx#S", "a.pq", "a", "-")] == [
        "csv",
        "tsv",
        "jsonl",
        "xlsx",
        None,
        None,
        None,
    ]
    assert suffix("a.b.JSON.gz") == ".json"


def test_a_sheet_is_split_off_unless_the_file_is_named_so(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx#1"
    assert split_sheet(path) == (str(tmp_path / "a.xlsx"), "1")
    path.touch()
    assert split_sheet(path) == (str(path), None)
    assert split_sheet("a.csv#1") == ("a.csv#1", None)
