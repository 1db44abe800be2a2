"""The endpoint against a server on this machine, and its errors: costs, caching, messages and secrets."""

import json
import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from threading import Event
from typing import Any

import pytest
import requests

from tests.conftest import ROOT
from tests.prompting.server import ENDLESS, KEY, formal
from tests.signals import obey_signals
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.errors import InputError
from workflow_scripts.prompting.answers import Answer
from workflow_scripts.prompting.job import Backend, _asked, ask, bound

Make = Callable[..., Backend]
PROMPTS = [f"Informal: sentence {number}" for number in range(12)]


def test_each_prompt_is_asked_once(server, endpoint, settings, tmp_path, capfd):
    cache = tmp_path / "c.sqlite"
    found = ask(endpoint(), PROMPTS * 3, cache, settings)
    assert {prompt: answer.text for prompt, answer in found.items()} == {p: formal(p) for p in PROMPTS}
    assert sorted(server.prompts) == sorted(PROMPTS)
    assert all(one["Authorization"] == f"Bearer {KEY}" for one in server.headers)
    assert {one["Accept-Encoding"] for one in server.headers} == {"identity"}
    assert set(server.paths) == {"/v1/chat/completions"}
    assert server.seen[0] == {
        **{"model": "model", "max_tokens": 20, "temperature": 0.0},
        "messages": [{"role": "user", "content": server.prompts[0]}],
    }
    # A drawn answer has a seed too.
    ask(endpoint(temperature=0.5, seed=7), ["drawn"], tmp_path / "other", settings)
    assert (server.seen[-1]["temperature"], server.seen.pop()["seed"]) == (0.5, 7)
    options = {"limit": "max_completion_tokens", "fixed": True, "chat": False}
    ask(endpoint(**options), ["other"], tmp_path / "other", settings)
    assert server.seen.pop() == {"model": "model", "max_completion_tokens": 20, "prompt": "other"}
    assert server.paths[-1] == "/v1/completions"
    # A later run has all of it, and one with a new prompt pays for that one.
    assert ask(endpoint(), PROMPTS, cache, settings) == found
    ask(endpoint(), [*PROMPTS, "new"], cache, settings)
    assert len(server.seen) == 13 and server.prompts[-1] == "new"
    log = capfd.readouterr().err
    assert "12 answers: 36 tokens sent, 24 tokens got, $0.0001" in log and KEY not in log
    assert KEY.encode() not in cache.read_bytes()


@pytest.mark.slow
def test_what_passes_is_tried_again(server, endpoint, settings, tmp_path, capfd):
    server.plan = ["500", "503"]
    assert ask(endpoint(), ["a"], tmp_path / "c", settings)["a"].text == "A."
    server.plan = ["truncated", "truncated"]
    assert ask(endpoint(), ["b"], tmp_path / "c", settings)["b"].text == "B."
    server.plan = ["hang"]
    assert ask(endpoint(), ["c"], tmp_path / "c", settings)["c"].text == "C."
    start = time.monotonic()
    server.plan = ["drip"]
    assert ask(endpoint(), ["d"], tmp_path / "c", settings)["d"].text == "D."
    # Bytes that never end count no more than none.
    assert 0.5 < time.monotonic() - start < 10
    log = capfd.readouterr().err
    assert "status 500: unhappy Incorrect: [key] is the key; again in 0.05 s (1 of 2)" in log
    assert "status 503: unhappy Incorrect: [key] is the key; again in 0.1 s (2 of 2)" in log
    assert KEY not in log


@pytest.mark.slow
@pytest.mark.parametrize("deed", ENDLESS)
def test_no_answer_takes_longer_than_its_limit(server, endpoint, settings, tmp_path, deed, capfd):
    """A server that is never silent, and never ends its answer, counts as one that says nothing."""
    server.plan = [deed]
    assert ask(endpoint(), ["a"], tmp_path / "c", settings)["a"].text == "A."
    assert len(server.seen) == 2
    assert f"not finished within {settings.timeout:g} s; again in" in capfd.readouterr().err
    assert not server.outlasted


@pytest.mark.slow
def test_the_limit_holds_where_a_name_is_looked_up_slowly(server, endpoint, settings, tmp_path, monkeypatch):
    """When the time is up there is no connection yet that could be ended."""
    find, slow = socket.getaddrinfo, [2 * settings.timeout]

    def look_up(*given: Any, **named: Any) -> Any:
        time.sleep(slow.pop() if slow else 0)
        return find(*given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    server.plan = ["endless header"]
    assert ask(endpoint(), ["a"], tmp_path / "c", settings)["a"].text == "A."
    assert len(server.seen) == 2 and not server.outlasted


def test_an_answer_may_have_as_many_bytes_as_the_limit_says(
    server, endpoint, settings, tmp_path, monkeypatch
):
    backend: Any = endpoint()
    size = len(json.dumps(server.body(backend.request("a"))).encode())
    monkeypatch.setattr("workflow_scripts.prompting.endpoint.LARGEST", size)
    assert ask(backend, ["a"], tmp_path / "c", settings)["a"].text == "A."
    monkeypatch.setattr("workflow_scripts.prompting.endpoint.LARGEST", size - 1)
    with pytest.raises(InputError, match=f"more than {size - 1} bytes"):
        ask(backend, ["a"], tmp_path / "other", settings)


def test_connections_are_waited_for_no_longer_than_answers(endpoint, monkeypatch):
    def post(self: requests.Session, url: str, **options: Any) -> None:
        raise InputError(str(options["timeout"]))

    monkeypatch.setattr(requests.Session, "post", post)
    for connect, limit in ((30.0, 0.6), (0.2, 0.2)):
        monkeypatch.setattr("workflow_scripts.prompting.endpoint.CONNECT", connect)
        with pytest.raises(InputError, match=rf"^\({limit}, 0\.6\)$"):
            endpoint().ask("a", Event())


def test_connections_that_have_ended_can_be_ended_again(endpoint):
    backend: Any = endpoint()
    adapter, one = backend._session().get_adapter("https://a.example/v1"), HTTPConnection("127.0.0.1")
    adapter._made.add(one)
    adapter.end()
    one.sock = socket.socket()
    one.sock.close()
    adapter.end()
    assert adapter is backend._session().get_adapter(backend.address)
    # Proxies of the environment are for servers elsewhere.
    other: Any = endpoint(address="https://a.example/v1")
    assert (backend._session().trust_env, other._session().trust_env) == (False, True)


def test_a_server_that_is_not_there_is_one_line(endpoint, settings, tmp_path):
    with pytest.raises(InputError, match=r"^http://127\.0\.0\.1:1/\S+: no answer: .*run again to go on"):
        ask(endpoint(address="http://127.0.0.1:1/v1"), ["a"], tmp_path / "c", settings)


@pytest.mark.parametrize(
    "wanted",
    [
        "Wed, 21 Oct 99999999999 07:28:00 GMT",
        "Fri, 31 Dec 9999 23:59:59 -9999",
        "1 Jan 2030 0:0:0 +99999999999",
    ],
)
def test_a_date_that_is_none_is_no_wish(server, endpoint, settings, tmp_path, wanted):
    server.plan = [f"429:{wanted}"]
    assert ask(endpoint(), ["a"], tmp_path / "c", settings)["a"].text == "A."


def test_numbers_beyond_all_numbers_are_one_line(server, endpoint, settings, tmp_path):
    server.plan = ["usage"]
    (answer,) = ask(endpoint(), ["a"], tmp_path / "c", settings).values()
    assert answer.input_tokens is None
    server.plan = ["logprob"]
    with pytest.raises(InputError, match="the answer is not as OpenAI's protocol has it"):
        ask(endpoint(probabilities=5), ["a"], tmp_path / "c", settings)


def test_a_server_does_not_steer_the_terminal(server, endpoint, settings, tmp_path, capfd):
    """Nor does it tell a part of the key where its words are cut."""
    server.plan = ["long"] * 3
    with pytest.raises(InputError, match="the server answers 400: ") as told:
        ask(endpoint(), ["a"], tmp_path / "c", settings)
    text = str(told.value) + capfd.readouterr().err
    assert "\x1b" not in text and "?[2J" in text and KEY[:8] not in text


@pytest.mark.slow
def test_all_requests_wait_as_long_as_the_server_wants(server, endpoint, settings, tmp_path):
    server.plan = ["429:1"]
    ask(endpoint(), PROMPTS, tmp_path / "c", settings)
    assert len(server.seen) == 13
    # Those that were on their way came at once; all others after a second.
    later = [moment - server.times[0] for moment in server.times]
    assert sum(moment < 0.9 for moment in later) <= 12 and max(later) >= 0.9


@pytest.mark.parametrize(
    "deed", ["429:Wed, 21 Oct 2065 07:28:00 GMT", "429:Wed, 21 Oct 2065 07:28:00 -0000", "429:5000"]
)
def test_nobody_waits_for_hours(server, endpoint, settings, tmp_path, deed):
    server.plan = [deed]
    with pytest.raises(InputError, match=r"asks to wait \d+ s; the answers so far are kept: run again then"):
        ask(endpoint(), ["a"], tmp_path / "c", settings)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "line", "requests"),
    [
        ("500", r"no answer: status 500.*\[key\].*; the answers so far are kept: run again to go on", 3),
        ("hang", "no answer: ", 3),
        ("truncated", "no answer: the answer broke off", 3),
        ("400", "the server answers 400: unhappy Incorrect", 1),
        ("quota", "the server answers 429: insufficient_quota pay first", 1),
        ("401", r"the server refuses the key in SECRET_KEY \(status 401\)", 1),
        ("not-json", "the answer is not JSON; is this the address of the API", 1),
        ("html", "the answer is not JSON", 1),
        ("deep", "the answer is not JSON", 1),
        ("latin1", "the answer is not UTF-8", 1),
        ("empty", "the answer has no choice in it", 1),
        ("strange", "the answer is not as OpenAI's protocol has it", 1),
        ("huge", "the answer has more than 4194304 bytes", 1),
        ("redirect:http://127.0.0.1:1/v1", "the server answers 307", 1),
    ],
)
def test_what_is_wrong_is_one_line(server, endpoint, settings, tmp_path, capfd, deed, line, requests):
    server.plan = [deed] * 3
    with pytest.raises(InputError, match=line) as found:
        ask(endpoint(), ["a"], tmp_path / "c", settings)
    assert "\n" not in str(found.value) and server.address in str(found.value)
    assert KEY not in str(found.value) + capfd.readouterr().err
    assert len(server.seen) == requests


def test_what_has_come_before_an_error_is_kept(server, endpoint, settings, tmp_path):
    server.plan = ["", "", "", "", "", "empty"]
    server.delay = 0.05
    with pytest.raises(InputError, match="no choice"):
        ask(endpoint(), PROMPTS, tmp_path / "c", settings)
    first = len(server.seen)
    # Nothing new was asked after the error, and what was under way is kept.
    assert 6 <= first <= 8
    ask(endpoint(), PROMPTS, tmp_path / "c", settings)
    assert len(server.seen) == 13


def test_what_is_under_way_when_nobody_waits_any_more_is_kept(server, endpoint, tmp_path):
    backend = endpoint()
    server.delay = 0.05
    with closing(Cache(tmp_path / "c", backend.name, backend.model, backend.parameters.key())) as store:
        asked: Any = _asked(backend, PROMPTS, store, lambda: None)
        next(asked)
        asked.close()
        assert 1 < len(store.find(set(PROMPTS))) == len(server.seen) < len(PROMPTS)


def test_refusals_and_answers_without_text(server, endpoint, settings, tmp_path):
    for deed, finish, text in (
        ("refusal", "refusal", ""),
        ("null", "content_filter", ""),
        ("surrogate", "stop", "half ?"),
    ):
        server.plan = [deed]
        for _ in range(2):
            (answer,) = ask(endpoint(), [deed], tmp_path / "c", settings).values()
            assert (answer.finish, answer.text, answer.refused) == (finish, text, not text)
    assert len(server.seen) == 3


def test_the_cost_is_bounded_before_the_first_request(server, endpoint, settings, tmp_path):
    backend = endpoint()
    given, answered = bound(backend, PROMPTS)
    # No token is shorter than a byte, and a chat's format has at most 64.
    assert given == sum(len(prompt) + 64 for prompt in PROMPTS) and answered == 12 * 20
    assert bound(backend, ["é"]) == (66, 20)
    cost = (given + 2 * answered) / 1e6
    below = settings.model_copy(update={"max_cost": cost * 0.99})
    with pytest.raises(
        InputError, match=r"12 prompts may cost up to \$0\.001\d, above .* raise prompting.max_"
    ):
        ask(backend, PROMPTS, tmp_path / "c", below)
    assert server.seen == []
    ask(backend, PROMPTS, tmp_path / "c", settings.model_copy(update={"max_cost": cost}))
    # What is in the cache costs nothing.
    ask(backend, PROMPTS, tmp_path / "c", settings.model_copy(update={"max_cost": 0.0}))
    assert len(server.seen) == 12


def test_the_time_is_told_before_the_first_request(server, endpoint, settings, tmp_path, capsys):
    refused = settings.model_copy(update={"max_cost": 0.0})
    with pytest.raises(InputError, match="12 prompts may cost"):
        ask(endpoint(), PROMPTS, tmp_path / "c", refused)
    # A second for each, three at a time.
    assert "about 0:00:04 at an assumed 1 s for an answer, 3 at a time\n" in capsys.readouterr().err
    assert server.seen == []


@pytest.mark.parametrize("chat", [True, False])
def test_probabilities_of_the_first_token(server, endpoint, settings, tmp_path, chat):
    for _ in range(2):
        (answer,) = ask(endpoint(chat=chat, probabilities=5), ["polite?"], tmp_path / "c", settings).values()
        assert answer.first == {"Yes": -0.5, " yes": -1.5, "No": -9999}
    assert len(server.seen) == 1
    found = answer.log_probability(["Yes", " yes", "yes", "Yes"])
    assert found == pytest.approx(math.log(math.exp(-0.5) + math.exp(-1.5)))
    assert answer.log_probability(["maybe"]) is None
    assert Answer("", "stop", None, None, None).log_probability(["Yes"]) is None
    (plain,) = ask(endpoint(chat=chat), ["polite?"], tmp_path / "c", settings).values()
    assert plain.first is None


def test_keys_come_from_the_environment(endpoint, server, settings, tmp_path, monkeypatch):
    for value in ("", "two words", "café", "a\nb"):
        monkeypatch.setenv("SECRET_KEY", value)
        with pytest.raises(InputError, match=r"SECRET_KEY") as found:
            endpoint()
        assert not value or value not in str(found.value)
    monkeypatch.delenv("SECRET_KEY")
    with pytest.raises(InputError, match="no key: the environment has no SECRET_KEY"):
        endpoint()
    # A server of one's own may need none; .netrc has no say, nor has a proxy.
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    ask(endpoint(key=None), ["a"], tmp_path / "c", settings)
    assert "Authorization" not in server.headers[0]


SCRIPT = """
import sys
from pathlib import Path
from typing import Any
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.command import run
from workflow_scripts.prompting.job import ask
from workflow_scripts.prompting.models import backend_of

def main(address: str, cache: Path) -> None:
    "Ask."
    prices = {"m": {"input": 0, "output": 0}}
    settings = Prompting(max_cost=1, prices=prices, parallel=2, timeout=9, retries=2)
    model = Model(kind="endpoint", name="m", address=address, key="SECRET_KEY")
    backend = backend_of(model, settings, seed=1, precision="float32", device="cpu", threads=1)
    prompts = [f"Informal: sentence {number}" for number in range(12)]
    print(len(ask(backend, prompts, cache, settings)))

run(main)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_goes_on(server, tmp_path, number):
    words = [sys.executable, "-c", SCRIPT, server.address, str(tmp_path / "c")]
    environment = {**os.environ, "SECRET_KEY": KEY, "PYTHONPATH": str(ROOT)}
    # Long enough for the signal to come before the last answer, also on a busy machine.
    server.delay = 1.0
    with subprocess.Popen(
        words, env=environment, stderr=subprocess.PIPE, text=True, preexec_fn=obey_signals
    ) as process:
        end = time.monotonic() + 60
        while len(server.seen) < 6 and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(number)
        _, log = process.communicate()
    assert process.returncode == (-number if number == signal.SIGKILL else 130), log
    first = len(server.seen)
    assert 6 <= first < 12
    server.delay = 0.0
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.stdout == "12\n", done.stderr
    # Killed, at most those under way are asked again; interrupted, they are waited for.
    again = len(server.seen) - 12
    assert again <= (2 if number == signal.SIGKILL else 0)
    assert KEY not in log + done.stderr
