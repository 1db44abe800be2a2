"""Command: take over a translator that Sockeye 3 has trained; nothing is trained."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, writing_folder


def read_sockeye(folder: Path, text: Path, model: Path, *, language: str) -> None:
    """Write the text model and the model of a translator as seq2seq.train_transformer reads them.

    The folder is as Sockeye writes it (params.best, config, vocab.src.0.json, vocab.trg.0.json), with the
    merges of subword-nmt as bpe_codes, as IWSLT 2022's baseline models are released. Only tensors are read
    of the pickle. Raises InputError if a file is missing, or the model is of another kind than CoCoA-MT's.

    :param folder: the folder of the model
    :param text: the folder of the text model to write
    :param model: the model to write
    """
    from workflow_scripts.seq2seq.device import loading

    with loading():
        from workflow_scripts.seq2seq.sockeye import PARAMETERS, read_sockeye_model
    from workflow_scripts.text.sockeye_text import CODES, Codes, SockeyeText

    read = read_sockeye_model(folder)
    codes = folder / CODES
    if not codes.is_file():
        raise InputError("no such file", path=codes, fix="put the merges of subword-nmt beside the model")
    pipeline = SockeyeText(Codes.load(codes, read.symbols), ["en", language])
    with writing_folder(text) as part:
        pipeline.save(part)
    facts = {
        "vocabulary": pipeline.digest,
        "length_ratio": read.ratio_mean,
        "length_ratio_deviation": read.ratio_deviation,
        "sockeye": digest(folder / PARAMETERS),
    }
    read.model.write(model, facts)
    parameters = sum(parameter.numel() for parameter in read.model.parameters())
    print(f"{model}: {parameters / 1e6:.1f} million parameters, {read.model.sizes}", file=sys.stderr)
    print(f"SHA-256 of {PARAMETERS}: {facts['sockeye']}", file=sys.stderr)


if __name__ == "__main__":
    run(read_sockeye)
