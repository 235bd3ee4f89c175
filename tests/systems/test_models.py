"""Classifiers by name, and anyone's own."""

import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from patstone.errors import MissingExtra, UsageError
from patstone.systems.classifiers.models import KINDS, Model, parse
from patstone.systems.classifiers.refitted import Ensemble, Refitted, margins_of
from patstone.systems.classifiers.text import Texts
from patstone.systems.classifiers.traits import traits
from topics import gold_of

GOLD = gold_of()
TEXTS = Texts(GOLD.texts, traits=partial(traits, GOLD))
KNOWN = np.concatenate([np.arange(20), np.arange(100, 120)])


def trained(name: str, texts: Texts = TEXTS) -> Any:
    learner = parse(name).prepared(texts)()
    for rows in (KNOWN[:30], KNOWN[30:]):
        learner.learn(rows, GOLD.positive[rows])
    return learner


@pytest.mark.parametrize("name", KINDS)
def test_every_model_learns_and_tells_the_classes_apart(name: str) -> None:
    margins = trained(name).margins()
    assert margins.shape == (len(GOLD),)
    right = (margins > 0) == GOLD.positive
    assert np.delete(right, KNOWN).mean() > 0.65


@pytest.mark.parametrize("name", KINDS)
def test_makers_travel_to_other_processes(name: str) -> None:
    maker = pickle.loads(pickle.dumps(parse(name).prepared(TEXTS)))  # noqa: S301 - made a line ago
    learner = maker()
    learner.learn(KNOWN, GOLD.positive[KNOWN])
    assert np.allclose(learner.margins(), trained(name).margins(), atol=1e-6)


def test_margins_are_log_odds_and_do_not_tie_where_probabilities_do() -> None:
    matrix = TEXTS.words
    bayes = MultinomialNB(alpha=1e-9).fit(matrix[KNOWN], GOLD.positive[KNOWN])
    margins = margins_of(bayes, matrix)
    assert len(np.unique(margins)) > len(np.unique(bayes.predict_proba(matrix)[:, 1]))
    forest = RandomForestClassifier(20, random_state=0).fit(matrix[KNOWN], GOLD.positive[KNOWN])
    told = margins_of(forest, matrix)
    assert np.isfinite(told).all()
    assert ((told > 0) == (forest.predict_proba(matrix)[:, 1] > 0.5)).all()


def test_a_classifier_that_cannot_say_how_sure_it_is_is_refused() -> None:
    class Mute:
        def fit(self, rows: object, labels: object) -> None: ...

    with pytest.raises(UsageError, match="Mute has neither"):
        Refitted(Mute(), TEXTS.words).margins()


def test_an_ensemble_is_the_mean_of_scaled_margins() -> None:
    members = tuple(trained(name) for name in ("kernel-ridge", "logistic"))
    said = [member.margins() for member in members]
    expected = (said[0] / said[0].std() + said[1] / said[1].std()) / 2
    assert np.allclose(Ensemble(members).margins(), expected)


def test_traits_need_a_gold_standard() -> None:
    with pytest.raises(UsageError, match="not titles alone"):
        trained("kernel-ridge-traits", Texts(GOLD.texts))


def test_names_read_back() -> None:
    for text in ("kernel-ridge", "logistic(C=3)", "module.path:attr", "encoder:some/name"):
        assert str(parse(text)) == text
        assert parse(str(parse(text))) == parse(text)
    assert parse(" svm( C = 0.5 ) ") == Model(name="svm", parameters=(("C", 0.5),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "kernel",
            f"there are: {', '.join(KINDS)}, encoder:NAME, module:attr",
        ),
        (":attr", "Unknown model"),
        ("logistic(C=3", "Unknown model"),
        ("logistic(ridge=1)", "no parameter 'ridge'; it takes: C"),
        ("ensemble(C=1)", "it takes: none"),
        ("logistic(C=none)", "positive numbers"),
        ("logistic(C=0)", "positive numbers"),
        ("logistic(3)", "positive numbers"),
    ],
)
def test_what_is_no_model_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError) as found:
        parse(text)
    assert said in str(found.value)


def test_a_parameter_changes_the_model() -> None:
    assert not np.allclose(trained("kernel-ridge(ridge=5)").margins(), trained("kernel-ridge").margins())


OWN = """
from sklearn.linear_model import LogisticRegression
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.ensemble import RandomForestClassifier

estimator = LogisticRegression(C=10.0)
forest = RandomForestClassifier(5)

def pipeline():
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=10.0))

class Encoder:
    def encode(self, texts):
        return [[float(len(text)), 1.0] for text in texts]

word = "no estimator"

def nothing():
    return 3
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module beside the data, as a user has one."""
    (tmp_path / "mine_of_models.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return "mine_of_models"


def test_an_estimator_reads_features_and_a_pipeline_reads_titles(own: str) -> None:
    ours = LogisticRegression(C=10.0).fit(TEXTS.features[KNOWN], GOLD.positive[KNOWN])
    assert np.allclose(trained(f"{own}:estimator").margins(), ours.decision_function(TEXTS.features))
    titles = np.array(GOLD.texts, dtype=object)
    piped = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10.0)).fit(titles[KNOWN], GOLD.positive[KNOWN])
    assert np.allclose(trained(f"{own}:pipeline").margins(), piped.decision_function(titles))


def test_chance_in_an_estimator_is_seeded(own: str) -> None:
    assert (trained(f"{own}:forest").margins() == trained(f"{own}:forest").margins()).all()


def test_an_encoder_adds_to_the_kernel(own: str) -> None:
    assert not np.allclose(trained(f"encoder:{own}:Encoder").margins(), trained("kernel-ridge").margins())


def test_what_cannot_be_imported_or_trained_is_refused(own: str) -> None:
    for name, said in (
        ("no_such_module:x", "can't be imported"),
        (f"{own}:missing", "can't be imported"),
        (f"{own}:nothing", "no estimator"),
        (f"{own}:word", "no estimator"),
    ):
        with pytest.raises(UsageError, match=said):
            trained(name)


def test_an_encoder_by_name_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"patstone\[dense\]"):
        trained("encoder:some-model")
