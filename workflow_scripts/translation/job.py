"""Translate files through the cache and a backend."""

import sys
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path

from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import LONGEST_LINE, chunks, lines, map_lines, progress
from workflow_scripts.translation.backends import Backend

# Lines that are looked up together.
CHUNK = 10_000


def translate_files(
    backend: Backend,
    direction: tuple[str, str],
    sources: list[Path],
    targets: list[Path],
    cache: Path,
    batch_size: int,
    max_cost: float | None,
) -> None:
    """Translate every distinct sentence of `sources` through the cache and write `targets`.

    Only sentences that are not in the cache, and their translations, are in memory. Jobs with a `max_cost`
    take turns at the cache, so that a sentence is paid for once. Raises InputError before the first request
    if the sentences not in the cache cost more than `max_cost` dollars, and for an answer that is longer than
    a line may be.
    """
    name = f"{backend.name} {'-'.join(direction)}"
    with closing(Cache(cache, backend.name, backend.model, "-".join(direction))) as store:
        with store.alone() if max_cost is not None else nullcontext() as alive:
            # Longest first: a batch has similar lengths, and one that does not fit in memory fails at once.
            todo = sorted(_missing(store, sources, alive), key=lambda text: (-len(text), text))
            _check_cost(backend, todo, max_cost)
            if todo:
                store.check()
            own: dict[str, str] = {}
            size = min(batch_size, backend.largest_batch or batch_size)
            total = -(-len(todo) // size)
            for batch in progress(chunks(todo, size), name, total, "batch") if todo else ():
                new = dict(zip(batch, map(_line, backend.translate(batch)), strict=True))
                long = [text for text, answer in new.items() if len(answer.encode()) > LONGEST_LINE]
                # Paid answers are saved, even if another answer is refused.
                store.keep({text: answer for text, answer in new.items() if text not in long})
                if long:
                    raise InputError(
                        f"{backend.name} answers with more than {LONGEST_LINE} bytes to '{long[0][:60]}'",
                        fix="this is not a translation; check the service",
                    )
                own |= new
                if alive:
                    alive()
        for source, target in zip(sources, targets, strict=True):
            map_lines(source, target, partial(_translated, store, own))


def _missing(store: Cache, sources: list[Path], alive: Callable[[], None] | None) -> set[str]:
    """The distinct sentences of files that are not in the cache; `alive` is called now and then."""
    missing: set[str] = set()
    for chunk in chunks((text for path in sources for text in lines(path) if text.strip()), CHUNK):
        texts = set(chunk) - missing
        missing |= texts - store.find(texts).keys()
        if alive:
            alive()
    return missing


def _translated(store: Cache, own: Mapping[str, str], texts: list[str]) -> list[str]:
    """This job's translations and the cached ones; of an empty line an empty one.

    InputError if another process has removed one from the cache.
    """
    found = {text: own[text] for text in texts if text in own}
    found |= store.find({text for text in texts if text.strip()} - found.keys())
    try:
        return [found[text] if text.strip() else "" for text in texts]
    except KeyError as text:
        raise InputError(
            f"'{text.args[0][:60]}' has left this cache while it was read",
            path=store.path,
            fix="run the job again",
        ) from None


def _line(answer: str) -> str:
    """An answer as one line of UTF-8.

    A line feed would make the files no longer parallel; half a character (a surrogate) becomes a '?'.
    """
    return " ".join(answer.encode(errors="replace").decode().split())


def _check_cost(backend: Backend, texts: list[str], max_cost: float | None) -> None:
    cost = backend.cost(texts)
    print(f"{len(texts)} sentences to translate", file=sys.stderr)
    if max_cost is None:
        return
    print(f"{sum(map(len, texts))} characters, ${cost:.4f}", file=sys.stderr)
    if cost > max_cost:
        raise InputError(
            f"translating {sum(map(len, texts))} characters would cost ${cost:.4f}, above ${max_cost:.4f}",
            fix="raise translation.max_cost, or translate less",
        )
