"""Table 8 of CoCoA-MT in the configurations: its systems learn from as many labelled pairs."""

import json
from typing import Any

import pytest
import yaml
from snakemake.utils import update_config

from tests.conftest import ROOT
from workflow_scripts.config.settings import load


def settings(overlay: str) -> dict[str, Any]:
    """The checked settings of a scale; what aliases share in the file is apart here."""
    files = ["config.yaml", *([f"config/{overlay}.yaml"] if overlay else [])]
    given, *others = [
        json.loads(json.dumps(yaml.safe_load((ROOT / file).read_text(encoding="utf-8")))) for file in files
    ]
    for other in others:
        update_config(given, other)
    return load(given).model_dump()


@pytest.mark.parametrize(
    ("overlay", "languages"), [("", ["it"]), ("open", ["fr"]), ("paper", ["de", "es", "fr", "ja"])]
)
def test_the_systems_of_table_8_have_as_many_labelled_pairs(overlay, languages):
    """Its caption: "The total number of training data points is fixed"; note 12: 4,000, and 10,000 in ja."""
    systems = settings(overlay)["control"]["systems"]
    compared = {"cocoa-mt", "half", "single", "rules", "rules-unique"} & set(systems)
    # At demo scale the first row has 200 contrastive segments already.
    assert ("half" in compared) is bool(overlay)
    for language in languages:
        segments = 1000 if language == "ja" else 400
        totals = {
            name: (own["sizes"].get(language, own["size"]) or 2 * segments) * own["copies"]
            for name in compared
            if (own := systems[name])["languages"] is None or language in own["languages"]
        }
        assert set(totals.values()) == {2000 if not overlay else 10 * segments}
        assert len(totals) > 2


def test_the_languages_of_the_paper():
    """Tables 6, 8 and 13 and Figures 1 and 2 at paper scale, and the pairs that they learn from."""
    given = settings("paper")
    control = given["control"]
    assert control["languages"] == ["de", "es", "fr", "it", "hi", "ja"]
    assert control["systems"]["rules"]["languages"] == ["de", "es", "fr", "ja"]
    assert control["systems"]["cocoa-mt"]["languages"] is None
    figures = control["upsampling"]
    assert (figures["figure1"]["language"], max(figures["figure1"]["copies"])) == ("de", 4)
    assert (figures["figure2"]["language"], max(figures["figure2"]["copies"])) == ("ja", 8)
    assert control["genders"]["language"] == "es"
    assert given["corpora"]["generic"] == "web" and control["generic"]["train_sentences"] == 20_000_000
