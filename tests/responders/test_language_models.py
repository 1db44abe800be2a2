"""Dialogue systems of language models: each learns dialogues by heart."""

import json
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.config.dialogue import Decoding
from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.evaluate import score
from workflow_scripts.language_models.model import Kind, load
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.multiwoz.outputs import read_outputs
from workflow_scripts.responders.respond import Answering, answered, respond
from workflow_scripts.responders.templates import TEMPLATES, Name
from workflow_scripts.responders.train import train
from workflow_scripts.seq2seq.device import prepare

CPU: dict[str, Any] = {"device": "cpu", "precision": "float32", "threads": 1}
START = Pretrained(
    kind="scratch",
    checkpoint="",
    revision="",
    path=None,
    vocabulary_size=400,
    layers=1,
    hidden=48,
    heads=4,
    dropout=0.1,
)
DECODING = Decoding(
    history="gold",
    oracle_domain=True,
    oracle_booking=True,
    max_context=400,
    max_belief=60,
    max_response=60,
    batch_size=8,
)


def course(**changes: Any) -> Course:
    given = {"learning_rate": 0.01, "warmup_updates": 5, "decay": "linear", "batch_size": 16, "accumulate": 1}
    return Course(**{**given, "epochs": 60, "max_updates": None, "gradient_clip": 1.0, **changes})


# Kind, layers, texts per update, passes, learning rate.
PLANS: dict[Name, tuple[Kind, int, int, int, float]] = {
    "ubar": ("causal", 2, 1, 120, 0.004),
    "mintl": ("encoder_decoder", 1, 16, 60, 0.01),
    "pptod": ("encoder_decoder", 1, 8, 60, 0.005),
    "augpt": ("causal", 2, 2, 48, 0.004),
}


@pytest.mark.long
@pytest.mark.parametrize("template", PLANS)
def test_each_learns_eight_dialogues_by_heart(tmp_path, world, template):
    kind, layers, size, epochs, rate = PLANS[template]
    given: dict[str, Any] = {"kind": kind, "template": template, **CPU}
    sizes = {"dropout": 0.0, "layers": layers, "hidden": 64, "vocabulary_size": 800}
    plan = course(batch_size=size, epochs=epochs, learning_rate=rate)
    start = START.model_copy(update=sizes)
    train(tmp_path / "m", **world, **given, start=start, course=plan, seed=1, checkpoints=tmp_path / "c")
    (dialogues,) = world["dialogues"]
    respond(
        tmp_path / "o.json",
        model=tmp_path / "m",
        dialogues=dialogues,
        databases=world["databases"],
        decoding=DECODING.model_copy(update={"max_context": 900}),
        **given,
    )
    known = read_dialogues(dialogues)
    answers = read_outputs(tmp_path / "o.json", known)
    found = score(known, answers, load_database(*world["databases"]))
    # Its own mistakes stay in what it reads, until the end of a dialogue.
    # Of eight dialogues two may go wrong: on another processor other ones do.
    assert found.inform >= 75 and found.success >= 75 and found.bleu > 80
    right = [
        out.state == turn.state for one in known for out, turn in zip(answers[one.id], one.turns, strict=True)
    ]
    assert sum(right) / len(right) > 0.85


def trained(folder: Path, world: dict[str, Any], name: str = "m", **changes: Any) -> bytes:
    given = {
        "kind": "encoder_decoder",
        "template": "mintl",
        "start": START,
        "course": course(epochs=3),
        **changes,
    }
    train(folder / name, **world, **given, **CPU, seed=1, checkpoints=folder / "checkpoints")
    return b"".join(path.read_bytes() for path in sorted((folder / name).rglob("*.safetensors")))


@pytest.mark.slow
def test_a_checkpoint_in_a_folder_is_what_training_begins_with(tmp_path, world):
    """Whatever marks its vocabulary lacks are added."""
    trained(tmp_path, world, "first", template="pptod", course=course(epochs=1, max_updates=1))
    folder = START.model_copy(update={"kind": "folder", "path": "first"})
    rate = course(epochs=1, max_updates=1, learning_rate=1e-9)
    given = {"start": folder, "initial": tmp_path / "first", "course": rate, "template": "pptod"}
    from safetensors.torch import load_file

    trained(tmp_path, world, "second", **given)
    first, second = (load_file(tmp_path / name / "model.safetensors") for name in ("first", "second"))
    assert first.keys() == second.keys()
    assert all((first[name] - second[name]).abs().max() < 1e-6 for name in first)
    # What the command writes is what the model answers.
    (dialogues,) = world["dialogues"]
    decoding = DECODING.model_copy(update={"max_belief": 3, "max_response": 4})
    options = {"dialogues": dialogues, "databases": world["databases"], "decoding": decoding}
    form: dict[str, Any] = {"kind": "encoder_decoder", "template": "pptod"}
    respond(tmp_path / "o.json", model=tmp_path / "second", **options, **form, **CPU)
    known = read_dialogues(dialogues)
    model = load(tmp_path / "second", "encoder_decoder", prepare("cpu", "float32", 1))
    system = Answering(model, TEMPLATES["pptod"](), decoding)
    expected = answered(system, known, load_database(*world["databases"]), decoding)
    assert read_outputs(tmp_path / "o.json", known) == expected
    with pytest.raises(InputError, match="needs --initial"):
        trained(tmp_path, world, "third", start=folder)
    # Weights are read from safetensors only.
    import torch

    torch.save(second, tmp_path / "second/pytorch_model.bin")
    (tmp_path / "second/model.safetensors").unlink()
    with pytest.raises(InputError, match="cannot load checkpoint"):
        load(tmp_path / "second", "encoder_decoder", prepare("cpu", "float32", 1))


@pytest.mark.slow
def test_a_model_that_is_none_is_one_line(tmp_path, world, module):
    (dialogues,) = world["dialogues"]
    (tmp_path / "m").mkdir()
    (tmp_path / "m/config.json").write_text("{")
    words = ["--model", tmp_path / "m", "--dialogues", dialogues, "--databases", *world["databases"]]
    words += ["--kind", "causal", "--template", "ubar", f"--decoding={json.dumps(DECODING.model_dump())}"]
    words += ["--device", "cpu", "--precision", "float32", "--threads", 1]
    done = module("responders.respond", tmp_path / "o.json", *words)
    assert done.returncode == 2 and not (tmp_path / "o.json").exists()
    assert done.stderr.startswith("error: cannot load checkpoint") and done.stderr.count("\n") == 1
