"""Embeddings match tokens as BERTScore does, without a network where none is there."""

import sys

import numpy as np
import pytest

from patstone.errors import MissingExtra
from patstone.systems.judges.embedding import Embedding, matched
from patstone.systems.judges.registry import find_judge


def test_matching_by_hand() -> None:
    gold = np.array([[1.0, 0], [0, 1]]), np.array([1.0, 3.0])
    candidate = np.array([[0.6, 0.8]]), np.array([2.0])
    found = matched(gold, candidate)
    assert found["precision"] == pytest.approx(0.8)
    assert found["recall"] == pytest.approx((0.6 + 3 * 0.8) / 4)
    assert found["score"] == pytest.approx(2 * 0.8 * 0.75 / 1.55)
    assert matched(gold, (np.empty((0, 2)), np.empty(0)))["score"] == 0


def test_subwords_know_inflections_and_not_synonyms() -> None:
    judge = find_judge("embedding:subword")
    scores = judge.score(["rotating housings"] * 3, ["rotating housings", "rotatable housing", "turning casing"])
    assert scores[0] == pytest.approx(1)
    assert scores[0] > scores[1] > scores[2]
    assert isinstance(judge, Embedding)
    assert set(judge.explain(["a"], ["a"])[0]) == {"precision", "recall"}


def test_an_encoder_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"patstone\[neural\]"):
        find_judge("embedding:any/encoder")
