"""How fast dialogue systems are trained and answer on this machine, as rows of a Markdown table.

The systems are those of `config.yaml`, on dialogues of the demo world. Times are processor time on one
thread. Training is 60 updates; what the model has learnt by then answers the turns of all dialogues together,
and of one dialogue after the other.

    python bench/responders.py --header
"""

import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from workflow_scripts.config.dialogue import OfLanguageModel, Recurrent  # noqa: E402
from workflow_scripts.config.settings import KINDS_OF  # noqa: E402
from workflow_scripts.core.command import run  # noqa: E402
from workflow_scripts.core.provenance import versions  # noqa: E402
from workflow_scripts.seq2seq.device import prepare  # noqa: E402

COLUMNS = ("machine", "versions", "system", "tokens/s in training", "turns/s together", "turns/s one by one")
UPDATES, DIALOGUES = 60, 40


def bench(*, header: bool = False, only: str | None = None) -> None:
    """Print a row for each system that is trained.

    :param header: print the head of the table first
    :param only: the system of `config.yaml` whose row it is, if not all
    """
    where = prepare("cpu", "float32", 1)
    from workflow_scripts.corpora.demo.dialogues import make_dialogues
    from workflow_scripts.corpora.multiwoz22 import read_multiwoz22

    if header:
        print("| " + " | ".join(COLUMNS) + " |\n| " + " | ".join(["---"] * len(COLUMNS)) + " |")
    systems = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["dialogue"]["systems"]
    names = ", ".join(f"{name} {version}" for name, version in versions("torch", "transformers").items())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = {"dialogues_train": 100, "dialogues_dev": 1, "dialogues_test": DIALOGUES}
        make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=1, **sizes)
        for fold in ("train", "test"):
            official, older = folder / "MultiWOZ/data/MultiWOZ_2.2", folder / "MultiWOZ/data.json"
            read_multiwoz22(official, folder / f"{fold}.jsonl", fold=fold, older=older)  # type: ignore[arg-type]
        for one in (systems[name] for name in ([only] if only else systems)):
            system = KINDS_OF["dialogue.systems"][one["kind"]].model_validate(one)
            if isinstance(system, OfLanguageModel | Recurrent):
                speeds = measured(system, folder, where)
                machine = (platform.node() or "?", f"Python {platform.python_version()}, {names}")
                print("| " + " | ".join((*machine, system.label, *(f"{one:,.0f}" for one in speeds))) + " |")


def measured(system: Any, folder: Path, where: Any) -> tuple[float, float, float]:
    """Tokens a second in training, and turns a second with all dialogues together and one by one."""
    from workflow_scripts.multiwoz.data import read_dialogues
    from workflow_scripts.responders.sessions import rollout
    from workflow_scripts.training.state import TrainingState

    begun = recurrent if isinstance(system, Recurrent) else pretrained
    training, answering, database = begun(system, folder, where)
    begin = time.process_time()
    training.run(TrainingState(folder / "states", {"system": system.label}))
    speeds = [training.tokens / (time.process_time() - begin)]
    dialogues = read_dialogues(folder / "test.jsonl")
    switches = system.decoding.model_dump(include={"history", "oracle_domain", "oracle_booking"})
    for parts in ([dialogues], [[one] for one in dialogues[: DIALOGUES // 8]]):
        begin = time.process_time()
        for part in parts:
            list(rollout(answering(), part, database, **switches))
        turns = sum(len(one.turns) for part in parts for one in part)
        speeds.append(turns / (time.process_time() - begin))
    return speeds[0], speeds[1], speeds[2]


def pretrained(system: Any, folder: Path, where: Any) -> tuple[Any, Any, Any]:
    """The training of a language model, what makes a system of it, and the database."""
    from workflow_scripts.language_models.model import two_decoders
    from workflow_scripts.language_models.training import LanguageModelTraining, first_model
    from workflow_scripts.multiwoz.data import read_dialogues
    from workflow_scripts.multiwoz.database import load_database
    from workflow_scripts.responders.consistency import Consistency
    from workflow_scripts.responders.respond import Answering
    from workflow_scripts.responders.sessions import gold_sessions
    from workflow_scripts.responders.templates import TEMPLATES

    database, form = load_database(*(folder / "MultiWOZ/db").iterdir()), TEMPLATES[system.template]()
    known = [gold_sessions(one, database) for one in read_dialogues(folder / "train.jsonl")]
    examples = [example for one in known for example in form.examples(one)]
    learner = first_model(system.kind, form.pieces, examples, system.model, where, 1, None)
    if form.decoders == 2:
        learner = two_decoders(learner)
    course = system.training.model_copy(update={"max_updates": UPDATES})
    loss = Consistency(learner, examples, 1) if system.template == "augpt" else None
    training = LanguageModelTraining(learner, examples, course, 1, loss)
    return training, lambda: Answering(learner, form, system.decoding), database


def recurrent(system: Any, folder: Path, where: Any) -> tuple[Any, Any, Any]:
    """The same of a recurrent network."""
    from workflow_scripts.multiwoz.data import read_dialogues
    from workflow_scripts.responders.recurrent import SYSTEMS
    from workflow_scripts.responders.sessions import gold_sessions
    from workflow_scripts.responders.train_recurrent import RecurrentTraining, database_of, first_network

    database = database_of(list((folder / "MultiWOZ/db").iterdir()), system.network)
    known = [gold_sessions(one, database) for one in read_dialogues(folder / "train.jsonl")]
    learner = first_network(system.template, known, system.network, where, 1)
    course = system.training.model_copy(update={"max_updates": UPDATES})
    training = RecurrentTraining(learner, known, course, 1)
    answering = SYSTEMS[system.template]
    return training, lambda: answering(learner.network, learner.form, system.decoding), database


if __name__ == "__main__":
    run(bench)
