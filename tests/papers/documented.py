"""The documentation of a leaf's command compared with the files that it has written."""

import csv
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import pytest

from tests.tables import rows_of

NAME = re.compile(r"[\w. %-]+")
# What a comparison may say of what differs, besides a number, and the number of a sequence in a list.
DIFFERENCES = {"", "same", "other", "other side", "only ours", "only theirs", "printed is not in the list"}
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?|printed is number [0-9]+ of [0-9]+")
# What the axes of a figure measure, and what stands below it.
AXES = {
    "tydip.figure1": ("politeness score", "share of requests"),
    "tydip.figure4": (
        "mean score of the requests with a strategy, and their number; blue above 0, orange below",
        "share of the flagged English words that have a sequence:",
    ),
    "tydip.figure4_scratch": (
        *("lexicons induced here", "lexicons of the corpus"),
        "mean score of the requests with a strategy, and their number",
    ),
    "tydip.figure8": (
        "share of requests with the strategy in the 1st quartile (least polite)",
        "share of requests with the strategy in the 4th quartile (most polite)",
        "0.25 is the share by chance; blue is more, orange less",
    ),
    "tydip.agreements": ("Spearman's correlation",),
    "tydip.figure3": ("accuracy", "XLMR, input target"),
    "pt16.pt16": ("rated formality", "share of sentences"),
    "xformal.figure1": ("character edit distance", "share of rewrites"),
    "xformal.figure2": ("formality score", "share of sentences (above: number)", "informal", "formal"),
    "xformal.figure3": ("lexical difference: 0 for the same words, 1 for none in common",),
    "xformal.figure4": ("multi-BLEU", "formality", "perplexity (nats per token; lower is better)"),
    "impolite.figure2": ("share of dialogues (above: number)", "dialogues"),
    "impolite.figure3": ("original - impolite",),
}
AXES["tydip.figure8_scratch"] = AXES["tydip.figure8"]
AXES |= dict.fromkeys(("tydip.figure2", "tydip.figure6", "tydip.figure7"), AXES["tydip.agreements"])
# What a figure is called: what it shows, and where the paper has it.
TITLE = re.compile(r"[A-Z][A-Za-z]+ [a-z].* \(.+, (Figure [0-9]|2016)\)")
# The largest text, in points; the widest empty margin of a figure, in inches.
LARGEST, WIDEST = 9, 0.1


def check_leaves(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a module's commands of leaves fail if they write other files than they say."""
    for name, leaf in list(vars(module).items()):
        is_leaf = getattr(leaf, "__module__", "").startswith("workflow_scripts.papers.")
        if is_leaf and ":param table:" in (leaf.__doc__ or ""):
            monkeypatch.setattr(module, name, _checked(leaf))


def _checked(leaf: Callable[..., None]) -> Callable[..., None]:
    text = re.sub(r"\s+", " ", leaf.__doc__ or "")
    told = dict(re.findall(r":param (\w+): (.*?)(?= :param |$)", text))

    @wraps(leaf)
    def checked(*args: Any, **options: Any) -> None:
        with pytest.MonkeyPatch.context() as patch:
            margins = _margins(patch) if "figure" in told else []
            leaf(*args, **options)
        # Below few systems the label of Figure 3 of XFORMAL is wider than its grid.
        kept = slice(2, None) if leaf.__module__.endswith("xformal.figure3") else slice(None)
        assert all(-0.01 <= margin <= WIDEST for four in margins for margin in four[kept]), margins
        given = signature(leaf).bind(*args, **options).arguments
        outs = {name: Path(path) for name, path in given.items() if " to write" in told.get(name, "")}
        for name, path in outs.items():
            # What systems are tuned on has columns where it is said.
            if told[name].startswith("CSV") and ("data" not in signature(leaf).parameters or "data" in given):
                _check_header(path, told[name], given.get("languages") or [])
        if "figure" in outs:
            _check_figure(
                outs["figure"], AXES.get(leaf.__module__.removeprefix("workflow_scripts.papers."), ())
            )
        for name in outs.keys() & {"comparison", "compare"}:
            for row in rows_of(outs[name]):
                assert row["difference"] in DIFFERENCES or NUMBER.fullmatch(row["difference"]), row
            if given.get("scale") == "paper":
                _check_scale(leaf, given, outs, name)

    return checked


def _check_header(path: Path, text: str, languages: Sequence[str]) -> None:
    """The columns that are listed, up to those that are not named one by one."""
    header = path.read_text(encoding="utf-8").splitlines()[0]
    (columns,) = csv.reader([header])
    listed = re.sub(r" ?\([^)]*\)", "", text.partition(": ")[2])
    parts = re.split(", | and ", re.split("[;:]", listed)[0])
    for place, part in enumerate(parts):
        if part == "one column per language":
            # Some stand in the paper's order.
            own = columns[place : place + len(languages)]
            assert sorted(own) == sorted(languages), f"{path}: {columns}"
            parts[place : place + 1] = own
    named = next((n for n, part in enumerate(parts) if not NAME.fullmatch(part) or " " in part), len(parts))
    assert columns[:named] == parts[:named] or "and of both" in text, f"{path}: {columns}, not {parts}"
    assert named < len(parts) or len(columns) == named or "the last three again" in text, columns


def _check_figure(path: Path, axes: Sequence[str]) -> None:
    """The title, what the axes measure, and that no text is larger than the others."""
    root = ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    title = root.findtext(f"{space}title") or ""
    assert TITLE.fullmatch(title), title
    texts = list(root.iter(f"{space}text"))
    assert set(axes) <= {text.text for text in texts}, path
    sizes = [float(found) for text in texts for found in re.findall(r"([0-9.]+)px", text.get("style", ""))]
    assert sizes and max(sizes) <= LARGEST, max(sizes)


def _margins(patch: pytest.MonkeyPatch) -> list[tuple[float, ...]]:
    """How much is left empty at the left, right, lower and upper side of each figure that is saved now."""
    from matplotlib.figure import Figure

    found, save = [], Figure.savefig

    def savefig(figure: Figure, *args: Any, **options: Any) -> None:
        save(figure, *args, **options)
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        found.append((box.x0, width - box.x1, box.y0, height - box.y1))

    patch.setattr(Figure, "savefig", savefig)
    return found


def _check_scale(leaf: Callable[..., None], given: dict[str, Any], outs: dict[str, Path], name: str) -> None:
    """No number of the demo's scale is comparable, whatever is at the paper's."""
    with TemporaryDirectory() as folder:
        again = {one: Path(folder) / path.name for one, path in outs.items()}
        leaf(**{**given, **again, "scale": "demo"})
        assert {row["comparable"][:8] for row in rows_of(again[name])} <= {"no: demo"}
