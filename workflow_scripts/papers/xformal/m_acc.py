"""Command: M-Acc of every system (CoCoA-MT, Section 3), if formality is annotated in the references.

The paper has no such table. Its formality metric is a regressor trained on rated English sentences, which is
blind to the difference between tu and vous; M-Acc measures nothing else.
"""

from pathlib import Path
from statistics import fmean

from workflow_scripts.control.matching import LABELS, Mode, accuracy, label
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.xformal.texts import read_texts as read_outputs
from workflow_scripts.statistics.metrics import MAcc
from workflow_scripts.text.levels import LEVELS

COLUMNS = (MAcc.name, "matched", *(name.lower() for name in LABELS))


def m_acc(
    table: Path,
    *,
    texts: Path,
    corpora: list[Path] | None = None,
    languages: list[str] | None = None,
    mode: Mode = "released",
) -> None:
    """Write a row per language and system, all numbers in per cent with one decimal, means over runs.

    M-Acc is the share of FORMAL outputs among those that are FORMAL or INFORMAL; it is empty if there are
    none. `matched`, the share of these, and the four labels are in per cent of all outputs. Without annotated
    references the table has no rows. Raises InputError if outputs and a corpus' test sentences are not
    parallel.

    :param table: CSV to write: language, system, m_acc, matched, formal, informal, neutral, other
    :param texts: manifest of the outputs: language (its code), label (its row), text
    :param corpora: the canonical folder of CoCoA-MT of each language
    :param languages: the codes of these languages
    :param mode: how phrases are matched; see `control.matching`
    """
    folders = by_language(languages or [], corpora=corpora or [])
    rows = []
    for language, systems in read_outputs(texts).items():
        folder = folders[language]["corpora"]
        annotated = read_texts(folder, "test", [f"{level}.annotated" for level in LEVELS])
        for system, runs in systems.items():
            by_run = []
            for outputs in runs:
                if len(outputs) != len(annotated[0]):
                    raise InputError(
                        f"{system}: {len(outputs)} outputs for {len(annotated[0])} annotated references",
                        path=folder,
                        fix="the test sentences must be those of the corpus",
                    )
                labels = [
                    label(*row, mode=mode, language=language) for row in zip(outputs, *annotated, strict=True)
                ]
                shares = {name: 100 * labels.count(name) / len(labels) for name in LABELS}
                matched = shares["FORMAL"] + shares["INFORMAL"]
                by_run.append(
                    (100 * accuracy(labels, "FORMAL") if matched else None, matched, *shares.values())
                )
            # A run without matched outputs has no M-Acc.
            numbers = [
                [number for number in column if number is not None] for column in zip(*by_run, strict=True)
            ]
            rows.append([language, system, *(rounded(fmean(known), 1) if known else "" for known in numbers)])
    write_csv(table, ("language", "system", *COLUMNS), rows)


if __name__ == "__main__":
    run(m_acc)
