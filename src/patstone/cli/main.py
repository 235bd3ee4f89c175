"""`patstone`: find the command, run it, and turn whatever happens into an exit code and at most one line.

Exit codes: 0 ok, 1 a check failed, 2 usage, 3 bad data, 4 a missing extra, 70 a bug of ours, 130 interrupted.
This module imports nothing that takes time: `patstone --help` answers from a table.
"""

import atexit
import gc
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

from patstone import __version__
from patstone.errors import CheckFailed, DataError, PatstoneError, UsageError, shorten

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from patstone.cli.command import Command

COMMANDS = {
    "demo": "run the whole flow on a bundled collection of patents and write a report",
    "build": "make a prior-art test collection from the citations of a collection of patents",
    "search": "answer the queries of a test collection with a baseline, or with an engine of your own",
    "measures": "list the measures, or show formula, reference, range and rules of one",
    "score": "score ranked answers against a gold standard",
    "compare": "tell which differences between systems, or between measures, are real",
    "gold audit": "judge gold standards of labels by seven criteria, each with its evidence",
    "gold codes": "tell what class codes say of a gold standard's topic, and how far codes alone get",
    "gold agree": "tell how far reviewers agree; make the consensus, generous and narrow gold standards",
    "gold fetch": "bring a published gold standard, or the bundled sample, into a folder",
    "patents claims": "split claims, find the parents of each, and tell what is wrong with their references",
    "patents number": "identify patent numbers: canonical forms, and every reading of what is ambiguous",
    "patents convert": "turn patent data of any source into a collection of Parquet tables",
    "patents info": "show what is in a collection",
    "claims check": "check claims by the rules of a linter: antecedents, terms, dependencies, wording",
    "claims degrade": "make claims worse by known degrees, so that it is known which are better",
    "claims score": "let judges score generated claims, against gold claims or without",
    "claims meta": "tell how far judges of claims agree with experts, and what fakes agreement",
    "claims train": "train a judge of claims on experts' comparisons",
    "gold map": "place the units of a gold standard on a plane, by their titles",
    "train": "simulate the training of a classifier, and tell what its scores are worth",
    "scheme show": "show a class scheme (CPC, IPC, F-terms, …) or one of its terms",
    "scheme cost": "tell how close terms of a class scheme are: BDM and other costs",
    "reproduce": "run the papers' tables again and hold them against what was published",
    "review init": "make a blind review: families to judge, a scope note, seats for reviewers",
    "review serve": "serve a blind review to your browser, or to colleagues",
    "review invite": "print a link that lets a colleague into a blind review",
    "review status": "tell how far a blind review is",
    "review export": "write the gold standards and labels of a blind review",
    "review copy": "move a blind review to another database",
}
BUG = 70
INTERRUPTED = 130


def run() -> NoReturn:
    """`main` in a process of its own."""
    # A short run makes little garbage; looking for it while modules load takes as long as loading one of them.
    gc.set_threshold(50_000)
    code = main()
    if threading.active_count() == 1:
        # Taking the interpreter apart takes as long as scoring a small run. What asked to be called at exit is called.
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    # One thread adds up in one order, and many threads would only slow small sums down.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that lacks a letter shows its escape, and a file's odd name does not end the program.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except PatstoneError as error:
        return complain(str(error), error.exit_code)
    except OSError as error:
        forget_output()
        # A reader that has had enough is no error.
        broken = isinstance(error, BrokenPipeError)
        return 0 if broken else complain(f"the system refused: {error}", DataError.exit_code)
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)
    except Exception as error:
        return apologise(error)
    return code


def forget_output() -> None:
    """At exit Python would write what is left into the broken pipe or the full disk again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
        case ["help", *words]:
            return dispatch([*command_of(words)[0].split(), "--help"])
        case [group, "-h" | "--help"] if members(group):
            print(listed(members(group)), end="")
        case [*_]:
            name, words = command_of(argv)
            return execute(find(name), words)
    return 0


def members(group: str) -> dict[str, str]:
    """The commands of a group, such as `patents number` and `patents claims`; none where the name is a command."""
    return {name: does for name, does in COMMANDS.items() if name.partition(" ")[0] == group != name}


def command_of(words: Sequence[str]) -> tuple[str, list[str]]:
    """Split a command's name, of two words where the first is a group, from the words that it is given."""
    named = 2 if members(words[0]) and words[1:2] and not words[1].startswith("-") else 1
    return " ".join(words[:named]), list(words[named:])


def execute(command: "Command", words: list[str]) -> int:
    from patstone.cli.answer import chosen_format, emit

    try:
        given = command.parse(words)
    except SystemExit as stop:  # argparse's --help
        return int(stop.code or 0)
    if not command.prints_rows:
        command.run(**given)
        return 0
    words_of_output = [entry.name for entry in command.entries if entry.group == "output"]
    output = {name: given.pop(name) for name in words_of_output if name in given}
    chosen_format(output)  # a wrong call should fail before the work, not after it
    answer = command.run(**given)
    if answer is not None:
        emit(answer, output, command=["patstone", *command.name.split(), *words])
        if answer.failed:
            raise CheckFailed(answer.failed)
    return 0


def find(name: str) -> "Command":
    """Look among our commands, then among plug-ins: that search reads every installed package's metadata."""
    from patstone.cli.command import Command

    group, _, verb = name.partition(" ")
    if name in COMMANDS:
        # A group is a package with a module for each of its commands.
        return Command(name, getattr(import_module(f"patstone.cli.{name.replace(' ', '.')}"), verb or group))
    for plugin in plugins():
        if plugin.name == name:
            return Command(name, plugin.load())
    from difflib import get_close_matches

    if name == group and members(group):
        raise UsageError(f"Say which: {', '.join(members(group))}. `patstone {group} --help` tells what each does.")
    near = get_close_matches(name, members(group) or COMMANDS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UsageError(f"Unknown command {shorten(repr(name))}.{hint} `patstone --help` lists them.")


def plugins() -> "tuple[EntryPoint, ...]":
    from importlib.metadata import entry_points

    return tuple(entry_points(group="patstone.commands"))


def overview() -> str:
    added = {plugin.name: f"from {plugin.dist.name if plugin.dist else 'a plug-in'}" for plugin in plugins()}
    return "\n".join(
        [
            "usage: patstone COMMAND [WORDS]",
            "",
            "The touchstone for patent AI: tests any system that reads patents against gold standards.",
            "",
            listed(COMMANDS | added),
            "`patstone COMMAND --help` tells the words of a command; `patstone --version` the version.",
            "Data goes to standard output, notes to standard error. Exit codes: 0 ok, 1 a check failed, 2 usage,",
            "3 bad data, 4 a missing extra, 70 a bug of ours, 130 interrupted.",
            "",
        ]
    )


def listed(commands: Mapping[str, str]) -> str:
    width = max(map(len, commands))
    return "".join(f"  {name:<{width}}  {does}\n" for name, does in commands.items())
