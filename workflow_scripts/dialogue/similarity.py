"""Command: the similarity of users' words in original and rewritten dialogues (Hu et al., 2022, VI-D)."""

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
    """Write the cosine of each rewritten dialogue and its original.

    A dialogue's vector is the mean of the vectors of its user's utterances. Raises InputError for a rewritten
    dialogue without an original of as many turns.

    :param table: CSV to write: dialogue, cosine (6 decimals), in the order of the rewritten dialogues
    :param polite: dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param impolite: the rewritten dialogues
    :param encoder: folder that encoders.encoder wrote
    :param max_length: largest number of word pieces of an utterance
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    known = {dialogue.id: dialogue for dialogue in read_dialogues(polite)}
    rude = read_dialogues(impolite)
    for dialogue in rude:
        if dialogue.id not in known or len(known[dialogue.id].turns) != len(dialogue.turns):
            raise InputError(f"dialogue {dialogue.id!r} is not in {polite} with as many turns", path=impolite)
    dialogues = [known[dialogue.id] for dialogue in rude] + rude
    said = [turn.user for dialogue in dialogues for turn in dialogue.turns]
    distinct = {text: place for place, text in enumerate(dict.fromkeys(said))}
    encoded = vectors(
        encoder,
        list(distinct),
        batch_size=batch_size,
        max_length=max_length,
        device=device,
        precision=precision,
        threads=threads,
    )
    # A row for each dialogue, with the weight of each of its utterances.
    sizes = [len(dialogue.turns) for dialogue in dialogues]
    shares = [1 / size for size in sizes for _ in range(size)]
    ends = [0, *accumulate(sizes)]
    places = [distinct[text] for text in said]
    means = csr_matrix((shares, places, ends), shape=(len(dialogues), len(distinct))) @ encoded
    before, after = means[: len(rude)], means[len(rude) :]
    products, *squares = (
        np.asarray(left.multiply(right).sum(axis=1)).ravel()
        for left, right in ((before, after), (before, before), (after, after))
    )
    lengths = np.sqrt(squares[0] * squares[1])
    cosines = np.divide(products, lengths, out=np.zeros(len(rude)), where=lengths > 0)
    rows = [(dialogue.id, f"{cosine:.6f}") for dialogue, cosine in zip(rude, cosines, strict=True)]
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(similarity)
