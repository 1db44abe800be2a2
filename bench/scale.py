"""How time and memory grow: of the steps with the number of sentences, of a dry run with the number of jobs.

Each step is the command that its rule runs, as a process of its own: processor seconds, and the most memory
that was resident, are the kernel's. Its input is synthetic text. A step stops before the size at which it
would take longer than `--seconds`. Exponents are slopes of least squares between logarithms, of what exceeds
a run of 100 lines, which is nearly all start: 1 is linear, and n log n is up to 1.1 at these sizes. Steps
that need a tool of the workflow (Bicleaner's hard rules, lmplz) are measured if `.venvs` has it.

    python bench/scale.py build/scale --figure docs/scale.svg --header
"""

import math
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from machine import print_row  # noqa: E402

from workflow_scripts.core.command import run  # noqa: E402
from workflow_scripts.core.csv_files import read_rows, write_csv  # noqa: E402
from workflow_scripts.core.files import write_lines, writing, writing_folder  # noqa: E402

KEPT = ("step", "lines", "seconds", "MB")
COLUMNS = (
    *("step", "lines", "seconds", "microseconds a line", "exponent"),
    *("MB at the fewest", "MB at the most", "exponent of the memory"),
)
# Nearly nothing: what a command takes for it is its start.
FEW = 100
# What grows by less is constant, in seconds and in MB: starts differ by as much.
LEAST = {"seconds": 0.2, "memory": 16.0}
# Of lines: questions, addresses, and copies of the line before.
DROPPED = (0.05, 0.02, 0.02)
LOGARITHMIC: Any = {"xscale": "log", "yscale": "log"}
# Shards of the bitext, by which the graph of jobs grows.
SHARDS = (1, 64, 150, 300, 500)
NGRAMS = ("--shortest", 1, "--longest", 4, "--min-sentences", 2, "--penalty", 2.0)
PLACE = ("--device", "cpu", "--precision", "float32", "--threads", 1)
METRICS = ("multi_bleu", "self_bleu", "formality", "perplexity")
LENGTHS = ("--min-tokens", 5, "--max-tokens", 25)
TEXTS = ("english.txt", "french.txt", "pairs.tsv", "scores.txt", "fluency.txt")
CACHE, CACHED, RESCUED = "core.cache", "cache.sqlite", "rescued.sqlite"
READERS = ("translation.translate", "translation.rescue")
# Answers of a batch enter the cache of translations in one transaction.
KEEP = """
import sys
from itertools import islice
from pathlib import Path
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.files import chunks, parallel
Path(sys.argv[1]).unlink(missing_ok=True)
cache = Cache(Path(sys.argv[1]), "aws", "TranslateText", "en-fr")
for batch in chunks(parallel(Path(sys.argv[2]), Path(sys.argv[3])), 1000):
    cache.keep(dict(batch))
cache.close()
"""
# As many jobs as are asked for, in chains of three.
BARE = """
rule all:
    input: expand("c/{i}", i=range(int(config["jobs"]) // 3))
for one, other in ("ab", "bc"):
    rule:
        name: other
        input: f"{one}/{{i}}"
        output: f"{other}/{{i}}"
        shell: "cp {input:q} {output:q}"
rule a:
    output: "a/{i}"
    shell: "touch {output:q}"
"""


@dataclass
class Step:
    """A command at growing sizes."""

    name: str
    sizes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """In MB."""

    def add(self, size: int, measured: tuple[float, float]) -> None:
        """Add what a run at a size took: seconds and MB."""
        self.sizes.append(size)
        self.seconds.append(measured[0])
        self.memory.append(measured[1])

    def next_takes(self, size: int) -> float:
        """The seconds that a larger size will take, if they grow as the last ones did."""
        start, last = self.seconds[0], self.seconds[-1]
        return start + (last - start) * (size / self.sizes[-1]) ** max(1.0, self.exponent("seconds") or 1.0)

    def exponent(self, kind: str) -> float | None:
        """The slope of what exceeds the start; 0 if it does not grow, None if it grows at one size only."""
        values = getattr(self, kind)
        grown = [
            (math.log(size), math.log(value - values[0]))
            for size, value in zip(self.sizes, values, strict=True)
            if value - values[0] > LEAST[kind]
        ]
        if not grown:
            return 0.0
        return slope(grown) if len(grown) > 1 else None

    def row(self) -> list[str]:
        """The cells of the table."""
        start, most = self.seconds[0], self.seconds[-1]
        exponents = [
            "" if exponent is None else f"{exponent:.2f}"
            for exponent in (self.exponent("seconds"), self.exponent("memory"))
        ]
        each = 1e6 * (most - start) / self.sizes[-1]
        memory = [f"{value:,.0f}" for value in (self.memory[1], self.memory[-1])]
        return [
            *(self.name, f"{self.sizes[-1]:,}", f"{most:.1f}", f"{each:,.1f}", exponents[0]),
            *(*memory, exponents[1]),
        ]


def bench(
    folder: Path,
    *,
    smallest: int = 10_000,
    largest: int = 1_000_000,
    seconds: float = 60,
    steps: list[str] | None = None,
    shards: list[int] | None = None,
    figure: Path | None = None,
    header: bool = False,
) -> None:
    """Print a row for each step, and one for the graph of jobs.

    :param folder: to work in, for texts of some gigabytes with ten million lines; what its `measured.csv` has
        is not measured again
    :param smallest: the fewest lines
    :param largest: the most lines, which not all steps reach
    :param seconds: the most processor seconds of one run of a step
    :param steps: names of steps, in place of all; `jobs` is the graph of jobs
    :param shards: numbers of shards of the bitext, by which the graph grows
    :param figure: SVG to write, of time and memory
    :param header: print the head of the table first
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for cells in (COLUMNS, ["---"] * len(COLUMNS)) if header else ():
        print_row(cells)
    models(folder)
    measured = [Step(name) for name in commands(folder, folder, 1) if steps is None or name in steps]
    kept = folder / "measured.csv"
    known = {
        (row["step"], int(row["lines"])): (float(row["seconds"]), float(row["MB"]))
        for _, row in (read_rows(kept, KEPT) if kept.exists() else ())
    }
    for step in measured:
        for size in (FEW, *sizes(smallest, largest)):
            text = folder / f"{size}"
            if (step.name, size) not in known:
                # Two steps read the cache that an earlier one has written.
                lacking = step.name in READERS and not (text / CACHED).exists()
                if lacking or (step.sizes and step.next_takes(size) > seconds):
                    break
                texts(text, size)
                (text / RESCUED).unlink(missing_ok=True)
                words = commands(folder, text, size)[step.name]
                known[step.name, size] = spent([sys.executable, *words], folder / "log")
                write_csv(kept, KEPT, [(*place, *numbers) for place, numbers in known.items()])
            step.add(size, known[step.name, size])
        print_row(step.row())
    graph = [] if steps and "jobs" not in steps else graphs(folder, shards or SHARDS)
    for step in graph:
        print_row(step.row())
    if figure:
        draw(figure, measured, graph)


def sizes(smallest: int, largest: int) -> Iterator[int]:
    """Sizes that grow by the root of ten, from the smallest to the largest."""
    size = float(smallest)
    while round(size) <= largest:
        yield round(size)
        size *= math.sqrt(10)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the line through some points, by least squares."""
    xs, ys = zip(*points, strict=True)
    middle, level = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - middle) * (y - level) for x, y in points) / sum((x - middle) ** 2 for x in xs)


def spent(words: Sequence[object], log: Path) -> tuple[float, float]:
    """Processor seconds, and MB resident at most, of a command and its children; RuntimeError if it fails."""
    with log.open("wb") as stream:
        process = subprocess.Popen(list(map(str, words)), cwd=ROOT, stdout=stream, stderr=stream)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{words}: {log.read_text(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def texts(folder: Path, size: int) -> None:
    """Write a bitext, its shard and the other files of so many lines that the steps read.

    Lines are pairs of phrases of made-up words, so that next to none are alike; the same size gives the same
    bytes. Plain Python: a child's memory counts at least what this process has.
    """
    if folder.is_dir():
        return
    random.seed(size)
    words = ["".join(random.choices("aeioubdlmnprst", k=random.randint(2, 9))) for _ in range(20_000)]
    # As Zipf has it: a word's frequency is one by its rank.
    sums = list(accumulate(1 / rank for rank in range(10, len(words) + 10)))
    drawn = (random.choices(words, cum_weights=sums, k=random.randint(2, 9)) for _ in range(30_000))
    phrases = list(map(" ".join, drawn))
    question, address, copied = DROPPED
    english, french = "", ""
    with writing_folder(folder) as part, ExitStack() as stack:
        streams = [stack.enter_context((part / name).open("w", encoding="utf-8")) for name in TEXTS]
        for first in range(0, size, 10_000):
            halves = [random.choices(phrases, k=min(10_000, size - first)) for _ in range(4)]
            block: list[list[str]] = [[] for _ in TEXTS]
            for one, two, three, four in zip(*halves, strict=True):
                luck = random.random()
                if luck >= copied or not english:
                    asked, addressed = luck > 1 - question, luck > 1 - question - address
                    ending = " ?" if asked else " www.la.com" if addressed else "."
                    english, french = f"{one} {two}{ending}", f"{three} {four}{ending}"
                cells = (english, french, f"{english}\t{french}", f"{6 * luck - 3:.4f}", f"{9 * luck:.4f}")
                for lines, line in zip(block, cells, strict=True):
                    lines.append(f"{line}\n")
            for stream, lines in zip(streams, block, strict=True):
                stream.writelines(lines)
        columns = ("system", "run", "output", "formality", "fluency")
        outputs = [str(folder / name) for name in ("french.txt", "scores.txt", "fluency.txt")]
        write_csv(part / "runs.csv", columns, [[name, "run0", *outputs] for name in ("rule-based", "other")])


def models(folder: Path) -> None:
    """Make what steps need besides texts: a regressor on n-grams, a language model, tables."""
    texts(folder / "2000", 2_000)
    module(folder, "encoders.encoder", "ngrams", "--kind", "ngrams", *NGRAMS)
    training = ("--learning-rate", 0.1, "--epochs", 1, "--batch-size", 8, "--max-length", 64, "--seed", 1)
    data = ("--sentences", "2000/french.txt", "--scores", "2000/scores.txt", "--objective", "values")
    states = ("--checkpoints", "states")
    module(folder, "encoders.train", "ngrams", "regressor", *data, *training, *PLACE, *states)
    write_lines(folder / "lm", [])
    if programs := tool("kenlm-*/kenlm"):
        estimated = ("--language", "fr", "--order", 5, "--memory", "256M", "--temporary", ".")
        case = ("--truecaser", "truecaser.txt")
        module(folder, "fluency.train", programs, "lm", "2000/french.txt", *estimated, *case)
    write_lines(folder / "counts.tsv", ["step\tcount", "raw\t1"])
    with writing(folder / "Snakefile") as stream:
        stream.write(BARE)


def tool(pattern: str) -> Path | None:
    """A folder of the tools that the workflow builds, if it is there."""
    return next(iter(sorted(ROOT.glob(f".venvs/{pattern}"))), None)


def module(folder: Path, name: str, *words: object) -> None:
    """Run a command of the package in a folder."""
    command = [sys.executable, "-m", f"workflow_scripts.{name}", *map(str, words)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environment, check=True, stderr=subprocess.DEVNULL)


def commands(folder: Path, text: Path, size: int) -> dict[str, Sequence[object]]:
    """The words after Python's name of each step, in the order of the data flow, as rules call them.

    :param folder: of models, and to write to
    :param text: folder of the texts
    :param size: their number of lines
    """

    def at(*names: str) -> list[Path]:
        return [folder / name for name in names]

    english, french, pairs, scores, cache = (text / name for name in (*TEXTS[:4], CACHED))
    out, counts, regressor = at("out.txt.gz", "out.counts.tsv", "regressor")
    both, low, dev = (at(f"{name}.en.txt.gz", f"{name}.fr.txt.gz") for name in ("out", "low", "dev"))
    to_french = ("--language", "fr", "--truecaser")
    pair = ("--source-language", "en", "--target-language", "fr")
    words: dict[str, Sequence[object]] = {
        "filtering.shard": (english, french, "--shards-out", *at(*(f"{i}.tsv.gz" for i in range(8)))),
        "filtering.curate_bitext": (pairs, out, counts, *LENGTHS),
        "filtering.gather": (*both, counts, "--shards", pairs, "--counts", *at("counts.tsv")),
        "filtering.pools": (
            *(scores, counts, "--texts", english, french, "--formal", *both, "--informal", *low),
            *("--informal-below", -1),
        ),
        "filtering.sample": (
            *("--pool", english, french, "--names", "lm", "dev", "--sizes", size // 5, size // 50),
            *("--draws", "independent", "--apart", "dev", "--out", *both, *dev, "--counts", counts),
            *("--seed", 1),
        ),
        "filtering.curate": (french, out, counts, *LENGTHS),
        "filtering.candidates": (
            *(french, scores, out, counts, "--informal-below", -1, "--size", 1000, "--seed", 1),
        ),
        "encoders.score": (
            *(regressor, "--sources", french, "--targets", out, "--batch-size", 256),
            *("--max-length", 128, *PLACE),
        ),
        "evaluation.evaluate": (
            *(folder / "out.csv", "--language", "fr", "--informal", english, "--references", french, english),
            *("--runs", text / "runs.csv", "--gold", "--regressor", regressor, "--lm", folder / "lm"),
            *("--order", 5, "--baseline", "rule-based", "--metrics", *METRICS),
            *("--resamples", 1000, "--confidence", 0.95, "--seed", 1),
        ),
        CACHE: ("-c", KEEP, cache, english, french),
        "translation.translate": (
            *(*pair, "--backend", "aws", "--region", "eu-west-1", "--max-cost", 0, "--batch-size", 1),
            *("--price-per-million", 15, "--sources", english, "--targets", out, "--cache", cache),
        ),
        "translation.rescue": (cache, text / RESCUED),
    }
    if programs := tool("kenlm-*/kenlm"):
        estimated = ("--order", 5, "--memory", "256M", "--temporary", folder)
        words["fluency.train"] = (
            *(programs, folder / "large.lm", french, *to_french, folder / "large.truecaser.txt"),
            *estimated,
        )
        words["fluency.score"] = (
            *(folder / "lm", "--sources", french, "--targets", out),
            *(*to_french, folder / "truecaser.txt"),
        )
    if bicleaner := tool("hardrules-*"):
        words["filtering.bicleaner"] = (pairs, out, counts, "--tool", bicleaner, *pair, "--processes", 1)
    return {
        name: given if name == CACHE else ("-m", f"workflow_scripts.{name}", *given)
        for name, given in words.items()
    }


def graphs(folder: Path, shards: Sequence[int]) -> list[Step]:
    """Dry runs of all papers at the paper's scale, and of as many jobs that nothing is to be known of."""
    snakemake = [sys.executable, "-m", "snakemake", "-n", "--quiet", "rules", "--directory", folder / "run"]
    page = Step("jobs of all papers")
    bare = Step("jobs, Snakemake alone")
    one = "results/settings.json"
    words = [*snakemake, "--snakefile", ROOT / "Snakefile", "--configfile", ROOT / "config/paper.yaml"]
    page.add(1, spent([*words, "--", one], folder / "log"))
    alone = [*snakemake, "--snakefile", folder / "Snakefile", "--config"]
    bare.add(1, spent([*alone, "jobs=3"], folder / "log"))
    for count in shards:
        overlay = folder / "shards.yaml"
        overlay.write_text(f"filtering: {{shards: {count}}}\n", encoding="utf-8")
        took = spent([*words, overlay, "--", "all"], folder / "log")
        jobs = int(re.findall(r"^total +(\d+)", (folder / "log").read_text(), re.M)[-1])
        page.add(jobs, took)
        bare.add(jobs, spent([*alone, f"jobs={jobs}"], folder / "log"))
    return [page, bare]


def draw(path: Path, steps: Sequence[Step], graph: Sequence[Step]) -> None:
    """Time and memory by lines, on logarithmic axes; below, those of dry runs by jobs."""
    from matplotlib.figure import Figure

    from workflow_scripts.figures.curves import Curve, curves
    from workflow_scripts.figures.look import save, styled

    kinds = {"seconds": "processor seconds", "memory": "MB resident at most"}
    rows = [(part, label) for part, label in ((steps, "lines"), (graph, "jobs")) if part]
    with styled():
        figure = Figure(figsize=(8.4, 3.4 * len(rows)), layout="constrained")
        grid = figure.subplots(len(rows), 2, squeeze=False)
        for (part, label), panels in zip(rows, grid, strict=True):
            # The start of a command is no point of a logarithmic axis of its lines.
            first = 1 if label == "lines" else 0
            for axes, (kind, name) in zip(panels, kinds.items(), strict=True):
                points = [list(zip(step.sizes, getattr(step, kind), strict=True))[first:] for step in part]
                curves(axes, [Curve(step.name, n, points[n]) for n, step in enumerate(part) if points[n]])
                axes.set(xlabel=label, ylabel=name, **LOGARITHMIC if first else {"ylim": (0, None)})
                for axis in (axes.xaxis, axes.yaxis):
                    axis.set_major_formatter(lambda value, _: f"{value:,.9g}")
            panels[1].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=7)
        told = [f"{step.name}: {step.seconds[-1]:.1f} s for {step.sizes[-1]:,}." for step in (*steps, *graph)]
        title = "Time and memory of the steps by lines, and of a dry run by jobs"
        save(figure, path, title=title, description=" ".join(told))


if __name__ == "__main__":
    run(bench)
