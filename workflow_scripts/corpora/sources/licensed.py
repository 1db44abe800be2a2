"""Command: check that a corpus that needs a signature is in place, or say how to get it.

The Snakefile imports this module, so it needs nothing but the standard library and the package's light parts.
"""

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora import gyafc, xformal, yahoo
from workflow_scripts.corpora.sources.registry import Entry, find, load

# Characters not allowed in a table with one file a line: control characters, and bytes that are not UTF-8.
UNFIT = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


def check_licensed(folder: Path, stamp: Path, *, entry: str, registry: Path) -> None:
    """Check that a licensed corpus has the files that its reader needs, and write their names and sizes.

    Raises InputError if it is absent or incomplete, with its name, how to ask for it and where to put it.

    :param folder: the folder of all licensed corpora
    :param stamp: file to write: name and size in bytes of each file, tab-separated
    :param entry: id in the registry
    :param registry: the registry's table
    """
    row = find(load(registry), entry)
    problem = missing(row, folder)
    if problem:
        raise InputError(problem)
    place = folder / row.path
    paths, _ = layout(row, place)
    sizes = {path.relative_to(place).as_posix(): path.stat().st_size for path in paths}
    for name in sizes:
        if UNFIT.search(name):
            raise InputError(f"{name!r} is not a valid file name", path=place, fix="rename it")
    write_lines(stamp, (f"{name}\t{size}" for name, size in sizes.items()))


def missing(entry: Entry, folder: Path) -> str | None:
    """A message about a licensed corpus that is absent or incomplete; None if it is complete."""
    place = folder / entry.path
    if not place.is_dir():
        problem = f"the folder {place} does not exist"
    else:
        absent = layout(entry, place)[1]
        if not absent:
            return None
        more = f" and {len(absent) - 3} more" if len(absent) > 3 else ""
        names = ", ".join(repr(name) if UNFIT.search(name) else name for name in absent[:3])
        problem = f"the folder {place} lacks {names}{more}"
    return (
        f"licensed corpus '{entry.id}': {problem}; {entry.note}; put it into {place}"
        f" (the setting 'licensed' names the folder {folder}); licence: {entry.licence}"
    )


def layout(entry: Entry, place: Path) -> tuple[list[Path], list[str]]:
    """The present files of a corpus, sorted, and descriptions of the missing ones."""
    match entry.corpus:
        case "gyafc":
            wanted = [
                Path(domain, split, name)
                for domain in gyafc.DOMAINS
                for split in gyafc.SPLITS
                for names in gyafc.groups(split)
                for name in names
            ]
            present = [path for path in wanted if (place / path).is_file()]
            return sorted(place / path for path in present), [str(p) for p in wanted if p not in present]
        case "xformal":
            folders = xformal.evaluation_folders(place)
            if not folders:
                return [], ["xformal_eval/<language>/informal and formal.ref0..3"]
            wanted = [path / name for path in folders for name in xformal.FILES]
            absent = [str(path.relative_to(place)) for path in wanted if not path.is_file()]
            return sorted(path for path in wanted if path.is_file()), absent
        case "impolite":
            corpus = place / "impolite.jsonl"
            return ([corpus], []) if corpus.is_file() else ([], [corpus.name])
        case "yahoo" | "yahoo-fr":
            parts = yahoo.parts_of(place)
            if len(parts) == 1 and ".part" in parts[0].name:
                return parts, [f"the parts besides {parts[0].name}"]
            return parts, [] if parts else [f"{' or '.join(yahoo.PATTERNS)} in it"]
        case _:
            raise ValueError(f"no layout is known for the licensed corpus '{entry.corpus}'")


if __name__ == "__main__":
    run(check_licensed)
