"""Leaves of lexicons that are induced here: matches, and both sides of Figure 4."""

from pathlib import Path

import pytest

from tests.politeness.conftest import WORDS
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.papers.tydip.figure4_scratch import figure4_scratch
from workflow_scripts.papers.tydip.figure8_scratch import figure8_scratch
from workflow_scripts.papers.tydip.lexicons import compare, lexicons, same
from workflow_scripts.papers.tydip.table8 import fingerprint
from workflow_scripts.papers.tydip.table11_scratch import table11_scratch
from workflow_scripts.politeness.corpus import read_lexicon
from workflow_scripts.politeness.strategies import strategies

# As induced: two of four compared words are found, one of the two that are frequent.
INDUCED = {
    "Please": [("please", [("Bitte", 9), ("mal", 4)])],
    "Please_start": [("please", [("Bitte", 9), ("mal", 4)])],
    "Deference": [("great", [("gut", 3)]), ("nice", [("nett", 7)])],
    "HASNEGATIVE": [("a+", []), ("bad", [("schlecht", 2)])],
}


def write_lexicon(folder: Path, words: dict[str, list]) -> Path:
    rows: list[tuple[str, str, str]] = []
    for strategy, listed in words.items():
        rows.append((f"Strategy - {strategy}", "", ""))
        rows += [(word, str(found), str(bool(found))) for word, found in listed]
    put(folder / "strategies/xx.csv", ("0", "1", "2"), rows)
    return folder


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("Penses-tu", "pensestu", True),
        ("s'il", "sil", True),
        ("por favor", "por favor ,", True),
        ("por favor", "por", False),
        ("bon _ hein", "bon hein", False),
        ("é", "e\u0301", True),
        (",", ",", True),
        (",", ".", False),
        (",", "_", False),
    ],
)
def test_what_counts_as_the_same_sequence(one, other, are):
    assert (same(one) == same(other)) is are


def test_the_first_sequence_is_looked_for_among_the_released_ones(corpus, tmp_path):
    ours = read_lexicon(write_lexicon(tmp_path, INDUCED) / "strategies/xx.csv")
    released = corpus / "strategies/xx.csv"
    # `please` is found, and counts once; `great` is another word; `nice` has no sequence there.
    assert compare(ours, read_lexicon(released), released) == {
        **{"words": "5", "occurring": "4", "mapped": "4"},
        **{"compared": "3", "first_found": "2", "share": "66.7"},
        **{"frequent": "2", "frequent_found": "1", "frequent_share": "50.0"},
    }
    del ours["HASNEGATIVE"]
    with pytest.raises(InputError, match="the English words differ"):
        compare(ours, read_lexicon(released), released)


def test_the_leaves(corpus, tmp_path):
    induced = write_lexicon(tmp_path / "induced", INDUCED)
    for side, folder in (("induced", induced), ("given", corpus)):
        options = {"languages": ["en", "xx"], "lexicons": folder, "first_rule": True}
        strategies(tmp_path / f"{side}.csv", corpus=corpus, **options)  # type: ignore[arg-type]
    printed = put(
        tmp_path / "p.csv",
        ("strategy", "lang", "metric", "printed"),
        [("Please", "xx", "sign", "-"), ("all", "xx", "coverage", "60-70")],
    )
    table, compared = tmp_path / "t.csv", tmp_path / "c.csv"
    figure4_scratch(
        *(tmp_path / "f.svg", table, compared),
        **{side: tmp_path / f"{name}.csv" for side, name in (("induced", "induced"), ("released", "given"))},
        printed=printed,
        scale="open",
    )
    rows = {(row["strategy"], row["lang"]): row for row in rows_of(table)}
    # With both lexicons 1.5, 1.0 and -1.5; "gut" is in one request, "toll" and "sehr _ gut" in two.
    assert rows["Please", "xx"]["induced_mean"] == rows["Please", "xx"]["released_mean"] == "0.3333"
    assert [rows["Deference", "xx"][f"{side}_requests"] for side in ("induced", "released")] == ["1", "2"]
    found = {row["metric"]: row for row in rows_of(compared)}
    assert list(rows_of(compared)[0])[:3] == ["strategy", "lang", "metric"]
    assert found["sign"]["difference"] == "other side"
    assert found["sign"]["comparable"] == "no: open, lexicons of other translations and another aligner"
    assert found["coverage"]["ours"] == "100.0"
    assert "induced: Please: en" in (tmp_path / "f.svg").read_text(encoding="utf-8")

    printed = put(tmp_path / "p8.csv", ("plot", "metric", "printed"), [("first", "last tick", "0.4")])
    figure8_scratch(
        tmp_path / "f.svg", table, compared, found=tmp_path / "induced.csv", printed=printed, scale="open"
    )
    other = "no: open, lexicons of other translations and another aligner, "
    assert all(row["comparable"].startswith(other) for row in rows_of(compared))

    digests = [("Please", "please", "xx", fingerprint("Bitte"), "")]
    printed = put(tmp_path / "p11.csv", ("strategy", "word", "lang", "sha256", "caveat"), digests)
    table11_scratch(table, compared, lexicons=induced, printed=printed, languages=["xx"], scale="open")
    assert rows_of(table) == [{"strategy": "Please", "word": "please", "xx": "Bitte"}]
    assert [row["difference"] for row in rows_of(compared)] == ["same"]

    write_lines(tmp_path / "xx.tsv", ["a\tb\t0-0"] * 3)
    write_lines(tmp_path / "aligner.txt", ["aligner-1"])
    printed = put(tmp_path / "pl.csv", ("lang", "metric", "printed"), [("xx", "pairs", "5000")])
    lexicons(
        *(table, compared),
        aligned=[tmp_path / "xx.tsv"],
        aligner=tmp_path / "aligner.txt",
        induced=induced,
        corpus=corpus,
        printed=printed,
        languages=["xx"],
        scale="paper",
        translator="aws",
    )
    (row,) = rows_of(table)
    assert (row["pairs"], row["share"]) == ("3", "66.7")
    said = {row["metric"]: row for row in rows_of(compared)}
    assert said["pairs"]["difference"] == "-4997"
    assert said["pairs"]["comparable"] == "no: no requests in the bitext"
    assert said["share"]["comparable"] == "no: not printed, no requests in the bitext"
    assert "align:aligner-1" in said["share"]["signature"]


def test_how_many_requests_are_drawn_hangs_on_no_translator(corpus, tmp_path):
    columns = ("pairs", "mapped")
    printed = put(tmp_path / "p.csv", ("lang", "metric", "printed"), [("xx", name, "3") for name in columns])
    write_lines(tmp_path / "xx.tsv", ["a\tb\t0-0"] * 3)
    write_lines(tmp_path / "aligner.txt", ["aligner-1"])
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    lexicons(
        *files,
        aligned=[tmp_path / "xx.tsv"],
        aligner=tmp_path / "aligner.txt",
        induced=write_lexicon(tmp_path / "induced", INDUCED),
        corpus=corpus,
        printed=printed,
        languages=["xx"],
        scale="paper",
        requests=["xx"],
        translator="aws",
    )
    said = {row["metric"]: row["comparable"] for row in rows_of(files[1])}
    other = "no: translated into English by aws, in the paper by Google; another aligner"
    assert [said[name] for name in columns] == ["yes", other]


def test_the_invented_corpus_has_the_words_of_the_invented_lexicon():
    assert {name: [word for word, _ in words] for name, words in WORDS.items()} == {
        name: [word for word, _ in words] for name, words in INDUCED.items()
    }
