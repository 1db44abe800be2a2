"""Prompted language models: the models, and limits on the requests to them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from workflow_scripts.config.checkpoints import WITHOUT_COMMIT, Commit
from workflow_scripts.config.values import (
    Few,
    Given,
    NoBoolean,
    NotNegative,
    Rate,
    Section,
    Sha256,
    Some,
    Units,
    WheelPin,
    refused,
)


def check_address(address: str) -> str:
    """The problem with the address of an API; empty if it is valid.

    Prompts and keys are sent to it, so it must be https, or this machine.
    """
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "this is not an address"
    if not host or parts.scheme not in ("http", "https"):
        return "an address such as https://host/v1 is needed"
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        return "an address has no name, password, ? or #; keys come from the environment"
    if parts.scheme == "http" and not _is_loopback(host):
        return "only https keeps keys and texts secret, but for a server on this machine (127.0.0.1)"
    return ""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_server(address: str) -> tuple[str, int] | None:
    """Host and port of an address on this machine; None for any other address."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return (host, port) if _is_loopback(host) else None


def _address(address: str) -> str:
    problem = check_address(address)
    if problem:
        raise refused(problem)
    return address


def _name(text: str) -> str:
    if not text.strip() or text.startswith("-"):
        raise refused("a name is needed, which does not begin with -")
    return text


def _variable(text: str) -> str:
    # A text that does not look like a name may be the key itself, and appears in no message.
    if len(text) > 100 or not re.fullmatch(r"[A-Z][A-Z0-9]{0,15}(_[A-Z0-9]{0,15})*", text):
        raise ValueError("model.key is the name of a variable of the environment, such as OPENAI_API_KEY")
    return text


class Model(Section):
    """A language model."""

    kind: Literal["endpoint", "gguf", "transformers"] = Field(
        description="a server that speaks OpenAI's protocol; a GGUF file, by llama.cpp; a checkpoint of"
        " transformers"
    )
    name: Annotated[str, AfterValidator(_name)] = Field(
        description="`endpoint`: the server's name of the model; `gguf`: its file, from the working"
        " directory, or in `package`; `transformers`: a folder, or the name of a repository of the hub"
    )
    address: Annotated[str, AfterValidator(_address)] | None = Field(
        default=None,
        description="`endpoint`: the API's address, without `/chat/completions`: https, or this machine",
    )
    key: Annotated[str, AfterValidator(_variable)] | None = Field(
        default=None,
        description="`endpoint`: the environment variable with the key; never the key itself",
    )
    revision: Commit | None = Field(
        default=None, description="`transformers`: the repository's commit, 40 digits"
    )
    package: WheelPin | None = Field(
        default=None,
        description="`gguf`: `name==version` of a wheel of the Python package index that has the file `name`",
    )
    digest: Sha256 | None = Field(default=None, description="`gguf`: SHA-256 of that wheel")
    context: Units = Field(default=4096, description="`gguf`: tokens of a prompt and its answer, at most")
    chat: bool = Field(
        default=True,
        description="whether the prompt is a message to a chat model; false: the model goes on with the text",
    )
    max_tokens: Units = Field(default=256, description="tokens of an answer, at most")
    temperature: Annotated[float, Field(ge=0, le=2), NoBoolean] = Field(
        default=0.0, description="0: the likeliest answer; more: one that is drawn, with the run's seed"
    )
    batch_size: Units = Field(
        default=1,
        description="`transformers`: prompts that are answered together; with more than 1 the last digits of"
        " probabilities, and rarely a word, depend on the other prompts",
    )
    limit: Literal["max_tokens", "max_completion_tokens"] = Field(
        default="max_tokens", description="`endpoint`: the server's parameter for the limit of an answer"
    )
    fixed: bool = Field(
        default=False, description="`endpoint`: true for a model that takes no temperature: none is sent"
    )

    def given(self) -> Iterator[tuple[str, Path, Given]]:
        """The folder of a model without a hub commit, or the file of a model without a package."""
        if self.kind == "transformers" and self.revision is None:
            yield "name", Path(self.name), Given(fix=WITHOUT_COMMIT)
        elif self.kind == "gguf" and self.package is None:
            yield "name", Path(self.name), Given(fix="; the name of a gguf model is its file", file=True)

    @model_validator(mode="after")
    def _belongs(self) -> Model:
        if self.kind == "endpoint" and self.address is None:
            raise refused("an endpoint needs an address")
        only = {"address": "endpoint", "key": "endpoint", "revision": "transformers"}
        for key, kind in {**only, "package": "gguf", "digest": "gguf"}.items():
            if getattr(self, key) is not None and self.kind != kind:
                raise refused(f"{key} is for models of kind {kind} only")
        if self.batch_size > 1 and (self.kind != "transformers" or self.temperature):
            raise refused("batch_size is for models of kind transformers at temperature 0 only")
        if (self.package is None) != (self.digest is None):
            raise refused("package and digest go together: the SHA-256 of the package's wheel")
        if self.kind != "endpoint" and self.name.startswith("~"):
            raise refused("~ is put in by a shell only; write the whole path as name")
        if self.package and "/" in self.name:
            raise refused("with a package, name is the name of the GGUF file in it, without a folder")
        return self


class Price(Section):
    """The price of a service, in US dollars per million tokens."""

    input: NotNegative = Field(description="of prompts")
    output: NotNegative = Field(description="of answers")

    def of(self, given: int, answered: int) -> float:
        """The cost of some tokens, in US dollars."""
        return (given * self.input + answered * self.output) / 1_000_000


class Prompting(Section):
    """How requests to language models are sent; nothing here affects a result."""

    max_cost: NotNegative = Field(
        description="US dollars that the prompts of a job may cost at most, by an upper bound on their"
        " tokens: with more it stops before its first request"
    )
    prices: dict[str, Price] = Field(
        description="US dollars per million tokens, by the names of endpoints' models; 0 for a server of"
        " one's own"
    )
    parallel: Few = Field(description="prompts that an endpoint is asked at the same time")
    timeout: Rate = Field(description="seconds within which an answer must be complete")
    retries: Some = Field(
        description="further tries of a request that failed in a way that may pass; a service may count a"
        " request that broke off, which `max_cost` does not know"
    )

    def price_of(self, name: str) -> Price:
        """The price of an endpoint's model; ValueError if it has no price."""
        if name not in self.prices:
            raise ValueError(
                f"prompting.prices: no price of '{name}'; set it, per million tokens, for example"
                f" prompting={{prices: {{{name}: {{input: 0.5, output: 1.5}}}}}}"
            )
        return self.prices[name]
