"""TyDiP's leaves on the released data: where these are, they are the printed ones."""

from functools import partial

import pytest

from tests.papers.tydip.test_leaves import DIFFERENCES, LANGUAGES, PRINTED, ROOT
from tests.tables import rows_of
from workflow_scripts.core.files import digest, lines
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.papers.pt16.pt16 import pt16
from workflow_scripts.papers.tydip.binary import binary
from workflow_scripts.papers.tydip.table1 import table1
from workflow_scripts.papers.tydip.table3 import table3
from workflow_scripts.papers.tydip.table8 import fingerprint, table8
from workflow_scripts.papers.tydip.table10 import table10
from workflow_scripts.papers.tydip.table11 import table11
from workflow_scripts.politeness.corpus import read_lexicon, read_requests, requests_file


@pytest.fixture(scope="module")
def released(mirror):
    if not (mirror / "tydip").is_dir():
        pytest.skip("the mirror has no TyDiP")
    return mirror / "tydip"


def test_the_checksums_are_of_the_released_files(released):
    listed = [line.split("  ") for line in lines(ROOT / "resources/sources/tydip.sha256")]
    assert len(listed) == 31
    assert all(digest(released / path) == sum_ for sum_, path in listed)


def test_table10_is_the_printed_one(released, tmp_path):
    table10(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        corpus=released,
        printed=PRINTED / "table10.csv",
        languages=LANGUAGES,
    )
    rows = rows_of(tmp_path / "c.csv")
    assert len(rows) == 54 and all(float(row["difference"]) == 0 for row in rows)


def test_tables_1_3_and_8_but_for_one_cell(released, tmp_path):
    compare = tmp_path / "c.csv"
    names = PRINTED / "languages.csv"
    table1(
        tmp_path / "t.csv",
        compare,
        corpus=released,
        printed=PRINTED / "table1.csv",
        names=names,
        languages=LANGUAGES,
    )
    rows = {row["lang"]: row for row in rows_of(compare) if row["metric"] == "length"}
    assert {code: row["difference"] for code, row in rows.items() if row["difference"] != "0"} == {
        "ru": "-10"
    }
    of_paper = partial(table3, scale="paper")
    for name, make, codes in (("table3", of_paper, ["en", *LANGUAGES]), ("table8", table8, LANGUAGES)):
        make(tmp_path / "t.csv", compare, corpus=released, printed=PRINTED / f"{name}.csv", languages=codes)
        rows = [row for row in rows_of(compare) if row.get("model", "Majority") == "Majority"]
        assert all(row["comparable"] == "yes" and float(row["difference"]) == 0 for row in rows)
        assert len(rows) == {"table3": 11, "table8": 9}[name]


def test_table8_would_be_other_numbers_if_it_were_rounded(released):
    """Printed scores are cut; docs/differences.md names the languages where rounding gives another."""
    printed = read_printed(PRINTED / "table8.csv", "sha256")
    scores = {
        language: (request.score, printed[fingerprint(request.text),])
        for language in LANGUAGES
        for request in read_requests(requests_file(released, language))
        if (fingerprint(request.text),) in printed
    }
    assert [*scores] == LANGUAGES
    rounded_otherwise = [code for code, (score, text) in scores.items() if f"{score:.2f}" != text]
    assert scores["ta"] == (pytest.approx(-1.5373, abs=1e-4), "-1.53")
    assert f"scores of five examples ({', '.join(rounded_otherwise)}) would be" in DIFFERENCES


def test_table11_against_the_printed_picks(released, tmp_path):
    table11(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        corpus=released,
        printed=PRINTED / "table11.csv",
        languages=LANGUAGES[:4],
    )
    said = [row["difference"] for row in rows_of(tmp_path / "c.csv") if row["printed"]]
    assert len(said) == 27 and said.count("same") == 21
    assert said.count("printed is not in the list") == 2


def test_the_released_split_is_the_quartile_rule(released, tmp_path):
    binary(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        corpus=released,
        printed=PRINTED / "binary.csv",
        languages=["en", *LANGUAGES],
    )
    rows = rows_of(tmp_path / "t.csv")
    assert all(row["same_texts"] == row["label_agrees"] == "yes" for row in rows)
    assert {(row["lang"], row["part"]): row["missing"] for row in rows if row["missing"] != "0"} == {
        ("en", "train"): "6"
    }


@pytest.mark.slow
def test_released_files_are_read_whole(released):
    for path in sorted((released / "data").rglob("*.csv")):
        assert len(read_requests(path)) == path.read_bytes().count(b"\n") - 1
    for path in sorted((released / "strategies").glob("*.csv")):
        lexicon = read_lexicon(path)
        assert len(lexicon) == 14 and sum(map(len, lexicon.values())) == 6929
        assert all(word.flag for words in lexicon.values() for word in words if word.sequences)


@pytest.mark.slow
def test_every_released_rating_is_counted(mirror, tmp_path):
    genres = {"answers": 4977, "blog": 1821, "email": 1701, "news": 2775}
    outputs = [tmp_path / f"p.{end}" for end in ("svg", "csv", "compare.csv")]
    pt16(
        *outputs,
        files=[mirror / "pt16/data" / genre for genre in genres],
        genres=list(genres),
        printed=ROOT / "resources/printed/pt16/pt16.csv",
    )
    assert {row["genre"]: int(row["sentences"]) for row in rows_of(outputs[1])} == genres
