"""Command: turn a released dialogue system, from the hub or an archive, into a model of this project."""

import json
import shutil
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import reading, writing_folder
from workflow_scripts.core.hub import snapshot
from workflow_scripts.language_models.model import add_pieces
from workflow_scripts.responders.templates import TEMPLATES, Name
from workflow_scripts.seq2seq.checkpoints import PICKLED, WEIGHTS, read_config, read_tokenizer, unpickle
from workflow_scripts.seq2seq.device import loading_checkpoint

CONFIG = "config.json"
# A tokenizer of T5 as they stored it: sentencepiece's pieces, and the added tokens.
PIECES, ADDED, SETTINGS = "spiece.model", "added_tokens.json", "tokenizer_config.json"
FILES = (
    *(PICKLED, WEIGHTS, CONFIG, "vocab.json", "merges.txt", PIECES, SETTINGS, ADDED),
    "special_tokens_map.json",
)


def released(
    folder: Path,
    *,
    template: Name,
    checkpoint: str | None = None,
    revision: str | None = None,
    archive: Path | None = None,
) -> None:
    """Take one commit of a checkpoint, or a zip that contains one, and write its weights as safetensors.

    Only tensors are read from a pickle (`weights_only`): a pickle that would run code is an InputError. The
    written vocabulary has all pieces of the format.

    :param folder: transformers folder to write
    :param template: the system's format
    :param checkpoint: name in the hub
    :param revision: commit, 40 hexadecimal digits
    :param archive: zip with a transformers folder, instead of the hub
    """
    if (archive is None) == (checkpoint is None) or (checkpoint is None) != (revision is None):
        raise InputError("give --checkpoint and --revision, or --archive")
    with writing_folder(folder) as part:
        fix = "check the network, and name and revision of the system"
        name = str(archive or checkpoint)
        if archive is not None:
            fix = "get it again"
            unzip(archive, part)
        elif checkpoint is not None and revision is not None:
            snapshot(checkpoint, revision, part, allowed=FILES, fix=fix)
        if not (part / WEIGHTS).exists():
            if not (part / PICKLED).exists():
                raise InputError(f"neither {WEIGHTS} nor {PICKLED}", path=name, fix=fix)
            unpickle(part, name)
        (part / PICKLED).unlink(missing_ok=True)
        if (part / PIECES).exists():
            with loading_checkpoint(name):
                tokenizer = of_sentencepiece(part)
        else:
            tokenizer = read_tokenizer(part, name=name)
        known = getattr(read_config(part, name=name), "vocab_size", 0)
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        add_pieces(tokenizer, TEMPLATES[template]().pieces([]))
        if len(tokenizer) > known:
            raise InputError(f"a vocabulary of {known}, without pieces of the format '{template}'", path=name)
        tokenizer.save_pretrained(part)


def unzip(archive: Path, folder: Path) -> None:
    """Write only the files of the transformers folder in a zip, wherever in the zip it is.

    Raises InputError if the file is not a complete zip, or does not have exactly one such folder.
    """
    try:
        with reading(archive), zipfile.ZipFile(archive) as file:
            members = {PurePosixPath(name): name for name in file.namelist()}
            folders = [path.parent for path in members if path.name == CONFIG]
            if len(folders) != 1:
                raise InputError(f"{len(folders)} folders with a {CONFIG} instead of one", path=archive)
            for name in FILES:
                if (member := members.get(folders[0] / name)) is not None:
                    with file.open(member) as source, (folder / name).open("wb") as target:
                        shutil.copyfileobj(source, target, 1 << 20)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputError(f"not a complete zip ({error})", path=archive, fix="get it again") from None


def of_sentencepiece(folder: Path) -> Any:
    """The tokenizer of a folder with sentencepiece's files, which it removes.

    T5's sentinels follow the pieces in descending order, then the added tokens by their numbers. Unlike
    sentencepiece it does not normalise characters.
    """
    import sentencepiece
    from tokenizers import AddedToken
    from transformers import T5Tokenizer

    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / PIECES))
    pieces = [(model.id_to_piece(number), model.get_score(number)) for number in range(model.vocab_size())]
    settings, added = (
        json.loads(path.read_text(encoding="utf-8")) if (path := folder / name).exists() else {}
        for name in (SETTINGS, ADDED)
    )
    extra = settings.get("extra_ids", 100)
    pieces += [(f"<extra_id_{number}>", 0.0) for number in reversed(range(extra))]
    tokenizer = T5Tokenizer(pieces, extra_ids=extra)
    for mark, number in sorted(added.items(), key=lambda entry: entry[1]):
        tokenizer.add_tokens([AddedToken(mark, lstrip=True, rstrip=False)])
        if tokenizer.convert_tokens_to_ids(mark) != number:
            raise ValueError(f"{ADDED}: {mark!r} cannot be number {number}")
    for name in (PIECES, ADDED, SETTINGS, "special_tokens_map.json"):
        (folder / name).unlink(missing_ok=True)
    return tokenizer


if __name__ == "__main__":
    run(released)
