"""Command: the demo world's XFORMAL, in the layout of the real corpus."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora import xformal as layout
from workflow_scripts.corpora.demo.rewrites import other_rewrites
from workflow_scripts.corpora.demo.situations import LANGUAGES
from workflow_scripts.corpora.demo.world import World


def make_xformal(out: Path, *, world: Path, xformal: int) -> None:
    """Write informal sentences of the domain Family & Relationships, each with four formal rewrites.

    :param out: folder to write: XFORMAL, all languages but English
    :param xformal: informal test sentences per language
    """
    demo = World.read(world)
    with writing_folder(out) as folder:
        for language in LANGUAGES[1:]:
            rows = other_rewrites(demo, language, xformal)
            for column, name in enumerate(layout.FILES):
                write_lines(folder / "xformal_eval" / language / name, (row[column] for row in rows))
        demo.check()


if __name__ == "__main__":
    run(make_xformal)
