"""Files through the cache and a backend."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, progress, read_lines, write_lines
from workflow_scripts.translation.backends import Backend
from workflow_scripts.translation.cache import Cache


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

    Raises InputError before the first request if what is not in the cache costs more than `max_cost` dollars.
    """
    files = [read_lines(path) for path in sources]
    texts = {text for file in files for text in file if text.strip()}
    with closing(Cache(cache, backend.name, backend.model, "-".join(direction))) as store:
        done = store.find(texts)
        # Longest first: sentences of a batch are alike, and a batch that does not fit in memory comes first.
        todo = sorted(texts - done.keys(), key=lambda text: (-len(text), text))
        _check_cost(backend, todo, max_cost)
        size = min(batch_size, backend.largest_batch or batch_size)
        total = -(-len(todo) // size)
        name = f"{backend.name} {'-'.join(direction)}"
        for batch in progress(chunks(todo, size), name, total, "batch") if todo else ():
            # A line feed inside a translation would break the files that are parallel by line.
            found = [" ".join(text.split()) for text in backend.translate(batch)]
            new = dict(zip(batch, found, strict=True))
            store.keep(new)
            done.update(new)
    for file, target in zip(files, targets, strict=True):
        write_lines(target, (done[text] if text.strip() else "" for text in file))


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
