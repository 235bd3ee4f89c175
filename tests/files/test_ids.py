"""Ids as bytes: packed and unpacked unchanged, ordered and hashed alike whatever the width of their column."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patstone.errors import DataError
from patstone.files import ids

bounded = settings(max_examples=150, derandomize=True, deadline=None, database=None)
names = st.text(st.sampled_from("abAB01- .é漢😀\x7f"), min_size=1, max_size=40).filter(
    lambda text: text == text.strip()
)


@bounded
@given(texts=st.lists(names, max_size=20))
def test_texts_come_back(texts: list[str]) -> None:
    column = ids.pack(texts)
    assert ids.texts(column) == texts
    assert column.itemsize % 8 == 0
    assert ids.texts(ids.pack(text.encode() for text in texts)) == texts
    assert ids.texts(ids.from_words(ids.words(column))) == texts


@bounded
@given(texts=st.lists(names, min_size=1, max_size=20), wider=st.sampled_from((8, 16, 48, 128)))
def test_a_wider_column_is_the_same_column(texts: list[str], wider: int) -> None:
    narrow = ids.pack(texts)
    wide = ids.widen(narrow, wider)
    assert wide.itemsize == max(narrow.itemsize, wider)
    assert ids.texts(wide) == texts
    left, right = (ids.hashed(list(ids.words(column).T), 7) for column in (narrow, wide))
    assert left.tolist() == right.tolist()


@bounded
@given(columns=st.lists(st.lists(names, max_size=5), max_size=4))
def test_columns_of_any_widths_are_joined(columns: list[list[str]]) -> None:
    joined = ids.concatenate([ids.pack(texts) for texts in columns])
    assert ids.texts(joined) == [text for texts in columns for text in texts]


def test_bytes_sort_as_text_does() -> None:
    texts = ["a", "ab", "b", "B", "é", "z", "漢", "😀", "\uffee", "a b", "ab\x7f"]
    assert ids.texts(np.sort(ids.pack(texts))) == sorted(texts)


@pytest.mark.parametrize("bad", ["", " a", "a ", "a\n", "\ta", "a\x00", "\x00", "a\x00b", "a\nb", "a\x1fb", "a\rb"])
@pytest.mark.parametrize("others", [[], ["fine"], ["fine", "too", "a b"]])
def test_refuses_what_would_not_come_back(bad: str, others: list[str]) -> None:
    for texts in ([bad, *others], [*others, bad]):
        with pytest.raises(DataError, match="An id must be non-empty") as caught:
            ids.pack(texts)
        assert caught.value.value == bad


def test_refuses_half_a_character() -> None:
    with pytest.raises(DataError, match="whole characters"):
        ids.pack(["fine", "\ud83d"])


def test_hashes_depend_on_every_word_and_on_the_salt() -> None:
    columns = [np.array([word], dtype=np.uint64) for word in (1, 2, 3)]
    assert len({int(ids.hashed(columns, salt)[0]) for salt in range(400)}) == 400
    for place in range(3):
        changed = [column ^ np.uint64(1 << 40) if at == place else column for at, column in enumerate(columns)]
        assert ids.hashed(changed) != ids.hashed(columns)
    assert ids.hashed(columns[::-1]) != ids.hashed(columns)


def test_like_ids_do_not_share_hashes() -> None:
    """Numbered documents, as collections have them, in two widths."""
    texts = [
        f"{office}{number:07d}{kind}" for office in ("EP", "US-") for number in range(40_000) for kind in ("A1", "B")
    ]
    assert len(np.unique(ids.hashed(list(ids.words(ids.pack(texts)).T)))) == len(texts)
