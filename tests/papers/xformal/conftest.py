"""A small evaluation of three languages, as files, and the printed table."""

from pathlib import Path

import pytest

from tests.conftest import METRICS
from tests.manifests import labelled
from tests.rewrites.conftest import corpus
from tests.tables import put

__all__ = ["corpus"]

PRINTED = Path(__file__).parents[3] / "resources" / "printed" / "xformal" / "table7.csv"
# The paper's translator and encoder, as the leaves take them.
MADE_WITH = {"backend": "aws", "encoder": "google-bert/bert-base-multilingual-cased"}
# The same on the command line.
MADE_OPTIONS = [word for name, value in MADE_WITH.items() for word in (f"--{name}", value)]
SYSTEMS = {
    "gold": "GOLD STANDARD",
    "rule-based": "RULE-BASED",
    "round-trip-mt": "ROUND-TRIP MT",
    "my-llm": "MY <LLM> & CO",
}
LANGUAGES = ("pt", "it", "fr")


def value(system: str, metric: str, language: str) -> float:
    """A number that tells its cell."""
    place = list(SYSTEMS).index(system) * 10 + LANGUAGES.index(language)
    return {"self_bleu": 50, "formality": -1.2, "perplexity": 6, "multi_bleu": 40}[metric] + place * 0.0312


@pytest.fixture
def inputs(tmp_path):
    """Options that `table7` and `compare` share; RULE-BASED has no p, GOLD STANDARD no multi-BLEU."""
    header = ("system", "metric", "language", "value", "ci_low", "ci_high", "p", "p_holm", "n", "runs")
    scores = []
    for language in LANGUAGES:
        rows = []
        for system in SYSTEMS:
            for metric in (*METRICS, "perplexity_bits"):
                if (system, metric) == ("gold", "multi_bleu"):
                    continue
                number = value(system, metric.removesuffix("_bits"), language)
                test = ("", "") if system == "rule-based" else ("0.012346", "0.024691")
                if system == "my-llm":
                    test = ("0.300000", "0.300000")
                numbers = (f"{number:.6f}", f"{number - 1:.6f}", f"{number + 1:.6f}")
                rows.append((system, metric, language, *numbers, *test, 100, 1, f"{metric}|n:100"))
        scores.append(put(tmp_path / f"{language}.csv", (*header, "signature"), rows))
    return {"scores": scores, "systems": labelled(tmp_path / "systems.csv", SYSTEMS)}


@pytest.fixture
def french_only(inputs):
    """The same, with a further system that the scores of one language know alone."""
    french = inputs["scores"][LANGUAGES.index("fr")]
    own = [line for line in french.read_text().splitlines() if line.startswith("my-llm,")]
    lines = [line.replace("my-llm,", "unmt-in-domain,") for line in own]
    french.write_text(french.read_text() + "".join(f"{line}\n" for line in lines))
    rows = list(SYSTEMS.items())
    rows.insert(3, ("unmt-in-domain", "UNMT (IN-DOMAIN)"))
    labelled(inputs["systems"], dict(rows))
    return inputs
