"""Models behind further metrics: their files and options, where metrics ask for them."""

import pytest

from workflow_scripts.statistics.metrics import SCORERS
from workflow_scripts.wiring.scorers import ALL, PREPARED

METRICS = ["multi_bleu", "pseudo_perplexity", "formality", "formal"]


def test_nothing_is_loaded_for_the_papers_metrics(demo):
    scorers = demo.systems.scorers
    assert scorers.stages == [] == scorers.models() == scorers.options() == scorers.scores("fr")
    assert demo.systems.columns("scores") == ["system", "run", "output", *SCORERS]


def test_manifest_and_options_have_what_the_metrics_need(wired):
    systems = wired(evaluation={"metrics": METRICS}).systems
    assert systems.scorers.stages == ["pseudo_perplexity", "formal"]
    folders = ["build/scorers/pseudo_perplexity", "build/scorers/formal"]
    # The classifier's outputs are put in order first; the masked model scores as it is.
    models = [f"{folders[0]}/checkpoint", f"{folders[1]}/model"]
    assert systems.scorers.models() == models
    assert systems.scorers.options() == ["--scorers", *systems.scorers.stages, "--models", *models]
    assert systems.scorers.scores("fr") == [f"{folder}/fr/systems" for folder in folders]
    assert systems.columns("scores") == ["system", "run", "output", *SCORERS, "pseudo_perplexity", "formal"]
    row = next(row for row in systems.evaluated("scores", "fr") if row[0] == "copy")
    assert row[3:5] == tuple(f"build/{stage}/fr/systems/copy/run0.txt" for stage in SCORERS)
    assert row[5:] == tuple(f"{folder}/fr/systems/copy/run0.txt" for folder in folders)
    assert systems.sentence_scores("formal", "fr")[0].startswith(f"{folders[1]}/fr/systems/")
    # Figure 4 has the paper's metrics only.
    assert systems.columns("reruns") == ["system", "run", "output", *SCORERS]
    assert {len(row) for row in systems.evaluated("reruns", "fr")} == {5}


@pytest.mark.parametrize("scorer", ALL)
def test_a_checkpoint_is_of_the_hub_or_a_folder(wired, scorer, tmp_path):
    of_hub = wired().systems.scorers
    own = of_hub.of(scorer)
    hub = ["--kind=hub", f"--checkpoint={own.checkpoint}", f"--revision={own.revision}"]
    assert of_hub.source(scorer) == hub and of_hub.name(scorer) == f"{own.checkpoint}@{own.revision[:12]}"
    folder = wired(evaluation={"scorers": {scorer: {"path": str(tmp_path)}}}).systems.scorers
    assert folder.source(scorer) == ["--kind=folder", f"--path={tmp_path}"]
    assert folder.name(scorer) == "folder"
    assert of_hub.sizes(scorer, "max_length") == [f"--max-length={own.max_length}"]


def test_what_is_trained_or_put_in_order_is_no_checkpoint():
    assert set(PREPARED) < set(ALL) and len(ALL) == 4
