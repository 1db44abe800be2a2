"""The contract of every training: a killed one ends with the bytes of a whole one, by its own state alone."""

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import torch
from pydantic import BaseModel
from safetensors.torch import load_file

from tests.conftest import ROOT
from tests.encoders import regressors, test_classifiers
from tests.killing import KilledError, kill_once, killed_after, run_to_the_end
from tests.responders import test_language_models, test_recurrent
from tests.responders.conftest import put_dialogues
from tests.responders.plain import trained_plainly
from tests.seq2seq import conftest as bi_lstm
from tests.seq2seq import test_train_transformer
from tests.seq2seq.reference import SMALL_TRANSFORMER, put_backwards, random_model, random_transformer
from tests.training.small import Small
from tests.transfer.checkpoints import mt5, put_pairs
from tests.transfer.test_fine_tune import COURSE, FOLDER
from tests.transfer.test_lora import ADAPTERS
from tests.unsupervised import test_train, test_train_prior
from tests.users import test_dast
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.encoders.train import Tuning
from workflow_scripts.encoders.train import train as train_encoder
from workflow_scripts.language_models.training import LanguageModelTraining
from workflow_scripts.responders.train import train as train_language_model
from workflow_scripts.responders.train_recurrent import RecurrentTraining, train_recurrent
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.transformer import Transformer
from workflow_scripts.training.judged import JudgedTraining
from workflow_scripts.transfer.fine_tune import fine_tune
from workflow_scripts.users.fine_tune import fine_tune as fine_tune_users
from workflow_scripts.users.train_dast import DastTraining, train_dast

TRANSFORMERS = {"torch", "transformers"}
RUN = {**test_language_models.CPU, "seed": 1}
DIALOGUES = {"dialogues": "train.jsonl*", "databases": "MultiWOZ/db/*"}
MORE_DIALOGUES = {"dialogues": "train.jsonl*", "further": "more.jsonl*", "databases": "MultiWOZ/db/*"}
CHECKPOINT = {"initial": "start"}
FINE_TUNED = {**bi_lstm.FILES, "initial": "old.safetensors", "initial_vocabulary": "old.txt"}
FIRST = test_language_models.START
PAIRS = {"sources": "informal*", "targets": "formal*"}
TUNING = {"prompts": ["formal: "], "family": "t5", **RUN}


@dataclass(frozen=True)
class Case:
    """A training, its data, and when it is killed."""

    small: Small
    put: Callable[[Path], object]
    """Write the data into a folder."""
    tools: set[str]
    """The packages whose versions matter."""
    states: tuple[int, ...] = (1,)
    """It is killed once for each, after so many further states."""
    best: int | None = None
    """The update after which the dev loss is made lowest, so that no decision hangs on digits."""
    changed: dict[str, Any] = field(default_factory=dict)
    all_inputs: dict[str, str] = field(default_factory=dict)
    """The options of all inputs in the order of a state's key, if there are more than those trained with."""


def put_old_model(folder: Path, made: Callable[[int], Model | Transformer]) -> None:
    """Write a model to start from, and its vocabulary, which lacks a word."""
    symbols = read_lines(folder / "vocabulary.txt")[:-1]
    write_lines(folder / "old.txt", symbols)
    made(len(symbols)).write(folder / "old.safetensors", {"vocabulary": digest(folder / "old.txt")})


def backwards_with_a_tag(folder: Path) -> None:
    put_backwards(folder, "<2formal> ")
    put_old_model(folder, lambda words: random_model(1, Sizes(words, 16, 16, 16)))


def backwards(folder: Path) -> None:
    put_backwards(folder)
    put_old_model(folder, lambda words: random_transformer(1, replace(SMALL_TRANSFORMER, vocabulary=words)))


def four_dialogues(folder: Path) -> None:
    """With one more, and a checkpoint."""
    put_dialogues(folder, 4)
    write_lines(folder / "more.jsonl", read_lines(folder / "train.jsonl")[:1])
    mt5(folder / "start")


def pairs_and_a_checkpoint(folder: Path) -> None:
    put_pairs(folder)
    torch.manual_seed(1)
    mt5(folder / "start")


def responder(training: Any, command: Any, **settings: Any) -> Small:
    return Small(command, training, DIALOGUES, {**settings, **RUN})


def encoder(scores: str, **settings: Any) -> Small:
    inputs = {"encoder": "encoder", "sentences": "train.txt", "scores": f"train.{scores}"}
    return Small(train_encoder, Tuning, inputs, settings, outputs={"regressor": "regressor"})


def recurrent(template: str, batch_size: int) -> Small:
    """Of turns, or of dialogues of several turns; the rate rises, then falls; gradients are clipped."""
    changed = {"batch_size": batch_size, "epochs": 2, "warmup_updates": 1, "gradient_clip": 0.1}
    settings = {"network": test_recurrent.SIZES, "course": test_recurrent.course(**changed)}
    return responder(RecurrentTraining, train_recurrent, template=template, **settings)


def language_model(kind: str, template: str) -> Small:
    settings = {"kind": kind, "template": template, "start": FIRST}
    course = test_language_models.course(epochs=2)
    return responder(LanguageModelTraining, train_language_model, **settings, course=course)


FORTY = {"max_updates": 40}
SHORT = COURSE.model_copy(update={"batch_size": 5, "epochs": 3})
CASES = {
    # The rate has fallen by the third state, and the best model is no longer the last.
    "bi-LSTM": Case(
        bi_lstm.call, backwards_with_a_tag, {"torch", "numpy", "sacrebleu"}, (3,), 10, FORTY, FINE_TUNED
    ),
    "bi-LSTM by BLEU": Case(
        bi_lstm.call,
        backwards_with_a_tag,
        {"torch", "numpy", "sacrebleu"},
        (3,),
        changed={"select": "bleu"},
        all_inputs=FINE_TUNED,
    ),
    "Transformer": Case(
        test_train_transformer.call, backwards, {"torch", "numpy"}, (3,), 10, FORTY, FINE_TUNED
    ),
    # In the warm-up, as it ends, and after the rate fell.
    "DLSM": Case(
        test_train.call,
        test_train.put_styles,
        {"torch", "numpy"},
        (1, 1, 2),
        10,
        {"warmup_updates": 7, "warmup_rate": 0.02},
    ),
    "prior": Case(test_train_prior.call, test_train_prior.put_counting, {"torch", "numpy"}, (3,), 10, FORTY),
    "regressor": Case(
        encoder("scores", **{**regressors.TRAINING, "epochs": 2}), regressors.put_rated, TRANSFORMERS
    ),
    "classifier": Case(
        encoder("labels", **{**test_classifiers.TRAINING, "epochs": 3}, released=True),
        test_classifiers.put_requests,
        TRANSFORMERS,
        (2,),
    ),
    "DAMD": Case(recurrent("damd", 8), four_dialogues, {"torch"}, all_inputs=MORE_DIALOGUES),
    "LABES": Case(recurrent("labes", 2), four_dialogues, {"torch"}, all_inputs=MORE_DIALOGUES),
    # With a second decoder; with corrupted texts and a head.
    "MinTL": Case(
        language_model("encoder_decoder", "mintl"),
        four_dialogues,
        TRANSFORMERS,
        all_inputs={**MORE_DIALOGUES, **CHECKPOINT},
    ),
    "AuGPT": Case(
        language_model("causal", "augpt"),
        four_dialogues,
        TRANSFORMERS,
        all_inputs={**MORE_DIALOGUES, **CHECKPOINT},
    ),
    "DAST": Case(
        Small(
            train_dast,
            DastTraining,
            {name: f"{name}.txt" for name in ("polite", "impolite", "sentences", "labels")},
            {
                "network": test_dast.SIZES.model_copy(update={"dropout": 0.3}),
                "course": test_dast.course(epochs=3, batch_size=4),
                "max_length": 20,
                **RUN,
            },
        ),
        test_dast.put_texts,
        {"torch"},
    ),
    "users' words": Case(
        Small(
            fine_tune_users,
            LanguageModelTraining,
            PAIRS,
            {"kind": "t5", "prompt": "impolite: ", "start": FIRST, "course": SHORT, **RUN},
        ),
        pairs_and_a_checkpoint,
        TRANSFORMERS,
        all_inputs={**PAIRS, **CHECKPOINT},
    ),
    "adapters": Case(
        Small(
            fine_tune,
            LanguageModelTraining,
            {**PAIRS, **CHECKPOINT},
            {"start": FOLDER, "course": SHORT, "lora": ADAPTERS, **TUNING},
        ),
        pairs_and_a_checkpoint,
        {*TRANSFORMERS, "peft"},
    ),
}


@pytest.fixture(scope="module")
def data_of(tmp_path_factory):
    """The folder with the data of a case."""

    @cache
    def made(put: Callable[[Path], object]) -> Path:
        folder = tmp_path_factory.mktemp("data")
        put(folder)
        return folder

    return lambda name: made(CASES[name].put)


@contextmanager
def judged(case: Case) -> Iterator[None]:
    """In this block, the dev loss of a training grows with the distance from the best update."""
    found = getattr(case.small.training, "_evaluate", None)

    def evaluate(self: JudgedTraining[Any, Any]) -> dict[str, float]:
        return {**found(self), f"dev_{self.measure}": 9.0 + abs(self.update - case.best)}

    with pytest.MonkeyPatch.context() as patch:
        if case.best is not None:
            patch.setattr(case.small.training, "_evaluate", evaluate)
        yield


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def run(name: str, data: Path, out: Path, **changed: Any) -> dict[str, bytes]:
    """Train; returns the contents of all files that remain."""
    case = CASES[name]
    out.mkdir(exist_ok=True)
    with judged(case):
        case.small.command(**case.small.options(data, out, **{**case.changed, **changed}))
    return contents(out)


@pytest.fixture(scope="module")
def whole(data_of, tmp_path_factory):
    """The folder that a case's training has written, without a kill."""

    @cache
    def made(name: str) -> Path:
        out = tmp_path_factory.mktemp("whole")
        run(name, data_of(name), out)
        return out

    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_killed_training_ends_with_the_same_bytes(data_of, whole, tmp_path, capsys, name):
    """And one with another seed begins anew beside its state."""
    case, data = CASES[name], data_of(name)
    for further in case.states:
        with killed_after(case.small.training, further):
            run(name, data, tmp_path)
        (state,) = (tmp_path / "states").glob("*/*/state.json")
    capsys.readouterr()
    with killed_after(case.small.training, 0):
        run(name, data, tmp_path, seed=5)
    assert "going on" not in capsys.readouterr().err and state.exists()
    assert run(name, data, tmp_path) == contents(whole(name))
    assert "going on after" in capsys.readouterr().err


@pytest.mark.slow
def test_a_killed_process_ends_with_the_same_bytes(data_of, whole, tmp_path):
    name = "bi-LSTM by BLEU"
    case = CASES[name]
    line = case.small.line(data_of(name), tmp_path, **case.changed)
    # It is killed as soon as a state is seen, so that it cannot end before.
    kill_once(line, lambda: list(tmp_path.glob("states/*/0*/state.json")))
    assert not (tmp_path / "model.safetensors").exists()
    told = run_to_the_end(line)
    assert "going on after update" in told and "tokens/s" in told
    assert contents(tmp_path) == contents(whole(name))


@pytest.mark.parametrize("name", CASES)
def test_the_key_of_a_state_has_all_that_its_weights_depend_on(data_of, tmp_path, monkeypatch, name):
    """So that no training goes on from another one's: options, files, versions, and where it writes."""
    case, data = CASES[name], data_of(name)
    small = replace(case.small, inputs=case.all_inputs or case.small.inputs)
    module = import_module(small.command.__module__)
    keys: list[dict[str, Any]] = []
    key_of = module.key_of

    def noted(*positional: Any, **options: Any) -> None:
        keys.append(key_of(*positional, **options))
        raise KilledError

    monkeypatch.setattr(module, "key_of", noted)
    monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
    options = small.options(data, tmp_path, device="auto", precision="auto")
    with pytest.raises(KilledError):
        small.command(**options)
    (key,) = keys
    assert f"workflow_scripts.{key['command']}" == module.__name__
    assert key["targets"] == [os.path.relpath(options[output]) for output in small.outputs]
    assert key["versions"].keys() == case.tools
    paths = {*small.inputs, *small.outputs, "checkpoints"}
    assert paths == {name for name, kind in options_of(small.command).items() if "Path" in kind}
    # An initial model is part of the key whether or not the training reads it.
    given = [path for name in small.inputs for path in as_files(options[name])]
    assert key["inputs"] == [digest(path) for path in given]
    found = key["options"]
    if "further" in small.inputs:
        assert found["further"] == 1
    for option in paths:
        del options[option]
    resolved = {"device": "cpu", "precision": "float32"}
    for option, value in {**options, **resolved}.items():
        if isinstance(value, BaseModel):
            # As it is, or each of its settings.
            said = value.model_dump(mode="json")
            assert found[option] == said if option in found else said.items() <= found.items()
        else:
            assert found[option] == value


def options_of(command: Callable[..., object]) -> dict[str, str]:
    """The types of a command's options."""
    return {name: str(one.annotation) for name, one in inspect.signature(command).parameters.items()}


def as_files(given: Any) -> list[Path]:
    """The files that an option names."""
    paths = given if isinstance(given, list) else [given]
    return [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]


def test_every_training_is_tested():
    package = ROOT / "workflow_scripts"
    keeping = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for path in package.rglob("*.py")
        if "TrainingState(" in path.read_text(encoding="utf-8") and path.parent != package / "training"
    }
    assert keeping == {case.small.command.__module__ for case in CASES.values()}


def tensors(path: Path) -> dict[str, Any]:
    """The weights of a file, or of all files in a folder, by file and name."""
    files = sorted(path.rglob("*.safetensors")) if path.is_dir() else [path]
    return {
        f"{file.relative_to(path)} {name}": one for file in files for name, one in load_file(file).items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["DAMD", "LABES", "MinTL", "AuGPT"])
def test_a_training_by_a_course_ends_with_the_weights_of_a_plain_loop(
    data_of, whole, tmp_path, monkeypatch, name
):
    """The training that the command would run is given to a plain loop, and written by the command."""
    small = CASES[name].small
    adam = torch.optim.Adam if small.training is RecurrentTraining else torch.optim.AdamW

    def plainly(self: Any, kept: Any) -> None:
        decay = {"weight_decay": self.course.weight_decay} if adam is torch.optim.Adam else {}
        trained_plainly(self, adam(self.parameters, fused=True, **decay))

    monkeypatch.setattr(small.training, "run", plainly)
    small.command(**small.options(data_of(name), tmp_path))
    found, wanted = tensors(whole(name) / "model"), tensors(tmp_path / "model")
    assert found.keys() == wanted.keys()
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-4)
