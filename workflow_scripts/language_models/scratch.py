"""Small language models of GPT-2's, T5's and BART's kind with random weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from workflow_scripts.language_models.model import Kind, LanguageModel, add_pieces
from workflow_scripts.language_models.texts import END
from workflow_scripts.seq2seq.device import Resolved, loading

if TYPE_CHECKING:
    from torch import Tensor

# The positions of a model, as in GPT-2.
POSITIONS = 1024
PADDING, UNKNOWN = "<pad>", "<unk>"


def from_scratch(
    kind: Kind,
    texts: Iterable[str],
    pieces: Sequence[str],
    where: Resolved,
    *,
    vocabulary_size: int,
    layers: int,
    hidden: int,
    heads: int,
    dropout: float,
    seed: int,
    bart: bool = False,
) -> LanguageModel:
    """A small model with random weights, and byte-level BPE learnt from texts, with added pieces.

    An encoder-decoder is like T5, or like BART with `bart`.
    """
    with loading():
        import torch
        from transformers import GPT2Config, GPT2LMHeadModel, T5Config, T5ForConditionalGeneration, logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    tokenizer = _learnt(texts, vocabulary_size)
    add_pieces(tokenizer, pieces)
    torch.manual_seed(seed)
    ends = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    if kind == "causal":
        model: Any = GPT2LMHeadModel(
            GPT2Config(
                vocab_size=len(tokenizer),
                n_positions=POSITIONS,
                n_embd=hidden,
                n_layer=layers,
                n_head=heads,
                resid_pdrop=dropout,
                embd_pdrop=dropout,
                attn_pdrop=dropout,
                bos_token_id=None,
                **ends,
            )
        )
    elif bart:
        model = _bart(len(tokenizer), layers, hidden, heads, dropout, ends)
    else:
        model = T5ForConditionalGeneration(
            T5Config(
                vocab_size=len(tokenizer),
                d_model=hidden,
                d_kv=hidden // heads,
                d_ff=4 * hidden,
                num_layers=layers,
                num_heads=heads,
                dropout_rate=dropout,
                **{**ends, "decoder_start_token_id": tokenizer.pad_token_id},
            )
        )
    _let_copy_and_count(model)
    model = model.to(where.device)
    return LanguageModel(kind, tokenizer, {"belief": model, "response": model}, where)


def _bart(words: int, layers: int, hidden: int, heads: int, dropout: float, ends: dict[str, Any]) -> Any:
    from transformers import BartConfig, BartForConditionalGeneration

    both: dict[str, Any] = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (("layers", layers), ("attention_heads", heads), ("ffn_dim", 4 * hidden))
    }
    return BartForConditionalGeneration(
        BartConfig(
            vocab_size=words,
            d_model=hidden,
            max_position_embeddings=POSITIONS,
            dropout=dropout,
            bos_token_id=None,
            forced_eos_token_id=None,
            decoder_start_token_id=ends["pad_token_id"],
            **both,
            **ends,
        )
    )


def _let_copy_and_count(model: Any) -> None:
    """Set initial weights with which an attended token is likely to be copied.

    The matrices of values and of outputs undo each other, as they nearly do in models that have been trained
    on much text (Trockman and Kolter, 2023), so that a small model need not learn first how to copy. GPT-2's
    places in a text, which T5 does not have, are waves, as in the first Transformer, so that near places are
    alike.
    """
    import torch

    with torch.no_grad():
        for name, part in model.named_modules():
            if name.endswith("EncDecAttention"):
                torch.nn.init.orthogonal_(part.v.weight)
                part.o.weight.copy_(part.v.weight.T)
            elif name.endswith(".encoder_attn"):
                torch.nn.init.orthogonal_(part.v_proj.weight)
                part.out_proj.weight.copy_(part.v_proj.weight.T)
            elif name.endswith(".embed_positions"):
                # Two rows before the first place are BART's own.
                part.weight.copy_(_waves(*part.weight.shape) * part.weight.std())
            elif name.endswith(".attn") and hasattr(part, "c_attn"):
                size = part.c_proj.weight.shape[0]
                torch.nn.init.orthogonal_(part.c_attn.weight[:, 2 * size :])
                part.c_proj.weight.copy_(part.c_attn.weight[:, 2 * size :].T)
            elif name.endswith(".wpe"):
                part.weight.copy_(_waves(*part.weight.shape) * part.weight.std())


def _waves(places: int, units: int) -> Tensor:
    """Sines and cosines of places, of wave lengths from 2 pi to 10,000 times as much, with mean square 1."""
    import torch

    steps = torch.arange(0, units, 2) / units
    angles = torch.arange(places)[:, None] / 10_000**steps
    return 2**0.5 * torch.cat([angles.sin(), angles.cos()], dim=1)


def _learnt(texts: Iterable[str], size: int) -> Any:
    """A tokenizer of byte-level BPE."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    special = [PADDING, END, UNKNOWN]
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        special_tokens=special,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PADDING, eos_token=END, unk_token=UNKNOWN
    )
