"""Comparing two experiments: values, tests, refusals."""

import csv
import random
import shutil
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from tests.conftest import METRICS
from tests.manifests import listed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.evaluation.changes import HEADER, changes
from workflow_scripts.evaluation.evaluate import evaluate
from workflow_scripts.statistics.correction import holm

TEXT = "n preciso pedir pois sei q ela vai vir atras não que virá para isso meu amor hoje"
WORDS = TEXT.split()
SENTENCES = 60
RUNS = {"gold": 2, "copy": 1, "rule-based": 1, "tag": 1, "unmt": 2}


def vary(lines: list[str], share: float, seed: str) -> list[str]:
    draw = random.Random(seed)
    return [
        " ".join(draw.choice(WORDS) if draw.random() < share else word for word in line.split())
        for line in lines
    ]


def score(folder: Path, language: str, regressor: str = "one") -> None:
    """Write scores.csv of what lies in the folder, as the workflow does."""
    build = folder / "build"
    build.joinpath("regressor").write_text(regressor)
    paths = {
        stage: [
            Path("build") / stage / language / inner / name / f"run{i}.txt"
            for name, runs in RUNS.items()
            for i in range(runs)
        ]
        for stage, inner in (("transfer", ""), ("formality", "systems"), ("fluency", "systems"))
    }
    table: dict[str, Any] = {
        "systems": [name for name, runs in RUNS.items() for _ in range(runs)],
        "names": [f"run{i}" for runs in RUNS.values() for i in range(runs)],
        **paths,
    }
    lists = {"system": "systems", "run": "names", "output": "transfer"}
    # As the workflow writes it, from within the folder.
    runs = build / f"evaluation/{language}/scores.manifest.csv"
    listed(runs, "runs", table, **lists, formality="formality", fluency="fluency")
    with chdir(folder):
        evaluate(
            build / f"evaluation/{language}/scores.csv",
            language=language,
            informal=build / f"corpora/xformal/{language}/informal.txt",
            references=sorted((build / f"corpora/xformal/{language}").glob("formal.ref*.txt")),
            runs=runs,
            gold=["gold"],
            regressor=build / "regressor",
            lm=build / "regressor",
            order=5,
            baseline="rule-based",
            metrics=METRICS,
            resamples=50,
            confidence=0.95,
            seed=1,
        )


def put(folder: Path, language: str, name: str, run: int, lines: list[str], formality: float) -> None:
    """A system's outputs with their sentence scores."""
    draw = random.Random(f"{language} {name} {run}")
    build = folder / "build"
    write_lines(build / f"transfer/{language}/{name}/run{run}.txt", lines)
    noise = [draw.gauss(0, 0.3) for _ in lines]
    write_lines(
        build / f"formality/{language}/systems/{name}/run{run}.txt", [str(formality + n) for n in noise]
    )
    write_lines(build / f"fluency/{language}/systems/{name}/run{run}.txt", [str(5 - n) for n in noise])


@pytest.fixture
def first(tmp_path):
    """An experiment in two languages."""
    folder = tmp_path / "first"
    for language in ("pt", "fr"):
        draw = random.Random(language)
        informal = [" ".join(draw.choices(WORDS, k=draw.randint(5, 12))) for _ in range(SENTENCES)]
        references = [vary(informal, 0.4, f"{language} {i}") for i in range(2)]
        place = folder / f"build/corpora/xformal/{language}"
        write_lines(place / "informal.txt", informal)
        for i, lines in enumerate(references):
            write_lines(place / f"formal.ref{i}.txt", lines)
            put(folder, language, "gold", i, lines, 1.0)
            put(folder, language, "unmt", i, vary(informal, 0.6, f"unmt {i}"), -1.0)
        put(folder, language, "copy", 0, informal, -2.0)
        put(folder, language, "rule-based", 0, vary(informal, 0.1, "rules"), -1.5)
        put(folder, language, "tag", 0, vary(informal, 0.2, "tag"), -0.5)
        score(folder, language)
    return folder


@pytest.fixture
def second(first):
    """The same, but `tag` writes other sentences in French, far more formal."""
    folder = first.with_name("second")
    shutil.copytree(first, folder)
    informal = read_lines(folder / "build/corpora/xformal/fr/informal.txt")
    put(folder, "fr", "tag", 0, vary(informal, 0.7, "other"), 0.5)
    score(folder, "fr")
    return folder


def table(path: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == HEADER
    return {(row["language"], row["system"], row["metric"]): row for row in rows}


def compared(first: Path, second: Path, **options: object) -> dict[tuple[str, str, str], dict[str, str]]:
    changes(first.with_name("out.csv"), first, second, resamples=400, **options)  # type: ignore[arg-type]
    return table(first.with_name("out.csv"))


def test_values_are_those_of_the_evaluation_and_only_what_changed_is_tested(first, second):
    rows = compared(first, second)
    # Four metrics of five systems in two languages, but no multi_bleu of the rewrites themselves.
    assert len(rows) == 2 * (4 * 5 - 1)
    for folder, column in ((first, "first"), (second, "second")):
        for language in ("pt", "fr"):
            with (folder / f"build/evaluation/{language}/scores.csv").open(newline="") as stream:
                for row in csv.DictReader(stream):
                    if (key := (language, row["system"], row["metric"])) in rows:
                        assert rows[key][column] == row["value"]
    tested = {key for key, row in rows.items() if row["p"]}
    assert tested == {("fr", "tag", metric) for metric in METRICS}
    assert all(row["difference"] == "0.000000" for key, row in rows.items() if key not in tested)
    assert all(row["scorer"] == "same" for row in rows.values())
    assert rows["fr", "unmt", "formality"]["runs_first"] == "2"


def test_differences_intervals_and_p_values(first, second):
    rows = compared(first, second)
    formality = rows["fr", "tag", "formality"]
    scores = [np.array(read_numbers(f / "build/formality/fr/systems/tag/run0.txt")) for f in (first, second)]
    change = float((scores[1] - scores[0]).mean())
    assert float(formality["difference"]) == pytest.approx(change, abs=1e-6)
    # The noise is the same in both, so that each sentence differs by 1 and the interval is narrow.
    assert change == pytest.approx(1) and float(formality["ci_low"]) == pytest.approx(1, abs=1e-5)
    assert float(formality["p"]) == pytest.approx(1 / 401, abs=1e-6)
    # Four tests in the table: the smallest p counts four times.
    smallest = min(float(row["p"]) for row in rows.values() if row["p"])
    assert float(formality["p_holm"]) == pytest.approx(4 * smallest, abs=1e-5)
    bleu = rows["fr", "tag", "multi_bleu"]
    build = second / "build"
    references = [read_lines(build / f"corpora/xformal/fr/formal.ref{i}.txt") for i in range(2)]
    outputs = read_lines(build / "transfer/fr/tag/run0.txt")
    assert float(bleu["second"]) == pytest.approx(BLEU().corpus_score(outputs, references).score, abs=1e-4)
    assert float(bleu["ci_low"]) < float(bleu["difference"]) < float(bleu["ci_high"]) < 0
    # Perplexity did not change although the texts did.
    assert float(rows["fr", "tag", "perplexity"]["p"]) == 1


def test_another_regressor_is_said(first, second, capsys):
    score(second, "fr", regressor="two")
    rows = compared(first, second)
    assert {row["scorer"] for key, row in rows.items() if key[2].endswith("bleu")} == {"same"}
    assert rows["fr", "copy", "formality"]["scorer"] == "another"
    assert rows["pt", "copy", "formality"]["scorer"] == "same"
    # Holm's correction is over the whole table, whatever measured.
    tested = [row for row in rows.values() if row["p"]]
    assert len({row["scorer"] for row in tested}) == 2
    adjusted = holm([float(row["p"]) for row in tested])
    assert [float(row["p_holm"]) for row in tested] == pytest.approx(adjusted, abs=1e-5)
    assert "formality: the two experiments measure it with another model" in capsys.readouterr().err


def test_what_only_one_has_is_named(first, second, capsys):
    shutil.rmtree(second / "build/evaluation/pt")
    path = second / "build/evaluation/fr/scores.csv"
    lines = read_lines(path)
    write_lines(path, [line for line in lines if not line.startswith("unmt,")])
    rows = compared(first, second)
    assert {key[:2] for key in rows} == {("fr", name) for name in RUNS if name != "unmt"}
    said = capsys.readouterr().err
    assert f"language 'pt' is only in {first}" in said and f"fr: system 'unmt' is only in {first}" in said


def test_references_of_another_length_are_named(first, tmp_path):
    reference = first / "build/corpora/xformal/fr/formal.ref1.txt"
    kept = reference.read_bytes()
    reference.write_text("")
    try:
        with pytest.raises(InputError, match=r"formal\.ref1\.txt: 0 lines where .*informal\.txt has"):
            changes(tmp_path / "no.csv", first, first, languages=["fr"])
    finally:
        reference.write_bytes(kept)


@pytest.mark.parametrize(
    ("name", "what"), [("informal.txt", "test sentences"), ("formal.ref1.txt", "references")]
)
def test_other_sentences_or_references_are_refused(first, second, module, name, what):
    path = second / f"build/corpora/xformal/fr/{name}"
    write_lines(path, ["outra frase", *read_lines(path)[1:]])
    done = module("evaluation.changes", first.with_name("out.csv"), first, second)
    assert done.returncode == 2
    assert f"error: {path.parent}: other {what} than in" in done.stderr and "Traceback" not in done.stderr
    assert not first.with_name("out.csv").exists()


def test_the_gold_standard_is_known_by_its_scores(first):
    """Files of references may have been made again, or stand in another order than its runs."""
    reference = first / "build/corpora/xformal/fr/formal.ref0.txt"
    lines = read_lines(reference)
    write_lines(reference, ["autre phrase", *lines[1:]])
    try:
        found = compared(first, first)
    finally:
        write_lines(reference, lines)
    assert {metric for language, name, metric in found if (language, name) == ("fr", "gold")} == {
        "self_bleu",
        "formality",
        "perplexity",
    }


def test_a_folder_without_scores_is_refused(first, tmp_path):
    with pytest.raises(InputError, match=r"no build/evaluation/\*/scores.csv in it"):
        changes(tmp_path / "out.csv", first, tmp_path)
    with pytest.raises(InputError, match="have no language in common"):
        changes(tmp_path / "out.csv", first, first, languages=["it"])
