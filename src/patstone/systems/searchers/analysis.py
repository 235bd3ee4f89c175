"""From texts to terms: lower case, split at what is neither letter, mark nor digit; no stemming, no list of stop words.

Scripts that write no spaces (Chinese, Japanese, Korean) give a term for each character. What is left with one byte,
a single Latin letter or digit, is no term. Texts come and terms go as Arrow columns: no Python string is made for a
word of a document.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_UNSPACED = r"([\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}])"
_BETWEEN = r"[^\pL\pM\pN]+"
_SHORTEST = 2
UNKNOWN = -1
_Coder: TypeAlias = Callable[[str], int]


@dataclass(frozen=True)
class Vocabulary:
    """Numbers terms in the order in which they are met."""

    codes: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.codes)

    def learned(self, texts: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each term of the texts, in order, the text that it stands in and its number; unseen terms get one."""
        return self._coded(texts, lambda word: self.codes.setdefault(word, len(self.codes)))

    def known(self, texts: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same for terms that have a number already; others are left out."""
        return self._coded(texts, lambda word: self.codes.get(word, UNKNOWN))

    def _coded(self, texts: pa.Array, code: _Coder) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        split = words(texts)
        text = np.repeat(np.arange(len(texts)), pc.list_value_length(split).to_numpy(zero_copy_only=False))
        encoded = pc.dictionary_encode(split.flatten())
        long = pc.greater_equal(pc.binary_length(encoded.dictionary), _SHORTEST).to_numpy(zero_copy_only=False)
        distinct = zip(encoded.dictionary.to_pylist(), long.tolist(), strict=True)
        numbers = np.array([code(word) if kept else UNKNOWN for word, kept in distinct], dtype=np.int64)
        terms = numbers[encoded.indices.to_numpy(zero_copy_only=False)] if len(numbers) else np.empty(0, np.int64)
        kept = terms != UNKNOWN
        return text[kept], terms[kept]


def words(texts: pa.Array) -> pa.ListArray:
    """The words of each text, also those too short for terms."""
    given = pc.fill_null(texts, "")
    if pc.all(pc.string_is_ascii(given), min_count=0).as_py():
        return pc.ascii_split_whitespace(pc.replace_substring_regex(pc.ascii_lower(given), _BETWEEN, " "))
    lowered = pc.utf8_lower(pc.utf8_normalize(given, form="NFKC"))
    spaced = pc.replace_substring_regex(lowered, _UNSPACED, r" \1 ")
    return pc.ascii_split_whitespace(pc.replace_substring_regex(spaced, _BETWEEN, " "))
