"""Command: Figure 3 of Hu et al. (2022), effects of three dialogue attributes on a system's metrics."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.dialogue.evaluate import score
from workflow_scripts.dialogue.similarity import COLUMNS as COSINES
from workflow_scripts.figures.lines import lines
from workflow_scripts.figures.look import save, styled
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import Database, load_database
from workflow_scripts.multiwoz.outputs import Outputs, read_outputs
from workflow_scripts.papers.impolite.bins import BINS, bins
from workflow_scripts.papers.impolite.ratings import politeness_of
from workflow_scripts.papers.impolite.systems import METRICS
from workflow_scripts.papers.impolite.table2 import caveat_of
from workflow_scripts.statistics.metrics import Combined

LENGTH, POLITENESS, ALIKE = "(a) sentence length", "(b) politeness score", "(c) semantic similarity"
COLUMNS = ("attribute", "bin", "dialogues", "low", "high", *METRICS)

# Attribute -> dialogue -> value.
Attributes = dict[str, dict[str, float]]


def figure3(
    figure: Path,
    table: Path,
    *,
    polite: Path,
    databases: list[Path],
    label: str,
    impolite: Path | None = None,
    rewrites: Path | None = None,
    responses: list[Path] | None = None,
    similarities: Path | None = None,
    written_by: str = "",
) -> None:
    """Draw the drop of each metric with impolite users, by attributes of their dialogues.

    Dialogues are sorted by sentence length (mean words of the impolite user's turns), by politeness score
    (mean rating) or by semantic similarity of the original and the impolite user's turns (cosine of a
    sentence encoder), and split into five equal bins (see `bins`). The drop in a bin is the metric with the
    original users minus that with the impolite ones. Without rewritten dialogues or ratings, panels are
    empty.

    :param figure: SVG to write
    :param table: CSV to write: attribute, bin, dialogues, low, high (of the attribute), one column per metric
    :param polite: dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param label: the system's label
    :param impolite: the rewritten ones
    :param rewrites: table of the rewritten turns and their ratings
    :param responses: the system's responses to the polite and to the impolite dialogues
    :param similarities: the file that dialogue.similarity wrote for both
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    rows: list[list[str]] = []
    panels: dict[str, dict[str, list[float]]] = {LENGTH: {}, POLITENESS: {}, ALIKE: {}}
    if impolite and rewrites and responses and similarities:
        originals, rude = read_dialogues(polite), read_dialogues(impolite)
        database = load_database(*databases)
        answers = [read_outputs(file, of) for file, of in zip(responses, (originals, rude), strict=True)]
        by_id = {dialogue.id: dialogue for dialogue in originals}
        if missing := [dialogue.id for dialogue in rude if dialogue.id not in by_id]:
            raise InputError(f"dialogue {missing[0]!r} is not in {polite}", path=impolite)
        for name, values in _attributes(rude, rewrites, similarities).items():
            for place, bin_ in enumerate(bins(values), 1):
                lost = _lost(by_id, {dialogue.id: dialogue for dialogue in rude}, bin_, answers, database)
                for metric, drop in lost.items():
                    panels[name].setdefault(metric, []).append(drop)
                ends = (rounded(values[bin_[0]], 2), rounded(values[bin_[-1]], 2))
                losses = [rounded(drop, 1) for drop in lost.values()]
                rows.append([name, str(place), str(len(bin_)), *ends, *losses])
    write_csv(table, COLUMNS, rows)
    places = [f"bin {place}" for place in range(1, BINS + 1)]
    with styled():
        save(
            lines(
                panels,
                places=places,
                label=caveat_of(written_by) or "impolite dialogues",
                value="original - impolite",
            ),
            figure,
            title=f"Effects of impolite users on {label} (Hu et al., Figure 3)",
            description=" ".join(
                f"{name}: combined score lower by"
                f" {', '.join(rounded(drop, 1) for drop in drawn[Combined.label])} in the five bins."
                for name, drawn in panels.items()
                if drawn
            )
            or "There are no impolite dialogues.",
        )


def _attributes(rude: Sequence[Dialogue], rewrites: Path, similarities: Path) -> Attributes:
    """The attributes by which dialogues are sorted; politeness only if all dialogues have ratings."""
    lengths = {dialogue.id: fmean(len(turn.user.split()) for turn in dialogue.turns) for dialogue in rude}
    attributes = {LENGTH: lengths}
    ratings = politeness_of(rewrites, lengths)
    if len(ratings) == len(lengths):
        attributes[POLITENESS] = {name: ratings[name] for name in lengths}
    cosines = {row[0]: number(row[1], similarities, line) for line, row in read_keyed(similarities, COSINES)}
    if missing := lengths.keys() - cosines.keys():
        raise InputError(f"no cosine for dialogue {min(missing)!r}", path=similarities, fix="make it again")
    attributes[ALIKE] = {name: cosines[name] for name in lengths}
    return attributes


def _lost(
    originals: Mapping[str, Dialogue],
    rude: Mapping[str, Dialogue],
    names: Sequence[str],
    answers: Sequence[Outputs],
    database: Database,
) -> dict[str, float]:
    """The drop of each metric with impolite users, in the named dialogues."""
    before, after = (
        score([dialogues[name] for name in names], {name: outputs[name] for name in names}, database)
        for dialogues, outputs in zip((originals, rude), answers, strict=True)
    )
    return {
        metric: float(getattr(before, name)) - float(getattr(after, name)) for metric, name in METRICS.items()
    }


if __name__ == "__main__":
    run(figure3)
