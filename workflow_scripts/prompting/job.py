"""Prompts answered by the cache or a model, each paid for once."""

import math
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Protocol, runtime_checkable

from workflow_scripts.config.prompted import Price, Prompting
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.prompting.answers import Answer, Parameters

# The largest number of tokens that a chat format and the beginning of a text add to a prompt.
ADDED = 64
# Seconds after which a waiting job signals to others that it is alive.
SIGN = 60.0


class Backend(Protocol):
    """A language model that answers prompts."""

    name: str
    model: str
    """Identifies everything that an answer depends on besides prompt and parameters."""
    parameters: Parameters
    price: Price | None
    """The price of its answers; None for a model on the user's own machine."""
    parallel: int
    """The number of prompts that may be sent at the same time."""
    seconds: float
    """How long an answer is assumed to take before there is one; plans have the same in `rates.csv`."""

    def ask(self, prompt: str, stopped: Event) -> Answer:
        """The answer to a prompt; InputError if there is none, without delay once `stopped` is set."""


@runtime_checkable
class Batching(Protocol):
    """What a backend has besides if it answers several prompts in one go."""

    together: int
    """The number of these."""

    def ask_all(self, prompts: Sequence[str]) -> list[Answer]:
        """Their answers; InputError if there are none."""


def ask(backend: Backend, prompts: Collection[str], cache: Path, settings: Prompting) -> dict[str, Answer]:
    """The answer to each prompt: from the cache, else from the model, and then stored before it is used.

    Jobs whose answers have a price take turns at a model, so that a prompt is paid for once. Raises
    InputError before the first request if the prompts that are not in the cache may cost more than
    `settings.max_cost` dollars, and if a backend refuses a prompt; answers under way are then awaited and
    stored, so that the next run continues with the rest.
    """
    with ExitStack() as stack:
        store = stack.enter_context(
            closing(Cache(cache, backend.name, backend.model, backend.parameters.key()))
        )
        alive = stack.enter_context(store.alone()) if backend.price is not None else lambda: None
        found = {prompt: Answer.of_kept(text) for prompt, text in store.find(set(prompts)).items()}
        todo = sorted(set(prompts) - found.keys())
        print(f"{len(todo)} prompts to ask, {len(found)} answers in the cache", file=sys.stderr)
        if not todo:
            return found
        _tell_time(backend, len(todo))
        _check_cost(backend, todo, settings.max_cost)
        store.check()
        asked = _asked(backend, todo, store, alive)
        new = dict(progress(asked, backend.name, len(todo), "answer"))
        _tell_use(backend, new)
        return {**found, **new}


def _asked(
    backend: Backend, todo: list[str], store: Cache, alive: Callable[[], None]
) -> Iterator[tuple[str, Answer]]:
    """Send prompts concurrently; an answer is on the disk before it is returned."""
    stopped = Event()
    running: dict[Future[list[Answer]], list[str]] = {}
    waiting = iter(_batches(backend, todo))
    failure: BaseException | None = None
    with ThreadPoolExecutor(backend.parallel) as pool:
        try:
            while True:
                while failure is None and len(running) < backend.parallel:
                    prompts = next(waiting, None)
                    if prompts is None:
                        break
                    running[pool.submit(_answers, backend, prompts, stopped)] = prompts
                if not running:
                    break
                ended, _ = wait(running, timeout=SIGN, return_when=FIRST_COMPLETED)
                alive()
                failure = failure or next((f for f in (one.exception() for one in ended) if f), None)
                if failure is not None:
                    stopped.set()
                yield from _keep(store, running, ended)
        finally:
            # After Ctrl-C: answers under way have been paid for.
            stopped.set()
            if running:
                _keep(store, running, wait(running).done)
    if failure is not None:
        raise failure


def _batches(backend: Backend, todo: list[str]) -> list[list[str]]:
    """The prompts of each request; those that are answered together have about the same length."""
    if not isinstance(backend, Batching) or backend.together == 1:
        return [[prompt] for prompt in todo]
    longest_first = sorted(todo, key=lambda prompt: (-len(prompt), prompt))
    return [
        longest_first[start : start + backend.together] for start in range(0, len(todo), backend.together)
    ]


def _answers(backend: Backend, prompts: list[str], stopped: Event) -> list[Answer]:
    if len(prompts) > 1 and isinstance(backend, Batching):
        return backend.ask_all(prompts)
    return [backend.ask(prompt, stopped) for prompt in prompts]


def _keep(
    store: Cache, running: dict[Future[list[Answer]], list[str]], ended: Collection[Future[list[Answer]]]
) -> list[tuple[str, Answer]]:
    """Store the answers of finished requests; failed requests have none."""
    new = [
        pair
        for one in ended
        if (prompts := running.pop(one)) and not one.exception()
        for pair in zip(prompts, one.result(), strict=True)
    ]
    if new:
        store.keep({prompt: answer.kept() for prompt, answer in new})
    return new


def bound(backend: Backend, prompts: Collection[str]) -> tuple[int, int]:
    """The largest possible number of tokens of prompts and answers: no token is shorter than a byte."""
    given = sum(len(prompt.encode()) + ADDED for prompt in prompts)
    return given, len(prompts) * backend.parameters.max_tokens


def _tell_time(backend: Backend, count: int) -> None:
    """How long the answers may take, for the log."""
    span = timedelta(seconds=math.ceil(count * backend.seconds / backend.parallel))
    at_once = f", {backend.parallel} at a time" if backend.parallel > 1 else ""
    print(f"about {span} at an assumed {backend.seconds:.2g} s for an answer{at_once}", file=sys.stderr)


def _check_cost(backend: Backend, prompts: Collection[str], max_cost: float) -> None:
    if backend.price is None:
        return
    given, answered = bound(backend, prompts)
    cost = backend.price.of(given, answered)
    print(f"at most {given} tokens to send and {answered} to get, ${cost:.4f}", file=sys.stderr)
    if cost > max_cost:
        raise InputError(
            f"{len(prompts)} prompts may cost up to ${cost:.4f}, above ${max_cost:.4f}",
            fix="raise prompting.max_cost, or ask less",
        )


def used(backend: Backend, answers: Mapping[str, Answer]) -> tuple[int, int, int]:
    """The tokens of prompts and answers as the service counts them, and how many answers it did not count.

    An answer without one counts with the most that it can have, as in `bound`.
    """
    given, answered, unknown = 0, 0, 0
    for prompt, answer in answers.items():
        most = bound(backend, [prompt])
        given += most[0] if answer.input_tokens is None else answer.input_tokens
        answered += most[1] if answer.output_tokens is None else answer.output_tokens
        unknown += answer.input_tokens is None or answer.output_tokens is None
    return given, answered, unknown


def _tell_use(backend: Backend, answers: Mapping[str, Answer]) -> None:
    """The token counts reported by the service, for the log."""
    given, answered, unknown = used(backend, answers)
    cost = f", ${backend.price.of(given, answered):.4f}" if backend.price else ""
    most = f"; {unknown} answers came without counts: for them the most possible" if unknown else ""
    print(f"{len(answers)} answers: {given} tokens sent, {answered} tokens got{cost}{most}", file=sys.stderr)
