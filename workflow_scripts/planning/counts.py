"""How jobs count: a rule says a word of `COUNTS` under `resources`, `counts="..."`; without a word, by lines.

The work of training or running a network is counted in billions of multiplications of its largest matrices,
so that a rate measured with a small model also applies to a large one.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from workflow_scripts.config.needs import backend_of
from workflow_scripts.planning import dialogues
from workflow_scripts.planning.networks import TRAINING, Transformer, encoder_for, translator, unsupervised
from workflow_scripts.planning.texts import Texts
from workflow_scripts.planning.volumes import setting
from workflow_scripts.planning.weights import DOWNLOADS
from workflow_scripts.text.levels import SHARED_TASKS

# Words or subwords of a sentence, with its end: GYAFC's informal sentences have 12 words on average.
TOKENS = 14
# Of a request, which has two sentences: TyDiP's English requests have 35 words on average.
REQUEST_TOKENS = 40
# Of a released segment of CoCoA-MT, in subwords.
SEGMENT_TOKENS = 34
# Characters of a sentence, for which a translation service charges, and of its line on disk.
CHARACTERS = 60
# Of a request in TyDiP's other languages: 130 to 350 bytes, in scripts of one to three bytes a character.
REQUEST_CHARACTERS = 150
MULTIPLICATIONS = "billion multiplications"
LINES = "line"
RESAMPLES = "line and 1,000 resamples"
# The unit of steps whose rate is the rate of the network.
NETWORK = "megabyte"
# The number of units from which a network is large.
LARGE = 256
Settings = Mapping[str, Any]


class Count(NamedTuple):
    """The work of a job: the number of units, and what its step is called besides its name."""

    units: float
    unit: str = LINES
    # The kind or size of the network, if these have rates of their own.
    size: str = ""
    # US dollars for translation, and bytes of a download.
    dollars: float = 0.0
    download: float = 0.0


@dataclass(frozen=True)
class Work:
    """A job to be counted, with the number of lines that it reads and those of all texts so far."""

    job: Mapping[str, Any]
    read: float
    texts: Texts
    # By step, the updates before a training stops; by path, the bytes of downloads.
    updates: Mapping[str, float]
    bytes_of: Mapping[str, float]

    def at(self, name: str) -> Any:
        """A part of the settings, such as ``translation.nmt``."""
        return setting(self.texts.settings, name)

    def named(self, wildcard: str) -> str:
        """A wildcard of the job; empty if it has none of this name."""
        name: str = self.job["wildcards"].get(wildcard, "")
        return name

    def lines_of(self, path: str) -> float:
        """The lines of a text; 0 if it is none."""
        return self.texts.lines.get(path, 0)

    def most_updates(self, size: str, model: Settings, limit: float | None = None) -> float:
        """The updates of a training; an assumption if it stops before the settings end it."""
        most: float = min(limit or math.inf, model["max_updates"])
        stop = self.updates.get(step_of(self.job["step"], size), math.inf)
        if stop < most:
            self.texts.assumed.append(f"stops after {stop:,.0f} updates")
        return min(stop, most)

    @property
    def of_control(self) -> bool:
        """Whether the job is one of CoCoA-MT's systems, not of Table 7's."""
        return bool(self.job["output"][0].startswith("build/control/"))


def step_of(name: str, size: str) -> str:
    """The step of a rule, with the kind or size of its network."""
    return f"{name} ({size})" if size else name


def _large(units: float, small: str = "") -> str:
    return "large" if units >= LARGE else small


def _multiplied(multiplications: float, size: str) -> Count:
    return Count(multiplications / 1e9, MULTIPLICATIONS, size)


def _lines(work: Work, size: str = "", dollars: float = 0.0) -> Count:
    # A job that reads none counts by its longest output.
    units = work.read or max(map(work.lines_of, work.job["output"]), default=0)
    return Count(units, LINES, size, dollars)


def _megabytes(work: Work) -> Count:
    path = work.job["output"][0].removeprefix(DOWNLOADS)
    if path not in work.bytes_of:
        work.texts.assumed.append("size of a download")
    size = work.bytes_of.get(path, 0.0)
    return Count(size / 1e6, NETWORK, download=size)


def _updates(work: Work, model: Settings, token: float, limit: float | None = None) -> Count:
    """A training by updates, of a network that makes so many multiplications for a token."""
    size = _large(model["hidden"])
    batches = work.most_updates(size, model, limit) * model["batch_size"]
    return _multiplied(batches * TOKENS * TRAINING * token, size)


def _updates_of_transfer(work: Work) -> Count:
    given = work.at("transfer")
    if not work.named("system"):
        return _updates(work, {**given["model"], **given["copying"]}, translator(given))
    limit = work.at("systems")[work.named("system")].get("max_updates")
    return _updates(work, given["model"], translator(given), limit)


def _decoded_by_transfer(work: Work) -> Count:
    given = work.at("transfer")
    models = sum(path.endswith(".safetensors") for path in work.job["input"])
    operations = translator(given) * models * given["decoding"]["beam_size"] * TOKENS
    return _multiplied(work.read * operations, _large(given["model"]["hidden"]))


def _decoded_by_unsupervised(work: Work) -> Count:
    given = work.at("unsupervised")
    return _multiplied(work.read * unsupervised(given, "model") * TOKENS, _large(given["model"]["hidden"]))


def _translated(work: Work) -> Count:
    given = work.at("translation")
    kind = backend_of(given, work.named("lang"))
    if kind == "nmt":
        beam = given["nmt"]["decoding"]["beam_size"]
        return _multiplied(work.read * translator(given["nmt"]) * beam * TOKENS, kind)
    dollars = 0.0
    if kind == "aws":
        polite = work.job["input"][-1].startswith("build/politeness/")
        characters = work.read * (REQUEST_CHARACTERS if polite else CHARACTERS)
        dollars = characters / 1e6 * given["aws"]["price_per_million"]
    return _lines(work, kind, dollars)


def _updates_of_transformer(work: Work) -> Count:
    given = work.at("control.generic")
    size = _large(given["model"]["units"])
    tokens = (
        work.most_updates(size, given["model"]) * given["model"]["batch_size"] * given["model"]["accumulate"]
    )
    return _multiplied(tokens * Transformer.of(given).training, size)


def _pairs_of_transformer(work: Work) -> Count:
    """A tuned model reads each line of both sides once; half of the pairs are generic."""
    given = work.at("control.generic")
    own = work.texts.own_data(work.named("system"))["data"] != "rules"
    segment = SEGMENT_TOKENS if own and work.texts.world() == "released" else TOKENS
    tokens = work.read / 2 * (TOKENS + segment) / 2
    return _multiplied(tokens * Transformer.of(given).training, _large(given["model"]["units"]))


def _decoded_by_transformer(work: Work) -> Count:
    """A file at the same level counts once."""
    given, levels = work.at("control"), work.job["params"]["levels"]
    texts = set(zip(work.job["input"][-len(levels) :], levels, strict=True))
    decoded = sum(work.lines_of(path) for path, _ in texts)
    line = Transformer.of(given["generic"]).decoding(TOKENS, given["decoding"]["beam_size"])
    return _multiplied(decoded * line, _large(given["generic"]["model"]["units"]))


def _scorer(work: Work) -> Settings:
    """The model of a further metric, as an encoder: all are checkpoints of the hub or alike."""
    return {**work.at("evaluation.scorers")[work.job["output"][0].split("/")[2]], "kind": "hub"}


def _regressor(work: Work) -> Settings:
    """The settings of a job's regressor, or of a released classifier that scores as one does."""
    if work.of_control:
        # The released classifier has XLM-R's base size.
        return {"encoder": {"kind": "hub", "checkpoint": "xlm-roberta-base"}}
    if work.job["output"][0].startswith("build/scorers/"):
        return {**_scorer(work), "encoder": _scorer(work)}
    formality: Settings = work.at("formality")
    return formality


def _by_regressor(work: Work, passes: float) -> Count:
    encoder = _regressor(work)["encoder"]
    size = "" if encoder["kind"] in ("scratch", "ngrams") else "large"
    return _multiplied(passes * encoder_for(encoder, TOKENS), size)


def _classifier(work: Work) -> Settings:
    given, name = work.at("politeness"), work.named("classifier")
    if name in given["released"]:
        # The size of XLM-R large.
        return {"encoder": {"kind": "hub", "checkpoint": "large"}}
    classifier: Settings = given["classifiers"][name]
    return classifier


def _by_classifier(work: Work, times: Callable[[Settings], float]) -> Count:
    given = _classifier(work)
    encoder = given["encoder"]
    if encoder["kind"] in ("ngrams", "sentences"):
        return _lines(work, "light")
    size = "" if encoder["kind"] == "scratch" else "large"
    return _multiplied(work.read * times(given) * encoder_for(encoder, REQUEST_TOKENS), size)


def _turns(work: Work) -> float:
    """The number of turns that a job answers."""
    return work.texts.volume("impolite" if work.named("users") == "impolite" else "multiwoz", "test").lines


def _by_responder(work: Work, multiplications: Callable[[Settings], float]) -> Count:
    system = dialogues.system_of(work.texts.settings, work.named("system"))
    return _multiplied(multiplications(system), _large(dialogues.hidden(system), system["template"]))


def _by_finetuned(work: Work, tokens: Callable[[Settings], float]) -> Count:
    """Training or decoding of a system of Table 7 or of CoCoA-MT's tables."""
    system = work.at("control.systems" if work.of_control else "systems")[work.named("system")]
    return _multiplied(tokens(system) * dialogues.parameters(system), _large(dialogues.hidden(system)))


def _epochs_of_finetuned(work: Work, course: Settings) -> float:
    """The tokens: each line of both sides is a target once per epoch, with the other side as its source."""
    read = work.read
    if work.of_control:
        # Both levels of each segment.
        shared = work.named("lang") in SHARED_TASKS
        corpus = ("iwslt2023", "train", "441e23a") if shared else ("cocoa-mt", "train")
        read = 2 * work.texts.volume(*corpus).lines
    most = (course["max_updates"] or math.inf) * course["batch_size"] * course["accumulate"]
    return TRAINING * min(course["epochs"] * read, most) * 2 * TOKENS


def _asked_of_classifiers(work: Work) -> Count:
    """A prompt for each request of a sample; scores are no requests."""
    most = work.at("politeness.prompted")[work.named("classifier")]["sample"] or math.inf
    asked = [path for path in work.job["input"] if not path.endswith(".scores.txt")]
    return Count(sum(min(most, work.lines_of(path)) for path in asked))


def _last_text(work: Work) -> Count:
    return Count(work.lines_of(work.job["input"][-1]))


# The words of `counts`, with their functions.
COUNTS: dict[str, Callable[[Work], Count]] = {
    "lines": _lines,
    "lines of bitext": lambda work: _lines(
        work, "classifier" if work.at("filtering.bicleaner")["pack"] else ""
    ),
    "megabytes": _megabytes,
    "resamples": lambda work: Count(work.read * work.at("evaluation")["resamples"] / 1000, RESAMPLES),
    "updates of transfer": _updates_of_transfer,
    "updates of nmt": lambda work: _updates(
        work, work.at("translation.nmt.model"), translator(work.at("translation.nmt"))
    ),
    "updates of prior": lambda work: _updates(
        work, work.at("unsupervised.prior"), unsupervised(work.at("unsupervised"), "prior")
    ),
    # Both styles are encoded, decoded, and decoded back.
    "updates of unsupervised": lambda work: _updates(
        work, work.at("unsupervised.model"), 4 * unsupervised(work.at("unsupervised"), "model")
    ),
    "updates of transformer": _updates_of_transformer,
    "pairs of transformer": _pairs_of_transformer,
    "decoded by transfer": _decoded_by_transfer,
    "decoded by unsupervised": _decoded_by_unsupervised,
    "decoded by transformer": _decoded_by_transformer,
    "translated": _translated,
    # Half of the lines are scores or labels.
    "epochs of regressor": lambda work: _by_regressor(
        work, work.read / 2 * _regressor(work)["epochs"] * TRAINING
    ),
    "scored by regressor": lambda work: _by_regressor(work, work.read),
    "epochs of classifier": lambda work: _by_classifier(work, lambda given: given["epochs"] * TRAINING / 2),
    "scored by classifier": lambda work: _by_classifier(work, lambda _: 1),
    # A pass for each line, and for each token.
    "lines of scorer": lambda work: _multiplied(work.read * encoder_for(_scorer(work), TOKENS), "large"),
    "tokens of scorer": lambda work: _multiplied(
        work.read * TOKENS * encoder_for(_scorer(work), TOKENS), "large"
    ),
    # With more data a system makes as many updates as without.
    "epochs of responder": lambda work: _by_responder(
        work, lambda system: TRAINING * dialogues.seen(system, work.texts.volume("multiwoz", "train").lines)
    ),
    "turns of responder": lambda work: _by_responder(
        work, lambda system: dialogues.answered(system, _turns(work))
    ),
    "epochs of finetuned": lambda work: _by_finetuned(
        work, lambda system: _epochs_of_finetuned(work, system["training"])
    ),
    "decoded by finetuned": lambda work: _by_finetuned(
        work, lambda system: work.read * TOKENS * (1 + system["beam_size"])
    ),
    # Prompts: the other texts are examples.
    "asked of systems": _last_text,
    "asked of control": _last_text,
    "asked of users": lambda work: Count(
        work.texts.volume("multiwoz", "test" if work.named("part") == "tested" else "train").lines
    ),
    "asked of classifiers": _asked_of_classifiers,
    # For the state of each turn, and for the response.
    "asked of responders": lambda work: Count(2 * _turns(work)),
    # Without the sentences that outputs rewrite; a rated sentence is its own source.
    "asked of judge": lambda work: Count(
        sum(work.lines_of(path) for path in set(work.job["input"]) if not path.endswith("/informal.txt"))
    ),
}
# The words of `weights` for networks that are trained by the settings, with their numbers of parameters.
PARAMETERS: dict[str, Callable[[Work], float]] = {
    "transfer": lambda work: 2 * translator(work.at("transfer")),
    "nmt": lambda work: 2 * translator(work.at("translation.nmt")),
    "prior": lambda work: 2 * unsupervised(work.at("unsupervised"), "prior"),
    "unsupervised": lambda work: 2 * unsupervised(work.at("unsupervised"), "model"),
    "transformer": lambda work: Transformer.of(work.at("control.generic")).parameters,
    "responder": lambda work: dialogues.parameters(
        dialogues.system_of(work.texts.settings, work.named("system"))
    ),
}
