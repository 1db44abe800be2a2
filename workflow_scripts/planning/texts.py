"""The numbers of lines of a run's texts, followed from the corpora through all jobs."""

import math
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from workflow_scripts.planning.networks import tuned_lines
from workflow_scripts.planning.volumes import Volume

# The ways in which a rule's `lines` gives the number of lines of its texts: of a corpus, or of its inputs.
OF_CORPORA = (
    "corpus/part",
    "corpus/language",
    "gyafc",
    "pt16",
    "tydip",
    "generic",
    "cocoa-mt",
    "shared-task",
    "winomt",
    "held-out",
)
OF_TEXTS = (
    "sum",
    "half",
    "twice",
    "shares",
    "curated",
    "pools",
    "sample",
    "requests",
    "labelled",
    "multi-task",
    "tuned",
)
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
            return {path: self._of_corpus(job, path) for path in outputs}
        return {path: self._made(job, path, read) for path in outputs if texts}

    def _of_corpus(self, job: Mapping[str, Any], path: str) -> float:
        """The lines of a text read from a corpus; `lines` of the rule says how its path names the corpus."""
        *_, corpus, last = PurePosixPath(path).parts
        part = last.partition(".")[0]
        match job["lines"]:
            case "corpus/part":
                return self.volume(corpus, part).lines
            case "corpus/language":
                return self.volume(PurePosixPath(path).parts[2], corpus).lines
            case "gyafc":
                return self.volume("gyafc", part).lines
            case "pt16":
                held_out = self.settings["formality"]["held_out"]
                return held_out if part == "test" else max(0, self.volume("pt16").lines - held_out)
            case "tydip":
                return self.volume("tydip", path.split(".")[-3]).lines
            case "generic":
                return self._generic(path)
            case "cocoa-mt":
                return self.volume("cocoa-mt", "test").lines
            case "shared-task":
                return self.volume("iwslt2023", "test", "441e23a").lines
            case "winomt":
                return self.volume("winomt", version=self.world()).lines
        return self.settings["demo"]["held_out"]

    def _made(self, job: Mapping[str, Any], path: str, read: list[float]) -> float:
        """The lines of a text made from texts with so many lines."""
        match job["lines"]:
            case "sum":
                return sum(read)
            case "half":
                return sum(read) / 2
            case "twice":
                return 2 * read[0]
            case "shares":
                return read[0] / len(job["output"])
            case "curated":
                return read[0] * self._filtered(path).kept
            case "pools":
                informal = self._filtered(path).informal
                return read[0] * (informal if "/informal." in path else 1 - informal)
            case "sample":
                return self._sample(path, read)
            case "requests":
                return min(self.settings["politeness"]["lexicons"]["requests"], read[0])
            case "labelled":
                return min(self.settings["politeness"]["formality_sentences"] or math.inf, sum(read))
            case "multi-task":
                return self._multi_task(job)
        return self._tuned(job["wildcards"]["system"], job["wildcards"]["lang"])

    def _filtered(self, path: str) -> Volume:
        """The corpus of a file that a filter writes, build/filtering/CORPUS/LANGUAGE/..."""
        return self.volume(*PurePosixPath(path).parts[2:4])

    def world(self) -> str:
        """The version of corpora that only the demo world and the released data have."""
        return "demo" if self.settings["corpora"]["cocoa_mt"] == "demo" else "released"

    def _generic(self, path: str) -> float:
        """The generic pairs of a language, and the generic test sets."""
        *_, lang, name = PurePosixPath(path).parts
        part = name.partition(".")[0]
        version = self.settings["corpora"]["generic"]
        if version == "web":
            part = f"train-{lang}" if part == "train" else part
        elif part == "train":
            part = lang
        return self.volume("generic", part, version={"open": "released"}.get(version, version)).lines

    def _tuned(self, system: str, language: str) -> float:
        """The lines of one side on which a system is tuned, for Figures 1 and 2 with other copies."""
        own = self.own_data(system)
        copies = system.partition(".x")[2] or own["copies"]
        return tuned_lines(own, self.volume("cocoa-mt", "train").lines, int(copies), language)

    def own_data(self, system: str) -> Mapping[str, Any]:
        """The settings of a tuned translator, also of the variants for Figures 1 and 2."""
        return self.settings["control"]["systems"][system.partition(".x")[0]]

    def _multi_task(self, job: Mapping[str, Any]) -> float:
        repeat = self.settings["systems"][job["wildcards"]["system"]]["repeat"]
        lines = {
            folder: sum(
                self.lines.get(path, 0) for path in job["input"] if path.startswith(f"build/{folder}")
            )
            for folder in ("translation", "filtering")
        }
        return repeat * lines["translation"] + lines["filtering"] / 2

    def _sample(self, path: str, pools: Iterable[float]) -> float:
        """The lines of a sample: the size in the settings, but no more than the pool has."""
        samples = self.settings["filtering"]["samples"]
        sizes = {**samples, "source": self.settings["translation"]["sanity_sentences"]}
        sizes["reference"] = sizes["source"]
        words = PurePosixPath(path).name.split(".")
        if path.startswith("build/filtering/bitext/"):
            sizes |= {
                name: self.settings["translation"]["nmt"][f"{name}_sentences"] for name in ("dev", "train")
            }
        if path.startswith("build/control/"):
            generic = self.settings["control"]["generic"]
            sizes |= {name: generic[f"{name}_sentences"] for name in ("dev", "train")}
        if path.startswith("build/filtering/yahoo-fr/"):
            sizes["unsupervised"] = samples["in_domain"]
        if (copying := self.settings["transfer"]["copying"]) and words[0] == "copying":
            sizes |= {"dev": copying["dev_sentences"], "train": copying["sentences"]}
        name = next((word for word in words if word in sizes), "dev")
        return min(sizes[name], max(pools, default=sizes[name]))
