"""Holm against statsmodels; groups against their definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from patstone.compare.multiplicity import groups, holm
from patstone.measures.ranked import Bools

P = st.lists(st.floats(1e-6, 1) | st.just(0.01), min_size=1, max_size=40)


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_holm_agrees_with_statsmodels(size: int) -> None:
    p = np.random.default_rng(size).choice([0.001, 0.01, 0.02, 0.2, 0.9], size)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12)


@given(P, st.data())
def test_no_test_is_no_member_of_the_family(p: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(p)))
    found = holm(np.insert(np.array(p), place, np.nan))
    assert np.isnan(found[place])
    assert np.delete(found, place) == pytest.approx(holm(np.array(p)), rel=1e-15)


def test_each_column_is_a_family() -> None:
    p = np.random.default_rng(0).random((9, 4)) / 20
    assert (holm(p) == np.column_stack([holm(column) for column in p.T])).all()


def check(apart: Bools, ranking: list[int]) -> tuple[tuple[int, ...], ...]:
    """Two share a group exactly when not told apart; each group is maximal; numbers run from 1, from the best."""
    found = groups(apart, np.array(ranking))
    count = len(found)
    alike = ~(apart | apart.T) | np.eye(count, dtype=np.bool_)
    sets = [set(numbers) for numbers in found]
    for a in range(count):
        for b in range(count):
            assert bool(sets[a] & sets[b]) == bool(alike[a, b])
    numbers = set().union(*sets)
    assert numbers == set(range(1, len(numbers) + 1))
    for number in numbers:
        members = [system for system in range(count) if number in sets[system]]
        others = [system for system in range(count) if system not in members]
        assert not any(alike[other, members].all() for other in others)
    assert 1 in sets[ranking[0]]
    assert len(numbers) <= count * (count + 1) // 2
    return found


@given(st.data())
def test_groups_say_exactly_who_is_told_apart(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 9))
    pairs = data.draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))))
    apart = np.zeros((count, count), dtype=np.bool_)
    for a, b in pairs:
        apart[a, b] = a != b
    check(apart, data.draw(st.permutations(range(count))))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_sixty_systems(share: float) -> None:
    rng = np.random.default_rng(1)
    apart = np.triu(rng.random((70, 70)) < share, 1)
    check(apart, rng.permutation(70).tolist())


def test_plain_ladders_look_as_people_draw_them() -> None:
    means = np.array([0.1, 0.5, 0.45, 0.2, 0.4])
    apart = np.abs(means[:, None] - means) > 0.101
    ranking = np.argsort(-means).tolist()
    assert check(apart, ranking) == ((2,), (1,), (1,), (2,), (1,))
    chain = np.abs(means[:, None] - means) > 0.06
    assert check(chain, ranking) == ((4,), (1,), (1, 2), (3,), (2,))


def test_many_overlapping_groups_stay_few() -> None:
    # Listing all maximal sets of this graph would give 3^20.
    block = np.arange(60) // 3
    apart = (block[:, None] == block) & ~np.eye(60, dtype=np.bool_)
    found = check(apart, list(range(60)))
    assert max(map(max, found)) < 60 * 59 // 2
