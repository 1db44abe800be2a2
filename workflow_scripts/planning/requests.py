"""The requests of jobs to language models, and what they may cost: the bound that a job computes itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workflow_scripts.config.prompted import Price
from workflow_scripts.planning.volumes import setting
from workflow_scripts.prompting.job import ADDED

# By the word of a rule that asks: the section of its systems, and the wildcard that names one of them.
ASKED = {
    "asked of systems": ("systems", "system"),
    "asked of control": ("control.systems", "system"),
    "asked of users": ("style.systems", "rewriter"),
    "asked of classifiers": ("politeness.prompted", "classifier"),
    "asked of responders": ("dialogue.systems", "system"),
    # One for all.
    "asked of judge": ("evaluation.judge", ""),
}
# Bytes of what fills the places of a template: a sentence, a request of TyDiP (as its longest languages have
# them), half of a dialogue with the slots or placeholders of its corpus.
SENTENCE, REQUEST, DIALOGUE = 70, 350, 2000
# Bytes of an example: both sides with their names; of dialogues a turn with its state and the words before.
PAIR, TURN = 170, 700


@dataclass(frozen=True)
class Requests:
    """The requests of a job; tokens and dollars are upper bounds, `parallel` are sent at a time."""

    count: float
    tokens: float
    dollars: float
    assumed: tuple[str, ...]
    parallel: int = 1


def system_of(settings: Mapping[str, Any], job: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of the system that a job asks."""
    section, wildcard = ASKED[job["counts"]]
    given = setting(settings, section)
    system: Mapping[str, Any] = given[job["wildcards"][wildcard]] if wildcard else given
    return system


def requests_of(settings: Mapping[str, Any], job: Mapping[str, Any], count: float) -> Requests:
    """What the requests of a job may cost, if all are different and none is in the cache.

    A model on the user's machine costs nothing. `assumed` says if the job would stop before it asks.

    :param count: the number of its prompts
    """
    system = system_of(settings, job)
    model, asked = system["model"], settings["prompting"]
    templates = [
        path.stat().st_size
        for path in map(Path, job["input"])
        if not {"build", ".venvs"} & set(path.parts) and str(path) != model["name"] and path.is_file()
    ]
    text = {"asked of classifiers": REQUEST, "asked of responders": DIALOGUE}.get(job["counts"], SENTENCE)
    example = TURN if text == DIALOGUE else PAIR
    # A job with two templates asks with each as often.
    template = sum(templates) / max(len(templates), 1)
    given = count * (template + text + system.get("examples", 0) * example + ADDED)
    answered = count * model["max_tokens"]
    dollars, assumed = 0.0, []
    if model["kind"] == "endpoint":
        if model["name"] in asked["prices"]:
            dollars = Price(**asked["prices"][model["name"]]).of(round(given), round(answered))
        else:
            assumed.append(f"no price of {model['name']}")
        if dollars:
            assumed.append("at most so many dollars")
        if dollars > asked["max_cost"]:
            assumed.append("above prompting.max_cost")
    parallel = asked["parallel"] if model["kind"] == "endpoint" else 1
    return Requests(count, given + answered, dollars, tuple(assumed), parallel)
