"""Command: take over a classifier whose weights are released; nothing is trained."""

import json
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines, writing_folder
from workflow_scripts.seq2seq.checkpoints import check_tokens, own_tokens, read_model, read_tokenizer

# The file beside the model that names the source of its weights.
SIGNATURE = "signature.txt"


def released(
    model: Path,
    *,
    folder: Path,
    positive: str,
    negative: str,
    name: str,
    place: int | None = None,
    threads: int = 1,
) -> None:
    """Write a classifier as encoders.train writes one: logits of two classes, the second one positive.

    The label names in config.json (`id2label`) tell which output is positive, whatever their order; if it is
    the first, the two rows of the last layer are swapped. Raises InputError for other or missing names
    without a `place`, and for an incomplete checkpoint.

    :param model: folder to write: model.safetensors, config.json, the tokenizer, signature.txt
    :param folder: the checkpoint, as transformers saves it, with weights as safetensors
    :param positive: the name of the positive label, in any case
    :param negative: the name of the negative label, in any case
    :param name: of the checkpoint, for the signature
    :param place: the positive output, 0 or 1, whatever the names say
    """
    if place is None:
        place = positive_place(folder / "config.json", positive, negative)
    fix_threads(threads)
    import torch
    from transformers import AutoModelForSequenceClassification, logging

    from workflow_scripts.seq2seq.weights import check_finite

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    classifier = read_model(
        AutoModelForSequenceClassification,
        folder,
        "it must be a classifier, not an encoder alone",
        dtype=torch.float32,
        use_safetensors=True,
        local_files_only=True,
    )
    tokenizer = read_tokenizer(folder, local_files_only=True)
    if classifier.config.num_labels != 2:
        raise InputError(f"{classifier.config.num_labels} outputs instead of 2", path=folder)
    check_finite(classifier, folder)
    check_tokens(own_tokens(tokenizer), classifier, folder)
    if place == 0:
        last = [layer for layer in classifier.modules() if getattr(layer, "out_features", None) == 2][-1]
        with torch.no_grad():
            for values in last.parameters():
                values.copy_(values.flip(0))
    classifier.config.id2label = {0: negative, 1: positive}
    classifier.config.label2id = {negative: 0, positive: 1}
    weights = folder / "model.safetensors"
    facts = f"released weights:{name}"
    if weights.is_file():
        facts += f"@{digest(weights)[:12]}"
    with writing_folder(model) as part:
        classifier.save_pretrained(part)
        tokenizer.save_pretrained(part)
        write_lines(part / SIGNATURE, [f"{facts}|{positive}: output {place} of 2"])


def positive_place(config: Path, positive: str, negative: str) -> int:
    """The index of the positive one of two outputs, by their names in a config.json.

    Raises InputError if the names do not tell.
    """
    if not config.is_file():
        raise InputError(
            "no such file", path=config, fix="give a folder that transformers' save_pretrained wrote"
        )
    try:
        settings: Any = json.loads(config.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError("not JSON", path=config) from None
    labels = settings.get("id2label") if isinstance(settings, dict) else None
    names = [labels.get(str(place)) for place in range(2)] if isinstance(labels, dict) else []
    plain = [str(label).strip().casefold() for label in names]
    wanted = {positive.casefold(), negative.casefold()}
    if not isinstance(labels, dict) or len(labels) != 2 or set(plain) != wanted:
        raise InputError(
            f"id2label is {json.dumps(labels)}: which output means {positive} cannot be told",
            path=config,
            fix=f"call the two labels {negative} and {positive}, by what the checkpoint's authors say",
        )
    return plain.index(positive.casefold())


if __name__ == "__main__":
    run(released)
