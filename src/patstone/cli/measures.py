"""`patstone measures`: every measure, or all about one, read off the cards that declare them."""

from typing import TYPE_CHECKING, Any

from patstone.cli.answer import Answer

if TYPE_CHECKING:
    from patstone.measures.measure import Card, Parameter
    from patstone.report.tables import Table

SPELLED = {"required": "@k", "optional": "[@k]", "none": ""}
"""How a cutoff is written, by what the card says about it."""


def measures(name: str | None = None) -> Answer:
    """List the measures, or show one: formula, reference, range, direction, parameters and rules.

    Try:
      patstone measures
      patstone measures PRES
      patstone measures ndcg_cut_10 --json
    """
    from patstone import api

    cards = api.measures(name)
    return Answer(
        tables=sections(cards) if name is None else [one(card) for card in cards],
        data=[rows_of(cards)],
        text=None if name is None else lambda: "\n".join(map(told, cards)),
        payload=lambda: {"signature": None, "results": [described(card) for card in cards], "counts": {}},
    )


def sections(cards: "list[Card]") -> "list[Table]":
    """A table for each section."""
    titles = dict.fromkeys(card.section for card in cards)
    return [listed(title, [card for card in cards if card.section == title]) for title in titles]


def listed(title: str, cards: "list[Card]") -> "Table":
    from patstone.report.tables import Column, Table

    return Table(
        title=title,
        columns=(Column(key="measure"), Column(key="parameters"), Column(key="title", label="what it is")),
        rows=tuple((card.name + SPELLED[card.cutoff], parameters_of(card), card.title) for card in cards),
    )


def parameters_of(card: "Card") -> str:
    return " ".join(parameter.name for parameter in card.parameters)


def rows_of(cards: "list[Card]") -> "Table":
    """One table of all, for CSV and JSON lines."""
    from patstone.report.tables import Column, Table

    keys = ("measure", "title", "section", "formula", "reference", "undefined")
    rows = tuple(tuple(described(card)[key] for key in keys) for card in cards)
    return Table(title="", columns=tuple(Column(key=key) for key in keys), rows=rows)


def one(card: "Card") -> "Table":
    from patstone.report.tables import Column, Table

    return Table(
        title=f"{card.name}: {card.title}",
        columns=(Column(key="field"), Column(key="value")),
        rows=tuple(facts(card)),
    )


def told(card: "Card") -> str:
    """All about one, in paragraphs that fit the terminal."""
    from shutil import get_terminal_size
    from textwrap import fill

    # A formula must never be cut, so this is no table.
    width = max(get_terminal_size().columns, 40)
    lines = [fill(f"{name:<10}  {words}", width, subsequent_indent=" " * 12) for name, words in facts(card)]
    return "\n".join([f"{card.name}: {card.title}", "", *lines, ""])


def facts(card: "Card") -> list[tuple[str, str]]:
    """What the card says, as pairs for people."""
    rows = [
        ("written", card.name + SPELLED[card.cutoff]),
        ("section", card.section),
        ("formula", card.formula),
        ("reference", card.reference),
        ("range", spelled_range(card)),
        ("direction", "higher is better" if card.higher_is_better else "lower is better"),
        ("undefined", card.undefined),
    ]
    if card.cutoff != "none":
        default = f" (default {card.default_cutoff})" if card.default_cutoff is not None else ""
        rows.append(("cutoff", f"{card.cutoff}: {card.cutoff_doc}{default}"))
    rows += [(parameter.name, spelled(parameter)) for parameter in card.parameters]
    rows += [("needs", ", ".join(card.needs))] if card.needs else []
    rows += [("also read", "; ".join(alias.written for alias in card.aliases))] if card.aliases else []
    return rows


def spelled_range(card: "Card") -> str:
    # An unbounded end is open.
    left = "(" if card.low == float("-inf") else "["
    right = ")" if card.high == float("inf") else "]"
    return f"{left}{card.low:g}, {card.high:g}{right}"


def spelled(parameter: "Parameter") -> str:
    return f"{parameter.doc}; {parameter.allowed}, default {parameter.default}"


def described(card: "Card") -> dict[str, Any]:
    """What the card says, for machines; an unbounded end of the range is null."""
    return {
        "measure": card.name,
        "title": card.title,
        "section": card.section,
        "formula": card.formula,
        "reference": card.reference,
        "range": [bound if abs(bound) != float("inf") else None for bound in (card.low, card.high)],
        "higher_is_better": card.higher_is_better,
        "undefined": card.undefined,
        "cutoff": card.cutoff,
        "default_cutoff": card.default_cutoff,
        "needs": list(card.needs),
        "aliases": [alias.written for alias in card.aliases],
        "parameters": [
            {"name": each.name, "default": each.default, "allowed": each.allowed, "doc": each.doc}
            for each in card.parameters
        ],
    }
