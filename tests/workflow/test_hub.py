"""The overlay of released and pretrained models, run on tiny checkpoints that a local hub serves."""

import csv
import json
import shutil

import pytest
import yaml

from tests.hub import hub, named
from tests.workflow.checkpoints import put_checkpoints, put_sockeye
from tests.workflow.tiny import CONFIG, ROOT
from workflow_scripts.core.csv_files import read_rows

pytestmark = pytest.mark.slow
FEW = {"epochs": 1, "max_updates": 2, "batch_size": 4}


@pytest.fixture(scope="module")
def repositories(tmp_path_factory):
    """Tiny checkpoints by the names and commits of the overlay."""
    folder = tmp_path_factory.mktemp("hub")
    both = [yaml.safe_load((ROOT / name).read_text("utf-8")) for name in ("config/hub.yaml", "config.yaml")]
    commits = dict(named(both[1])) | dict(named(both[0]))
    return put_checkpoints(folder, commits)


def test_the_overlay_runs_on_tiny_checkpoints(finished, repositories, tmp_path, monkeypatch):
    folder = tmp_path / "checkout"
    shutil.copytree(finished.folder, folder, symlinks=True)
    texts = [f"build/corpora/generic/fr/train.{side}.txt" for side in ("en", "target")]
    done = finished.run(folder, "--cores", 2, *CONFIG, "--", *texts)
    assert done.returncode == 0, done.stderr[-3000:]
    sides = [(folder / path, language) for path, language in zip(texts, ("en", "fr"), strict=True)]
    put_sockeye(folder / "models/model.en-fr", sides)
    plain = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    tiny = {
        "scale": "demo",
        "device": "cpu",
        "corpora": plain["corpora"],
        "transfer": {"copying": None},
        "formality": {"max_length": 16, "epochs": 1},
        "evaluation": {"scorers": {"zero_shot": {"epochs": 1}}},
        # Ratings whose translations say nothing teach nothing: all sentences are formal.
        "filtering": {"informal_below": -3.0},
        "systems": {
            name: {"languages": ["fr"], "max_length": 12, "beam_size": 2, "training": FEW}
            for name in ("mt5", "mbart")
        },
        "human": {"systems": ["rule-based", "round-trip-mt"]},
        "rows": ["copy", "rule-based", "round-trip-mt", "mt5", "mbart"],
        "control": {
            "languages": ["fr"],
            "generic": {"sockeye": {"fr": "models/model.en-fr"}},
            "tuning": {"batch_size": 64},
            "upsampling": {
                "figure1": {"language": "fr", "copies": [1]},
                "figure2": {"language": "fr", "copies": [2]},
            },
            "genders": {"language": "fr"},
            "systems": {"none": {"languages": ["fr"]}, "cocoa-mt": {"languages": ["fr"], "seeds": [1]}},
            "rows": ["references", "none", "cocoa-mt"],
        },
    }
    (folder / "few.yaml").write_text(json.dumps(tiny), encoding="utf-8")
    overlays = ["--configfile", "config.yaml", "config/open.yaml", "config/hub.yaml", "tiny.yaml", "few.yaml"]
    goals = ["results/table7.csv", "results/cocoa-mt/table6.csv", "results/cocoa-mt/table6.compare.csv"]
    goals += ["results/latex/table7.tex", "results/metric-agreement.csv"]
    with hub(repositories) as (address, asked):
        monkeypatch.setenv("HF_ENDPOINT", address)
        # A process of its own: the address is read when the hub's library is loaded.
        done = finished.run(folder, "--cores", 2, *overlays, "--", *goals, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    for name, commit in repositories:
        assert any(f"/{name}/resolve/{commit}/" in path for path in asked), name
    with (folder / goals[0]).open(encoding="utf-8", newline="") as stream:
        table = {row["system"]: row for row in csv.DictReader(stream) if row["section"] == "automatic"}
    assert all(table[name]["multi_bleu_fr"] for name in ("ROUND-TRIP MT", "MT5-SMALL", "MBART-50"))
    further = ("similarity", "zero_shot", "formal", "pseudo_perplexity")
    assert all(row[f"{metric}_fr"] for row in table.values() for metric in further)
    assert float(table["COPY"]["similarity_fr"]) == 1
    with (folder / goals[1]).open(encoding="utf-8", newline="") as stream:
        assert {row["system"] for row in csv.DictReader(stream)} == {"references", "none", "CoCoA-MT"}
    # What was not trained as the paper's is not compared with it.
    cells = [
        row for _, row in read_rows(folder / goals[2], ("system", "comparable", "lang", "printed", "ours"))
    ]
    reasons = {
        row["comparable"] for row in cells if row["system"] == "none" and row["printed"] and row["ours"]
    }
    assert reasons and all(
        "trained on unknown data (models/model.en-fr, of Sockeye)" in one for one in reasons
    )
    # Other weights are read again.
    monkeypatch.delenv("HF_ENDPOINT")
    codes = folder / "models/model.en-fr/bpe_codes"
    codes.write_text(codes.read_text("utf-8").rpartition("\n")[0].rpartition("\n")[0] + "\n", "utf-8")
    done = finished.run(folder, "-n", *overlays, "--", goals[1])
    assert "rule read_sockeye" in done.stdout and "rule train_tuned" in done.stdout
