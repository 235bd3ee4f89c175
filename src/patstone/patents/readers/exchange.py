"""The EPO's exchange document, which DOCDB delivers and OPS answers with, as a publication.

DOCDB and OPS write the same things slightly differently: the format of a number (docdb, epodoc, original) stands on
the reference or on its id, claims and categories of a citation inside or beside the passages, classes whole or in
parts. Namespaces are gone before (`unqualified`), since single files use `exch:` declared, undeclared or not at all.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from patstone.errors import DataError
from patstone.patents.publication import Citation, Publication, Text
from patstone.patents.readers import citing
from patstone.patents.readers.classes import symbols
from patstone.patents.readers.fields import any_day, day, family
from patstone.patents.readers.markup import Element, fold, text, texts
from patstone.patents.readers.numbering import applied, cited, published

_COUNTRY = re.compile(r"\s*\[[A-Z]{2}\]$", re.ASCII)
# DOCDB's form has its parts apart; epodoc and original ones must be taken apart first, which may fail.
_FORMATS = ("docdb", "epodoc", "original")
# The same applicant is `SIEMENS AG [DE]` in one form and spelt as printed in another.
_NAMES = ("docdb", "epodoc", "docdba", "original", "")
_CLASS_PARTS = ("section", "class", "subclass", "main-group", "subgroup")
# A priority that was withdrawn or found wrong makes no family.
_INACTIVE = ("N", "NO")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """What is referred to, by the best of its forms; an epodoc number has its country within."""

    form: str = ""
    country: str = ""
    number: str = ""
    kind: str = ""
    date: str = ""
    language: str = ""

    @property
    def raw(self) -> str:
        return " ".join(filter(None, (self.country, self.number, self.kind)))

    @property
    def application(self) -> str:
        return applied(self.country, self.number, self.kind, self.date) if self.number else ""


def unqualified(root: Element) -> Element:
    """Take the namespaces off all names, in place."""
    for node in root.iter():
        node.tag = _local(node.tag)
        for name in [name for name in node.attrib if "}" in name or ":" in name]:
            node.set(_local(name), node.attrib.pop(name))
    return root


def _local(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2]


def exchange_publication(node: Element, source: str, *, simple: str = "", extended: str = "") -> Publication:
    """Read an exchange document; `simple` and `extended` are families that its surroundings tell."""
    biblio = node.find("bibliographic-data")
    if biblio is None:
        raise DataError("An exchange document must have bibliographic data.")
    own = reference(biblio.iterfind("publication-reference"))
    country, number, kind = (
        # A delivery says them on the document itself, OPS on its reference.
        node.get(name) or said
        for name, said in (("country", own.country), ("doc-number", own.number), ("kind", own.kind))
    )
    date = day(node.get("date-publ") or own.date, "The publication date")
    application = reference(biblio.iterfind("application-reference"))
    priorities = active_priorities(biblio.iterfind("priority-claims/priority-claim"))
    classes = [*_classes(biblio)]
    return Publication(
        number=published(country, number, kind, date),
        raw=" ".join(filter(None, (country, number, kind))),
        source=source,
        country=country,
        kind=kind,
        date=date,
        application=application.application,
        filed=any_day(application.date),
        priorities=tuple(dict.fromkeys(found.application for found in priorities)),
        priority_date=earliest(priorities),
        family=family(node.get("family-id")) or simple,
        extended=extended,
        language=(text(biblio.find("language-of-publication")) or own.language).lower(),
        titles=_by_language(biblio.iterfind("invention-title")),
        abstracts=_by_language(node.iterfind("abstract")),
        ipc=_ipc(biblio),
        cpc=symbols((words for name, words in classes if name.startswith("CPC")), "cpc"),
        fi=symbols((words for name, words in classes if name.startswith("FI")), "fi"),
        fterm=symbols((words for name, words in classes if name.startswith("FTE")), "fterm"),
        applicants=_applicants(biblio),
        citations=tuple(_citation(entry, country, date) for entry in biblio.iterfind("references-cited/citation")),
    )


def reference(nodes: Iterable[Element]) -> Reference:
    """Give one reference out of all its forms; what the best form does not tell, another one may."""
    found = [_reference(identity, node) for node in nodes for identity in node.iterfind("document-id")]
    found.sort(key=lambda one: _FORMATS.index(one.form) if one.form in _FORMATS else len(_FORMATS))
    if not found:
        return Reference()
    return replace(
        found[0],
        date=next((one.date for one in found if one.date), ""),
        language=next((one.language for one in found if one.language), ""),
    )


def _reference(identity: Element, node: Element) -> Reference:
    form = identity.get("document-id-type") or node.get("data-format") or "docdb"
    country, number = text(identity.find("country")), text(identity.find("doc-number"))
    if not country and form == "epodoc":
        country, number = number[:2], number[2:]
    return Reference(
        form=form,
        country=country,
        number=number,
        kind=text(identity.find("kind")),
        date=text(identity.find("date")),
        language=identity.get("lang", ""),
    )


def active_priorities(claims: Iterable[Element]) -> list[Reference]:
    """Give the priorities that count, in DOCDB's form where there is one; their sequence differs from form to form."""
    active = (claim for claim in claims if text(claim.find("priority-active-indicator")).upper() not in _INACTIVE)
    known = [found for found in (reference([claim]) for claim in active) if found.number]
    best = next((form for form in _FORMATS if any(found.form == form for found in known)), "")
    return [found for found in known if found.form == best]


def earliest(priorities: Iterable[Reference]) -> str:
    return min(filter(None, (any_day(found.date) for found in priorities)), default="")


def _by_language(nodes: Iterable[Element]) -> tuple[Text, ...]:
    """Give the first text of each language; DOCDB repeats one in several forms."""
    found: dict[str, str] = {}
    for node in nodes:
        if words := text(node):
            found.setdefault(node.get("lang", "").lower(), words)
    return tuple(Text(language=language, text=words) for language, words in found.items())


def _ipc(biblio: Element) -> tuple[str, ...]:
    entries = biblio.findall("classifications-ipcr/classification-ipcr/text")
    if not entries:
        entries = [node for node in biblio.iterfind("classification-ipc//*") if node.tag.endswith("classification")]
    return symbols(map(text, entries), "ipc")


def _classes(biblio: Element) -> Iterator[tuple[str, str]]:
    """Give each class with its scheme; offices repeat each other's."""
    for node in biblio.iterfind("patent-classifications/patent-classification"):
        scheme = node.find("classification-scheme")
        words = text(node.find("classification-symbol"))
        # CPC stands in parts, IPC as one word.
        if not words:
            section, number, letter, group, subgroup = (text(node.find(part)) for part in _CLASS_PARTS)
            words = f"{section}{number}{letter}{group}/{subgroup}"
        yield ("" if scheme is None else scheme.get("scheme", "")), words


def _applicants(biblio: Element) -> tuple[str, ...]:
    """Give the names in the most regular form that the document has them in."""
    entries = biblio.findall("parties/applicants/applicant")
    for form in _NAMES:
        names = texts(node.find("applicant-name") for node in entries if node.get("data-format", "") == form)
        if names:
            return tuple(_COUNTRY.sub("", name).rstrip(", ") for name in names)
    return ()


def _citation(entry: Element, country: str, date: str) -> Citation:
    patent = entry.find("patcit")
    refers = Reference() if patent is None else reference([patent])
    phase = citing.phase(entry.get("cited-phase", ""))
    # Beside the passages in some deliveries, inside them in others.
    direct = entry.findall("category") or entry.findall("rel-passage/category")
    literature = entry.find("nplcit/text")
    return Citation(
        cited=cited(refers.country, refers.number, refers.kind, any_day(refers.date)),
        # What can't be read stays visible: the number as printed, or the text of literature.
        raw=refers.raw or ("" if patent is None else patent.get("dnum", "")) or text(literature),
        patent=patent is not None,
        cited_by=citing.cited_by(phase, country=country, date=date, said=entry.get("cited-by", "")),
        category=citing.category(*map(text, direct)),
        phase=phase,
        claims=citing.claim_numbers(*map(text, entry.iter("rel-claims"))),
        passages="; ".join(filter(None, map(_passage, entry.iterfind("rel-passage/passage")))),
        date=any_day(refers.date),
    )


def _passage(node: Element) -> str:
    """Keep the parts of a passage apart, which DOCDB marks up: page, column, line."""
    return fold(" ".join(node.itertext())).strip("* ")
