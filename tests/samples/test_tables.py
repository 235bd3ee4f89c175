"""Our table reader on tables that other people made; the numbers are those that their makers published."""

import os
from pathlib import Path

import numpy as np
import pytest

from patstone.files.header import Wanted
from patstone.files.tables import Table, read_table

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))


@pytest.fixture(scope="module")
def quantum() -> Table:
    """The gold standard for qubit generation: families of publications, judged."""
    wanted = [Wanted(name="label"), Wanted(name="family"), Wanted(name="document"), Wanted(name="title")]
    columns = {"label": "Class", "family": "DocDB Family ID", "document": "Serial no.", "title": "Title"}
    return read_table(SAMPLES / "quantum-gold-standard/quantum-qubit-generation.tsv", wanted, columns=columns)


def test_every_publication_is_read_once(quantum: Table) -> None:
    assert len(quantum) == 5_083
    assert len(np.unique(quantum.columns["document"])) == 5_083


def test_a_family_is_wholly_positive_or_wholly_negative(quantum: Table) -> None:
    labels = dict(zip(quantum.columns["family"].tolist(), quantum.columns["label"].tolist(), strict=True))
    judged = set(zip(quantum.columns["family"].tolist(), quantum.columns["label"].tolist(), strict=True))
    assert len(judged) == len(labels) == 1_429
    assert sum(label == b"positive" for label in labels.values()) == 435
    assert sum(label == b"negative" for label in labels.values()) == 994


def test_titles_keep_their_letters_and_marks(quantum: Table) -> None:
    """The file quotes nothing, so that a quotation mark in a title is only a mark."""
    lines = (SAMPLES / "quantum-gold-standard/quantum-qubit-generation.tsv").read_text(encoding="utf-8").splitlines()
    titles = [line.split("\t")[3].strip() for line in lines[1:]]
    assert [title.decode() for title in quantum.columns["title"].tolist()] == titles
