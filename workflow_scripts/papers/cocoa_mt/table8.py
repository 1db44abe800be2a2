"""Command: Table 8 of CoCoA-MT, translators that are controlled by different sources of labelled data.

M-Acc is over all domains. Before it stands what a system was tuned on: whether references were contrastive,
whether people wrote them, and how many different labelled sources its first run saw.
"""

from __future__ import annotations

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.papers.cocoa_mt.accuracies import accuracies
from workflow_scripts.papers.cocoa_mt.made_of import Labelled

PARTS = {"all": ""}
# What the labelled data of a kind are: contrastive references, references that people wrote.
CONDITIONS = {
    "contrastive": ("yes", "yes"),
    "single": ("no", "yes"),
    "rules": ("no", "no"),
    "both": ("in part", "in part"),
}
WORDS = tuple(dict.fromkeys(word for words in CONDITIONS.values() for word in words))


def told(tuned: Labelled) -> dict[str, Cell]:
    """The cells of the columns Contrastive, Manual and #Src, of the labelled data of a system."""
    contrastive, manual = CONDITIONS[tuned.kind]
    facts = f"data:{tuned.kind}"
    return {
        "contrastive": Cell(contrastive, facts, difference=""),
        "manual": Cell(manual, facts, difference=""),
        "sources": Cell(str(tuned.sources), facts),
    }


table8 = accuracies(PARTS, conditions=told, words=WORDS)

if __name__ == "__main__":
    run(table8)
