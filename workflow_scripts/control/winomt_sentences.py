"""Command: the sentences of WinoMT as a text that translators read."""

from pathlib import Path

from workflow_scripts.control.winomt import read_entries
from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines


def winomt_sentences(out: Path, *, entries: Path) -> None:
    """Write the English sentences, one per line; InputError for an invalid entry.

    :param out: text file to write, parallel to the entries
    :param entries: gender, position of the noun, sentence, noun, separated by tabs
    """
    write_lines(out, (sentence for _, _, sentence in read_entries(entries)))


if __name__ == "__main__":
    run(winomt_sentences)
