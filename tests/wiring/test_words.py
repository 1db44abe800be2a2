import inspect
import re

import pytest

from workflow_scripts.config.prompted import Price
from workflow_scripts.wiring.resources import growing, megabytes
from workflow_scripts.wiring.words import as_options, one_of, untracked, words


def test_values_are_words_of_a_command():
    given = {"a_b": "-x y", "n": 0, "list": [1, "b c"], "on": True, "off": False, "none": None}
    assert words(given) == ["--a-b=-x y", "--n=0", "--list", "1", "b c", "--on"]


def test_mappings_and_sections_are_json():
    assert words({"price": {"input": 1}}) == ['--price={"input": 1}']
    assert words({"price": Price(input=1, output=2)}) == ['--price={"input": 1.0, "output": 2.0}']


def test_snakemake_takes_no_braces_of_a_param_for_wildcards():
    assert as_options({"path": "{lang}.txt"})(None) == ["--path={lang}.txt"]


def test_only_a_function_of_input_is_compared_with_nothing():
    param = untracked(lambda wildcards: wildcards + "!")
    assert list(inspect.signature(param).parameters) == ["wildcards", "input"]
    assert (param("a", None), untracked("b")("a", None)) == ("a!", "b")


@pytest.mark.parametrize(("names", "matched"), [(["a.x1", "b"], ["a.x1", "b"]), ([], [])])
def test_a_pattern_matches_its_names_alone(names, matched):
    tried = ["a.x1", "b", "aux1", ""]
    assert [name for name in tried if re.fullmatch(one_of(names), name)] == matched


def test_what_a_job_asks_for_grows_up_to_a_limit():
    assert [growing(600, 1440)(None, attempt) for attempt in (1, 2, 3)] == [600, 1200, 1440]
    assert [megabytes(text) for text in ("512M", "16G", "80%")] == [2512, 18384, 8000]
