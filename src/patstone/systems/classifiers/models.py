"""Classifiers by name: `kernel-ridge`, `logistic(C=3)`, `ensemble`, `encoder:NAME`, or anyone's own `module:attr`.

A kind prepares, once for a gold standard, what its learners share (a kernel, a matrix of features), and gives back a
maker of fresh learners; makers are values that can be sent to another process.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from patstone.errors import MissingExtra, UsageError, shorten
from patstone.systems.classifiers.kernel_ridge import KernelRidge
from patstone.systems.classifiers.learner import Learner
from patstone.systems.classifiers.refitted import Ensemble, Refitted
from patstone.systems.classifiers.text import Texts, encoded

Maker: TypeAlias = Callable[..., Learner]
"""Makes a fresh learner; its keywords are the model's parameters."""
RIDGE = 0.7
"""This, COMPANY and LETTERS were chosen on titles of the CPC and on the bundled sample, not on the quantum gold."""

TRAITS = 0.75
"""What traits weigh beside titles, whose kernel is 2 with itself: the better of two that were tried."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    title: str
    prepare: Callable[[Texts], Maker]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Parameters, and between what a search looks for them (evenly by their logarithm)."""


@dataclass(frozen=True, kw_only=True)
class Model:
    name: str
    parameters: tuple[tuple[str, float], ...] = ()
    """Only those that were given; the rest are the kind's defaults."""

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value:g}" for name, value in self.parameters)
        return f"{self.name}({given})" if given else self.name

    @property
    def kind(self) -> Kind:
        prefix, colon, what = self.name.partition(":")
        if not colon:
            return KINDS[self.name]
        if prefix == "encoder":
            return Kind(title=f"kernel ridge with {what}", prepare=partial(_with_encoder, what), ranges=_RIDGES)
        return Kind(title=f"the estimator {self.name}", prepare=partial(_own, self.name))

    def prepared(self, texts: Texts) -> Maker:
        maker = self.kind.prepare(texts)
        return partial(maker, **dict(self.parameters)) if self.parameters else maker


def parse(text: str) -> Model:
    """Read `kernel-ridge`, `kernel-ridge(ridge=0.5)`, `encoder:NAME` or `module:attr`."""
    found = re.fullmatch(r"([^()]+)(?:\((.*)\))?", text.strip())
    name = found[1].strip() if found else text
    if found is None or not (name in KINDS or (":" in name and all(name.split(":", 1)))):
        known = ", ".join(KINDS)
        raise UsageError(f"Unknown model {shorten(repr(text))}; there are: {known}, encoder:NAME, module:attr.")
    model = Model(name=name, parameters=tuple(_parameters(found[2] or "", text)))
    unknown = [each for each, _ in model.parameters if each not in model.kind.ranges]
    if unknown:
        takes = ", ".join(model.kind.ranges) or "none"
        raise UsageError(f"The model {name} has no parameter {unknown[0]!r}; it takes: {takes}.")
    return model


def _parameters(text: str, whole: str) -> list[tuple[str, float]]:
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    try:
        given = [(name.strip(), float(value)) for name, _, value in pairs]
    except ValueError:
        given = [("", 0.0)]
    if any(not name or not 0 < value < float("inf") for name, value in given):
        raise UsageError(f"A model's parameters are positive numbers, name=number. Got {shorten(repr(whole))}.")
    return given


def _kernel_ridge(texts: Texts) -> Maker:
    return partial(KernelRidge, texts.kernel, ridge=RIDGE)


def _with_traits(texts: Texts) -> Maker:
    if texts.traits is None:
        raise UsageError("The model kernel-ridge-traits needs a gold standard, not titles alone.")
    return partial(KernelRidge, texts.kernel + TRAITS * texts.traits(), ridge=RIDGE)


def _with_encoder(what: str, texts: Texts) -> Maker:
    return partial(KernelRidge, texts.kernel + encoded(_encoder(what), texts.texts), ridge=RIDGE)


def _encoder(what: str) -> Any:  # noqa: ANN401 - whatever has `encode`
    """An object of one's own (`encoder:module:attr`), or what sentence-transformers knows or finds in a folder."""
    if ":" in what:
        made = attribute(what)
        return made() if isinstance(made, type) else made
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra("dense", "A sentence encoder") from error
    return SentenceTransformer(what)


def _naive_bayes(texts: Texts) -> Maker:
    return partial(_bayes, texts.words)


def _bayes(matrix: Any, *, smoothing: float = 0.1) -> Learner:  # noqa: ANN401
    from sklearn.naive_bayes import MultinomialNB

    return Refitted(MultinomialNB(alpha=smoothing), matrix)


def _logistic(texts: Texts) -> Maker:
    return partial(_regression, texts.features)


def _regression(matrix: Any, *, C: float = 10.0) -> Learner:  # noqa: ANN401
    from sklearn.linear_model import LogisticRegression

    # Few rows and many columns: the dual problem is the small one.
    return Refitted(LogisticRegression(C=C, solver="liblinear", dual=True, random_state=0), matrix)


def _svm(texts: Texts) -> Maker:
    return partial(_vectors, texts.features)


def _vectors(matrix: Any, *, C: float = 1.0) -> Learner:  # noqa: ANN401
    from sklearn.svm import LinearSVC

    return Refitted(LinearSVC(C=C, random_state=0), matrix)


def _ensemble(texts: Texts) -> Maker:
    return partial(_together, tuple(KINDS[name].prepare(texts) for name in MEMBERS))


def _together(makers: tuple[Maker, ...]) -> Learner:
    return Ensemble(tuple(maker() for maker in makers))


def _own(name: str, texts: Texts) -> Maker:
    """An estimator, or what makes one when called. A pipeline reads titles; anything else the features."""
    made = attribute(name)
    maker = isinstance(made, type) or (callable(made) and not hasattr(made, "fit"))
    estimator = made() if maker else made
    if not hasattr(estimator, "fit"):
        raise UsageError(f"{name} is no estimator: it has no fit.")
    reads = np.array(texts.texts, dtype=object) if hasattr(estimator, "steps") else texts.features
    return partial(_cloned, estimator, reads)


def _cloned(estimator: Any, matrix: Any) -> Learner:  # noqa: ANN401
    from sklearn.base import clone

    fresh = clone(estimator)
    # Chance must not depend on which process does the run.
    unset = [name for name, value in fresh.get_params().items() if name.endswith("random_state") and value is None]
    return Refitted(fresh.set_params(**dict.fromkeys(unset, 0)), matrix)


def attribute(name: str) -> Any:  # noqa: ANN401 - whatever the user wrote
    """`module:attr`, from the packages installed or from a file in this folder."""
    module, _, path = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"{name!r} can't be imported: {error}.") from error
    return found


_RIDGES = {"ridge": (0.03, 10.0)}
MEMBERS = ("kernel-ridge", "naive-bayes", "logistic", "svm")
KINDS = {
    "kernel-ridge": Kind(
        title="kernel ridge on words and letters, whose factor grows with T", prepare=_kernel_ridge, ranges=_RIDGES
    ),
    "kernel-ridge-traits": Kind(
        title="kernel ridge on titles, offices, years and numbers of publications", prepare=_with_traits, ranges=_RIDGES
    ),
    "naive-bayes": Kind(
        title="multinomial naive Bayes on words", prepare=_naive_bayes, ranges={"smoothing": (0.001, 10.0)}
    ),
    "logistic": Kind(title="logistic regression on words and letters", prepare=_logistic, ranges={"C": (0.1, 1000.0)}),
    "svm": Kind(title="linear support vectors on words and letters", prepare=_svm, ranges={"C": (0.01, 100.0)}),
    "ensemble": Kind(
        title="the mean margin of kernel ridge, naive Bayes, logistic regression and support vectors", prepare=_ensemble
    ),
}
DEFAULT = Model(name="kernel-ridge")
