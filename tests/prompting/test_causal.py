"""A checkpoint of transformers, made here, and a GGUF file where there is one."""

import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from pydantic import ValidationError

from tests.conftest import ROOT
from workflow_scripts.config.prompted import Model
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.prompting.job import Backend, ask
from workflow_scripts.prompting.models import backend_of

WORDS = ["<unk>", "<end>", "is", "this", "polite", "?", "yes", "no", "please", "help", "me"]
CHAT = (
    "{% for message in messages %}{{ message['role'] }} {{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %} ?{% endif %}"
)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A small language model with random weights, and words as its tokens."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("checkpoint")
    tokens = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokens, unk_token="<unk>", eos_token="<end>")
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = LlamaConfig(
        vocab_size=len(WORDS), max_position_embeddings=32, eos_token_id=1, bos_token_id=None, **sizes
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture
def causal(settings, checkpoint):
    def make(probabilities: int = 0, seed: int = 1, **options: object) -> Backend:
        given = {"kind": "transformers", "name": str(checkpoint), "chat": False, "max_tokens": 5}
        where = {"precision": "float32", "device": "cpu", "threads": 1}
        model = Model.model_validate({**given, **options})
        return backend_of(model, settings, seed=seed, probabilities=probabilities, **where)  # type: ignore[arg-type]

    return make


def test_a_checkpoint_with_a_weight_that_is_no_number_is_refused(causal, checkpoint, tmp_path):
    from safetensors.torch import load_file, save_file

    shutil.copytree(checkpoint, tmp_path / "broken")
    (file,) = (tmp_path / "broken").glob("*.safetensors")
    tensors = load_file(file)
    tensors["model.norm.weight"][3] = math.inf
    save_file(tensors, file, metadata={"format": "pt"})
    broken = causal(name=str(tmp_path / "broken"))
    with pytest.raises(
        InputError, match=r"broken: weights that are not finite \('model\.norm\.weight'\); get it"
    ):
        broken.ask("this is polite ?", Event())


def test_a_commit_that_was_fetched_is_read_from_its_folder(causal, settings, checkpoint):
    """The cache knows its answers by the commit, wherever it lies."""
    commit = {
        "kind": "transformers",
        "name": "org/name",
        "revision": "0" * 40,
        "chat": False,
        "max_tokens": 5,
    }
    where = {"precision": "float32", "device": "cpu", "threads": 1}
    found = [
        backend_of(Model.model_validate(commit), settings, seed=1, fetched=folder, **where)  # type: ignore[arg-type]
        for folder in (checkpoint, None)
    ]
    assert found[0].model == found[1].model and "org/name@000" in found[0].model
    asked = "is this polite ?"
    assert found[0].ask(asked, Event()) == causal().ask(asked, Event())


def test_answers_and_probabilities(causal, settings, tmp_path):
    prompts = ["is this polite ?", "please help me"]
    backend = causal(probabilities=len(WORDS))
    found = ask(backend, prompts, tmp_path / "c", settings)
    for answer in found.values():
        assert answer.first is not None and answer.output_tokens is not None
        assert math.fsum(map(math.exp, answer.first.values())) == pytest.approx(1, abs=1e-5)
        likeliest = max(answer.first, key=answer.first.__getitem__)
        assert answer.text.startswith(likeliest) or likeliest == "<end>"
        assert answer.output_tokens <= 5 and (answer.finish == "length") <= (answer.output_tokens == 5)
    # The same alone as with others, and from the cache without the model.
    alone = ask(causal(probabilities=len(WORDS)), prompts[1:], tmp_path / "other", settings)
    assert alone[prompts[1]] == found[prompts[1]]
    again = causal(probabilities=len(WORDS))
    assert ask(again, prompts, tmp_path / "c", settings) == found
    assert "parts" not in vars(again)


def test_a_batch_says_what_each_prompt_gets_alone(causal, settings, tmp_path, monkeypatch):
    """Prompts of several lengths, which are filled up at their left, and answers that end early."""
    prompts = [" ".join(WORDS[2 : 2 + count]) for count in range(1, 8)]
    alone = ask(causal(probabilities=4, max_tokens=20), prompts, tmp_path / "c", settings)
    backend: Any = causal(probabilities=4, max_tokens=20, batch_size=3)
    sizes, generate = [], backend.parts[1].generate

    def counted(**given: Any) -> Any:
        sizes.append(len(given["input_ids"]))
        return generate(**given)

    monkeypatch.setattr(backend.parts[1], "generate", counted)
    # An answer is in the cache under the size of its batch.
    together = ask(backend, prompts, tmp_path / "c", settings)
    assert sizes == [3, 3, 1]
    assert backend.model == f"{causal().model} batch=3"
    for prompt in prompts:
        one, other = alone[prompt], together[prompt]
        assert replace(one, first=None) == replace(other, first=None)
        assert one.first == pytest.approx(other.first, abs=1e-4)
    # Some end in the middle of a batch.
    assert {answer.finish for answer in together.values()} == {"stop", "length"}


@pytest.mark.slow
def test_answers_of_a_second_device(causal, checkpoint, settings):
    """They are those of the processor, of which the device is made (tests/second_device.py)."""
    script = """
import json, sys
from tests.second_device import NAME, start
start()
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.prompting.models import backend_of
model = Model.model_validate(json.loads(sys.argv[1]))
where = {"precision": "float32", "device": "auto", "threads": 1}
backend = backend_of(model, Prompting.model_validate_json(sys.argv[3]), seed=1, probabilities=4, **where)
assert {part.device.type for part in backend.parts[1].parameters()} == {NAME}
print(json.dumps([[one.text, one.first] for one in backend.ask_all(json.loads(sys.argv[2]))]))
"""
    prompts = ["is this polite ?", "please help me"]
    given = {"kind": "transformers", "name": str(checkpoint), "chat": False, "max_tokens": 5, "batch_size": 2}
    words = [sys.executable, "-c", script, json.dumps(given), json.dumps(prompts), settings.model_dump_json()]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    here = causal(probabilities=4, batch_size=2).ask_all(prompts)
    for (text, first), one in zip(json.loads(done.stdout), here, strict=True):
        assert text == one.text and first == pytest.approx(one.first, abs=1e-4)


def test_what_cannot_be_a_batch(causal, checkpoint, tmp_path):
    for options in ({"batch_size": 2, "temperature": 0.5}, {"batch_size": 2, "kind": "gguf"}):
        with pytest.raises(ValidationError, match="batch_size is for models of kind transformers at temp"):
            causal(**options)
    shutil.copytree(checkpoint, tmp_path / "bare")
    settings = json.loads((tmp_path / "bare/tokenizer_config.json").read_text())
    del settings["eos_token"]
    (tmp_path / "bare/tokenizer_config.json").write_text(json.dumps(settings))
    bare: Any = causal(name=str(tmp_path / "bare"), batch_size=2)
    with pytest.raises(InputError, match="has no token that fills a batch"):
        bare.ask_all(["is", "this"])
    assert len(bare.ask_all(["is"])) == 1


def test_the_seed_says_what_is_drawn(causal):
    def drawn(seed: int) -> str:
        return causal(seed=seed, temperature=1.5, max_tokens=12).ask("is this polite ?", Event()).text

    found = [drawn(seed) for seed in (1, 2, 3, 1)]
    assert found[0] == found[3] and len(set(found)) == 3


def test_an_answer_ends_at_a_token_or_at_its_length(causal):
    backend = causal(temperature=1.5, max_tokens=4, probabilities=3)
    answers = []
    for seed in range(20):
        backend.parameters = replace(backend.parameters, seed=seed)
        answers.append(backend.ask("is this polite ?", Event()))
    # Probabilities are those before a temperature, whatever is drawn.
    assert len(answers[0].first or {}) == 3 and all(one.first == answers[0].first for one in answers)
    # An end may be the last token that is allowed.
    assert {(one.finish, one.output_tokens == 4) for one in answers} == {
        *(("stop", False), ("stop", True), ("length", True)),
    }


def test_the_format_of_chats_has_all_special_tokens(causal, checkpoint, tmp_path):
    """So that the tokenizer adds none a second time."""
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    shutil.copytree(checkpoint, tmp_path / "chat")
    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing("<end> $A", special_tokens=[("<end>", 1)])
    tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(tmp_path / "chat")
    for chat, tokens in ((False, ["<end>", "please", "help"]), (True, ["user", "please", "help", "?"])):
        answer = causal(name=str(tmp_path / "chat"), chat=chat).ask("please help", Event())
        assert answer.input_tokens == len(tokens)


def test_what_a_checkpoint_cannot(causal, settings, tmp_path):
    for options, prompt, problem in (
        ({"chat": True}, "help", "has no format of chats"),
        (
            {"max_tokens": 31},
            "please help me",
            "a prompt of 3 tokens and an answer of 31 are longer than the 32",
        ),
    ):
        with pytest.raises(InputError, match=problem):
            ask(causal(**options), [prompt], tmp_path / "c", settings)
    with pytest.raises(InputError, match="is not a folder, and no revision pins it"):
        causal(name="some/model")


def test_a_model_in_a_gguf_file(tmp_path):
    """Really asked, where the environment `llama` and a file are at hand."""
    tool, file = os.environ.get("TUVOUS_LLAMA", ""), os.environ.get("TUVOUS_GGUF", "")
    if not tool or not file:
        pytest.skip("TUVOUS_LLAMA (the environment llama) and TUVOUS_GGUF (a model) are not set")
    write_lines(tmp_path / "source.txt", ["hey u"])
    write_lines(tmp_path / "template.txt", ["Say it formally: {source}"])
    words = [f"{tool}/bin/python", "-m", "workflow_scripts.transfer.prompt"]
    words += [str(tmp_path / name) for name in ("source.txt", "out.txt", "facts.csv")]
    settings = {"max_cost": 0, "prices": {}, "parallel": 1, "timeout": 9, "retries": 0}
    words += [f"--model={json.dumps({'kind': 'gguf', 'name': file, 'max_tokens': 5, 'context': 512})}"]
    words += [f"--settings={json.dumps(settings)}", f"--cache={tmp_path / 'c'}", "--examples=0", "--seed=1"]
    words += [f"--template={tmp_path / 'template.txt'}", "--language=English", "--system=gguf"]
    words += ["--precision=float32", "--device=cpu", "--threads=1"]
    for log in ("1 prompts to ask", "0 prompts to ask"):
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0 and log in done.stderr, done.stderr
    assert "1 sentences: 0 answers without text" in done.stderr
    assert read_lines(tmp_path / "out.txt")[0] not in ("", "hey u")
    assert "prompted:gguf/" in (tmp_path / "facts.csv").read_text()


def test_what_a_checkpoint_recommends_is_not_followed(causal, checkpoint, tmp_path):
    """Chat models recommend to draw, and to punish repetitions."""
    shutil.copytree(checkpoint, tmp_path / "advised")
    path = tmp_path / "advised/generation_config.json"
    advice = {"no_repeat_ngram_size": 1, "repetition_penalty": 9.0, "suppress_tokens": [6, 7]}
    path.write_text(json.dumps({**json.loads(path.read_text()), **advice}))
    plain, advised = causal(max_tokens=9), causal(name=str(tmp_path / "advised"), max_tokens=9)
    prompt = "is this polite ?"
    assert advised.ask(prompt, Event()).text == plain.ask(prompt, Event()).text != ""


@pytest.mark.parametrize(
    ("file", "key", "value", "problem"),
    [
        ("tokenizer_config.json", "model_max_length", [[1]], "longest input is [[1]], model_max_length in"),
        ("tokenizer_config.json", "model_max_length", "512", "longest input is '512', model_max_length in"),
        ("tokenizer_config.json", "model_max_length", -1, "longest input is -1, model_max_length in"),
        ("config.json", "max_position_embeddings", -5, "longest input is -5, max_position_embeddings in"),
        ("tokenizer_config.json", "chat_template", "{{ raise_exception('no\nusers') }}", "fails (no users);"),
        ("tokenizer_config.json", "chat_template", "{% for", "the format of chats of checkpoint"),
        ("tokenizer_config.json", "chat_template", "{{ 1 / 0 }}", "fails (division by zero);"),
    ],
)
def test_what_a_checkpoint_says_of_itself_may_be_nonsense(
    causal, checkpoint, tmp_path, file, key, value, problem
):
    shutil.copytree(checkpoint, tmp_path / "odd")
    path = tmp_path / "odd" / file
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    backend = causal(name=str(tmp_path / "odd"), chat=key == "chat_template")
    with pytest.raises(InputError) as told:
        backend.ask("is this polite ?", Event())
    assert problem in str(told.value) and str(tmp_path / "odd") in str(told.value)
    assert "\n" not in str(told.value)
