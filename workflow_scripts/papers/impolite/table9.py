"""Command: Table IX of Hu et al. (2022), turns and the delexicalised responses of the systems."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.dialogue.compare import NONE, read_responses
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.delex import delexicalise
from workflow_scripts.multiwoz.outputs import read_outputs

COLUMNS = ("dialogue", "turn", "who", "text")
ORIGINAL, IMPOLITE, GROUNDTRUTH = "Original User", "Impolite User", "Groundtruth"


def table9(
    table: Path,
    *,
    responses: Path,
    systems: Path,
    polite: Path,
    examples: int,
    seed: int,
    impolite: Path | None = None,
    written_by: str = "",
) -> None:
    """Write turns drawn at random, with the user's words, the reference response and the systems'.

    Without rewritten dialogues there are no rows.

    :param table: CSV to write: dialogue, turn (from 0), who, text
    :param responses: manifest of the response files, as for dialogue.compare; the first training is shown
    :param systems: manifest of the rows: system, label (the name in the paper)
    :param polite: the dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param examples: the number of turns
    :param impolite: the rewritten dialogues
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    rude = read_dialogues(impolite) if impolite else []
    originals = {dialogue.id: dialogue for dialogue in read_dialogues(polite)}
    if missing := [dialogue.id for dialogue in rude if dialogue.id not in originals]:
        raise InputError(f"dialogue {missing[0]!r} is not in {polite}", path=impolite)
    labels = {name: label for name, label in read_manifest(systems, ("system", "label"))}
    answers = {
        labels.get(name, name): read_outputs(Path(file), rude)
        for name, ((_, _, file), *_) in read_responses(responses).items()
        if file != NONE and rude
    }
    turns = [(dialogue.id, number) for dialogue in rude for number in range(len(dialogue.turns))]
    chosen = sorted(random.Random(seed).sample(range(len(turns)), min(examples, len(turns))))
    words = {dialogue.id: dialogue for dialogue in rude}
    rows = []
    for name, number in (turns[place] for place in chosen):
        said = originals[name].turns[number]
        texts = {
            ORIGINAL: said.user,
            f"{IMPOLITE} ({written_by})" if written_by else IMPOLITE: words[name].turns[number].user,
            GROUNDTRUTH: delexicalise(said),
            **{label: outputs[name][number].response for label, outputs in answers.items()},
        }
        rows += [[name, number, who, text] for who, text in texts.items()]
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(table9)
