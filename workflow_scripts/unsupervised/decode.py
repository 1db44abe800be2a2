"""Command: rewrite sentences in another style with UNMT or DLSM."""

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import progress, read_lines, write_lines
from workflow_scripts.seq2seq.device import Device, Precision, prepare


def decode(
    words: Path,
    source: Path,
    target: Path,
    *,
    model: Path,
    language: str,
    style: Literal["informal", "formal"],
    batch_size: int,
    max_length: int,
    precision: Precision,
    device: Device,
    threads: int,
) -> None:
    """Write the most probable words one by one (greedy decoding, as He et al., 2020), a line for each line.

    An output is empty only where the line is. Words that the model does not know it reads as <unk>.

    :param words: the folder that learn_words wrote
    :param source: sentences in the other style
    :param target: the rewritten sentences
    :param model: folder that train wrote
    :param style: the style to write
    :param max_length: longest output in words
    """
    if batch_size < 1 or max_length < 1:
        raise InputError(f"batch_size = {batch_size}, max_length = {max_length}", fix="give at least 1")
    where, dtype = prepare(device, precision, threads)
    import numpy as np
    import torch

    from workflow_scripts.seq2seq.data import END, Sentences, Vocabulary, in_batches
    from workflow_scripts.seq2seq.dropout import Dropout
    from workflow_scripts.unsupervised.loss import Batch
    from workflow_scripts.unsupervised.model import STYLES, Model
    from workflow_scripts.unsupervised.sampling import sample
    from workflow_scripts.unsupervised.words import Words

    text = Words.load(words)
    vocabulary = Vocabulary.read(words / "vocabulary.txt")
    weights, facts = Model.read(model)
    if facts["vocabulary"] != text.digest:
        raise InputError(
            f"was trained with another vocabulary than that of {words}",
            path=model,
            fix="give the folder that it was trained with",
        )
    weights = weights.to(where)
    read = text.encode(read_lines(source), language)
    filled = np.array([place for place, sentence in enumerate(read) if sentence], dtype=np.int64)
    ids = Sentences.of([vocabulary.encode(read[place], source, place + 1) for place in filled])
    wanted = np.full(len(filled), STYLES.index(style))
    written: list[list[str]] = [[] for _ in read]
    with about(source):
        for which in progress(list(in_batches(ids.lengths, batch_size)), "decoding", unit="batch"):
            batch = Batch.of(ids, wanted, which)
            columns, lengths = (torch.from_numpy(part).to(where) for part in (batch.ids, batch.lengths))
            with torch.no_grad():
                encoded = weights.encode(columns, lengths, Dropout(), dtype)
            towards = torch.from_numpy(batch.style).to(where)
            found, _ = sample(weights, encoded, towards, longest=max_length, dtype=dtype)
            for place, sentence in zip(filled[which], found.t().tolist(), strict=True):
                written[place] = [vocabulary.symbols[number] for number in sentence[1 : sentence.index(END)]]
    write_lines(target, text.decode(written, language))


if __name__ == "__main__":
    run(decode)
