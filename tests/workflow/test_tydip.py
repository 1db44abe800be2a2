"""TyDiP's Table 3 at demo scale, from requests to the comparison with the printed numbers."""

import pytest

from tests.tables import rows_of

pytestmark = pytest.mark.long
# Small enough for seconds; light and trained classifiers, several seeds, and a row without the quirks.

SETTINGS = [
    "demo={requests_train: 80, requests_test: 40}",
    "politeness={seeds: [1, 2], classifiers: {roberta: {epochs: 2}, roberta-plain: {epochs: 2}}}",
]
GOALS = ["results/tydip/table3.csv", "results/tydip/metric-agreement.csv"]


def test_table3_is_made_without_network(project, snakemake):
    done = snakemake(project, "--cores", "2", "--config", *SETTINGS, "--", *GOALS)
    assert done.returncode == 0, done.stderr
    rows = {
        (row["model"], row["input"], row["measure"]): row
        for row in rows_of(project / "results/tydip/table3.csv")
    }
    assert list(dict.fromkeys((model, given) for model, given, _ in rows)) == [
        *(("Majority", "-"), ("XLMR", "target"), ("XLMR", "en"), ("RoBERTa", "en"), ("RoBERTa, plain", "en")),
    ]
    # N-grams of English learn English; in both rows they read the same English requests.
    assert float(rows["XLMR", "target", "auc"]["en"]) > 0.8
    assert rows["XLMR", "target", "accuracy"]["en"] == rows["XLMR", "en", "accuracy"]["en"]
    assert rows["XLMR", "target", "accuracy"]["avg"] and not rows["XLMR", "en", "accuracy"]["avg"]
    # Ranges are of the classifiers that a seed changes.
    assert ("RoBERTa", "en", "range") in rows and ("XLMR", "target", "range") not in rows
    cells = rows_of(project / "results/tydip/table3.compare.csv")
    reasons = {
        (row["model"], row["input"], row["lang"]): row["comparable"]
        for row in cells
        if row["measure"] == "accuracy"
    }
    assert reasons["XLMR", "target", "hu"] == "no: demo, encoder ngrams, not a language of the encoder"
    assert reasons["RoBERTa", "en", "hu"] == "no: demo, not translated into English"
    assert reasons["GPT3", "target", "hu"] == "no: demo, no such model is configured"
    # And how far each row's scores agree with the ratings.
    agreement = {(row["language"], row["model"], row["input"]): row for row in rows_of(project / GOALS[1])}
    assert len(agreement) == 13 and all(row["n"] and row["signature"] for row in agreement.values())
    assert float(agreement["en", "XLMR", "target"]["spearman"]) > 0.5
    assert {key[1] for key, row in agreement.items() if row["p_holm"]} == {"RoBERTa", "RoBERTa, plain"}
