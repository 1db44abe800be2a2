"""Tables 2, 11 and 12 and appendix B: counts and BLEU beside the printed ones."""

from pathlib import Path
from typing import Any

import pytest

from tests.papers.xformal.conftest import MADE_WITH
from tests.tables import put, rows_of
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.papers.xformal.appendix_b import appendix_b
from workflow_scripts.papers.xformal.table2 import table2
from workflow_scripts.papers.xformal.table11 import table11
from workflow_scripts.papers.xformal.table12 import table12

PRINTED = Path(__file__).parents[3] / "resources" / "printed" / "xformal"
CODES = ["pt", "it", "fr"]


def counts(path: Path, **steps: int) -> Path:
    write_counts(path, {name.replace("_", " "): count for name, count in steps.items()})
    return path


@pytest.fixture
def curation(tmp_path):
    """Options of `table2`: n, n - 1, n - 2 and n - 3 sentences; ten times n of all answers."""
    files: dict[str, list[Path]] = {"answers": [], "curated": [], "candidates": []}
    for place, code in enumerate(CODES):
        n = 10 * (place + 1)
        folder = tmp_path / code
        answers = {
            "all_sentences": 10 * n,
            "all_best_sentences": n,
            "sentences": 9 * n,
            "best_sentences": n - 1,
        }
        files["answers"].append(counts(folder / "a.tsv", questions=1, **answers))
        files["curated"].append(counts(folder / "b.tsv", sentences=n - 1, curated=n - 2))
        files["candidates"].append(counts(folder / "c.tsv", informal=n - 3, candidates=2))
    printed = {"printed": PRINTED / "table2.csv", "scale": "demo", **MADE_WITH}
    return {"languages": CODES, "counted": CODES, "kind": "best", **files, **printed}


def cells(path: Path, *keys: str) -> dict[tuple[str, ...], dict[str, str]]:
    return {tuple(row[key] for key in keys): row for row in rows_of(path)}


def test_table2_has_the_papers_rows_and_takes_the_right_step(curation, tmp_path):
    table2(tmp_path / "t.csv", tmp_path / "c.csv", **{**curation, "scale": "paper"})
    assert [list(row.values()) for row in rows_of(tmp_path / "t.csv")] == [
        ["L6 Yahoo!", "10", "20", "30"],
        ["+ Step 1", "9", "19", "29"],
        ["+ Step 2", "8", "18", "28"],
        ["+ Step 3", "7", "17", "27"],
        ["L6 Yahoo!, all answers", "100", "200", "300"],
        ["+ Step 1, all answers", "90", "180", "270"],
    ]
    compared = cells(tmp_path / "c.csv", "step", "lang")
    # The text has "all answers".
    reading = "no: of the best answers; the text has all answers"
    assert [row["comparable"] for row in compared.values()] == [reading] * 12 + ["no: not printed"] * 6
    row = compared["+ Step 3", "it"]
    assert (row["printed"], row["ours"], row["difference"]) == ("2864", "17", "-2847")
    assert row["signature"].startswith("c.tsv@") and row["signature"].endswith(
        "|step:informal|unit:sentences"
    )


def test_table2_may_count_all_answers(curation, tmp_path):
    made = {"scale": "paper", "encoder": "folder"}
    table2(tmp_path / "t.csv", tmp_path / "c.csv", **{**curation, "kind": "all", **made})
    judged = {row["step"]: row["comparable"] for row in rows_of(tmp_path / "c.csv")}
    reading = "of the best answers; the text has all answers"
    assert judged["L6 Yahoo!"] == f"no: {reading}"
    assert judged["+ Step 3"] == f"no: encoder folder, {reading}"
    assert judged["L6 Yahoo!, best answers"] == "no: not printed"
    table2(tmp_path / "t.csv", tmp_path / "c.csv", **{**curation, "kind": "all"})
    rows = {row["step"]: row["pt"] for row in rows_of(tmp_path / "t.csv")}
    assert [rows["L6 Yahoo!"], rows["+ Step 1"], rows["+ Step 2"]] == ["100", "90", "8"]
    assert [rows["L6 Yahoo!, best answers"], rows["+ Step 1, best answers"]] == ["10", "9"]


def test_the_printed_sentences_are_those_of_one_answer_per_question():
    """Why best answers stand beside Table 2's first row: L26 has 7.5 sentences per question (footnote 11)."""
    sentences = read_printed(PRINTED / "table2.csv", "step", "lang")
    questions = read_printed(PRINTED / "table11.csv", "language", "code")
    by_code = {code: int(count) for (_, code), count in questions.items()}
    assert {code: round(int(sentences["L6 Yahoo!", code]) / by_code[code.upper()], 1) for code in CODES} == {
        "pt": 2.2,
        "fr": 1.8,
        "it": 1.9,
    }
    kept = read_printed(PRINTED / "table6.csv", "system", "corpus", "lang")
    both = sum(int(kept[f"L26, {style}", "yahoo", "fr"]) for style in ("FORMAL", "INFORMAL"))
    assert round(both / 1_700_000, 1) == 7.5


def test_table2_without_the_corpus_is_empty(curation, tmp_path):
    nothing: dict[str, Any] = {name: [] for name in ("counted", "answers", "curated", "candidates")}
    table2(tmp_path / "t.csv", tmp_path / "c.csv", **{**curation, **nothing, "scale": "open"})
    assert [list(row.values())[1:] for row in rows_of(tmp_path / "t.csv")] == [["", "", ""]] * 6
    assert {(row["ours"], row["comparable"]) for row in rows_of(tmp_path / "c.csv")} == {("", "no: open")}


def test_a_count_that_is_not_there_is_named(curation, tmp_path):
    swapped = {**curation, "curated": curation["candidates"]}
    with pytest.raises(InputError, match=r"c\.tsv: no step 'curated'; known: candidates, informal"):
        table2(tmp_path / "t.csv", tmp_path / "x.csv", **swapped)
    with pytest.raises(InputError, match="3 languages have 2 --curated"):
        table2(tmp_path / "t.csv", tmp_path / "x.csv", **{**curation, "curated": curation["curated"][:2]})
    assert not (tmp_path / "t.csv").exists()


def test_table12_counts_raw_filtered_and_informal_pairs(tmp_path):
    filtered = [
        counts(tmp_path / f"{c}.f.tsv", raw=100, dropped=1, curated=60 + i) for i, c in enumerate(CODES)
    ]
    pools = [
        counts(tmp_path / f"{c}.p.tsv", scored=60, formal=20, informal=40 + i) for i, c in enumerate(CODES)
    ]
    table12(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        languages=CODES,
        filtered=filtered,
        pools=pools,
        printed=PRINTED / "table12.csv",
        scale="paper",
        **{**MADE_WITH, "backend": f"aws {CODES[1]}=nmt"},
    )
    assert [list(row.values()) for row in rows_of(tmp_path / "t.csv")] == [
        ["All", "no", "100", "100", "100"],
        ["All", "yes", "60", "61", "62"],
        ["Informal", "yes", "40", "41", "42"],
    ]
    compared = cells(tmp_path / "c.csv", "subtitles", "preprocessing", "lang")
    assert compared["Informal", "yes", "fr"]["difference"] == str(42 - 16_300_000)
    assert [row["comparable"] for row in compared.values()] == ["yes"] * 7 + ["no: backend nmt", "yes"]
    assert [key[2] for key in compared] == CODES * 3


def test_table11_sorts_languages_and_keeps_unprinted_ones(tmp_path):
    steps = {"language:nl": 2, "language:en": 9, "language:zz": 2, "questions": 9, "sentences": 5}
    write_counts(tmp_path / "a.tsv", steps)
    options: dict[str, Any] = {"printed": PRINTED / "table11.csv", "scale": "paper"}
    table11(tmp_path / "t.csv", tmp_path / "c.csv", counts=tmp_path / "a.tsv", **options)
    assert [list(row.values()) for row in rows_of(tmp_path / "t.csv")] == [
        ["English", "EN", "9"],
        ["Dutch", "NL", "2"],
        ["", "ZZ", "2"],
    ]
    compared = cells(tmp_path / "c.csv", "code")
    assert compared["NL",]["difference"] == "-11" and compared["NL",]["comparable"] == "yes"
    assert compared["ES",]["comparable"] == "no: not computed"
    assert list(compared)[-1] == ("ZZ",) and compared["ZZ",]["comparable"] == "no: not printed"
    table11(tmp_path / "t.csv", tmp_path / "c.csv", **options)
    assert rows_of(tmp_path / "t.csv") == [] and len(rows_of(tmp_path / "c.csv")) == 29


def test_table11_needs_counts_of_languages(tmp_path):
    path = counts(tmp_path / "a.tsv", questions=9)
    with pytest.raises(InputError, match=r"a\.tsv: no step 'language:\.\.'"):
        table11(
            tmp_path / "t.csv",
            tmp_path / "c.csv",
            counts=path,
            printed=PRINTED / "table11.csv",
            scale="demo",
        )


def test_the_printed_questions_are_those_of_the_whole_corpus():
    # The corpus has 4,483,032 questions by its own description.
    printed = read_printed(PRINTED / "table11.csv", "language", "code")
    assert sum(map(int, printed.values())) == 4_483_030
    assert list(map(int, printed.values())) == sorted(map(int, printed.values()), reverse=True)


@pytest.mark.parametrize(
    ("backend", "judged"), [("aws", "no: "), ("nmt", "no: backend nmt, "), ("aws pt=nmt", "no: ")]
)
def test_appendix_b_is_about_one_backend(backend, judged, tmp_path):
    header = ("language", "direction", "bleu", "n", "signature")
    rows = [("it", "en-it", "32.675001", 2500, "tok:13a"), ("fr", "en-fr", "30.004", 2400, "tok:13a")]
    sanity = put(tmp_path / "sanity.csv", header, rows)
    appendix_b(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        sanity=sanity,
        backend=backend,
        printed=PRINTED / "appendix-b.csv",
        scale="paper",
    )
    assert [list(row.values()) for row in rows_of(tmp_path / "t.csv")] == [
        ["it", "en-it", "32.68", "2500"],
        ["fr", "en-fr", "30.00", "2400"],
    ]
    compared = cells(tmp_path / "c.csv", "lang", "metric")
    assert compared["it", "bleu"]["difference"] == "0.01" and compared["fr", "bleu"]["difference"] == "-3.79"
    assert compared["it", "bleu"]["comparable"] == compared["fr", "bleu"]["comparable"]
    assert compared["it", "bleu"]["comparable"] == f"{judged}the direction is not named"
    assert (
        compared["it", "bleu"]["signature"] == f"tok:13a|backend:{backend.split()[0]}|direction:en-it|n:2500"
    )
    assert compared["pt", "bleu"]["comparable"] == "no: not computed"
    # The size of the sample does not depend on the backend.
    sample = compared["fr", "sentences"]
    assert [sample[name] for name in ("printed", "ours", "difference")] == ["2500", "2400", "-100"]
    assert sample["comparable"] == "no: that these are of each language is a reading"


@pytest.mark.parametrize(("column", "value"), [("bleu", "nan"), ("n", "1e3")])
def test_appendix_b_names_a_field_that_is_no_number(column, value, tmp_path):
    row = {"language": "it", "direction": "en-it", "bleu": "32.67", "n": "9", "signature": "x", column: value}
    sanity = put(tmp_path / "sanity.csv", tuple(row), [tuple(row.values())])
    with pytest.raises(InputError, match=rf"sanity\.csv:2: '{value}' is not a "):
        appendix_b(
            tmp_path / "t.csv",
            tmp_path / "c.csv",
            sanity=sanity,
            backend="nmt",
            printed=PRINTED / "appendix-b.csv",
            scale="demo",
        )
