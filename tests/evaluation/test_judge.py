"""A language model that rates outputs: its prompts, its numbers, answers that are none, and its cache."""

from typing import Any

import pytest

from tests.conftest import ROOT
from tests.prompting.server import KEY
from tests.tables import rows_of
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.evaluation.evaluate import identity
from workflow_scripts.evaluation.judge import SCALES, judge, rating
from workflow_scripts.human.scales import TASKS
from workflow_scripts.prompting.answers import Answer
from workflow_scripts.statistics.metrics import METRICS, Judged

INFORMAL = ["slt", "ouais", "slt", "bof"]
OUTPUTS = {
    "one": ["Bonjour.", "Oui.", "Bonjour.", "Non."],
    "two": ["Salut {source}", "Oui.", "Bonjour.", "?"],
}
SAID = {"Bonjour.": "3", "Oui.": "Number: 1", "Non.": "I cannot tell.", "Salut {source}": "-2", "?": "7"}


@pytest.fixture
def ask(server, tmp_path, monkeypatch):
    """The command on `OUTPUTS`; options replace its own."""
    monkeypatch.setenv("SECRET_KEY", KEY)
    write_lines(tmp_path / "informal.txt", INFORMAL)
    for name, texts in OUTPUTS.items():
        write_lines(tmp_path / f"{name}.txt", texts)

    def says(prompt: str) -> str:
        given = prompt.splitlines()[-2].partition(": ")[2]
        return SAID[given]

    server.says = says

    def run(task: str = "formality", **options: Any) -> dict[str, list[str]]:
        model = {"kind": "endpoint", "name": "m", "address": server.address, "key": "SECRET_KEY"}
        price = {"m": {"input": 1, "output": 1}}
        settings = Prompting(max_cost=1, prices=price, parallel=2, timeout=9, retries=0)  # type: ignore[arg-type]
        given: dict[str, Any] = {
            "informal": tmp_path / "informal.txt",
            "sources": [tmp_path / f"{name}.txt" for name in OUTPUTS],
            "targets": [tmp_path / f"out/{name}.txt" for name in OUTPUTS],
            "template": ROOT / f"resources/prompts/judge/{task}.txt",
            "language": "French",
            "model": Model.model_validate(model | {"max_tokens": 8}),
            "settings": settings,
            "cache": tmp_path / "cache.sqlite",
            "seed": 1,
            **{"precision": "float32", "device": "cpu", "threads": 1},
            **options,
        }
        judge(tmp_path / "out/judge.csv", task=task, **given)  # type: ignore[arg-type]
        return {name: read_lines(tmp_path / f"out/{name}.txt") for name in OUTPUTS}

    return run


def test_each_different_output_is_rated_once(ask, server, tmp_path, capsys):
    found = ask()
    # "I cannot tell" and a number beyond the scale count as its middle.
    assert found == {
        "one": ["3.0000", "1.0000", "3.0000", "0.0000"],
        "two": ["-2.0000", "1.0000", "3.0000", "0.0000"],
    }
    assert len(server.seen) == 5 and all("French sentence" in prompt for prompt in server.prompts)
    ((row),) = rows_of(tmp_path / "out/judge.csv")
    assert (row["task"], row["prompts"], row["unread"]) == ("formality", "5", "2")
    said = capsys.readouterr().err
    assert "5 different prompts; 2 answers are no rating" in said and KEY not in said
    assert "warning: 2 of 5 answers are no rating of formality" in said
    assert identity(tmp_path / "out/judge.csv") == row["signature"]
    assert row["signature"].startswith("prompted:endpoint/m@") and KEY not in row["signature"]
    assert ask() == found and len(server.seen) == 5


def test_meaning_is_of_both_texts(ask, server):
    found = ask("meaning")
    assert found["two"] == ["3.5000", "1.0000", "3.0000", "3.5000"]
    # The same output for other sentences is another question.
    pairs = {tuple(line.partition(": ")[2] for line in prompt.splitlines()[2:4]) for prompt in server.prompts}
    expected = {pair for texts in OUTPUTS.values() for pair in zip(INFORMAL, texts, strict=True)}
    assert pairs == expected and len(server.seen) == len(expected)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        *(("2", 2), ("-3", -3), ("−1", -1), ("Number: 2.", 2), ("+1", 1), ("1,5", 1.5), ("**2**", 2)),
        *(("2\n\nIt is quite formal.", 2), ("<think>3 or 2?</think>\n1", 1), ("formal (2)", 2)),
        *(("4", None), ("2/3", None), ("from -3 to 3: 2", None), ("x2", None), ("20%", None)),
        *(("", None), ("formal", None), ("nan", None), ("3.5%", None), ("\u20132", -2), ("1.2.3", None)),
    ],
)
def test_a_rating_is_the_only_number_of_the_line(said, expected):
    assert rating(Answer(said, "stop", 1, 1, None), "Number:", (-3, 3)) == expected


def test_a_refused_answer_is_no_rating():
    refused = Answer("2", "content_filter", 1, 1, None)
    assert refused.refused and rating(refused, "Number:", (-3, 3)) is None


def test_scales_are_those_of_raters():
    asked = {metric.task: metric for metric in METRICS.values() if issubclass(metric, Judged)}
    assert SCALES.keys() == asked.keys() == {"formality", "meaning", "fluency"}
    for name, (low, high) in SCALES.items():
        task = TASKS[name]
        assert (task.low, task.high) == (low, high)
        text = (ROOT / f"resources/prompts/judge/{name}.txt").read_text(encoding="utf-8")
        assert f"from {low} (" in text and f"to {high} (" in text
        assert asked[name].unit == f"scale:{low}..{high}"


def test_what_does_not_fit_is_named(ask, tmp_path):
    write_lines(tmp_path / "own.txt", ["How formal is {source}?"])
    with pytest.raises(InputError, match=r"own\.txt: a template without \{output\}"):
        ask(template=tmp_path / "own.txt")
    with pytest.raises(InputError, match="2 sources but 0 targets"):
        ask(targets=[])
    write_lines(tmp_path / "one.txt", ["Bonjour."])
    with pytest.raises(InputError, match="files are not parallel"):
        ask()
    assert not (tmp_path / "out").exists()
