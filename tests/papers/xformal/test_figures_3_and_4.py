"""Figures 3 and 4: lexical difference of pairs, and metrics of single runs."""

import re
import statistics
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics import BLEU

from tests.manifests import labelled, listed
from tests.papers.xformal.conftest import MADE_WITH
from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.evaluation.reruns import reruns
from workflow_scripts.figures.scatter import MARKERS, SHADES, look
from workflow_scripts.papers.xformal.figure3 import figure3
from workflow_scripts.papers.xformal.figure4 import _groups, figure4
from workflow_scripts.text.lexical import led

PRINTED = Path(__file__).parents[3] / "resources/printed/xformal/figure4.csv"
TEXTS = {
    "INFORMAL": [["oi vc vem", "sim ."]],
    "A": [["Oi você vem", "sim ."]],
    "B": [["oi vc vem !", "sim ."], ["a b", "c d"]],
}
REFERENCES = [
    ["Você vem comigo amanhã cedo ?", "Eu não sei se quero ir ."],
    ["Você vem comigo amanhã , sim ?", "Não sei se quero ir lá ."],
]
OUTPUTS = [
    ["Você vem comigo hoje cedo ?", "Eu não sei se vou ir ."],
    ["vc vem comigo amanhã cedo", "n sei se quero ir ."],
    ["nada disso", "nada disso mesmo , não"],
]


def texts_of(path: Path) -> str:
    """All that an SVG says, title and description included."""
    return " ".join(ElementTree.fromstring(path.read_bytes()).itertext())


@pytest.fixture
def pairs(tmp_path):
    table = []
    for language in ("pt", "it"):
        for label, runs in TEXTS.items():
            for number, sentences in enumerate(runs):
                path = tmp_path / f"{language}.{label}.{number}"
                write_lines(path, sentences)
                table.append((language, label, path))
    columns = zip(*table, strict=True)
    return {name: list(c) for name, c in zip(("languages", "labels", "files"), columns, strict=True)}


def drawn(pairs: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Options of `figure3`."""
    path = folder / "texts.csv"
    return listed(path, "texts", pairs, language="languages", label="labels", text="files")


def test_each_pair_has_its_mean_difference(pairs, tmp_path):
    figure3(tmp_path / "f.svg", tmp_path / "t.csv", **drawn(pairs, tmp_path))
    rows = rows_of(tmp_path / "t.csv")
    names = [("INFORMAL", "A"), ("INFORMAL", "B"), ("A", "B")]
    assert [(r["lang"], r["first"], r["second"]) for r in rows] == [
        (c, *p) for c in ("pt", "it") for p in names
    ]
    # One of three tokens on both sides, and none of two.
    assert rows[0]["led"] == f"{(1 / 3) / 2:.4f}" and rows[0]["pairs"] == "1"
    expected = statistics.fmean(led(TEXTS["INFORMAL"][0], run, "pt").mean() for run in TEXTS["B"])
    assert rows[1]["led"] == f"{expected:.4f}" and rows[1]["pairs"] == rows[1]["sentences"] == "2"


def test_figure3_says_its_numbers(pairs, tmp_path):
    figure3(tmp_path / "f.svg", tmp_path / "t.csv", **drawn(pairs, tmp_path))
    said = texts_of(tmp_path / "f.svg")
    first = rows_of(tmp_path / "t.csv")[0]
    assert f"pt, INFORMAL: A {float(first['led']):.2f}, B " in said
    assert ". it, INFORMAL: A " in said
    # The names of columns are slanted, so that long ones do not touch, and begin at their column.
    texts = re.findall("<text ([^>]*)>INFORMAL<", (tmp_path / "f.svg").read_text(encoding="utf-8"))
    assert sorted(float(angle) for one in texts for angle in re.findall(r"rotate\((-?[0-9]+)", one)) == [
        *([-40.0] * 2 + [0.0] * 2)
    ]
    # Both halves of the grid, in both languages (the same text), and the description.
    assert said.count(f"{float(first['led']):.2f}") == 2 * 2 + 2
    again = tmp_path / "g.svg"
    figure3(again, tmp_path / "t.csv", **drawn(pairs, tmp_path))
    assert again.read_bytes() == (tmp_path / "f.svg").read_bytes()


def test_figure3_cuts_no_text(pairs, tmp_path, monkeypatch):
    """With the fewest systems it is the narrowest."""
    from matplotlib.figure import Figure

    sizes = []
    save = Figure.savefig

    def measured(figure: Figure, *args: Any, **options: Any) -> None:
        save(figure, *args, **options)
        sizes.append((figure.get_tightbbox(), figure.get_size_inches()))

    monkeypatch.setattr(Figure, "savefig", measured)
    figure3(tmp_path / "f.svg", tmp_path / "t.csv", **drawn(pairs, tmp_path))
    ((box, (width, height)),) = sizes
    assert min(box.x0, box.y0) >= 0 and box.x1 <= width and box.y1 <= height


def test_figure3_with_many_runs_of_two_systems(pairs, tmp_path):
    pairs = {name: [*values, *values[-2:]] for name, values in pairs.items()}
    pairs["labels"][-2:] = ["C", "C"]
    figure3(tmp_path / "f.svg", tmp_path / "t.csv", **drawn(pairs, tmp_path))
    row = next(
        r for r in rows_of(tmp_path / "t.csv") if (r["lang"], r["first"], r["second"]) == ("it", "B", "C")
    )
    one, two = TEXTS["B"]
    expected = statistics.fmean(led(a, b, "it").mean() for a in (one, two) for b in (one, two))
    assert (row["led"], row["pairs"]) == (f"{expected:.4f}", "4")


@pytest.fixture
def runs(tmp_path):
    """Options of `reruns`: two runs of a system and one of another."""
    for number, sentences in enumerate(REFERENCES):
        write_lines(tmp_path / f"ref{number}", sentences)
    for number, sentences in enumerate(OUTPUTS):
        write_lines(tmp_path / f"out{number}", sentences)
        write_lines(tmp_path / f"formality{number}", [f"{number}.5", f"{number}.0"])
        write_lines(tmp_path / f"fluency{number}", [f"{number}.1", f"{number}.3"])
    return {
        "references": [tmp_path / "ref0", tmp_path / "ref1"],
        "systems": ["nmt", "nmt", "copy"],
        "names": ["seed1", "seed2", "run0"],
        **{
            name: [tmp_path / f"{stem}{i}" for i in range(3)]
            for name, stem in (("outputs", "out"), ("formality", "formality"), ("fluency", "fluency"))
        },
    }


def scored(runs: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Options of `reruns`."""
    lists = {"system": "systems", "run": "names", "output": "outputs"}
    return listed(folder / "runs.csv", "runs", runs, **lists, formality="formality", fluency="fluency")


def test_reruns_have_the_metrics_of_table7(runs, tmp_path):
    reruns(tmp_path / "r.csv", **scored(runs, tmp_path))
    rows = rows_of(tmp_path / "r.csv")
    assert [(row["system"], row["run"], row["sentences"]) for row in rows] == [
        *(("nmt", "seed1", "2"), ("nmt", "seed2", "2"), ("copy", "run0", "2")),
    ]
    for number, row in enumerate(rows):
        expected = BLEU().corpus_score(OUTPUTS[number], REFERENCES).score
        assert row["multi_bleu"] == f"{expected:.6f}"
        assert (row["formality"], row["perplexity"]) == (f"{number + 0.25:.6f}", f"{number + 0.2:.6f}")
        assert row["signature"].startswith("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp")


def test_scores_of_other_outputs_are_named(runs, tmp_path):
    write_lines(tmp_path / "fluency1", ["0.5"])
    with pytest.raises(InputError, match=r"fluency1: 1 lines where .*out1 has 2"):
        reruns(tmp_path / "r.csv", **scored(runs, tmp_path))
    write_lines(tmp_path / "fluency1", ["0.5", "701"])
    with pytest.raises(InputError, match=r"fluency1:2: 701 is no score for perplexity"):
        reruns(tmp_path / "r.csv", **scored(runs, tmp_path))
    with pytest.raises(InputError, match=r"runs\.csv: a second seed1 of system 'nmt'"):
        reruns(tmp_path / "r.csv", **scored({**runs, "names": ["seed1"] * 3}, tmp_path))
    write_lines(tmp_path / "out0", ["x"])
    with pytest.raises(InputError, match="not parallel"):
        reruns(tmp_path / "r.csv", **scored(runs, tmp_path))


def draw(
    runs: dict[str, Any], folder: Path, labels: dict[str, str] | None = None, **changed: Any
) -> tuple[list[dict[str, str]], str]:
    """The table and the text of the figure."""
    reruns(folder / "r.csv", **scored(runs, folder))
    options: dict[str, Any] = {
        "languages": ["pt"],
        "reruns": [folder / "r.csv"],
        "systems": labelled(folder / "systems.csv", labels or {"copy": "COPY", "nmt": "NMT & CO"}),
        "lines": ["copy"],
        "baseline": "copy",
        "printed": PRINTED,
        "scale": "paper",
        **MADE_WITH,
    }
    figure4(folder / "f.svg", folder / "t.csv", folder / "c.csv", **{**options, **changed})
    return rows_of(folder / "t.csv"), texts_of(folder / "f.svg")


@pytest.mark.slow
def test_figure4_has_runs_means_and_deviations(runs, tmp_path):
    rows, said = draw(runs, tmp_path)
    assert [(row["system"], row["run"]) for row in rows] == [
        *(("COPY", "run0"), ("NMT & CO", "seed1"), ("NMT & CO", "seed2")),
        *(("NMT & CO", "mean"), ("NMT & CO", "sd")),
    ]
    # Formality 0.25 and 1.25: mean 0.75, deviation of the sample 1 / sqrt(2).
    assert [row["formality"] for row in rows[1:]] == ["0.2500", "1.2500", "0.7500", "0.7071"]
    assert [row["perplexity"] for row in rows[1:]] == ["0.2000", "1.2000", "0.7000", "0.7071"]
    assert "NMT & CO: 2 runs, multi-BLEU" in said and "formality 0.75, perplexity 0.70" in said
    assert "multi-BLEU" in said and "lower is better" in said
    # COPY is drawn as a dashed line too.
    dashed = (tmp_path / "f.svg").read_text(encoding="utf-8").count("stroke-dasharray")
    draw(runs, tmp_path, lines=[])
    assert (tmp_path / "f.svg").read_text(encoding="utf-8").count("stroke-dasharray") < dashed


def test_a_point_is_a_run_with_its_bleu_above(runs, tmp_path):
    """A system without runs in a language has no group, and keeps the others' numbers."""
    found = {"nmt": {"seed1": (30.0, 0.25, 4.0), "seed2": (31.0, 0.5, 5.0)}, "copy": {"run0": (9.0, -1, 6)}}
    names = {"other": "OTHER", "nmt": "NMT", "copy": "COPY"}
    for place, points in ((1, [(0.25, 30.0), (0.5, 31.0)]), (2, [(4.0, 30.0), (5.0, 31.0)])):
        nmt, copy = _groups(found, names, {"copy": ":"}, place)
        assert (nmt.name, nmt.place, list(nmt.points), nmt.line) == ("NMT", 1, points, "")
        assert (copy.name, copy.place, copy.line) == ("COPY", 2, ":")
    _, said = draw(runs, tmp_path)
    texts = [*ElementTree.parse(tmp_path / "f.svg").getroot().itertext()]
    # One row of panels, whose left one has the language, and one legend.
    assert texts.count("pt") == texts.count("multi-BLEU") == texts.count("formality") == 1
    assert texts.count("COPY") == texts.count("NMT & CO") == 1
    assert "Two panels per language, one point per run. pt: COPY: multi-BLEU " in said
    assert said.count("formality 2.25, perplexity 2.20; NMT & CO: 2 runs, ") == 1


@pytest.mark.parametrize("column", ["multi_bleu", "formality", "perplexity"])
def test_a_run_with_a_field_that_is_no_number_is_named(runs, tmp_path, column):
    reruns(tmp_path / "r.csv", **scored(runs, tmp_path))
    header, *lines = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()
    fields = lines[1].split(",")
    fields[header.split(",").index(column)] = "much"
    write_lines(tmp_path / "bad.csv", [header, lines[0], ",".join(fields), *lines[2:]])
    with pytest.raises(InputError, match=r"bad\.csv:3: 'much' is not a number"):
        draw(runs, tmp_path, reruns=[tmp_path / "bad.csv"])


@pytest.mark.slow
def test_figure4_compares_the_gain_of_the_mean_run(runs, tmp_path):
    rows, _ = draw(runs, tmp_path, labels={"copy": "COPY", "nmt": "BACKTRANSLATE"})
    bleu = {(row["system"], row["run"]): float(row["multi_bleu"]) for row in rows}
    portuguese, french = rows_of(tmp_path / "c.csv")
    gain = bleu["BACKTRANSLATE", "mean"] - bleu["COPY", "run0"]
    assert abs(gain) > 1.5 and float(portuguese["ours"]) == pytest.approx(gain, abs=0.011)
    # "About 1" is a range, from whose nearer end the difference is counted.
    near = 1.5 if gain > 0 else 0.5
    assert float(portuguese["difference"]) == pytest.approx(float(portuguese["ours"]) - near)
    assert portuguese["comparable"] == "no: the text does not say of which seed"
    draw(runs, tmp_path, labels={"copy": "COPY", "nmt": "BACKTRANSLATE"}, backend="nmt")
    assert (
        rows_of(tmp_path / "c.csv")[0]["comparable"] == "no: backend nmt, the text does not say of which seed"
    )
    assert portuguese["signature"] == "multi-BLEU|mean of 2 runs|over:COPY"
    assert (french["lang"], french["comparable"]) == ("fr", "no: not computed")
    draw(runs, tmp_path, labels={"copy": "COPY", "nmt": "BACKTRANSLATE"}, baseline="rule-based", scale="demo")
    assert [row["ours"] for row in rows_of(tmp_path / "c.csv")] == ["", ""]


def test_a_system_of_one_language_keeps_its_place(runs, tmp_path):
    (tmp_path / "it").mkdir()
    (tmp_path / "r.csv").write_text("")
    some = {
        **{name: runs[name][:2] for name in ("systems", "names", "outputs", "formality", "fluency")},
        "references": runs["references"],
    }
    reruns(tmp_path / "it/r.csv", **scored(some, tmp_path / "it"))
    both = {"languages": ["pt", "it"], "reruns": [tmp_path / "r.csv", tmp_path / "it/r.csv"]}
    rows, said = draw(runs, tmp_path, **both)
    assert [row["system"] for row in rows if row["lang"] == "it"] == ["NMT & CO"] * 4
    assert "it: NMT & CO: 2 runs" in said


def test_figure4_needs_a_file_per_language(runs, tmp_path):
    with pytest.raises(InputError, match="2 languages have 1 files"):
        draw(runs, tmp_path, languages=["pt", "it"])
    draw(runs, tmp_path)
    again = tmp_path / "r.csv"
    again.write_text(again.read_text().replace("seed2", "seed1"))
    systems = labelled(tmp_path / "one.csv", {"nmt": "N"})
    names: dict[str, Any] = {"languages": ["pt"], "systems": systems, "lines": []}
    options = {**names, "baseline": "copy", "printed": PRINTED, "scale": "paper", **MADE_WITH}
    with pytest.raises(InputError, match=r"r\.csv:3: a second run seed1 of system 'nmt'"):
        figure4(*(tmp_path / name for name in "ftc"), reruns=[again], **options)


def test_every_group_has_a_look_of_its_own():
    # Shapes alone tell as many groups apart as the paper has systems.
    assert len(set(MARKERS)) == len(MARKERS) >= 10
    looks = {tuple(sorted(look(place).items())) for place in range(len(MARKERS) * len(SHADES))}
    assert len(looks) == len(MARKERS) * len(SHADES)


@pytest.mark.slow
def test_the_commands(runs, pairs, tmp_path, module):
    def given(options: dict[str, Any]) -> list[Any]:
        lists = {name: value if isinstance(value, list) else [value] for name, value in options.items()}
        return [text for name, values in lists.items() for text in (f"--{name}", *values)]

    done = [
        module("evaluation.reruns", tmp_path / "r.csv", *given(scored(runs, tmp_path))),
        module(
            "papers.xformal.figure3", tmp_path / "f.svg", tmp_path / "t.csv", *given(drawn(pairs, tmp_path))
        ),
    ]
    systems = labelled(tmp_path / "one.csv", {"nmt": "N"})
    last = {"languages": ["pt"], "reruns": [tmp_path / "r.csv"], "systems": [systems]}
    last |= {"baseline": ["copy"], "printed": [PRINTED], "scale": ["demo"], **MADE_WITH}
    # No system is drawn as a line.
    done.append(
        module(
            "papers.xformal.figure4",
            *(tmp_path / name for name in ("g.svg", "u.csv", "c.csv")),
            *given({**last, "lines": []}),
        )
    )
    assert [process.returncode for process in done] == [0, 0, 0], done
    assert rows_of(tmp_path / "u.csv")[-1]["run"] == "sd"
