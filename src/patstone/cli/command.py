"""From a function to a command: its name, its words, its help and its parser are read off its signature.

Parameters that may be positional are arguments, keyword-only ones are options, and `**scoring` is a group of the
vocabulary. A command that returns an `Answer` gets every output option; the framework prints what it returns.
"""

import argparse
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from patstone.cli.answer import Answer
from patstone.cli.words import GROUPS, WORDS, Word
from patstone.errors import UsageError


@dataclass(frozen=True)
class Entry:
    """One word in one command."""

    name: str
    word: Word
    default: object
    """What the function's signature says; None where it says nothing."""
    positional: bool = False
    required: bool = False
    group: str = ""

    @property
    def flag(self) -> str:
        # `from` is a word of Python's own, so that a function has to call it `from_`.
        return "--" + self.name.rstrip("_").replace("_", "-")

    @property
    def shown(self) -> str:
        """How an argument stands in a line of usage."""
        name = (self.word.metavar or self.name.upper()) + ("..." if self.word.many else "")
        return name if self.required else f"[{name}]"

    @property
    def sentence(self) -> str:
        default = self.word.default if self.default is None else self.default
        default = ", ".join(map(str, default)) if isinstance(default, tuple) else default
        shown = f" (default: {default})" if default not in (None, "", ()) and default is not False else ""
        return self.word.help + shown


@dataclass(frozen=True)
class Command:
    name: str
    run: Callable[..., Answer | None]

    @cached_property
    def doc(self) -> tuple[str, str]:
        """The first line of the function's docstring, and the rest."""
        summary, _, rest = inspect.cleandoc(self.run.__doc__ or "").partition("\n")
        return summary.strip(), rest.strip()

    @cached_property
    def prints_rows(self) -> bool:
        return inspect.signature(self.run).return_annotation is Answer

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        found = [
            entry for parameter in inspect.signature(self.run).parameters.values() for entry in self._of(parameter)
        ]
        # A command whose --out is the place of what it makes prints its rows to standard output only.
        own = {entry.name for entry in found}
        output = [entry for entry in _group("output") if entry.name not in own] if self.prints_rows else []
        return (*found, *output)

    def _of(self, parameter: inspect.Parameter) -> Iterator[Entry]:
        if parameter.kind is parameter.VAR_KEYWORD:
            yield from _group(parameter.name)
            return
        # One command may mean something of its own by a word, and says so in the vocabulary.
        word = WORDS.get(f"{self.name} {parameter.name}") or WORDS[parameter.name]
        missing = parameter.default is parameter.empty
        default = None if missing else parameter.default
        yield Entry(parameter.name, word, default, parameter.kind is parameter.POSITIONAL_OR_KEYWORD, missing)

    @property
    def usage(self) -> str:
        """Arguments by name; options have the rest of the page."""
        shown = [entry.shown for entry in self.entries if entry.positional]
        measured = ["-m M..."] if any(entry.word.short == "-m" for entry in self.entries) else []
        return " ".join(["patstone", self.name, *shown, *measured, "[options]"])

    def parse(self, argv: Sequence[str]) -> dict[str, Any]:
        """The words given, by name; a word left out is left to the function's default."""
        return vars(self.parser().parse_args(list(argv)))

    def parser(self) -> argparse.ArgumentParser:
        parser = _Parser(
            prog=f"patstone {self.name}",
            usage=self.usage,
            description=self.doc[0],
            epilog=self.doc[1],
            formatter_class=_Help,
            # A word left out must not reach the function, whose own default then holds.
            argument_default=argparse.SUPPRESS,
            # An abbreviation that works today would break when a second word begins alike.
            allow_abbrev=False,
            add_help=False,
        )
        groups = {title: parser.add_argument_group(title) for title in ("arguments", "options", *GROUPS)}
        for entry in self.entries:
            _add(groups["arguments" if entry.positional else entry.group or "options"], entry)
        groups["options"].add_argument("-h", "--help", action="help", help="show this help and stop")
        return parser


def _group(name: str) -> tuple[Entry, ...]:
    return tuple(Entry(key, word, None, group=name) for key, word in GROUPS[name].items())


def _add(group: argparse._ArgumentGroup, entry: Entry) -> None:
    # argparse formats help with %.
    word, sentence = entry.word, entry.sentence.replace("%", "%%")
    flags = [*([word.short] if word.short else []), entry.flag]
    if entry.positional:
        shown = word.metavar or entry.name.upper()
        nargs = ("+" if entry.required else "*") if word.many else None if entry.required else "?"
        group.add_argument(entry.name, metavar=shown, nargs=nargs, type=word.kind, help=sentence)
    elif word.switch:
        group.add_argument(*flags, dest=entry.name, action="store_true", help=sentence)
    else:
        group.add_argument(
            *flags,
            dest=entry.name,
            action="extend" if word.many else "store",
            nargs=None if not word.many else "*" if word.bare else "+",
            type=word.kind,
            choices=word.choices or None,
            metavar=None if word.choices else word.metavar or "TEXT",
            help=sentence,
        )


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One sentence, in place of argparse's screen of usage."""
        raise UsageError(f"{self._hint(message)} (`{self.prog} --help` lists the words)")

    def _hint(self, message: str) -> str:
        if message.startswith("the following arguments are required: "):
            names = message.removeprefix("the following arguments are required: ")
            return f"Missing: {names}. Files stand before -m, which takes all words after it."
        if message.startswith("unrecognized arguments: "):
            return self._unknown(message.removeprefix("unrecognized arguments: "))
        return message[:1].upper() + message[1:] + "."

    def _unknown(self, words: str) -> str:
        from difflib import get_close_matches

        from patstone.errors import shorten

        first = words.partition(" ")[0].partition("=")[0]
        near = get_close_matches(first, self._option_string_actions, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        return f"Unknown word {shorten(words)!r}.{hint}"
