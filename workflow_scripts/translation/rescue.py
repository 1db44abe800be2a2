"""Command: save the intact rows of a damaged cache of answers."""

import mmap
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from workflow_scripts.core.cache import Cache, Identity, digest_of
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, progress
from workflow_scripts.core.temporary import replacing
from workflow_scripts.translation.pages import Value, records

ROWS = 10_000


def rescue(old: Path, new: Path) -> None:
    """Copy every unchanged row into a new cache, wherever it is in the file.

    The damaged file stays as it is; put the new one in its place when no run uses it. A row with a wrong
    digest is dropped, to be translated again. Older files without digests are read too, but changes in their
    rows cannot be detected.

    :param old: the damaged cache
    :param new: the cache to write
    """
    if new.exists():
        raise InputError("is there already", path=new, fix="give another name, or move it away")
    if not old.is_file():
        raise InputError("no such file", path=old)
    if not old.stat().st_size:
        raise InputError("an empty file", path=old)
    dropped = whole = 0
    with (
        old.open("rb") as stream,
        mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data,
        replacing(new) as part,
    ):
        models, digests = _models(old.name, data)
        for block in chunks(_rows(old.name, data, 3 + digests), ROWS):
            rows: defaultdict[Identity, dict[str, str]] = defaultdict(dict)
            for row in block:
                if intact := _whole(row, models):
                    identity, source, target = intact
                    rows[identity][source] = target
                else:
                    dropped += 1
            for identity, translations in rows.items():
                with closing(Cache(part, *identity)) as cache:
                    cache.keep(translations)
                    whole = cache.count()
        if not whole:
            raise InputError("contains no intact row of a cache of answers", path=old)
    print(
        f"{new}: {whole} translations, {0 if digests else whole} of them without a digest;"
        f" {dropped} rows had changed and were dropped"
    )


def _models(name: str, data: mmap.mmap) -> tuple[dict[int, set[Identity]], bool]:
    """The identities that each model number may stand for, and whether rows have digests."""
    models: defaultdict[int, set[Identity]] = defaultdict(set)
    columns: Counter[int] = Counter()
    for number, values in progress(records(data), f"look for the models of {name}", unit="row"):
        if model := _model(number, values):
            models[model[0]].add(model[1])
        elif values and isinstance(values[0], int):
            columns[len(values)] += 1
    return models, columns[4] > columns[3]


def _rows(name: str, data: mmap.mmap, columns: int) -> Iterator[list[Value]]:
    """The rows of `columns` values of which the first is a number."""
    for _, values in progress(records(data), f"rescue {name}", unit="row"):
        if len(values) == columns and isinstance(values[0], int):
            yield values


def _whole(row: list[Value], models: dict[int, set[Identity]]) -> tuple[Identity, str, str] | None:
    """The identity, source and target of a row that has not changed.

    If the number of its model has changed, the digest still identifies the model; without a digest, the
    number must stand for one model only.
    """
    model, source, target, *digest = row
    if not isinstance(model, int) or not isinstance(source, str) or not isinstance(target, str):
        return None
    numbered = models.get(model, set())
    if not digest:
        return (next(iter(numbered)), source, target) if len(numbered) == 1 else None
    for identities in (numbered, *models.values()):
        for identity in identities:
            if digest_of(identity, source, target) == digest[0]:
                return identity, source, target
    return None


def _model(number: int | None, values: list[Value]) -> tuple[int, Identity] | None:
    """The number and the identity of a model, if this row is of the models' table or its index."""
    if len(values) != 4:
        return None
    place, (backend, model, direction) = (
        (number, values[1:]) if values[0] is None else (values[3], values[:3])
    )
    if not isinstance(place, int):
        return None
    if isinstance(backend, str) and isinstance(model, str) and isinstance(direction, str):
        return place, (backend, model, direction)
    return None


if __name__ == "__main__":
    run(rescue)
