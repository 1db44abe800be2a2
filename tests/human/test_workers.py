"""Qualification: scoring by hand, the steps of quality control, Tables 3 and 13."""

import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.human.qualification import qualification
from workflow_scripts.human.questions import Question, read_questions, score
from workflow_scripts.human.screen import screen
from workflow_scripts.human.sheets import RATINGS, read_items
from workflow_scripts.human.simulate_workers import answered, simulate_workers
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.papers.xformal.table3 import table3
from workflow_scripts.papers.xformal.table13 import table13

RESOURCES = Path(__file__).parents[2] / "resources"
QUESTIONS = RESOURCES / "qualification"
TEST = [Question(f"q{i}", f"phrase {i}", gold) for i, gold in enumerate((-2, -3, -1, 2, 2))]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((-2, -3, -1, 2, 2), 100),
        # Off by one is right, off by two is wrong.
        ((-1, -2, 0, 1, 3), 100),
        ((-1, -2, 0, 1, 0), 80),
        ((0, -1, -3, 0, 0), 0),
        ((-2, -3, -1), 60),
        ((), 0),
    ],
)
def test_score_by_hand(answers, expected):
    given = {question.name: answer for question, answer in zip(TEST, answers, strict=False)}
    assert score(given, TEST, 1) == expected


@pytest.fixture
def files(tmp_path):
    """Five workers: passes and is accepted, passes exactly, fails, lives elsewhere, gives no answer."""
    answers = {"ana": (-2, -3, -1, 2, 2), "bo": (-2, -3, -1, 2, 0), "cy": (-2, -3, -1, 0, 0), "dee": (0,)}
    rows = [
        (worker, f"q{i}", "formality", value)
        for worker, values in answers.items()
        for i, value in enumerate(values)
    ]
    countries = {"ana": "FR", "bo": "CA", "cy": "FR", "dee": "BR", "eve": "FR"}
    return {
        "workers": put(tmp_path / "workers.csv", ("worker", "country"), list(countries.items())),
        "answers": put(tmp_path / "answers.csv", RATINGS, rows),
        "reviews": put(tmp_path / "reviews.csv", ("worker", "accepted"), [("ana", "yes"), ("bo", "no")]),
        "questions": put(
            tmp_path / "fr.csv", ("question", "text", "gold"), [(q.name, q.text, q.gold) for q in TEST]
        ),
        "countries": QUESTIONS / "countries.csv",
        "language": "fr",
        "tolerance": 1,
        "pass_score": 80,
    }


def test_steps_of_quality_control(files, tmp_path):
    screen(tmp_path / "out.csv", **files)
    found = {row.pop("worker"): tuple(row.values()) for row in rows_of(tmp_path / "out.csv")}
    assert found == {
        "ana": ("FR", "yes", "100.0", "yes", "yes"),
        "bo": ("CA", "yes", "80.0", "yes", "no"),
        "cy": ("FR", "yes", "60.0", "no", "no"),
        "dee": ("BR", "no", "", "no", "no"),
        "eve": ("FR", "yes", "0.0", "no", "no"),
    }
    screen(tmp_path / "out.csv", **files | {"reviews": None})
    assert {row["accepted"] for row in rows_of(tmp_path / "out.csv")} == {"no"}


@pytest.mark.parametrize(
    ("file", "rows", "message"),
    [
        ("workers", [("ana", "FR"), ("ana", "CA")], r"workers\.csv:3: a second line for 'ana'"),
        ("workers", [("ana", "France")], r"workers\.csv:2: country 'France' of 'ana'; .*ISO 3166"),
        ("workers", [("anna", "FR")], "answers of 'ana', who is not in .*did you mean 'anna'"),
        ("reviews", [("cy", "yes")], r"reviews\.csv:2: 'cy' has not passed the test"),
        ("reviews", [("ana", "ok")], r"reviews\.csv:2: accepted is 'ok'; write yes or no"),
        ("reviews", [("ana", "yes"), ("ana", "no")], r"reviews\.csv:3: a second review of 'ana'; keep one"),
        ("questions", [("q0", "a", "4")], r"fr\.csv:2: gold score '4'; use -3 to 3"),
        ("questions", [("q0", "a", "1"), ("q0", "b", "1")], r"fr\.csv:3: a question has a name of its own"),
        ("questions", [], r"fr\.csv: no question"),
        ("questions", [("", "a", "1")], r"fr\.csv:2: a question has a name of its own"),
        ("questions", [("q0", " ", "1")], r"fr\.csv:2: a question has a name of its own .* see 'q0'"),
        ("workers", [("", "FR")], r"workers\.csv:2: a second line for '', or no name"),
        ("reviews", [("an", "yes")], r"reviews\.csv:2: 'an' has not passed the test; did you mean 'ana'"),
    ],
)
def test_wrong_files_are_reported(files, tmp_path, file, rows, message):
    header = files[file].read_text().splitlines()[0].split(",")
    put(files[file], header, rows)
    with pytest.raises(InputError, match=message):
        screen(tmp_path / "out.csv", **files)
    assert not (tmp_path / "out.csv").exists()


def test_a_language_needs_countries(files, tmp_path):
    with pytest.raises(InputError, match="no country for language 'de'"):
        screen(tmp_path / "out.csv", **files | {"language": "de"})


def test_our_tests_have_the_printed_gold_scores_and_sentences_of_their_own():
    printed = read_printed(RESOURCES / "printed/xformal/table13.csv", "lang", "gold")
    seen = set()
    for language in ("pt", "it", "fr"):
        test = read_questions(QUESTIONS / f"{language}.csv")
        assert len(test) == 8
        for gold in range(-3, 4):
            count = sum(question.gold == gold for question in test)
            assert str(count) == printed[language, str(gold)]
        seen |= {question.text for question in test}
    assert len(seen) == 24


def test_the_tests_sheet_does_not_tell_the_gold_scores(tmp_path):
    qualification(tmp_path / "sheet.csv", questions=QUESTIONS / "fr.csv")
    items = read_items(tmp_path / "sheet.csv")
    assert [item.item for item in items] == [f"q{i}" for i in range(1, 9)]
    assert {(item.batch, item.task) for item in items} == {(1, "formality")}
    assert [item.text for item in items] == [one.text for one in read_questions(QUESTIONS / "fr.csv")]
    assert rows_of(tmp_path / "sheet.csv")[0].keys() == {
        *("item", "batch", "task", "informal", "rewrite", "text")
    }


def passing(shares: list[float], needed: int) -> float:
    """The chance of at least `needed` right answers, each right with its own chance."""
    counts = [1.0]
    for share in shares:
        counts = [
            (counts[i] if i < len(counts) else 0) * (1 - share) + (counts[i - 1] * share if i else 0)
            for i in range(len(counts) + 1)
        ]
    return sum(counts[needed:])


@pytest.mark.parametrize("careful", [True, False])
def test_simulated_workers_pass_as_often_as_they_should(careful):
    test = read_questions(QUESTIONS / "fr.csv")
    noise = 1.0

    def below(x: float) -> float:
        return 0.5 * (1 + math.erf(x / (noise * math.sqrt(2))))

    def right(gold: int) -> float:
        allowed = [value for value in range(-3, 4) if abs(value - gold) <= 1]
        if not careful:
            return len(allowed) / 7
        low = -math.inf if allowed[0] == -3 else allowed[0] - 0.5 - gold
        high = math.inf if allowed[-1] == 3 else allowed[-1] + 0.5 - gold
        return below(high) - below(low)

    # 7 of 8 is 87.5, 6 of 8 is 75.
    expected = passing([right(question.gold) for question in test], 7)
    random = Random(1)
    trials = 4000
    passed = sum(
        score(answered(test, random, careful=careful, noise=noise), test, 1) >= 80 for _ in range(trials)
    )
    margin = 4 * math.sqrt(expected * (1 - expected) / trials)
    assert passed / trials == pytest.approx(expected, abs=margin)


def make_workers(tmp_path: Path, **options: Any) -> list[dict[str, str]]:
    """Simulated workers, screened."""
    names = ("workers", "answers", "reviews")
    files = {name: tmp_path / f"{name}.csv" for name in names}
    shared = {
        "questions": QUESTIONS / "fr.csv",
        "countries": QUESTIONS / "countries.csv",
        "language": "fr",
        "tolerance": 1,
        "pass_score": 80.0,
    }
    settings = {"count": 300, "abroad": 0.2, "careful": 0.5, "noise": 0.3, "accepted": 0.4, "seed": 1}
    simulate_workers(*files.values(), **shared, **settings | options)  # type: ignore[arg-type]
    screen(tmp_path / "screened.csv", **files, **shared)  # type: ignore[arg-type]
    return rows_of(tmp_path / "screened.csv")


def test_simulated_workers_are_as_many_as_they_should(tmp_path):
    found = make_workers(tmp_path)
    counts = [sum(row[step] == "yes" for row in found) for step in ("located", "passed", "accepted")]
    # Binomial shares: 0.8, then a half (careless ones fail but for one in a hundred), then 0.4.
    for count, total, share in zip(counts, [300, *counts], (0.8, 0.5, 0.4), strict=False):
        assert count / total == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / total) + 0.01)
    assert all(row["worker"].startswith("simulated-worker-") for row in found)
    assert make_workers(tmp_path, abroad=0.0, careful=1.0, noise=0.0, accepted=1.0, count=5) == [
        {
            "worker": f"simulated-worker-00{i}",
            "country": row["country"],
            "located": "yes",
            "score": "100.0",
            "passed": "yes",
            "accepted": "yes",
        }
        for i, row in enumerate(rows_of(tmp_path / "screened.csv"), 1)
    ]
    for name, share in (("abroad", 2.0), ("careful", -0.1), ("accepted", 1.1)):
        with pytest.raises(InputError, match=f"--{name} is a share between 0 and 1, not {share}"):
            make_workers(tmp_path, **{name: share})
    assert {row["country"] for row in make_workers(tmp_path, abroad=1.0, count=5)} == {"XX"}
    # They are the same ones in any later version.
    make_workers(tmp_path, count=20, noise=1.0)
    names = ("workers.csv", "answers.csv", "reviews.csv")
    assert [digest(tmp_path / name)[:12] for name in names] == [
        "e321b57f4d22",
        "e39dfa2ca52e",
        "aa200cbc92e5",
    ]


def make_table3(tmp_path: Path, scale: Any = "demo", **options: Any) -> tuple[list[dict], dict[tuple, dict]]:
    files = (tmp_path / "table3.csv", tmp_path / "compare.csv")
    languages = ["pt", "it", "fr"]
    table3(
        *files, languages=languages, printed=RESOURCES / "printed/xformal/table3.csv", scale=scale, **options
    )
    return rows_of(files[0]), {(row["step"], row["lang"]): row for row in rows_of(files[1])}


def test_table3(files, tmp_path):
    screen(tmp_path / "out.csv", **files)
    given = {"screened": [tmp_path / "out.csv"], "screened_languages": ["fr"]}
    table, compare = make_table3(tmp_path, scale="paper", **given)
    assert list(table[0]) == ["step", "description", "source", "pt", "fr", "it"]
    assert [(row["step"], row["fr"], row["pt"]) for row in table] == [
        ("QC1", "4", ""),
        ("QC2", "2", ""),
        ("QC3", "1", ""),
    ]
    assert {row["source"] for row in table} == {"workers"}
    cell = compare["QC2", "fr"]
    assert (cell["printed"], cell["ours"], cell["difference"], cell["comparable"]) == (
        *("40", "2", "-38"),
        "no: other raters than the paper's",
    )
    empty = compare["QC3", "pt"]
    assert (empty["printed"], empty["ours"], empty["comparable"], empty["signature"]) == (
        *("9", "", "no: no workers: human.ratings"),
        "",
    )
    table, compare = make_table3(tmp_path, simulated=True, **given)
    assert {row["source"] for row in table} == {"simulated"}
    assert compare["QC1", "fr"]["signature"].startswith("simulated workers|out.csv@")


def test_table3_without_workers_holds_the_printed_only(tmp_path):
    table, compare = make_table3(tmp_path, scale="paper")
    assert all(row["fr"] == row["source"] == "" for row in table)
    assert [row["printed"] for row in compare.values()] == [
        *("151", "78", "59", "54", "40", "33"),
        *("9", "16", "11"),
    ]
    with pytest.raises(InputError, match="0 files of workers for 1 languages"):
        make_table3(tmp_path, screened_languages=["fr"])


def test_table13_compares_gold_scores_only(tmp_path):
    files = (tmp_path / "table13.csv", tmp_path / "compare.csv")
    options: dict[str, Any] = {
        "languages": ["pt", "fr"],
        "questions": [QUESTIONS / "pt.csv", QUESTIONS / "fr.csv"],
        "printed": RESOURCES / "printed/xformal/table13.csv",
    }
    table13(*files, **options, scale="open")
    assert rows_of(files[1])[0]["comparable"].startswith("no: open")
    table13(*files, **options, scale="paper")
    table, compare = rows_of(tmp_path / "table13.csv"), rows_of(tmp_path / "compare.csv")
    # The paper's order: French first.
    assert [row["lang"] for row in table] == ["fr"] * 8 + ["pt"] * 8
    assert list(compare[0])[:4] == ["lang", "gold", "printed", "ours"] and len(compare) == 21
    ours = [row for row in compare if row["lang"] != "it"]
    assert {row["difference"] for row in ours} == {"0"}
    assert {row["comparable"] for row in ours} == {"no: questions of our own"}
    assert all(row["signature"].startswith("questions of our own|") for row in ours)


def test_printed_tables_add_up():
    printed = read_printed(RESOURCES / "printed/xformal/table13.csv", "lang", "gold")
    for language in ("fr", "it", "pt"):
        assert sum(int(value) for (lang, _), value in printed.items() if lang == language) == 8
    steps = read_printed(RESOURCES / "printed/xformal/table3.csv", "step", "lang")
    assert len(steps) == 9
    for language in ("fr", "it", "pt"):
        counts = [int(steps[step, language]) for step in ("QC1", "QC2", "QC3")]
        assert counts == sorted(counts, reverse=True)
