"""Options of commands that are sections of the configuration."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config.pretrained import Checkpoint, FineTuning

FILES = ["vocabulary", "source", "target", "dev_source", "dev_target", "model", "log"]
REST = ["--checkpoints=states", "--seed=1", "--precision=float32", "--device=cpu", "--threads=1"]
MODEL = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["transfer"]["model"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (json.dumps({**MODEL, "dropout": 1.0}), "dropout: Input should be less than 1"),
        (json.dumps({**MODEL, "droput": 0.1}), "droput: Extra inputs are not permitted"),
        (json.dumps({**MODEL, "hidden": "many"}), "hidden: Input should be a valid integer"),
        ("{", "Invalid JSON"),
    ],
)
def test_a_wrong_section_is_one_line(module, text, problem):
    done = module("seq2seq.train", *FILES, *REST, f"--settings={text}")
    assert done.returncode == 2
    assert done.stderr.startswith("error: settings of Seq2Seq: ") and problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_right_section_is_read(module):
    done = module("seq2seq.train", *FILES, *REST, f"--settings={json.dumps(MODEL)}")
    # What is wrong comes after the options: there is no such file.
    assert done.returncode == 2 and "vocabulary: no such file" in done.stderr


def test_a_section_that_may_be_left_out_is_read(module):
    course = FineTuning().model_dump_json()
    start = Checkpoint(kind="scratch").model_dump_json()
    given = ["out", "--sources", "none", "--targets", "none", "--prompts", "", "--family=t5", *REST]
    given += [f"--start={start}", f"--course={course}"]
    done = module("transfer.fine_tune", *given, '--lora={"rank": 4}')
    assert done.returncode == 2 and "none: no such file" in done.stderr
    done = module("transfer.fine_tune", *given, '--lora={"ranks": 4}')
    assert done.returncode == 2
    assert done.stderr == "error: settings of Lora: ranks: Extra inputs are not permitted\n"


@pytest.mark.slow
def test_a_message_that_quotes_a_file_is_readable(module, tmp_path):
    source = tmp_path / "answers"
    for field in ("\x1b[31m\x07", "\u202e1\u2028", "\x85", "9" * 9000):
        source.write_text(f"{field}\t1,1\tid\tAll is well .\n", encoding="utf-8")
        done = module("corpora.pt16", source, tmp_path / "out", "--held-out=0", "--seed=1")
        assert done.returncode == 2
        (line,) = done.stderr.removesuffix("\n").split("\n")
        assert line.startswith("error: ") and f"{source}:1: " in line
        assert line.isprintable() and len(line) < 3000


def test_the_exit_code_is_2_where_the_message_cannot_be_written():
    """The log may lie on the disk that is full."""
    command = [
        sys.executable,
        "-m",
        "workflow_scripts.corpora.pt16",
        "none",
        "out",
        "--held-out=0",
        "--seed=1",
    ]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, cwd=ROOT, stderr=full)
    assert done.returncode == 2


def test_a_message_about_no_file_names_those_that_were_given(module, tmp_path):
    names = [tmp_path / f"{name}.txt" for name in "abcdefg"]
    for path in names:
        path.write_text("1\n2\n", encoding="utf-8")
    lists = ["--languages", "pt", "--predictions", *names, "--ratings", names[0], tmp_path / "none"]
    done = module("formality.spearman", tmp_path / "out.csv", *lists)
    assert done.returncode == 2
    given = ", ".join(map(str, names[:5]))
    assert done.stderr.endswith(f"give as many of each (the command was given {given}, and 3 more)\n")
    # A message that names its file needs no list.
    names[0].write_text("1\nx\n", encoding="utf-8")
    lists = ["--languages", "pt", "--predictions", names[0], "--ratings", names[1]]
    done = module("formality.spearman", tmp_path / "out.csv", *lists)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {names[0]}:2: ") and "was given" not in done.stderr
