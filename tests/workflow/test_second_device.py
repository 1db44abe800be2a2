"""Every model, trained and used on a second device made of the processor: nothing is left on another."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.second_device import NAME
from tests.workflow import quick
from tests.workflow.dag import ask
from tests.workflow.tiny import LEAVES, OTHERS, ROOT, copy_run
from workflow_scripts.core.files import read_lines, write_lines

START = "from tests.second_device import start\nstart()\n"
# Rules whose encoders are n-grams in the tiny run, in which no tensor is.
NGRAMS = {"dialogue_similarity", "train_judge", "judge_users", "train_classifier", "judge_politeness"}
# Models that only the names of files tell apart.
MODELS = re.compile(r"/(augpt|bart|damd|dast|dlsm|labes|mbart|mintl|mt5|pptod|roberta|t5|ubar|unmt|xlmr)\b")
# The most that a training gets of its own lengths: four updates, or two epochs, call whatever more would.
MOST = {"max_updates": 4, "checkpoint_every": 2, "evaluate_every": 2, "warmup_updates": 1, "epochs": 2}
LENGTHS = re.compile(rf'(?<=["-])({"|".join(MOST).replace("_", "[_-]")})("?[:=] ?)(\d+)')
# Lines of the largest corpus that is translated.
LINES = 20


def copied(run: Path, folder: Path) -> Path:
    """Copy a finished run, but for its translations, and for all of GYAFC's training pairs but the first."""
    copy_run(run, folder)
    # What is translated already is not translated again.
    shutil.rmtree(folder / "cache")
    pairs = list(folder.glob("build/corpora/gyafc/train.*"))
    assert pairs
    for path in pairs:
        write_lines(path, read_lines(path)[:LINES])
    return folder


def kinds(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The jobs that have a device: one of those of a rule with the same model and options."""
    found = {}
    for job in jobs:
        words = shlex.split(re.sub(r"--?seed[= ]\d+", "", job["shell"] or ""))
        if any(word.startswith("--device=") for word in words):
            options = [word for word in words if "/" not in word]
            found.setdefault((job["rule"], *sorted(set(MODELS.findall(job["shell"]))), *options), job)
    return list(found.values())


def shortened(shell: str) -> str:
    """A command with `MOST` of each length."""

    def less(match: re.Match) -> str:
        return f"{match[1]}{match[2]}{min(int(match[3]), MOST[match[1].replace('-', '_')])}"

    return LENGTHS.sub(less, shell)


def computed(folder: Path, notes: Path, jobs: list[dict[str, Any]]) -> tuple[dict[str, str], set[str]]:
    """Do jobs of a finished run on the second device, each from that run's inputs, trainings shortened.

    What the failed ones print, by their outputs, and the rules of those without any tensor of this device.
    """
    (notes / "sitecustomize.py").write_text(START, encoding="utf-8")
    paths = os.pathsep.join(map(str, (notes, ROOT)))
    environment = {**os.environ, **quick.environment(), "PYTHONPATH": paths}
    problems, without = {}, set()
    trained = [job["shell"] for job in jobs if "--checkpoints" in job["shell"]]
    assert any(shortened(shell) != shell for shell in trained)
    for job in jobs:
        shell = shortened(re.sub("--device=[a-z]+", "--device=auto", job["shell"]))
        done = subprocess.run(["bash", "-c", shell], cwd=folder, env=environment, capture_output=True)
        printed = (folder / job["log"][0]).read_text("utf-8")
        if done.returncode:
            problems[job["output"][0]] = printed[-1500:]
        elif not re.search(rf"[1-9]\d* tensors of the device {NAME}\n", printed):
            without.add(job["rule"])
    return problems, without


ERRORS = {
    "there + here": "RuntimeError: aten::add: tensors of the devices second and cpu",
    "model.to(NAME)(here)": "RuntimeError: aten::addmm: tensors of the devices second and cpu",
    "torch.rand(3, device=NAME, generator=torch.Generator())": "RuntimeError: aten::rand: a generator",
    "torch.rand(3, generator=torch.Generator(NAME))": "RuntimeError: aten::rand: a generator",
    "torch.stack([torch.ones(()), there[0, 0]])": "RuntimeError: aten::stack: tensors of the devices",
    "there.index_put_((here[0].long(),), here[:1])": "RuntimeError: aten::index_put_: tensors of the devices",
    "pack(there, torch.full((3,), 3, device=NAME))": "RuntimeError: aten::_pack_padded_sequence: lengths",
    "there.numpy()": "TypeError: a tensor of the device second cannot become an array of numpy",
}


@pytest.mark.slow
def test_what_is_left_on_another_device_is_an_error():
    script = f"""
import torch
from tests.second_device import NAME, start
start()
pack = torch.nn.utils.rnn.pack_padded_sequence
here, there, model = torch.ones(3, 3), torch.ones(3, 3, device=NAME), torch.nn.Linear(3, 3)
for statement in {list(ERRORS)}:
    try:
        eval(statement)
        print("no error")
    except Exception as error:
        print(f"{{type(error).__name__}}: {{error}}")
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line, start in zip(done.stdout.splitlines(), ERRORS.values(), strict=True):
        assert line.startswith(start)


@pytest.mark.slow
def test_a_model_learns_there_as_on_the_processor():
    script = """
import torch
from tests.second_device import NAME, start
start()
def learnt(device):
    torch.manual_seed(1)
    recurrent = torch.nn.GRU(4, 4, batch_first=True), torch.nn.LSTM(4, 2, bidirectional=True)
    model = torch.nn.ModuleList([torch.nn.Embedding(9, 4), *recurrent]).to(device)
    optimizer = torch.optim.Adam(model.parameters(), 0.1)
    for step in range(5):
        embedded = model[0](torch.tensor([[1, 2, 3], [step, 5, 0]], device=device))
        lengths = torch.tensor([3, 2])
        packed = torch.nn.utils.rnn.pack_padded_sequence(embedded, lengths, batch_first=True)
        states, _ = torch.nn.utils.rnn.pad_packed_sequence(model[1](packed)[0], batch_first=True)
        loss = model[2](states)[0].square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert all(part.device.type == torch.device(device).type for part in model.parameters())
    return loss.item()
assert abs(learnt(NAME) / learnt("cpu") - 1) < 1e-4
for device in (NAME, "cpu"):
    weights = torch.ones(2, 2, device=device, requires_grad=True)
    with torch.autocast(device, torch.bfloat16):
        product = torch.nn.functional.linear(weights, weights) @ weights
    product.float().sum().backward()
    assert product.dtype == torch.bfloat16 and weights.grad.dtype == torch.float32
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_models_of_the_tiny_run(finished_whole, tmp_path):
    folder = copied(finished_whole.folder, tmp_path / "checkout")
    jobs = kinds(ask(folder, {}, [str(folder / "tiny.yaml")], LEAVES + OTHERS))
    problems, without = computed(folder, tmp_path, jobs)
    assert problems == {}
    assert without == NGRAMS
    # Encoders, bi-LSTMs, Transformers, unsupervised models, dialogue systems and rewriters are among them.
    assert len({job["rule"] for job in jobs} - without) > 30
