"""Why cells of TyDiP's leaves are empty, or cannot be compared."""

from typing import Literal

NO_RATINGS = "the single ratings are not released"
SIMULATED = "simulated raters"
# People who rated TyDiP's requests; simulated raters of these; people who rated requests of other dumps.
Raters = Literal["people", "simulated", "dumps"]
REMARKS: dict[Raters, str] = {
    "people": "",
    "simulated": SIMULATED,
    "dumps": "other requests and raters",
}
# Of lexicons that are induced here: the paper's translations are Google's, its aligner is a neural one.
OTHER_LEXICONS = "lexicons of other translations and another aligner"
NOT_COMPARED = "no classifier, or no such test set"
