"""The overlay of released and pretrained models, run on tiny checkpoints that a local hub serves."""

import json
import shutil

import pytest
import yaml

from tests.hub import hub, named
from tests.tables import rows_of
from tests.workflow.checkpoints import put_checkpoints, put_sockeye, redirect
from tests.workflow.dag import ask
from tests.workflow.test_page import PAPERS
from tests.workflow.test_second_device import computed, copied, kinds
from tests.workflow.tiny import CONFIG, ROOT
from workflow_scripts.leaves.registry import load
from workflow_scripts.papers.cocoa_mt.accuracies import UNTRANSLATED

pytestmark = pytest.mark.long
FEW = {"epochs": 1, "max_updates": 2, "batch_size": 4}
GOALS = [
    *("results/table7.csv", "results/cocoa-mt/table6.csv", "results/cocoa-mt/table6.compare.csv"),
    *("results/tydip/table3.csv", "results/impolite/table7.csv"),
    # Whatever else needs no download but the checkpoints.
    *("results/latex/table7.tex", "results/metric-agreement.csv"),
    *(f"results/cocoa-mt/{name}" for name in ("table8.csv", "figure1.svg", "figure2.svg")),
    *(f"results/tydip/table{number}.csv" for number in (4, 5, 6, 7)),
    *(f"results/impolite/table{number}.csv" for number in (5, 6, 8, 9, 10)),
    *(f"results/impolite/figure{number}.svg" for number in (2, 3)),
]
DIALOGUE = {"mintl": "MinTL", "ubar": "UBAR", "augpt-released": "AuGPT", "pptod-released": "PPTOD"}


@pytest.fixture(scope="module")
def repositories(tmp_path_factory):
    """Tiny checkpoints by the names and commits of the overlay."""
    folder = tmp_path_factory.mktemp("hub")
    both = [yaml.safe_load((ROOT / name).read_text("utf-8")) for name in ("config/hub.yaml", "config.yaml")]
    commits = dict(named(both[1])) | dict(named(both[0]))
    return put_checkpoints(folder, commits)


@pytest.fixture(scope="module")
def overlaid(finished, tmp_path_factory):
    """A copy of the tiny run with a model of Sockeye, and the overlays as words for snakemake."""
    folder = tmp_path_factory.mktemp("overlaid") / "checkout"
    shutil.copytree(finished.folder, folder, symlinks=True)
    texts = [f"build/corpora/generic/fr/train.{side}.txt" for side in ("en", "target")]
    done = finished.run(folder, "--cores", 2, *CONFIG, "--", *texts)
    assert done.returncode == 0, done.stderr[-3000:]
    sides = [(folder / path, language) for path, language in zip(texts, ("en", "fr"), strict=True)]
    put_sockeye(folder / "models/model.en-fr", sides)
    plain = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    plain_style = yaml.safe_load((ROOT / "tests/workflow/tiny.yaml").read_text("utf-8"))["style"]["systems"]
    scorer = plain["evaluation"]["scorers"]["similarity"]
    sentences = {name: scorer[name] for name in ("checkpoint", "revision")}
    short = {"max_context": 64, "max_belief": 3, "max_response": 3}
    tiny = {
        "scale": "demo",
        "device": "cpu",
        "demo": {"requests_train": 40, "requests_test": 20},
        "corpora": plain["corpora"],
        "transfer": {"copying": None},
        "formality": {"max_length": 16, "epochs": 1},
        "evaluation": {"scorers": {"zero_shot": {"epochs": 1}}},
        # Ratings whose translations say nothing teach nothing: all sentences are formal.
        "filtering": {"informal_below": -3.0},
        "systems": {
            name: {"languages": ["fr"], "max_length": 12, "beam_size": 2, "training": FEW, "lora": lora}
            for name, lora in (("mt5", {}), ("mbart", None))
        },
        "politeness": {
            "seeds": [42],
            "classifiers": {name: {"epochs": 1, "max_length": 16} for name in ("xlmr", "roberta")},
            "released": {"xlmr-released": {"max_length": 16}},
        },
        "dialogue": {
            # That of the open scale is a package.
            "similarity": {"encoder": {"kind": "hub", **sentences}},
            "rows": list(DIALOGUE),
            "systems": {name: {"decoding": short} for name in DIALOGUE},
        },
        "style": {
            "judge": {"epochs": 1, "max_length": 16},
            "fluency": {"window": 40, "stride": 20},
            "systems": {
                **{name: {"max_length": 5, "training": FEW} for name in ("bart", "t5")},
                "dast": plain_style["dast"],
            },
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
    return folder, overlays


@pytest.fixture(scope="module")
def run(finished, overlaid, repositories):
    """Run snakemake while the local hub serves; the paths that it has been asked for."""
    folder, overlays = overlaid
    with hub(repositories) as (address, asked), pytest.MonkeyPatch.context() as here:
        redirect(folder, address)
        here.setenv("NO_PROXY", "127.0.0.1")
        here.setenv("HF_ENDPOINT", address)

        def runs(*arguments):
            done = finished.run(folder, "--cores", 2, *overlays, *arguments)
            assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
            return asked

        yield runs


def test_the_overlay_runs_on_tiny_checkpoints(finished, overlaid, repositories, run):
    folder, overlays = overlaid
    asked = run("--", *GOALS)
    for name, commit in repositories:
        assert any(f"/{name}/resolve/{commit}/" in path for path in asked), name
    # Whatever has no commit has the checksum of the first run.
    records = [
        f"build/corpora/downloads/{name}" for name in ("tydip-classifier/config.json", "pptod/small.zip")
    ]
    assert all((folder / f"{name}.sha256").is_file() for name in [*records, "models/model.en-fr"])
    table = {row["system"]: row for row in rows_of(folder / GOALS[0]) if row["section"] == "automatic"}
    assert all(table[name]["multi_bleu_fr"] for name in ("ROUND-TRIP MT", "MT5-SMALL", "MBART-50"))
    further = ("similarity", "zero_shot", "formal", "pseudo_perplexity")
    assert all(row[f"{metric}_fr"] for row in table.values() for metric in further)
    assert float(table["COPY"]["similarity_fr"]) == 1
    assert {row["system"] for row in rows_of(folder / GOALS[1])} == {"references", "none", "CoCoA-MT"}
    requests = {(row["model"], row["input"], row["measure"]): row for row in rows_of(folder / GOALS[3])}
    # The authors' weights read all languages; XLM-R is trained here, and RoBERTa reads English only.
    for given in [("XLMR", "target"), ("XLMR, trained here", "target"), ("RoBERTa", "en")]:
        assert requests[*given, "accuracy"]["en"] and requests[*given, "accuracy"]["fr"], given
    answered = {(row["model"], row["data"]): row["Combined"] for row in rows_of(folder / GOALS[4])}
    assert all(answered[label, data] for label in DIALOGUE.values() for data in ("Original", "Impolite"))
    # Models that rate formality rate PT16's sentences too.
    agreement = rows_of(folder / "results/metric-agreement.csv")
    rated = [row for row in agreement if row["texts"] == "PT16"]
    assert [(row["language"], row["metric"]) for row in rated] == [
        (lang, label) for lang in ("en", "fr") for label in ("formality", "zero-shot formality", "formal (%)")
    ]
    assert {row["n"] for row in rated} == {"40"} and len({row["signature"] for row in rated}) == 4
    # What was not trained as the paper's is not compared with it.
    printed = [row for row in rows_of(folder / GOALS[2]) if row["printed"]]
    # The tiny run is in French, the overlay in the languages of IWSLT 2022's models.
    assert all(UNTRANSLATED.format("de") in row["comparable"] for row in printed if row["lang"] == "de")
    cells = [row for row in printed if row["ours"]]
    reasons = {row["comparable"] for row in cells if row["system"] == "none"}
    assert reasons and all(
        "trained on unknown data (models/model.en-fr, of Sockeye)" in one for one in reasons
    )
    # Other weights are read again.
    codes = folder / "models/model.en-fr/bpe_codes"
    text = codes.read_text("utf-8")
    codes.write_text(text.rpartition("\n")[0].rpartition("\n")[0] + "\n", "utf-8")
    done = finished.run(folder, "-n", *overlays, "--", GOALS[1])
    assert "rule read_sockeye" in done.stdout and "rule train_tuned" in done.stdout
    codes.write_text(text, "utf-8")


def test_every_leaf_of_every_paper_is_made(overlaid, mirror, run):
    """With released data of a mirror, and the environments of the tools that some leaves need."""
    folder, _ = overlaid
    run("--config", f"mirror={mirror}", PAPERS, "--", "results/index.html")
    leaves = load(ROOT / "resources/leaves.csv")
    page = (folder / "results/index.html").read_text("utf-8")
    assert [leaf.name for leaf in leaves if f'<h3 id="{leaf.anchor}">' not in page] == []
    # Genders in WinoMT's sentences, as the given translator and those tuned from it translate them.
    rows = rows_of(folder / "results/cocoa-mt/table13.csv")
    assert [row["system"] for row in rows] == ["base", "msc-trg", "Google", "Bing", "Amazon", "Systran"]
    assert all(row["accuracy"] and row["f1_female"] and row["f1_male"] for row in rows)
    assert all(row["avg"] for row in rows[:2])


def test_its_models_leave_nothing_on_another_device(overlaid, run, tmp_path):
    folder, overlays = overlaid
    run("--", *GOALS)
    copy = copied(folder, tmp_path / "checkout")
    jobs = kinds(ask(copy, {}, [str(copy / name) for name in overlays[2:]], GOALS))
    problems, without = computed(copy, tmp_path, jobs)
    assert problems == {}
    assert without == set()
    # Jobs of the overlay, most of which the tiny run has otherwise.
    assert len({job["rule"] for job in jobs}) > 30
    assert any("--lora" in job["shell"] for job in jobs)
