"""Language models that are trained here: GPT-2's and T5's kind, from scratch, a folder or the hub."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workflow_scripts.core.errors import InputError
from workflow_scripts.language_models.texts import BEGIN, COUNTED, END, END_OF_BELIEF, Task, marks
from workflow_scripts.seq2seq.checkpoints import check_tokens, own_tokens, read_model, read_tokenizer
from workflow_scripts.seq2seq.device import Resolved, loading
from workflow_scripts.seq2seq.generation import settle

if TYPE_CHECKING:
    from torch import Tensor

Kind = Literal["causal", "encoder_decoder"]
# The second decoder of a model that has one for beliefs and one for responses.
RESPONSES = "responses"
MARKS = re.compile(r"\[[\w+]+\]|<\w+>")
# The positions of a model from scratch, as in GPT-2.
POSITIONS = 1024
PADDING, UNKNOWN = "<pad>", "<unk>"
# Marks of the formats that a tokenizer may treat as special tokens.
FORMATS = frozenset((*marks(), BEGIN, END_OF_BELIEF, COUNTED))


class LanguageModel:
    """A tokenizer and a model; with two decoders, `parts` has one for each task, over the same encoder."""

    def __init__(self, kind: Kind, tokenizer: Any, parts: dict[Task, Any], where: Resolved) -> None:
        """`parts`: one model for both tasks, or two that share an encoder."""
        self.kind, self.tokenizer, self.parts, self.where = kind, tokenizer, parts, where
        # Padding is masked; GPT-2's tokenizer has no padding token.
        self.pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id

    @property
    def models(self) -> list[Any]:
        """The models, each once."""
        return list({id(model): model for model in self.parts.values()}.values())

    @property
    def positions(self) -> int | None:
        """The longest text that the model has positions for, in tokens; None without a limit, as in T5."""
        return getattr(self.parts["belief"].config, "max_position_embeddings", None)

    def parameters(self) -> list[Any]:
        """The parameters of the models, each once."""
        unique = {id(weight): weight for model in self.models for weight in model.parameters()}
        return list(unique.values())

    def ids(self, texts: Sequence[str], *, target: bool = False) -> list[list[int]]:
        """The tokens of texts, of the sources unless `target`."""
        if not texts:
            return []
        # Marian's tokenizer splits targets by a model of their own; all others split both sides alike.
        side = "text_target" if target and hasattr(self.tokenizer, "spm_target") else "text"
        found: list[list[int]] = self.tokenizer(**{side: list(texts)}, add_special_tokens=False)["input_ids"]
        self.check(max((max(row, default=0) for row in found), default=0))
        return found

    def check(self, token: int) -> None:
        """Raise InputError for a token of the tokenizer that the model has no embedding of."""
        check_tokens([token], self.models[0])

    def batch(self, rows: Sequence[Sequence[int]], value: int, *, left: bool = False) -> Tensor:
        """Rows of tokens as a matrix, filled with a value at their ends, or their beginnings."""
        import torch

        width = max(map(len, rows))
        filled = [
            [*([value] * (width - len(row))), *row] if left else [*row, *([value] * (width - len(row)))]
            for row in rows
        ]
        return torch.tensor(filled, device=self.where.device)

    def write(
        self,
        task: Task,
        prompts: Sequence[str],
        end: str,
        limit: int,
        *,
        longest: int,
        batch_size: int,
        starts: Sequence[str] | None = None,
        begin: str = "",
        beam_size: int = 1,
        sentences: bool = False,
    ) -> list[str]:
        """The continuation of each prompt by beam search, up to `end` (left out) or `limit` tokens.

        Of a prompt only the last `longest` tokens are read; of sentences the first ones, and the last, which
        is the end. Prompts of similar length share a batch.

        :param sentences: whether prompts and outputs are sentences, without marks of a dialogue's format
        :param starts: the first token of each text, where it is known
        :param begin: the token that a decoder reads first, if not the one of the model's configuration
        :param beam_size: hypotheses of the search; 1: greedy
        """
        rows = [
            [*row[: longest - 1], row[-1]] if sentences and len(row) > longest else row[-longest:]
            for row in self.ids(prompts)
        ]
        first = self.ids(starts, target=True) if starts else [[] for _ in rows]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        outputs = [""] * len(rows)
        for at in range(0, len(order), batch_size):
            places = order[at : at + batch_size]
            written = self._written(
                task,
                [rows[place] for place in places],
                [first[place] for place in places],
                end,
                limit,
                begin,
                beam_size,
            )
            for place, tokens in zip(places, written, strict=True):
                outputs[place] = self._text(tokens, end, sentences)
        return outputs

    def _text(self, tokens: Sequence[int], end: str, sentence: bool = False) -> str:
        """Tokens before an end as text, without the tokenizer's special ones; a format's marks stay."""
        stop = self.tokenizer.convert_tokens_to_ids(end)
        special = {
            number
            for number, name in zip(
                self.tokenizer.all_special_ids, self.tokenizer.all_special_tokens, strict=True
            )
            if name not in FORMATS
        }
        shown = [
            number for number in takewhile(lambda number: number != stop, tokens) if number not in special
        ]
        # A checkpoint's tokenizer may remove the spaces before punctuation, which French has.
        text = self.tokenizer.decode(shown, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        if sentence:
            return " ".join(text.splitlines()).strip()
        # The marks have lost the spaces before them.
        return " ".join(MARKS.sub(r" \g<0> ", text).split())

    def _written(
        self,
        task: Task,
        rows: list[list[int]],
        first: list[list[int]],
        end: str,
        limit: int,
        begin: str,
        beam_size: int,
    ) -> list[list[int]]:
        import torch

        model = self.parts[task]
        # BART's encoder counts positions from the left, so only a causal model is padded on the left.
        left = self.kind == "causal"
        tokens = self.batch(rows, self.pad, left=left)
        mask = self.batch([[1] * len(row) for row in rows], 0, left=left)
        inputs: dict[str, Any] = {"input_ids": tokens, "attention_mask": mask}
        skip = tokens.shape[1]
        if self.kind == "encoder_decoder":
            known = model.config.decoder_start_token_id
            mark = self.tokenizer.convert_tokens_to_ids(begin) if begin else known
            inputs["decoder_input_ids"] = torch.tensor(
                [[mark, *row] for row in first], device=self.where.device
            )
            # Otherwise `generate` puts the configuration's start token before it.
            inputs["decoder_start_token_id"] = mark
            skip = inputs["decoder_input_ids"].shape[1]
        # Marian's decoder begins with padding, which is not a word.
        marian = {"bad_words_ids": [[self.pad]], "renormalize_logits": True}
        settle(
            model,
            max_new_tokens=limit,
            num_beams=beam_size,
            eos_token_id=self.tokenizer.convert_tokens_to_ids(end),
            pad_token_id=self.pad,
            **(marian if model.config.model_type == "marian" else {}),
        )
        with torch.inference_mode():
            outputs = model.generate(**inputs)
        return [row[skip:] for row in outputs.tolist()]

    def save(self, folder: Path) -> None:
        """Write tokenizer and models into an existing folder."""
        self.parts["belief"].save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        if self.parts["response"] is not self.parts["belief"]:
            self.parts["response"].save_pretrained(folder / RESPONSES)


def load(folder: Path, kind: Kind, where: Resolved, *, whole: bool = False) -> LanguageModel:
    """Read a model that `LanguageModel.save` or transformers wrote; InputError for anything else.

    `whole`: InputError also for a model that lacks weights, which transformers makes up, for a training.
    """
    if not (folder / "config.json").is_file():
        raise InputError(
            "no model in this folder", path=folder, fix="train one, or give a folder of transformers"
        )
    from workflow_scripts.seq2seq.weights import check_finite

    parts: dict[Task, Any] = {}
    places: dict[Task, Path] = {"belief": folder, "response": folder / RESPONSES}
    with loading():
        from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    reader = AutoModelForCausalLM if kind == "causal" else AutoModelForSeq2SeqLM
    tokenizer = read_tokenizer(folder)
    for task, place in places.items():
        if place.is_dir():
            told: dict[str, Any] = {}
            model = read_model(reader, place, told, dtype="float32", use_safetensors=True)
            if whole and (missing := sorted(told["missing_keys"])):
                raise InputError(
                    f"no weights of {missing[0]}", path=place, fix="give a whole encoder-decoder"
                )
            check_finite(model, folder)
            check_tokens(own_tokens(tokenizer), model, folder)
            if kind == "encoder_decoder":
                _check_start(model.config, place)
            parts[task] = model.to(where.device)
    if "response" in parts:
        _share(parts["belief"], parts["response"])
    return LanguageModel(kind, tokenizer, {"response": parts["belief"], **parts}, where)


def _check_start(config: Any, folder: Path) -> None:
    start = getattr(config, "decoder_start_token_id", None)
    if type(start) is not int or not 0 <= start < config.vocab_size:
        raise InputError(
            f"decoder_start_token_id in config.json is {start!r}, not the number of a token",
            path=folder,
            fix="take another checkpoint",
        )


def extended(model: LanguageModel, pieces: Sequence[str], seed: int) -> LanguageModel:
    """Add pieces to the vocabulary of a checkpoint, with random embeddings."""
    import torch

    if model.tokenizer.pad_token_id is None:
        model.tokenizer.pad_token = model.tokenizer.eos_token
        model.pad = model.tokenizer.pad_token_id
    torch.manual_seed(seed)
    if pieces:
        add_pieces(model.tokenizer, pieces)
        for part in model.models:
            part.resize_token_embeddings(len(model.tokenizer))
    return model


def two_decoders(model: LanguageModel) -> LanguageModel:
    """The same with a decoder for responses that begins as a copy of the one for beliefs."""
    other = copy.deepcopy(model.parts["belief"])
    _share(model.parts["belief"], other)
    return LanguageModel(
        model.kind, model.tokenizer, {"belief": model.parts["belief"], "response": other}, model.where
    )


def _share(first: Any, other: Any) -> None:
    """Let a second encoder-decoder read with the encoder, and the words, of the first."""
    other.set_input_embeddings(first.get_input_embeddings())
    other.encoder = first.encoder
    other.decoder.embed_tokens = first.get_input_embeddings()
    other.tie_weights()


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


def add_pieces(tokenizer: Any, pieces: Sequence[str]) -> None:
    """Make each text a single piece of a tokenizer, whatever its neighbours."""
    from tokenizers import AddedToken

    tokenizer.add_tokens([AddedToken(piece, lstrip=True, rstrip=False) for piece in pieces])
