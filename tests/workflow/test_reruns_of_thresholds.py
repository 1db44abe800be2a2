"""Thresholds of politeness and formality: another one reruns the steps with it, and trains no regressor."""

from pathlib import Path

import pytest

from .dag import ask

pytestmark = pytest.mark.slow
TARGETS = [
    *("results/table7.csv", "results/figure2.csv", "results/impolite/table5.csv"),
    *(f"results/tydip/table{number}.csv" for number in (3, 4, 5, 6, 7)),
]
# With rewritten dialogues, but no English test set of pairs: rated sentences are in its place.
UNPAIRED = ["config/open.yaml"]
REWRITTEN = {"corpora": {"multiwoz": "demo", "impolite": "demo"}}
Jobs = dict[tuple[str, ...], dict]


def jobs(project: Path) -> Jobs:
    return {(job["rule"], *job["output"]): job for job in ask(project, REWRITTEN, UNPAIRED, TARGETS)}


def rerun(before: Jobs, after: Jobs) -> set[str]:
    """The rules of the jobs whose code or settings differ, and of all jobs that read what those write."""
    todo = [key for key in after if after[key]["tracked"] != before[key]["tracked"]]
    done = set(todo)
    while todo:
        written = set(todo.pop()[1:])
        readers = [
            key
            for key, job in after.items()
            if key not in done
            # What is in a folder is read by the name of the folder, or by its own.
            and any(path in written or {*map(str, Path(path).parents)} & written for path in job["input"])
        ]
        done.update(readers)
        todo += readers
    return {rule for rule, *_ in done}


def edited(project: Path, old: str, new: str) -> Jobs:
    path = project / "workflow_scripts/politeness/thresholds.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    after = jobs(project)
    path.write_text(text, encoding="utf-8")
    return after


def test_another_threshold_reruns_what_it_decides_about(project):
    before = jobs(project)
    polite = rerun(before, edited(project, "return score > POLITE_ABOVE", "return score >= POLITE_ABOVE"))
    assert {
        "tydip_requests",
        "train_classifier",
        "measure_classifier",
        "tydip_table3",
        "train_dast",
    } <= polite
    formal = rerun(before, edited(project, "return rating > FORMAL_ABOVE", "return rating >= FORMAL_ABOVE"))
    assert {"formality_sides", "score_politeness_of_styles", "tydip_table4"} <= formal
    assert not formal & {"tydip_requests", "train_classifier", "measure_classifier", "train_dast"}
    for rules in (polite, formal):
        assert not rules & {"train_regressor", "score_formality", "encoder", "evaluate", "table7"}
