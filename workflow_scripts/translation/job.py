"""Translate files through the cache and a backend."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from pathlib import Path

from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import LONGEST_LINE, chunks, progress, read_lines, write_lines
from workflow_scripts.translation.backends import Backend


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

    Jobs with a `max_cost` take turns at the cache, so that a sentence is paid for once. Raises InputError
    before the first request if the sentences not in the cache cost more than `max_cost` dollars, and for an
    answer that is longer than a line may be.
    """
    files = [read_lines(path) for path in sources]
    texts = {text for file in files for text in file if text.strip()}
    with ExitStack() as stack:
        store = stack.enter_context(closing(Cache(cache, backend.name, backend.model, "-".join(direction))))
        alive = stack.enter_context(store.alone()) if max_cost is not None else None
        done = store.find(texts)
        # Longest first: a batch has similar lengths, and one that does not fit in memory fails at once.
        todo = sorted(texts - done.keys(), key=lambda text: (-len(text), text))
        _check_cost(backend, todo, max_cost)
        if todo:
            store.check()
        size = min(batch_size, backend.largest_batch or batch_size)
        total = -(-len(todo) // size)
        name = f"{backend.name} {'-'.join(direction)}"
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
            done.update(new)
            if alive:
                alive()
    for file, target in zip(files, targets, strict=True):
        write_lines(target, (done[text] if text.strip() else "" for text in file))


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
