"""A prompted system from sentences to outputs, by its command, against a server on this machine."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.prompting.server import KEY, formal
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.files import read_lines, write_lines

Run = Callable[..., subprocess.CompletedProcess]
SOURCE = ["slt ca va ?", "ouais {source}", "slt ca va ?", "'tain c nul"]
DEV = [f"dev {number}" for number in range(20)]


@pytest.fixture
def prompt(server, tmp_path, module):
    """The command on `SOURCE`; options replace its own."""
    write_lines(tmp_path / "source.txt", SOURCE)
    write_lines(tmp_path / "dev.txt", DEV)
    for name in "01":
        write_lines(tmp_path / f"ref{name}.txt", [f"{text.upper()} {name}" for text in DEV])

    def run(
        sides: str = "", informal: Sequence[str] = ("dev.txt",), formal: Sequence[str] = (), **options: Any
    ) -> subprocess.CompletedProcess:
        model = {"kind": "endpoint", "name": "m", "address": server.address, "key": "SECRET_KEY"}
        settings = {"prices": {"m": {"input": 1, "output": 1}}, "max_cost": 1, "parallel": 2, "timeout": 9}
        given = {
            "system": "llm",
            "template": ROOT / "resources/prompts/formal.txt",
            "language": "French",
            "model": json.dumps(model | options.pop("model", {})),
            "settings": json.dumps(settings | {"retries": 0} | options.pop("settings", {})),
            "cache": tmp_path / "cache.sqlite",
            "examples": 2,
            "seed": 1,
            **{"precision": "float32", "device": "cpu", "threads": 1},
            **options,
        }
        words = [f"--{name}={value}" for name, value in given.items()]
        if not formal:
            formal = [f"ref{name}.txt" for name in "01"]
        words += ["--informal", *(tmp_path / name for name in informal)]
        words += ["--formal", *(tmp_path / name for name in formal)]
        words += ["--sides", *sides.split()] if sides else []
        files = [tmp_path / name for name in ("source.txt", "out.txt", "facts.csv")]
        return module("transfer.prompt", *files, *words, env={**os.environ, "SECRET_KEY": KEY})

    return run


def facts(folder: Path) -> dict[str, str]:
    ((_, row),) = read_rows(folder / "facts.csv", ("system", "signature"))
    return row


@pytest.mark.slow
def test_outputs_examples_and_facts(prompt, server, tmp_path):
    done = prompt()
    assert done.returncode == 0, done.stderr
    assert read_lines(tmp_path / "out.txt") == [formal(text) for text in SOURCE]
    # Each distinct sentence is asked for once, with the same two pairs.
    assert len(server.seen) == 3
    heads = {text.rsplit("Informal: ", 1)[0] for text in server.prompts}
    (head,) = heads
    pairs = [block.splitlines() for block in head.split("\n\n")[1:3]]
    sentences = [one.removeprefix("Informal: ") for one, _ in pairs]
    assert len(set(sentences)) == 2 and set(sentences) <= set(DEV)
    assert all(
        other.startswith(f"Formal: {one.upper()}") for one, (_, other) in zip(sentences, pairs, strict=True)
    )
    first = facts(tmp_path)
    assert first["system"] == "llm" and first["sentences"] == "4" and first["empty"] == "0"
    assert first["signature"].startswith("prompted:endpoint/m@") and "|prompt:" in first["signature"]
    assert KEY not in done.stderr + (tmp_path / "facts.csv").read_text()
    # Again: the same bytes, and nothing is paid for.
    before = (tmp_path / "out.txt").read_bytes()
    assert prompt().returncode == 0 and (tmp_path / "out.txt").read_bytes() == before
    assert len(server.seen) == 3
    # Another seed draws other pairs: another prompt. Another model is another model.
    signatures = {first["signature"]}
    for options in ({"seed": 2}, {"examples": 0}, {"language": "Italian"}, {"model": {"max_tokens": 9}}):
        assert prompt(**options).returncode == 0
        signatures.add(facts(tmp_path)["signature"])
    assert len(signatures) == 5
    models, prompts = zip(*(signature.split("|") for signature in signatures), strict=True)
    assert len(set(models)) == 2 and len(set(prompts)) == 4


@pytest.mark.slow
def test_examples_come_from_several_files(prompt, server, tmp_path):
    write_lines(tmp_path / "more.txt", ["more"])
    write_lines(tmp_path / "more0.txt", ["MORE 0"])
    write_lines(tmp_path / "more1.txt", ["MORE 1"])
    both = ["dev.txt", "more.txt"]
    done = prompt(examples=21, informal=both, formal=["ref0.txt", "more0.txt", "ref1.txt", "more1.txt"])
    assert done.returncode == 0, done.stderr
    pairs = dict(re.findall(r"Informal: (.*)\nFormal: (.*)\n", server.prompts[0]))
    assert pairs.keys() == {*DEV, "more"}
    assert all(formal.rstrip(" 01") == informal.upper().rstrip(" 01") for informal, formal in pairs.items())
    done = prompt(informal=both, formal=["ref0.txt", "more0.txt", "ref1.txt"])
    assert done.returncode == 2 and "as many files of --formal" in done.stderr


@pytest.mark.slow
def test_answers_without_text_are_counted(prompt, server, tmp_path):
    server.always = "refusal"
    assert prompt().returncode == 0
    assert read_lines(tmp_path / "out.txt") == SOURCE
    assert (facts(tmp_path)["empty"], facts(tmp_path)["refused"]) == ("4", "4")
    server.always = ""
    server.says = lambda prompt: "" if "nul" in prompt else "A line.\nAnother."
    done = prompt(seed=3)
    assert read_lines(tmp_path / "out.txt") == ["A line."] * 3 + [SOURCE[3]]
    assert "4 sentences: 1 answers without text, of them 0 refused" in done.stderr


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"settings": {"max_cost": 0.0}}, "3 prompts may cost up to $"),
        ({"settings": {"prices": {}}}, "no price of 'm'"),
        ({"examples": 21}, "20 different sentences, but 21 examples are asked for"),
        ({"model": {"address": "http://example.org/v1"}}, "only https keeps keys and texts secret"),
        (
            {"model": {"key": None, "kind": "gguf", "address": None, "name": "no.gguf"}},
            "no.gguf: no such file",
        ),
        ({"model": {"key": "NOT_SET_ANYWHERE"}}, "the environment has no NOT_SET_ANYWHERE"),
    ],
)
def test_bad_input_is_one_line(prompt, server, tmp_path, options, line):
    done = prompt(**options)
    assert done.returncode == 2 and line in done.stderr.splitlines()[-1], done.stderr
    assert "Traceback" not in done.stderr and server.seen == []
    assert not (tmp_path / "out.txt").exists() and not (tmp_path / "facts.csv").exists()


@pytest.mark.slow
def test_a_failure_leaves_nothing_half_written(prompt, server, tmp_path):
    server.plan = ["", "empty"]
    done = prompt()
    assert done.returncode == 2 and "no choice" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "out.txt").exists()
    assert prompt().returncode == 0
    # Only what failed, or was never asked, is asked again.
    assert len(server.seen) <= 4


@pytest.mark.slow
def test_a_template_may_call_the_sides_of_its_examples_otherwise(prompt, server, tmp_path):
    """The one that makes users' words impolite: the same request, asked once, is paid once."""
    server.says = lambda prompt: f"Rude customer: {prompt.splitlines()[-2].removeprefix('Customer: ')}!"
    done = prompt(template=ROOT / "resources/prompts/impolite.txt", language="English", sides="polite")
    assert done.returncode == 2 and "1 --sides" in done.stderr
    done = prompt("polite impolite", template=ROOT / "resources/prompts/impolite.txt", language="English")
    assert done.returncode == 0, done.stderr
    assert read_lines(tmp_path / "out.txt") == [f"{text}!" for text in SOURCE]
    assert len(server.prompts) == 3
    examples = server.prompts[0].split("\n\n")[1:3]
    assert all(one.startswith("Customer: dev ") and "\nRude customer: DEV " in one for one in examples)
