import json
from pathlib import Path

import pytest
from pyarrow import parquet

from patstone.errors import DataError
from patstone.report.archive import write_parquet
from patstone.report.signature import Signature
from report.samples import three


def test_a_row_for_each_system_measure_and_topic(tmp_path: Path) -> None:
    scores = three()
    write_parquet(scores, tmp_path / "scores.parquet")
    table = parquet.read_table(tmp_path / "scores.parquet")
    assert table.column_names == ["system", "measure", "topic", "value"]
    rows = table.to_pylist()
    expected = [row | {"value": None if row["value"] != row["value"] else row["value"]} for row in scores.by_topic()]
    assert rows == expected
    assert sum(row["value"] is None for row in rows) == 4


def test_signatures_are_in_the_file(tmp_path: Path) -> None:
    write_parquet(three(), tmp_path / "scores.parquet")
    found = json.loads(parquet.read_schema(tmp_path / "scores.parquet").metadata[b"patstone"])
    assert list(found) == ["nDCG@10", "AP"]
    assert Signature.parse(found["AP"]).gold == "0123456789ab"


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        write_parquet(three(), tmp_path / "none" / "scores.parquet")
    assert not list(tmp_path.iterdir())
