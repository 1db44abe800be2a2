"""Command: Table 8 of XFORMAL, example system outputs on random sentences."""

import random
import re
from difflib import SequenceMatcher
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.papers.xformal.texts import read_texts

# Words, including those joined by apostrophes and hyphens, and single punctuation marks.
TOKEN = re.compile(r"\w+(?:['’-]\w+)*['’]?|[^\w\s]")
OPEN, CLOSE = "[[", "]]"


def examples(table: Path, *, texts: Path, size: int, seed: int) -> None:
    """Write every system's output for a few random sentences, with the changed words marked.

    The first text of a language is the one that the others are compared with; a system with several runs
    shows the first. A token is changed if it is in no longest common run of tokens (case-sensitive);
    neighbours share a mark. Omissions are not marked, as in the paper.

    :param table: CSV to write: lang, id (line of the sentence in its file, from 1), system, text, marked (the
        text with changed words as [[word]]; brackets of its own have a space between them)
    :param texts: manifest of the texts, one sentence per line, parallel within a language: language (code),
        label (its row), text
    :param size: sentences per language; all of them if there are fewer
    """
    rows = []
    for language, by_label in read_texts(texts).items():
        source = next(iter(by_label.values()))[0]
        draw = random.Random(f"examples {seed} {language}")
        for number in sorted(draw.sample(range(len(source)), min(size, len(source)))):
            for label, runs in by_label.items():
                text = runs[0][number]
                rows.append([language, number + 1, label, text, marked(source[number], text)])
    write_csv(table, ("lang", "id", "system", "text", "marked"), rows)


def marked(source: str, text: str) -> str:
    """The text with [[ ]] around the tokens that differ from the source, neighbours in one mark."""
    spans = [match.span() for match in TOKEN.finditer(text)]
    before, after = TOKEN.findall(source), [text[start:end] for start, end in spans]
    pieces: list[str] = []
    done = 0
    for kind, _, _, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind in ("replace", "insert"):
            start, end = spans[first][0], spans[last - 1][1]
            pieces += [*text[done:start], OPEN, *text[start:end], CLOSE]
            done = end
    result = ""
    for piece in [*pieces, *text[done:]]:
        # The space keeps the text's own brackets from looking like a mark.
        beside = piece[0] in "[]" and result.endswith(piece[0])
        result += f" {piece}" if beside else piece
    return result


if __name__ == "__main__":
    run(examples)
