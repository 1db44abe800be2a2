"""Reading an answer in OpenAI's protocol."""

import math

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.prompting.answers import read_answer


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({"message": {"content": "chat"}}, "chat"),
        ({"text": "plain"}, "plain"),
        ({"message": {"content": "chat"}, "text": ""}, "chat"),
        ({"message": None, "text": "plain"}, "plain"),
    ],
)
def test_servers_may_send_both_kinds_of_text(choice, text):
    assert read_answer({"choices": [choice]}, "here").text == text


def test_counts_of_tokens_are_whole_numbers_or_unknown():
    for given, count in ((0, 0), (10**9, 10**9), (10**9 + 1, None), (-1, None), (True, None), (2.0, None)):
        usage = {"prompt_tokens": given, "completion_tokens": 3}
        found = read_answer({"choices": [{"text": "a"}], "usage": usage}, "here")
        assert (found.input_tokens, found.output_tokens, found.finish) == (count, 3, "unknown")


def test_logarithms_of_probabilities_are_finite_and_not_above_zero():
    def first(*pairs: tuple[str, float]) -> dict[str, float] | None:
        given = [{"token": token, "logprob": value} for token, value in pairs]
        logs = {"content": [{"top_logprobs": given}]}
        return read_answer({"choices": [{"text": "a", "logprobs": logs}]}, "here").first

    found = first(("a", 1e-3), ("b", -math.inf), ("c", -1), ("c", -2), ("half \ud800", -3))
    assert found == {"a": 0.0, "b": -9999.0, "c": -1.0, "half ?": -3.0}
    for value in (1.1e-3, math.nan):
        with pytest.raises(InputError, match="not as OpenAI's protocol"):
            first(("a", -1), ("b", value))
    assert read_answer({"choices": [{"text": "a", "logprobs": {"content": []}}]}, "here").first is None
