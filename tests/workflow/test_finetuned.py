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
    # Models as they are: those that are tuned above, told a style or level as in their training, or nothing.
    plain = {key: value for key, value in again.items() if key != "seeds"}
    plain |= {"label": "AS IT IS", "training": None, "model": {"kind": "folder", "path": "models/plain"}}
    told = {**plain, "label": "TOLD", "prompt": "{style}: "}
    tuned = {"kind": "folder", "path": "build/control/tuned/mine/{lang}/run0.model"}
    translators["plain"] = {**translator, "label": "AS IT IS", "training": None, "model": tuned}
    translators["told"] = {**translators["plain"], "label": "TOLD", "prompt": "{level}: "}
    control: dict[str, object] = {"languages": ["it"], "systems": translators, "baseline": "plain"}
    control["rows"] = ["references", *translators]
    overlay = folder / "tuned.yaml"

    def put(**systems: object) -> None:
        settings = {"rows": ["copy", "rule-based", *systems], "systems": systems, "control": control}
        overlay.write_text(json.dumps(settings), encoding="utf-8")

    goals = [f"results/{name}.csv" for name in ("table7", "table7.compare", "table6", "cocoa-mt/table6")]
    for systems in ({"scratch": first}, {"scratch": first, "again": again, "plain": plain, "told": told}):
        put(**systems)
        if "plain" in systems:
            shutil.copytree(folder / "build/transfer/fr/scratch/seed1.model", folder / "models/plain")
        done = finished.run(folder, "--cores", 2, *CONFIG, overlay.name, "--", *goals)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    with (folder / "results/table7.csv").open(encoding="utf-8", newline="") as stream:
        table = {row["system"]: row for row in csv.DictReader(stream)}
    for name in ("SCRATCH", "FOLDER", "AS IT IS", "TOLD"):
        assert table[name]["multi_bleu_fr"] and table[name]["multi_bleu_fr_p"]
    cells = [row for _, row in read_rows(folder / goals[1], ("system", "lang", "metric", "signature"))]
    signed = [row["signature"] for row in cells if row["system"] == "SCRATCH" and row["lang"] == "fr"]
    # Both runs have their weights in the signature.
    assert len(signed) == 4 and all(text.count("|finetuned:scratch@") == 2 for text in signed)
    (is_signed,) = {
        row["signature"].count("|pretrained:folder@") for row in cells if row["system"] == "AS IT IS"
    }
    assert is_signed == 1

    def read(path: str) -> str:
        return (folder / "build" / path).read_text(encoding="utf-8")

    # The same weights and the same prompt write the same.
    assert read("transfer/fr/told/run0.txt") == read("transfer/fr/scratch/run0.txt")
    outputs = "control/outputs/{}/it/{}/run0.txt"
    for level in ("formal", "informal"):
        assert read(outputs.format("told", level)) == read(outputs.format("mine", level))
    assert read(outputs.format("plain", "formal")) == read(outputs.format("plain", "informal"))
    assert "finetuned" not in read("control/outputs/plain/it/run0.finetuned.csv")
    sizes = {row["system"]: row for _, row in read_rows(folder / goals[2], ("system", "gyafc_fr"))}
    assert sizes["SCRATCH"]["gyafc_fr"] == "300" and "AS IT IS" not in sizes
    scores = list(csv.DictReader((folder / "build/control/scores/it.csv").read_text("utf-8").splitlines()))
    made = [row["signature"] for row in scores if row["system"] == "mine"]
    assert made and all(text.count("|finetuned:scratch@") == 2 for text in made)
    with (folder / goals[3]).open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["mode"] == "released"]
    assert [row["system"] for row in rows][-3:] == ["TUNED", "AS IT IS", "TOLD"]
    # What both levels share is right at one or the other.
    shares = [float(rows[-2][name]) for name in ("in_f", "in_i")]
    assert sum(shares) == pytest.approx(100, abs=0.2) or sum(shares) == 0
    compared = read_rows(
        folder / "results/cocoa-mt/table6.compare.csv", ("system", "comparable", "signature")
    )
    own = [row for _, row in compared if row["system"] in ("TUNED", "AS IT IS")]
    assert all(row["comparable"].startswith("no") for row in own)
    # Differences from the model as it is are tested.
    assert any("p_holm" in row["signature"] for row in own if row["system"] == "TUNED")
    # Another beam decodes again and trains nothing.
    put(scratch={**first, "beam_size": 3})
    done = finished.run(folder, "-n", *CONFIG, overlay.name, "--", goals[0])
    ran = set(re.findall(r"^rule (\w+):", done.stdout, re.M))
    assert "rewrite" in ran and "fine_tune" not in ran
    # So does another file of a model that is used as it is.
    put(**systems)
    file = folder / "models/plain/config.json"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = finished.run(folder, "-n", *CONFIG, overlay.name, "--", goals[0])
    ran = set(re.findall(r"^(?:local)?rule (\w+):", done.stdout, re.M))
    assert {"pretrained_model", "rewrite", "evaluate"} <= ran and "fine_tune" not in ran
