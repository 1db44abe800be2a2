"""The three backends, without a network: stubs, and tiny checkpoints with random weights."""

from __future__ import annotations

import shutil
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.translation.backends import Aws, HuggingFace, Nmt
from workflow_scripts.translation.translate import translate

WHERE: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
NMT: dict[str, Any] = {"beam_size": 2, "length_penalty": 1.0, "batch_size": 4, **WHERE}


@pytest.fixture
def nmt_files(tmp_path: Path) -> dict[str, Any]:
    """A text model and a model, both made of nothing."""
    write_lines(tmp_path / "text" / "vocabulary.txt", ["<pad>"])
    write_lines(tmp_path / "text" / "truecase.en.txt", ["a (1/1)"])
    write_lines(tmp_path / "m0", ["weights"])
    write_lines(tmp_path / "m1", ["other weights"])
    return {"text_model": tmp_path / "text", "models": [tmp_path / "m0", tmp_path / "m1"]}


def test_nmt_identity_is_all_that_matters(nmt_files: dict[str, Any], tmp_path: Path) -> None:
    def identity(**changes: Any) -> str:
        return Nmt(("en", "pt"), **{**nmt_files, **NMT, **changes}).model

    first = identity()
    assert len(first) == 64
    assert identity(batch_size=64, threads=2, device="cuda") == first
    (tmp_path / "copy").write_bytes((tmp_path / "m0").read_bytes())
    assert identity(models=[tmp_path / "copy", tmp_path / "m1"]) == first
    changed = [
        identity(beam_size=3),
        identity(length_penalty=0.6),
        identity(precision="bf16"),
        identity(models=[tmp_path / "m0"]),
    ]
    write_lines(tmp_path / "text" / "truecase.en.txt", ["A (1/1)"])
    changed.append(identity())
    assert len({first, *changed}) == 6


def test_auto_is_resolved_before_the_cache_is_asked(
    nmt_files: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Nmt] = []
    monkeypatch.setattr(
        "workflow_scripts.translation.translate.translate_files", lambda chosen, *rest: made.append(chosen)
    )
    for device, precision in (("cpu", "float32"), ("auto", "auto"), ("auto", "bf16")):
        monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
        translate(
            backend="nmt",
            source_language="en",
            target_language="pt",
            sources=[tmp_path / "in"],
            targets=[tmp_path / "out"],
            cache=tmp_path / "cache",
            **{**nmt_files, **NMT, "device": device, "precision": precision},
        )
    assert [(one.settings["device"], one.settings["precision"]) for one in made] == [
        ("cpu", "float32"),
        ("cpu", "float32"),
        ("cpu", "bf16"),
    ]
    assert made[0].model == made[1].model != made[2].model


def test_nmt_without_files(nmt_files: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"txt: no such folder; did you mean 'text'\?"):
        Nmt(("en", "pt"), text_model=tmp_path / "txt", models=nmt_files["models"], **NMT)  # type: ignore[arg-type]


def test_nmt_is_loaded_only_if_something_is_new(
    nmt_files: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []

    class Translator:
        def __init__(self, *positional: Any, **options: Any) -> None:
            calls.append((positional, options))

        def translate(self, texts: list[str], source: str, target: str, tag: str) -> list[str]:
            calls.append((texts, source, target, tag))
            return [text[::-1] for text in texts]

    module = types.ModuleType("workflow_scripts.seq2seq.translator")
    module.Translator = Translator  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "workflow_scripts.seq2seq.translator", module)
    monkeypatch.setitem(sys.modules, "workflow_scripts.seq2seq", types.ModuleType("workflow_scripts.seq2seq"))
    write_lines(tmp_path / "in", ["ab", "cd", "ab"])

    def go() -> list[str]:
        translate(
            backend="nmt",
            source_language="en",
            target_language="pt",
            sources=[tmp_path / "in"],
            targets=[tmp_path / "out"],
            cache=tmp_path / "cache",
            **{**nmt_files, **NMT},
        )
        return read_lines(tmp_path / "out")

    assert go() == ["ba", "dc", "ba"]
    assert calls == [
        ((nmt_files["text_model"], nmt_files["models"]), NMT),
        (["ab", "cd"], "en", "pt", "<2pt>"),
    ]
    calls.clear()
    assert go() == ["ba", "dc", "ba"] and calls == []


@pytest.mark.parametrize(
    ("backend", "options", "message"),
    [
        ("nmt", {"beam_size": 5}, "backend nmt needs --text-model, --models, --length-penalty, --precision"),
        ("hf", {"beam_size": 5, "threads": 1}, "backend hf needs --checkpoint, --precision, --device"),
        ("aws", {"region": "x"}, "backend aws needs --price-per-million, --max-cost"),
        ("hf", {"checkpoint": "a/b", "beam_size": 1, **WHERE}, "40-digit commit"),
        ("hf", {"checkpoint": "a/b", "beam_size": 1, **WHERE, "device": "cuda"}, "no usable GPU"),
        ("nmt", {"text_model": Path("x"), "models": [Path("y")], **NMT, "device": "cuda"}, "no usable GPU"),
        ("aws", {"targets": []}, "1 sources but 0 targets"),
    ],
)
def test_missing_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: Any, options: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
    given: dict[str, Any] = {
        "sources": [tmp_path / "a"],
        "targets": [tmp_path / "b"],
        "batch_size": 2,
        **options,
    }
    with pytest.raises(InputError, match=message):
        translate(
            backend=backend,
            source_language="en",
            target_language="pt",
            cache=tmp_path / "c",
            **given,
        )


# --- Amazon Translate ---


@pytest.fixture
def aws_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No credentials, wherever boto3 looks, and no network."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def credentials(aws_environment: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials that look right."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "y")


def aws(**changes: Any) -> Aws:
    """A backend for Italian."""
    return Aws(("it", "en"), **{"region": "us-east-1", "price_per_million": 15.0, **changes})


def test_aws_counts_every_character() -> None:
    assert aws().cost(["é bom", "", "\U0001f600"]) == pytest.approx(6 * 15e-6)


def test_aws_asks_for_each_sentence(credentials: None) -> None:
    from botocore.stub import Stubber

    backend = aws()
    assert backend.largest_batch == 1
    assert backend.client.meta.region_name == "us-east-1"
    with Stubber(backend.client) as stub:
        for text in ("ciao", "sì"):
            stub.add_response(
                "translate_text",
                {"TranslatedText": text.upper(), "SourceLanguageCode": "it", "TargetLanguageCode": "en"},
                {"Text": text, "SourceLanguageCode": "it", "TargetLanguageCode": "en"},
            )
        assert backend.translate(["ciao", "sì"]) == ["CIAO", "SÌ"]
        stub.assert_no_pending_responses()
        stub.add_client_error("translate_text", "UnrecognizedClientException", "bad token", 400)
        with pytest.raises(InputError, match=r"refused .*bad token"):
            backend.translate(["ciao"])
        with pytest.raises(InputError, match="10001 bytes is too long"):
            backend.translate(["x" * 10_001])


def test_aws_repeats_throttled_requests(credentials: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from botocore.awsrequest import AWSResponse

    backend = aws()
    answers = [
        (400, b'{"__type": "ThrottlingException", "message": "slower"}'),
        (503, b"{}"),
        (200, b'{"TranslatedText": "hi", "SourceLanguageCode": "it", "TargetLanguageCode": "en"}'),
    ]
    sent = []

    class Raw:
        def __init__(self, body: bytes) -> None:
            self.body = body

        def stream(self, **_: Any) -> list[bytes]:
            return [self.body]

    def send(request: Any, **_: Any) -> AWSResponse:
        status, body = answers[len(sent)]
        sent.append(request)
        return AWSResponse(request.url, status, {}, Raw(body))

    backend.client.meta.events.register("before-send.translate.TranslateText", send)
    monkeypatch.setattr("time.sleep", lambda _: None)
    assert backend.translate(["ciao"]) == ["hi"]
    assert len(sent) == 3


def test_aws_without_credentials(aws_environment: None, tmp_path: Path) -> None:
    write_lines(tmp_path / "in", ["ciao"])
    options: dict[str, Any] = {
        "backend": "aws",
        "source_language": "it",
        "target_language": "en",
        "sources": [tmp_path / "in"],
        "targets": [tmp_path / "out"],
        "cache": tmp_path / "c",
        "batch_size": 9,
        "region": "us-east-1",
        "price_per_million": 15.0,
    }
    with pytest.raises(InputError, match="no AWS credentials"):
        translate(**options, max_cost=1.0)
    with pytest.raises(InputError, match=r"4 characters would cost \$0\.0001, above \$0"):
        translate(**options, max_cost=0.0)


# --- transformers ---


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentencepiece model in the layout that both tokenizers know."""
    import sentencepiece

    folder = tmp_path_factory.mktemp("spm")
    sentences = ["the cat sees a dog .", "o gato vê um cão .", "il gatto vede un cane ."] * 5
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_prefix=str(folder / "m"),
        vocab_size=60,
        model_type="bpe",
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "m.model"


@pytest.fixture(scope="module")
def marian(pieces: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Marian checkpoint of one layer."""
    import json
    import shutil

    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder = tmp_path_factory.mktemp("marian")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    known = [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
    vocabulary = {piece: i for i, piece in enumerate(["</s>", "<unk>", *known, ">>pob<<", "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    for name in ("source.spm", "target.spm"):
        shutil.copy(pieces, folder / name)
    tokenizer = MarianTokenizer(
        source_spm=str(folder / "source.spm"),
        target_spm=str(folder / "target.spm"),
        vocab=str(folder / "vocab.json"),
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    pad = vocabulary["<pad>"]
    config = MarianConfig(
        vocab_size=len(vocabulary),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        max_position_embeddings=64,
        pad_token_id=pad,
        eos_token_id=0,
        bos_token_id=0,
        decoder_start_token_id=pad,
        forced_eos_token_id=0,
    )
    MarianMTModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def nllb(pieces: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An NLLB checkpoint of one layer."""
    import sentencepiece
    import torch
    from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer

    folder = tmp_path_factory.mktemp("nllb")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    known = [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
    vocabulary = {piece: i for i, piece in enumerate(["<s>", "<pad>", "</s>", "<unk>", *known])}
    tokens = NllbTokenizer(
        vocab=vocabulary,
        merges=[],
        additional_special_tokens=["eng_Latn", "fra_Latn", "ita_Latn", "por_Latn"],
    )
    tokens.save_pretrained(folder)
    torch.manual_seed(1)
    config = M2M100Config(
        vocab_size=len(tokens),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        max_position_embeddings=64,
        pad_token_id=1,
        eos_token_id=2,
        bos_token_id=0,
        decoder_start_token_id=2,
    )
    M2M100ForConditionalGeneration(config).save_pretrained(folder)
    return folder


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


def test_marian_translates(marian: Path, tmp_path: Path) -> None:
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


def test_a_checkpoint_with_a_weight_that_is_no_number_is_refused(marian: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(marian, tmp_path / "broken")
    (file,) = (tmp_path / "broken").glob("*.safetensors")
    tensors = load_file(file)
    name = next(name for name in tensors if name.endswith("fc1.weight"))
    tensors[name].view(-1)[3] = float("nan")
    save_file(tensors, file, metadata={"format": "pt"})
    with pytest.raises(InputError, match=rf"broken: weights that are not finite \('{name}'\); get it again"):
        hf(tmp_path / "broken").translate(["the dog ."])


def test_marian_in_mixed_precision(marian: Path) -> None:
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


def test_marian_prefix_chooses_the_language(marian: Path) -> None:
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


def test_nllb_forces_the_target_language(nllb: Path) -> None:
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


def test_checkpoint_identity(marian: Path, nllb: Path) -> None:
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


def test_a_folder_that_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot load checkpoint"):
        hf(tmp_path).translate(["x"])
