"""Commands call only definitions that `reachable` lists: nothing is missing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.files import write_lines
from workflow_scripts.core.provenance import reachable

pytestmark = pytest.mark.long
ABBREVIATIONS = ROOT / "resources/abbreviations/fr.tsv"
TORCH = "--device cpu --precision float32 --threads 1"
TRAINING = f"{TORCH} --seed 1 --checkpoints states --settings"
SIZES = {
    **{"embedding": 8, "hidden": 8, "dropout": 0.1, "learning_rate": 0.01, "batch_size": 16},
    **{"reduce_factor": 0.5, "max_updates": 4, "gradient_clip": 1},
}


def text(**settings: float | str) -> str:
    """The settings of a training as JSON without spaces."""
    return json.dumps(SIZES | settings, separators=(",", ":"))


TRANSLATOR = text(
    attention=8, checkpoint_every=2, reduce_after=1, stop_after=9, select="bleu", first_weights="sockeye"
)
PRIOR = text(evaluate_every=2, reduce_after=1, decays=5)
NOISE = '{"blank":0.2,"drop":0.1,"shuffle":3}'
STYLES = text(
    evaluate_every=2,
    stop_after=9,
    pool=2,
    anneal_epochs=3,
    warmup_updates=1,
    warmup_rate=0.01,
    max_sample=9,
    max_gumbel=9,
)
# One after the other, on a few sentences; each begins with its module.
COMMANDS = [
    """text.learn text --texts informal formal --languages en en --tags <2formal> --vocabulary-size 300
    --seed 1""",
    """text.bitext text source target --sources informal --source-languages en --targets formal
    --target-languages en --tags <2formal> --max-length 50""",
    f"""seq2seq.train text/vocabulary.txt source target source target model log {TRAINING} {TRANSLATOR}""",
    f"""transfer.decode text informal decoded --models model --language en --tag <2formal> --beam-size 2
    --length-penalty 1 --batch-size 8 --checkpoints states {TORCH}""",
    "transfer.synthetic informal decoded kept.informal kept.formal counts.tsv",
    f"""transfer.rule_based informal rules.paper --language fr --mode paper
    --abbreviations {ABBREVIATIONS}""",
    f"""transfer.rule_based informal rules.released --language fr --mode released
    --abbreviations {ABBREVIATIONS}""",
    "unsupervised.learn_words words --texts informal formal --languages en en --max-words 90",
    """unsupervised.encode words --texts informal formal --targets informal.words formal.words --language en
    --max-length 20""",
    f"""unsupervised.train_prior words/vocabulary.txt informal.words informal.words prior log
    {TRAINING} {PRIOR}""",
    f"""unsupervised.train words/vocabulary.txt informal.words formal.words informal.words formal.words dlsm
    log {TRAINING} {STYLES} --lm-weight 0.1 --noise {NOISE} --prior-informal prior --prior-formal prior""",
    f"""unsupervised.decode words informal transferred --model dlsm --language en --style formal
    --batch-size 8 --max-length 9 {TORCH}""",
    "encoders.encoder encoder --kind ngrams --shortest 1 --longest 3 --min-sentences 2 --penalty 1",
    f"""encoders.train encoder regressor --sentences formal --scores scores --learning-rate 1 --epochs 1
    --objective values --batch-size 8 --max-length 9 --seed 1 --checkpoints states {TORCH}""",
    f"""encoders.score regressor --sources informal formal --targets informal.scores formal.scores
    --batch-size 8 --max-length 9 --checkpoints states {TORCH}""",
    """formality.unpaired unpaired.csv --languages en --informal informal.scores --formal formal.scores
    --seed 1""",
]


def calls(folder: Path, commands: list[list[str]]) -> list[set[str]]:
    """Run commands; for each the top-level definitions of the package that it called."""
    line = [sys.executable, "-m", "tests.core.tracing", "called", json.dumps(commands)]
    done = subprocess.run(
        line, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [set(json.loads(names)) for names in (folder / "called").read_text(encoding="utf-8").splitlines()]


def test_commands_call_nothing_that_they_are_not_said_to_reach(tmp_path):
    nouns = ("cat", "dog", "bird", "house", "tree", "car")
    pairs = [(a, b) for a in nouns for b in nouns]
    write_lines(tmp_path / "informal", (f"gonna see {a} {b} rn!!" for a, b in pairs))
    write_lines(tmp_path / "formal", (f"I will see the {a} and the {b} now." for a, b in pairs))
    write_lines(tmp_path / "scores", (f"{number % 7 - 3}" for number, _ in enumerate(pairs)))
    missing: dict[str, set[str]] = {}
    commands = [command.split() for command in COMMANDS]
    for (module, *_), called in zip(commands, calls(tmp_path, commands), strict=True):
        # The command's own function was seen, and at least how files are written.
        assert any(name.startswith(f"{module}.") for name in called) and "core.files.writing" in called, (
            module
        )
        missing[module] = called - reachable(module)
    assert not any(missing.values()), missing
