"""The backend `hf`, with tiny checkpoints of random weights."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.transfer.checkpoints import both_sides, marian_of, nllb_of, pieces_of, sentence_pieces
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.translation.backends import HuggingFace
from workflow_scripts.translation.translate import translate

WHERE: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
NMT: dict[str, Any] = {"beam_size": 2, "length_penalty": 1.0, "batch_size": 4, **WHERE}
ONE_LAYER = both_sides(1, 2, 16)


@pytest.fixture(scope="module")
def pieces(tmp_path_factory):
    """A sentencepiece model in the layout that both tokenizers know."""
    sentences = ["the cat sees a dog .", "o gato vê um cão .", "il gatto vede un cane ."] * 5
    return sentence_pieces(tmp_path_factory.mktemp("spm") / "m", sentences, model_type="bpe")


@pytest.fixture(scope="module")
def marian(pieces, tmp_path_factory):
    """A Marian checkpoint of one layer."""
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("marian") / "model"
    return marian_of(folder, pieces, pieces, ">>pob<<", **ONE_LAYER, forced_eos_token_id=0)


@pytest.fixture(scope="module")
def nllb(pieces, tmp_path_factory):
    """An NLLB checkpoint of one layer."""
    torch.manual_seed(1)
    codes = ("eng_Latn", "fra_Latn", "ita_Latn", "por_Latn")
    return nllb_of(tmp_path_factory.mktemp("nllb") / "model", pieces_of(pieces), *codes, **ONE_LAYER)


def hf(checkpoint: Path | str, **changes: Any) -> HuggingFace:
    """A backend from English."""
    options: dict[str, Any] = {
        "revision": None,
        "prefix": "",
        "codes": {"pt": "por_Latn"},
        "beam_size": 2,
        **WHERE,
        **changes,
    }
    return HuggingFace(options.pop("direction", ("en", "pt")), checkpoint=str(checkpoint), **options)


def test_marian_translates(marian, tmp_path):
    write_lines(tmp_path / "in", ["the cat sees a dog .", "", "the dog ."])
    translate(
        backend="hf",
        source_language="en",
        target_language="pt",
        sources=[tmp_path / "in"],
        targets=[tmp_path / "out"],
        cache=tmp_path / "c",
        batch_size=2,
        checkpoint=str(marian),
        beam_size=2,
        **WHERE,
    )
    found = read_lines(tmp_path / "out")
    assert len(found) == 3 and found[1] == "" and found[0]
    assert [hf(marian).translate([text])[0].split() for text in ("the cat sees a dog .", "the dog .")] == [
        found[0].split(),
        found[2].split(),
    ]


def test_a_checkpoint_with_a_weight_that_is_no_number_is_refused(marian, tmp_path):
    from safetensors.torch import load_file, save_file

    shutil.copytree(marian, tmp_path / "broken")
    (file,) = (tmp_path / "broken").glob("*.safetensors")
    tensors = load_file(file)
    name = next(name for name in tensors if name.endswith("fc1.weight"))
    tensors[name].view(-1)[3] = float("nan")
    save_file(tensors, file, metadata={"format": "pt"})
    with pytest.raises(InputError, match=rf"broken: weights that are not finite \('{name}'\); get it again"):
        hf(tmp_path / "broken").translate(["the dog ."])


def test_marian_in_mixed_precision(marian):
    import torch

    backend = hf(marian, precision="bf16")
    model = backend.parts[1]
    seen = set()
    for layer in model.modules():
        if isinstance(layer, (torch.nn.Linear, torch.nn.LayerNorm)):
            layer.register_forward_hook(lambda layer, _, output: seen.add((type(layer), output.dtype)))
    assert backend.translate(["the cat sees a dog ."])[0]
    assert seen == {(torch.nn.Linear, torch.bfloat16), (torch.nn.LayerNorm, torch.float32)}
    assert {weight.dtype for weight in model.parameters()} == {torch.float32}


def test_marian_prefix_chooses_the_language(marian):
    backend = hf(marian, prefix=">>pob<<")
    tokenizer = backend.parts[0]
    seen = []
    backend.parts = (
        lambda texts, **options: seen.append(texts) or tokenizer(texts, **options),
        *backend.parts[1:],
    )
    with pytest.raises(AttributeError):  # the stand-in cannot decode
        backend.translate(["the cat"])
    assert seen == [[">>pob<< the cat"]]
    assert tokenizer(">>pob<< the cat")["input_ids"][0] == tokenizer.convert_tokens_to_ids(">>pob<<")


def test_nllb_forces_the_target_language(nllb):
    backend = hf(nllb)
    tokenizer, model, options = backend.parts
    assert tokenizer("cat")["input_ids"][0] == tokenizer.convert_tokens_to_ids("eng_Latn")
    assert options == {"forced_bos_token_id": tokenizer.convert_tokens_to_ids("por_Latn")}
    first = model.generate(**tokenizer("cat", return_tensors="pt"), max_new_tokens=3, **options)[0, 1]
    assert first == options["forced_bos_token_id"]
    (text,) = backend.translate(["the cat ."])
    assert "por_Latn" not in text
    with pytest.raises(InputError, match="has no language 'de'"):
        hf(nllb, direction=("en", "de")).translate(["x"])


def test_checkpoint_identity(marian, nllb):
    pinned = hf("org/name", revision="0123456789" * 4)
    assert pinned.model == f"org/name@{'0123456789' * 4} beam=2 prefix= languages=eng_Latn,por_Latn"
    names = {
        hf(marian).model,
        hf(nllb).model,
        hf(marian, beam_size=3).model,
        hf(marian, prefix=">>pob<<").model,
        hf(marian, precision="bf16").model,
        hf(marian, codes={"pt": "pob_Latn"}).model,
    }
    assert len(names) == 6 and hf(marian).model == hf(marian).model


def test_a_folder_that_is_no_checkpoint(tmp_path):
    with pytest.raises(InputError, match="cannot load checkpoint"):
        hf(tmp_path).translate(["x"])


@pytest.mark.parametrize("kind", ["marian", "nllb"])
def test_what_a_checkpoint_recommends_is_not_followed(kind, tmp_path, request):
    import json

    plain = request.getfixturevalue(kind)
    found = hf(plain).translate(["the cat sees a dog .", "the dog ."])
    shutil.copytree(plain, tmp_path / "advised")
    path = tmp_path / "advised/generation_config.json"
    advice = {"no_repeat_ngram_size": 1, "repetition_penalty": 3.0, "length_penalty": 9.0, "min_length": 9}
    path.write_text(json.dumps({**json.loads(path.read_text()), **advice}))
    assert hf(tmp_path / "advised").translate(["the cat sees a dog .", "the dog ."]) == found
