"""Command: the contents and wordings of the demo world's test sentences, for simulated raters."""

import json
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.demo.opus import language_of
from workflow_scripts.corpora.demo.rewrites import xformal_combinations
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import World


def make_known(out: Path, *, world: Path, code: str, xformal: int) -> None:
    """Write the content of each sentence of XFORMAL's test set, and all its wordings in both registers.

    :param out: JSON lines to write, parallel to the test set, with the keys content (a list of texts),
        informal and formal (for each part of the sentence a list of wordings)
    :param code: code of the language
    :param xformal: informal test sentences per language
    """
    demo, language = World.read(world), language_of(code)
    write_lines(
        out,
        (
            json.dumps(
                {
                    "content": list(combination.content(demo.script, language).values()),
                    **{name: combination.phrases(demo.script, name, language) for name in (INFORMAL, FORMAL)},
                },
                ensure_ascii=False,
            )
            for combination in xformal_combinations(demo, xformal)
        ),
    )


if __name__ == "__main__":
    run(make_known)
