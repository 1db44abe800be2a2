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
# Behind the paper's labels: encoders by the hub's names (Section 3), and the authors' own weights of XLMR.
XLMR = "XLMR"
ENCODERS = {
    XLMR: ("FacebookAI/xlm-roberta-large", "Genius1237/xlm-roberta-large-tydip"),
    "RoBERTa": ("FacebookAI/roberta-large",),
}


# In the place of an encoder: a classifier that was run elsewhere, whatever its label says.
OUTPUTS = "outputs"
ELSEWHERE = "scores made elsewhere"


def other_encoder(label: str, encoder: str | None) -> str:
    """The caveat of a classifier that has a label of the paper's, but not its encoder; none if none is given.

    :param encoder: the hub's name of the encoder or of released weights, the kind of another one, or
        `outputs` for scores that are files
    """
    if encoder == OUTPUTS:
        return ELSEWHERE
    if encoder is None or label not in ENCODERS or encoder in ENCODERS[label]:
        return ""
    return f"encoder {encoder}"
