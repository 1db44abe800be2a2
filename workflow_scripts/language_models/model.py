"""Language models of GPT-2's, T5's and BART's kind: reading, writing text, saving."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workflow_scripts.core.errors import InputError
from workflow_scripts.language_models.texts import BEGIN, COUNTED, END_OF_BELIEF, Task, marks
from workflow_scripts.seq2seq.checkpoints import check_tokens, own_tokens, read_model, read_tokenizer
from workflow_scripts.seq2seq.device import Resolved, loading
from workflow_scripts.seq2seq.generation import settle

if TYPE_CHECKING:
    from torch import Tensor

Kind = Literal["causal", "encoder_decoder"]
# The second decoder of a model that has one for beliefs and one for responses.
RESPONSES = "responses"
MARKS = re.compile(r"\[[\w+]+\]|<\w+>")
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
            fix = "give a whole encoder-decoder" if whole else ""
            model = read_model(reader, place, fix, dtype="float32", use_safetensors=True)
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


def add_pieces(tokenizer: Any, pieces: Sequence[str]) -> None:
    """Make each text a single piece of a tokenizer, whatever its neighbours."""
    from tokenizers import AddedToken

    tokenizer.add_tokens([AddedToken(piece, lstrip=True, rstrip=False) for piece in pieces])
