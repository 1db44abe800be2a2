"""Command: let DAST rewrite users' words."""

from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import check_targets, chunks, progress
from workflow_scripts.seq2seq.device import Device, Precision, loading, prepare
from workflow_scripts.users.rewrite_users import rewrite_files


def rewrite_by_dast(
    *,
    model: Path,
    sources: list[Path],
    targets: list[Path],
    max_length: int,
    batch_size: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write each line in the impolite style, by greedy decoding; the line itself if DAST writes nothing.

    :param model: file that users.train_dast wrote
    :param sources: users' words, one utterance per line
    :param targets: files to write, parallel to the sources
    :param max_length: largest number of words to read and to write
    :param precision: ignored, always float32
    """
    check_targets(sources, targets)
    where = prepare(device, "float32" if precision == "auto" else precision, threads)
    with loading():
        import torch

        from workflow_scripts.users import dast
    trained = dast.load(model, where)

    def write(said: Sequence[str]) -> list[str]:
        rows = [row or [dast.UNKNOWN] for row in trained.vocabulary.numbers(said, max_length)]
        written: list[str] = []
        for part in progress(list(chunks(rows, batch_size)), "rewriting", unit="batch"):
            words, lengths = dast.batch(part, where)
            with torch.no_grad():
                content = trained.network.content(words, lengths)
                styles = content.new_full((len(part),), dast.IMPOLITE)
                state = trained.network.start(content, styles, dast.USERS)
                written += trained.vocabulary.texts(trained.network.write(state, max_length).tolist())
        return written

    rewrite_files(sources, targets, write)


if __name__ == "__main__":
    run(rewrite_by_dast)
