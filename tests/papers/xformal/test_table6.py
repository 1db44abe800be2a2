"""Table 6: training sizes, counted and beside the printed ones."""

from pathlib import Path
from typing import Any

import pytest

from tests.manifests import listed
from tests.papers.xformal.conftest import LANGUAGES, MADE_OPTIONS, MADE_WITH
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.papers.xformal.table6 import table6

PRINTED = Path(__file__).parents[3] / "resources" / "printed" / "xformal" / "table6.csv"
ROWS = [
    "TRANSL. TRAIN TAG",
    "MULTI-TASK TAG-STYLE",
    "BACKTRANSLATE",
    "UNMT/DLSM",
    "UNMT/DLSM (IN-DOMAIN)",
]
GYAFC = "which part of GYAFC is counted is not stated"
COPIES = "whether copies are counted is a reading"
PER_STYLE = "that a sample's size is of each style is a reading"
POOLS = ["L26, FORMAL", "L26, INFORMAL"]
SIZES = {"pt": 7, "it": 8, "fr": 9}


@pytest.fixture
def sizes(tmp_path):
    """Options of `table6`: per language n pairs of GYAFC, 3n of bitext, 2n kept, n and n + 1 unpaired."""
    table: list[tuple[str, str, str, Path]] = []

    def add(label: str, corpus: str, language: str, name: str, count: int) -> None:
        path = tmp_path / language / name
        if not path.exists():
            write_lines(path, ["x\u2028y"] * count)
        table.append((label, corpus, language, path))

    # The order of files is not the paper's.
    for language, n in reversed(SIZES.items()):
        for label in reversed(ROWS[:3]):
            for side in ("informal.txt", "formal.txt"):
                add(label, "gyafc", language, side, n)
        for side in ("en.txt.gz", "l.txt.gz"):
            add(ROWS[1], "opensubtitles", language, side, 3 * n)
        steps = ["step\tcount", f"pairs\t{3 * n}", f"dropped:empty\t{1}", f"dropped:copy\t{n - 1}"]
        write_lines(tmp_path / language / "synthetic.tsv", [*steps, f"kept\t{2 * n}"])
        add(ROWS[2], "opensubtitles", language, "synthetic.tsv", 0)
        add(ROWS[3], "opensubtitles", language, "formal.sample.txt.gz", n + 1)
        add(ROWS[3], "opensubtitles", language, "informal.sample.txt.gz", n)
        if language == "fr":
            for side in ("formal.l26.txt", "informal.l26.txt"):
                add(ROWS[4], "yahoo", language, side, 50)
    columns = [list(column) for column in zip(*table, strict=True)]
    names = ("labels", "corpora", "languages", "files")
    return {
        **dict(zip(names, columns, strict=True)),
        "samples": (),
        "printed": PRINTED,
        "scale": "demo",
        **MADE_WITH,
    }


def given(sizes: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same with manifests of the files and of the samples."""
    lists = {"label": "labels", "corpus": "corpora", "language": "languages"}
    found = listed(folder / "manifest.csv", "files", sizes, **lists, file="files")
    columns = ("label", "corpus", "language", "sample", "counts")
    return {**found, "samples": put(folder / "samples.csv", columns, found["samples"])}


def write(sizes: dict[str, Any], tmp_path: Path, **changed: Any) -> tuple[list[dict], list[dict]]:
    """The two tables."""
    targets = tmp_path / "table6.csv", tmp_path / "table6.compare.csv"
    table6(*targets, **given({**sizes, **changed}, tmp_path))
    return rows_of(targets[0]), rows_of(targets[1])


def test_rows_and_columns_are_the_papers(sizes, tmp_path):
    rows, _ = write(sizes, tmp_path)
    assert [row["system"] for row in rows] == ROWS
    subtitles = [f"opensubtitles_{language}" for language in ("fr", "it", "pt")]
    # Columns that no system fills (L26 in other languages) are not there.
    assert list(rows[0]) == ["system", "gyafc_fr", "gyafc_it", "gyafc_pt", *subtitles, "yahoo_fr"]
    assert [row["gyafc_pt"] for row in rows] == ["7", "7", "7", "", ""]
    assert [row["opensubtitles_it"] for row in rows] == ["", "24", "16", "8", ""]
    assert [row["yahoo_fr"] for row in rows] == ["", "", "", "", "50"]


def test_every_cell_stands_beside_the_printed_one(sizes, tmp_path):
    _, rows = write(sizes, tmp_path)
    assert tuple(rows[0])[3:] == ("printed", "ours", "difference", "comparable", "signature")
    cells = [(row["system"], row["corpus"], row["lang"], row["printed"]) for row in rows]
    assert sorted(cells) == sorted(tuple(row.values())[:4] for row in rows_of(PRINTED))
    assert list(dict.fromkeys(row["system"] for row in rows)) == [*ROWS, *POOLS]
    assert all(row["comparable"].startswith("no: demo") for row in rows)
    row = next(row for row in rows if (row["system"], row["corpus"]) == ("BACKTRANSLATE", "opensubtitles"))
    assert list(row.values()) == [
        *("BACKTRANSLATE", "opensubtitles", "fr", "2000000", "18", "-1999982", f"no: demo, {COPIES}"),
        "unit:pairs|files:18|dropped:9",
    ]


def test_unpaired_sides_may_differ_and_the_smaller_counts(sizes, tmp_path):
    _, rows = write(sizes, tmp_path)
    row = next(row for row in rows if row["system"] == "UNMT/DLSM" and row["lang"] == "pt")
    assert (row["ours"], row["signature"]) == ("7", "unit:sentences per side|files:8 7")


def test_footnote_11_is_two_rows(sizes, tmp_path):
    changed = {
        "labels": [*sizes["labels"], *POOLS, *POOLS],
        "corpora": [*sizes["corpora"], *["yahoo"] * 4],
        "languages": [*sizes["languages"], *["fr"] * 4],
        "files": [*sizes["files"], *(tmp_path / name for name in POOLS), *[tmp_path / "curated.tsv"] * 2],
    }
    write_lines(tmp_path / "curated.tsv", ["step\tcount", "sentences\t60", "dropped:tested\t7"])
    for number, name in enumerate(POOLS):
        write_lines(tmp_path / name, ["x"] * (4 + number))
    table, rows = write(sizes, tmp_path, **changed, scale="paper")
    assert [(row["system"], row["yahoo_fr"]) for row in table[-2:]] == list(zip(POOLS, "45", strict=True))
    cell = next(row for row in rows if row["system"] == POOLS[1])
    assert (cell["printed"], cell["comparable"], cell["signature"]) == (
        *("6600000", "no: that L26 was filtered first is a reading"),
        "unit:sentences|files:5|tested sentences left out:7",
    )


def test_what_the_language_model_has_learnt_from_too_is_counted(sizes, tmp_path):
    shared = ("lm and multi_task\t11", "multi_task and unsupervised\t3", "lm and unsupervised\t4")
    counts = tmp_path / "samples.tsv"
    write_lines(counts, ["step\tcount", "pool\t40", *shared])
    cells = [
        (label, "opensubtitles", "it", sample, counts)
        for label, sample in ((ROWS[1], "multi_task"), (ROWS[3], "unsupervised"))
    ]
    _, rows = write(sizes, tmp_path, samples=cells)
    told = {
        (row["system"], row["corpus"], row["lang"]): row["signature"].rpartition("language model's text:")[2]
        for row in rows
        if "language model" in row["signature"]
    }
    assert told == {(ROWS[1], "opensubtitles", "it"): "11", (ROWS[3], "opensubtitles", "it"): "4"}
    write_lines(counts, ["step\tcount", shared[1]])
    with pytest.raises(InputError, match=r"samples\.tsv: no step 'lm and multi_task'"):
        write(sizes, tmp_path, samples=cells)
    with pytest.raises(InputError, match=r"samples\.csv: a sample of .*, de, which has no file"):
        write(sizes, tmp_path, samples=[(ROWS[1], "opensubtitles", "de", "multi_task", counts)])


def test_what_was_left_out_since_it_is_tested_is_noted(sizes, tmp_path):
    """In the signature of in-domain text, not among its instances."""
    counts = tmp_path / "fr/curated.counts.tsv"
    write_lines(counts, ["step\tcount", "sentences\t60", "dropped:tested\t7", "curated\t53"])
    for key, value in (("labels", ROWS[4]), ("corpora", "yahoo"), ("languages", "fr"), ("files", counts)):
        sizes[key] = [*sizes[key], value]
    _, cells = write(sizes, tmp_path)
    (cell,) = [row for row in cells if row["corpus"] == "yahoo" and row["ours"]]
    assert cell["ours"] == "50"
    assert cell["signature"] == "unit:sentences per side|files:50 50|tested sentences left out:7"


def test_at_the_papers_scale_numbers_are_comparable(sizes, tmp_path):
    places = [i for i, label in enumerate(sizes["labels"]) if label == ROWS[0]]
    fewer = {name: [sizes[name][i] for i in places] for name in ("labels", "corpora", "languages", "files")}
    table, rows = write(sizes, tmp_path, **fewer, scale="paper")
    assert [list(row) for row in table] == [["system", "gyafc_fr", "gyafc_it", "gyafc_pt"]]
    judged = {(row["system"], row["corpus"]): row["comparable"] for row in rows}
    assert judged == {
        (ROWS[0], "gyafc"): f"no: {GYAFC}",
        **{(label, "gyafc"): "no: not computed" for label in ROWS[1:3]},
        **{(label, "opensubtitles"): "no: not computed" for label in ROWS[1:4]},
        **{(label, "yahoo"): "no: not computed" for label in (ROWS[4], *POOLS)},
    }


def test_what_the_regressors_have_sorted_depends_on_them(sizes, tmp_path):
    _, rows = write(sizes, tmp_path, scale="paper", backend="aws pt=hf it=hf fr=hf", encoder="ngrams")
    made = "no: backend hf, encoder ngrams"
    assert {(row["corpus"], row["comparable"]) for row in rows if row["ours"]} == {
        ("gyafc", f"no: {GYAFC}"),
        ("opensubtitles", made),
        ("opensubtitles", f"{made}, {PER_STYLE}"),
        ("opensubtitles", f"{made}, {COPIES}"),
        ("yahoo", f"{made}, {PER_STYLE}, that L26 was filtered first is a reading"),
    }


def test_a_row_and_a_language_that_the_paper_lacks_come_last(sizes, tmp_path):
    write_lines(tmp_path / "own.txt", ["x"])
    changed = {
        "labels": ["MY SYSTEM", *sizes["labels"]],
        "corpora": ["gyafc", *sizes["corpora"]],
        "languages": ["fr", *sizes["languages"]],
        "files": [tmp_path / "own.txt", *sizes["files"]],
    }
    table, rows = write(sizes, tmp_path, **changed, scale="paper")
    assert [row["system"] for row in table] == [*ROWS, "MY SYSTEM"]
    assert (rows[-1]["system"], rows[-1]["printed"], rows[-1]["comparable"]) == (
        *("MY SYSTEM", ""),
        "no: not printed",
    )


def test_no_system_of_the_table_leaves_the_printed_side(sizes, tmp_path):
    nothing: dict[str, Any] = {name: [] for name in ("labels", "corpora", "languages", "files")}
    table, rows = write(sizes, tmp_path, **nothing)
    assert table == [] and len(rows) == 21
    assert {row["ours"] for row in rows} == {""}
    assert {row["lang"] for row in rows} == set(LANGUAGES)


def change(sizes: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    return {name: [value, *sizes[name][1:]]}


def test_bad_input_of_table6_is_reported(sizes, tmp_path):
    with pytest.raises(InputError, match=r"no column 'gyaf'; did you mean 'gyafc'\?"):
        write(sizes, tmp_path, **change(sizes, "corpora", "gyaf"))
    with pytest.raises(InputError, match=r"manifest\.csv:2: no language"):
        write(sizes, tmp_path, **change(sizes, "languages", ""))
    with pytest.raises(InputError, match=r"nowhere: no such file"):
        write(sizes, tmp_path, **change(sizes, "files", tmp_path / "nowhere"))
    write_lines(tmp_path / "long.txt", ["x"] * 99)
    with pytest.raises(InputError, match=r"formal\.txt: has 9 lines but .*long\.txt has 99"):
        write(sizes, tmp_path, **change(sizes, "files", tmp_path / "long.txt"))
    write_lines(tmp_path / "other.tsv", ["step\tcount", "pairs\t3"])
    with pytest.raises(InputError, match=r"other\.tsv: no step 'kept'"):
        write(sizes, tmp_path, **change(sizes, "files", tmp_path / "other.tsv"))
    header = ("system", "corpus", "lang", "printed")
    for number, message in (
        ("110K", r"printed\.csv:2: printed cell .*'110K' is not a number"),
        ("1.5", r"printed\.csv: unknown cell TRANSL.* or '1\.5' is not a number"),
    ):
        printed = put(tmp_path / "printed.csv", header, [(ROWS[0], "gyafc", "pt", number)])
        with pytest.raises(InputError, match=message):
            write(sizes, tmp_path, printed=printed)
    assert not (tmp_path / "table6.csv").exists()


def test_printed_sizes_are_the_papers():
    rows = rows_of(PRINTED)
    numbers = {}
    for row in rows:
        numbers.setdefault((row["system"], row["corpus"]), set()).add(row["printed"])
    assert numbers == {
        **{(label, "gyafc"): {"110000"} for label in ROWS[:3]},
        **{(label, "opensubtitles"): {"2000000"} for label in ROWS[1:3]},
        (ROWS[3], "opensubtitles"): {"110000"},
        (ROWS[4], "yahoo"): {"2000000"},
        # Footnote 11.
        (POOLS[0], "yahoo"): {"6200000"},
        (POOLS[1], "yahoo"): {"6600000"},
    }
    assert list(dict.fromkeys(row["system"] for row in rows)) == [*ROWS, *POOLS]
    assert [row["lang"] for row in rows if row["system"] == ROWS[4]] == ["fr"]


@pytest.mark.slow
def test_command_line_of_table6(sizes, tmp_path, module):
    files = given(sizes, tmp_path)
    options = ["--files", files["files"], "--samples", files["samples"]]
    targets = tmp_path / "new" / "table6.csv", tmp_path / "new" / "compare.csv"
    finished = module(
        "papers.xformal.table6", *targets, *options, *MADE_OPTIONS, "--printed", PRINTED, "--scale", "demo"
    )
    assert (finished.returncode, finished.stdout) == (0, ""), finished.stderr
    assert [len(rows_of(path)) for path in targets] == [5, 21]
    options[1].write_text("label,corpus,language,file\n")
    finished = module(
        "papers.xformal.table6", *targets, *options, *MADE_OPTIONS, "--printed", PRINTED, "--scale", "demo"
    )
    assert finished.returncode == 0, finished.stderr
    assert rows_of(targets[0]) == []
