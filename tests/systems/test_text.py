"""Features of titles: who is like whom, and what has nothing to read."""

import numpy as np
import pytest

from patstone.errors import DataError
from patstone.systems.classifiers.text import Texts, cosines, encoded


class Encoder:
    def __init__(self, vectors: object) -> None:
        self.vectors = vectors

    def encode(self, texts: list[str]) -> object:
        assert isinstance(texts, list)
        return self.vectors


def test_the_kernel_is_symmetric_positive_and_two_with_itself() -> None:
    kernel = Texts(("ion trap", "ion traps", "optical clock", "量子ビット")).kernel
    assert np.allclose(kernel, kernel.T)
    assert np.allclose(np.diag(kernel), 2.0)
    assert np.linalg.eigvalsh(kernel).min() > -1e-9
    assert kernel[0, 1] > kernel[0, 2]


def test_a_family_with_titles_in_two_languages_joins_those_in_one() -> None:
    """Nothing of the first title is in the second; the third has both."""
    kernel = Texts(("ion trap", "falle fluor", "ion trap\nfalle fluor", "zebra zoo")).kernel
    assert kernel[0, 1] > 0.3
    assert kernel[0, 1] > 5 * kernel[0, 3]


def test_letters_find_what_words_miss() -> None:
    texts = Texts(("quantenrechner", "quantencomputer", "zebra"))
    assert (texts.words @ texts.words.T)[0, 1] == 0
    assert texts.kernel[0, 1] > 5 * texts.kernel[0, 2]


def test_a_unit_without_a_title_is_like_nothing() -> None:
    kernel = Texts(("ion trap", "", "ion clock")).kernel
    assert not kernel[1].any()
    assert np.isfinite(kernel).all()


@pytest.mark.parametrize("texts", [("", ""), ("...", "—")])
def test_no_titles_at_all_are_an_error(texts: tuple[str, ...]) -> None:
    with pytest.raises(DataError, match="titles"):
        _ = Texts(texts).kernel


def test_an_encoder_gives_one_vector_a_text() -> None:
    found = encoded(Encoder([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]), ["a", "b", "c"])
    assert np.allclose(found, [[1, np.sqrt(0.5), 0], [np.sqrt(0.5), 1, 0], [0, 0, 0]])
    for wrong in ([[1.0]], [1.0, 2.0, 3.0], [[1.0], [2.0], [float("nan")]]):
        with pytest.raises(DataError, match="one vector"):
            encoded(Encoder(wrong), ["a", "b", "c"])


def test_cosines_of_nothing_are_zero() -> None:
    assert cosines(np.zeros((2, 2))).tolist() == [[0, 0], [0, 0]]
