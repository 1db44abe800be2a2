"""The amount of work of each job, from the graph of jobs, the settings and the sizes of the corpora.

Lines of text are followed from the corpora through all jobs. The work of training or running a network is
counted in billions of multiplications of its largest matrices, so that a rate measured with a small model
also applies to a large one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workflow_scripts.config.needs import backend_of
from workflow_scripts.planning import dialogues, requests
from workflow_scripts.planning.networks import TRAINING, Transformer, encoder_for
from workflow_scripts.planning.texts import Texts
from workflow_scripts.planning.volumes import Volume
from workflow_scripts.planning.weights import DOWNLOADS, FETCH, Weights
from workflow_scripts.text.levels import SHARED_TASKS

# Words or subwords of a sentence, with its end: GYAFC's informal sentences have 12 words on average.
TOKENS = 14
# Of a request, which has two sentences: TyDiP's English requests have 35 words on average.
REQUEST_TOKENS = 40
# Of a released segment of CoCoA-MT, in subwords.
SEGMENT_TOKENS = 34
# Characters of a sentence, for which a translation service charges; of a line on disk, also compressed.
CHARACTERS = 60
# Of a request in TyDiP's other languages: 130 to 350 bytes, in scripts of one to three bytes a character.
REQUEST_CHARACTERS = 150
PACKED = 25
GIGA = 1e9
MULTIPLICATIONS = "billion multiplications"
LINES = "line"
# The unit of steps whose rate is the rate of the network.
NETWORK = "megabyte"
# The number of units from which a network is large.
LARGE = 256


@dataclass(frozen=True)
class Amount:
    """The work of a job: `units` of `unit` at the rate of `step`, its download and its files."""

    step: str
    unit: str
    units: float
    # Bytes: fetched from the network, and written.
    download: float
    disk: float
    # US dollars for translation, and at most for language models behind endpoints.
    dollars: float
    # Assumptions about values that no setting has: the updates of a training with early stopping, the sizes
    # of corpora.
    assumed: tuple[str, ...] = ()
    # Requests to a language model, and the most tokens that they and their answers can have.
    requests: float = 0.0
    tokens: float = 0.0


class Amounts:
    """The amounts of jobs, which must be given in the order in which they run."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        volumes: Mapping[tuple[str, str, str], Volume],
        bytes_of: Mapping[str, float],
        updates: Mapping[str, float],
    ) -> None:
        """`bytes_of`: sizes of downloads by path, of checkpoints by name.

        `updates`: by step, the updates before a training stops.
        """
        self.settings, self.bytes_of, self.most = settings, bytes_of, updates
        self.texts, self.weights = Texts(settings, volumes), Weights(bytes_of)

    def of(self, job: Mapping[str, Any]) -> Amount:
        """The amount of the next job; the lines of its files are noted for later jobs."""
        self.texts.assumed = []
        texts = [path for path in job["input"] if self.texts.lines.get(path)]
        read = sum(self.texts.lines[path] for path in texts)
        self.texts.lines |= self.texts.written(job, texts)
        fetched, network = self.weights.of(job)
        step = FETCH if fetched else self._step(job)
        unit, units = (NETWORK, fetched / 1e6) if fetched else self._work(job, step, read)
        written = [path for path in job["output"] if self.texts.lines.get(path)]
        disk = sum(
            self.texts.lines[path] * (PACKED if path.endswith(".gz") else CHARACTERS) for path in written
        )
        download = fetched or self._download(job)
        networks = [path for path in job["output"] if path.endswith(".safetensors")]
        disk += network or download or sum(4 * self._parameters(job) for _ in networks)
        dollars = 0.0
        if step == "translate (aws)":
            polite = job["input"][-1].startswith("build/politeness/")
            characters = read * (REQUEST_CHARACTERS if polite else CHARACTERS)
            dollars = characters / 1e6 * self.settings["translation"]["aws"]["price_per_million"]
        asked = requests.Requests(0.0, 0.0, dollars, ())
        if requests.asks(step):
            asked = requests.requests_of(self.settings, job, units)
            units /= asked.parallel
        assumed = tuple(dict.fromkeys([*self.texts.assumed, *self.weights.assumed, *asked.assumed]))
        return Amount(step, unit, units, download, disk, asked.dollars, assumed, asked.count, asked.tokens)

    def _step(self, job: Mapping[str, Any]) -> str:
        """The step of a job, with the kind or size of the network if these have rates of their own."""
        settings, step = self.settings, job["step"]
        match step:
            case "translate":
                return f"{step} ({backend_of(settings['translation'], job['wildcards']['lang'])})"
            case "bicleaner" if settings["filtering"]["bicleaner"]["pack"]:
                return f"{step} (classifier)"
            case "train classifier" | "score classifier":
                kind = self._classifier(job)["encoder"]["kind"]
                size = {"scratch": "", "ngrams": " (light)", "sentences": " (light)"}.get(kind, " (large)")
                return step + size
            case "train_responder" | "respond":
                system = dialogues.system_of(settings, job["wildcards"]["system"])
                return f"{step} ({'large' if dialogues.hidden(system) >= LARGE else system['template']})"
            case "fine_tune" | "rewrite":
                return f"{step} (large)" if dialogues.hidden(self._finetuned(job)) >= LARGE else step
        return f"{step} (large)" if self._is_large(job, step) else step

    def _is_large(self, job: Mapping[str, Any], step: str) -> bool:
        """Whether a step runs a network that is large enough to have another rate than a small one."""
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
                return self._regressor(job)["encoder"]["kind"] not in ("scratch", "ngrams")
            case "train transformer" | "tune transformer" | "decode transformer":
                return settings["control"]["generic"]["model"]["units"] >= LARGE
            case "score pseudo-perplexity" | "score similarity":
                return True
        return False

    def _work(self, job: Mapping[str, Any], step: str, read: float) -> tuple[str, float]:
        """The unit of a step, and the number of units of a job."""
        settings = self.settings
        match job["step"].partition(" (")[0]:
            case "train_responder" | "respond":
                return MULTIPLICATIONS, self._dialogues(job) / GIGA
            case "fine_tune" | "rewrite":
                return MULTIPLICATIONS, self._fine_tuned(job, read) / GIGA
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
            case "translate" if step == "translate (nmt)":
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
                given = self._regressor(job)
                passes = read / 2 * given["epochs"] * TRAINING
                return MULTIPLICATIONS, passes * encoder_for(given["encoder"], TOKENS) / GIGA
            case "score formality":
                return MULTIPLICATIONS, read * encoder_for(self._regressor(job)["encoder"], TOKENS) / GIGA
            case "score pseudo-perplexity":
                # A pass for each token.
                return MULTIPLICATIONS, read * TOKENS * encoder_for(self._scorer(job), TOKENS) / GIGA
            case "score similarity":
                return MULTIPLICATIONS, read * encoder_for(self._scorer(job), TOKENS) / GIGA
            case "train classifier" | "score classifier" if not step.endswith("(light)"):
                given = self._classifier(job)
                times = given["epochs"] * TRAINING / 2 if step.startswith("train") else 1
                return MULTIPLICATIONS, read * times * encoder_for(given["encoder"], REQUEST_TOKENS) / GIGA
            case "judge":
                # Without the sentences that outputs rewrite; a rated sentence is its own source.
                judged = {path for path in job["input"] if not path.endswith("/informal.txt")}
                return LINES, sum(self.texts.lines.get(path, 0) for path in judged)
            case "prompted" | "controlled":
                # The other texts are examples.
                return LINES, self.texts.lines.get(job["input"][-1], 0)
            case "rewritten":
                return LINES, self._users_words(job)
            case "asked":
                most = settings["politeness"]["prompted"][job["wildcards"]["classifier"]]["sample"]
                asked = [path for path in job["input"] if not path.endswith(".scores.txt")]
                return LINES, sum(min(most or math.inf, self.texts.lines.get(path, 0)) for path in asked)
            case "answered":
                # A prompt for the state of each turn, and one for the response.
                return LINES, 2 * self._turns(job)
            case "evaluate" | "score_controlled":
                return "line and 1,000 resamples", read * settings["evaluation"]["resamples"] / 1000
            case "download" | "download_files":
                return NETWORK, self._download(job) / 1e6
        return LINES, read or max((self.texts.lines.get(path, 0) for path in job["output"]), default=0)

    def _scorer(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """The model of a further metric, as an encoder: all are checkpoints of the hub or alike."""
        name = job["output"][0].split("/")[2]
        return {**self.settings["evaluation"]["scorers"][name], "kind": "hub"}

    def _regressor(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings of a job's regressor, or of a released classifier that scores as one does."""
        if _of_control(job):
            # The released classifier has XLM-R's base size.
            return {"encoder": {"kind": "hub", "checkpoint": "xlm-roberta-base"}}
        if not job["output"][0].startswith("build/scorers/"):
            formality: Mapping[str, Any] = self.settings["formality"]
            return formality
        scorer = self._scorer(job)
        return {**scorer, "encoder": scorer}

    def _turns(self, job: Mapping[str, Any]) -> float:
        """The number of turns that a job answers."""
        corpus = "impolite" if job["wildcards"]["users"] == "impolite" else "multiwoz"
        return self.texts.volume(corpus, "test").lines

    def _users_words(self, job: Mapping[str, Any]) -> float:
        """The number of users' utterances that a job rewrites: of tested turns, or of training dialogues."""
        part = "test" if job["wildcards"]["part"] == "tested" else "train"
        return self.texts.volume("multiwoz", part).lines

    def _dialogues(self, job: Mapping[str, Any]) -> float:
        """Multiplications of a dialogue system in training, or in answering."""
        system = dialogues.system_of(self.settings, job["wildcards"]["system"])
        if job["step"] == "respond":
            return dialogues.answered(system, self._turns(job))
        # With more data a system makes as many updates as without.
        return TRAINING * dialogues.seen(system, self.texts.volume("multiwoz", "train").lines)

    def _fine_tuned(self, job: Mapping[str, Any], read: float) -> float:
        """Multiplications of a fine-tuned system in training, or in rewriting."""
        system = self._finetuned(job)
        token = dialogues.parameters(system)
        if job["step"] == "rewrite":
            return read * TOKENS * (1 + system["beam_size"]) * token
        if _of_control(job):
            # Both levels of each segment.
            shared = job["wildcards"].get("lang") in SHARED_TASKS
            corpus = ("iwslt2023", "train", "441e23a") if shared else ("cocoa-mt", "train")
            read = 2 * self.texts.volume(*corpus).lines
        # Else each line of both sides is a target once per epoch, with the other side as its source.
        course = system["training"]
        most = (course["max_updates"] or math.inf) * course["batch_size"] * course["accumulate"]
        return TRAINING * min(course["epochs"] * read, most) * 2 * TOKENS * token

    def _finetuned(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings of a job's fine-tuned system, of Table 7 or of CoCoA-MT's tables."""
        section = self.settings["control"] if _of_control(job) else self.settings
        system: Mapping[str, Any] = section["systems"][job["wildcards"]["system"]]
        return system

    def _training(
        self, step: str, model: Mapping[str, Any], operations: float, limit: float | None = None
    ) -> tuple[str, float]:
        updates = self._updates(step, model, limit)
        return MULTIPLICATIONS, updates * model["batch_size"] * TOKENS * TRAINING * operations / GIGA

    def _updates(self, step: str, model: Mapping[str, Any], limit: float | None = None) -> float:
        most = min(limit or math.inf, model["max_updates"])
        if self.most.get(step, math.inf) < most:
            most = self.most[step]
            self.texts.assumed.append(f"stops after {most:,.0f} updates")
        return most

    def _transformer(self) -> Transformer:
        given = self.settings["control"]["generic"]
        return Transformer.of(given["model"], given["vocabulary_size"])

    def _target_tokens(self, job: Mapping[str, Any], step: str, read: float) -> float:
        """The tokens in a generic model's updates; a tuned model reads each line of both sides once."""
        if job["step"] == "tune transformer":
            own = self.texts.own_data(job["wildcards"]["system"])["data"] != "rules"
            segment = SEGMENT_TOKENS if own and self.texts.world() == "released" else TOKENS
            # Half of the pairs are generic.
            return read / 2 * (TOKENS + segment) / 2
        model = self.settings["control"]["generic"]["model"]
        return self._updates(step, model) * model["batch_size"] * model["accumulate"]

    def _translated(self, job: Mapping[str, Any]) -> float:
        """The number of decoded lines: a file at the same level counts once."""
        levels = job["params"]["levels"]
        texts = set(zip(job["input"][-len(levels) :], levels, strict=True))
        return sum(self.texts.lines.get(path, 0) for path, _ in texts)

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
        """The settings of a job's classifier."""
        given, name = self.settings["politeness"], job["wildcards"]["classifier"]
        if name in given["released"]:
            # The size of XLM-R large.
            return {"encoder": {"kind": "hub", "checkpoint": "large"}}
        return given["classifiers"][name]

    def _parameters(self, job: Mapping[str, Any]) -> float:
        """The number of parameters of a model on disk; 0, and an assumption, without a formula for it."""
        match job["step"]:
            case "train_supervised":
                return self._sequence("transfer") * 2
            case "train_nmt":
                return self._sequence("nmt") * 2
            case "train_prior":
                return self._words("prior") * 2
            case "train_unsupervised":
                return self._words("model") * 2
            case "train transformer" | "tune transformer" | "read_sockeye":
                return self._transformer().parameters
            case "train_responder":
                return dialogues.parameters(dialogues.system_of(self.settings, job["wildcards"]["system"]))
        self.texts.assumed.append("size of a model on disk")
        return 0.0

    def _download(self, job: Mapping[str, Any]) -> float:
        """The bytes of a file of the registry that a job downloads."""
        if job["step"] not in ("download", "download_files"):
            return 0.0
        path = job["output"][0].removeprefix(DOWNLOADS)
        if path not in self.bytes_of:
            self.texts.assumed.append("size of a download")
        return self.bytes_of.get(path, 0.0)


def _of_control(job: Mapping[str, Any]) -> bool:
    return bool(job["output"][0].startswith("build/control/"))
