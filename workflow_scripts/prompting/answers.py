"""An answer of a language model, its stored form, and its form in OpenAI's protocol."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from workflow_scripts.core.errors import InputError

# Reasons for the end of an answer that mean that the service refused to give it.
REFUSED = frozenset({"content_filter", "refusal"})
# A larger count for one answer cannot be a number of tokens.
MOST_TOKENS = 10**9


@dataclass(frozen=True)
class Parameters:
    """The parameters of a request: everything that an answer depends on besides prompt and model."""

    chat: bool
    """As a user's message in the model's own chat format; else the model continues the text."""
    max_tokens: int
    temperature: float
    seed: int
    probabilities: int = 0
    """The number of likeliest first tokens to return with their probabilities."""

    def asked(self, prompt: str) -> dict[str, Any]:
        """The part of a request in OpenAI's protocol that contains the prompt and asks for probabilities."""
        if self.chat:
            wanted = {"logprobs": True, "top_logprobs": self.probabilities}
            body: dict[str, Any] = {"messages": [{"role": "user", "content": prompt}]}
        else:
            wanted = {"logprobs": self.probabilities}
            body = {"prompt": prompt}
        return body | wanted if self.probabilities else body

    def key(self) -> str:
        """A text that differs if an answer may differ; without drawing, the seed is not a part of it."""
        known = asdict(self)
        if not self.temperature:
            del known["seed"]
        return json.dumps(known, sort_keys=True)


@dataclass(frozen=True)
class Answer:
    """The answer of a model to a prompt."""

    text: str
    finish: str
    """The reason for its end: `stop`, `length` (at `max_tokens`), `refusal`, `content_filter` or another."""
    input_tokens: int | None
    output_tokens: int | None
    """The tokens counted and charged by the service; None if it does not report them."""
    first: dict[str, float] | None
    """Likeliest first tokens -> natural logarithm of their probability; None if they were not returned."""

    @property
    def refused(self) -> bool:
        """Whether the service refused to answer."""
        return self.finish in REFUSED

    def log_probability(self, tokens: Iterable[str]) -> float | None:
        """The logarithm of the probability that one of some tokens comes first; None if it is unknown.

        Tokens that are not among the likeliest ones have an unknown probability and add nothing.
        """
        if self.first is None:
            return None
        known = [self.first[token] for token in dict.fromkeys(tokens) if token in self.first]
        if not known:
            return None
        largest = max(known)
        return largest + math.log(sum(math.exp(one - largest) for one in known))

    def kept(self) -> str:
        """The answer as a text, for a cache."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def of_kept(cls, text: str) -> Answer:
        """An answer from the text that `kept` wrote."""
        return cls(**json.loads(text))


def read_body(body: bytes, where: str) -> Any:
    """The JSON of a body; InputError if it is not valid UTF-8 or JSON."""
    try:
        return json.loads(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError("the answer is not UTF-8", path=where) from None
    except (ValueError, RecursionError):
        raise InputError(
            "the answer is not JSON", path=where, fix="is this the address of the API?"
        ) from None


def read_answer(body: Any, where: str) -> Answer:
    """The answer from the body of a server's response in OpenAI's protocol, as chat or as completion.

    Raises InputError, naming the server, for anything else, also for a response without a choice.
    """
    try:
        choices = body["choices"]
        if not choices:
            raise InputError(
                "the answer has no choice in it", path=where, fix="run again, or ask the service"
            )
        choice = choices[0]
        message = choice.get("message") or {"content": choice.get("text")}
        text, finish = message.get("content"), choice.get("finish_reason")
        if isinstance(text, list):
            # Some servers send a list of parts, of which the text is one kind.
            text = "".join(part["text"] for part in text if part.get("type") == "text")
        if message.get("refusal"):
            text, finish = "", "refusal"
        if not isinstance(text, str | None) or not isinstance(finish, str | None):
            raise TypeError
        usage = body.get("usage") or {}
        # Of vLLM, llama.cpp and Ollama: thoughts that the server has taken out of the text.
        thought = message.get("reasoning_content") or message.get("reasoning") or message.get("thinking")
        return Answer(
            # Half a character (a surrogate) becomes '?': no file could contain it.
            text=_whole(text or ""),
            finish=_whole(finish or "unknown"),
            input_tokens=_count(usage.get("prompt_tokens")),
            output_tokens=_count(usage.get("completion_tokens")),
            # The first token of a thought says nothing about the answer.
            first=None if thought else _first(choice.get("logprobs")),
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError):
        problem = "the answer is not as OpenAI's protocol has it"
        raise InputError(problem, path=where, fix="is this the address of the API?") from None


def _whole(text: str) -> str:
    return text.encode(errors="replace").decode()


def _count(number: Any) -> int | None:
    whole = isinstance(number, int) and not isinstance(number, bool)
    return number if whole and 0 <= number <= MOST_TOKENS else None


def _first(logprobs: Any) -> dict[str, float] | None:
    """The first tokens, in either form: a list of tokens, or a mapping for each (the older form).

    None without them, also where a server gives the probability of the written token alone.
    """
    if not logprobs:
        return None
    content, older = logprobs.get("content"), logprobs.get("top_logprobs")
    if content:
        pairs = [(one["token"], one["logprob"]) for one in content[0].get("top_logprobs") or ()]
    else:
        pairs = list((older[0] or {}).items()) if older else []
    found: dict[str, float] = {}
    for token, value in pairs:
        token, value = _whole(token), -math.inf if value is None else float(value)
        if math.isnan(value) or value > 1e-3:
            raise ValueError("no logarithm of a probability")
        # JSON has no infinity; some servers write -9999 or null for it.
        found.setdefault(token, max(min(value, 0.0), -9999.0))
    return found or None
