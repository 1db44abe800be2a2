"""Trainings of regressors: their scores, their losses, and bad input."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.encoders.regressors import TRAINING, scored, trained
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.encoders import train as train_module
from workflow_scripts.encoders.train import train


class TestTraining:
    @pytest.mark.slow
    def test_regressor_learns(self, tmp_path, world):
        found = [
            float(value) for value in scored(tmp_path, world / "regressor", read_lines(world / "test.txt"))
        ]
        gold = read_numbers(world / "test.scores")
        assert np.corrcoef(found, gold)[0, 1] > 0.8
        assert np.mean((np.array(found) - gold) ** 2) < 0.6 * np.var(gold)

    @pytest.mark.slow
    def test_seed_matters(self, tmp_path, world):
        other = trained(world, tmp_path / "r", seed=3)
        assert digest(other / "model.safetensors") != digest(world / "regressor" / "model.safetensors")

    @pytest.mark.slow
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

    @pytest.mark.slow
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

    def test_a_training_that_diverges_is_told_after_an_epoch(self, tmp_path, world):
        """Weights that are numbers, but too large to add."""
        from safetensors.torch import load_file, save_file

        shutil.copytree(world / "encoder", tmp_path / "encoder")
        path = tmp_path / "encoder/model.safetensors"
        weights = load_file(path)
        name = next(name for name in sorted(weights) if name.endswith("LayerNorm.weight"))
        weights[name].fill_(1e38)
        save_file(weights, path, {"format": "pt"})
        for name in ("train.txt", "train.scores"):
            shutil.copy(world / name, tmp_path)
        with pytest.raises(
            InputError, match=r"encoder: epoch 1: the training has diverged.*lower the learning rate"
        ):
            trained(tmp_path, tmp_path / "r", epochs=2)
        assert not (tmp_path / "r").exists()

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
