"""Whatever happens becomes an exit code, data on standard output, and at most one line on standard error."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest

import patstone as ps
from console import Ran, shell
from patstone.cli import main as shell_module
from patstone.cli.answer import Answer
from patstone.cli.command import Command
from patstone.errors import CheckFailed, DataError, MissingExtra, UsageError

Run = Callable[..., Ran]


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"]])
def test_help_lists_every_command(patstone: Run, words: list[str]) -> None:
    ran = patstone(*words)
    assert (ran.code, ran.err) == (0, "")
    for name, summary in shell_module.COMMANDS.items():
        assert f"  {name} " in ran.out
        assert summary in ran.out


def test_nothing_said_is_a_usage_error_that_helps(patstone: Run) -> None:
    ran = patstone()
    assert (ran.code, ran.out) == (2, "")
    assert "usage: patstone COMMAND" in ran.err


def test_version(patstone: Run) -> None:
    assert patstone("--version") == Ran(0, f"patstone {ps.__version__}\n", "")


@pytest.mark.parametrize("name", shell_module.COMMANDS)
def test_every_command_has_help_with_examples(patstone: Run, name: str) -> None:
    ran = patstone(*name.split(), "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: patstone {name}")
    assert f"\n  patstone {name}" in ran.out
    assert patstone("help", *name.split()).out == ran.out


def test_a_group_finds_its_commands_by_two_words(patstone: Run) -> None:
    both = patstone("scheme", "--help").out
    assert [line.split()[:2] for line in both.splitlines()] == [["scheme", "show"], ["scheme", "cost"]]
    assert patstone("help", "scheme").out == both
    assert patstone("help", "scheme", "cost").out == patstone("scheme", "cost", "--help").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scheme"], "Say which: scheme show, scheme cost. `patstone scheme --help`"),
        (["scheme", "--json"], "Say which: scheme show, scheme cost."),
        (["scheme", "cots"], "Unknown command 'scheme cots'. Did you mean 'scheme cost'?"),
    ],
)
def test_a_group_says_what_it_has(patstone: Run, words: list[str], message: str) -> None:
    ran = patstone(*words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scor"], "Unknown command 'scor'. Did you mean 'score'?"),
        (["score"], "Missing: GOLD, RUN. Files stand before -m"),
        (["score", "a", "-m", "AP", "b"], "Missing: RUN. Files stand before -m"),
        (["score", "a", "b", "--jsn"], "Unknown word '--jsn'. Did you mean --json?"),
        (["score", "a", "b", "--ties", "coin"], "invalid choice: 'coin'"),
        (["score", "a", "b", "--depth", "many"], "Argument --depth: invalid int value: 'many'."),
        (["score", "a", "b", "--json", "--csv"], "Ask for one format at a time. Got --json --csv."),
        (["score", "a", "b", "--columns", "topic"], "Columns are written as name=column,name=column."),
        (["score", "a", "b", "--slice", "office"], "--slice needs --topics FILE"),
        (["measures", "nDGC"], "Did you mean nDCG"),
        (["compare", "a", "b", "--alpha", "0.1"], "--alpha means nothing without --discriminative"),
        (
            ["compare", "a", "b", "--discriminative", "--baseline", "b"],
            "--baseline means nothing with --discriminative",
        ),
    ],
)
def test_wrong_calls_end_with_2_and_one_line_that_helps(patstone: Run, words: list[str], message: str) -> None:
    ran = patstone(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("patstone: error: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CheckFailed("no"), 1),
        (UsageError("no"), 2),
        (DataError("no", path="a.run", line=3), 3),
        (MissingExtra("report", "A page"), 4),
        (KeyboardInterrupt(), 130),
        (ZeroDivisionError("why"), 70),
    ],
)
def test_each_error_has_its_exit_code(
    patstone: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(shell_module, "find", lambda name: Command(name, fail))
    ran = patstone("anything")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("patstone: error: ")
    assert "Traceback" not in ran.err
    assert ran.err.count("\n") == 1


def test_an_answer_whose_check_failed_is_printed_and_ends_with_1(
    patstone: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gate() -> Answer:
        return Answer(tables=(), payload=lambda: {"results": []}, text=lambda: "seen\n", failed="Too small.")

    monkeypatch.setattr(shell_module, "find", lambda name: Command(name, gate))
    assert patstone("anything") == Ran(1, "seen\n", "patstone: error: Too small.\n")


def test_a_bug_shows_its_traceback_on_request(patstone: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ZeroDivisionError("why")

    monkeypatch.setattr(shell_module, "find", lambda name: Command(name, fail))
    monkeypatch.setenv("PATSTONE_DEBUG", "1")
    ran = patstone("anything")
    assert ran.code == 70
    assert "Traceback" in ran.err
    assert "ZeroDivisionError: why" in ran.err


def test_a_plug_in_is_found_when_the_name_is_not_ours(patstone: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = EntryPoint("greet", "plugged:greet", "patstone.commands")
    monkeypatch.setattr(shell_module, "plugins", lambda: (plugin,))
    monkeypatch.setattr(EntryPoint, "load", lambda _: greet)
    assert patstone("greet") == Ran(0, "good day\n", "")
    assert "greet" in patstone("--help").out


def greet() -> None:
    """Say good day.

    Try:
      patstone greet
    """
    print("good day")  # noqa: T201


def test_help_imports_nothing_heavy() -> None:
    found = loaded("--help")
    assert found.isdisjoint({"numpy", "pyarrow", "openpyxl", "argparse", "json"})


def test_measures_and_help_of_score_import_only_what_they_need() -> None:
    assert loaded("score", "--help").isdisjoint({"numpy", "pyarrow", "openpyxl", "altair", "json", "hashlib"})
    assert loaded("measures", "AP").isdisjoint({"pyarrow", "openpyxl", "altair", "pandas", "scipy"})


def loaded(*words: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = (
        "import sys\nfrom patstone.cli.main import main\n"
        f"main({list(words)!r})\nprint(*sys.modules, file=sys.stderr, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_in_a_process_of_its_own() -> None:
    ran = shell("--help")
    assert (ran.code, ran.err) == (0, "")


def test_a_broken_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m patstone measures --json | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "{\n0\n"


def test_a_full_disk_is_one_line() -> None:
    command = f"{sys.executable} -m patstone measures --json > /dev/full; echo $?"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout == "3\n"
    assert done.stderr.startswith("patstone: error: the system refused: ")
    assert done.stderr.count("\n") == 1


def test_numpy_gets_one_thread_unless_the_user_says_otherwise(patstone: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    patstone("--version")
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    patstone("--version")
    assert os.environ["OPENBLAS_NUM_THREADS"] == "2"


def test_a_terminal_that_knows_only_ascii_gets_an_answer_too() -> None:
    ran = shell("measures", "PRES", PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert "PRES" in ran.out
