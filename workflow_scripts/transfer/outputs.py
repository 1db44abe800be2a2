"""Command: take a file of outputs as it is, after checking that it fits the source."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines


def outputs(source: Path, output: Path, target: Path) -> None:
    """Copy a system's outputs: a user's file, a reference set (GOLD), or the source itself (COPY).

    :param source: the sentences that the system was given, one a line
    :param output: the system's file, one line for every line of `source`, none of them empty
    :param target: the copy, UTF-8 with LF
    """
    expected = len(read_lines(source))
    given = read_lines(output, filled=True)
    if len(given) != expected:
        raise InputError(
            f"has {len(given)} lines but {source} has {expected}",
            path=output,
            fix="the file needs the output for every source sentence, in the same order",
        )
    write_lines(target, given)


if __name__ == "__main__":
    run(outputs)
