"""The kept gallery beside leaves that are made again: the same columns, bytes, and numbers within intervals.

Each comparison is tried on small galleries too, which it must tell from damaged ones.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.galleries import GALLERY, LEAVES, ROOT, copied, needed, other_bytes, other_columns, outside
from tests.workflow.tiny import OTHERS, snakemake
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.leaves.registry import Leaf
from workflow_scripts.papers.xformal.table6 import CORPORA
from workflow_scripts.report.kept import read_kept

# Made by counting: the same on every processor.
COUNTED = ("tydip/table1", "tydip/table8", "cocoa-mt/table12", "cocoa-mt/m-acc")
# Trained in a minute or two.
TRAINED = ("tydip/table5",)
# Words of columns that depend on the settings: languages (English with GYAFC) and the corpora of Table 6.
VARYING = [
    "en",
    *(row["code"] for _, row in read_rows(ROOT / "resources/languages.csv", ("code",))),
    *CORPORA,
]


def again(folder: Path, mirror: Path, names: tuple[str, ...]) -> Path:
    """A gallery of leaves that are made at open scale in a folder."""
    goals = [f"results/{name}.csv" for name in names]
    words = ("--cores", 2, "--directory", folder, "--configfile", "config/open.yaml")
    further = ("--config", f"mirror={mirror}", "--", *goals, "results/sources.csv", "results/settings.json")
    done = snakemake(ROOT, *words, *further)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return copied(folder / "gallery", folder / "results", names)


def damaged(source: Path, target: Path, path: str, change: Callable[[str], str]) -> Path:
    """A copy of a gallery with one file changed."""
    shutil.copytree(source, target)
    text = (target / path).read_text(encoding="utf-8")
    assert change(text) != text
    (target / path).write_text(change(text), encoding="utf-8")
    return target


@pytest.mark.slow
def test_counted_leaves_are_the_kept_ones(mirror, tmp_path):
    renewed = again(tmp_path / "run", mirror, COUNTED)
    assert other_bytes(renewed, renewed, COUNTED) == []
    digit = damaged(
        renewed, tmp_path / "digit", "cocoa-mt/m-acc.csv", lambda text: text.replace("357", "358")
    )
    assert other_bytes(renewed, digit, COUNTED) == ["cocoa-mt/m-acc.csv"]
    (digit / "tydip/table1.csv").unlink()
    assert other_bytes(renewed, digit, COUNTED) == ["tydip/table1.csv", "cocoa-mt/m-acc.csv"]
    kept = needed()
    assert other_bytes(kept, renewed, [name for name in COUNTED if name in read_kept(kept)]) == []


@pytest.mark.long
def test_trained_leaves_are_within_the_kept_intervals(mirror, tmp_path):
    kept = needed()
    names = tuple(name for name in TRAINED if name in read_kept(kept))
    renewed = again(tmp_path / "run", mirror, names)
    assert names and [problem for name in names for problem in outside(kept, renewed, name)] == []


def test_numbers_outside_an_interval_are_named(tmp_path):
    header = "model,lang,printed,ours,difference,ci_low,ci_high,comparable,signature\n"
    old = "a,fr,0.8,0.75,-0.05,,,yes,x|n:250\na,pt,70,75,5,70,80,yes,n:9\na,it,70,,,,,no: open,\n"
    comparison = "tydip/table5.compare.csv"
    path = tmp_path / "kept" / comparison
    path.parent.mkdir(parents=True)
    path.write_text(header + old, encoding="utf-8")
    kept = tmp_path / "kept"
    assert outside(kept, kept, "tydip/table5") == []
    near = damaged(kept, tmp_path / "near", comparison, lambda text: text.replace("0.75,", "0.79,"))
    assert outside(kept, near, "tydip/table5") == []
    for number, (before, after, said) in enumerate(
        [
            ("0.75,", "0.85,", "a, fr: 0.85, not 0.693 to 0.800"),
            ("70,75,", "70,81,", "a, pt: 81, not 70.000 to 80.000"),
            ("a,it,70,,", "a,it,70,9,", "a, it: a number only in one"),
            ("a,it,70,,,,,no: open,\n", "", "a, it: only in one"),
        ]
    ):
        far = damaged(
            kept, tmp_path / str(number), comparison, lambda text, b=before, a=after: text.replace(b, a)
        )
        assert outside(kept, far, "tydip/table5") == [said]


def _made(run: Path) -> list[str]:
    """The leaves of a tiny run, texts of corpora aside."""

    def there(leaf: Leaf) -> bool:
        return (run / f"results/{leaf.name}.csv").is_file()

    return [leaf.name for leaf in LEAVES.values() if there(leaf)]


@pytest.mark.slow
def test_columns_are_those_of_todays_leaves(finished_whole, tmp_path):
    run = finished_whole.folder
    names = _made(run)
    asked = {Path(path).with_suffix("").relative_to("results").as_posix() for path in OTHERS}
    assert {"table7", *(asked & LEAVES.keys())} <= set(names)
    gallery = copied(tmp_path / "gallery", run / "results", names)
    assert other_columns(gallery, run / "results", names, VARYING) == []
    path = "xformal/table7.csv"
    other = damaged(gallery, tmp_path / "other", path, lambda text: text.replace("self_bleu_", "bleu_", 1))
    assert other_columns(other, run / "results", names, VARYING) == [path]
    portuguese = damaged(gallery, tmp_path / "pt", path, lambda text: text.replace("_fr", "_pt"))
    assert other_columns(portuguese, run / "results", names, VARYING) == []
    kept = needed()
    assert kept == GALLERY and other_columns(kept, run / "results", names, VARYING) == []
