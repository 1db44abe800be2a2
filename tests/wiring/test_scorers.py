"""Models behind further metrics: their files and options, where metrics ask for them."""

import re

import pytest

from workflow_scripts.statistics.metrics import SCORERS
from workflow_scripts.wiring.scorers import CHECKPOINTS, JUDGED, PREPARED

from .conftest import Job

METRICS = ["multi_bleu", "pseudo_perplexity", "formality", "formal"]


def test_nothing_is_loaded_for_the_papers_metrics(demo):
    scorers = demo.systems.scorers
    assert scorers.stages == [] == scorers.models("fr") == scorers.options("fr") == scorers.scores("fr")
    assert demo.systems.columns("scores") == ["system", "run", "output", *SCORERS]


def test_manifest_and_options_have_what_the_metrics_need(wired):
    systems = wired(evaluation={"metrics": METRICS}).systems
    assert systems.scorers.stages == ["pseudo_perplexity", "formal"]
    folders = ["build/scorers/pseudo_perplexity", "build/scorers/formal"]
    # The classifier's outputs are put in order first; the masked model scores as it is.
    models = [f"{folders[0]}/checkpoint", f"{folders[1]}/model"]
    assert systems.scorers.models("fr") == models
    assert systems.scorers.options("fr") == ["--scorers", *systems.scorers.stages, "--models", *models]
    assert systems.scorers.scores("fr") == [f"{folder}/fr/systems" for folder in folders]
    assert systems.columns("scores") == ["system", "run", "output", *SCORERS, "pseudo_perplexity", "formal"]
    row = next(row for row in systems.evaluated("scores", "fr") if row[0] == "copy")
    assert row[3:5] == tuple(f"build/{stage}/fr/systems/copy/run0.txt" for stage in SCORERS)
    assert row[5:] == tuple(f"{folder}/fr/systems/copy/run0.txt" for folder in folders)
    assert systems.sentence_scores("formal", "fr")[0].startswith(f"{folders[1]}/fr/systems/")
    # Figure 4 has the paper's metrics only.
    assert systems.columns("reruns") == ["system", "run", "output", *SCORERS]
    assert {len(row) for row in systems.evaluated("reruns", "fr")} == {5}


@pytest.mark.parametrize("scorer", CHECKPOINTS)
def test_a_checkpoint_is_of_the_hub_or_a_folder(wired, scorer, tmp_path):
    of_hub = wired().systems.scorers
    own = of_hub.of(scorer)
    hub = ["--kind=hub", f"--checkpoint={own.checkpoint}", f"--revision={own.revision}"]
    assert of_hub.source(scorer) == hub and of_hub.name(scorer) == f"{own.checkpoint}@{own.revision[:12]}"
    folder = wired(evaluation={"scorers": {scorer: {"path": str(tmp_path)}}}).systems.scorers
    assert folder.source(scorer) == ["--kind=folder", f"--path={tmp_path}"]
    assert folder.name(scorer) == "folder"
    for name in ("config.json", "README.md"):
        (tmp_path / name).touch()
    assert folder.given(Job(scorer=scorer)) == [str(tmp_path / "config.json")]
    assert of_hub.given(Job(scorer=scorer)) == []
    assert of_hub.sizes(scorer, "max_length") == [f"--max-length={own.max_length}"]


def test_what_is_trained_or_put_in_order_is_no_checkpoint():
    assert set(PREPARED) < set(CHECKPOINTS) and len(CHECKPOINTS) == 4
    assert not set(JUDGED) & set(CHECKPOINTS)


LOCAL = {"kind": "gguf", "name": "llm.gguf", "max_tokens": 8}


def test_a_judge_is_asked_by_the_rule_of_its_kind(wired):
    systems = wired(evaluation={"metrics": ["judge_meaning"], "judge": {"model": LOCAL}}).systems
    scorers = systems.scorers
    assert scorers.stages == ["judge_meaning"] == [*JUDGED][1:2]
    facts = "build/scorers/judge_meaning/fr/judge.csv"
    assert scorers.options("fr") == ["--scorers", "judge_meaning", "--models", facts]
    assert re.fullmatch(scorers.judged_by("gguf"), "judge_meaning")
    assert not any(re.fullmatch(scorers.judged_by(kind), "judge_meaning") for kind in ("endpoint", "x"))
    job = Job(scorer="judge_meaning", lang="fr")
    given = scorers.judge_input(job)
    assert given["template"].endswith("resources/prompts/judge/meaning.txt") and "tool" in given
    words = scorers.judge_options(job)
    assert words[1:] == ["--task=meaning", "--language=French"] and '"name": "llm.gguf"' in words[0]


def test_prompts_of_ones_own_are_looked_for(wired, tmp_path, capsys):
    judge = {"model": LOCAL, "prompts": str(tmp_path)}
    scorers = wired(evaluation={"metrics": ["judge_meaning"], "judge": judge}).systems.scorers
    job = Job(scorer="judge_meaning", lang="fr")
    with pytest.raises(SystemExit):
        scorers.judge_input(job)
    assert f"evaluation.judge.prompts: no such file: {tmp_path}/meaning.txt" in capsys.readouterr().err
    (tmp_path / "meaning.txt").write_text("{output}?\n")
    assert scorers.judge_input(job)["template"] == f"{tmp_path}/meaning.txt"


def test_the_checkpoint_of_a_judge_is_fetched_as_a_rows_is(wired):
    model = {"kind": "transformers", "name": "me/llm", "revision": "a" * 40}
    wiring = wired(evaluation={"judge": {"model": model}})
    assert wiring.models.of_hub == {"a" * 40: "me/llm"}
