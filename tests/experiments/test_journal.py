"""Finished runs on disk: what was written is read back, whatever a kill cut off."""

from pathlib import Path

import numpy as np
import pytest

from patstone.errors import DataError, UsageError
from patstone.experiments.directed import Trace
from patstone.experiments.journal import Done, Journal


def done(run: int) -> Done:
    rows = np.arange(8).reshape(2, 4) + run
    trace = Trace(evaluated=rows, held_out=rows, positives=rows[:, 0], borrowed=rows[:, 1], order=np.arange(5))
    return Done(arm="directed|svm|worst-errors|none", run=run, trace=trace, parameters="C=2")


def test_it_reads_back_what_was_added(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    journal = Journal(path, "seed:0", resume=False)
    assert journal.finished() == []
    journal.add([done(3), done(1)])
    found = Journal(path, "seed:0", resume=True).finished()
    assert [(one.arm, one.run, one.parameters) for one in found] == [(done(3).arm, run, "C=2") for run in (3, 1)]
    assert (found[0].trace.evaluated == done(3).trace.evaluated).all()
    assert found[0].trace.order.dtype == np.int64


def test_a_line_that_was_cut_anywhere_is_dropped_and_the_rest_stays(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    Journal(path, "seed:0", resume=False).add([done(0), done(1)])
    whole = path.read_bytes()
    first = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for cut in range(first, len(whole)):
        path.write_bytes(whole[:cut])
        journal = Journal(path, "seed:0", resume=True)
        assert [one.run for one in journal.finished()] == [0]
        journal.add([done(1)])
        assert path.read_bytes() == whole


def test_other_runs_and_broken_lines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    Journal(path, "seed:0", resume=False).add([done(0)])
    with pytest.raises(UsageError, match="--resume"):
        Journal(path, "seed:0", resume=False)
    with pytest.raises(DataError, match="other data, words or another version"):
        Journal(path, "seed:1", resume=True).finished()
    for wrong in (b"{}\n", b"not json\n", b'{"arm": 1}\n'):
        path.write_bytes(path.read_bytes().splitlines(keepends=True)[0] + wrong)
        with pytest.raises(DataError, match="line 2: This line holds no finished run"):
            Journal(path, "seed:0", resume=True).finished()
    path.write_bytes(b"")
    with pytest.raises(DataError, match="other data"):
        Journal(path, "seed:0", resume=True).finished()
