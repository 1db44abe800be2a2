"""Command: how alike the users of original and rewritten dialogues speak (Hu et al., 2022, Section VI-D)."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.encoders.vectors import vectors
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.seq2seq.device import Device, Precision

COLUMNS = ("dialogue", "cosine")


def similarity(
    table: Path,
    *,
    polite: Path,
    impolite: Path,
    encoder: Path,
    batch_size: int,
    max_length: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write the cosine of each rewritten dialogue and the original one.

    A dialogue's vector is the mean of those of its users' utterances. Raises InputError for a rewritten
    dialogue that has no original one of as many turns.

    :param table: CSV to write: dialogue, cosine (6 decimals), in the order of the rewritten dialogues
    :param polite: dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param impolite: the rewritten ones
    :param encoder: folder that encoders.encoder wrote
    :param batch_size: utterances that are encoded together
    :param max_length: word pieces of an utterance at most
    :param device: where to compute; auto: on a GPU if there is one
    :param precision: number format; auto: bf16 on a GPU
    :param threads: of the processor
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    known = {one.id: one for one in read_dialogues(polite)}
    rude = read_dialogues(impolite)
    for one in rude:
        if one.id not in known or len(known[one.id].turns) != len(one.turns):
            raise InputError(f"dialogue {one.id!r} is not in {polite} with as many turns", path=impolite)
    dialogues = [known[one.id] for one in rude] + rude
    said = [turn.user for one in dialogues for turn in one.turns]
    distinct = {text: place for place, text in enumerate(dict.fromkeys(said))}
    found = vectors(
        encoder,
        list(distinct),
        batch_size=batch_size,
        max_length=max_length,
        device=device,
        precision=precision,
        threads=threads,
    )
    # A row for each dialogue, with the share of each of its utterances.
    sizes = [len(one.turns) for one in dialogues]
    shares = [1 / size for size in sizes for _ in range(size)]
    ends = [0, *accumulate(sizes)]
    places = [distinct[text] for text in said]
    means = csr_matrix((shares, places, ends), shape=(len(dialogues), len(distinct))) @ found
    before, after = means[: len(rude)], means[len(rude) :]
    products, *squares = (
        np.asarray(one.multiply(two).sum(axis=1)).ravel()
        for one, two in ((before, after), (before, before), (after, after))
    )
    lengths = np.sqrt(squares[0] * squares[1])
    cosines = np.divide(products, lengths, out=np.zeros(len(rude)), where=lengths > 0)
    rows = [(one.id, f"{cosine:.6f}") for one, cosine in zip(rude, cosines, strict=True)]
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(similarity)
