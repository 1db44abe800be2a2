"""TyDiP's released models, and their use: at the paper's scale only, which has network."""

from typing import Any

import pytest
import yaml
from snakemake.utils import update_config

from tests.conftest import ROOT
from workflow_scripts.config import settings
from workflow_scripts.core.errors import InputError

LEAVES = [f"results/tydip/{name}.csv" for name in ("table1", "lexicons")]
COMPARED = [f"results/tydip/{name}.csv" for name in ("table3", "table4", "table5", "table7", "figure3")]
LANGUAGES = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


@pytest.fixture(scope="module")
def at_paper_scale(planned):
    """The jobs of these leaves, by rule."""
    found: dict[str, list[dict]] = {}
    for job in planned([*LEAVES, *COMPARED], {"device": "cpu"}, "config/paper.yaml"):
        found.setdefault(job["rule"], []).append(job)
    return found


@pytest.mark.slow
def test_crawled_requests_are_counted_and_give_the_bitext(at_paper_scale):
    folders = {path for job in at_paper_scale["download_files"] for path in job["output"]}
    assert "build/corpora/downloads/tydip-requests" in folders
    (counted,) = at_paper_scale["tydip_table1"]
    assert set(counted["input"]) >= {f"build/corpora/tydip-requests/{lang}.txt" for lang in LANGUAGES}
    (align,) = at_paper_scale["align_lexicons"]
    for lang in LANGUAGES:
        requests = f"build/politeness/lexicons/requests/{lang}.txt"
        english = f"build/translation/lexicons/{lang}.txt"
        assert {requests, english} <= set(align["input"])
        (translated,) = [job for job in at_paper_scale["translate_lexicons"] if english in job["output"]]
        assert requests in translated["input"] and "--backend=aws" in translated["shell"]
    assert "--size 5000" in at_paper_scale["draw_requests"][0]["shell"]
    shell = at_paper_scale["tydip_lexicons"][0]["shell"]
    assert f"--requests {' '.join(LANGUAGES)} --translator=aws" in shell


@pytest.mark.slow
def test_the_released_classifier_is_the_papers_xlmr(at_paper_scale):
    """It has the printed label, is trained by nobody, and is what Tables 4 to 7 and Figure 3 compare."""
    (taken,) = at_paper_scale["released_classifier"]
    assert sorted(path.rpartition("/")[2] for path in taken["input"]) == [
        *("config.json", "model.safetensors", "special_tokens_map.json"),
        *("tokenizer.json", "tokenizer_config.json"),
    ]
    assert "--positive polite --negative impolite" in taken["shell"]
    (model,) = taken["output"]
    assert model == "build/politeness/xlmr-released/seed42/model"
    trained = {path.split("/")[2] for job in at_paper_scale["train_classifier"] for path in job["output"]}
    assert trained == {"roberta", "roberta-plain", "xlmr", "xlmr-plain"}
    read = {rule: set(at_paper_scale[rule][0]["input"]) for rule in ("tydip_table7", "tydip_figure3")}
    assert "build/politeness/xlmr-released/seed42/styles.csv" in read["tydip_table7"]
    assert "build/politeness/xlmr-released/measures.csv" in read["tydip_figure3"]
    # Table 5's classifier of formality starts from the encoder alone.
    (formality,) = at_paper_scale["train_formality_classifier"]
    assert "build/politeness/xlmr/encoder" in formality["input"]
    shell = at_paper_scale["tydip_table3"][0]["shell"]
    labels = shell.split("--labels ")[1].split(" --")[0]
    assert "'XLMR, trained here'" in labels and labels.endswith(" XLMR")
    assert "--translator=aws" in shell
    # What stands behind the labels: the encoders of the paper, and its own weights.
    roberta, xlmr, own = (
        *("FacebookAI/roberta-large", "FacebookAI/xlm-roberta-large"),
        "Genius1237/xlm-roberta-large-tydip",
    )
    assert f"--encoders {roberta} {roberta} {xlmr} {xlmr} {own} " in shell
    for rule in ("tydip_table4", "tydip_table7"):
        assert f"--encoder={own}" in at_paper_scale[rule][0]["shell"]


def test_no_other_scale_needs_what_only_the_network_has(demo):
    for overlay in ({}, yaml.safe_load((ROOT / "config/open.yaml").read_text(encoding="utf-8"))):
        merged: dict[str, Any] = {}
        update_config(merged, demo)
        update_config(merged, overlay)
        assert merged["corpora"]["tydip_requests"] == "none" and not merged["politeness"]["released"]
        assert merged["politeness"]["lexicons"]["bitext"] != "requests"


def test_a_released_classifier_needs_a_base_that_is_trained(demo):
    demo["politeness"]["released"] = {"mine": {"label": "MINE", "base": "roberta-plan"}}
    with pytest.raises(
        InputError, match=r"released.mine.base: no classifier 'roberta-plan' is trained; did you"
    ):
        settings.load(demo)
    demo["politeness"]["released"] = {"roberta": {"label": "MINE", "base": "xlmr"}}
    with pytest.raises(InputError, match="politeness: 'roberta' is the name of two classifiers"):
        settings.load(demo)
    demo["politeness"]["released"] = {"mine": {"label": "XLMR", "base": "xlmr"}}
    with pytest.raises(InputError, match="XLMR"):
        settings.load(demo)


@pytest.mark.slow
def test_what_the_backend_cannot_translate_has_other_bitext(planned):
    given = {"device": "cpu", "translation": {"backend": "apertium"}}
    jobs = planned(LEAVES[1:], given, "config/paper.yaml")
    (align,) = [job for job in jobs if job["rule"] == "align_lexicons"]
    sides = {path for path in align["input"] if path.endswith("/es.txt") or path.endswith("/hi.txt")}
    assert sides == {
        *("build/translation/lexicons/es.txt", "build/politeness/lexicons/requests/es.txt"),
        "build/corpora/lexicons/bitext/hi.txt",
    }
    (made,) = [job for job in jobs if job["rule"] == "tydip_lexicons"]
    assert "--requests es fr --translator=apertium" in made["shell"]
