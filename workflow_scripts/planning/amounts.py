"""How much each job has to do, from the graph of jobs, the settings and the sizes of the corpora.

Lines of text are followed from the corpora through all jobs. What trains or runs a network is counted in
billions of multiplications of its largest matrices, so that a rate that was measured with a small model says
something about a large one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from workflow_scripts.config.needs import backend_of
from workflow_scripts.planning import dialogues
from workflow_scripts.planning.networks import TRAINING, Transformer, encoder_for, tuned_lines
from workflow_scripts.planning.volumes import Volume

# Words or subwords of a sentence, with its end: GYAFC's informal sentences have 12 words on average.
TOKENS = 14
# Of a request, which has two sentences: TyDiP's English ones have 35 words on average.
REQUEST_TOKENS = 40
# Of a released segment of CoCoA-MT, in subwords.
SEGMENT_TOKENS = 34
# Characters of a sentence, which a translation service is paid for; of a line on disk, also compressed.
CHARACTERS = 60
# Of a request in TyDiP's other languages: 130 to 350 bytes, in scripts of one to three bytes a character.
REQUEST_CHARACTERS = 150
PACKED = 25
GIGA = 1e9
MULTIPLICATIONS = "billion multiplications"
# The unit of steps whose rate is that of the network.
NETWORK = "megabyte"
# Units from which on a network is large.
LARGE = 256
# How a rule says, in `lines`, how many lines its texts have: those of a corpus, or of what they are made of.
OF_CORPORA = (
    *(
        "corpus/part",
        "corpus/language",
        "gyafc",
        "pt16",
        "tydip",
        "generic",
        "cocoa-mt",
        "winomt",
        "held-out",
    ),
)
OF_TEXTS = (
    *("sum", "half", "twice", "shares", "curated", "pools", "sample", "requests", "labelled", "multi-task"),
    "tuned",
)
TEXT = (".txt", ".txt.gz", ".tsv.gz", ".sentences.txt")


@dataclass(frozen=True)
class Amount:
    """What a job does: `units` of `unit` at the rate of `step`, its download and its files."""

    step: str
    unit: str
    units: float
    # Bytes: fetched from the network, and written.
    download: float
    disk: float
    # US dollars for translation.
    dollars: float
    # What no setting says: the updates of a training that stops by itself, the sizes of corpora.
    assumed: tuple[str, ...] = ()


class Amounts:
    """The amounts of jobs, which must come in the order in which they run."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        volumes: Mapping[tuple[str, str, str], Volume],
        bytes_of: Mapping[str, float],
        updates: Mapping[str, float],
    ) -> None:
        """`bytes_of`: sizes of downloads by path; `updates`: by step, after how many a training stops."""
        self.settings, self.volumes, self.bytes_of, self.most = settings, volumes, bytes_of, updates
        # Lines of each file so far.
        self.lines: dict[str, float] = {}
        self.assumed: list[str] = []

    def of(self, job: Mapping[str, Any]) -> Amount:
        """The amount of the next job; its files' lines are noted for those that come after it."""
        self.assumed = []
        texts = [path for path in job["input"] if self.lines.get(path)]
        read = sum(self.lines[path] for path in texts)
        self.lines |= self._written(job, texts)
        step = self._step(job)
        unit, units = self._work(job, step, read)
        written = [path for path in job["output"] if self.lines.get(path)]
        disk = sum(self.lines[path] * (PACKED if path.endswith(".gz") else CHARACTERS) for path in written)
        disk += sum(self._parameters(job) * 4 for path in job["output"] if path.endswith(".safetensors"))
        download = self._download(job)
        dollars = 0.0
        if step == "translate (aws)":
            requests = job["input"][-1].startswith("build/politeness/")
            characters = read * (REQUEST_CHARACTERS if requests else CHARACTERS)
            dollars = characters / 1e6 * self.settings["translation"]["aws"]["price_per_million"]
        assumed = tuple(dict.fromkeys(self.assumed))
        return Amount(step, unit, units, download, disk + download, dollars, assumed)

    def _step(self, job: Mapping[str, Any]) -> str:
        """The step of a job, with the kind or size of the network where these have rates of their own."""
        settings, step = self.settings, job["step"]
        match step:
            case "translate":
                return f"{step} ({backend_of(settings['translation'], job['wildcards']['lang'])})"
            case "bicleaner" if settings["filtering"]["bicleaner"]["pack"]:
                return f"{step} (classifier)"
            case "encoder":
                return f"{step} ({settings['formality']['encoder']['kind']})"
            case "train classifier" | "score classifier":
                kind = self._classifier(job)["encoder"]["kind"]
                size = {"scratch": "", "ngrams": " (light)", "sentences": " (light)"}.get(kind, " (large)")
                return step + size
        if step in (*dialogues.TRAINS, *dialogues.ANSWERS):
            system = dialogues.system_of(settings, job["wildcards"]["system"])
            return f"{step} ({'large' if dialogues.hidden(system) >= LARGE else system['template']})"
        return f"{step} (large)" if self._is_large(step) else step

    def _is_large(self, step: str) -> bool:
        """Whether a step runs a network that fills a processor, and so has another rate than a small one."""
        settings = self.settings
        match step:
            case "train_supervised" | "decode":
                return settings["transfer"]["model"]["hidden"] >= LARGE
            case "train_nmt":
                return settings["translation"]["nmt"]["model"]["hidden"] >= LARGE
            case "train_prior":
                return settings["unsupervised"]["prior"]["hidden"] >= LARGE
            case "train_unsupervised" | "decode_unsupervised":
                return settings["unsupervised"]["model"]["hidden"] >= LARGE
            case "train regressor" | "score formality":
                return settings["formality"]["encoder"]["kind"] not in ("scratch", "ngrams")
            case "train transformer" | "tune transformer" | "decode transformer":
                return settings["control"]["generic"]["model"]["units"] >= LARGE
        return False

    def _work(self, job: Mapping[str, Any], step: str, read: float) -> tuple[str, float]:
        """The unit of a step, and how many of it a job is."""
        settings = self.settings
        if job["step"] in (*dialogues.TRAINS, *dialogues.ANSWERS):
            return MULTIPLICATIONS, self._dialogues(job) / GIGA
        match step.removesuffix(" (large)"):
            case "train_supervised":
                model = settings["transfer"]["model"]
                if "system" not in job["wildcards"]:
                    return self._training(
                        step, {**model, **settings["transfer"]["copying"]}, self._sequence("transfer")
                    )
                limit = settings["systems"][job["wildcards"]["system"]].get("max_updates")
                return self._training(step, model, self._sequence("transfer"), limit)
            case "train_nmt":
                return self._training(step, settings["translation"]["nmt"]["model"], self._sequence("nmt"))
            case "decode":
                models = sum(path.endswith(".safetensors") for path in job["input"])
                beam = settings["transfer"]["decoding"]["beam_size"]
                operations = self._sequence("transfer") * models * beam * TOKENS
                return MULTIPLICATIONS, read * operations / GIGA
            case "translate (nmt)":
                beam = settings["translation"]["nmt"]["decoding"]["beam_size"]
                return MULTIPLICATIONS, read * self._sequence("nmt") * beam * TOKENS / GIGA
            case "train_prior":
                return self._training(step, settings["unsupervised"]["prior"], self._words("prior"))
            case "train_unsupervised":
                # Both styles are encoded, decoded, and decoded back.
                return self._training(step, settings["unsupervised"]["model"], 4 * self._words("model"))
            case "decode_unsupervised":
                return MULTIPLICATIONS, read * self._words("model") * TOKENS / GIGA
            case "train transformer" | "tune transformer":
                return MULTIPLICATIONS, self._target_tokens(
                    job, step, read
                ) * self._transformer().training / GIGA
            case "decode transformer":
                beam = settings["control"]["decoding"]["beam_size"]
                texts = self._translated(job)
                return MULTIPLICATIONS, texts * self._transformer().decoding(TOKENS, beam) / GIGA
            case "train regressor":
                given = settings["formality"]
                passes = read / 2 * given["epochs"] * TRAINING
                return MULTIPLICATIONS, passes * encoder_for(given["encoder"], TOKENS) / GIGA
            case "score formality":
                return MULTIPLICATIONS, read * encoder_for(settings["formality"]["encoder"], TOKENS) / GIGA
            case "train classifier" | "score classifier":
                given = self._classifier(job)
                times = given["epochs"] * TRAINING / 2 if step.startswith("train") else 1
                return MULTIPLICATIONS, read * times * encoder_for(given["encoder"], REQUEST_TOKENS) / GIGA
            case "asked_endpoint" | "asked_gguf" | "asked_transformers":
                most = settings["politeness"]["prompted"][job["wildcards"]["classifier"]]["sample"]
                asked = [path for path in job["input"] if not path.endswith(".scores.txt")]
                return "line", sum(min(most or math.inf, self.lines.get(path, 0)) for path in asked)
            case "answered_endpoint" | "answered_transformers":
                # A prompt for the state of each turn, and one for the response.
                return "line", 2 * self._turns(job)
            case "evaluate" | "score_controlled":
                return "line and 1,000 resamples", read * settings["evaluation"]["resamples"] / 1000
            case "download" | "download_files" | "encoder (hub)" | "encoder (package)":
                return NETWORK, self._download(job) / 1e6
        return "line", read or max((self.lines.get(path, 0) for path in job["output"]), default=0)

    def _turns(self, job: Mapping[str, Any]) -> float:
        """The turns that a job answers."""
        corpus = "impolite" if job["wildcards"]["users"] == "impolite" else "multiwoz"
        return self.volume(corpus, "test").lines

    def _dialogues(self, job: Mapping[str, Any]) -> float:
        """Multiplications of a dialogue system that learns, or answers."""
        system = dialogues.system_of(self.settings, job["wildcards"]["system"])
        if job["step"] in dialogues.ANSWERS:
            return dialogues.answered(system, self._turns(job))
        # With more data a system makes as many updates as without.
        return TRAINING * dialogues.seen(system, self.volume("multiwoz", "train").lines)

    def _training(
        self, step: str, model: Mapping[str, Any], operations: float, limit: float | None = None
    ) -> tuple[str, float]:
        updates = self._updates(step, model, limit)
        return MULTIPLICATIONS, updates * model["batch_size"] * TOKENS * TRAINING * operations / GIGA

    def _updates(self, step: str, model: Mapping[str, Any], limit: float | None = None) -> float:
        most = min(limit or math.inf, model["max_updates"])
        if self.most.get(step, math.inf) < most:
            most = self.most[step]
            self.assumed.append(f"stops after {most:,.0f} updates")
        return most

    def _transformer(self) -> Transformer:
        given = self.settings["control"]["generic"]
        return Transformer.of(given["model"], given["vocabulary_size"])

    def _target_tokens(self, job: Mapping[str, Any], step: str, read: float) -> float:
        """What a generic model sees in its updates; a tuned one sees each line of both sides once."""
        if job["step"] == "tune transformer":
            own = self._own_data(job["wildcards"]["system"])["data"] != "rules"
            segment = SEGMENT_TOKENS if own and self._world() == "released" else TOKENS
            # Half of the pairs are generic ones.
            return read / 2 * (TOKENS + segment) / 2
        model = self.settings["control"]["generic"]["model"]
        return self._updates(step, model) * model["batch_size"] * model["accumulate"]

    def _translated(self, job: Mapping[str, Any]) -> float:
        """Lines that are decoded: a file at the same level once."""
        levels = job["params"]["levels"]
        texts = set(zip(job["input"][-len(levels) :], levels, strict=True))
        return sum(self.lines.get(path, 0) for path, _ in texts)

    def _sequence(self, section: str) -> float:
        """Multiplications of a translator for one token: two encoders, a decoder, and the output's words."""
        given = self.settings["transfer"] if section == "transfer" else self.settings["translation"]["nmt"]
        width, units = given["model"]["embedding"], given["model"]["hidden"]
        return (
            8 * units * (width + units) + 4 * units * (width + 3 * units) + units * given["vocabulary_size"]
        )

    def _words(self, part: str) -> float:
        """The same for a network of UNMT and DLSM, or for one of their language models."""
        given = self.settings["unsupervised"]
        width, units = given[part]["embedding"], given[part]["hidden"]
        return 8 * units * (width + units) + units * given["max_words"]

    def _classifier(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings of the classifier that a job is about."""
        given, name = self.settings["politeness"], job["wildcards"]["classifier"]
        if name in given["released"]:
            # Of the size of XLM-R large.
            return {"encoder": {"kind": "hub", "checkpoint": "large"}}
        return given["classifiers"][name]

    def _parameters(self, job: Mapping[str, Any]) -> float:
        """Numbers of a model on disk."""
        match job["step"]:
            case "train_nmt":
                return self._sequence("nmt") * 2
            case "train_prior":
                return self._words("prior") * 2
            case "train_unsupervised":
                return self._words("model") * 2
            case "train transformer" | "tune transformer":
                return self._transformer().parameters
        return self._sequence("transfer") * 2

    def _download(self, job: Mapping[str, Any]) -> float:
        if job["step"] in ("download", "download_files"):
            path = job["output"][0].removeprefix("build/corpora/downloads/")
            if path not in self.bytes_of:
                self.assumed.append("size of a download")
            return self.bytes_of.get(path, 0.0)
        if job["step"] == "encoder" and self.settings["formality"]["encoder"]["kind"] in ("hub", "package"):
            self.assumed.append("size of a download")
            return 7e8
        return 0.0

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

    def _written(self, job: Mapping[str, Any], texts: list[str]) -> dict[str, float]:
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
        """The lines of a text that is read from a corpus; `lines` of the rule says how its path names it."""
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
            case "winomt":
                return self.volume("winomt", version=self._world()).lines
        return self.settings["demo"]["held_out"]

    def _made(self, job: Mapping[str, Any], path: str, read: list[float]) -> float:
        """The lines of a text that is made of texts with so many lines."""
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

    def _world(self) -> str:
        """The version of what only the demo world and the released data have."""
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
        """The lines of a side that a system is tuned on, which Figures 1 and 2 have with other copies."""
        own = self._own_data(system)
        copies = system.partition(".x")[2] or own["copies"]
        return tuned_lines(own, self.volume("cocoa-mt", "train").lines, int(copies), language)

    def _own_data(self, system: str) -> Mapping[str, Any]:
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
        """A sample's lines: of the size that the settings ask for, and no more than the pool has."""
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
