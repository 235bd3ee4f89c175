"""Tables in every format: text, CSV, JSON lines, LaTeX, Markdown, an HTML fragment; XLSX and Parquet files.

CSV and JSON lines hold exact numbers that read back equal; the others are for people and round. Whatever a system or
a topic is called, its name stays a name: it is escaped for the format, and never becomes a spreadsheet's formula.
"""

import csv as csv_module
import io
import re
from html import escape

from patstone.report.archive import write_parquet
from patstone.report.cells import ABSENT, Cell, Column, Kind, Table, is_number, printable
from patstone.report.records import jsonl, records
from patstone.report.spreadsheet import write_xlsx
from patstone.report.text import display_width, text

__all__ = [
    "Cell",
    "Column",
    "Kind",
    "Table",
    "csv",
    "html",
    "jsonl",
    "latex",
    "markdown",
    "records",
    "text",
    "write_parquet",
    "write_xlsx",
]

# The characters with which spreadsheets begin a formula, and the full-width forms that some of them accept.
_FORMULA = tuple("=+-@＝＋－＠")


def csv(table: Table) -> str:
    source = table.for_machines
    page = io.StringIO()
    writer = csv_module.writer(page, lineterminator="\n")
    writer.writerow([guarded(name) for column in source.columns for name in _names(column)])
    for row in source.rows:
        writer.writerow(
            [field for cell, column in zip(row, source.columns, strict=True) for field in _fields(cell, column)]
        )
    return page.getvalue()


def _names(column: Column) -> list[str]:
    return [f"{column.key}_low", f"{column.key}_high"] if column.kind == "interval" else [column.key]


def _fields(cell: Cell, column: Column) -> list[str]:
    if column.kind == "interval":
        ends = cell if isinstance(cell, tuple) else (None, None)
        return [_field(end) for end in ends]
    return [_field(cell)]


def _field(cell: Cell) -> str:
    if isinstance(cell, str):
        return guarded(cell)
    return repr(cell) if is_number(cell) else ""


def guarded(name: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; show control characters."""
    words = printable(name)
    return f"'{words}" if words.startswith(_FORMULA) else words


_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#])")


def markdown(table: Table) -> str:
    columns = [_markdown_column(table, place) for place in range(len(table.columns))]
    lines = [f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True)]
    title = [f"**{_markdown(table.title)}**", ""] if table.title else []
    notes = [line for note in table.notes for line in ("", _markdown(note))]
    return "\n".join([*title, *lines, *notes]) + "\n"


def _markdown_column(table: Table, place: int) -> list[str]:
    column = table.columns[place]
    cells = [_markdown(cells[place]) for cells in table.written()]
    cells = [f"**{cell}**" if (row, place) in table.best else cell for row, cell in enumerate(cells)]
    lines = [_markdown(column.heading), *cells]
    width = max(3, *map(display_width, lines))
    ruler = "-" * (width - 1) + ":" if column.numeric else ":" + "-" * (width - 1)
    padded = [_padded(line, width, right=column.numeric) for line in lines]
    return [padded[0], ruler, *padded[1:]]


def _markdown(words: str) -> str:
    return _MARKDOWN.sub(r"\\\1", words)


def _padded(words: str, width: int, *, right: bool) -> str:
    space = " " * (width - display_width(words))
    return space + words if right else words + space


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "…": r"\dots{}",
    **{char: "\\" + char for char in "&%$#_{}"},
}


def latex(table: Table) -> str:
    """A floating table that needs the booktabs package; the best value of a column is bold."""
    layout = "".join("r" if column.numeric else "l" for column in table.columns)
    heading = _latex_row([_latex(column.heading) for column in table.columns])
    body = [_latex_row(_latex_cells(table, row, cells)) for row, cells in enumerate(table.written())]
    caption = [rf"\caption{{{_latex(table.title)}}}"] if table.title else []
    notes = ["", r"\smallskip", r"\footnotesize " + " ".join(map(_latex, table.notes))] if table.notes else []
    rules = [r"\toprule", heading, r"\midrule", *body, r"\bottomrule"]
    lines = [r"\begin{table}", r"\centering", *caption, rf"\begin{{tabular}}{{{layout}}}", *rules, r"\end{tabular}"]
    return "\n".join([*lines, *notes, r"\end{table}"]) + "\n"


def _latex_cells(table: Table, row: int, cells: list[str]) -> list[str]:
    written = []
    for place, (cell, column) in enumerate(zip(cells, table.columns, strict=True)):
        words = _latex(cell)
        if column.numeric and cell != ABSENT:
            # A hyphen is not a minus.
            words = words.replace("-", "$-$")
        written.append(rf"\textbf{{{words}}}" if (row, place) in table.best else words)
    return written


def _latex_row(cells: list[str]) -> str:
    # TeX would take these for arguments of the line break before them.
    first = "{}" + cells[0] if cells[0].startswith(("[", "*")) else cells[0]
    return " & ".join([first, *cells[1:]]) + r" \\"


def _latex(words: str) -> str:
    return "".join(_LATEX.get(char, char) for char in words)


def html(table: Table) -> str:
    """A <table>; joined columns stand small in the cell that they belong to."""
    heads = [
        f'<th scope="col"{_number_class(column)}>{escape(column.heading)}</th>'
        for column in table.columns
        if not column.joined
    ]
    body = "\n".join(_html_row(table, row, cells) for row, cells in enumerate(table.written()))
    caption = f"<caption>{escape(table.title)}</caption>\n" if table.title else ""
    head = f"<thead><tr>{''.join(heads)}</tr></thead>\n"
    notes = "".join(f'<p class="note">{escape(note)}</p>\n' for note in table.notes)
    return f"<table>\n{caption}{head}<tbody>\n{body}\n</tbody>\n</table>\n{notes}"


def _html_row(table: Table, row: int, cells: list[str]) -> str:
    parts: list[str] = []
    for place, (cell, column) in enumerate(zip(cells, table.columns, strict=True)):
        if column.joined and parts:
            label = f'<span class="label">{escape(column.heading)} </span>'
            parts[-1] += f' <small class="{column.kind}">{label}{escape(cell)}</small>'
            continue
        words = f"<strong>{escape(cell)}</strong>" if (row, place) in table.best else escape(cell)
        opening = (
            '<th scope="row">' if place < table.keys else f"<td{_number_class(column)}{_exact(table.rows[row][place])}>"
        )
        parts.append(opening + words)
    ends = ["</th>" if part.startswith("<th") else "</td>" for part in parts]
    return "<tr>" + "".join(part + end for part, end in zip(parts, ends, strict=True)) + "</tr>"


def _number_class(column: Column) -> str:
    return ' class="number"' if column.numeric else ""


def _exact(cell: Cell) -> str:
    """The exact number for sorting."""
    return f' data-value="{cell!r}"' if is_number(cell) else ""
