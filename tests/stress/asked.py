"""Jobs of language models whose answers are all in their caches: any further request finds no server."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from tests.conftest import ROOT
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.files import read_lines
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.politeness.prompted import likeliest
from workflow_scripts.prompting.answers import Answer
from workflow_scripts.prompting.job import Backend
from workflow_scripts.prompting.models import backend_of
from workflow_scripts.prompting.templates import read_template
from workflow_scripts.responders.prompted import (
    BELIEF_EXAMPLE,
    BELIEF_HOLES,
    RESPONSE_EXAMPLE,
    RESPONSE_HOLES,
    Asked,
    forms_of,
)
from workflow_scripts.responders.sessions import rollout

MODEL: dict[str, Any] = {"kind": "endpoint", "name": "m", "address": "http://127.0.0.1:9/v1"}
PRICES = {"m": {"input": 0, "output": 0}}
SETTINGS = {"max_cost": 1, "prices": PRICES, "parallel": 2, "timeout": 5, "retries": 0}
WHERE: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
ASKED = Prompting.model_validate(SETTINGS)
# A job as its command, the words of its line and its outputs.
Line = tuple[str, str, list[str]]


def backend(probabilities: int = 0) -> Backend:
    return backend_of(Model(**MODEL), ASKED, seed=1, probabilities=probabilities, **WHERE)


def keep(path: Path, asked: Backend, prompts: Iterable[str], answer: Answer) -> None:
    """Put an answer to each prompt into a cache."""
    with closing(Cache(path, asked.name, asked.model, asked.parameters.key())) as cache:
        cache.keep({prompt: answer.kept() for prompt in prompts})


def options(**further: object) -> str:
    """What all these commands are given of the model, and further options."""
    given: Mapping[str, object] = {**WHERE, "seed": 1, **further}
    sections = {"model": MODEL, "settings": SETTINGS}
    texts = {name: json.dumps(value, separators=(",", ":")) for name, value in sections.items()}
    return " ".join(f"--{name}={value}" for name, value in {**given, **texts}.items())


def template(folder: Path, name: str, holes: Sequence[str], example: Sequence[str] = ()) -> Any:
    """One of the project's templates, copied to where the job reads it."""
    (folder / name).parent.mkdir(exist_ok=True)
    shutil.copy2(ROOT / f"resources/prompts/{name}.txt", folder / f"{name}.txt")
    return read_template(folder / f"{name}.txt", holes, example)


def prompted(folder: Path, source: str) -> Line:
    """Sentences are made formal."""
    form = template(folder, "formal", ("source", "language"), ("informal", "formal"))
    texts = read_lines(folder / source)
    prompts = [form.filled({"language": "French", "source": text}, []) for text in texts]
    keep(folder / "prompts.sqlite", backend(), prompts, Answer("Une phrase.", "stop", 1, 1, None))
    line = (
        f"{source} prompted.txt prompted.csv --template formal.txt --language French --cache prompts.sqlite"
        f" {options(examples=0, system='m')}"
    )
    return "transfer.prompt", line, ["prompted.txt", "prompted.csv"]


def judged(folder: Path, requests: str) -> Line:
    """It is asked whether requests are polite."""
    form = template(folder, "polite", ("source",))
    prompts = [form.filled({"source": text}, []) for text in read_lines(folder / f"{requests}.sentences.txt")]
    answer = Answer("Yes", "stop", 1, 1, {"Yes": -0.5, "No": -1.5})
    keep(folder / "asked.sqlite", backend(likeliest(Model(**MODEL))), prompts, answer)
    line = (
        f"asked --sentences {requests}.sentences.txt --gold {requests}.scores.txt --inputs target"
        f" --languages fr --template polite.txt --cache asked.sqlite {options()}"
    )
    return "politeness.prompted", line, ["asked"]


def rated(folder: Path, informal: str, formal: str) -> Line:
    """It is asked how formal outputs are."""
    form = template(folder, "judge/formality", ("output", "source", "language"))
    prompts = [
        form.filled({"language": "French", "output": text}, []) for text in read_lines(folder / formal)
    ]
    keep(folder / "rated.sqlite", backend(), prompts, Answer("2", "stop", 1, 1, None))
    line = (
        f"judge.csv --task formality --informal {informal} --sources {formal} --targets ratings.txt"
        f" --template judge/formality.txt --language French --cache rated.sqlite {options()}"
    )
    return "evaluation.judge", line, ["judge.csv", "ratings.txt"]


def answered(folder: Path) -> Line:
    """It answers dialogues, and always says `none`."""
    forms = (
        template(folder, "state", BELIEF_HOLES, BELIEF_EXAMPLE),
        template(folder, "response", RESPONSE_HOLES, RESPONSE_EXAMPLE),
    )
    files = sorted((folder / "build/corpora/demo/MultiWOZ/db").iterdir())
    train, dialogues = "build/corpora/multiwoz/train.jsonl", "build/dialogue/sets/polite.jsonl"
    database = load_database(*files)
    prompts = forms_of(*forms, read_dialogues(folder / train), database, 1, 1)
    system = _Silent(backend(), folder / "answered.sqlite", ASKED, prompts)
    told = {"history": "generated", "oracle_domain": False, "oracle_booking": False}
    list(rollout(system, read_dialogues(folder / dialogues), database, **told))
    keep(folder / "answered.sqlite", backend(), system.prompts, Answer("none", "stop", 1, 1, None))
    line = (
        f"answered.json answered.csv --system m --dialogues {dialogues} --train {train} --databases"
        f" {' '.join(path.relative_to(folder).as_posix() for path in files)} --belief state.txt"
        f" --response response.txt --history generated --cache answered.sqlite {options(examples=1)}"
    )
    return "responders.prompted", line, ["answered.json", "answered.csv"]


class _Silent(Asked):
    """Says `none` to each prompt, and keeps it."""

    prompts: ClassVar[list[str]] = []

    def _lines(self, prompts: Sequence[str], label: str) -> list[str]:
        self.prompts.extend(prompts)
        return ["none"] * len(prompts)
