"""Command: the similarity of outputs and their source sentences, of a sentence encoder."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import check_targets, read_parallel, write_lines
from workflow_scripts.encoders.vectors import vectors
from workflow_scripts.seq2seq.device import Device, Precision


def similarity(
    encoder: Path,
    *,
    informal: Path,
    sources: list[Path],
    targets: list[Path],
    batch_size: int,
    max_length: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write the cosine of the vectors of each output and of the sentence that it rewrites.

    Each different text is encoded once. Raises InputError for files that are not parallel.

    :param encoder: folder that encoders.encoder wrote
    :param informal: the sentences that the outputs rewrite
    :param sources: files of outputs, parallel to `informal`
    :param targets: files to write, one cosine a line, 4 decimals, parallel to the sources
    :param max_length: longer texts are cut, in word pieces
    """
    check_targets(sources, targets)
    import numpy as np

    texts, *outputs = read_parallel(informal, *sources)
    distinct = dict.fromkeys(text for text_file in (texts, *outputs) for text in text_file)
    places = {text: place for place, text in enumerate(distinct)}
    encoded = vectors(
        encoder,
        list(places),
        batch_size=batch_size,
        max_length=max_length,
        device=device,
        precision=precision,
        threads=threads,
    )
    before = encoded[[places[text] for text in texts]]
    for target, own in zip(targets, outputs, strict=True):
        products = before.multiply(encoded[[places[text] for text in own]]).sum(axis=1)
        # Rounding may leave a vector a little longer than 1.
        cosines = np.clip(np.asarray(products).ravel(), -1, 1)
        write_lines(target, (f"{round(cosine, 4) + 0.0:.4f}" for cosine in cosines.tolist()))


if __name__ == "__main__":
    run(similarity)
