"""Progress is for people at a terminal: it goes to standard error, only there, and wipes itself away."""

import pytest

from patstone.cli import progress
from patstone.systems.run import Run

RUN = Run.from_dict({"t": {"a": 1.0}, "u": {"b": 1.0}}, name="bm25")


def test_nobody_is_watching(capsys: pytest.CaptureFixture[str]) -> None:
    assert progress.watched([RUN]) == [RUN]
    assert capsys.readouterr() == ("", "")


def test_somebody_is_watching(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    first, second = progress.watched([RUN, RUN])
    assert [part.topics for part in first.parts()] == [("t", "u")]
    assert second.whole() is RUN
    assert (first.name, second.name) == ("bm25", "bm25")
    out, err = capsys.readouterr()
    assert out == ""
    shown, gone, gathering = err.split("\r\x1b[K")[1:]
    assert (shown, gone) == ("bm25 (1 of 2): 2 rows", "")
    assert gathering.startswith("bm25 (2 of 2): its topics are scattered")


def test_what_takes_no_time_shows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    (run,) = progress.watched([RUN])
    list(run.parts())
    assert capsys.readouterr().err == "\r\x1b[K"
