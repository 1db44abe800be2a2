"""Annotation: the task, the way back with all that can be wrong, the simulation."""

from pathlib import Path

import pytest

from tests.papers.conftest import every_leaf_is_as_documented
from tests.rewrites.conftest import INFORMAL, REFERENCES, fill
from tests.tables import rows_of
from workflow_scripts.config.sections import Edits
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.spreadsheets import for_spreadsheets
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.xformal.appendix_j import quality
from workflow_scripts.rewrites.annotation_task import annotation_task
from workflow_scripts.rewrites.judged import judged_rewrites
from workflow_scripts.rewrites.labels import BOTH, BOXES, ONLY_MANUAL
from workflow_scripts.rewrites.measure import measure
from workflow_scripts.rewrites.sheets import read_sheet, read_task
from workflow_scripts.rewrites.simulate import simulate

__all__ = ["every_leaf_is_as_documented"]
RULES = Edits(spelling="careful", normalization="careful", repetition="careful", paraphrase="careful")

Corpus = dict[str, list[Path]]


@pytest.fixture
def task(corpus, tmp_path):
    return make_task(corpus, tmp_path / "task.csv", annotated=9)


def make_task(corpus: Corpus, path: Path, *, annotated: int, seed: int = 1) -> Path:
    annotation_task(
        path,
        informal=corpus["informal"][0],
        references=corpus["references"],
        language="en",
        annotated=annotated,
        seed=seed,
    )
    return path


def test_a_task_larger_than_the_corpus_has_every_rewrite(task):
    rows = rows_of(task)
    assert [row["id"] for row in rows] == ["s1r0", "s1r1", "s2r0", "s2r1"]
    assert [(row["informal"], row["formal"]) for row in rows] == [
        (INFORMAL[line], REFERENCES[i][line]) for line in (0, 1) for i in (0, 1)
    ]
    assert list(rows[0]) == ["id", "informal", "formal", "quality", *BOXES, "other"]
    assert {value for row in rows for name, value in row.items() if name in (*BOXES, "quality")} == {""}
    assert sorted(BOXES) == sorted((*BOTH, *ONLY_MANUAL)) and len(BOXES) == 13


def test_a_sample_is_a_sample_and_depends_on_the_seed_only(corpus, tmp_path):
    drawn = [
        [row["id"] for row in rows_of(make_task(corpus, tmp_path / f"{n}.csv", annotated=2, seed=seed))]
        for n, seed in enumerate([1, 1, *range(2, 20)])
    ]
    assert drawn[0] == drawn[1] and len({tuple(ids) for ids in drawn}) > 2
    assert all(len(set(ids)) == 2 and ids == sorted(ids) for ids in drawn)


def test_a_filled_sheet_comes_back_whatever_its_order_and_marks(task, tmp_path):
    sheet = fill(
        tmp_path / "en.csv",
        task,
        {
            0: {"quality": " Excellent ", "paraphrase": "x", "politeness": "1", "other": " a; b "},
            1: {"capitalization": "TRUE", "spelling": "no", "punctuation": "0"},
            2: {"quality": "POOR", "relativizers": "Yes", "informal": " I LOVE  it"},
        },
    )
    lines = sheet.read_text(encoding="utf-8").splitlines()
    sheet.write_text("\ufeff" + "\r\n".join([lines[0], *reversed(lines[1:])]) + "\r\n", encoding="utf-8")
    judged = read_sheet(sheet, read_task(task))
    assert list(judged) == ["s1r0", "s1r1", "s2r0", "s2r1"]
    assert [one.quality for one in judged.values()] == ["excellent", "acceptable", "poor", "acceptable"]
    assert [{name for name, has in one.edits.items() if has} for one in judged.values()] == [
        {"paraphrase", "politeness"},
        {"capitalization"},
        {"relativizers"},
        set(),
    ]
    assert judged["s1r0"].other == "a; b"


def test_a_sheet_may_be_the_copy_for_spreadsheets(tmp_path):
    header = ["id", "informal", "formal", "quality", *BOXES, "other"]
    rows = [["s1r0", "=1+1 quoi", "-non", "poor", *[""] * len(BOXES), ""]]
    write_csv(tmp_path / "task.csv", header, rows)
    for_spreadsheets(tmp_path / "copy.csv", table=tmp_path / "task.csv")
    task = read_task(tmp_path / "task.csv")
    assert read_sheet(tmp_path / "copy.csv", task) == read_sheet(tmp_path / "task.csv", task)
    write_csv(tmp_path / "task.csv", header, rows * 2)
    with pytest.raises(InputError, match=r"task\.csv:3: a second row of s1r0"):
        read_task(tmp_path / "task.csv")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "s9r9"}, r"en\.csv:3: 's9r9' is not in the task"),
        ({"id": "s1r0"}, r"en\.csv:3: 's1r0' occurs twice"),
        ({"formal": "Another."}, r"en\.csv:3: the formal sentence differs from the task"),
        ({"informal": "#NAME?"}, r"en\.csv:3: the informal sentence differs from the task"),
        ({"quality": ""}, r"en\.csv:3: no quality; give excellent, acceptable, poor"),
        ({"quality": "good"}, r"en\.csv:3: 'good' is not a quality"),
        ({"slang_idioms": "maybe"}, r"en\.csv:3: 'maybe' in the box slang_idioms is not a mark"),
    ],
)
def test_a_bad_line_is_named(change, problem, task, tmp_path):
    sheet = fill(tmp_path / "en.csv", task, {1: change})
    with pytest.raises(InputError, match=problem):
        read_sheet(sheet, read_task(task))


def test_missing_rewrites_and_columns_are_named(task, tmp_path):
    sheet = fill(tmp_path / "en.csv", task)
    lines = sheet.read_text(encoding="utf-8").splitlines()
    sheet.write_text("\n".join([lines[0], lines[1], lines[4]]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"en\.csv: 2 of 4 rewrites are missing, the first is 's1r1'"):
        read_sheet(sheet, read_task(task))
    sheet.write_text("\n".join(line.replace(",", ";") for line in lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"en\.csv:1: the columns are not id, informal"):
        read_sheet(sheet, read_task(task))


def test_judgments_are_counted_and_their_quality_is_a_table(task, tmp_path):
    sheet = fill(tmp_path / "en.csv", task, {0: {"quality": "poor", "spelling": "1"}, 1: {"spelling": "1"}})
    other = fill(tmp_path / "pt.csv", task, {n: {"quality": "excellent"} for n in range(4)})
    files = []
    for language, path in (("en", sheet), ("pt", other), ("it", sheet)):
        files.append(tmp_path / f"judged.{language}.csv")
        judged_rewrites(files[-1], sheet=path, task=task, language=language, source="manual")
    rows = {(row["kind"], row["name"]): row for row in rows_of(files[0])}
    assert rows["edit", "spelling"]["count"] == "2" and rows["edit", "politeness"]["count"] == "0"
    assert rows["quality", "poor"]["count"] == "1" and rows["quality", "poor"]["rewrites"] == "4"
    printed = tmp_path / "printed.csv"
    printed.write_text("quality,source,lang,printed\nexcellent,manual,mean,0.40-1\npoor,manual,mean,0-0.10\n")
    table, comparison = tmp_path / "j.csv", tmp_path / "j.compare.csv"
    quality(table, comparison, languages=["pt", "it", "en"], judged=files, printed=printed, scale="paper")
    assert table.read_text(encoding="utf-8").splitlines() == [
        "quality,source,pt,it,en,mean",
        "excellent,manual,1.00,0.00,0.00,0.50",
        "acceptable,manual,0.00,0.75,0.75,0.38",
        "poor,manual,0.00,0.25,0.25,0.12",
        "rewrites,manual,4,4,4,",
    ]
    mean = {row["quality"]: row for row in rows_of(comparison) if row["lang"] == "mean"}
    assert (mean["excellent"]["difference"], mean["excellent"]["comparable"]) == ("0.00", "yes")
    assert mean["poor"]["difference"] == "0.02" and mean["acceptable"]["comparable"] == "no: not printed"
    assert {row["signature"] for row in mean.values()} == {"source:manual|mean of pt, it"}
    judged = [row for row in rows_of(comparison) if row["quality"] == "rewrites"]
    assert [row["signature"] for row in judged] == [
        signature(path, source="manual") for path in (files[1], files[2], files[0])
    ]
    quality(table, comparison, languages=["pt", "it"], judged=files[1:2], printed=printed, scale="paper")
    lines = [line for line in read_lines(files[1]) if ",acceptable," not in line]
    write_lines(files[1], lines)
    with pytest.raises(InputError, match=r"judged\.pt\.csv: no share of acceptable rewrites for pt"):
        quality(table, comparison, languages=["pt"], judged=files[1:2], printed=printed, scale="paper")
    mean = {row["quality"]: row for row in rows_of(comparison) if row["lang"] == "mean"}
    assert mean["poor"]["comparable"] == "no: a mean without it"


def test_a_simulated_sheet_is_a_sheet_and_says_so(corpus, task, tmp_path):
    pairs = tmp_path / "pairs.csv"
    measure(
        pairs,
        informal=corpus["informal"][0],
        references=corpus["references"],
        language="en",
        abbreviations=corpus["abbreviations"][0],
        punkt=corpus["punkt"][0],
    )
    sheets = [tmp_path / f"{name}.csv" for name in "abc"]
    for sheet, seed in zip(sheets, (1, 1, 2), strict=True):
        simulate(sheet, task=task, pairs=pairs, language="en", seed=seed, rules=RULES)
    assert sheets[0].read_bytes() == sheets[1].read_bytes() != sheets[2].read_bytes()
    judged = read_sheet(sheets[0], read_task(task))
    assert {one.other for one in judged.values()} == {"simulated"}
