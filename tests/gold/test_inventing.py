"""Invented claims are sound, different, and the same for the same seed."""

from patstone.gold.degrading.inventing import invented
from patstone.patents.claims import resolve
from patstone.patents.claims.checks import check


def test_the_linter_finds_nothing_wrong_with_them() -> None:
    for seed in range(100):
        assert check(invented(seed)).diagnostics == (), seed


def test_a_seed_makes_one_set_and_others_make_others() -> None:
    assert invented(7) == invented(7)
    assert len({invented(seed) for seed in range(50)}) == 50


def test_they_have_dependent_claims_and_elements() -> None:
    for seed in range(20):
        found = resolve(invented(seed))
        assert found.claims[0].kind == "independent"
        assert len(found.claims[0].elements) >= 3
        assert any(claim.kind == "dependent" for claim in found)
