"""Command: let a trained style transfer rewrite users' words."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import check_targets, read_lines, write_lines
from workflow_scripts.language_models.model import load
from workflow_scripts.language_models.texts import ENDS
from workflow_scripts.seq2seq.device import Device, Precision, prepare


def rewrite_users(
    *,
    model: Path,
    sources: list[Path],
    targets: list[Path],
    prompt: str = "",
    max_length: int,
    batch_size: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write a rewrite for each line of each file, greedily; the line itself where the model writes nothing.

    :param model: folder that users.fine_tune wrote, of T5's kind or BART's
    :param sources: users' words, one utterance per line
    :param targets: files to write, parallel to the sources
    :param prompt: text before each utterance
    :param max_length: largest number of tokens to read and to write
    """
    check_targets(sources, targets)
    where = prepare(device, precision, threads)
    writer = load(model, "encoder_decoder", where)
    for part in writer.models:
        part.eval()

    def write(said: Sequence[str]) -> Sequence[str]:
        return writer.write(
            "response",
            [f"{prompt}{text}" for text in said],
            ENDS["response"],
            max_length,
            longest=max_length,
            batch_size=batch_size,
        )

    rewrite_files(sources, targets, write)


def rewrite_files(
    sources: Sequence[Path], targets: Sequence[Path], write: Callable[[Sequence[str]], Sequence[str]]
) -> None:
    """Rewrite the lines of files; repeated utterances are rewritten once.

    `write`: returns a rewrite of each utterance, or an empty string if there is none.
    """
    files = [read_lines(path, filled=True) for path in sources]
    said = list(dict.fromkeys(text for file in files for text in file))
    begin = time.perf_counter()
    written = write(said)
    seconds = time.perf_counter() - begin
    rewritten = {text: rewrite or text for text, rewrite in zip(said, written, strict=True)}
    empty = sum(not rewrite for rewrite in written)
    print(
        f"{len(said)} utterances in {seconds:.1f} s; {empty} have no rewrite and stay as they are",
        file=sys.stderr,
    )
    for path, file in zip(targets, files, strict=True):
        write_lines(path, [rewritten[text] for text in file])


if __name__ == "__main__":
    run(rewrite_users)
