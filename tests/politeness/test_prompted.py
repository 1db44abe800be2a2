"""Table 3's prompted rows, against a server on this machine that plays OpenAI's protocol."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.prompting.server import KEY, Server
from tests.tables import rows_of
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.politeness.measures import measures
from workflow_scripts.politeness.prompted import _drawn, likeliest, odds, prompted
from workflow_scripts.prompting.answers import Answer

REQUESTS = [
    "Please help. Could you?",
    "Nonsense. Why?",
    "Please, again {source}. Would you?",
    "What? Who are you?",
]
GOLD = [1.5, -0.5, 0.25, -2.0]


class Polite(Server):
    """Says yes to whoever says please, with or without probabilities."""

    probabilities = True

    def body(self, given: dict[str, Any]) -> dict[str, Any]:
        asked = given["messages"][0]["content"] if "messages" in given else given["prompt"]
        yes = "Please" in asked
        given = {**given, "logprobs": given.get("logprobs") if self.probabilities else None}
        found = super().body(given)
        choice = found["choices"][0]
        text = "Yes, it is." if yes else " no"
        choice |= (
            {"message": {"role": "assistant", "content": text}} if "messages" in given else {"text": text}
        )
        if "logprobs" in choice:
            likeliest = {" yes": -0.5 if yes else -3.0, "Yes": -2.0, " maybe": -4.0} | (
                {} if yes else {"No": -1.0}
            )
            choice["logprobs"] = {"top_logprobs": [likeliest]}
        return found


@pytest.fixture
def server():
    found = Polite()
    yield found
    found.close()


@pytest.fixture
def ask(server, tmp_path, monkeypatch):
    """The command on `REQUESTS` in two languages and inputs; options replace its own."""
    monkeypatch.setenv("SECRET_KEY", KEY)
    write_lines(tmp_path / "s.txt", REQUESTS)
    write_lines(tmp_path / "g.txt", map(str, GOLD))

    def run(**options: Any) -> Path:
        model = {
            "kind": "endpoint",
            "name": "m",
            "address": server.address,
            "key": "SECRET_KEY",
            "chat": False,
        }
        price = {"m": {"input": 1, "output": 1}}
        settings = Prompting(max_cost=1, prices=price, parallel=2, timeout=9, retries=0)  # type: ignore[arg-type]
        given: dict[str, Any] = {
            "sentences": [tmp_path / "s.txt"] * 3,
            "gold": [tmp_path / "g.txt"] * 3,
            "inputs": ["target", "target", "en"],
            "languages": ["en", "fr", "fr"],
            "template": ROOT / "resources/prompts/polite.txt",
            "model": Model.model_validate({**model, "max_tokens": 1}),
            "settings": settings,
            "cache": tmp_path / "cache.sqlite",
            "seed": 1,
            **{"precision": "float32", "device": "cpu", "threads": 1},
            **options,
        }
        prompted(tmp_path / "out", **given)
        return tmp_path / "out"

    return run


def test_probabilities_of_the_next_token(ask, server, tmp_path, capsys):
    out = ask()
    # The paper's prompt, with a line feed behind the request; every prompt is paid for once.
    assert sorted(server.prompts) == sorted(f"Is this request polite?\n{text}\n" for text in REQUESTS)
    assert {given["logprobs"] for given in server.seen} == {5}
    yes, no = math.log(math.exp(-3.0) + math.exp(-2.0)), -1.0
    rows = rows_of(out / "answers.csv")
    assert len(rows) == 12 and [rows[1][name] for name in ("input", "lang", "line")] == ["target", "en", "2"]
    assert float(rows[1]["yes"]) == pytest.approx(yes, abs=1e-6) and float(rows[1]["no"]) == no
    assert float(rows[1]["score"]) == pytest.approx(yes - no, abs=1e-6)
    # `no` is not among the likeliest tokens of a polite request: it counts as the last of them.
    polite = math.log(math.exp(-0.5) + math.exp(-2.0)) + 4
    assert rows[0]["no"] == "" and float(rows[0]["score"]) == pytest.approx(polite, abs=1e-6)
    assert [float(line) > 0 for line in read_lines(out / "target.fr.txt")] == [True, False, True, False]
    files = [out / f"{name}.txt" for name in ("target.en", "target.fr", "en.fr")]
    gold = [out / f"gold.{lang}.txt" for lang in ("en", "fr", "fr")]
    languages, inputs = ["en", "fr", "fr"], ["target", "target", "en"]
    given = {"inputs": inputs, "languages": languages, "seeds": [1, 1, 1]}
    measures(tmp_path / "m.csv", scores=files, gold=gold, signature=out / "signature.txt", **given)
    assert {row["accuracy"] for row in rows_of(tmp_path / "m.csv")} == {"1.000000"}
    (signature,) = {row["signature"] for row in rows_of(tmp_path / "m.csv")}
    assert re.fullmatch(r"prompted:endpoint/m@\w{12}\|prompt:\w{12}", signature) and KEY not in signature
    assert "12 answers, 0 of them read as text" in capsys.readouterr().err
    ask()
    assert len(server.seen) == 4


def test_a_chat_gets_the_request_as_it_is_and_tells_twenty_tokens(ask, server, tmp_path):
    chat = {"kind": "endpoint", "name": "m", "address": server.address, "key": "SECRET_KEY", "chat": True}
    model = Model.model_validate({**chat, "max_tokens": 1})
    server.probabilities = False
    rows = rows_of(ask(model=model) / "answers.csv")
    assert sorted(server.prompts) == sorted(f"Is this request polite?\n{text}" for text in REQUESTS)
    assert [row["score"] for row in rows[:4]] == ["1.000000", "-1.000000"] * 2
    assert {given["top_logprobs"] for given in server.seen} == {20}
    local = Model.model_validate({"kind": "transformers", "name": "m", "revision": "a" * 40})
    assert likeliest(local) == 200


def test_the_sample_is_the_same_one_in_any_later_version():
    values = [1.0, 0.0, -1.0, 2.0, 0.5, -0.5, 1.5]
    assert _drawn(values, None, "1 fr") == _drawn(values, 7, "1 fr") == list(range(7))
    # Half of them polite, and of an odd number one fewer.
    assert _drawn(values, 6, "1 fr") == [1, 2, 3, 4, 5, 6]
    assert _drawn(values, 3, "1 fr") == [1, 4, 5]
    # Only one is polite.
    assert _drawn([-1.0, 1.0, -1.0, -1.0], 3, "1 fr") == [1, 2, 3]


def test_without_probabilities_the_text_counts(ask, server, capsys):
    server.probabilities = False
    rows = rows_of(ask() / "answers.csv")
    assert [row["score"] for row in rows[:4]] == ["1.000000", "-1.000000"] * 2
    assert {row["yes"] + row["no"] for row in rows} == {""}
    assert "12 answers, 12 of them read as text" in capsys.readouterr().err


def test_a_sample_has_both_classes_and_is_that_of_its_language(ask):
    out = ask(sample=2)
    assert len(read_lines(out / "target.en.txt")) == 2
    assert len({float(line) > 0 for line in read_lines(out / "gold.fr.txt")}) == 2
    rows = rows_of(out / "answers.csv")
    lines = {
        given: [row["line"] for row in rows if (row["input"], row["lang"]) == given]
        for given in (("target", "fr"), ("en", "fr"))
    }
    assert lines["target", "fr"] == lines["en", "fr"]


def test_what_does_not_match_is_refused(ask, tmp_path):
    write_lines(tmp_path / "few.txt", ["1"])
    with pytest.raises(InputError, match="1 scores but 4 requests"):
        ask(gold=[tmp_path / "few.txt"] * 3)
    with pytest.raises(InputError, match="not as many files"):
        ask(languages=["en"])
    write_lines(tmp_path / "prompt.txt", ["Is it polite?"])
    with pytest.raises(InputError, match=r"without \{source\}"):
        ask(template=tmp_path / "prompt.txt")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "finish", "score"),
    [
        ("Yes.", "stop", 1),
        ("  NO way", "stop", -1),
        ("Nothing", "stop", 0),
        ("", "stop", 0),
        ("Yes", "refusal", 0),
    ],
)
def test_texts(text, finish, score):
    assert odds(Answer(text, finish, None, None, None)) == (None, None, score)
