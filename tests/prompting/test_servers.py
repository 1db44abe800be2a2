"""Answers of servers that speak OpenAI's protocol in ways of their own: vLLM, Ollama and llama.cpp's.

Each is in the layout that its documentation gives; the texts are written for the tests.
"""

import json
from typing import Any

import pytest

from workflow_scripts.config.prompted import Model
from workflow_scripts.core.errors import InputError
from workflow_scripts.politeness.prompted import likeliest, odds
from workflow_scripts.prompting.answers import Answer, read_answer
from workflow_scripts.prompting.job import ask
from workflow_scripts.prompting.templates import one_line

USAGE = {"prompt_tokens": 41, "total_tokens": 48, "completion_tokens": 7, "prompt_tokens_details": None}
LIKELIEST = [
    {"token": "Yes", "logprob": -0.25, "bytes": [89, 101, 115]},
    {"token": "No", "logprob": -1.75, "bytes": [78, 111]},
]


def chat(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """The fields that all of them send."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    choice |= {"logprobs": more.pop("logprobs")} if "logprobs" in more else {}
    return {"id": "chatcmpl-7", "object": "chat.completion", "created": 1, "choices": [choice], **more}


VLLM = chat(
    {
        **{"content": "Veuillez patienter.", "refusal": None, "annotations": None, "audio": None},
        **{"function_call": None, "tool_calls": [], "reasoning_content": None},
    },
    **{"model": "org/name", "usage": USAGE, "service_tier": None, "prompt_logprobs": None},
    **{"kv_transfer_params": None, "logprobs": None},
)
OLLAMA = chat(
    {"content": "Veuillez patienter."}, model="name:8b", system_fingerprint="fp_ollama", usage=USAGE
)
LLAMA_CPP = chat(
    {"content": "Veuillez patienter."},
    model="models/llm.gguf",
    system_fingerprint="b1-0",
    usage=USAGE,
    timings={"prompt_n": 41, "prompt_ms": 8.1, "predicted_n": 7, "predicted_per_second": 61.5},
)
# vLLM's chat, and llama.cpp's in both of its protocols; vLLM's completions.
OF_CHAT = {"content": [{**LIKELIEST[0], "top_logprobs": LIKELIEST}]}
OF_LLAMA = {"content": [{"id": 9, **LIKELIEST[0], "top_logprobs": [{"id": 9, **one} for one in LIKELIEST]}]}
OF_COMPLETIONS = {
    **{"text_offset": [0], "token_logprobs": [-0.25], "tokens": ["Yes"]},
    "top_logprobs": [{one["token"]: one["logprob"] for one in LIKELIEST}],
}


def read(body: Any) -> Answer:
    return read_answer(json.loads(json.dumps(body)), "here")


@pytest.mark.parametrize("body", [VLLM, OLLAMA, LLAMA_CPP])
def test_fields_of_ones_own_are_passed_over(body):
    assert read(body) == Answer("Veuillez patienter.", "stop", 41, 7, None)


@pytest.mark.parametrize(
    ("choice", "first"),
    [
        ({"message": {"content": "Yes"}, "logprobs": OF_CHAT}, {"Yes": -0.25, "No": -1.75}),
        ({"text": "Yes", "logprobs": OF_LLAMA}, {"Yes": -0.25, "No": -1.75}),
        ({"text": "Yes", "logprobs": OF_COMPLETIONS}, {"Yes": -0.25, "No": -1.75}),
        # The written token alone says nothing of the others.
        ({"message": {"content": "Yes"}, "logprobs": {"content": [LIKELIEST[0]]}}, None),
        ({"text": "Yes", "logprobs": {"content": [{**LIKELIEST[0], "top_logprobs": []}]}}, None),
        ({"text": "Yes", "logprobs": {**OF_COMPLETIONS, "top_logprobs": [None]}}, None),
        ({"text": "Yes", "logprobs": {**OF_COMPLETIONS, "top_logprobs": None}}, None),
        ({"text": "Yes", "logprobs": {"top_logprobs": [{"No": None}]}}, {"No": -9999.0}),
    ],
)
def test_probabilities_in_each_layout(choice, first):
    answer = read({"choices": [choice]})
    assert answer.first == first
    if first is None:
        assert odds(answer) == (None, None, 1.0)


def test_a_text_in_parts_is_one_text():
    parts = [
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "Bon"},
        {"type": "text", "text": "jour"},
    ]
    assert read(chat({"content": parts})).text == "Bonjour"


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_that_the_server_takes_out_are_no_part_of_an_answer(field):
    body = chat({"content": "\n\nNo.", field: "Is it? Yes, but"}, logprobs=OF_CHAT, usage=USAGE)
    # The probabilities are those of the thought's first token.
    assert read(body) == Answer("\n\nNo.", "stop", 41, 7, None)
    assert odds(read(body)) == (None, None, -1.0)
    # All tokens went into the thought.
    assert read(chat({"content": None, field: "Is it"}, finish="length")) == Answer(
        "", "length", None, None, None
    )


@pytest.mark.parametrize(
    ("text", "line", "score"),
    [
        ("<think>\nYes?\n</think>\n\nNo.", "No.", -1.0),
        ("<think>\n\n</think>\n\nYes", "Yes", 1.0),
        # The chat format has written the beginning.
        ("Well, no.\nStill,\n</think>\n\nYes", "Yes", 1.0),
        ("[THINK]No?[/THINK]Yes", "Yes", 1.0),
        ("<think>Yes, I sup", "", 0.0),
    ],
)
def test_thoughts_in_the_text(text, line, score):
    answer = read(chat({"content": text}, logprobs=OF_CHAT))
    assert one_line(answer.text, "", "x") == line
    assert odds(answer)[2] == score


# Of each server: the model that it does not have, and a prompt that is too long.
VLLM_404 = {
    "object": "error",
    "message": "The model `model` does not exist.",
    "type": "NotFoundError",
    "param": None,
    "code": 404,
}
VLLM_LATER_404 = {"error": {key: value for key, value in VLLM_404.items() if key != "object"}}
OLLAMA_404 = {
    "error": {
        "message": 'model "model" not found, try pulling it first',
        "type": "api_error",
        "param": None,
        "code": None,
    }
}
OLLAMA_OLDER_404 = {"error": "model 'model' not found"}
LLAMA_CPP_400 = {"error": {"code": 400, "message": "model not found", "type": "invalid_request_error"}}
TOO_LONG = {
    "error": {
        "code": 400,
        "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 5000,
        "n_ctx": 4096,
    }
}
MISSING = "the server has no model 'model' "


@pytest.mark.parametrize(
    ("status", "body", "line"),
    [
        (
            404,
            VLLM_404,
            f"{MISSING}(404: The model `model` does not exist.); {{base}}/models names its models",
        ),
        (404, VLLM_LATER_404, f"{MISSING}(404: The model `model` does not exist.); {{base}}/models names"),
        (404, OLLAMA_404, f'{MISSING}(404: model "model" not found, try pulling it first); {{base}}/models'),
        (404, OLLAMA_OLDER_404, f"{MISSING}(404: model 'model' not found); {{base}}/models names its models"),
        (400, LLAMA_CPP_400, f"{MISSING}(400: model not found); {{base}}/models names its models"),
        (400, TOO_LONG, "the server answers 400: the request exceeds the available context size, try incr"),
        (
            404,
            {"detail": "Not Found"},
            "the server answers 404: Not Found; is this the address of the API, such",
        ),
        (
            404,
            "404 page not found",
            "the server answers 404; is this the address of the API, such as http://127",
        ),
        (
            404,
            {"error": {"code": 404, "message": "File Not Found"}},
            "the server answers 404: File Not Found; is",
        ),
        (400, {"error": {"code": "bad", "message": "No."}}, "the server answers 400: bad No."),
        (422, {"detail": [{"msg": "no integer"}]}, "the server answers 422: [{'msg': 'no integer'}]"),
        (401, {"error": "Unauthorized"}, "the server refuses the key in SECRET_KEY (status 401)"),
        (
            200,
            {"error": {"code": 502, "message": "upstream"}},
            "the server answers with an error: 502 upstream",
        ),
        (200, {"error": "no memory left"}, "the server answers with an error: no memory left"),
    ],
)
def test_errors_of_each_server_are_one_line(server, endpoint, settings, tmp_path, status, body, line):
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    server.recorded["it"], server.plan = (status, {}, content), ["it"]
    with pytest.raises(InputError) as told:
        ask(endpoint(), ["a"], tmp_path / "c", settings)
    line = line.replace("{base}", server.address)
    assert str(told.value).startswith(f"{server.address}/chat/completions: {line}")
    assert "\n" not in str(told.value) and len(server.seen) == 1


LOADING = {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}


@pytest.mark.slow
def test_a_model_that_is_still_being_read_is_waited_for(
    server, endpoint, settings, tmp_path, capfd, monkeypatch
):
    """More often than a failed request is tried, and within its own limit."""
    server.recorded["loading"] = (503, {}, json.dumps(LOADING).encode())
    server.plan = ["loading"] * 4
    assert settings.retries < 4
    assert ask(endpoint(), ["a"], tmp_path / "c", settings)["a"].text == "A."
    assert len(server.seen) == 5
    assert "status 503: Loading model; again in 0.05 s\n" in capfd.readouterr().err
    monkeypatch.setattr("workflow_scripts.prompting.endpoint.LONGEST_WAIT", 0.08)
    server.always = "loading"
    with pytest.raises(InputError, match="no answer: status 503: Loading model; the answers so far are kept"):
        ask(endpoint(), ["b"], tmp_path / "c", settings)
    # Twice within the limit, and then as often as any request.
    assert len(server.seen) == 5 + 2 + 1 + settings.retries
    # Any other 503 is one of the tries.
    busy = {"error": {"code": 503, "message": "no slot is free"}}
    server.recorded["loading"] = (503, {}, json.dumps(busy).encode())
    with pytest.raises(InputError, match="no answer: status 503: no slot is free"):
        ask(endpoint(), ["b"], tmp_path / "c", settings)
    assert len(server.seen) == 8 + settings.retries + 1 + settings.retries


def test_answers_without_counts_cost_the_most_possible(server, endpoint, settings, tmp_path, capfd):
    """As a server counts that leaves `usage` out, or half of it."""
    bodies = {"none": {}, "null": {"usage": None}, "half": {"usage": {"prompt_tokens": 5}}}
    for name, usage in bodies.items():
        server.recorded[name] = (200, {}, json.dumps(chat({"content": "x"}, **usage)).encode())
    server.plan = ["none", "null", "half"]
    ask(endpoint(), ["abc", "abd", "abe"], tmp_path / "c", settings.model_copy(update={"parallel": 1}))
    # 3 bytes and 64 for the chat's format; 20 tokens of an answer; 1 and 2 dollars a million.
    sent, got = 2 * 67 + 5, 3 * 20
    cost = (sent + 2 * got) / 1e6
    said = f"3 answers: {sent} tokens sent, {got} tokens got, ${cost:.4f}; 3 answers came without counts"
    assert said in capfd.readouterr().err
    ask(endpoint(), ["more"], tmp_path / "c", settings)
    assert "came without" not in capfd.readouterr().err


def test_a_server_that_does_not_run_is_told_in_the_systems_words(endpoint, settings, tmp_path):
    with pytest.raises(InputError) as told:
        ask(endpoint(address="http://127.0.0.1:1/v1"), ["a"], tmp_path / "c", settings)
    assert str(told.value).startswith(
        "http://127.0.0.1:1/v1/chat/completions: no answer: Connection refused; "
    )


def test_the_limit_of_probabilities_is_one_that_each_server_takes():
    """20 are the most of vLLM without --max-logprobs, and 5 of the older protocol."""
    model = Model(kind="endpoint", name="m", address="http://127.0.0.1:1/v1")
    assert likeliest(model) == 20 and likeliest(model.model_copy(update={"chat": False})) == 5
