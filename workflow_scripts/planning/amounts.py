"""The amount of work of each job, from the graph of jobs, the settings and the sizes of the corpora.

Lines of text are followed from the corpora through all jobs; `counts` has the units of work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.planning import requests
from workflow_scripts.planning.counts import CHARACTERS, COUNTS, NETWORK, PARAMETERS, Count, Work, step_of
from workflow_scripts.planning.texts import OF_CORPORA, OF_TEXTS, Texts
from workflow_scripts.planning.volumes import Volume
from workflow_scripts.planning.weights import FETCH, SOURCES, Weights

# Bytes of a line on disk, compressed.
PACKED = 25


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


# The words that rules may use under `resources`.
WORDS = {"counts": [*COUNTS], "lines": [*OF_CORPORA, *OF_TEXTS], "weights": [*SOURCES, *PARAMETERS]}


def check_words(job: Mapping[str, Any]) -> None:
    """Raises InputError if the rule of a job says a word by which nothing is counted."""
    for kind, words in WORDS.items():
        if job[kind] and job[kind] not in words:
            raise InputError(
                f'rule {job["rule"]}: unknown word {kind}="{job[kind]}"',
                fix=f"one of {', '.join(words)}",
            )


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
        """The amount of the next job; the lines of its files are noted for later jobs.

        InputError for a rule with an unknown word.
        """
        check_words(job)
        self.texts.assumed = []
        texts = [path for path in job["input"] if self.texts.lines.get(path)]
        read = sum(self.texts.lines[path] for path in texts)
        self.texts.lines |= self.texts.written(job, texts)
        fetched, network = self.weights.of(job)
        work = Work(job, read, self.texts, self.most, self.bytes_of)
        if fetched:
            step, count = FETCH, Count(fetched / 1e6, NETWORK, download=fetched)
        else:
            count = COUNTS[job["counts"]](work)
            step = step_of(job["step"], count.size)
        written = [path for path in job["output"] if self.texts.lines.get(path)]
        disk = sum(
            self.texts.lines[path] * (PACKED if path.endswith(".gz") else CHARACTERS) for path in written
        )
        disk += network or count.download or 4 * self._parameters(work)
        asked = requests.Requests(0.0, 0.0, count.dollars, ())
        if job["counts"] in requests.ASKED:
            asked = requests.requests_of(self.settings, job, count.units)
        assumed = tuple(dict.fromkeys([*self.texts.assumed, *self.weights.assumed, *asked.assumed]))
        return Amount(
            *(step, count.unit, count.units / asked.parallel, count.download, disk, asked.dollars),
            *(assumed, asked.count, asked.tokens),
        )

    def _parameters(self, work: Work) -> float:
        """The number of parameters of a model on disk; 0, and an assumption, without a formula for it."""
        if work.job["weights"] in PARAMETERS:
            return PARAMETERS[work.job["weights"]](work)
        if any(path.endswith(".safetensors") for path in work.job["output"]):
            self.texts.assumed.append("size of a model on disk")
        return 0.0
