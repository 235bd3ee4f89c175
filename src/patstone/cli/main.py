"""`patstone`: find the command, run it, and turn whatever happens into an exit code and at most one line.

Exit codes: 0 ok, 1 a check failed, 2 usage, 3 bad data, 4 a missing extra, 70 a bug of ours, 130 interrupted.
This module imports nothing that takes time: `patstone --help` answers from a table.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from patstone import __version__
from patstone.errors import PatstoneError, UsageError, shorten

if TYPE_CHECKING:
    from patstone.cli.command import Command

COMMANDS = {
    "demo": "run the whole flow on a bundled collection of patents and write a report",
    "measures": "list the measures, or show formula, reference, range and rules of one",
    "score": "score ranked answers against a gold standard",
    "compare": "tell which differences between systems, or between measures, are real",
}
BUG = 70
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    # One thread adds up in one order, and many threads would only slow small sums down.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        code = dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except PatstoneError as error:
        return complain(str(error), error.exit_code)
    except BrokenPipeError:
        # The reader had enough; at exit Python would flush into the closed pipe again.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)
    except Exception as error:
        return apologise(error)
    return code


def complain(message: str, code: int) -> int:
    print(f"patstone: error: {' '.join(message.split())}", file=sys.stderr)
    return code


def apologise(error: Exception) -> int:
    if os.environ.get("PATSTONE_DEBUG"):
        from traceback import print_exception

        print_exception(error)
    what = shorten(f"{type(error).__name__}: {error}", 200)
    return complain(f"a bug in patstone, sorry ({what}); PATSTONE_DEBUG=1 shows where", BUG)


def dispatch(argv: list[str]) -> int:
    match argv:
        case []:
            print(overview(), end="", file=sys.stderr)
            return UsageError.exit_code
        case ["-h" | "--help" | "help"]:
            print(overview(), end="")
        case ["--version" | "-V"]:
            print(f"patstone {__version__}")
        case ["help", name, *_]:
            find(name).parser().print_help()
        case [name, *words]:
            return execute(find(name), words)
    return 0


def execute(command: "Command", words: list[str]) -> int:
    from shlex import join

    from patstone.cli.answer import FORMATS, chosen_format, emit

    try:
        given = command.parse(words)
    except SystemExit as stop:  # argparse's --help
        return int(stop.code or 0)
    if not command.prints_rows:
        command.run(**given)
        return 0
    output = {name: given.pop(name) for name in (*FORMATS, "out", "quiet") if name in given}
    chosen_format(output)  # a wrong call should fail before the work, not after it
    answer = command.run(**given)
    if answer is not None:
        emit(answer, output, command=join(["patstone", command.name, *words]))
    return 0


def find(name: str) -> "Command":
    """Look among our commands, then among plug-ins: that search reads every installed package's metadata."""
    from patstone.cli.command import Command

    if name in COMMANDS:
        return Command(name, getattr(import_module(f"patstone.cli.{name}"), name))
    for plugin in plugins():
        if plugin.name == name:
            return Command(name, plugin.load())
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UsageError(f"Unknown command {shorten(repr(name))}.{hint} `patstone --help` lists them.")


def plugins() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group="patstone.commands"))


def overview() -> str:
    lines = [f"  {name:<10} {does}" for name, does in COMMANDS.items()]
    lines += [f"  {plugin.name:<10} from {plugin.dist.name if plugin.dist else 'a plug-in'}" for plugin in plugins()]
    return "\n".join(
        [
            "usage: patstone COMMAND [WORDS]",
            "",
            "The touchstone for patent AI: tests any system that reads patents against gold standards.",
            "",
            *lines,
            "",
            "`patstone COMMAND --help` tells the words of a command; `patstone --version` the version.",
            "Data goes to standard output, notes to standard error. Exit codes: 0 ok, 1 a check failed, 2 usage,",
            "3 bad data, 4 a missing extra, 70 a bug of ours, 130 interrupted.",
            "",
        ]
    )
