"""Command: Table 6 of CoCoA-MT, accuracy of baseline and controlled models in and out of domain.

The prefix of the accuracy columns is `in_` for the in-domain and `out_` for the out-of-domain test split.
"""

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.accuracies import accuracies

PARTS = {"in-domain": "in_", "out-of-domain": "out_"}
table6 = accuracies(PARTS, averaged=True)

if __name__ == "__main__":
    run(table6)
