"""Command: split users' words for a style transfer: training, test and the rest (Hu et al., 2022)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.encoders.classes import write_label
from workflow_scripts.multiwoz.data import read_dialogues

NAMES = ("dialogue", "original", "impolite")


def pairs(out: Path, *, rewrites: Path, train: Path, folds: list[Path]) -> None:
    """Write pairs of an utterance and its rewrite, and the training dialogues without rewrites.

    The paper does not describe its split; this split is by dialogue, along MultiWOZ's own folds. A
    classifier learns from the same dialogues as the transfer, and neither sees those of the test. Raises
    InputError if a part has no dialogue.

    :param out: folder to write: learnt.polite.txt and learnt.impolite.txt, parallel, the rewritten dialogues
        of MultiWOZ's training part that are not tested; learnt.words.txt and learnt.labels.txt, both sides
        in succession, with -1 for polite and 1 for impolite; tested.polite.txt and tested.impolite.txt, the
        test part; rest.jsonl, the training dialogues without rewrites, and rest.polite.txt, all their users'
        utterances
    :param rewrites: table of the rewritten turns
    :param train: MultiWOZ's training dialogues
    :param folds: the dialogues whose rewrites are tested
    """
    dialogues = read_dialogues(train)
    tested = {dialogue.id for path in folds for dialogue in read_dialogues(path)}
    parts = {"learnt": {dialogue.id for dialogue in dialogues} - tested, "tested": tested}
    rows = [row for _, row in read_rows(rewrites, NAMES)]
    for part, names in parts.items():
        chosen = [row for row in rows if row["dialogue"] in names]
        if not chosen:
            raise InputError(f"no rewritten dialogue to be {part}", path=rewrites, fix="see dialogue.folds")
        write_lines(out / f"{part}.polite.txt", [plain(row["original"]) for row in chosen])
        write_lines(out / f"{part}.impolite.txt", [plain(row["impolite"]) for row in chosen])
        if part == "learnt":
            sides = [("original", write_label(False)), ("impolite", write_label(True))]
            labelled = [(plain(row[side]), style) for side, style in sides for row in chosen]
            write_lines(out / "learnt.words.txt", [text for text, _ in labelled])
            write_lines(out / "learnt.labels.txt", [style for _, style in labelled])
    taken = tested | {row["dialogue"] for row in rows}
    rest = [
        (dialogue, line)
        for dialogue, line in zip(dialogues, read_lines(train), strict=True)
        if dialogue.id not in taken
    ]
    if not rest:
        raise InputError("all training dialogues are rewritten: none is left to rewrite", path=train)
    write_lines(out / "rest.jsonl", [line for _, line in rest])
    write_lines(
        out / "rest.polite.txt", [plain(turn.user) for dialogue, _ in rest for turn in dialogue.turns]
    )


def plain(text: str) -> str:
    """An utterance on one line; a dash if it has no words, since no line may be empty."""
    return " ".join(text.split()) or "-"


if __name__ == "__main__":
    run(pairs)
