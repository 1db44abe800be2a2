from __future__ import annotations

import gzip
import json
import random
import shutil
import signal
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace

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
from workflow_scripts.encoders.model import _in_float32, load, longest_input
from workflow_scripts.encoders.score import score
from workflow_scripts.encoders.train import train
from workflow_scripts.seq2seq.device import prepare

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
        assert tokenizer("Senhor")["input_ids"] != tokenizer("senhor")["input_ids"]
        marks = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
        assert [getattr(tokenizer, name) for name in marks] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        config = json.loads((world / "encoder" / "config.json").read_text())
        assert config["vocab_size"] == len(tokenizer) <= 300
        sizes = ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size")
        assert [config[name] for name in sizes] == [1, 32, 2, 4 * 32]
        assert config["max_position_embeddings"] == tokenizer.model_max_length == 24

    def test_a_piece_is_in_two_sentences_and_the_most_frequent_ones_come_first(self, tmp_path):
        write_lines(tmp_path / "texts", ["qw", "er", "er", "ty", "ty", "ty"])
        sizes = {"layers": 1, "hidden": 2, "heads": 1, "max_length": 4}

        def pieces(name: str, vocabulary_size: int) -> set[str]:
            options = {**sizes, "vocabulary_size": vocabulary_size}
            encoder(tmp_path / name, kind="scratch", texts=[tmp_path / "texts"], **options)
            return set(Tokenizer.from_file(str(tmp_path / name / "tokenizer.json")).get_vocab())

        whole = pieces("whole", 1000)
        assert {"er", "ty"} <= whole and "qw" not in whole
        assert pieces("less", len(whole) - 1) == whole - {"er"}

    def test_without_a_seed_it_is_0(self, tmp_path, world):
        sizes = {**SIZES, "texts": [world / "train.txt"]}
        del sizes["seed"]
        encoder(tmp_path / "none", kind="scratch", **sizes)
        encoder(tmp_path / "zero", kind="scratch", **sizes, seed=0)
        found = [digest(tmp_path / name / "model.safetensors") for name in ("none", "zero")]
        assert found[0] == found[1] != digest(world / "encoder" / "model.safetensors")

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
        names = {
            *("model.safetensors", "model-00001-of-00002.safetensors", "model.safetensors.index.json"),
            *("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
            *("vocab.txt", "vocab.json", "merges.txt", "added_tokens.json", "sentencepiece.bpe.model"),
        }
        others = {"pytorch_model.bin", "tf_model.h5", "flax_model.msgpack", "training_args.bin", "README.md"}
        taken = {name for name in names | others if any(fnmatch(name, one) for one in asked["patterns"])}
        assert taken == names

    def test_what_the_hub_gives_must_be_whole(self, tmp_path, monkeypatch):
        given = {"config.json": "{}"}

        def pretend(name, *, revision, local_dir, allow_patterns, ignore_patterns):
            for file, text in given.items():
                (Path(local_dir) / file).write_text(text)

        monkeypatch.setattr("huggingface_hub.snapshot_download", pretend)
        options = {"kind": "hub", "checkpoint": "someone/bert", "revision": "a" * 40}
        with pytest.raises(InputError, match=r"^someone/bert: no config\.json, or no weights as safetensors"):
            encoder(tmp_path / "e", **options)
        given |= {"config.json": '{"auto_map": {"AutoModel": "x.X"}}', "model.safetensors": ""}
        with pytest.raises(InputError, match=r"^someone/bert: this checkpoint needs code of its own"):
            encoder(tmp_path / "e", **options)
        assert not (tmp_path / "e").exists()

    def test_hub_out_of_reach(self, tmp_path, monkeypatch):
        from huggingface_hub.errors import LocalEntryNotFoundError

        def fail(*_, **__):
            raise LocalEntryNotFoundError("no way\nto the hub")

        monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
        with pytest.raises(InputError, match=r"someone/bert at a+: no way; check the network and"):
            encoder(tmp_path / "e", kind="hub", checkpoint="someone/bert", revision="a" * 40)
        assert not (tmp_path / "e").exists()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"kind": "hub", "checkpoint": "x", "revision": "main"}, "needs --checkpoint and --revision"),
            ({"kind": "hub", "checkpoint": "x", "revision": "a" * 41}, "needs --checkpoint and --revision"),
            ({"kind": "hub", "revision": "a" * 40}, "needs --checkpoint and --revision"),
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

    @pytest.mark.parametrize("name", [name for name in SIZES if name != "seed"])
    def test_every_size_is_to_be_given(self, tmp_path, name):
        sizes = {size: value for size, value in SIZES.items() if size != name}
        with pytest.raises(InputError, match=f"--{name.replace('_', '-')} must be positive"):
            encoder(tmp_path / "e", kind="scratch", texts=[Path("x")], **sizes)

    @pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
    def test_folder_without_safetensors(self, tmp_path, name):
        (tmp_path / name).write_text("{}")
        with pytest.raises(InputError, match=f"^{tmp_path}: no config.json, or no weights as safetensors"):
            encoder(tmp_path / "e", kind="folder", path=tmp_path)

    def test_a_folder_with_code_of_its_own_is_named(self, tmp_path):
        (tmp_path / "config.json").write_text('{"auto_map": {"AutoModel": "x.X"}}')
        (tmp_path / "model.safetensors").touch()
        with pytest.raises(InputError, match=f"^{tmp_path}: this checkpoint needs code of its own"):
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

    def test_the_loss_told_is_the_mean_of_the_squared_errors(self, tmp_path, world, capsys):
        """Nothing is learnt at the rate 0, so that the scores are those that the loss is of."""
        shutil.copytree(world / "encoder", tmp_path / "encoder")
        for name in ("train.txt", "train.scores"):
            shutil.copy(world / name, tmp_path)
        config = tmp_path / "encoder" / "config.json"
        still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        config.write_text(json.dumps({**json.loads(config.read_text()), **still}))
        trained(tmp_path, tmp_path / "r", epochs=1, learning_rate=0.0)
        told = float(capsys.readouterr().err.split("mean squared error ")[1].split()[0])
        found = np.array(scored(tmp_path, tmp_path / "r", read_lines(world / "train.txt")), float)
        assert told == pytest.approx(np.mean((found - read_numbers(world / "train.scores")) ** 2), abs=2e-4)

    def test_no_word_counts_behind_the_longest_input(self, tmp_path, world):
        """Neither to a training nor to scores."""
        shutil.copytree(world / "encoder", tmp_path / "encoder")
        shutil.copy(world / "train.scores", tmp_path)
        texts = [f"{text} tipo cara vc blz" for text in read_lines(world / "train.txt")]
        found = []
        for end in ("senhor", "cara cara", "vc " * 30):
            write_lines(tmp_path / "train.txt", [f"{text} {end}" for text in texts])
            regressor = trained(tmp_path, tmp_path / "r", epochs=1, max_length=6)
            longer = scored(tmp_path, regressor, [f"{text} {end}" for text in texts[:9]], max_length=6)
            found.append((digest(regressor / "model.safetensors"), longer))
        assert found[0] == found[1] == found[2]

    def test_lines_without_a_sentence_or_a_number_are_named(self, tmp_path, world):
        shutil.copytree(world / "encoder", tmp_path / "encoder")
        for texts, scores, message in (
            (["a", "", "b"], ["1", "2", "3"], r"train\.txt:2: empty line"),
            (["a", "b"], ["1", "inf"], r"train\.scores:2: 'inf' is not a number"),
            ([], [], r"train\.txt: 0 sentences but 0 scores in .*train\.scores"),
        ):
            write_lines(tmp_path / "train.txt", texts)
            write_lines(tmp_path / "train.scores", scores)
            with pytest.raises(InputError, match=message):
                trained(tmp_path, tmp_path / "r")

    def test_a_regressor_says_that_it_is_one(self, world):
        config = json.loads((world / "regressor" / "config.json").read_text())
        assert config["problem_type"] == "regression" and list(config["id2label"]) == ["0"]

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
        with pytest.raises(InputError, match="no usable GPU"):
            scored(tmp_path, world / "regressor", ["senhor"], device="cuda")

    def test_auto_is_what_it_stands_for(self, tmp_path, world, monkeypatch):
        monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
        regressor = trained(world, tmp_path / "r", device="auto", precision="auto")
        assert digest(regressor / "model.safetensors") == digest(world / "regressor" / "model.safetensors")

    def test_the_key_tells_the_output_and_the_device(self, tmp_path, world, monkeypatch):
        options = {"device": "auto", "precision": "auto", "epochs": 1}
        key = check_keys(monkeypatch, train_module, lambda name: trained(world, tmp_path / name, **options))
        # Every option of the command but where things lie.
        assert key["options"] == {**TRAINING, "epochs": 1, "released": False}
        assert key["command"] == "encoders.train" and set(key["versions"]) >= {"torch", "transformers"}
        files = [*sorted((world / "encoder").iterdir()), world / "train.txt", world / "train.scores"]
        assert key["inputs"] == [digest(path) for path in files]

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
        # By length, and of one length in their order.
        found = [row for part in parts for row in part]
        assert found == sorted(rows, key=lambda row: lengths[row - 5])

    def test_states_of_another_kind_are_not_taken(self, tmp_path):
        """A state has the number of epochs, and tensors of the model's and Adam's shapes."""
        import torch
        from workflow_scripts.seq2seq.training_state import TrainingState

        model = torch.nn.Linear(2, 1)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        tensors = train_module._state(model, optimizer)
        wrong = {
            name: value[..., :1].clone() if value.dim() > 1 else value for name, value in tensors.items()
        }
        for number, (kept, scalars, epochs) in enumerate(
            [
                (tensors, {"epochs": "1"}, 0),
                (tensors, {"epoch": 1}, 0),
                (tensors, {"epochs": 1, "more": 1}, 0),
                (wrong, {"epochs": 1}, 0),
                (
                    {name: value for name, value in tensors.items() if name != "adam.1.exp_avg"},
                    {"epochs": 1},
                    0,
                ),
                (tensors, {"epochs": 1}, 1),
            ]
        ):
            state = TrainingState(tmp_path / str(number), {"key": number})
            assert train_module._resume(state, model, optimizer) == 0
            state.save(1, kept, scalars)
            assert train_module._resume(state, model, optimizer) == epochs

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

    def test_on_a_processor_products_are_the_fast_ones(self, world):
        from workflow_scripts.seq2seq.products import FastLinear

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
