"""Titles that several families share: exactly, nearly, within a class and across."""

from dataclasses import replace

import numpy as np
import pytest

from labelled import gold_of
from patstone.gold.duplicates import duplicates
from patstone.gold.labels import GoldStandard


def titled(labels: str, *titles: str) -> GoldStandard:
    return replace(gold_of(labels), titles=titles)


def test_exact_titles_are_grouped_whatever_their_case() -> None:
    found = duplicates(titled("+-+-", "Ion trap", "ION  TRAP", "Waffle iron", "Toaster"))
    assert (found.exact, found.torn_exact, found.units) == (((0, 1),), 1, 2)
    assert found.near == ()


def test_near_titles_are_paired() -> None:
    long = "superconducting quantum interference device with a flux transformer and a tunable coupler"
    found = duplicates(titled("+--", long, long + "s", "waffle iron with a timer"))
    assert (found.near, found.torn_near, found.exact) == (((0, 1),), 1, ())


def test_a_family_that_repeats_its_own_title_shares_it_with_nobody() -> None:
    gold = gold_of("+-", publications=2)
    found = duplicates(replace(gold, titles=("Ion trap", "ION TRAP", "Toaster", "Toaster")))
    assert (found.exact, found.near) == ((), ())


@pytest.mark.parametrize("nothing", ["", "NULL"])
def test_no_title_is_no_title_to_share(nothing: str) -> None:
    assert duplicates(titled("+-", nothing, nothing)).exact == ()


def test_near_pairs_are_those_of_brute_force() -> None:
    rng = np.random.default_rng(4)
    told = "quantum bit ion trap flux loop spin dot gate coupler photon cavity laser field"
    titles = [" ".join(rng.permutation(told.split(" "))) for _ in range(150)]
    titles += [title.replace("quantum", "quanta") for title in titles[:60]]
    gold = titled("+" * len(titles), *titles)
    runs = [{title[start : start + 4] for start in range(len(title) - 3)} for title in gold.texts]
    wanted = {
        (a, b)
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
        if gold.texts[a] != gold.texts[b] and len(runs[a] & runs[b]) >= 0.8 * len(runs[a] | runs[b])
    }
    found = set(duplicates(gold).near)
    assert found <= wanted
    assert len(wanted) > 10
    assert len(found) >= 0.97 * len(wanted)


def test_ten_thousand_families_of_one_title_take_no_quadratic_time() -> None:
    gold = titled("+" * 10_000, *["Quantum computer"] * 10_000)
    found = duplicates(gold)
    assert len(found.exact[0]) == 10_000
