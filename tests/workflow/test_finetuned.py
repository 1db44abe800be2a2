"""Fine-tuned pretrained models are rows of Table 7 and of CoCoA-MT's Table 6."""

import csv
import json
import re
import shutil

import pytest

from workflow_scripts.core.csv_files import read_rows

from .tiny import CONFIG

pytestmark = pytest.mark.slow
SIZES = {"vocabulary_size": 300, "layers": 1, "hidden": 16, "heads": 2, "dropout": 0.0}
COURSE = {
    **{"learning_rate": 0.001, "warmup_updates": 0, "decay": "linear", "batch_size": 32, "accumulate": 1},
    **{"epochs": 1, "max_updates": 4, "gradient_clip": 1.0},
}


def test_a_fine_tuned_model_is_a_row_of_table_7(finished, tmp_path):
    folder = tmp_path / "checkout"
    shutil.copytree(finished.folder, folder, symlinks=True)
    hub = {"checkpoint": "", "revision": "", **SIZES}
    row = {"kind": "finetuned", "input": "copy", "training": COURSE, "max_length": 12, "beam_size": 2}
    first = {"label": "SCRATCH", **row, "seeds": [1, 2], "model": {"kind": "scratch", "path": None, **hub}}
    again = {"label": "FOLDER", **row, "seeds": [1]}
    again["model"] = {"kind": "folder", "path": "build/transfer/fr/scratch/seed1.model", **hub}
    translator = {key: first[key] for key in ("kind", "model", "training", "max_length", "beam_size")}
    translators = {"mine": {"label": "TUNED", **translator, "seeds": [1, 2]}}
    control = {"languages": ["it"], "systems": translators, "rows": ["references", "mine"]}
    overlay = folder / "tuned.yaml"

    def put(**systems: object) -> None:
        settings = {"rows": ["copy", "rule-based", *systems], "systems": systems, "control": control}
        overlay.write_text(json.dumps(settings), encoding="utf-8")

    goals = [f"results/{name}.csv" for name in ("table7", "table7.compare", "table6", "cocoa-mt/table6")]
    for systems in ({"scratch": first}, {"scratch": first, "again": again}):
        put(**systems)
        done = finished.run(folder, "--cores", 2, *CONFIG, overlay.name, "--", *goals)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    with (folder / "results/table7.csv").open(encoding="utf-8", newline="") as stream:
        table = {row["system"]: row for row in csv.DictReader(stream)}
    for name in ("SCRATCH", "FOLDER"):
        assert table[name]["multi_bleu_fr"] and table[name]["multi_bleu_fr_p"]
    cells = [row for _, row in read_rows(folder / goals[1], ("system", "lang", "metric", "signature"))]
    signed = [row["signature"] for row in cells if row["system"] == "SCRATCH" and row["lang"] == "fr"]
    # Both runs have their weights in the signature.
    assert len(signed) == 4 and all(text.count("|finetuned:scratch@") == 2 for text in signed)
    sizes = {row["system"]: row for _, row in read_rows(folder / goals[2], ("system", "gyafc_fr"))}
    assert sizes["SCRATCH"]["gyafc_fr"] == "300"
    scores = list(csv.DictReader((folder / "build/control/scores/it.csv").read_text("utf-8").splitlines()))
    made = [row["signature"] for row in scores if row["system"] == "mine"]
    assert made and all(text.count("|finetuned:scratch@") == 2 for text in made)
    with (folder / goals[3]).open(encoding="utf-8", newline="") as stream:
        assert [row["system"] for row in csv.DictReader(stream)][-1] == "TUNED"
    # Another beam decodes again and trains nothing.
    put(scratch={**first, "beam_size": 3})
    done = finished.run(folder, "-n", *CONFIG, overlay.name, "--", goals[0])
    ran = set(re.findall(r"^rule (\w+):", done.stdout, re.M))
    assert "rewrite" in ran and "fine_tune" not in ran
