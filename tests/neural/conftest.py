"""Tiny networks made on the spot: a Longformer and a BERT with a tokenizer of their own, without any download."""

from pathlib import Path

import pytest

from claim_worlds import PARTS

WORDS = [
    *PARTS, "a", "the", "device", "comprising", "number", "somewhat", "suitable", ":", ";", ".", ",",
    *map(str, range(60)),
]  # fmt: skip


@pytest.fixture(scope="session")
def longformer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a Longformer with two layers of 32 units that reads 254 tokens."""
    import torch
    from transformers import LongformerConfig, LongformerForMaskedLM

    folder = tmp_path_factory.mktemp("longformer")
    torch.manual_seed(0)
    config = LongformerConfig(
        vocab_size=len(_tokenizer(folder)),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        attention_window=16,
        max_position_embeddings=256,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    LongformerForMaskedLM(config).save_pretrained(str(folder))
    return str(folder)


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    import torch
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("bert")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(_tokenizer(folder)),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
    )
    BertModel(config).save_pretrained(str(folder))
    return str(folder)


def _tokenizer(folder: Path) -> list[str]:
    """Whole words; pairs as RoBERTa writes them: <s> gold </s></s> candidate </s>."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *dict.fromkeys(WORDS)]
    made = Tokenizer(WordLevel({name: place for place, name in enumerate(names)}, unk_token="<unk>"))  # noqa: S106
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B:1 </s>:1", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",  # noqa: S106
        cls_token="<s>",  # noqa: S106
        eos_token="</s>",  # noqa: S106
        sep_token="</s>",  # noqa: S106
        pad_token="<pad>",  # noqa: S106
        unk_token="<unk>",  # noqa: S106
        mask_token="<mask>",  # noqa: S106
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(str(folder))
    return names
