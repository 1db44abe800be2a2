"""Command: Table 8 of CoCoA-MT, accuracy of models trained with different sources of labelled data.

M-Acc is over all domains. The columns before it describe the labelled data: whether references were
contrastive, whether people wrote them, and the number of different sources that the first run saw.
"""

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.papers.cocoa_mt.accuracies import accuracies
from workflow_scripts.papers.cocoa_mt.made_of import Labelled

PARTS = {"all": ""}
# The two conditions of each kind of labelled data: contrastive references, references that people wrote.
CONDITIONS = {
    "contrastive": ("yes", "yes"),
    "single": ("no", "yes"),
    "rules": ("no", "no"),
    "both": ("in part", "in part"),
}
WORDS = tuple(dict.fromkeys(word for words in CONDITIONS.values() for word in words))


def conditions_of(tuned: Labelled) -> dict[str, Cell]:
    """The cells Contrastive, Manual and #Src, which describe the labelled data of a system."""
    contrastive, manual = CONDITIONS[tuned.kind]
    facts = f"data:{tuned.kind}"
    return {
        "contrastive": Cell(contrastive, facts, difference=""),
        "manual": Cell(manual, facts, difference=""),
        "sources": Cell(str(tuned.sources), facts),
    }


table8 = accuracies(PARTS, conditions=conditions_of, words=WORDS)

if __name__ == "__main__":
    run(table8)
