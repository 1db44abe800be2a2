"""The language models behind the outputs of systems, for the signatures of their scores."""

from collections.abc import Iterable
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError, nearest


def read_signatures(paths: Iterable[Path], systems: Iterable[str]) -> dict[str, str]:
    """The addition to the signatures of each system: the files, models and prompts, after a bar.

    Raises InputError for a system that is not among `systems`.

    :param paths: CSVs with the columns system and signature, as `transfer.prompt` writes them; for a system
    with several files each signature is added once
    """
    known = list(systems)
    found: dict[str, dict[str, None]] = {}
    for path in paths:
        for number, row in read_rows(path, ("system", "signature")):
            if row["system"] not in known:
                problem = f"no system '{row['system']}'"
                raise InputError(problem, path=path, line=number, fix=nearest(row["system"], known))
            found.setdefault(row["system"], {})[f"|{row['signature']}"] = None
    return {system: "".join(signatures) for system, signatures in found.items()}
