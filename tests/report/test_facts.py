"""Wall times, versions, and figures that become part of a page."""

import subprocess
from pathlib import Path

import pytest

from tests.report.conftest import SVG
from workflow_scripts.core.errors import InputError
from workflow_scripts.report.facts import clock, commit, jobs, longest, made_with, stages
from workflow_scripts.report.figure import inline


def benchmark(path: Path, seconds: str, memory: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"s\th:m:s\tmax_rss\tcpu_time\n{seconds}\t0:00:01\t{memory}\t1.0\n")


def test_times_are_summed_by_stage_longest_first(tmp_path):
    benchmark(tmp_path / "tables/table7.tsv", "1.5", "NA")
    benchmark(tmp_path / "transfer/train.pt.1.tsv", "30.25", "812.5")
    benchmark(tmp_path / "transfer/deep/er.tsv", "10.0", "900")
    found = jobs(tmp_path)
    assert [(s.name, s.jobs, s.seconds, s.memory) for s in stages(found)] == [
        ("transfer", 2, 40.25, 900),
        ("tables", 1, 1.5, 0),
    ]
    assert [job.name for job in longest(found, 2)] == ["transfer/train.pt.1", "transfer/deep/er"]
    assert jobs(tmp_path / "none") == []


def test_file_that_is_no_benchmark_is_named(tmp_path):
    for text in ("", "s\n", "s\tmax_rss\nx\t1\n", "s\tmax_rss\nnan\t1\n", "s\tmax_rss\n-1\t1\n"):
        (tmp_path / "a.tsv").write_text(text)
        with pytest.raises(InputError, match=r"a\.tsv: not a benchmark file"):
            jobs(tmp_path)


def test_durations_are_read_at_a_glance():
    assert [clock(s) for s in (0.04, 59.4, 59.96, 200, 3599.7, 7500)] == [
        "0.0 s",
        "59.4 s",
        "1 min 0 s",
        "3 min 20 s",
        "1 h 0 min",
        "2 h 5 min",
    ]


def test_versions_and_commit(tmp_path):
    found = made_with()
    assert list(found)[:2] == ["tuvous", "python"] and found["snakemake"][0].isdigit()
    assert commit(tmp_path) == ""

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("commit", "-m", "x")
    assert len(commit(tmp_path)) == len(", commit ") + 12
    (tmp_path / "a").write_text("2")
    assert commit(tmp_path).endswith(" and changes")
    # A folder within another checkout is none itself.
    (tmp_path / "inner").mkdir()
    assert commit(tmp_path / "inner") == ""


def test_ids_of_a_figure_are_its_own(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(SVG)
    text = inline(path, "t1")
    assert text.startswith("<svg ") and "<style" not in text
    assert 'aria-labelledby="t1-title t1-description"' in text and 'id="t1-mark"' in text
    assert 'xlink:href="#t1-mark"' in text and 'clip-path="url(#t1-area)"' in text
    assert 'style="stroke-linejoin: round; stroke-linecap: butt"' in text


@pytest.mark.parametrize(
    "label", [" onclick=", 'id="a"', 'xlink:href="#b"', "url(#c)", "url(http://d)", "<script>", "javascript:"]
)
def test_a_figures_text_is_no_markup(tmp_path, label):
    path = tmp_path / "a.svg"
    escaped = label.replace("<", "&lt;").replace(">", "&gt;")
    path.write_text(SVG.replace(">3</text>", f">{escaped}</text>"))
    assert f">{escaped}</text>" in inline(path, "t1")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("<svg", "<g", "no <svg>"),
        ("<desc", "<p", "no title and description"),
        ("<g id", "<script>x</script><g id", "loads and runs nothing"),
        ("<g id", '<g onclick="x" id', "loads and runs nothing"),
        ('"#mark"', '"https://example.org/a.svg"', "loads and runs nothing"),
        ("url(#area)", "url(a.svg)", "loads and runs nothing"),
        ("*{stroke", "@import 'a.css'; *{stroke", "loads and runs nothing"),
        ("<g id", "<g onclick='x' id", "loads and runs nothing"),
        ("</g>", "", "no well-formed SVG"),
    ],
)
def test_figure_that_cannot_stand_on_a_page_is_refused(tmp_path, old, new, problem):
    path = tmp_path / "a.svg"
    path.write_text(SVG.replace(old, new))
    with pytest.raises(InputError, match=problem):
        inline(path, "t1")
