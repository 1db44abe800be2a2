"""Command: Table 6 of CoCoA-MT, translators under control in and out of the domains they are trained in.

In the columns of accuracy `in_` stands before what is in domain, and `out_` before what is not.
"""

from __future__ import annotations

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.accuracies import accuracies

PARTS = {"in-domain": "in_", "out-of-domain": "out_"}
table6 = accuracies(PARTS, averaged=True)

if __name__ == "__main__":
    run(table6)
