"""Tables 5, 6 and 8 of CoCoA-MT: printed numbers, small scores by hand, the shared task's outputs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.control.test_score import ALWAYS, RIGHT, WRONG, outputs_of
from workflow_scripts.control.data import LEVELS, read_test_set
from workflow_scripts.control.matching import accuracy, label
from workflow_scripts.control.score import score
from workflow_scripts.control.test_set import make_test_set
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.iwslt2022 import read_submission
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.accuracies import KEYS
from workflow_scripts.papers.cocoa_mt.table5 import table5
from workflow_scripts.papers.cocoa_mt.table6 import table6
from workflow_scripts.papers.cocoa_mt.table8 import table8
from workflow_scripts.papers.cocoa_mt.table13 import COLUMNS, table13

PRINTED = ROOT / "resources/printed/cocoa-mt"
Row = dict[str, str]


def printed(name: str) -> dict[tuple[str, ...], float]:
    keys = KEYS if name != "table5" else ("lang", "mode", "metric")
    return {key: float(value) for key, value in read_printed(PRINTED / f"{name}.csv", *keys).items()}


def test_the_printed_table_6_agrees_with_itself() -> None:
    numbers = printed("table6")
    languages = list(dict.fromkeys(key[0] for key in numbers))[:-1]
    for language in languages:
        for part in ("in", "out"):
            f, i = (numbers[language, "none", "paper", f"{part}_{share}"] for share in "fi")
            # The untagged translation is one, so that its shares add up.
            assert f + i == pytest.approx(100)
            f, i, mean = (numbers[language, "CoCoA-MT", "paper", f"{part}_{x}"] for x in ("f", "i", "avg"))
            assert mean == pytest.approx((f + i) / 2, abs=0.11)
    for metric in ("in_f", "in_i", "in_avg", "out_i", "out_avg"):
        mean = sum(numbers[language, "CoCoA-MT", "paper", metric] for language in languages) / 6
        assert numbers["average", "CoCoA-MT", "paper", metric] == pytest.approx(mean, abs=0.1)
    # docs/differences.md: 91.47 is printed as 91.4.
    mean = sum(numbers[language, "CoCoA-MT", "paper", "out_f"] for language in languages) / 6
    assert mean == pytest.approx(91.467, abs=0.001)


def test_table_8_repeats_what_table_6_prints() -> None:
    six, eight = printed("table6"), printed("table8")
    for language in ("de", "es", "fr", "ja"):
        for metric in ("wmt", "ted"):
            assert eight[language, "CoCoA-MT", "paper", metric] == six[language, "CoCoA-MT", "paper", metric]
    for (language, system, mode, metric), mean in eight.items():
        if metric == "avg":
            f, i = (eight[language, system, mode, share] for share in "fi")
            assert mean == pytest.approx((f + i) / 2, abs=0.11)


def test_the_printed_table_5_averages_to_what_it_says() -> None:
    numbers = printed("table5")
    for metric in ("precision_formal", "recall_formal", "precision_informal", "recall_informal"):
        values = [numbers[language, "paper", metric] for language in ("de", "es", "fr", "hi", "it", "ja")]
        assert numbers["average", "paper", metric] == pytest.approx(sum(values) / 6, abs=0.0051)


def test_table_13_repeats_what_table_8_prints() -> None:
    """`msc-trg` is CoCoA-MT, `base` the generic model, whose shares add up."""
    eight, found = printed("table8"), read_printed(PRINTED / "table13.csv", "system", "metric")
    thirteen = {key: float(value) for key, value in found.items()}
    for metric in ("f", "i", "avg", "wmt", "ted"):
        assert thirteen["msc-trg", metric] == eight["es", "CoCoA-MT", "paper", metric]
    assert thirteen["base", "f"] + thirteen["base", "i"] == pytest.approx(100)
    for system in ("msc-trg", "fem-trg"):
        f, i, mean = (thirteen[system, share] for share in ("f", "i", "avg"))
        assert mean == pytest.approx((f + i) / 2, abs=0.051)
    assert len(thirteen) == 3 * len(COLUMNS) - 1


def test_table_13_has_means_over_runs(scored: tuple[Path, Path, Path], tmp_path: Path) -> None:
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
    given |= {"trained": paths, "rows": rows, "accuracies": scored[0], "printed": PRINTED / "table13.csv"}
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
    assert cells["msc-trg", "accuracy"]["comparable"].startswith("no: demo, de, not es")
    assert cells["msc-trg", "f"]["printed"] == "71.5"
    with pytest.raises(InputError, match="no row of system 'other'"):
        table13(*out, **{**given, "rows": ["base=other", *rows[1:]]})
    with pytest.raises(InputError, match="3 runs have 2 files"):
        table13(*out, **{**given, "trained": paths[1:]})
    write_csv(paths[0], ("metric", "value", "signature"), [(metric, "nan", "s") for metric in COLUMNS[:3]])
    with pytest.raises(InputError, match=r"base\.0\.csv:2: 'nan' is not a number"):
        table13(*out, **given)


@pytest.fixture
def scored(canonical: Callable[[str], Path], tmp_path: Path) -> tuple[Path, Path, Path]:
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


def rows(path: Path) -> list[Row]:
    return [row for _, row in read_rows(path, ("lang",))]


def test_tables_6_and_8_by_hand(scored: tuple[Path, Path, Path], tmp_path: Path) -> None:
    for command, columns in ((table6, ("in_f", "in_i", "in_avg", "out_avg")), (table8, ("f", "i", "avg"))):
        name = command.__name__
        files = [tmp_path / f"{name}.csv", tmp_path / f"{name}.compare.csv"]
        command(
            *files,
            scores=[scored[0]],
            languages=["de"],
            systems=tmp_path / "systems.csv",
            printed=PRINTED / f"{name}.csv",
            scale="open",
        )
        found = {(row["system"], row["mode"]): [row[column] for column in columns] for row in rows(files[0])}
        wanted = {"none": ["100.0", "0.0", "50.0", "50.0"], "CoCoA-MT": ["50.0"] * 4}
        for system, numbers in wanted.items():
            assert found[system, "paper"] == found[system, "released"] == numbers[: len(columns)]
        assert rows(files[0])[0]["matched"] == "100.0"
        compared = {tuple(row[key] for key in KEYS): row for row in rows(files[1])}
        cell = compared["de", "CoCoA-MT", "paper", columns[-1] if name == "table8" else "in_avg"]
        assert cell["ours"] == "50.0" and cell["comparable"] == "no: open"
        assert "range:0.0..100.0" in cell["signature"] and "p_holm:" in cell["signature"]
        assert cell["difference"] == {"table6": "-35.7", "table8": "-30.4"}[name]
    write_csv(tmp_path / "systems.csv", ("system", "label"), [["base", "none"]])
    with pytest.raises(InputError, match="no label of system 'tuned'"):
        table6(
            *files,
            scores=[scored[0]],
            languages=["de"],
            systems=tmp_path / "systems.csv",
            printed=PRINTED / "table6.csv",
            scale="open",
        )


def test_table_5_by_hand(scored: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """One run does as it is told and one the opposite: half of each label is right."""
    files = [tmp_path / "table5.csv", tmp_path / "table5.compare.csv"]
    given = {"test_sets": [scored[1] / "source.txt"], "outputs": [scored[2]], "languages": ["de"]}
    table5(*files, **given, leave_out=["base", "references"], printed=PRINTED / "table5.csv", scale="open")
    assert {tuple(row.values())[2:] for row in rows(files[0])} == {("0.50",) * 4}
    table5(*files, **given, leave_out=["tuned"], printed=PRINTED / "table5.csv", scale="open")
    # Of 36 translations 27 are formal, 18 of them as they should be.
    paper = next(row for row in rows(files[0]) if row["mode"] == "paper")
    assert tuple(paper.values())[2:] == ("0.67", "1.00", "1.00", "0.50")
    with pytest.raises(InputError, match="no system was asked"):
        names = ["base", "tuned", "references"]
        table5(*files, **given, leave_out=names, printed=PRINTED / "table5.csv", scale="open")


def test_a_submission_comes_in_the_order_of_the_corpus(
    canonical: Callable[[str], Path], tmp_path: Path
) -> None:
    corpus = canonical("de")
    domains = ("topical_chat", "telephony", "call_center")
    for domain in domains:
        path = corpus / f"test.{domain}.en.txt"
        write_lines(path, [f"{domain} {line}" for line in read_lines(path)])
    write_lines(tmp_path / "source.en", [x for d in domains for x in read_lines(corpus / f"test.{d}.en.txt")])
    (tmp_path / "mine").write_bytes(b"".join(b"%d\r\n" % number for number in range(9)))
    files = {"submission": tmp_path / "mine", "source": tmp_path / "source.en", "corpus": corpus}
    read_submission(tmp_path / "out.txt", **files)
    assert read_lines(tmp_path / "out.txt") == list("345012678")
    (tmp_path / "mine").write_bytes(b"0\n1\n")
    with pytest.raises(InputError, match="2 translations of 9 sentences"):
        read_submission(tmp_path / "out.txt", **files)
    write_lines(tmp_path / "source.en", [str(number) for number in range(9)])
    (tmp_path / "mine").write_bytes(b"x\n" * 9)
    with pytest.raises(InputError, match="lines 1 to 3 are not those"):
        read_submission(tmp_path / "out.txt", **files)


def test_the_shared_tasks_outputs_have_the_accuracy_that_their_team_printed(
    real: Callable[[str], Path], mirror: Path, tmp_path: Path
) -> None:
    """UoS' constrained system, by the released scorer: .935 on average over de and es."""
    shared = mirror / "cocoa-mt/IWSLT2022"
    values = []
    for language in ("de", "es"):
        make_test_set(tmp_path / language, corpus=real(language))
        tests = read_test_set(tmp_path / language)
        place = (
            shared / f"submissions/formality-control_slt-cdt-uos_pack/en-{language}/constrained/blind-test"
        )
        for level in LEVELS:
            read_submission(
                tmp_path / "out.txt",
                submission=place / f"formality-control-1.{level}.{language}",
                source=shared / f"data/test/en-{language}/formality-control.test.en-{language}.en",
                corpus=real(language),
            )
            marked = [tests.annotated[name] for name in LEVELS]
            labels = [
                label(*row, mode="released", language=language)
                for row in zip(read_lines(tmp_path / "out.txt"), *marked, strict=True)
            ]
            values.append(round(accuracy(labels, level.upper()), 3))
    assert values == [1.0, 0.886, 0.874, 0.980]
    assert rounded(sum(values) / 4, 3, "half-up") == "0.935"
