"""Command: sentences of unseen domains, for the demo's formality-controlled translation."""

from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora.demo.situations import LANGUAGES
from workflow_scripts.corpora.demo.templates import read_script
from workflow_scripts.text.levels import LEVELS


def make_held_out(out: Path, *, texts: Path, content: Path, seed: int, held_out: int) -> None:
    """Write a set of informal situations and one of formal ones, in English with marked references.

    The set `informal` is for informal translation and takes the place of MTNT, `formal` that of Taskmaster
    (Section 6.3). A set has the English sentences once, `{set}.en.txt`, and for each language both references
    with markers, `{set}.{language}.formal.annotated.txt` and `.informal.annotated.txt`.
    Raises InputError for a mistake in the templates, and if they give fewer sentences than asked for.

    :param out: folder to write
    :param texts: YAML: by set, templates in all languages
    :param held_out: number of sentences of each set
    """
    script = read_script(texts, content, seed, LEVELS)
    with writing_folder(out) as folder:
        for name in LEVELS:
            drawn = script.draw([name], "test", held_out, Random(f"held out {seed} {name}"))
            write_lines(folder / f"{name}.en.txt", (sentence.source() for sentence in drawn))
            for language in LANGUAGES[1:]:
                for style in LEVELS:
                    marked = (sentence.reference(language, style, marked=True) for sentence in drawn)
                    write_lines(folder / f"{name}.{language}.{style}.annotated.txt", marked)


if __name__ == "__main__":
    run(make_held_out)
