"""Translation backends: this project's models (nmt), transformers checkpoints (hf), Amazon Translate (aws).

A backend is cheap to make: it knows its identity and its price, and loads a model or opens a connection only
when `translate` is called for the first time.
"""

import hashlib
import re
import sys
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import digest, digests_in
from workflow_scripts.seq2seq.checkpoints import check_tokens, own_tokens, read_model, read_tokenizer
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, loading, prepare
from workflow_scripts.seq2seq.generation import settle

# NLLB's codes of the source languages: English, and Spanish at the open scale.
SOURCES = {"en": "eng_Latn", "es": "spa_Latn"}


class Backend(Protocol):
    """The interface of a backend that `translate.translate` uses."""

    name: str
    model: str
    """Identifies everything that the output depends on."""
    largest_batch: int | None
    """The most sentences that a killed job may lose; None: the caller decides."""

    def translate(self, texts: list[str]) -> list[str]:
        """The translations of some sentences."""

    def cost(self, texts: list[str]) -> float:
        """The price of some sentences in US dollars."""


class Nmt:
    """Models that `seq2seq` trained on this project's bitext; the tag names the target language."""

    name = "nmt"
    largest_batch: int | None = None

    def __init__(
        self,
        direction: tuple[str, str],
        *,
        text_model: Path,
        models: list[Path],
        beam_size: int,
        length_penalty: float,
        batch_size: int,
        precision: Precision,
        device: Device,
        threads: int,
    ) -> None:
        """`models` form a linear ensemble; the identity covers the files' content and the search settings.

        `precision` is part of the identity, and must not be auto.
        """
        self.direction, self.text_model, self.models = direction, text_model, models
        self.settings: dict[str, Any] = {
            "beam_size": beam_size,
            "length_penalty": length_penalty,
            "batch_size": batch_size,
            "precision": precision,
            "device": device,
            "threads": threads,
        }
        identity = _digests(text_model)
        identity += [digest(path) for path in models]
        identity += [f"beam={beam_size}", f"penalty={length_penalty}", precision]
        self.model = hashlib.sha256("\n".join(identity).encode()).hexdigest()

    @cached_property
    def translator(self) -> Any:
        """The loaded models."""
        from workflow_scripts.seq2seq.translator import Translator

        return Translator(self.text_model, self.models, **self.settings)

    def translate(self, texts: list[str]) -> list[str]:
        """Beam search."""
        source, target = self.direction
        return self.translator.translate(texts, source, target, f"<2{target}>")

    def cost(self, texts: list[str]) -> float:
        """Own machines are free."""
        return 0.0


class HuggingFace:
    """A Marian or NLLB checkpoint through transformers."""

    name = "hf"
    largest_batch: int | None = None
    longest = 256  # pieces of a translation; fixed, so that a result does not depend on its batch

    def __init__(
        self,
        direction: tuple[str, str],
        *,
        checkpoint: str,
        revision: str | None,
        prefix: str,
        codes: dict[str, str],
        beam_size: int,
        precision: Precision,
        device: Device,
        threads: int,
        fetched: Path | None = None,
    ) -> None:
        """`checkpoint`: a folder, or a repository with its 40-digit `revision`; `prefix`: see `translate`.

        `fetched`: the folder with that commit of the repository; without it, the hub is used.
        `codes`: the language codes of a multilingual checkpoint (NLLB's codes). `precision` is part of the
        identity, and must not be auto.
        """
        self.direction, self.checkpoint, self.prefix = direction, str(fetched or checkpoint), prefix
        self.codes = SOURCES | codes
        self.beam_size, self.settings = beam_size, (device, precision, threads)
        folder = Path(checkpoint)
        if folder.is_dir():
            content = "\n".join(digests_in(folder))
            identity, self.revision = hashlib.sha256(content.encode()).hexdigest(), None
        elif revision is None or not re.fullmatch(r"[0-9a-f]{40}", revision):
            raise InputError(
                f"checkpoint '{checkpoint}' is not a folder, and revision '{revision}' does not pin it",
                fix="set the revision to the 40-digit commit of the repository",
            )
        else:
            identity, self.revision = f"{checkpoint}@{revision}", None if fetched else revision
        called = ",".join(self.codes.get(code, code) for code in direction)
        self.model = f"{identity} beam={beam_size} prefix={prefix} languages={called}"
        if precision != "float32":
            self.model += f" {precision}"

    @cached_property
    def where(self) -> Resolved:
        """Device and data type of matrix products; loads torch."""
        return prepare(*self.settings)

    @cached_property
    def parts(self) -> tuple[Any, Any, dict[str, Any]]:
        """Tokenizer, model and generation options: no padding (Marian), or the target language (NLLB)."""
        where = self.where
        import torch

        from workflow_scripts.seq2seq.weights import check_finite

        options: dict[str, Any] = {"revision": self.revision} if self.revision else {}
        with loading():
            from transformers import AutoModelForSeq2SeqLM

        tokenizer = read_tokenizer(self.checkpoint, **options)
        model = read_model(AutoModelForSeq2SeqLM, self.checkpoint, dtype=torch.float32, **options)
        check_finite(model, self.checkpoint, "get it again, or take another checkpoint")
        check_tokens(own_tokens(tokenizer), model, self.checkpoint)
        model.to(where.device).eval()
        if model.config.model_type == "marian":
            # The decoder begins with padding, which is not a word.
            return tokenizer, model, {"bad_words_ids": [[tokenizer.pad_token_id]], "renormalize_logits": True}
        tokenizer.src_lang, target = (self.codes.get(code, code) for code in self.direction)
        # Only added tokens are languages: `de` may be an ordinary piece.
        forced = tokenizer.get_added_vocab().get(target)
        if forced is None:
            raise InputError(
                f"checkpoint '{self.checkpoint}' has no language '{target}'", fix="use NLLB codes"
            )
        return tokenizer, model, {"forced_bos_token_id": forced}

    def translate(self, texts: list[str]) -> list[str]:
        """Beam search; `prefix` precedes each sentence (``>>pob<<`` for BR-PT in some Marian models)."""
        tokenizer, model, options = self.parts
        where = self.where
        import torch

        inputs = [f"{self.prefix} {text}" if self.prefix else text for text in texts]
        room = model.config.max_position_embeddings
        batch = tokenizer(inputs, return_tensors="pt", padding=True)
        if batch["input_ids"].shape[1] > room:
            print(f"cut sentences of more than {room} pieces", file=sys.stderr)
            batch = tokenizer(inputs, return_tensors="pt", padding=True, truncation=True, max_length=room)
        # Mixed precision: weights, layer norms and the scores of hypotheses stay float32.
        mixed = torch.autocast(where.device.type, torch.bfloat16, enabled=where.dtype == torch.bfloat16)
        longest = min(room - 1, self.longest)
        settle(model, num_beams=self.beam_size, max_new_tokens=longest, **options)
        with torch.inference_mode(), mixed:
            output = model.generate(**batch.to(where.device))
        return tokenizer.batch_decode(output, skip_special_tokens=True, clean_up_tokenization_spaces=False)

    def cost(self, texts: list[str]) -> float:
        """Own machines are free."""
        return 0.0


class Aws:
    """Amazon Translate, a sentence per request (XFORMAL, footnote 6); credentials as boto3 finds them."""

    name = "aws"
    largest_batch: int | None = 1  # each paid translation is saved before the next sentence is sent
    request_bytes = 10_000

    def __init__(
        self, direction: tuple[str, str], *, region: str, price_per_million: float, client: Any = None
    ) -> None:
        """`price_per_million`: US dollars per million characters; `client`: for tests."""
        self.direction, self.region, self.price = direction, region, price_per_million
        # The service names no version of its models.
        self.model = "TranslateText"
        if client is not None:
            self.client = client

    @cached_property
    def client(self) -> Any:
        """The connection; requests that are throttled or fail in transit are repeated with growing pauses."""
        import boto3
        from botocore.config import Config

        session = boto3.Session(region_name=self.region)
        if session.get_credentials() is None:
            raise InputError(
                "no AWS credentials",
                fix="set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or run aws configure",
            )
        return session.client(
            "translate", config=Config(retries={"mode": "standard", "total_max_attempts": 10})
        )

    def translate(self, texts: list[str]) -> list[str]:
        """One request for each sentence."""
        from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

        source, target = self.direction
        translations = []
        for text in texts:
            if len(text.encode()) > self.request_bytes:
                raise InputError(f"a sentence of {len(text.encode())} bytes is too long: '{text[:60]}...'")
            try:
                answer = self.client.translate_text(
                    Text=text, SourceLanguageCode=source, TargetLanguageCode=target
                )
            except NoCredentialsError:
                raise InputError("no AWS credentials", fix="run aws configure") from None
            except (ClientError, BotoCoreError) as error:
                raise InputError(f"Amazon Translate refused ({error})") from None
            translations.append(answer["TranslatedText"])
        return translations

    def cost(self, texts: list[str]) -> float:
        """Every character is paid for, spaces too."""
        return sum(map(len, texts)) * self.price / 1_000_000


def require(backend: str, **options: Any) -> dict[str, Any]:
    """Return the options of a backend; InputError names those that are missing."""
    missing = [f"--{name.replace('_', '-')}" for name, value in options.items() if value is None]
    if missing:
        raise InputError(f"backend {backend} needs {', '.join(missing)}")
    return options


def _digests(folder: Path) -> list[str]:
    """The digests of the files in a model's folder; InputError if there is no such folder."""
    if not folder.is_dir():
        known = [path.name for path in folder.parent.glob("*")] if folder.parent.is_dir() else []
        raise InputError("no such folder", path=folder, fix=nearest(folder.name, known) if known else "")
    return digests_in(folder)
