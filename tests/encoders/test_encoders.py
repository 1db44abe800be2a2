"""Encoders: from scratch, a folder, the hub."""

import json
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from tests.encoders.regressors import SIZES
from tests.killing import command_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.encoders.encoder import encoder


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [True, False])
def test_word_pieces_of_lower_case_do_not_tell_capitals(world, tmp_path, lowercase):
    encoder(tmp_path / "e", kind="scratch", texts=[world / "train.txt"], **SIZES, lowercase=lowercase)
    tokenizer = Tokenizer.from_file(str(tmp_path / "e" / "tokenizer.json"))
    small, capital = (tokenizer.encode(text).ids for text in ("senhor né ção", "Senhor Né Ção"))
    assert (small == capital) == lowercase
    assert "ção" in tokenizer.encode("Ção" if lowercase else "ção").tokens


class TestEncoder:
    @pytest.mark.slow
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
