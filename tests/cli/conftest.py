"""Small files that the commands are tried on, and one way to run a command within the test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from console import GOOD, POOR, QRELS, Ran, Sample
from patstone.cli.main import main


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    files = {"gold.qrels": QRELS, "good.run": GOOD, "poor.run": POOR}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return Sample(tmp_path, *(str(tmp_path / name) for name in files))


@pytest.fixture
def patstone(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run `patstone WORDS` in this process."""

    def run(*words: str) -> Ran:
        code = main(words)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run
