"""Naive Bayes is scikit-learn's, word for word, and learns in steps what it learns at once."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from patstone.gold import sample
from patstone.gold.labels import read_labels
from patstone.systems.classifiers.naive_bayes import NaiveBayes, Words


@pytest.mark.parametrize("seed", range(3))
def test_margins_are_scikit_learns_log_odds(seed: int) -> None:
    gold, rng = read_labels(sample.LABELS), np.random.default_rng(seed)
    rows = rng.choice(len(gold), 200, replace=False)
    vectors = CountVectorizer().fit([gold.texts[row] for row in rows])
    theirs = MultinomialNB().fit(vectors.transform([gold.texts[row] for row in rows]), gold.positive[rows])
    log = theirs.predict_joint_log_proba(vectors.transform(gold.texts))
    ours = NaiveBayes(Words(gold.texts))
    ours.learn(rows[:50], gold.positive[rows[:50]])
    ours.learn(rows[50:], gold.positive[rows[50:]])
    assert ours.margins() == pytest.approx(log[:, 1] - log[:, 0], abs=1e-9)


def test_words_that_enough_texts_have() -> None:
    words = Words(["ion trap trap", "ion beam", "waffle iron"])
    has, names = words.has(2)
    assert (names, has.tolist()) == (("ion",), [[True], [True], [False]])
    assert words.has(1)[1] == ("ion", "trap", "beam", "waffle", "iron")
