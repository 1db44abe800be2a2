"""The dependencies of answers, their signature, and the outputs to which it is added."""

import hashlib
from collections.abc import Callable

import pytest

from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.prompting.job import Backend, ask
from workflow_scripts.prompting.made_by import read_signatures
from workflow_scripts.prompting.models import signature_of

Make = Callable[..., Backend]


@pytest.mark.parametrize(
    "change",
    [{"name": "model2"}, {"max_tokens": 21}, {"temperature": 0.5}, {"chat": False}, {"probabilities": 3}],
)
def test_another_model_or_parameter_is_another_answer(server, endpoint, settings, tmp_path, change):
    settings.prices["model2"] = settings.prices["model"]
    for options in ({}, change, {}, change, {"seed": 2}):
        ask(endpoint(**options), ["a"], tmp_path / "c", settings)
    assert len(server.seen) == 2
    ask(endpoint(seed=2, **change), ["a"], tmp_path / "c", settings)
    # The seed is part of what is drawn.
    assert len(server.seen) == (3 if "temperature" in change else 2)


def test_a_signature_tells_what_answers_depend_on(endpoint, settings):
    settings.prices["model2"] = settings.prices["model"]
    changes: list[dict] = [{}, {"name": "model2"}, {"max_tokens": 21}, {"temperature": 0.5}, {"chat": False}]
    # A seed that draws nothing is no difference.
    found = [signature_of(endpoint(**change), "model", "prompt") for change in (*changes, {"seed": 2})]
    assert len(set(found)) == len(changes) and found[-1] == found[0]
    assert signature_of(endpoint(), "model", "another") not in found


def test_a_signature_has_the_name_of_a_file_and_two_digests(endpoint):
    backend = endpoint()
    found = signature_of(backend, f"folder/a model|({'x' * 60}", "prompt é")
    whole = f"{backend.model}\n{backend.parameters.key()}"
    digests = [hashlib.sha256(text.encode()).hexdigest()[:12] for text in (whole, "prompt é")]
    assert found == f"prompted:endpoint/a_model__{'x' * 51}@{digests[0]}|prompt:{digests[1]}"
    assert signature_of(backend, "a-b_c.d:e", "").startswith("prompted:endpoint/a-b_c.d:e@")


def test_a_system_has_the_signatures_of_all_its_files(tmp_path):
    files = [tmp_path / "1.csv", tmp_path / "2.csv"]
    write_csv(files[0], ("system", "signature"), [("one", "a"), ("two", "b"), ("one", "a")])
    write_csv(files[1], ("system", "signature"), [("one", "c"), ("one", "a")])
    assert read_signatures(files, ["one", "two", "three"]) == {"one": "|a|c", "two": "|b"}
    assert read_signatures([], ["one"]) == {}
    with pytest.raises(InputError, match=r"1\.csv:3: no system 'two'; did you mean 'tow'"):
        read_signatures(files, iter(["one", "tow"]))
    write_csv(files[0], ("system", "made"), [("one", "a")])
    with pytest.raises(InputError, match=r"1\.csv.*signature"):
        read_signatures(files, ["one"])
