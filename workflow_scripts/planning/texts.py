"""The numbers of lines of a run's texts, followed from the corpora through all jobs."""

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from workflow_scripts.planning.networks import tuned_lines
from workflow_scripts.planning.volumes import Volume

TEXT = (".txt", ".txt.gz", ".tsv.gz", ".sentences.txt")


class Texts:
    """The lines of files so far; jobs must come in the order in which they run."""

    def __init__(self, settings: Mapping[str, Any], volumes: Mapping[tuple[str, str, str], Volume]) -> None:
        """`volumes`: sizes of corpora by corpus, version and part."""
        self.settings, self.volumes = settings, volumes
        self.lines: dict[str, float] = {}
        # Assumptions about the current job that no setting has.
        self.assumed: list[str] = []

    def volume(self, corpus: str, part: str = "", version: str = "") -> Volume:
        """The size of a version of a corpus, of the configured one unless another is given."""
        version = version or self.settings["corpora"][corpus.replace("-", "_")]
        found = self.volumes.get((corpus, version, part)) or self.volumes.get((corpus, version, ""))
        if found is None:
            self.assumed.append(f"size of {corpus} {version}")
            return Volume(1000.0, 1.0, 0.9)
        if version != "demo":
            self.assumed.append(f"size of {corpus} {version}")
        return found

    def written(self, job: Mapping[str, Any], texts: list[str]) -> dict[str, float]:
        """The lines of a job's files, as its rule counts them."""
        outputs = [path for path in job["output"] if path.endswith(TEXT)]
        read = [self.lines[path] for path in texts]
        if not job["lines"]:
            # A line for each line: of the file at the same place, or of the first one.
            same = len(texts) == len(outputs)
            return {path: read[place if same else 0] for place, path in enumerate(outputs) if texts}
        if job["lines"] in OF_CORPORA:
            return {path: OF_CORPORA[job["lines"]](self, PurePosixPath(path)) for path in outputs}
        count = OF_TEXTS[job["lines"]]
        return {path: count(Made(self, job, PurePosixPath(path), read)) for path in outputs if texts}

    def filtered(self, path: PurePosixPath) -> Volume:
        """The corpus of a file that a filter writes, build/filtering/CORPUS/LANGUAGE/..."""
        return self.volume(*path.parts[2:4])

    def pool(self, path: PurePosixPath) -> float:
        """The share of a formal or informal pool of sentences."""
        informal = self.filtered(path).informal
        return informal if path.name.startswith("informal.") else 1 - informal

    def pt16(self, part: str) -> float:
        """The lines of a part of PT16."""
        held_out: float = self.settings["formality"]["held_out"]
        return held_out if part == "test" else max(0, self.volume("pt16").lines - held_out)

    def world(self) -> str:
        """The version of corpora that only the demo world and the released data have."""
        return "demo" if self.settings["corpora"]["cocoa_mt"] == "demo" else "released"

    def generic(self, lang: str, part: str) -> float:
        """The generic pairs of a language, and the generic test sets."""
        version = self.settings["corpora"]["generic"]
        if version == "web":
            part = f"train-{lang}" if part == "train" else part
        elif part == "train":
            part = lang
        return self.volume("generic", part, version={"open": "released"}.get(version, version)).lines

    def tuned(self, system: str, language: str) -> float:
        """The lines of one side on which a system is tuned, for Figures 1 and 2 with other copies."""
        own = self.own_data(system)
        copies = system.partition(".x")[2] or own["copies"]
        return tuned_lines(own, self.volume("cocoa-mt", "train").lines, int(copies), language)

    def own_data(self, system: str) -> Mapping[str, Any]:
        """The settings of a tuned translator, also of the variants for Figures 1 and 2."""
        return self.settings["control"]["systems"][system.partition(".x")[0]]

    def multi_task(self, job: Mapping[str, Any]) -> float:
        """The pairs of both tasks, those of transfer repeated."""
        repeat = self.settings["systems"][job["wildcards"]["system"]]["repeat"]
        lines = {
            folder: sum(
                self.lines.get(path, 0) for path in job["input"] if path.startswith(f"build/{folder}")
            )
            for folder in ("translation", "filtering")
        }
        return repeat * lines["translation"] + lines["filtering"] / 2

    def sample(self, path: PurePosixPath, pools: Iterable[float]) -> float:
        """The lines of a sample: the size in the settings, but no more than the pool has."""
        samples = self.settings["filtering"]["samples"]
        sizes = {**samples, "source": self.settings["translation"]["sanity_sentences"]}
        sizes["reference"] = sizes["source"]
        words = path.name.split(".")
        if path.is_relative_to("build/filtering/bitext"):
            sizes |= {
                name: self.settings["translation"]["nmt"][f"{name}_sentences"] for name in ("dev", "train")
            }
        if path.is_relative_to("build/control"):
            generic = self.settings["control"]["generic"]
            sizes |= {name: generic[f"{name}_sentences"] for name in ("dev", "train")}
        if path.is_relative_to("build/filtering/yahoo-fr"):
            sizes["unsupervised"] = samples["in_domain"]
        if (copying := self.settings["transfer"]["copying"]) and words[0] == "copying":
            sizes |= {"dev": copying["dev_sentences"], "train": copying["sentences"]}
        name = next((word for word in words if word in sizes), "dev")
        return min(sizes[name], max(pools, default=sizes[name]))


class Made(NamedTuple):
    """A text that a job makes from texts with so many lines."""

    texts: Texts
    job: Mapping[str, Any]
    path: PurePosixPath
    read: list[float]


def _part(path: PurePosixPath) -> str:
    return path.name.partition(".")[0]


# The words of `lines` for texts from a corpus: the number of lines, by the path of the text.
OF_CORPORA: dict[str, Callable[[Texts, PurePosixPath], float]] = {
    "corpus/part": lambda texts, path: texts.volume(path.parts[-2], _part(path)).lines,
    "corpus/language": lambda texts, path: texts.volume(path.parts[2], path.parts[-2]).lines,
    "gyafc": lambda texts, path: texts.volume("gyafc", _part(path)).lines,
    "pt16": lambda texts, path: texts.pt16(_part(path)),
    "tydip": lambda texts, path: texts.volume("tydip", path.name.split(".")[-3]).lines,
    "generic": lambda texts, path: texts.generic(path.parts[-2], _part(path)),
    "cocoa-mt": lambda texts, _: texts.volume("cocoa-mt", "test").lines,
    "shared-task": lambda texts, _: texts.volume("iwslt2023", "test", "441e23a").lines,
    "winomt": lambda texts, _: texts.volume("winomt", version=texts.world()).lines,
    "held-out": lambda texts, _: texts.settings["demo"]["held_out"],
}
# The same of a text that is made from others.
OF_TEXTS: dict[str, Callable[[Made], float]] = {
    "sum": lambda made: sum(made.read),
    "half": lambda made: sum(made.read) / 2,
    "twice": lambda made: 2 * made.read[0],
    "shares": lambda made: made.read[0] / len(made.job["output"]),
    "curated": lambda made: made.read[0] * made.texts.filtered(made.path).kept,
    "pools": lambda made: made.read[0] * made.texts.pool(made.path),
    "sample": lambda made: made.texts.sample(made.path, made.read),
    "requests": lambda made: min(made.texts.settings["politeness"]["lexicons"]["requests"], made.read[0]),
    "labelled": lambda made: min(
        made.texts.settings["politeness"]["formality_sentences"] or math.inf, sum(made.read)
    ),
    "multi-task": lambda made: made.texts.multi_task(made.job),
    "tuned": lambda made: made.texts.tuned(made.job["wildcards"]["system"], made.job["wildcards"]["lang"]),
}
