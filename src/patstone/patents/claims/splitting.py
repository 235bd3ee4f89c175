"""A claim set's plain text into numbered claims.

The first number sets the style (`1.`, `1)`, `Claim 1:`, `【請求項１】`), and only numbers of that style begin claims:
at the start of a line or, where they count on, behind the end of a sentence. Gaps, duplicates and restarts are kept as
they stand, for `resolve` to report. Text before claim 1 that is no heading becomes claim 0; a text without numbers
is claim 1. Line ends inside a claim stay, since they may part its features.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from patstone.patents.claims.labels import WORD
from patstone.patents.publication import Claim

_LABEL = re.compile(
    r"(?:(?P<line>^[ \t\u3000\xa0]{0,20})|(?<=[.;!?:])\s{1,8}|(?<=[。；])\s{0,8}|(?=【))"
    rf"(?P<open>[【(\[])?(?P<word>(?:{WORD})\s?)?"
    r"(?P<number>\d{1,4})(?!\d)(?:\s?[-–—]\s?(?P<last>\d{1,4})(?!\d))?"
    r"\s?(?P<sign>】|\.\)|[.．)）\]、:：](?!\d)|[-–—](?=\s)|(?=\s{0,3}\n)|(?=\s?\())\s{0,8}",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(
    r"claim|anspr(?:uch|üche)|revendi|формула|пункт|权利要求|權利要求|請求の範囲|請求項|申請專利範圍", re.IGNORECASE
)
_LONGEST_HEADING = 120
_ENDS = tuple(".;!?。；")
# `Fig. 2. It …` ends no sentence, so that its number begins no claim.
_ABBREVIATED = re.compile(r"\b(?:nos?|figs?|eqs?|approx|ca|vol|abb|nr|рис|фиг|ex|seq|id|al)\.\s{0,8}$", re.IGNORECASE)
_CANCELLED = re.compile(r"\(?\s?(?:cancelled|canceled|deleted|withdrawn)", re.IGNORECASE)
# A typing error such as 1-9999 must not make thousands of claims.
_MOST_CANCELLED = 1000


@dataclass(frozen=True, slots=True)
class _Label:
    number: int
    last: int
    style: tuple[str, bool, str]
    start: int
    end: int
    line: bool
    """Whether it stands at the start of a line."""


def split(text: str, language: str = "") -> tuple[Claim, ...]:
    """Cut at the numbers that begin claims."""
    labels = list(_chosen(text))
    if not labels or _is_body(lead := text[: labels[0].start].strip()):
        whole = text.strip()
        return (Claim(number=1, text=whole, language=language),) if whole else ()
    found = [] if not lead or _is_heading(lead) else [Claim(number=0, text=lead, language=language)]
    ends = [*(label.start for label in labels[1:]), len(text)]
    for label, end in zip(labels, ends, strict=True):
        words = text[label.end : end].strip()
        found += [Claim(number=number, text=words, language=language) for number in _numbers(label, words)]
    return tuple(found)


def _is_heading(lead: str) -> bool:
    return len(lead) <= _LONGEST_HEADING and _HEADING.search(lead) is not None


def _is_body(lead: str) -> bool:
    """Whether the numbers behind it count steps of one claim: `A method comprising: 1. mixing 2. heating`."""
    return lead.endswith((":", ",", "：", "，")) and not _is_heading(lead)


def _numbers(label: _Label, words: str) -> range:
    """Usually one; `1-20. (cancelled)` is twenty claims."""
    several = 0 < label.last - label.number < _MOST_CANCELLED and _CANCELLED.match(words)
    return range(label.number, label.last + 1 if several else label.number + 1)


def _chosen(text: str) -> Iterator[_Label]:
    last: _Label | None = None
    for found in _LABEL.finditer(text):
        label = _label(found)
        if _begins(text, label) if last is None else _follows(text, label, last):
            last = label
            yield label


def _label(found: re.Match[str]) -> _Label:
    number = int(found["number"])
    sign = (found["sign"] or "").translate({ord("．"): ".", ord("）"): ")", ord("："): ":"})
    return _Label(
        number=number,
        last=int(found["last"] or number),
        style=(found["open"] or "", found["word"] is not None, sign),
        start=found.start(),
        end=found.end(),
        line=found["line"] is not None or "\n" in found.group().rstrip("\n")[: found.start("number") - found.start()],
    )


def _begins(text: str, label: _Label) -> bool:
    """Whether the label begins the first claim: on a line of its own, or behind `We claim:`."""
    return label.line or label.style[0] == "【" or _is_heading(text[: label.start])


def _follows(text: str, label: _Label, last: _Label) -> bool:
    """Whether the label begins a claim behind the last one rather than counting something inside it."""
    # Steps inside a claim are numbered in another style than the claims around them.
    if label.style != last.style:
        return False
    if label.style[0] == "【":
        return True
    before = text[max(last.end, label.start - 20) : label.start].rstrip()
    ended = before.endswith(_ENDS) and not _ABBREVIATED.search(before)
    counts_on = label.number == last.last + 1
    # Claims begin alike: where the first has a capital, a small letter goes on with a list or a sentence.
    first, own = text[last.end : last.end + 1], text[label.end : label.end + 1]
    if own.islower() and not first.islower():
        return False
    return (counts_on or ended) and (ended or own.isalpha()) if label.line else counts_on and ended
