"""Masked-language pretraining on a folder of patents, before the judge is trained: one pass over its text files.

Fifteen in a hundred tokens are hidden: most behind the mask, one in ten behind a random token, one in ten left as it
is. Texts are cut into blocks that the encoder reads; nothing of a text is lost but the rest of its last block's room.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from patstone.errors import DataError
from patstone.files.streams import rewindable
from patstone.files.text import read_text
from patstone.systems.judges.longformer import libraries

FOLDER = "pretrained"
_BLOCK, _BATCH, _RATE = 1024, 4, 5e-5
_HIDDEN = 0.15


def pretrain(encoder: str, folder: str, work: Path, seed: int) -> Path:
    """The folder of the pretrained encoder, made once."""
    target = work / FOLDER
    if target.exists():
        return target
    torch, transformers = libraries()
    torch.manual_seed(seed)
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    model = transformers.AutoModelForMaskedLM.from_pretrained(encoder)
    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE)
    model.train()
    room = min(_BLOCK, int(model.config.max_position_embeddings) - 2)
    blocks = list(_blocks(folder, tokenizer, room))
    for place in torch.randperm(len(blocks)).split(_BATCH):
        batch = tokenizer.pad({"input_ids": [blocks[at] for at in place.tolist()]}, return_tensors="pt")
        hidden, wanted = masked(batch["input_ids"], tokenizer)
        optimizer.zero_grad()
        model(input_ids=hidden, attention_mask=batch["attention_mask"], labels=wanted).loss.backward()
        optimizer.step()
    # Under its name only when it is whole.
    unfinished = work / f"{FOLDER}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    model.base_model.save_pretrained(str(unfinished))
    tokenizer.save_pretrained(str(unfinished))
    return unfinished.rename(target)


def masked(ids: Any, tokenizer: Any) -> tuple[Any, Any]:  # noqa: ANN401 - tensors
    """What the model sees, and what it is asked for: -100 where nothing is asked."""
    torch, _ = libraries()
    special = torch.tensor(
        [tokenizer.get_special_tokens_mask(row, already_has_special_tokens=True) for row in ids.tolist()]
    )
    chosen = (torch.rand(ids.shape) < _HIDDEN) & (special == 0)
    way = torch.rand(ids.shape)
    seen = torch.where(chosen & (way < 0.8), torch.full_like(ids, tokenizer.mask_token_id), ids)
    seen = torch.where(chosen & (way >= 0.9), torch.randint(len(tokenizer), ids.shape), seen)
    return seen, torch.where(chosen, ids, torch.full_like(ids, -100))


def _blocks(folder: str, tokenizer: Any, room: int) -> Iterator[list[int]]:  # noqa: ANN401 - a tokenizer
    paths = sorted(Path(folder).rglob("*.txt"))
    if not paths:
        raise DataError("There are no text files (.txt) to pretrain on.", path=folder)
    for path in paths:
        text = read_text(rewindable(path))
        yield from tokenizer(text, truncation=True, max_length=room, return_overflowing_tokens=True)["input_ids"]
