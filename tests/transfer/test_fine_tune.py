"""Pretrained encoder-decoders, fine-tuned on pairs: each architecture learns ten pairs by heart."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.transfer.checkpoints import FORMAL, INFORMAL, byt5, marian, mbart, mt5, nllb
from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.language_models.model import load
from workflow_scripts.seq2seq.device import prepare
from workflow_scripts.transfer.fine_tune import check_codes, fine_tune
from workflow_scripts.transfer.rewrite import rewrite

CPU: dict[str, Any] = {"device": "cpu", "precision": "float32", "threads": 1}
SCRATCH = {"vocabulary_size": 400, "layers": 2, "hidden": 64, "heads": 4, "dropout": 0.0}
START = Pretrained(kind="scratch", checkpoint="", revision="", path=None, **SCRATCH)
FOLDER = START.model_copy(update={"kind": "folder"})
COURSE = Course(
    learning_rate=0.005,
    warmup_updates=0,
    # A rate that stays makes the last updates, and so what is learnt, hang on last digits.
    decay="linear",
    # All pairs in both directions.
    batch_size=20,
    accumulate=1,
    epochs=80,
    max_updates=None,
    gradient_clip=1.0,
)


def tuned(folder: Path, files: dict[str, Path], **changes: Any) -> Path:
    given = {"family": "t5", "start": START, "course": COURSE, **changes}
    sides = {"sources": list(files.values()), "targets": list(files.values())[::-1]}
    sides["prompts"] = ["formal: ", "informal: "]
    folder.mkdir(exist_ok=True)
    fine_tune(folder / "model", **sides, **given, seed=1, checkpoints=folder / "states", **CPU)
    return folder / "model"


def rewritten(folder: Path, source: Path, model: Path, style: str, **changes: Any) -> list[str]:
    given = {"prompt": f"{style}: ", "max_length": 60, "beam_size": 3, "batch_size": 4}
    given |= {"made": "finetuned:scratch", **changes}
    out = folder / f"{style}.out"
    rewrite(source, folder / "facts.csv", targets=[out], system="mine", model=model, **given, **CPU)
    return out.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("family", ["t5", "bart"])
def test_a_model_from_scratch_learns_ten_pairs_by_heart(tmp_path, files, without_states, family):
    # Of several updates an epoch, the last one smaller.
    course = COURSE.model_copy(update={"batch_size": 8, "epochs": 50})
    model = tuned(tmp_path, files, family=family, course=course)
    assert rewritten(tmp_path, files["informal"], model, "formal") == FORMAL
    assert rewritten(tmp_path, files["formal"], model, "informal") == INFORMAL
    (row,) = [row for _, row in read_rows(tmp_path / "facts.csv", ("system", "signature", "empty"))]
    assert (
        row["system"] == "mine" and row["signature"].startswith("finetuned:scratch@") and row["empty"] == "0"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "code", "epochs"),
    [(mt5, "", 60), (mbart, "fr_XX", 60), (byt5, "", 120), (marian, "", 120), (nllb, "fra_Latn", 120)],
)
def test_each_architecture_learns_ten_pairs_by_heart(
    tmp_path, files, without_states, made: Callable[[Path], Path], code, epochs
):
    import torch

    torch.manual_seed(1)
    start = made(tmp_path / "start")
    course = COURSE.model_copy(update={"epochs": epochs, "learning_rate": 0.003})
    codes = {"source_code": code, "target_code": code}
    model = tuned(tmp_path, files, start=FOLDER, initial=start, course=course, **codes)
    for source, style, lines in (("informal", "formal", FORMAL), ("formal", "informal", INFORMAL)):
        outputs = rewritten(tmp_path, files[source], model, style, **codes)
        # All, with eight seeds and three sets of instructions; at a larger rate one was wrong in one of 24.
        assert sum(a == b for a, b in zip(outputs, lines, strict=True)) >= 9
        assert not any("<" in output or (code and code in output) for output in outputs)


@pytest.mark.slow
def test_targets_are_split_by_their_own_model(tmp_path):
    start = marian(tmp_path / "start")
    model = load(start, "encoder_decoder", prepare("cpu", "float32", 1))
    split = {target: model.ids(FORMAL, target=target) for target in (False, True)}
    for number, text in enumerate(FORMAL):
        assert split[True][number] == model.tokenizer(text_target=text, add_special_tokens=False)["input_ids"]
        assert split[False][number] == model.tokenizer(text, add_special_tokens=False)["input_ids"]
    assert split[True] != split[False]
    # Tokenizers of one model for both sides split both alike.
    other = load(mbart(tmp_path / "other"), "encoder_decoder", prepare("cpu", "float32", 1))
    assert other.ids(FORMAL, target=True) == other.ids(FORMAL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "codes"), [(marian, {}), (nllb, {"source_code": "eng_Latn", "target_code": "fra_Latn"})]
)
def test_a_checkpoint_as_it_is_writes_what_transformers_makes_it_write(tmp_path, files, made, codes):
    """Its own tokenizer puts the language's token before a sentence, and generates with its own settings."""
    import torch

    torch.manual_seed(1)
    start = made(tmp_path / "start")
    reader = load(start, "encoder_decoder", prepare("cpu", "float32", 1), whole=True)
    tokenizer = reader.tokenizer
    # Marian's released checkpoints forbid padding in this way.
    own: dict[str, Any] = {"bad_words_ids": [[reader.pad]]}
    if codes:
        tokenizer.src_lang = codes["source_code"]
        own = {"forced_bos_token_id": tokenizer.convert_tokens_to_ids(codes["target_code"])}
    # With the language's token, or the end that Marian's configuration forces.
    own["max_new_tokens"] = 41
    expected = []
    for line in INFORMAL:
        ids = reader.parts["response"].generate(**tokenizer(line, return_tensors="pt"), num_beams=1, **own)[0]
        text = tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        expected.append(text.strip() or line)
    given = {"made": "pretrained:folder", "prompt": "", "beam_size": 1, "max_length": 40, **codes}
    assert rewritten(tmp_path, files["informal"], start, "formal", **given) == expected != INFORMAL
    ((_, row),) = read_rows(tmp_path / "facts.csv", ("signature",))
    weights = digest(start / "model.safetensors")[:12]
    assert row["signature"] == f"pretrained:folder@{weights}|beam:1"


def test_all_targets_have_the_same_outputs_and_all_weights_are_signed(tmp_path, files):
    """Large checkpoints have their weights in several files."""
    reader = load(mt5(tmp_path / "start"), "encoder_decoder", prepare("cpu", "float32", 1))
    start = tmp_path / "shards"
    start.mkdir()
    reader.parts["response"].save_pretrained(start, max_shard_size="100KB")
    reader.tokenizer.save_pretrained(start)
    targets = [tmp_path / f"{level}.txt" for level in ("formal", "informal")]
    given = {"made": "pretrained:x", "prompt": "", "max_length": 5, "beam_size": 2, "batch_size": 4}
    facts = tmp_path / "facts.csv"
    rewrite(files["informal"], facts, targets=targets, system="x", model=start, **given, **CPU)
    assert len(read_lines(targets[0])) == 10 and read_lines(targets[0]) == read_lines(targets[1])
    ((_, row),) = read_rows(facts, ("signature",))
    parts = sorted(start.glob("*.safetensors"))
    assert len(parts) > 1
    weights = "+".join(digest(path)[:12] for path in parts)
    assert row["signature"] == f"pretrained:x@{weights}|beam:2"


def test_a_checkpoint_without_some_weights_writes_nothing(tmp_path, files):
    """Such as an encoder alone: transformers would make up the rest."""
    from safetensors.torch import load_file, save_file

    start = mt5(tmp_path / "start")
    path = start / "model.safetensors"
    weights = {name: one for name, one in load_file(path).items() if not name.startswith("decoder.block.1.")}
    save_file(weights, path, {"format": "pt"})
    with pytest.raises(InputError, match=r"start: no weights of decoder\.block\.1\..*; give a whole encoder"):
        rewritten(tmp_path, files["informal"], start, "formal", max_length=5)
    # A training may begin with it.
    assert tuned(tmp_path, files, start=FOLDER, initial=start, course=COURSE.model_copy(update={"epochs": 1}))


def test_empty_sentences_are_neither_learnt_nor_rewritten(tmp_path, files):
    course = COURSE.model_copy(update={"epochs": 1})
    write_lines(files["informal"], ["", "un", "deux", ""])
    write_lines(files["formal"], ["Zéro.", "Un.", "", ""])
    model = tuned(tmp_path, files, course=course)
    outputs = rewritten(tmp_path, files["informal"], model, "formal", max_length=8)
    assert [not output for output in outputs] == [True, False, False, True]
    write_lines(files["formal"], ["Zéro.", "", "", ""])
    with pytest.raises(InputError, match="informal: no pair"):
        tuned(tmp_path, files, course=course)
    write_lines(files["formal"], ["Zéro."])
    with pytest.raises(InputError, match="4"):
        tuned(tmp_path, files, course=course)


def test_a_code_that_the_vocabulary_lacks_is_one_line(tmp_path, files):
    with pytest.raises(InputError, match="the model's vocabulary has no token 'fr_XX'; correct codes"):
        tuned(tmp_path, files, target_code="fr_XX")
    # A piece of words is no token of a language, though the vocabulary has it.
    start = mbart(tmp_path / "start")
    model = load(start, "encoder_decoder", prepare("cpu", "float32", 1))
    assert "e" in model.tokenizer.get_vocab()
    with pytest.raises(InputError, match="the model's vocabulary has no token 'e'; correct codes"):
        check_codes(model, "fr_XX", "e")
    check_codes(model, "fr_XX", "", "en_XX")


@pytest.mark.parametrize("given", [None, [["</s>"]], -1, 10_000_000, True, "2", "absent"])
def test_a_model_without_a_start_is_refused(tmp_path, files, given):
    import json

    start = mbart(tmp_path / "start")
    config = json.loads((start / "config.json").read_text(encoding="utf-8"))
    config["decoder_start_token_id"] = given
    if given == "absent":
        del config["decoder_start_token_id"]
    (start / "config.json").write_text(json.dumps(config))
    # transformers refuses some of them itself.
    with pytest.raises(
        InputError, match=r"start: decoder_start_token_id in config.json is|cannot load checkpoint"
    ):
        tuned(tmp_path, files, start=FOLDER, initial=start)


def test_a_model_without_an_end_is_refused(tmp_path, files):
    import json

    start = mbart(tmp_path / "start")
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        path = start / name
        if path.is_file():
            settings = json.loads(path.read_text(encoding="utf-8"))
            settings.pop("eos_token", None)
            path.write_text(json.dumps(settings))
    (start / "tokenizer_config.json").write_text(
        json.dumps({**json.loads((start / "tokenizer_config.json").read_text()), "eos_token": None})
    )
    with pytest.raises(InputError, match="the checkpoint has no end token; take another checkpoint"):
        tuned(tmp_path, files, start=FOLDER, initial=start)
    # Where it writes too.
    (tmp_path / "source.txt").write_text("a\n")
    sizes = {"max_length": 5, "beam_size": 1, "batch_size": 1}
    where = {"device": "cpu", "precision": "float32", "threads": 1}
    with pytest.raises(InputError, match="start: the checkpoint has no end token"):
        rewrite(
            *(tmp_path / name for name in ("source.txt", "facts.csv")),
            targets=[tmp_path / "out.txt"],
            **{"system": "x", "made": "finetuned:folder", "model": start, "prompt": "", **sizes, **where},
        )


def test_outputs_are_the_models_text(tmp_path):
    """No space is lost before punctuation, though a checkpoint may want it, and no mark is set apart."""
    import json

    start = mbart(tmp_path / "start")
    path = start / "tokenizer_config.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**settings, "clean_up_tokenization_spaces": True}))
    model = load(start, "encoder_decoder", prepare("cpu", "float32", 1))
    for text in ("Où êtes-vous ?", "Avez-vous vu cela ?"):
        assert model._text(model.ids([f"{text}</s>"], target=True)[0], "</s>", sentence=True) == text
    other = load(byt5(tmp_path / "other"), "encoder_decoder", prepare("cpu", "float32", 1))
    for text in ("Il a dit [sic].", "«\u00a0Oui\u00a0»", "<nom>, bonjour"):
        assert other._text(other.ids([f"{text}</s>"], target=True)[0], "</s>", sentence=True) == text


def test_the_end_of_a_long_sentence_is_not_read(tmp_path, files, capsys):
    model = tuned(tmp_path, files, course=COURSE.model_copy(update={"epochs": 1}))
    reader = load(model, "encoder_decoder", prepare("cpu", "float32", 1))
    whole = reader.ids(["formal: c'est trop bien ça" + reader.tokenizer.eos_token])[0]
    read: list[list[int]] = []
    reader.parts["response"].generate = lambda **inputs: (  # type: ignore[method-assign]
        read.extend(inputs["input_ids"].tolist()) or inputs["decoder_input_ids"]
    )
    text = "formal: c'est trop bien ça" + reader.tokenizer.eos_token
    given = {"longest": 5, "batch_size": 1}
    reader.write("response", [text], reader.tokenizer.eos_token, 5, sentences=True, **given)
    assert read == [[*whole[:4], whole[-1]]] and len(whole) > 5
    rewritten(tmp_path, files["informal"], model, "formal", max_length=5)
    ((_, row),) = read_rows(tmp_path / "facts.csv", ("cut",))
    sources = [f"formal: {line}{reader.tokenizer.eos_token}" for line in INFORMAL]
    cut = sum(len(ids) > 5 for ids in reader.ids(sources))
    assert 0 < cut == int(row["cut"])
    assert f"of {cut} only the first 5 tokens were read" in capsys.readouterr().err


@pytest.mark.slow
def test_pairs_that_a_model_has_no_positions_for_are_left_out(tmp_path, files, capsys):
    checkpoint = mbart(tmp_path / "mbart")
    long = " ".join(["bon"] * 200)
    for path in files.values():
        write_lines(path, [*read_lines(path), long])
    few = COURSE.model_copy(update={"epochs": 1})
    codes = {"source_code": "fr_XX", "target_code": "fr_XX"}
    trained = tuned(tmp_path / "tuned", files, start=FOLDER, course=few, initial=checkpoint, **codes)
    told = capsys.readouterr().err
    assert re.search(r"^[1-9]\d* pairs with more than 64 tokens are left out$", told, re.M)
    # What is longer than its positions is cut, however long the row lets it be.
    given = {"max_length": 300, "source_code": "fr_XX", "target_code": "fr_XX"}
    assert len(rewritten(tmp_path, files["informal"], trained, "formal", **given)) == len(INFORMAL) + 1
    assert "only the first 63 tokens were read" in capsys.readouterr().err
    for path in files.values():
        write_lines(path, [long])
    with pytest.raises(InputError, match="all pairs have more than the 64 tokens"):
        tuned(tmp_path / "none", files, start=FOLDER, course=few, initial=checkpoint, **codes)
