"""Why cells of TyDiP's leaves are empty, or cannot be compared."""

from typing import Literal

NO_RATINGS = "the single ratings are not released"
SIMULATED = "simulated raters"
# People who rated TyDiP's requests, simulated raters of them, or people who rated requests of other dumps.
Raters = Literal["people", "simulated", "dumps"]
REMARKS: dict[Raters, str] = {
    "people": "",
    "simulated": SIMULATED,
    "dumps": "other requests and raters",
}
# The caveat of lexicons induced here: the paper uses Google's translations and a neural aligner.
OTHER_LEXICONS = "lexicons of other translations and another aligner"
NOT_COMPARED = "no classifier, or no such test set"
# The paper's encoders by label, with their hub names (Section 3), and the authors' own weights of XLMR.
XLMR = "XLMR"
ENCODERS = {
    XLMR: ("FacebookAI/xlm-roberta-large", "Genius1237/xlm-roberta-large-tydip"),
    "RoBERTa": ("FacebookAI/roberta-large",),
}


# In place of an encoder: a classifier that was run elsewhere, whatever its label.
OUTPUTS = "outputs"
ELSEWHERE = "scores made elsewhere"


def other_encoder(label: str, encoder: str | None) -> str:
    """The caveat of a classifier with a label of the paper's but another encoder; otherwise empty.

    :param encoder: the hub name of the encoder or of released weights, the kind of another encoder, or
        `outputs` for scores from files
    """
    if encoder == OUTPUTS:
        return ELSEWHERE
    if encoder is None or label not in ENCODERS or encoder in ENCODERS[label]:
        return ""
    return f"encoder {encoder}"
