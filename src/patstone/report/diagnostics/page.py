"""Diagnostics as one self-contained page: the claims with what was found marked in them, and what each rule says.

Everything that comes from a file is escaped; there are no scripts and nothing is fetched.
"""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise

from patstone.files.streams import atomic
from patstone.patents.claims.checks import Diagnostic, rules
from patstone.report.cells import printable
from patstone.report.diagnostics.findings import CheckedSet, Findings


def write_html(findings: Findings, path: str) -> None:
    with atomic(path) as temporary:
        temporary.write_text(html(findings), encoding="utf-8", errors="backslashreplace")


def html(findings: Findings) -> str:
    style = files("patstone.report").joinpath("web", "claims.css").read_text("utf-8")
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8"><title>Claims checked</title>',
            f"<style>{style}</style></head><body>",
            f"<h1>Claims checked</h1><p>{escape(findings.sentence)}.</p>",
            *(part for one in findings.sets for part in _document(one)),
            "<h2>The rules that spoke</h2><dl>",
            *_rules(findings),
            "</dl></body></html>\n",
        ]
    )


def _document(one: CheckedSet) -> Iterator[str]:
    found: dict[int, list[Diagnostic]] = {}
    for each in one.checked.diagnostics:
        found.setdefault(each.place, []).append(each)
    yield f"<h2>{_safe(one.named.name)}</h2>"
    for place, claim in enumerate(one.named.claims):
        own = found.get(place, [])
        yield f'<div class="claim"><p><b>{claim.number}.</b> {_marked(claim.text, own)}</p>'
        if own:
            yield "<ul>" + "".join(map(_item, own)) + "</ul>"
        yield "</div>"


def _item(found: Diagnostic) -> str:
    code = f'<a href="#{found.code}">{found.code}</a>'
    return f'<li class="{found.severity}">{code} <b>{found.severity}</b>: {_safe(found.message)}</li>'


def _marked(text: str, found: Sequence[Diagnostic]) -> str:
    """The claim with each part in the colour of the worst that was found there: parts may overlap."""
    cuts = sorted({0, len(text), *(each.start for each in found), *(each.end for each in found)})
    parts = []
    for start, end in pairwise(cuts):
        over = [each for each in found if each.start <= start and end <= each.end]
        words = _safe(text[start:end])
        title = "; ".join(f"{each.code} {each.message}" for each in over)
        worst = min((each.severity for each in over), key=("error", "warning", "note").index, default="")
        parts.append(f'<mark class="{worst}" title="{_safe(title)}">{words}</mark>' if over else words)
    return "".join(parts)


def _rules(findings: Findings) -> Iterator[str]:
    for code in sorted({found.code for _, found in findings}):
        rule = rules()[code]
        yield f'<dt id="{code}">{code} {rule.name} ({rule.severity}): {escape(rule.title)}</dt>'
        yield f"<dd>{escape(rule.why)} <i>{escape(rule.fix)}</i></dd>"


def _safe(text: str) -> str:
    return escape("\n".join(map(printable, text.split("\n"))))
