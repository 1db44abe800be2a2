"""A language model as a checkpoint of transformers, on this machine."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import Any

from workflow_scripts.config.prompted import Model, Price
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digests_in
from workflow_scripts.core.provenance import versions
from workflow_scripts.prompting.answers import Answer, Parameters
from workflow_scripts.seq2seq.checkpoints import read_model, read_tokenizer
from workflow_scripts.seq2seq.device import Device, Precision, loading, prepare, resolve
from workflow_scripts.seq2seq.generation import settle


class Causal:
    """A checkpoint in a folder, or of a hub repository at a commit, that answers prompts in batches."""

    name = "transformers"
    price: Price | None = None
    parallel = 1
    # Of a small model on the processor; a GPU is assumed to be `gpu_times` times as fast.
    seconds, gpu_times = 0.5, 30

    def __init__(
        self,
        model: Model,
        parameters: Parameters,
        *,
        fetched: Path | None = None,
        precision: Precision,
        device: Device,
        threads: int,
    ) -> None:
        """InputError for a name that is not a folder and has no commit; the first prompt loads the model.

        `fetched`: the folder with that commit of the repository; without it, the hub is contacted.
        """
        self.checkpoint, self.revision, self.parameters = model.name, model.revision, parameters
        self.together = model.batch_size
        device_name, precision_name = resolve(device, precision)
        if device_name != "cpu":
            self.seconds /= self.gpu_times
        self.settings = (device, precision, threads)
        folder = Path(self.checkpoint)
        if folder.is_dir():
            content = "\n".join(digests_in(folder))
            identity, self.revision = hashlib.sha256(content.encode()).hexdigest(), None
        elif self.revision is None:
            raise InputError(
                f"checkpoint '{self.checkpoint}' is not a folder, and no revision pins it",
                fix="set model.revision to the 40-digit commit of the repository",
            )
        else:
            identity = f"{self.checkpoint}@{self.revision}"
            if fetched:
                self.checkpoint, self.revision = str(fetched), None
        used = " ".join(f"{name}-{version}" for name, version in versions("torch", "transformers").items())
        self.model = f"{identity} {device_name} {precision_name} {used} threads={threads} search=given"
        if self.together > 1:
            self.model += f" batch={self.together}"

    @cached_property
    def parts(self) -> tuple[Any, Any, Any]:
        """Tokenizer, model, and its device and precision."""
        where = prepare(*self.settings)
        from workflow_scripts.seq2seq.weights import check_finite

        options: dict[str, Any] = {"revision": self.revision} if self.revision else {}
        with loading():
            from transformers import AutoModelForCausalLM

        tokenizer = read_tokenizer(self.checkpoint, **options)
        model = read_model(AutoModelForCausalLM, self.checkpoint, dtype=where.dtype, **options)
        check_finite(model, self.checkpoint, "get it again, or take another checkpoint")
        return tokenizer, model.to(where.device).eval(), where

    def ask(self, prompt: str, stopped: Event) -> Answer:
        """One answer, made of the likeliest tokens or of drawn ones."""
        return self.ask_all([prompt])[0]

    def ask_all(self, prompts: Sequence[str]) -> list[Answer]:
        """The answers to prompts in one batch; alone, an answer does not depend on other prompts."""
        tokenizer, model, where = self.parts
        import torch

        given = self.parameters
        texts = [self._text(tokenizer, prompt) for prompt in prompts] if given.chat else list(prompts)
        padded: dict[str, Any] = {}
        if len(texts) > 1:
            if tokenizer.pad_token is None:
                tokenizer.pad_token = tokenizer.eos_token
            if tokenizer.pad_token is None:
                raise InputError(
                    f"checkpoint '{self.checkpoint}' has no token that fills a batch",
                    fix="set model.batch_size to 1",
                )
            # Every answer begins where its prompt ends.
            tokenizer.padding_side = "left"
            padded = {"padding": True}
        batch = tokenizer(texts, return_tensors="pt", add_special_tokens=not given.chat, **padded)
        batch = batch.to(where.device)
        start, lengths = batch["input_ids"].shape[1], batch["attention_mask"].sum(1).tolist()
        room = getattr(model.config, "max_position_embeddings", None)
        if room is not None and start + given.max_tokens > room:
            raise InputError(
                f"a prompt of {start} tokens and an answer of {given.max_tokens} are longer than the"
                f" {room} of '{self.checkpoint}'",
                fix="take fewer examples, or a lower model.max_tokens",
            )
        torch.manual_seed(given.seed)
        drawn = {"do_sample": True, "temperature": given.temperature} if given.temperature else {}
        settle(
            model,
            **drawn,
            max_new_tokens=given.max_tokens,
            pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
            return_dict_in_generate=True,
            # Before a temperature is applied.
            output_logits=bool(given.probabilities),
        )
        with torch.inference_mode():
            found = model.generate(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
        ends = _ids(model.generation_config.eos_token_id)
        answers = []
        for row, length in enumerate(lengths):
            tokens = found.sequences[row, start:].tolist()
            # What follows fills the batch.
            last = next((place for place, token in enumerate(tokens) if token in ends), len(tokens))
            tokens = tokens[: last + 1]
            ended = len(tokens) < given.max_tokens or tokens[-1] in (*ends, tokenizer.eos_token_id)
            first = self._first(tokenizer, found.logits[0][row]) if given.probabilities else None
            text = tokenizer.decode(tokens, skip_special_tokens=True)
            answers.append(Answer(text, "stop" if ended else "length", length, len(tokens), first))
        return answers

    def _text(self, tokenizer: Any, prompt: str) -> str:
        """A prompt as a message in the checkpoint's format of chats; InputError without one that works."""
        if not tokenizer.chat_template:
            raise InputError(
                f"checkpoint '{self.checkpoint}' has no format of chats", fix="set model.chat to false"
            )
        message = [{"role": "user", "content": prompt}]
        try:
            return str(tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True))
        except Exception as error:
            # The chat format is a program of the checkpoint, which may raise any exception.
            raise InputError(
                f"the format of chats of checkpoint '{self.checkpoint}' fails"
                f" ({' '.join(str(error).split())[:200]})",
                fix="set model.chat to false, or take another checkpoint",
            ) from None

    def _first(self, tokenizer: Any, logits: Any) -> dict[str, float]:
        """The likeliest first tokens with the logarithms of their probabilities."""
        import torch

        logs = torch.log_softmax(logits.float(), dim=-1)
        values, places = logs.topk(min(self.parameters.probabilities, len(logs)))
        first: dict[str, float] = {}
        for place, value in zip(places.tolist(), values.tolist(), strict=True):
            first.setdefault(tokenizer.decode([place]), value)
        return first


def _ids(given: int | list[int] | None) -> list[int]:
    """Ids of tokens, which a checkpoint gives as one, several or none."""
    return [] if given is None else [given] if isinstance(given, int) else given
