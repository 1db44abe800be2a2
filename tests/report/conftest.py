"""A small run: one table of each shape, a figure, settings, sources, rules and benchmark files."""

import csv
import json
from pathlib import Path

import pytest

from tests.conftest import METRICS
from workflow_scripts.report.page import page

ROOT = Path(__file__).parents[2]
LANGUAGES = ROOT / "resources" / "languages.csv"
SVG = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg" width="60pt" height="40pt"
 viewBox="0 0 60 40" role="img" aria-labelledby="title description">
 <title id="title">Edits &amp; rewrites</title>
 <desc id="description">Two bars: 3 and 5.</desc>
 <defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>
  <path id="mark" d="M0 0h5"/><clipPath id="area"><path d="M0 0h9v9z"/></clipPath></defs>
 <g id="figure_1" clip-path="url(#area)"><use xlink:href="#mark"/><text x="1" y="9">3</text></g>
</svg>
"""
LEAVES = [
    ("leaf", "paper", "number", "kind", "caption", "corpora"),
    ("table7", "xformal", "Table 7", "table", "Automatic and human evaluation", "gyafc"),
    ("table8", "xformal", "Table 8", "table", "Example <outputs> & more", "xformal"),
    ("figure1", "xformal", "Figure 1", "figure", "Edit distance", "xformal"),
    ("tydip/table11", "tydip", "Table 11", "table", "Examples of the lexicons", "tydip"),
    ("cocoa-mt/m-acc", "cocoa-mt", "M-Acc", "table", "M-Acc of the references", "cocoa-mt"),
]
PAPERS = [
    ("paper", "label", "scaled", "citation"),
    ("xformal", "XFORMAL", "yes", "Briakou et al. (2021)"),
    ("tydip", "TyDiP", "no", "Srinivasan and Choi (2022)"),
    ("cocoa-mt", "CoCoA-MT", "no", "Nadejde et al. (2022)"),
]
KEYS = ("section", "system", "metric", "lang")
CODES = ("pt", "it", "fr")
SYSTEMS = ("GOLD STANDARD", "RULE-BASED", "ROUND-TRIP MT", "MY <LLM> & CO")
SETTINGS = {
    "scale": "open",
    "seed": 7,
    "languages": ["fr"],
    "device": "auto",
    "precision": "auto",
    "translation": {"backend": "nmt"},
    "formality": {"encoder": {"kind": "scratch", "checkpoint": "none"}},
    "evaluation": {"resamples": 1000},
    "corpora": {"gyafc": "demo", "gyafc_references": 4},
    "systems": {},
}


def put(path: Path, rows: list[tuple]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    return path


def number(system: str, metric: str, lang: str) -> str:
    """Our number in a cell of Table 7, another one in each."""
    return f"{METRICS.index(metric) * 20 + SYSTEMS.index(system) * 3 + CODES.index(lang) + 0.5:.1f}"


def table7(folder: Path, printed: Path, comparable: str) -> None:
    cells = [(metric, lang) for metric in METRICS for lang in CODES]
    names = [f"{metric}_{lang}" for metric, lang in cells]
    tests = [f"{name}_p" for name in names]
    rows: list[tuple] = [("section", "system", *names, *tests)]
    compared: list[tuple] = [
        (*KEYS, "printed", "ours", "difference", "ci_low", "ci_high", "comparable", "signature")
    ]
    marks: list[tuple] = [(*KEYS, "printed", "significant", "bold")]
    for system in SYSTEMS:
        ours = [
            "" if (system, m) == ("GOLD STANDARD", "multi_bleu") else number(system, m, g) for m, g in cells
        ]
        p = "" if system == "RULE-BASED" else "0.0247" if system == "ROUND-TRIP MT" else "0.3000"
        rows.append(("automatic", system, *ours, *[p if mine else "" for mine in ours]))
        for (metric, lang), mine in zip(cells, ours, strict=True):
            theirs = (
                ""
                if system.startswith("MY") or not mine
                else f"{float(mine) + (-1.5 if lang == 'it' else 1):.1f}"
            )
            gap = f"{float(mine) - float(theirs):.1f}" if theirs else ""
            bounds = (f"{float(mine) - 1:.1f}", f"{float(mine) + 1:.1f}") if mine else ("", "")
            compared.append(
                (
                    "automatic",
                    system,
                    metric,
                    lang,
                    theirs,
                    mine,
                    gap,
                    *bounds,
                    comparable,
                    f"{metric}|n:<100>",
                )
            )
            if theirs:
                star = "yes" if system == "ROUND-TRIP MT" else "no"
                marks.append(("automatic", system, metric, lang, theirs, star, "no"))
    for metric in METRICS:
        compared.append(("human", "RULE-BASED", metric, "pt", "5.70", "", "", "", "", "no: not computed", ""))
    put(folder / "table7.csv", rows)
    put(folder / "table7.compare.csv", compared)
    put(printed / "xformal" / "table7.csv", marks)


@pytest.fixture
def small_run(tmp_path):
    """The arguments of `page` for a run at demo scale."""
    results, printed = tmp_path / "results", tmp_path / "printed"
    table7(results, printed, "no: demo")
    put(
        results / "table8.csv",
        [
            ("lang", "row", "marked"),
            ("pt", "INFORMAL", "n preciso pedir pois sei q ela vai vir atras!! <b>"),
            ("pt", "RULE-BASED", "Não preciso pedir, pois sei [[que]] ela vai vir [[atrás]] de mim."),
        ],
    )
    put(
        results / "figure1.csv",
        [("lang", "low", "high", "value"), ("pt", "0", "1", "3"), ("pt", "1", "2", "5")],
    )
    put(
        results / "figure1.compare.csv",
        [
            ("lang", "metric", "printed", "ours", "difference", "comparable", "signature"),
            ("pt", "mean", "30.5", "28.0", "-2.5", "no: demo", "n:8"),
        ],
    )
    (results / "figure1.svg").write_text(SVG, encoding="utf-8")
    same, other = "cf6e5c4a7b94", "c06dddde835e"
    put(
        results / "tydip/table11.csv", [("strategy", "word", "hi", "es"), ("Please", "please", "कृपया", "por")]
    )
    put(
        results / "tydip/table11.compare.csv",
        [
            ("strategy", "word", "lang", "printed", "ours", "difference", "comparable", "signature"),
            ("Please", "please", "hi", same, same, "same", "yes", "hi.csv@1"),
            ("Please", "please", "es", other, same, "printed is number 3 of 3", "yes", "es.csv@2"),
        ],
    )
    rows = [(f"l{n}", "paper", f"{n / 10:.1f}", 125000) for n in range(45)]
    put(results / "cocoa-mt/m-acc.csv", [("lang", "mode", "m_acc", "formal"), *rows])
    put(
        results / "cocoa-mt/m-acc.compare.csv",
        [
            ("lang", "mode", "metric", "printed", "ours", "difference", "comparable", "signature"),
            *((lang, mode, "m_acc", value, value, "0.0", "yes", "m-acc") for lang, mode, value, _ in rows),
        ],
    )
    settings = tmp_path / "settings.json"
    systems = {
        "a": {"label": "TRANSLATE TRAIN TAG", "seeds": [1, 2]},
        "b": {"label": "MULTI-TASK TAG-STYLE", "base": "a"},
        "c": {"label": "COPY"},
    }
    own = {"scale": "demo", "languages": list(CODES), "systems": systems}
    settings.write_text(json.dumps({**SETTINGS, **own}), encoding="utf-8")
    sources = put(
        tmp_path / "sources.csv",
        [
            ("leaf", "paper", "source", "version", "licence", "access", "address", "sha256"),
            (
                "table7",
                "xformal",
                "gyafc-demo",
                "demo",
                "generated by this project",
                "generated",
                "",
                "a" * 64,
            ),
            ("tydip/table11", "tydip", "tydip", "2022", "CC BY 4.0", "open", "https://example.org/tydip", ""),
        ],
    )
    graph = put(
        tmp_path / "rules.csv",
        [
            ("rule", "stage", "does", "after"),
            ("page", "report", "All leaves.", "table7"),
            ("read", "corpora", "Reads <text>.", ""),
            ("table7", "tables", "Table 7.", "read train"),
            ("train", "transfer", "Trains.", "read"),
        ],
    )
    benchmarks = tmp_path / "benchmarks"
    for name, seconds, memory in (("transfer/train.pt", "3725.5", "812.25"), ("tables/table7", "0.4", "NA")):
        path = benchmarks / f"{name}.tsv"
        path.parent.mkdir(parents=True)
        path.write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:00\t{memory}\n")
    put(tmp_path / "papers.csv", PAPERS)
    put(
        printed / "xformal" / "formality-ratings.csv",
        [
            ("judge", "measure", "lang", "printed"),
            ("regressor", "spearman", "pt", "57"),
            ("regressor", "spearman", "en", "99"),
            ("classifier", "spearman", "fr", "98"),
        ],
    )
    return {
        "results": results,
        "papers": ["xformal", "tydip", "cocoa-mt"],
        "leaves": put(tmp_path / "leaves.csv", LEAVES),
        "languages": LANGUAGES,
        "printed": printed,
        "settings": settings,
        "sources": sources,
        "graph": graph,
        "benchmarks": benchmarks,
        "spearman": put(
            tmp_path / "spearman.csv", [("language", "spearman", "n"), ("pt", "0.8123", 200), ("fr", "", 0)]
        ),
    }


@pytest.fixture
def small_page(small_run, tmp_path):
    """The page of the small run."""
    page(tmp_path / "results" / "index.html", **small_run)
    return tmp_path / "results" / "index.html"
