"""Every real file is read: what each folder yields, and one document of each format and era in full.

What is expected was read off the files with grep and by eye, not by running the readers. Other tests of this folder go
deeper into each office's files.
"""

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from patstone.errors import DataError
from patstone.patents.claims import resolve
from patstone.patents.publication import Publication
from patstone.patents.readers.formats import files, open_file, readers

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data")) / "samples"

# Folder: files with documents or rejections, documents, rejections.
FOLDERS = {
    "epo/docdb": (5, 14, 0),
    # One application has a heading `<First Embodiment` in it, which is no XML.
    "epo/ep-fulltext": (33, 32, 1),
    # Registers, class schemes, converted numbers and errors are answers without documents.
    "epo/ops": (49, 61, 24),
    "google-bigquery/spider2": (2, 10, 0),
    "rospatent/synthetic": (1, 5, 0),
    "uspto/greenbook": (3, 3, 0),
    # Field lists of two services, and records that name nothing that is cited.
    "uspto/odp": (8, 8, 7),
    "uspto/pap": (3, 3, 0),
    "uspto/sgml": (3, 3, 0),
    "uspto/xml2004": (2, 2, 0),
    "uspto/xml2006": (1, 1, 0),
    "uspto/xml2014": (3, 3, 0),
    # Parts of applications: claims, description and abstract as files of their own.
    "uspto/xml4ip": (1, 0, 13),
    "uspto/xmlApp2004": (2, 2, 0),
}
# What holds no patents: licences, requests to services, class schemes, tables of other things.
NO_PATENTS = (
    *("LICENSE", "request.txt", "mapping.txt", "result_list0.txt", "_number_shapes.csv", "title-list-2022.08.tsv.gz"),
    *("cpcMaster.xml", "cpc-scheme-A01L.xml", "CPC_DEFINITION.json", "DDL.csv", "DISCLOSURES_13.json"),
    *("get_patent_associated_documents/response.json", "get_patent_continuity/response.json"),
    *("search_office_action_rejections/response.json", "search_office_actions/response.json"),
    "get_classification_schema_multiple/response.xml",  # an empty answer
)


def test_every_file_yields_its_documents_or_a_counted_rejection() -> None:
    found: dict[str, Counter[str]] = {}
    refused = []
    for file in files(SAMPLES):
        path = Path(file).relative_to(SAMPLES)
        counts = found.setdefault("/".join(path.parts[:2]), Counter())
        try:
            kinds = Counter("documents" if isinstance(one, Publication) else "rejected" for one in open_file(file))
        except DataError:
            refused.append(str(path))
        else:
            counts.update(kinds, files=1)
    assert [path for path in refused if not path.endswith(NO_PATENTS)] == []
    read = {folder: (one["files"], one["documents"], one["rejected"]) for folder, one in found.items() if one["files"]}
    assert read == FOLDERS


# One document of each format and era: the first of its file. Claims are those of all languages, independent ones those
# of the first; citations go by who cited; a family is DOCDB's or, in a cluster, its base document's.
with (Path(__file__).parents[1] / "golden/patents/documents.tsv").open(encoding="utf-8", newline="") as file:
    TABLE = list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["path"])
def test_a_document_of_each_format_and_era(row: dict[str, str]) -> None:
    first = next(one for one in open_file(str(SAMPLES / row["path"])) if isinstance(one, Publication))
    of_one = [claim for claim in first.claims if claim.language == first.claims[0].language]
    by = Counter(citation.cited_by for citation in first.citations)
    found = {
        "source": first.source,
        "number": first.number,
        "date": first.date,
        "kind": first.kind,
        "claims": len(first.claims),
        "independent": sum(claim.kind == "independent" for claim in resolve(of_one)),
        "examiner": by["examiner"],
        "applicant": by["applicant"],
        "unknown": by["unknown"],
        "family": first.family,
    }
    assert {key: str(value) for key, value in found.items()} == {key: row[key] for key in found}


def test_the_table_has_every_format_that_the_samples_have() -> None:
    without = {"table", "lens", "rospatent"}
    assert {row["source"] for row in TABLE} == {*readers()} - without
