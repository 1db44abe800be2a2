from __future__ import annotations

import gzip
import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tokenizers import Tokenizer

from tests.killing import KilledError, check_keys, command_of, killed_at
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.encoders import score as score_module
from workflow_scripts.encoders import train as train_module
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.score import score
from workflow_scripts.encoders.train import train

SIZES = {"vocabulary_size": 300, "layers": 1, "hidden": 32, "heads": 2, "max_length": 24, "seed": 1}
TRAINING = {
    **{"learning_rate": 3e-3, "epochs": 3, "batch_size": 16, "max_length": 128, "seed": 2},
    **{"objective": "values", "device": "cpu", "precision": "float32", "threads": 1},
}
SCORING = {"max_length": 128, "device": "cpu", "precision": "float32", "threads": 1}


def rated(count: int, seed: int) -> tuple[list[str], list[float]]:
    """Sentences that are the more formal the fewer slang words they hold."""
    rng = random.Random(seed)
    slang, polite = (
        ["tipo", "cara", "vc", "blz", "né"],
        ["senhor", "portanto", "gostaria", "cordialmente", "ção"],
    )
    texts, scores = [], []
    for _ in range(count):
        words = [
            rng.choice(polite if rng.random() < share else slang)
            for share in [rng.random()] * rng.randint(2, 9)
        ]
        texts.append(" ".join(words))
        scores.append(round(6 * sum(word in polite for word in words) / len(words) - 3, 3))
    return texts, scores


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    for name, seed, count in (("train", 1, 300), ("test", 2, 200)):
        texts, scores = rated(count, seed)
        write_lines(folder / f"{name}.txt", texts)
        write_lines(folder / f"{name}.scores", map(str, scores))
    encoder(folder / "encoder", kind="scratch", texts=[folder / "train.txt"], **SIZES)
    trained(folder, folder / "regressor")
    return folder


def trained(world: Path, folder: Path, **options) -> Path:
    settings = {**TRAINING, "checkpoints": folder.parent / f"{folder.name}.checkpoints", **options}
    train(world / "encoder", folder, sentences=world / "train.txt", scores=world / "train.scores", **settings)
    return folder


def scored(folder: Path, regressor: Path, texts: list[str], batch_size: int = 16, **options) -> list[str]:
    write_lines(folder / "in.txt", texts)
    settings = {**SCORING, **options}
    score(regressor, sources=[folder / "in.txt"], targets=[folder / "out"], batch_size=batch_size, **settings)
    return read_lines(folder / "out")


@pytest.mark.parametrize("lowercase", [True, False])
def test_word_pieces_of_lower_case_do_not_tell_capitals(world: Path, tmp_path: Path, lowercase: bool) -> None:
    encoder(tmp_path / "e", kind="scratch", texts=[world / "train.txt"], **SIZES, lowercase=lowercase)
    tokenizer = Tokenizer.from_file(str(tmp_path / "e" / "tokenizer.json"))
    small, capital = (tokenizer.encode(text).ids for text in ("senhor né ção", "Senhor Né Ção"))
    assert (small == capital) == lowercase
    assert "ção" in tokenizer.encode("Ção" if lowercase else "ção").tokens


class TestEncoder:
    def test_same_texts_give_the_same_folder_in_another_process(self, tmp_path, world):
        options = {"kind": "scratch", "texts": world / "train.txt", **SIZES}
        subprocess.run(command_of("encoders.encoder", tmp_path / "e", **options), check=True)
        for name in ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"):
            assert digest(tmp_path / "e" / name) == digest(world / "encoder" / name), name

    def test_tokenizer_is_cased_word_pieces(self, world):
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(world / "encoder")
        pieces = tokenizer.convert_ids_to_tokens(tokenizer("gostaria gost senhor Ø")["input_ids"])
        assert pieces[:2] == ["[CLS]", "gostaria"]
        assert pieces[-2:] == ["[UNK]", "[SEP]"]
        assert any(piece.startswith("##") for piece in pieces)
        config = json.loads((world / "encoder" / "config.json").read_text())
        assert config["vocab_size"] == len(tokenizer) <= 300

    def test_folder_is_copied_without_pickles(self, tmp_path, world):
        shutil.copytree(world / "encoder", tmp_path / "mine")
        (tmp_path / "mine" / "pytorch_model.bin").write_bytes(b"a pickle")
        encoder(tmp_path / "copy", kind="folder", path=tmp_path / "mine")
        assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == sorted(
            path.name for path in (world / "encoder").iterdir()
        )

    def test_hub_is_asked_for_one_commit_and_no_pickles(self, tmp_path, world, monkeypatch):
        asked = {}

        def pretend(name, *, revision, local_dir, allow_patterns, ignore_patterns):
            asked.update(name=name, revision=revision, patterns=allow_patterns, ignored=ignore_patterns)
            shutil.copytree(world / "encoder", local_dir, dirs_exist_ok=True)

        monkeypatch.setattr("huggingface_hub.snapshot_download", pretend)
        encoder(tmp_path / "e", kind="hub", checkpoint="someone/bert", revision="a" * 40)
        assert (tmp_path / "e" / "model.safetensors").is_file()
        assert (asked["name"], asked["revision"], asked["ignored"]) == ("someone/bert", "a" * 40, None)
        assert not any(
            pattern.endswith((".bin", ".pt", "*")) and "." in pattern for pattern in asked["patterns"]
        )

    def test_hub_out_of_reach(self, tmp_path, monkeypatch):
        from huggingface_hub.errors import LocalEntryNotFoundError

        def fail(*_, **__):
            raise LocalEntryNotFoundError("no way\nto the hub")

        monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
        with pytest.raises(InputError, match=r"cannot download someone/bert at a+: no way;"):
            encoder(tmp_path / "e", kind="hub", checkpoint="someone/bert", revision="a" * 40)
        assert not (tmp_path / "e").exists()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"kind": "hub", "checkpoint": "x", "revision": "main"}, "needs --checkpoint and --revision"),
            ({"kind": "folder"}, "needs --path"),
            ({"kind": "folder", "path": Path("nowhere")}, "no such folder"),
            ({"kind": "scratch", "texts": [Path("x")]}, "--vocabulary-size must be positive"),
            ({"kind": "scratch", **SIZES}, "no --texts"),
            ({"kind": "scratch", **SIZES, "texts": [Path("x")], "heads": 3}, "not a multiple"),
        ],
    )
    def test_missing_options(self, tmp_path, options, message):
        with pytest.raises(InputError, match=message):
            encoder(tmp_path / "e", **options)

    def test_folder_without_safetensors(self, tmp_path):
        (tmp_path / "config.json").write_text("{}")
        with pytest.raises(InputError, match="no weights as safetensors"):
            encoder(tmp_path / "e", kind="folder", path=tmp_path)


class TestTraining:
    def test_regressor_learns(self, tmp_path, world):
        found = [
            float(value) for value in scored(tmp_path, world / "regressor", read_lines(world / "test.txt"))
        ]
        gold = read_numbers(world / "test.scores")
        assert np.corrcoef(found, gold)[0, 1] > 0.8
        assert np.mean((np.array(found) - gold) ** 2) < 0.6 * np.var(gold)

    def test_killed_training_goes_on_to_the_same_weights(self, tmp_path, world, monkeypatch, capsys):
        with killed_at(monkeypatch, 1, saved=True):
            trained(world, tmp_path / "r")
        assert not (tmp_path / "r").exists()
        trained(world, tmp_path / "r")
        assert "going on after epoch 1" in capsys.readouterr().err
        assert digest(tmp_path / "r" / "model.safetensors") == digest(
            world / "regressor" / "model.safetensors"
        )
        assert not (tmp_path / "r.checkpoints").exists()

    def test_checkpoint_of_another_training_is_left_alone(self, tmp_path, world, monkeypatch, capsys):
        with killed_at(monkeypatch, 1, saved=True):
            trained(world, tmp_path / "r", seed=3)
        (other,) = (tmp_path / "r.checkpoints").iterdir()
        trained(world, tmp_path / "r")
        assert "going on after epoch" not in capsys.readouterr().err
        assert list((tmp_path / "r.checkpoints").iterdir()) == [other] and list(other.iterdir())
        assert digest(tmp_path / "r" / "model.safetensors") == digest(
            world / "regressor" / "model.safetensors"
        )

    def test_seed_matters(self, tmp_path, world):
        other = trained(world, tmp_path / "r", seed=3)
        assert digest(other / "model.safetensors") != digest(world / "regressor" / "model.safetensors")

    def test_bf16_trains_and_scores(self, tmp_path, world):
        regressor = trained(world, tmp_path / "r", precision="bf16")
        texts = read_lines(world / "test.txt")
        found = list(map(float, scored(tmp_path, regressor, texts, precision="bf16")))
        assert np.corrcoef(found, read_numbers(world / "test.scores"))[0, 1] > 0.7

    def test_numbers_of_lines_must_agree(self, tmp_path, world):
        with pytest.raises(InputError, match="300 sentences but 200 scores"):
            train(
                *(world / "encoder", tmp_path / "r"),
                **{"sentences": world / "train.txt", "scores": world / "test.scores"},
                **{**TRAINING, "checkpoints": tmp_path / "c"},
            )

    def test_missing_gpu(self, tmp_path, world, monkeypatch):
        monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
        with pytest.raises(InputError, match="no usable GPU"):
            trained(world, tmp_path / "r", device="cuda")

    def test_auto_is_what_it_stands_for(self, tmp_path, world, monkeypatch):
        monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
        regressor = trained(world, tmp_path / "r", device="auto", precision="auto")
        assert digest(regressor / "model.safetensors") == digest(world / "regressor" / "model.safetensors")

    def test_the_key_tells_the_output_and_the_device(self, tmp_path, world, monkeypatch):
        options = {"device": "auto", "precision": "auto", "epochs": 1}
        check_keys(monkeypatch, train_module, lambda name: trained(world, tmp_path / name, **options))

    @pytest.mark.parametrize("folder", ["encoder", "regressor"])
    def test_weights_that_are_not_finite(self, tmp_path, world, folder):
        from safetensors.torch import load_file, save_file

        shutil.copytree(world / folder, tmp_path / folder)
        path = tmp_path / folder / "model.safetensors"
        weights = load_file(path)
        weights[sorted(weights)[-1]].view(-1)[0] = float("nan")
        save_file(weights, path, {"format": "pt"})
        for name in ("train.txt", "train.scores"):
            shutil.copy(world / name, tmp_path)
        with pytest.raises(InputError, match=rf"{folder}: weights that are not finite \('"):
            if folder == "encoder":
                trained(tmp_path, tmp_path / "r", epochs=1)
            else:
                scored(tmp_path, tmp_path / folder, ["oi"])
        assert not (tmp_path / "out").exists() and not (tmp_path / "r").exists()

    def test_weights_of_half_precision_are_trained_in_full(self, tmp_path, world):
        import torch
        from safetensors.torch import load_file
        from transformers import AutoModel, AutoTokenizer

        AutoModel.from_pretrained(world / "encoder").to(torch.bfloat16).save_pretrained(tmp_path / "encoder")
        AutoTokenizer.from_pretrained(world / "encoder").save_pretrained(tmp_path / "encoder")
        assert json.loads((tmp_path / "encoder" / "config.json").read_text())["dtype"] == "bfloat16"
        shutil.copy(world / "train.txt", tmp_path)
        shutil.copy(world / "train.scores", tmp_path)
        weights = load_file(trained(tmp_path, tmp_path / "r", epochs=1) / "model.safetensors")
        assert {value.dtype for value in weights.values()} == {torch.float32}

    @given(lengths=some.lists(some.integers(2, 40), min_size=1, max_size=40))
    def test_parts_of_a_batch_hold_every_sentence_once(self, lengths):
        rows = np.arange(len(lengths))[::-1] + 5
        parts = train_module._parts(rows, np.array([0] * 5 + lengths))
        assert sorted(row for part in parts for row in part) == sorted(rows)
        assert all(parts) and len(parts) <= train_module.PARTS
        found = [lengths[row - 5] for part in parts for row in part]
        assert found == sorted(lengths)

    def test_parts_take_the_same_step_as_the_whole_batch(self, tmp_path, world, monkeypatch):
        """Without dropout, the weights after an epoch are those of whole batches, but for rounding."""
        from safetensors.torch import load_file

        shutil.copytree(world / "encoder", tmp_path / "encoder")
        for name in ("train.txt", "train.scores"):
            shutil.copy(world / name, tmp_path)
        config = tmp_path / "encoder" / "config.json"
        still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        config.write_text(json.dumps({**json.loads(config.read_text()), **still}))
        found = []
        for parts in (1, 2):
            monkeypatch.setattr(train_module, "PARTS", parts)
            options = {"epochs": 1, "learning_rate": 1e-4}
            found.append(
                load_file(trained(tmp_path, tmp_path / f"r{parts}", **options) / "model.safetensors")
            )
        begun = load_file(tmp_path / "encoder" / "model.safetensors")
        # A softmax does not see the bias of its keys, whose gradient is nothing but rounding.
        moved = [
            name for name in found[0] if name.removeprefix("bert.") in begun and not name.endswith("key.bias")
        ]
        assert len(moved) > 10
        for name in moved:
            step = found[0][name] - begun[name.removeprefix("bert.")]
            assert (found[1][name] - found[0][name]).norm() <= 0.02 * step.norm(), name


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

    def test_killed_scoring_goes_on_to_the_same_bytes(self, tmp_path, world, monkeypatch, capsys):
        """The process gets SIGKILL after two of five parts; more than one file, and sentences that recur."""
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
            "    if number == 1: os.kill(os.getpid(), signal.SIGKILL)\n"
            "score.JobParts.save = save_and_die\n"
            f"score.score(Path({str(world / 'regressor')!r}),\n"
            f"    sources=[Path({str(tmp_path / 'one')!r}), Path({str(tmp_path / 'two')!r})],\n"
            f"    targets=[Path(path) for path in {list(map(str, targets('again')))!r}], batch_size=16,\n"
            f"    checkpoints=Path({str(tmp_path / 'states')!r}), **{SCORING!r})"
        )
        assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
        (state,) = (tmp_path / "states").iterdir()
        assert sorted(path.name for path in state.iterdir()) == ["000000.txt", "000001.txt"]
        assert not any(path.exists() for path in targets("again"))
        capsys.readouterr()
        score(world / "regressor", targets=targets("again"), checkpoints=tmp_path / "states", **options)
        told = capsys.readouterr().err
        assert "sentences 61 to 120: were scored before" in told and "sentences 121 to 180: were" not in told
        for whole, again in zip(targets("whole"), targets("again"), strict=True):
            assert digest(whole) == digest(again)
        assert not (tmp_path / "states").exists()

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

        check_keys(monkeypatch, score_module, run)

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
