"""A language model as a checkpoint of transformers, on this machine."""

from __future__ import annotations

import hashlib
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
    """A checkpoint in a folder, or of a hub repository at a commit, that answers one prompt at a time."""

    name = "transformers"
    price: Price | None = None
    parallel = 1

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
        device_name, precision_name = resolve(device, precision)
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
        tokenizer, model, where = self.parts
        import torch

        given = self.parameters
        if given.chat:
            if not tokenizer.chat_template:
                raise InputError(
                    f"checkpoint '{self.checkpoint}' has no format of chats", fix="set model.chat to false"
                )
            message = [{"role": "user", "content": prompt}]
            try:
                text = tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)
            except Exception as error:
                # The chat format is a program of the checkpoint, which may raise any exception.
                raise InputError(
                    f"the format of chats of checkpoint '{self.checkpoint}' fails"
                    f" ({' '.join(str(error).split())[:200]})",
                    fix="set model.chat to false, or take another checkpoint",
                ) from None
        else:
            text = prompt
        batch = tokenizer(text, return_tensors="pt", add_special_tokens=not given.chat).to(where.device)
        length = batch["input_ids"].shape[1]
        room = getattr(model.config, "max_position_embeddings", None)
        if room is not None and length + given.max_tokens > room:
            raise InputError(
                f"a prompt of {length} tokens and an answer of {given.max_tokens} are longer than the"
                f" {room} of '{self.checkpoint}'",
                fix="take fewer examples, or a lower model.max_tokens",
            )
        # The answer to a prompt does not depend on other prompts.
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
        tokens = found.sequences[0, length:]
        first: dict[str, float] | None = None
        if given.probabilities:
            logs = torch.log_softmax(found.logits[0][0].float(), dim=-1)
            values, places = logs.topk(min(given.probabilities, len(logs)))
            pairs = zip(places.tolist(), values.tolist(), strict=True)
            first = {}
            for place, value in pairs:
                first.setdefault(tokenizer.decode([place]), value)
        ended = len(tokens) < given.max_tokens or int(tokens[-1]) == tokenizer.eos_token_id
        text = tokenizer.decode(tokens, skip_special_tokens=True)
        return Answer(text, "stop" if ended else "length", length, len(tokens), first)
