"""Models of Sockeye: read, with the same pieces, log-probabilities and translations as there."""

import errno
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from sacremoses import MosesDetokenizer, MosesTokenizer

from tests.seq2seq.reference import CPU, search
from tests.seq2seq.sockeye_files import MERGES, SYMBOLS, parameters, write_sockeye
from tests.seq2seq.test_train_transformer import SETTINGS
from tests.training.small import sectioned
from workflow_scripts.config.translators import SsruTransformer
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.device import loading_checkpoint
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.read_sockeye import read_sockeye
from workflow_scripts.seq2seq.sockeye import POSITIONS, TIED, read_sockeye_model
from workflow_scripts.seq2seq.train_transformer import train_transformer
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.seq2seq.translator import Translator
from workflow_scripts.text.grow_tags import grow_tags
from workflow_scripts.text.models import read_text_model
from workflow_scripts.text.sockeye_text import Codes, SockeyeText
from workflow_scripts.text.symbols import SPECIAL


def small():
    """A model with random weights."""
    model = Transformer(TransformerSizes(len(SYMBOLS), *[8, 2, 16, 2, 1]))
    model.initialise(torch.Generator().manual_seed(3))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.normal_(generator=torch.Generator().manual_seed(4))
    return model


@pytest.fixture
def folder(tmp_path):
    """The folder of such a model in Sockeye's files."""
    write_sockeye(tmp_path / "model.en-de", small(), SYMBOLS, MERGES, ratio=(0.9, 0.25))
    return tmp_path / "model.en-de"


def taken_over(folder, tmp_path):
    """The text model and the model that the command writes."""
    text, model = tmp_path / "text", tmp_path / "model.safetensors"
    read_sockeye(folder, text, model, language="de")
    return text, model


def test_a_model_and_its_text_model_are_taken_over(folder, tmp_path, capsys):
    text, model = taken_over(folder, tmp_path)
    read, facts = Transformer.read(model)
    for name, tensor in small().state_dict().items():
        assert torch.equal(read.state_dict()[name], tensor), name
    pipeline = read_text_model(text)
    assert facts["vocabulary"] == pipeline.digest
    assert (facts["length_ratio"], facts["length_ratio_deviation"]) == (0.9, 0.25)
    assert pipeline.vocabulary == SYMBOLS and pipeline.tags == [] and pipeline.languages == ["de", "en"]
    assert "SHA-256 of params.best" in capsys.readouterr().err


def test_copies_of_traced_modules_are_left_aside(folder, tmp_path):
    told = parameters(small())
    traced = {f"traced_{name}": one for name, one in told.items() if name.startswith("encoder")}
    torch.save({**told, **traced}, folder / "params.best")
    _, model = taken_over(folder, tmp_path)
    assert torch.equal(Transformer.read(model)[0].embedding, small().embedding)


def test_text_is_split_by_the_merges_and_what_the_vocabulary_lacks_is_unknown(folder, tmp_path):
    pipeline = read_text_model(taken_over(folder, tmp_path)[0])
    texts = ["lower low\u2009 wol", "low's", "\u5b57 xx", "", "-"]
    assert pipeline.encode(texts, "en") == [
        ["low@@", "er", "low", "<unk>", "o@@", "<unk>"],
        ["low", "&apos;s"],
        ["\u5b57", "<unk>", "<unk>"],
        [],
        ["<unk>"],
    ]
    pieces = [["low@@", "er", "low", "&apos;s"], ["lo@@"], ["<unk>", "\u5b57", "</s>"], []]
    assert pipeline.decode(pieces, "en") == ["lower low's", "lo", "\u5b57", ""]
    with pytest.raises(InputError, match="no language 'fr'"):
        pipeline.encode(["low"], "fr")


def test_marks_of_devanagari_are_apart_where_the_vocabulary_has_them_so(tmp_path):
    # "Anger" has a virama, "need" a nukta.
    word, needed = "\u0917\u0941\u0938\u094d\u0938\u093e", "\u091c\u093c\u0930\u0942\u0930\u0924"
    letters = sorted(set(word + needed) - {"\u094d", "\u093c"})
    for marks in (["\u094d", "\u093c"], []):
        symbols = [*SPECIAL, *marks, *letters, *(f"{letter}@@" for letter in letters)]
        codes = Codes(b"", [], symbols)
        pipeline = SockeyeText(codes, ["en", "hi"])
        (pieces,) = pipeline.encode([f"{word} {needed}"], "hi")
        assert ("\u094d" in pieces, "<unk>" in pieces) == (bool(marks), not marks)
        if marks:
            assert pieces[:3] == ["\u0917@@", "\u0941@@", "\u0938"] and pieces[3:5] == ["\u094d", "\u0938@@"]
            assert pipeline.decode([pieces], "hi") == [f"{word} {needed}"]
    # The mark is a word's last piece, and inside of others.
    inside = SockeyeText(Codes(b"", [], [*SPECIAL, "\u094d", f"{word}@@", word]), ["en", "hi"])
    assert not inside.apart
    assert inside.decode([[word, "\u0964"]], "hi") == [f"{word}\u0964"]


def test_it_is_tuned_with_tags_and_translates_with_them(folder, tmp_path):
    text, model = taken_over(folder, tmp_path)
    grow_tags(text, tmp_path / "tagged", tags=["<2formal>", "<2informal>"])
    assert read_text_model(tmp_path / "tagged").vocabulary == [*SYMBOLS, "<2formal>", "<2informal>"]
    assert read_text_model(tmp_path / "tagged").tags == ["<2formal>", "<2informal>"]
    with pytest.raises(InputError, match="already has a piece '<2formal>'"):
        grow_tags(tmp_path / "tagged", tmp_path / "again", tags=["<2formal>"])
    # Four sources that are the other way round with the other tag.
    sources = ["low", "low er", "er low@@ er", "er"]
    pairs = [
        (f"{tag} {one}", one if tag == "<2formal>" else " ".join(one.split()[::-1]))
        for one in sources
        for tag in ("<2formal>", "<2informal>")
    ]
    for side, name in enumerate(("source", "target")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    tuned(tmp_path, model, learning_rate=0.01, epochs=150)
    options = {"beam_size": 5, "length_penalty": 1.0, "batch_size": 8}
    options |= {"precision": "float32", "device": "cpu", "threads": 1}
    translator = Translator(tmp_path / "tagged", [tmp_path / "tuned"], **options)
    assert translator.translate(["low er", "er lower"], "en", "de", "<2formal>") == ["low er", "er lower"]
    assert translator.translate(["low er"], "en", "de", "<2informal>") == ["er low"]


def tuned(folder, initial, **changed):
    """Train with the tagged text model; the sizes among the settings are others than the model's."""
    settings = {**SETTINGS, "dropout": 0.0, "label_smoothing": 0.0, "warmup_updates": 0, "batch_size": 1000}
    settings |= {"units": 32, "heads": 4, "feed_forward": 8, "encoder_layers": 1, "decoder_layers": 2}
    options = sectioned({**settings, "checkpoints": folder / "states", **changed}, settings=SsruTransformer)
    files = [folder / "tagged" / "vocabulary.txt", folder / "source", folder / "target"]
    train_transformer(*files, folder / "tuned", folder / "log.tsv", **options, initial=initial)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("config", "act_type: relu", "act_type: swish1", "config_encoder.act_type: swish1, which is not"),
        ("config", "ssru_transformer", "transformer", "config_decoder.decoder_type: transformer, which"),
        ("config", "src_trg_softmax", "trg_softmax", "weight_tying_type: trg_softmax, which is not"),
        (
            "config",
            "neural_vocab_selection: null",
            "neural_vocab_selection: logit_max",
            "selection: logit_max",
        ),
        (
            "config",
            "model_size: 8",
            "model_size: 16",
            "'embedding_source.embedding.weight' has the shape (16, 8), other than",
        ),
        ("config", "num_layers: 2", "num_layers: 3", "no parameter 'encoder.layers.2.self_attention.ff_in"),
        ("config", "num_layers: 2", "num_layers: 1", "'encoder.layers.1.ff.ff1.bias' is a parameter that"),
        ("config", "num_layers: 2", "num_layers: two", "sizes or ratios of lengths that are no numbers"),
        (
            "config",
            "length_ratio_std: 0.25",
            "length_ratio_std: .nan",
            "ratios of lengths that are no numbers",
        ),
        ("config", "config_decoder", "config_other", "not the configuration of a model"),
        (
            "config",
            "!ModelConfig",
            "!!python/object/apply:os.system [ls]",
            "not the configuration of a model",
        ),
        ("config", "!ModelConfig", "}", "not the configuration of a model"),
        ("config", "eop_id: -1", "eop_id: 2020-13-45", "not the configuration of a model"),
        ("config", "eop_id: -1", "eop_id: !!int abc", "not the configuration of a model"),
        ("config", "eop_id: -1", "eop_id: " + "[" * 3000, "not the configuration of a model"),
        ("vocab.trg.0.json", '"er": 7', '"re": 7', "vocab.trg.0.json: is another vocabulary than vocab.src"),
        ("vocab.src.0.json", '"er": 7', '"er": 70', "vocab.src.0.json: not a vocabulary of Sockeye"),
        ("vocab.src.0.json", '"<unk>"', '"<unknown>"', "does not begin with <pad> <unk> <s> </s>"),
        ("vocab.src.0.json", '"er": 7', '"e r": 7', "vocab.src.0.json: a symbol with white space"),
        (
            "bpe_codes",
            "#version: 0.2",
            "#version: 0.1",
            "bpe_codes:1: does not begin with #version: 0.2",
        ),
        ("bpe_codes", "l o", "l o w", "bpe_codes:2: not a merge of two pieces"),
    ],
)
def test_other_models_and_broken_files_are_one_line(folder, tmp_path, name, old, new, message):
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        taken_over(folder, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.en-de"]


@pytest.mark.parametrize(
    "name", ["config", "params.best", "vocab.src.0.json", "vocab.trg.0.json", "bpe_codes"]
)
def test_a_missing_file_is_named(folder, tmp_path, name):
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"{name}: no such file"):
        taken_over(folder, tmp_path)


class Harm:
    """Runs code when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("harm",)


def broken(folder):
    tensors = parameters(small())
    tensors[TIED[0]] = tensors[TIED[0]] + 1
    yield tensors, "'embedding_target.embedding.weight' differs from 'embedding_source.embedding.weight'"
    tensors = parameters(small())
    tensors[POSITIONS[1]] = tensors[POSITIONS[1]] / 2
    yield tensors, "'decoder.pos_embedding.weight' are not the sinusoids of the steps"
    tensors = parameters(small())
    tensors["output_layer.bias"][0] = float("nan")
    yield tensors, "weights that are not finite"
    yield [1], "not the parameters of a model"
    yield {1: torch.zeros(2)}, "not the parameters of a model"
    yield {"a": torch.zeros(2, dtype=torch.complex64)}, "not the parameters of a model"
    yield {"a": torch.eye(2).to_sparse()}, "not the parameters of a model"
    yield {**parameters(small()), POSITIONS[0]: torch.tensor(1.0)}, "are not the sinusoids of the steps"
    yield {**parameters(small()), "more": torch.zeros(2)}, "'more' is a parameter that this kind"
    yield {"harm": Harm()}, "cannot load checkpoint"


@pytest.mark.parametrize("number", range(10))
def test_other_parameters_are_refused_and_no_code_of_a_pickle_runs(folder, tmp_path, monkeypatch, number):
    monkeypatch.chdir(tmp_path)
    content, message = list(broken(folder))[number]
    torch.save(content, folder / "params.best")
    with pytest.raises(InputError, match=message):
        taken_over(folder, tmp_path)
    assert not (tmp_path / "harm").exists()


def test_parameters_that_end_early_are_one_line(folder, tmp_path):
    """At any place: the archive's directory, its files, and what PyTorch reads before them."""
    path = folder / "params.best"
    whole = path.read_bytes()
    for end in (0, 1, 10, len(whole) // 3, len(whole) // 2, len(whole) - 30, len(whole) - 1):
        path.write_bytes(whole[:end])
        with pytest.raises(InputError, match=r"params\.best"):
            taken_over(folder, tmp_path)


def test_a_file_that_cannot_be_sought_in_is_a_broken_checkpoint():
    """PyTorch seeks before the beginning of some files, which the system calls an invalid argument."""
    with pytest.raises(InputError, match="cannot load checkpoint 'x'"), loading_checkpoint("x"):
        raise OSError(errno.EINVAL, "Invalid argument")
    with pytest.raises(OSError, match="No space left"), loading_checkpoint("x"):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_damaged_files_of_the_text_model_are_one_line(folder, tmp_path):
    text, _ = taken_over(folder, tmp_path)
    kept = (text / "sockeye.json").read_text()
    for content in ("", "[]", '{"pieces": "x", "languages": []}', '{"languages": ["de"]}'):
        (text / "sockeye.json").write_text(content)
        with pytest.raises(InputError, match=r"sockeye\.json: not a file of this text model"):
            read_text_model(text)
    (text / "sockeye.json").write_text(kept.replace(str(len(SYMBOLS)), "1000"))
    with pytest.raises(InputError, match="does not have the 1000 pieces"):
        read_text_model(text)


@pytest.fixture(scope="module")
def sockeye(tmp_path_factory):
    """A toy model that Sockeye has trained on subword-nmt's pieces, and its predictions."""
    tool = os.environ.get("TUVOUS_SOCKEYE", "")
    if not tool:
        pytest.skip("TUVOUS_SOCKEYE does not name an environment with Sockeye (envs/sockeye.txt)")
    folder = tmp_path_factory.mktemp("sockeye")
    random = np.random.default_rng(1)
    stems = ["want", "see", "go", "take", "know", "say", "don't", "we're", "\u00fcber", "well-known"]
    words = [stem + ending for stem in stems for ending in ("", "s", "ing", "er")]
    for part, count in (("train", 400), ("dev", 60)):
        texts = [list(random.choice(words, random.integers(1, 7))) for _ in range(count)]
        # Backwards, and one of the words twice.
        outputs = [[word for word in text[::-1] for _ in range(1 + (word == "see"))] for text in texts]
        if part == "dev":
            # Characters that no training text has.
            texts[0], texts[1] = ["\u5b57", "goes"], ["se\u5b57"]
        for side, sentences_ in (("source", texts), ("target", outputs)):
            (folder / f"{part}.{side}.txt").write_text("".join(f"{' '.join(one)} .\n" for one in sentences_))
            tokenizer = MosesTokenizer("en" if side == "source" else "de")
            lines = (folder / f"{part}.{side}.txt").read_text().splitlines()
            tokens = [tokenizer.tokenize(line, return_str=True) for line in lines]
            (folder / f"{part}.{side}.tok").write_text("".join(f"{line}\n" for line in tokens))
    command = [f"{tool}/bin/python", Path(__file__).parent / "sockeye_toy.py", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    read_sockeye(folder / "model", folder / "text", folder / "model.safetensors", language="de")
    with np.load(folder / "toy.npz") as file:
        return folder, dict(file)


def pieces_of(folder, name):
    """Sockeye's input, with the symbols that it takes unknown ones for."""
    known = set(read_text_model(folder / "text").vocabulary)
    lines = (folder / name).read_text().splitlines()
    return [[piece if piece in known else "<unk>" for piece in line.split()] for line in lines]


@pytest.mark.slow
def test_pieces_are_those_of_sacremoses_and_subword_nmt(sockeye):
    folder, found = sockeye
    pipeline = read_text_model(folder / "text")
    assert pipeline.vocabulary == found["vocabulary"].tolist() and pipeline.escaped
    for side, language in (("source", "en"), ("target", "de")):
        texts = (folder / f"dev.{side}.txt").read_text().splitlines()
        expected = pieces_of(folder, f"dev.{side}")
        assert pipeline.encode(texts, language) == expected
        assert any(piece.endswith("@@") for one in expected for piece in one)
    assert sum(one.count("<unk>") for one in pieces_of(folder, "dev.source")) >= 2


@pytest.mark.slow
def test_log_probabilities_are_sockeyes(sockeye):
    folder, found = sockeye
    read = read_sockeye_model(folder / "model")
    assert [read.ratio_mean, read.ratio_deviation] == pytest.approx(found["ratio"].tolist(), rel=1e-6)
    symbols = Vocabulary.read(folder / "text" / "vocabulary.txt")
    for side in ("source", "target"):
        lines = (" ".join(pieces) for pieces in pieces_of(folder, f"dev.{side}"))
        (folder / f"known.{side}").write_text("".join(f"{line}\n" for line in lines))
    pairs = Pairs.read(symbols, folder / "known.source", folder / "known.target").ended()
    with torch.no_grad():
        batch = pairs.batch(np.arange(len(pairs)), CPU)
        vectors = read.model(batch, torch.float32, Dropout())
        logs = (vectors @ read.model.embedding.t() + read.model.output_bias).log_softmax(-1)
    for number in range(len(pairs)):
        expected = torch.from_numpy(found[f"log{number}"])
        torch.testing.assert_close(logs[: len(expected), number], expected, rtol=0, atol=1e-4)


@pytest.mark.slow
def test_translations_and_scores_are_sockeyes(sockeye):
    folder, found = sockeye
    read = read_sockeye_model(folder / "model")
    ids = {symbol: number for number, symbol in enumerate(read.symbols)}
    sources = [[ids[piece] for piece in pieces] for pieces in pieces_of(folder, "dev.source")]
    outputs = search(read.model, ratio=read.ratio_mean + 2 * read.ratio_deviation)(sources, 16)
    texts = [" ".join(read.symbols[number] for number in one.ids) for one in outputs]
    assert texts == found["outputs"].tolist()
    # Sockeye's score is the negative one.
    assert [-one.score for one in outputs] == pytest.approx(found["scores"].tolist(), abs=1e-4)
    # The whole way from a sentence to its translation.
    options = {"beam_size": 5, "length_penalty": 1.0, "batch_size": 16}
    options |= {"precision": "float32", "device": "cpu", "threads": 1}
    translator = Translator(folder / "text", [folder / "model.safetensors"], **options)
    detokenizer = MosesDetokenizer("de")
    expected = [detokenizer.detokenize(re.sub("@@( |$)", "", text).split()) for text in texts]
    lines = (folder / "dev.source.txt").read_text().splitlines()
    assert translator.translate(lines, "en", "de", None) == expected


@pytest.mark.slow
def test_the_stand_in_has_the_parameters_and_settings_of_a_real_model(sockeye, tmp_path):
    folder, _ = sockeye
    read = read_sockeye_model(folder / "model")
    write_sockeye(tmp_path / "again", read.model, read.symbols, [], (read.ratio_mean, read.ratio_deviation))
    real, ours = (
        torch.load(one / "params.best", weights_only=True) for one in (folder / "model", tmp_path / "again")
    )
    assert real.keys() == ours.keys()
    for name, tensor in real.items():
        if name not in POSITIONS:
            assert torch.equal(tensor, ours[name]), name
