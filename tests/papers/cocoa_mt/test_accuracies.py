"""Tables 5, 6 and 8 of CoCoA-MT: printed numbers, small scores by hand, the shared task's outputs."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.control.test_score import ALWAYS, RIGHT, WRONG, outputs_of
from workflow_scripts.control.score import score
from workflow_scripts.control.test_set import make_test_set
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.papers.cocoa_mt.accuracies import KEYS, UNTRANSLATED, read_scores
from workflow_scripts.papers.cocoa_mt.made_of import OTHER_LISTS, read_made_of
from workflow_scripts.papers.cocoa_mt.table5 import table5
from workflow_scripts.papers.cocoa_mt.table6 import table6
from workflow_scripts.papers.cocoa_mt.table8 import table8
from workflow_scripts.papers.cocoa_mt.table13 import COLUMNS, RULES, table13
from workflow_scripts.text.levels import LEVELS

PRINTED = ROOT / "resources/printed/cocoa-mt"
# What a run at paper scale is made of in German, and how many pairs it draws.
MADE_OF = ["de.train=paracrawl-v9-de", "de.dev=newstest2019-de", "de.wmt=newstest2020-de", "de.ted=must-c-de"]
MADE = {"paper_data": PRINTED / "made-of.csv", "training_pairs": 20_000_000}
Row = dict[str, str]


def test_table_8_says_what_systems_were_tuned_on(scored, tmp_path):
    """Copies of a source count once, and generic pairs not at all."""
    pairs = tmp_path / "tuned/de/run0.source.txt"
    write_lines(pairs, ["<2formal> a b", "<2informal> a b", "<2formal> c", "d e"] * 2)
    files = [tmp_path / "table8.csv", tmp_path / "table8.compare.csv"]
    given = {"scores": [scored[0]], "languages": ["de"], "systems": tmp_path / "systems.csv"}
    given |= {"printed": PRINTED / "table8.csv", "scale": "paper", "pairs": [pairs]}
    given |= {**MADE, "made_of": MADE_OF, "trained": ["base", "tuned"]}
    table8(*files, **given, data=["tuned=contrastive", "other=rules"])
    found = {row["system"]: row for row in rows(files[0]) if row["mode"] == "released"}
    shown = [found["CoCoA-MT"][column] for column in ("contrastive", "manual", "sources")]
    assert shown == ["yes", "yes", "2"] and not found["none"]["sources"]
    compared = {tuple(row[key] for key in KEYS): row for row in rows(files[1])}
    assert compared["de", "CoCoA-MT", "released", "sources"]["difference"] == "-398"
    assert compared["de", "CoCoA-MT", "released", "contrastive"]["printed"] == "yes"
    # Of two sources, where the paper has 400, no number can be compared.
    assert compared["de", "CoCoA-MT", "released", "f"]["comparable"] == "no: 2 labelled sources, not 400"
    assert compared["de", "none", "released", "f"]["comparable"] == "no: not printed"
    # Neither can what it was tuned on.
    for told in ("contrastive", "manual", "sources"):
        cell = compared["de", "CoCoA-MT", "released", told]
        assert cell["comparable"] == "no: 2 labelled sources, not 400"
    for data in (["other=rules"], ["tuned=other"]):
        with pytest.raises(InputError, match="no kind of labelled data for 'tuned'"):
            table8(*files, **given, data=data)
    table8(*files, **{**given, "trained": ["base"]}, data=["tuned=contrastive"])
    compared = {tuple(row[key] for key in KEYS): row for row in rows(files[1])}
    for told in ("contrastive", "manual", "sources", "f"):
        cell = compared["de", "CoCoA-MT", "released", told]
        assert cell["comparable"] == "no: not a system of the paper"


@pytest.mark.parametrize(
    ("label", "kind", "number", "comparable"),
    [
        ("CoCoA-MT", "contrastive", 400, "yes"),
        ("not contrastive", "single", 800, "yes"),
        ("not contrastive", "single", 400, "no: 400 labelled sources, not 800"),
        ("labelled by rules", "rules", 800, f"no: {OTHER_LISTS}"),
        ("labelled by rules", "rules", 400, f"no: 400 labelled sources, not 800, {OTHER_LISTS}"),
    ],
)
def test_a_row_of_table_8_is_compared_by_its_labelled_data(scored, tmp_path, label, kind, number, comparable):
    names = [["base", "none"], ["tuned", label], ["references", "references"]]
    write_csv(tmp_path / "systems.csv", ("system", "label"), names)
    files = [tmp_path / "table8.csv", tmp_path / "table8.compare.csv"]
    table8(
        *files,
        **{"scores": [scored[0]], "languages": ["de"], "systems": tmp_path / "systems.csv"},
        **{"printed": PRINTED / "table8.csv", "scale": "paper", **MADE, "made_of": MADE_OF},
        trained=["base", "tuned"],
        pairs=[tuned_on(tmp_path, number)],
        data=[f"tuned={kind}"],
    )
    found = {tuple(row[key] for key in KEYS): row["comparable"] for row in rows(files[1])}
    assert {found["de", label, "released", metric] for metric in ("f", "i", "avg")} == {comparable}
    # What was labelled, and how many, does not hang on the lists.
    told = {found["de", label, "released", metric] for metric in ("contrastive", "manual", "sources")}
    assert told == {comparable.replace(f", {OTHER_LISTS}", "").replace(f"no: {OTHER_LISTS}", "yes")}


def test_table_13_has_means_over_runs(scored, tmp_path):
    """Of WinoMT, beside M-Acc over all domains."""
    values = {"base": [60.0], "msc-trg": [50.0, 55.0]}
    paths, rows = [], []
    for row, runs in values.items():
        for run, value in enumerate(runs):
            paths.append(tmp_path / f"{row}.{run}.csv")
            metrics = [(metric, f"{value:.6f}", "winomt|n:9") for metric in COLUMNS[:3]]
            write_csv(paths[-1], ("metric", "value", "signature"), metrics)
            rows.append(f"{row}={'base' if row == 'base' else 'tuned'}")
    given = {"scores": paths[:1], "systems": ["Google"], "language": "de", "scale": "demo"}
    given |= {
        **MADE,
        "trained": paths,
        "rows": rows,
        "accuracies": scored[0],
        "printed": PRINTED / "table13.csv",
    }
    out = (tmp_path / "table13.csv", tmp_path / "table13.compare.csv")
    table13(*out, **given)
    table = {row["system"]: row for _, row in read_rows(out[0], ("system", *COLUMNS))}
    assert list(table) == ["base", "msc-trg", "Google"]
    assert [table[name]["accuracy"] for name in table] == ["60.0", "52.5", "60.0"]
    assert [table["base"][share] for share in ("f", "i", "avg")] == ["100.0", "0.0", "50.0"]
    assert [table["msc-trg"][share] for share in ("f", "i", "avg")] == ["50.0"] * 3
    cells = {
        (row["system"], row["metric"]): row for _, row in read_rows(out[1], ("system", "metric", "ours"))
    }
    assert cells["msc-trg", "accuracy"]["signature"] == "winomt|n:9|runs:2|range:50.0..55.0"
    assert cells["msc-trg", "accuracy"]["comparable"] == f"no: demo, de, not es, {RULES}"
    assert cells["msc-trg", "f"]["printed"] == "71.5"
    assert "mode:released" in cells["msc-trg", "f"]["signature"]
    # In the paper's language its numbers are compared unless fewer sources were labelled.
    es = {
        **given,
        "language": "es",
        "scale": "paper",
        "made_of": ["es.train=paracrawl-v9-es", "es.dev=newstest2012-es"],
    }
    for number, reason in ((400, ""), (200, "200 labelled sources, not 400")):
        table13(*out, **es, pairs=[tuned_on(tmp_path, number, "es")])
        said = [row for _, row in read_rows(out[1], ("system", "metric"))]
        told = {(row["system"], row["metric"]): row["comparable"] for row in said}
        assert told["msc-trg", "f"] == (f"no: {reason}" if reason else "yes")
        assert told["msc-trg", "accuracy"] == f"no: {', '.join(filter(None, (reason, RULES)))}"
        assert told["base", "f"] == "yes"
        assert told["base", "ted"] == told["msc-trg", "ted"] == "no: MuST-C needs a registration"
        assert told["fem-trg", "ted"] == told["base", "wmt"] == "no: not computed"
    with pytest.raises(InputError, match="no row for system 'other'"):
        table13(*out, **{**given, "rows": ["base=other", *rows[1:]]})
    with pytest.raises(InputError, match="3 runs have 2 files"):
        table13(*out, **{**given, "trained": paths[1:]})
    write_csv(paths[0], ("metric", "value", "signature"), [(metric, "nan", "s") for metric in COLUMNS[:3]])
    with pytest.raises(InputError, match=r"base\.0\.csv:2: 'nan' is not a number"):
        table13(*out, **given)


@pytest.fixture
def scored(canonical, tmp_path):
    """The scores, test set and manifest of three systems in German."""
    folder = tmp_path / "test"
    make_test_set(folder, corpus=canonical("de"))
    systems = {"base": [ALWAYS], "tuned": [RIGHT, WRONG], "references": [RIGHT]}
    manifest = outputs_of(tmp_path, folder, systems)
    score(
        tmp_path / "scores.csv",
        language="de",
        test_set=folder,
        runs=manifest,
        baseline="base",
        resamples=50,
        confidence=0.9,
        seed=1,
    )
    labels = [["base", "none"], ["tuned", "CoCoA-MT"], ["references", "references"]]
    write_csv(tmp_path / "systems.csv", ("system", "label"), labels)
    return tmp_path / "scores.csv", folder, manifest


@pytest.mark.parametrize(
    ("column", "text", "problem"),
    [
        ("value", "=1+1", "'=1+1' is not a number"),
        ("value", "", "'' is not a number"),
        ("p_holm", "TRUE", "'TRUE' is not a number"),
        ("sentences", "0", "'0' is not a whole number of 1 or more"),
    ],
)
def test_scores_that_are_no_numbers_are_named(scored, tmp_path, column, text, problem):
    (_, first), *others = read_rows(scored[0], ())
    write_csv(
        scored[0],
        tuple(first),
        [tuple({**first, column: text}.values()), *(tuple(r.values()) for _, r in others)],
    )
    with pytest.raises(InputError, match=rf"scores\.csv:2: {re.escape(problem)}"):
        read_scores(scored[0])


def tuned_on(tmp_path: Path, number: int, language: str = "de") -> Path:
    """The source side that `tuned` was tuned on, with so many different labelled sources."""
    path = tmp_path / f"tuned/{language}/run0.source.txt"
    write_lines(path, [f"<2{level}> {line}" for line in range(number) for level in LEVELS])
    return path


def rows(path: Path) -> list[Row]:
    return [row for _, row in read_rows(path, ("lang",))]


def test_tables_6_and_8_by_hand(scored, tmp_path):
    columns_of = {"table6": ("in_f", "in_i", "in_avg", "out_avg"), "table8": ("f", "i", "avg")}
    for command, (name, columns) in zip((table6, table8), columns_of.items(), strict=True):
        files = [tmp_path / f"{name}.csv", tmp_path / f"{name}.compare.csv"]
        command(
            *files,
            scores=[scored[0]],
            languages=["de"],
            systems=tmp_path / "systems.csv",
            printed=PRINTED / f"{name}.csv",
            scale="open",
            **MADE,
            made_of=MADE_OF,
            trained=["base", "tuned"],
        )
        found = {(row["system"], row["mode"]): [row[column] for column in columns] for row in rows(files[0])}
        wanted = {"none": ["100.0", "0.0", "50.0", "50.0"], "CoCoA-MT": ["50.0"] * 4}
        for system, numbers in wanted.items():
            assert found[system, "paper"] == found[system, "released"] == numbers[: len(columns)]
        assert rows(files[0])[0]["matched"] == "100.0"
        compared = {tuple(row[key] for key in KEYS): row for row in rows(files[1])}
        metric = columns[-1] if name == "table8" else "in_avg"
        cell = compared["de", "CoCoA-MT", "released", metric]
        # The other reading stands there too, beside nothing.
        other = compared["de", "CoCoA-MT", "paper", metric]
        assert other["ours"] == "50.0" and not other["printed"] and not other["difference"]
        assert cell["ours"] == "50.0" and cell["comparable"] == "no: open"
        assert "range:0.0..100.0" in cell["signature"] and "p_holm:" in cell["signature"]
        # How much is matched has neither an interval nor the range of the runs.
        matched = compared["de", "CoCoA-MT", "released", "matched"]
        assert matched["ci_low"] == matched["ci_high"] == "" and "range:" not in matched["signature"]
        assert 0 <= float(cell["ci_low"]) <= 50 <= float(cell["ci_high"]) <= 100
        # Of one language there is no mean.
        assert {row["lang"] for row in rows(files[0])} == {"de"}
        assert cell["difference"] == {"table6": "-35.7", "table8": "-30.4"}[name]
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["base", "none"]])
    with pytest.raises(InputError, match="no label for system 'tuned'"):
        table6(
            *files,
            scores=[scored[0]],
            languages=["de"],
            systems=tmp_path / "systems.csv",
            printed=PRINTED / "table6.csv",
            scale="open",
            **MADE,
        )


@pytest.mark.parametrize(
    ("changed", "comparable"),
    [
        ({}, ("yes", "yes")),
        (
            {"made_of": ["de.dev=newstest2019-de", "de.wmt=newstest2020-de"]},
            ("no: trained on unknown data, not on paracrawl-v9-de",) * 2,
        ),
        ({"trained": ["base"]}, ("no: not a system of the paper",) * 2),
        ({"training_pairs": 1000}, ("no: trained on 1000 pairs, not on 20000000",) * 2),
        (
            {"made_of": [*MADE_OF[:2], "de.wmt=newstest2019-de"]},
            ("yes", "no: tested on newstest2019-de, not on newstest2020-de"),
        ),
        ({"made_of": [MADE_OF[0], "de.dev=newstest2015-de", MADE_OF[2]]}, ("yes", "yes")),
        (
            {"made_of": [MADE_OF[0], "de.dev=held-out pairs", MADE_OF[2]]},
            ("no: chosen on held-out pairs, not on newstest-de",) * 2,
        ),
        (
            {"made_of": [MADE_OF[0], MADE_OF[2]]},
            ("no: chosen on unknown data, not on newstest-de",) * 2,
        ),
        (
            {"made_of": ["de.train=bitext-v2018-fr", *MADE_OF[1:]]},
            ("no: trained on bitext-v2018-fr, not on paracrawl-v9-de",) * 2,
        ),
        ({"sources": 200}, ("no: 200 labelled sources, not 400",) * 2),
        ({"data": ["tuned=rules"]}, (f"no: {OTHER_LISTS}",) * 2),
    ],
)
def test_what_is_made_of_other_data_cannot_be_compared(scored, tmp_path, changed, comparable):
    """M-Acc and BLEU of one system, by what it and its test set are made of."""
    scores = tmp_path / "more.csv"
    lines = read_lines(scored[0])
    bleu = next(line for line in lines if line.startswith("tuned,formal,all,bleu"))
    write_lines(scores, [*lines, bleu.replace("tuned,formal", "tuned,wmt")])
    given = {"scores": [scores], "languages": ["de"], "systems": tmp_path / "systems.csv", **MADE}
    given |= {"printed": PRINTED / "table6.csv", "scale": "paper", "made_of": MADE_OF}
    given |= {"trained": ["base", "tuned"], "data": ["tuned=contrastive"], **changed}
    given["pairs"] = [tuned_on(tmp_path, given.pop("sources", 400))]
    files = [tmp_path / "table6.csv", tmp_path / "table6.compare.csv"]
    table6(*files, **given)
    found = {tuple(row[key] for key in KEYS): row["comparable"] for row in rows(files[1])}
    cells = [("de", "CoCoA-MT", "released", metric) for metric in ("in_f", "wmt")]
    assert tuple(found[cell] for cell in cells) == comparable


@pytest.mark.parametrize(
    ("made_of", "scale", "comparable"),
    [
        (MADE_OF[:3], "paper", "no: MuST-C needs a registration"),
        (MADE_OF[:3], "open", "no: open, MuST-C needs a registration"),
        # Who has the set, and no score of it, has not computed it.
        (MADE_OF, "paper", "no: not computed"),
    ],
)
def test_a_test_set_that_nobody_can_download_says_so(scored, tmp_path, made_of, scale, comparable):
    for name, command in (("table6", table6), ("table8", table8)):
        files = [tmp_path / "table.csv", tmp_path / "table.compare.csv"]
        command(
            *files,
            **{"scores": [scored[0]], "languages": ["de"], "systems": tmp_path / "systems.csv"},
            **{"printed": PRINTED / f"{name}.csv", "scale": scale, **MADE, "made_of": made_of},
            trained=["base", "tuned"],
        )
        cells = {tuple(row[key] for key in KEYS): row["comparable"] for row in rows(files[1])}
        assert cells["de", "CoCoA-MT", "released", "ted"] == comparable
        assert rows(files[0])[0]["ted"] == ""
        # A language that the run does not have is no gap of its test sets.
        reason = UNTRANSLATED.format("es")
        reason = reason if scale == "paper" else f"{scale}, {reason}"
        assert cells["es", "CoCoA-MT", "released", "ted"] == f"no: {reason}"


def test_what_the_papers_systems_are_made_of(tmp_path):
    """A second copy, of Section 5 and its note 11; newstest2014 has no Spanish (docs/differences.md)."""
    known = read_made_of(PRINTED / "made-of.csv", ["de.train=x"], 1)
    million = {"de": 20, "es": 20, "fr": 20, "it": 20, "hi": 15, "ja": 10}
    assert {code: pairs // 1_000_000 for code, pairs in known.their_pairs.items()} == million
    corpora = {code: known.theirs[code, "train"].rpartition("-")[0] for code in million}
    assert corpora == {
        **dict.fromkeys(("de", "es", "fr", "it"), "paracrawl-v9"),
        **{"hi": "ccmatrix", "ja": "jparacrawl-v2"},
    }
    years = {"de": 2020, "es": 2014, "fr": 2015, "it": 2009, "hi": 2014, "ja": 2020}
    sets = {code: f"newstest{year}-{code}" for code, year in years.items()}
    # French of that year is the set of discussions.
    sets["fr"] = "newsdiscusstest2015-fr"
    assert {code: known.theirs[code, "wmt"] for code in years} == sets
    ted = {code: source for (code, part), source in known.theirs.items() if part == "ted"}
    assert ted == {**{code: f"must-c-{code}" for code in ("de", "es", "fr", "it")}, "ja": "iwslt2017-ja"}
    # The years of newstest for development are not told.
    dev = {code: known.theirs[code, "dev"] for code in years}
    newstest = {code: f"newstest*-{code}" for code in ("de", "es", "fr", "it")}
    assert dev == {**newstest, "hi": "newsdev2014-hi", "ja": "iwslt2017-dev-ja"}
    # Table 2, #train: the segments of the training data.
    assert known.their_labelled == {**dict.fromkeys(("de", "es", "fr", "hi", "it"), 400), "ja": 1000}
    assert known.lacking("pt") == ["the paper has no pt"]
    with pytest.raises(InputError, match=r"--made-of de\.train"):
        read_made_of(PRINTED / "made-of.csv", ["de.train"], 1)
    write_csv(
        tmp_path / "made-of.csv",
        ("lang", "part", "source", "pairs", "unavailable"),
        [("de", "train", "x", "1", "")],
    )
    with pytest.raises(InputError, match=r"made-of\.csv: no row labelled for de"):
        read_made_of(tmp_path / "made-of.csv", [], 1)


def test_table_5_by_hand(scored, tmp_path):
    """One run does as it is told and one the opposite: half of each label is right."""
    files = [tmp_path / "table5.csv", tmp_path / "table5.compare.csv"]
    given = {"test_sets": [scored[1] / "source.txt"], "outputs": [scored[2]], "languages": ["de"]}
    table5(*files, **given, leave_out=["base", "references"], printed=PRINTED / "table5.csv", scale="open")
    assert {tuple(row.values())[2:] for row in rows(files[0])} == {("0.50",) * 4}
    table5(*files, **given, leave_out=["tuned"], printed=PRINTED / "table5.csv", scale="open")
    # Of 36 translations 27 are formal, 18 of them as they should be.
    paper = next(row for row in rows(files[0]) if row["mode"] == "paper")
    assert tuple(paper.values())[2:] == ("0.67", "1.00", "1.00", "0.50")
    with pytest.raises(InputError, match=r"\.csv: no system was asked for a level"):
        names = ["base", "tuned", "references"]
        table5(*files, **given, leave_out=names, printed=PRINTED / "table5.csv", scale="open")
