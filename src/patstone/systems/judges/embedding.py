"""Likeness of meaning, BERTScore's way: each token is matched with the most similar one of the other text.

`embedding:NAME` takes any encoder that transformers can load, by name or folder (extra `neural`): the last layer's
vectors, in windows of the encoder's length so that nothing is cut off. `embedding:subword` needs no network: a word's
vector is the mean of fixed random vectors of its character n-grams, so that inflections are near and synonyms are not.
Score is the F1 of mean best cosines, negative cosines as 0.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

from patstone.errors import DataError, MissingExtra
from patstone.gold.qrels import Floats
from patstone.systems.judges.judge import Drivers
from patstone.systems.judges.tokens import words

Encode = Callable[[str], tuple[Floats, Floats]]
"""Of a text: unit vectors, a row each, and how often each occurs."""
_DIMENSIONS, _TABLE = 128, 1 << 13
_SIZES = (3, 4, 5)


@dataclass(frozen=True)
class Embedding:
    name: str
    signature: str
    encode: Encode
    criteria: tuple[str, ...] = ()
    needs_gold: bool = True

    @classmethod
    def of(cls, name: str) -> "Embedding":
        encode = lru_cache(maxsize=64)(_subwords if name == "subword" else encoder(name))
        return cls(f"embedding:{name}", f"embedding:{name}|match:greedy|F1|idf:no", encode)

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        return np.array([found["score"] for found in self._all(gold_claims, candidate_claims)], dtype=np.float64)

    def explain(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[Drivers]:
        return [
            {"precision": found["precision"], "recall": found["recall"]}
            for found in self._all(gold_claims, candidate_claims)
        ]

    def _all(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> list[dict[str, float]]:
        return [
            matched(self.encode(gold), self.encode(text))
            for gold, text in zip(gold_claims, candidate_claims, strict=True)
        ]


def matched(gold: tuple[Floats, Floats], candidate: tuple[Floats, Floats]) -> dict[str, float]:
    if not len(gold[0]) or not len(candidate[0]):
        return {"score": 0.0, "precision": 0.0, "recall": 0.0}
    cosines = np.maximum(candidate[0] @ gold[0].T, 0.0)
    precision = float(np.average(cosines.max(axis=1), weights=candidate[1]))
    recall = float(np.average(cosines.max(axis=0), weights=gold[1]))
    total = precision + recall
    return {"score": 2 * precision * recall / total if total else 0.0, "precision": precision, "recall": recall}


def _subwords(text: str) -> tuple[Floats, Floats]:
    counts = Counter(words(text))
    vectors = [_word(word) for word in counts]
    return np.array(vectors).reshape(len(vectors), _DIMENSIONS), np.array([*counts.values()], dtype=np.float64)


@lru_cache(maxsize=1 << 16)
def _word(word: str) -> Floats:
    edged = f"<{word}>"
    pieces = {edged} | {edged[at : at + size] for size in _SIZES for at in range(max(len(edged) - size + 1, 0))}
    # Summed in a fixed order: a set's order changes from one process to the next, and sums with it.
    mean = _random_vectors()[sorted(crc32(piece.encode("utf-8", "surrogatepass")) % _TABLE for piece in pieces)].mean(
        axis=0
    )
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float64)


@lru_cache(maxsize=1)
def _random_vectors() -> Floats:
    return np.random.default_rng(0).normal(size=(_TABLE, _DIMENSIONS))


def encoder(name: str) -> Encode:
    """The last layer of a transformer."""
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
    except ImportError:
        raise MissingExtra("neural", f"Judge 'embedding:{name}'") from None
    try:
        tokenizer, model = AutoTokenizer.from_pretrained(name), AutoModel.from_pretrained(name).eval()
    except (OSError, ValueError) as error:
        raise DataError(f"The encoder can't be loaded: {error}.", path=name) from None
    # Some tokenizers say 10^30 where they know no limit; positions of RoBERTa's kind begin at 2.
    room = int(min(tokenizer.model_max_length, model.config.max_position_embeddings - 2, 4096))
    # An unknown word is a word of the text.
    special = torch.tensor([name for name in tokenizer.all_special_ids if name != tokenizer.unk_token_id])

    def encode(text: str) -> tuple[Floats, Floats]:
        # Cut into windows, each of which keeps its special tokens; nothing is dropped.
        windows = tokenizer(text, truncation=True, max_length=room, return_overflowing_tokens=True)["input_ids"]
        parts = []
        for window in map(torch.tensor, windows):
            with torch.no_grad():
                last = model(input_ids=window[None]).last_hidden_state[0]
            parts.append(last[~torch.isin(window, special)].double().numpy())
        vectors = np.concatenate(parts)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1.0), np.ones(len(vectors))

    return encode
