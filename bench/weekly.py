"""A weekly file of the US office as it would be: thousands of grants in a row, in the layout of XML 4.5, from a seed.

The words are drawn from a small vocabulary and mean nothing; sizes and shapes are those of real files: about 100 kB a
grant, some thousand elements, forty citations, twenty claims, tables, subscripts, processing instructions.
`python -m bench.weekly FILE [--grants N] [--seed N]` writes one, streaming.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

GRANTS = 7_000
_POOL = 2_000
_VOCABULARY = (
    "the of a and to in is for with an as by or that said at be from first second may layer signal device system "
    "method data unit surface substrate electrode controller memory housing valve portion member plurality embodiment "
    "wherein configured comprising coupled processor circuit material temperature pressure value example according "
    "shown figure provided includes between least one output input control current voltage light optical fluid "
    "network node message user interface module storage time rate frequency direction axis end side upper lower"
)
_WORDS = _VOCABULARY.split()
_CITED_BY = ("cited by examiner", "cited by applicant", "cited by applicant", "cited by applicant")


def documents(grants: int = GRANTS, seed: int = 1) -> Iterator[bytes]:
    """The grants, one by one."""
    rng = random.Random(seed)
    pool = [_paragraph(rng) for _ in range(_POOL)]
    for place in range(grants):
        yield _grant(rng, pool, 11_000_000 + place).encode()


def write(path: Path, grants: int = GRANTS, seed: int = 1) -> None:
    with path.open("wb") as file:
        for document in documents(grants, seed):
            file.write(document)


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."


def _paragraph(rng: random.Random) -> str:
    """Half a kilobyte of text with the mark-up that is in it."""
    sentences = [_sentence(rng, rng.randint(12, 30)) for _ in range(rng.randint(2, 6))]
    for _ in range(rng.randint(0, 4)):
        number = rng.randint(1, 99)
        mark = rng.choice(
            [
                f'As shown in <figref idref="DRAWINGS">FIG. <b>{number}</b></figref>, part <b>{number * 2}</b> moves.',
                f"The oxide SiO<sub>{number}</sub> is 10<sup>{number}</sup> &#x3bc;m thick &#x26; flat.",
                f"<i>In vitro</i>, <b>{number}</b> of <b>{number + 7}</b> were seen.",
            ]
        )
        sentences.insert(rng.randrange(len(sentences)), mark)
    return " ".join(sentences)


def _grant(rng: random.Random, pool: list[str], number: int) -> str:
    claims = rng.randint(12, 26)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>',
            f'<us-patent-grant lang="EN" dtd-version="v4.5 2014-04-03" file="US{number}-20210105.XML" '
            'status="PRODUCTION" id="us-patent-grant" country="US" date-produced="20201222" date-publ="20210105">',
            _bibliographic(rng, number, claims),
            f'<abstract id="abstract"><p id="p-0001" num="0000">{rng.choice(pool)}</p></abstract>',
            _description(rng, pool),
            "<us-claim-statement>What is claimed is:</us-claim-statement>",
            '<claims id="claims">',
            *(_claim(rng, place) for place in range(1, claims + 1)),
            "</claims>",
            "</us-patent-grant>\n",
        ]
    )


def _document_id(country: str, number: str, kind: str = "", name: str = "", date: str = "") -> str:
    fields = {"country": country, "doc-number": number, "kind": kind, "name": name, "date": date}
    inner = "\n".join(f"<{tag}>{value}</{tag}>" for tag, value in fields.items() if value)
    return f"<document-id>\n{inner}\n</document-id>"


def _bibliographic(rng: random.Random, number: int, claims: int) -> str:
    applied = str(rng.randint(15_000_000, 16_999_999))
    return "\n".join(
        [
            "<us-bibliographic-data-grant>",
            f"<publication-reference>\n{_document_id('US', str(number), 'B2', date='20210105')}",
            "</publication-reference>",
            f'<application-reference appl-type="utility">\n{_document_id("US", applied, date="20180309")}\n'
            "</application-reference>",
            "<us-application-series-code>15</us-application-series-code>",
            '<priority-claims>\n<priority-claim sequence="01" kind="national">\n<country>JP</country>\n'
            f"<doc-number>2017-{rng.randint(1, 250_000):06}</doc-number>\n<date>20170310</date>\n</priority-claim>\n"
            "</priority-claims>",
            "<classifications-ipcr>",
            *(_class(rng, "ipcr") for _ in range(3)),
            "</classifications-ipcr>\n<classifications-cpc>\n<main-cpc>",
            _class(rng, "cpc"),
            "</main-cpc>\n<further-cpc>",
            *(_class(rng, "cpc") for _ in range(6)),
            "</further-cpc>\n</classifications-cpc>",
            f'<invention-title id="d2e43">{_sentence(rng, 8)}</invention-title>',
            "<us-references-cited>",
            *(_citation(rng, place) for place in range(1, rng.randint(15, 65))),
            "</us-references-cited>",
            f"<number-of-claims>{claims}</number-of-claims>",
            "<us-related-documents>\n<related-publication>",
            _document_id("US", "20180259999", "A1", date="20180913"),
            "</related-publication>\n</us-related-documents>",
            _parties(rng),
            "</us-bibliographic-data-grant>",
        ]
    )


def _class(rng: random.Random, scheme: str) -> str:
    return "\n".join(
        [
            f"<classification-{scheme}>",
            f"<{scheme.removesuffix('r')}-version-indicator><date>20130101</date></{scheme.removesuffix('r')}-version-indicator>",
            f"<section>{rng.choice('ABCDEFGH')}</section>\n<class>{rng.randint(1, 99):02}</class>",
            f"<subclass>{rng.choice('BCDFGHKLMN')}</subclass>\n<main-group>{rng.randint(1, 99)}</main-group>",
            f"<subgroup>{rng.randint(0, 99):02}</subgroup>\n<symbol-position>L</symbol-position>",
            "<classification-value>I</classification-value>\n<action-date><date>20210105</date></action-date>",
            "<generating-office><country>US</country></generating-office>",
            f"<classification-status>B</classification-status>\n</classification-{scheme}>",
        ]
    )


def _citation(rng: random.Random, place: int) -> str:
    if place % 5 == 0:
        source = f"<othercit>{_sentence(rng, 14)} pp. {place}-{place + 9}, <i>J. Parts</i>.</othercit>"
        return _cited(rng, f'<nplcit num="{place:05}">\n{source}\n</nplcit>')
    # Nine of ten cited patents are American, half of them applications.
    patents = [
        ("US", str(rng.randint(4_000_000, 6_000_000)), "A", "Smith"),
        ("US", str(rng.randint(6_200_000, 9_900_000)), "B2", "Brown et al."),
        ("US", f"{rng.randint(2001, 2019)}/{rng.randint(1, 399_999):07}", "A1", "Jones et al."),
        ("JP", f"{rng.randint(2000, 2018)}-{rng.randint(1, 350_000):06}", "A", ""),
        ("WO", f"WO {rng.randint(2004, 2018)}/{rng.randint(1, 199_999):06}", "A1", ""),
    ]
    (patent,) = rng.choices(patents, weights=[4, 5, 9, 1, 1])
    date = f"{rng.randint(1976, 2019)}{rng.randint(1, 12):02}00"
    return _cited(rng, f'<patcit num="{place:05}">\n{_document_id(*patent, date=date)}\n</patcit>')


def _cited(rng: random.Random, source: str) -> str:
    return f"<us-citation>\n{source}\n<category>{rng.choice(_CITED_BY)}</category>\n</us-citation>"


def _parties(rng: random.Random) -> str:
    address = "<address>\n<city>Springfield</city>\n<country>US</country>\n</address>"
    inventors = "\n".join(
        f'<inventor sequence="{place:03}" designation="us-only">\n<addressbook>\n'
        f"<last-name>{rng.choice(_WORDS).title()}</last-name>\n<first-name>Ann</first-name>\n{address}\n</addressbook>\n</inventor>"
        for place in range(1, rng.randint(2, 6))
    )
    name = f"<orgname>{rng.choice(_WORDS).title()} Industries, Inc.</orgname>"
    return (
        f'<us-parties>\n<us-applicants>\n<us-applicant sequence="001" app-type="applicant">\n<addressbook>\n{name}\n'
        f"{address}\n</addressbook>\n</us-applicant>\n</us-applicants>\n<inventors>\n{inventors}\n</inventors>\n"
        f"</us-parties>\n<assignees>\n<assignee>\n<addressbook>\n{name}\n<role>02</role>\n</addressbook>\n</assignee>\n"
        "</assignees>"
    )


def _description(rng: random.Random, pool: list[str]) -> str:
    parts = ['<description id="description">', '<?BRFSUM description="Brief Summary" end="lead"?>']
    for place in range(1, rng.randint(90, 190)):
        if place % 20 == 1:
            parts.append(f'<heading id="h-{place:04}" level="1">{_sentence(rng, 4).upper()}</heading>')
        parts.append(f'<p id="p-{place:04}" num="{place:04}">{rng.choice(pool)}</p>')
    parts += [_table(rng), '<?BRFSUM description="Brief Summary" end="tail"?>', "</description>"]
    return "\n".join(parts)


def _table(rng: random.Random) -> str:
    rows = "\n".join(
        "<row>\n" + "\n".join(f"<entry>{rng.random():.3f}</entry>" for _ in range(4)) + "\n</row>" for _ in range(12)
    )
    return (
        '<tables id="TABLE-US-00001" num="00001">\n<table frame="none">\n<tgroup cols="4">\n<tbody valign="top">\n'
        f"{rows}\n</tbody>\n</tgroup>\n</table>\n</tables>"
    )


def _claim(rng: random.Random, place: int) -> str:
    lead = f'<claim id="CLM-{place:05}" num="{place:05}">\n<claim-text>{place}. '
    if place % 9 == 1:
        steps = "\n".join(f"<claim-text>{_sentence(rng, 22)[:-1]};</claim-text>" for _ in range(5))
        return f"{lead}A device comprising:\n{steps}\n</claim-text>\n</claim>"
    parent = place - place % 9 + 1 if place % 9 else place - 8
    reference = f'<claim-ref idref="CLM-{parent:05}">claim {parent}</claim-ref>'
    return f"{lead}The device of {reference}, wherein {_sentence(rng, 30)}</claim-text>\n</claim>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--grants", type=int, default=GRANTS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    write(asked.file, asked.grants, asked.seed)


if __name__ == "__main__":
    main()
