"""Why cells of TyDiP's leaves are empty, or cannot be compared."""

NO_RATINGS = "the single ratings are not released"
SIMULATED = "simulated raters"
NOT_COMPARED = "no classifier, or no such test set"
