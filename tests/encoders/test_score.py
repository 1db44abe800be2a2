"""Scores of sentences: in any batch, after a kill, of models that are damaged."""

import gzip
import json
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.encoders.regressors import SCORING, scored
from tests.killing import KilledError, check_keys
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.encoders import score as score_module
from workflow_scripts.encoders.model import _in_float32, load, longest_input
from workflow_scripts.encoders.score import score
from workflow_scripts.seq2seq.device import prepare


class TestScoring:
    def test_scores_do_not_depend_on_the_batch(self, tmp_path, world):
        texts = [*read_lines(world / "test.txt"), "", "senhor " * 60, "日本 Ø"]
        together = scored(tmp_path, world / "regressor", texts)
        assert all(len(value.split(".")[1]) == 4 for value in together)
        for batch_size in (1, 3, 1000):
            assert scored(tmp_path, world / "regressor", texts, batch_size=batch_size) == together
        assert scored(tmp_path, world / "regressor", texts[::-1]) == together[::-1]
        assert scored(tmp_path, world / "regressor", texts[5:8]) == together[5:8]

    def test_long_sentences_are_cut(self, tmp_path, world):
        long, longer = scored(tmp_path, world / "regressor", ["senhor " * 40, "senhor " * 50])
        assert long == longer

    @pytest.mark.parametrize("limit", [-64, 2.5e-3, "64", [64], None, True])
    def test_a_limit_that_is_none_is_one_line(self, tmp_path, world, limit):
        folder = shutil.copytree(world / "regressor", tmp_path / "regressor")
        settings = json.loads((folder / "tokenizer_config.json").read_text())
        (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "model_max_length": limit}))
        if limit is None:  # transformers' own default: no limit
            assert len(scored(tmp_path, folder, ["Olá"])) == 1
        else:
            with pytest.raises(InputError, match=r"regressor: .*longest input"):
                scored(tmp_path, folder, ["Olá"])

    def test_four_decimals_are_those_of_the_score_itself(self):
        values = (-0.00001, -0.0, 0.12344999, -1.00004999, 2.5)
        expected = ["0.0000", "0.0000", "0.1234", "-1.0000", "2.5000"]
        assert [score_module._printed(value) for value in values] == expected

    def test_the_longest_input_is_the_least_of_three(self):
        for most, positions, expected in ((128, 24, 24), (10, 24, 10), (128, None, 64), (None, None, 64)):
            config = SimpleNamespace(**({"max_position_embeddings": positions} if positions else {}))
            given = SimpleNamespace(model_max_length=64), SimpleNamespace(config=config), most or 100
            assert longest_input(*given) == expected

    def test_the_last_layer_is_in_float32_under_autocast(self):
        import torch

        torch.manual_seed(1)
        layer, inputs = torch.nn.Linear(64, 1), torch.randn(5, 64)
        torch.nn.init.constant_(layer.bias, 0.3)
        exact = torch.nn.functional.linear(inputs.bfloat16().float(), layer.weight, layer.bias)
        with torch.autocast("cpu", torch.bfloat16):
            found = _in_float32(layer, (inputs.bfloat16(),), layer(inputs))
            assert layer(inputs).dtype == torch.bfloat16
        assert found.dtype == torch.float32 and torch.equal(found, exact)
        assert _in_float32(layer, (inputs,), exact) is exact

    def test_on_a_processor_products_are_the_fast_ones(self, world, monkeypatch):
        from workflow_scripts.seq2seq import products
        from workflow_scripts.seq2seq.products import FastLinear

        monkeypatch.setattr(products, "_least", lambda: products.SMALL)
        model, _ = load(world / "regressor", prepare("cpu", "float32", 1))
        assert any(isinstance(layer, FastLinear) for layer in model.modules())

    def test_weights_as_a_pickle_are_not_read(self, tmp_path, world):
        import torch
        from safetensors.torch import load_file

        folder = shutil.copytree(world / "regressor", tmp_path / "regressor")
        torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
        with pytest.raises(InputError, match="regressor"):
            scored(tmp_path, folder, ["senhor"])

    def test_scores_equal_those_of_transformers(self, tmp_path, world):
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        texts = read_lines(world / "test.txt")[:20]
        model = AutoModelForSequenceClassification.from_pretrained(world / "regressor").eval()
        batch = AutoTokenizer.from_pretrained(world / "regressor")(texts, padding=True, return_tensors="pt")
        with torch.no_grad():
            expected = model(**batch).logits[:, 0].numpy()
        assert np.abs(np.array(scored(tmp_path, world / "regressor", texts), float) - expected).max() < 1e-4

    def test_chunks_and_compressed_files(self, tmp_path, world, monkeypatch):
        monkeypatch.setattr("workflow_scripts.encoders.score.CHUNK", 7)
        texts = read_lines(world / "test.txt")
        with gzip.open(tmp_path / "t.gz", "wt", encoding="utf-8") as stream:
            stream.writelines(f"{text}\n" for text in texts)
        sources, targets = [tmp_path / "t.gz", world / "train.txt"], [tmp_path / "a.gz", tmp_path / "b"]
        score(world / "regressor", sources=sources, targets=targets, batch_size=16, **SCORING)
        assert read_lines(targets[0]) == scored(tmp_path, world / "regressor", texts)
        assert len(read_lines(targets[1])) == 300

    def test_empty_files_among_others(self, tmp_path, world):
        for name, texts in {"a": [], "b": ["senhor", ""], "c": [], "d": ["cara"], "e": []}.items():
            write_lines(tmp_path / name, texts)
        targets = [tmp_path / f"{name}.out" for name in "abcde"]
        score(
            world / "regressor",
            sources=[tmp_path / n for n in "abcde"],
            targets=targets,
            batch_size=2,
            **SCORING,
        )
        assert [len(read_lines(path)) for path in targets] == [0, 2, 0, 1, 0]
        assert read_lines(targets[3]) == scored(tmp_path, world / "regressor", ["cara"])

    @given(
        files=some.lists(some.lists(some.sampled_from("abcdefgh"), max_size=9), min_size=1, max_size=5),
        chunk=some.integers(1, 7),
        known=some.integers(1, 9),
    )
    def test_no_sentence_twice_in_a_chunk_nor_among_the_known(self, files, chunk, known):
        asked = []

        def scorer(sentences, name):
            asked.append(sentences)
            return [float(ord(sentence)) for sentence in sentences]

        pairs = [(number, text) for number, texts in enumerate(files) for text in texts]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(score_module, "CHUNK", chunk)
            patch.setattr(score_module, "KNOWN", known)
            found = list(score_module._scored(pairs, scorer, None))
        assert found == [(number, f"{ord(text):.4f}") for number, text in pairs]
        distinct: list[str] = []
        for start, sentences in zip(range(0, len(pairs), chunk), asked, strict=True):
            texts = [text for _, text in pairs[start : start + chunk]]
            assert sentences == [text for text in dict.fromkeys(texts) if text not in distinct]
            distinct = list(dict.fromkeys([*distinct, *texts]))[:known]

    @pytest.mark.slow
    def test_killed_scoring_goes_on_to_the_same_bytes(self, tmp_path, world, monkeypatch, capsys):
        """The process gets SIGKILL after three of five parts; several files, and sentences that recur."""
        texts = read_lines(world / "test.txt")
        write_lines(tmp_path / "one", texts[:130])
        write_lines(tmp_path / "two", texts[70:])
        options = {"sources": [tmp_path / "one", tmp_path / "two"], "batch_size": 16, **SCORING}

        def targets(name):
            return [tmp_path / f"{name}.1.gz", tmp_path / f"{name}.2"]

        for name, value in (("CHUNK", 60), ("KNOWN", 90)):
            monkeypatch.setattr(score_module, name, value)
        score(world / "regressor", targets=targets("whole"), **options)
        code = (
            "import os, signal; from pathlib import Path\n"
            "from workflow_scripts.encoders import score\n"
            "score.CHUNK, score.KNOWN = 60, 90\n"
            "save = score.JobParts.save\n"
            "def save_and_die(self, number, text):\n"
            "    save(self, number, text)\n"
            "    if number == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
            "score.JobParts.save = save_and_die\n"
            f"score.score(Path({str(world / 'regressor')!r}),\n"
            f"    sources=[Path({str(tmp_path / 'one')!r}), Path({str(tmp_path / 'two')!r})],\n"
            f"    targets=[Path(path) for path in {list(map(str, targets('again')))!r}], batch_size=16,\n"
            f"    checkpoints=Path({str(tmp_path / 'states')!r}), **{SCORING!r})"
        )
        assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
        (state,) = (tmp_path / "states").iterdir()
        assert sorted(path.name for path in state.iterdir()) == [f"00000{part}.txt" for part in range(3)]
        assert not any(path.exists() for path in targets("again"))
        capsys.readouterr()
        score(world / "regressor", targets=targets("again"), checkpoints=tmp_path / "states", **options)
        told = capsys.readouterr().err
        assert "sentences 121 to 180: were scored before" in told and "181 to 240: were" not in told
        for whole, again in zip(targets("whole"), targets("again"), strict=True):
            assert digest(whole) == digest(again)
        assert not any((tmp_path / "states").iterdir())

    def test_parts_of_another_scoring_are_left_alone(self, tmp_path, world, monkeypatch, capsys):
        texts = read_lines(world / "test.txt")[:30]
        whole = scored(tmp_path, world / "regressor", texts)
        monkeypatch.setattr(score_module.JobParts, "remove", lambda self: None)
        for changes in ({"batch_size": 8}, {"max_length": 5}, {"precision": "bf16"}):
            scored(tmp_path, world / "regressor", texts, checkpoints=tmp_path / "states", **changes)
        assert len(list((tmp_path / "states").iterdir())) == 3
        assert scored(tmp_path, world / "regressor", texts, checkpoints=tmp_path / "states") == whole
        assert "were scored before" not in capsys.readouterr().err
        assert scored(tmp_path, world / "regressor", texts, checkpoints=tmp_path / "states") == whole
        assert "sentences 1 to 30: were scored before" in capsys.readouterr().err

    def test_another_text_gets_no_scores_of_the_text_that_was_killed(self, tmp_path, world, monkeypatch):
        texts = read_lines(world / "test.txt")[:30]
        changed = [texts[0], "cara " + texts[1], *texts[2:]]
        expected = scored(tmp_path, world / "regressor", changed)
        monkeypatch.setattr(score_module, "CHUNK", 10)
        save = score_module.JobParts.save

        def killed(self, number, text):
            save(self, number, text)
            if number == 1:
                raise KilledError

        with monkeypatch.context() as patch, pytest.raises(KilledError):
            patch.setattr(score_module.JobParts, "save", killed)
            scored(tmp_path, world / "regressor", texts, checkpoints=tmp_path / "states")
        assert scored(tmp_path, world / "regressor", changed, checkpoints=tmp_path / "states") == expected

    def test_batches_are_filled_up_to_whole_rows(self, tmp_path, world, monkeypatch):
        """So many rows that each has the same sums whatever the others are; see `ROWS`."""
        asked = []
        load = score_module.load

        def watched(*arguments):
            model, tokenizer = load(*arguments)
            model.register_forward_pre_hook(
                lambda _, args, options: asked.append(len(options["input_ids"])), with_kwargs=True
            )
            return model, tokenizer

        monkeypatch.setattr(score_module, "load", watched)
        scored(
            tmp_path, world / "regressor", ["senhor", "cara", "senhor cara", *["vc " * 5] * 11], batch_size=9
        )
        assert asked and {count % score_module.ROWS for count in asked} == {0}

    def test_the_key_tells_the_output_and_the_device(self, tmp_path, world, monkeypatch):
        write_lines(tmp_path / "in.txt", ["senhor"])

        def run(name):
            options = {**SCORING, "device": "auto", "precision": "auto", "checkpoints": tmp_path / "states"}
            files = {"sources": [tmp_path / "in.txt"], "targets": [tmp_path / name]}
            score(world / "regressor", batch_size=8, **files, **options)

        key = check_keys(monkeypatch, score_module, run)
        assert key["options"] == {**SCORING, "batch_size": 8}
        assert key["command"] == "encoders.score"
        assert set(key["versions"]) >= {"torch", "transformers", "tokenizers"}
        files = [*sorted((world / "regressor").iterdir()), tmp_path / "in.txt"]
        assert key["inputs"] == [digest(path) for path in files]

    def test_bf16_ranks_as_float32_does(self, tmp_path, world):
        """Mixed precision with a float32 score: a bf16 one would have far fewer different values."""
        import torch

        texts = [*read_lines(world / "test.txt"), *read_lines(world / "train.txt")]
        exact = np.array(scored(tmp_path, world / "regressor", texts), float)
        mixed = np.array(scored(tmp_path, world / "regressor", texts, precision="bf16"), float)
        assert (mixed != exact).any()
        # 0.010 to 0.029 with twenty seeds: so sentences whose scores differ by 0.1 are in the same order.
        # Ranks of all sentences would be of those, too, whose scores are nearly the same.
        assert np.abs(mixed - exact).max() < 0.05
        assert np.corrcoef(exact, mixed)[0, 1] > 0.999
        gold = [*read_numbers(world / "test.scores"), *read_numbers(world / "train.scores")]
        close = pytest.approx(np.corrcoef(exact, gold)[0, 1], abs=0.005)
        assert np.corrcoef(mixed, gold)[0, 1] == close
        assert len(set(mixed)) > 2 * len(set(torch.from_numpy(exact).bfloat16().tolist()))

    def test_folder_without_a_model(self, tmp_path):
        with pytest.raises(InputError, match="no model in this folder"):
            scored(tmp_path, tmp_path, ["a"])


DAMAGES = {
    "no JSON": ("config.json", lambda data: b"{" + data),
    "another model": (
        "config.json",
        lambda data: data.replace(b'"model_type": "bert"', b'"model_type": "tree"'),
    ),
    "other shapes": (
        "config.json",
        lambda data: data.replace(b'"num_attention_heads": 2', b'"num_attention_heads": 7'),
    ),
    "no weights": ("model.safetensors", lambda data: b""),
    "half the weights": ("model.safetensors", lambda data: data[: len(data) // 2]),
    "no words": ("tokenizer.json", lambda data: data[:-9]),
    "no text": ("tokenizer_config.json", lambda data: b"\xff" + data),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_model_is_one_line(tmp_path, world, what):
    folder = tmp_path / "regressor"
    shutil.copytree(world / "regressor", folder)
    name, damage = DAMAGES[what]
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(damage(data))
    assert (folder / name).read_bytes() != data
    with pytest.raises(InputError, match=rf"cannot load checkpoint '{folder}' \(.*\)$"):
        scored(tmp_path, folder, ["senhor"])


def test_a_tokenizer_without_a_padding_token_is_one_line(tmp_path, world):
    folder = tmp_path / "regressor"
    shutil.copytree(world / "regressor", folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    assert settings.pop("pad_token")
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match="the tokenizer has no padding token"):
        scored(tmp_path, folder, ["senhor"])


@pytest.mark.parametrize("role", ["pad_token", "unk_token"])
def test_a_token_that_the_encoder_does_not_know_is_one_line(tmp_path, world, role):
    folder = tmp_path / "regressor"
    shutil.copytree(world / "regressor", folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, role: "another"}))
    with pytest.raises(
        InputError, match=r"regressor: the tokenizer has a token (\d+), but the model knows \1 "
    ):
        scored(tmp_path, folder, ["senhor"])
