"""A language model as a row of Tables 7 and 6, in a copy of the finished run; its server is here."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import METRICS
from tests.prompting.server import KEY, Server, formal
from tests.tables import rows_of
from workflow_scripts.core.files import read_lines

from .conftest import CONFIG, ROOT
from .dag import ask

pytestmark = pytest.mark.slow


def translated(prompt: str) -> str:
    """A stand-in for a translation: the language, the level and the last English sentence of a prompt."""
    level = next(word for word in ("informal", "formal") if f"listener {word}ly" in prompt)
    sentence = prompt.rsplit("English: ", 1)[1].splitlines()[0]
    return f"{'French' if 'into French' in prompt else prompt} {level}: {sentence}"


def test_a_language_model_is_a_row_of_table_7(finished, tmp_path, monkeypatch):
    folder = tmp_path / "checkout"
    shutil.copytree(finished.folder, folder, symlinks=True)
    server = Server()
    model: dict[str, Any] = {"kind": "endpoint", "name": "m", "address": server.address, "key": "SECRET_KEY"}
    settings = {
        "rows": ["copy", "rule-based", "llm"],
        "prompting": {"prices": {"m": {"input": 1, "output": 1}}},
        "systems": {"llm": {"label": "LLM", "kind": "prompted", "examples": 3, "model": model}},
        "control": {"systems": {"llm": {"label": "LLM", "kind": "prompted", "examples": 2, "model": model}}},
    }
    server.says = lambda prompt: formal(prompt) if "Informal: " in prompt else translated(prompt)
    (folder / "llm.yaml").write_text(json.dumps(settings), encoding="utf-8")
    goals = ["results/table7.csv", "results/table7.compare.csv"]
    goals += [f"build/control/outputs/llm/fr/{level}/run0.txt" for level in ("formal", "informal")]
    words = [folder, "--cores", 2, *CONFIG, "llm.yaml", "--", *goals]
    monkeypatch.delenv("SECRET_KEY", raising=False)
    done = finished.run(*words)
    assert done.returncode == 2 and "the environment has no SECRET_KEY" in done.stderr
    monkeypatch.setenv("SECRET_KEY", KEY)
    done = finished.run(*words)
    server.close()
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]

    asked = read_lines(folder / "build/control/test/fr/source.txt")
    for goal in goals[2:]:
        level = Path(goal).parts[-2]
        assert read_lines(folder / goal) == [f"French {level}: {text}" for text in asked]
    asked_for = [prompt for prompt in server.prompts if "Translate the English sentence" in prompt]
    assert len(asked_for) == 2 * len(set(asked))
    assert all(prompt.count("English: ") == prompt.count("Translation:") == 3 for prompt in asked_for)
    sources = read_lines(folder / "build/corpora/xformal/fr/informal.txt")
    assert read_lines(folder / "build/transfer/fr/llm/run0.txt") == [formal(text) for text in sources]
    rewritten = [prompt for prompt in server.prompts if "informal French sentence" in prompt]
    assert len(rewritten) == len(set(sources)) == len(server.seen) - len(asked_for)
    (row,) = [row for row in rows_of(folder / goals[0]) if row["system"] == "LLM"]
    for metric in METRICS:
        assert row[f"{metric}_fr"] and 0 <= float(row[f"{metric}_fr_p"]) <= 1
    cells = [row for row in rows_of(folder / goals[1]) if row["system"] == "LLM" and row["lang"] == "fr"]
    assert len(cells) == 4
    for cell in cells:
        assert "|prompted:endpoint/m@" in cell["signature"] and "|prompt:" in cell["signature"]
        assert float(cell["ci_low"]) <= float(cell["ours"]) <= float(cell["ci_high"])
    for path in (*folder.rglob("*.log"), *folder.glob("results/*.csv"), *folder.glob("cache/*")):
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in done.stdout + done.stderr


def test_what_asks_the_network_is_local(tmp_path):
    """A service, a file and a checkpoint of the hub: it is fetched once, before the jobs that read it."""
    model = {"kind": "transformers", "name": "org/name", "revision": "0123456789" * 4}
    system = {"label": "HUB", "kind": "prompted", "examples": 0, "model": model}
    (tmp_path / "hub.yaml").write_text(json.dumps({"systems": {"hub": system}}))
    overlays = ["config/prompted.yaml", str(tmp_path / "hub.yaml")]
    jobs = ask(ROOT, {}, overlays, ["results/table7.csv"])
    found = Counter((job["rule"], job["local"]) for job in jobs)
    assert found["prompted_gguf", False] == found["prompted_transformers", False] == 3
    # A service and a server of one's own, in French.
    assert found["prompted_endpoint", True] == 2 and found["fetch_language_model", True] == 1
    folder = f"build/transfer/models/{model['revision']}"
    assert all((folder in job["input"]) == (job["rule"] == "prompted_transformers") for job in jobs)
