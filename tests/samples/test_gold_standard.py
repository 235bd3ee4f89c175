"""The gold standard of paper 1 itself: its counts, what is found in it, and how it is audited."""

import os
from pathlib import Path

import pytest

from patstone.experiments.audit import audit
from patstone.experiments.difficulty import difficulty
from patstone.gold.duplicates import duplicates
from patstone.gold.labels import GoldStandard, read_labels

pytestmark = pytest.mark.samples

SAMPLES = Path(os.environ.get("PATSTONE_SAMPLES", Path(__file__).parents[3] / "shared/data"))


@pytest.fixture(scope="module")
def quantum() -> GoldStandard:
    return read_labels(SAMPLES / "quantum-gold-standard/quantum-qubit-generation.tsv")


def test_it_has_the_counts_of_section_5(quantum: GoldStandard) -> None:
    assert (len(quantum), int(quantum.positive.sum()), len(quantum.numbers)) == (1_429, 435, 5_083)
    assert int(quantum.positive[quantum.of].sum()) == 2_282


def test_four_of_its_titles_are_no_titles(quantum: GoldStandard) -> None:
    rows = {finding.rule: len(finding.rows) for finding in quantum.findings}
    assert rows["empty-title"] == 4
    assert {"label-conflict", "two-families", "duplicate-publication", "ambiguous-number"}.isdisjoint(rows)


def test_families_share_titles_and_few_across_the_classes(quantum: GoldStandard) -> None:
    found = duplicates(quantum)
    assert (found.units, found.torn_exact) == (158, 2)


def test_its_audit(quantum: GoldStandard) -> None:
    """H takes 87 + 199 families; naive Bayes on random sets reaches .73 to .77, so it is challenging."""
    found = audit([quantum])[0]
    evidence = {each.criterion: each.evidence for each in found.criteria}
    assert "H takes 87 + 199" in evidence["size"]
    assert 0.73 <= difficulty(quantum, gamma=0.2, seed=0).random_f1 <= 0.77
    assert found.failed == ()
    assert [found.verdict(name) for name in ("scope", "size", "challenging")] == ["pass"] * 3
    assert [found.verdict(name) for name in ("agreement", "diversity")] == ["unknown"] * 2
    # Years and offices alone tell the classes apart to some extent, which nobody had said.
    assert found.verdict("independent") == "warn"
