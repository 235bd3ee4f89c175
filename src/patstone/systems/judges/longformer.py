"""Paper 4's judge: gold and candidate as a pair to a Longformer, global attention on the first token, a number out.

Its state goes through one linear layer and a sigmoid for each criterion. A folder holds either one encoder for all
criteria, at its top, where transformers finds it too, or one folder for each criterion. Text that is longer than the
encoder reads is an error, never cut off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from patstone.errors import DataError, MissingExtra
from patstone.gold.qrels import Floats
from patstone.systems.judges.learned import CARD, read_card

HEADS = "heads.safetensors"
_BATCH = 8


def libraries() -> tuple[Any, Any]:
    """Torch and transformers, or what to install."""
    try:
        import torch
        import transformers
    except ImportError:
        raise MissingExtra("neural", "The Longformer judge") from None
    return torch, transformers


@dataclass(frozen=True, eq=False)
class Network:
    """An encoder, its tokenizer, and a linear layer with an output for each criterion."""

    tokenizer: Any
    encoder: Any
    heads: Any

    @classmethod
    def of(cls, name: str | Path, outputs: int) -> "Network":
        """An encoder by name or folder, with fresh heads."""
        torch, transformers = libraries()
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(name))
            encoder = transformers.AutoModel.from_pretrained(str(name))
        except (OSError, ValueError) as error:
            raise DataError(f"The encoder can't be loaded: {' '.join(str(error).split())}.", path=name) from None
        return cls(tokenizer, encoder, torch.nn.Linear(encoder.config.hidden_size, outputs))

    @classmethod
    def load(cls, folder: Path, outputs: int) -> "Network":
        from safetensors.torch import load_file

        made = cls.of(folder, outputs)
        made.heads.load_state_dict(load_file(str(folder / HEADS)))
        return made

    def save(self, folder: Path) -> None:
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        self.encoder.save_pretrained(str(folder))
        self.tokenizer.save_pretrained(str(folder))
        save_file(self.heads.state_dict(), str(folder / HEADS))

    @property
    def room(self) -> int:
        """Tokens that it reads, the two sides and what stands around them; positions of RoBERTa's kind begin at 2."""
        return int(self.encoder.config.max_position_embeddings) - 2

    def lengths(self, golds: Sequence[str], candidates: Sequence[str]) -> list[int]:
        found = self.tokenizer(list(golds), list(candidates), truncation=False)["input_ids"]
        return list(map(len, found))

    def margins(self, golds: Sequence[str], candidates: Sequence[str]) -> Any:  # noqa: ANN401 - a tensor
        """A row for each candidate, before the sigmoid; with gradients where training asks for them."""
        torch, _ = libraries()
        batch = self.tokenizer(list(golds), list(candidates), truncation=False, padding=True, return_tensors="pt")
        first = torch.zeros_like(batch["attention_mask"])
        first[:, 0] = 1
        # Only Longformers know global attention; any other encoder attends globally anyway.
        extra = {"global_attention_mask": first} if hasattr(self.encoder.config, "attention_window") else {}
        state = self.encoder(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], **extra)
        return self.heads(state.last_hidden_state[:, 0])

    def scores(self, golds: Sequence[str], candidates: Sequence[str]) -> Floats:
        torch, _ = libraries()
        self.encoder.eval()
        with torch.no_grad():
            parts = [torch.sigmoid(self.margins(golds[part], candidates[part])) for part in _batches(len(golds))]
            return np.concatenate([np.empty((0, self.heads.out_features)), *(part.double().numpy() for part in parts)])


def _batches(count: int) -> Iterator[slice]:
    return (slice(start, start + _BATCH) for start in range(0, count, _BATCH))


@dataclass(frozen=True, eq=False, kw_only=True)
class LongformerJudge:
    name: str
    criteria: tuple[str, ...]
    networks: tuple[Network, ...]
    card: Mapping[str, Any]
    needs_gold: bool = True

    @classmethod
    def load(cls, folder: str | Path) -> "LongformerJudge":
        libraries()
        found = read_card(folder)
        try:
            criteria, parts = tuple(found["criteria"]), found["encoders"]
            networks = [Network.load(Path(folder, part["folder"]), len(part["criteria"])) for part in parts]
        except (KeyError, TypeError, RuntimeError, OSError) as error:
            raise DataError(f"The judge is damaged: {error}.", path=Path(folder, CARD)) from None
        return cls(name=Path(folder).resolve().name, criteria=criteria, networks=tuple(networks), card=found["card"])

    @property
    def signature(self) -> str:
        return f"{self.name}|model:{self.card['model']}|data:{self.card['data']}|seed:{self.card['seed']}"

    @cached_property
    def seen(self) -> frozenset[int]:
        return frozenset(int(key, 16) for key in self.card["seen"])

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Floats:
        first = self.networks[0]
        for place, length in enumerate(first.lengths(gold_claims, candidate_claims), start=1):
            if length > first.room:
                rule = f"Gold and candidate {place} are {length:,} tokens; judge {self.name!r} reads {first.room:,}."
                raise DataError(rule, value=candidate_claims[place - 1])
        return np.concatenate([each.scores(gold_claims, candidate_claims) for each in self.networks], axis=1)
