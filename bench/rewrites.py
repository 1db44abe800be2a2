"""How fast rewrites are analysed on this machine, as rows of a Markdown table.

The texts are those of the demo world: 1,000 informal sentences per language with four rewrites each, the size
of XFORMAL. Each kind of work is done as the workflow does it, and in plain Python, one pair at a time
(`tests/rewrites/plain.py`); both use the same tokenisers. Times are processor time in seconds, the median of
the repeats; every repeat starts with nothing analysed. The results of both must be equal.

    python bench/rewrites.py --header
"""

import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.rewrites import plain  # noqa: E402
from workflow_scripts.core.command import fix_threads, run  # noqa: E402
from workflow_scripts.core.provenance import versions  # noqa: E402

COLUMNS = ("machine", "versions", "language", "work", "pairs", "seconds", "plain Python", "ratio")


def bench(
    *,
    languages: list[str] | None = None,
    sentences: int = 1000,
    repeats: int = 3,
    plain_repeats: int = 1,
    header: bool = False,
) -> None:
    """Print one row per language and kind of work.

    :param languages: of pt, it and fr; all three if not given
    :param sentences: informal sentences per language, each with four rewrites
    :param repeats: how often each measurement is made
    :param plain_repeats: the same for plain Python
    :param header: print the head of the table first
    """
    fix_threads(1)
    from rapidfuzz.distance import Levenshtein

    from workflow_scripts.rewrites.abbreviations import Abbreviations
    from workflow_scripts.rewrites.edits import EditFinder
    from workflow_scripts.text.lexical import led
    from workflow_scripts.text.sentences import default_splitter

    if header:
        _print_row(COLUMNS)
        _print_row(["---"] * len(COLUMNS))
    machine = [platform.node() or "?", _versions()]
    split = default_splitter()
    with tempfile.TemporaryDirectory() as folder:
        _make_world(Path(folder), sentences)
        for language in languages or ["pt", "it", "fr"]:
            pairs = _pairs(Path(folder), language)
            first, second = ([pair[side] for pair in pairs] for side in (0, 1))
            file = ROOT / f"resources/abbreviations/{language}.tsv"
            known = dict(line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
            slow = plain.expansions(known)
            works: dict[str, tuple[Callable[[], list], Callable[[], list]]] = {
                "types of edits": (
                    lambda: _edits(EditFinder(split, Abbreviations(known)), pairs),  # noqa: B023
                    lambda: [plain.edits(*pair, split, slow, known) for pair in pairs],  # noqa: B023
                ),
                "LeD": (
                    lambda: led(first, second, language).tolist(),  # noqa: B023
                    lambda: [plain.led(*pair, language) for pair in pairs],  # noqa: B023
                ),
                "character Levenshtein distance": (
                    lambda: [Levenshtein.distance(*pair) for pair in pairs],  # noqa: B023
                    lambda: [plain.distance(*pair) for pair in pairs],  # noqa: B023
                ),
            }
            total = [0.0, 0.0]
            for work, functions in works.items():
                (ours, seconds), (theirs, plainly) = (
                    _timed(function, count)
                    for function, count in zip(functions, (repeats, plain_repeats), strict=True)
                )
                if ours != theirs:
                    raise AssertionError(f"{work} ({language}): plain Python has another result")
                spent = [seconds, plainly]
                total = [one + other for one, other in zip(total, spent, strict=True)]
                _print_row([*machine, language, work, f"{len(pairs):,}", *_numbers(spent)])
            _print_row([*machine, language, "all three", f"{len(pairs):,}", *_numbers(total)])


def _edits(
    find: Callable[[str, str], dict[str, bool]], pairs: list[tuple[str, str]]
) -> list[dict[str, bool]]:
    return [find(*pair) for pair in pairs]


def _make_world(folder: Path, sentences: int) -> None:
    """The demo world's XFORMAL with as many informal sentences."""
    from workflow_scripts.corpora.demo.make_world import make_world
    from workflow_scripts.corpora.demo.xformal import make_xformal

    world = folder / "world.json"
    make_world(
        world,
        situations=sorted((ROOT / "resources/demo/situations").glob("*.yaml")),
        seed=1,
        gyafc_dev=10,
        gyafc_test=10,
        xformal=sentences,
    )
    make_xformal(folder / "XFORMAL", world=world, xformal=sentences)


def _pairs(folder: Path, language: str) -> list[tuple[str, str]]:
    """Every informal sentence with each of its rewrites."""
    from workflow_scripts.core.files import read_lines
    from workflow_scripts.corpora.xformal import read_xformal

    out = folder / "canonical" / language
    read_xformal(folder / "XFORMAL", out, language=language)
    informal = read_lines(out / "informal.txt")
    rewrites = [read_lines(out / f"formal.ref{i}.txt") for i in range(4)]
    return [(text, other[line]) for line, text in enumerate(informal) for other in rewrites]


def _timed(function: Callable[[], list], repeats: int) -> tuple[list, float]:
    """The result, and the seconds of processor time that it took."""
    spent = []
    for _ in range(repeats):
        begun = time.process_time()
        result = function()
        spent.append(time.process_time() - begun)
    return result, statistics.median(spent)


def _numbers(spent: list[float]) -> list[str]:
    return [f"{spent[0]:.3f}", f"{spent[1]:.3f}", f"{spent[1] / spent[0]:,.1f}"]


def _print_row(cells: list[str] | tuple[str, ...]) -> None:
    """One row of a Markdown table, at once."""
    print(f"| {' | '.join(cells)} |", flush=True)


def _versions() -> str:
    found = versions("rapidfuzz", "sacremoses", "nltk")
    return f"Python {platform.python_version()}, " + ", ".join(f"{name} {found[name]}" for name in found)


if __name__ == "__main__":
    run(bench)
