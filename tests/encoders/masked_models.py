"""Tiny masked language models of several families, with their heads and a tokenizer of words."""

from pathlib import Path
from typing import Any

WORDS = ["senhor", "portanto", "tipo", "cara", "vc", "bom", "dia", "muito", "obrigado", "até"]
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
POSITIONS = 34


def masked_model(folder: Path, family: str = "xlm-roberta", *, mask: bool = True, head: bool = True) -> Path:
    """Write a model with random weights that are large enough to tell words apart."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import RobertaProcessing
    from transformers import CONFIG_MAPPING, AutoModel, AutoModelForMaskedLM, PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    sizes: dict[str, Any] = {"vocab_size": len(vocabulary), "max_position_embeddings": POSITIONS}
    if family == "distilbert":
        sizes |= {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 32}
    else:
        sizes |= {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
        sizes |= {"intermediate_size": 32}
    config = CONFIG_MAPPING[family](**sizes, pad_token_id=1, bos_token_id=0, eos_token_id=2)
    torch.manual_seed(1)
    model = (AutoModelForMaskedLM if head else AutoModel).from_config(config)
    with torch.no_grad():
        for values in model.parameters():
            values.copy_(torch.randn_like(values) * 0.5)
    model.save_pretrained(folder)
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=POSITIONS - 2,
        **names,
        **({"mask_token": "<mask>"} if mask else {}),
    ).save_pretrained(folder)
    return folder
