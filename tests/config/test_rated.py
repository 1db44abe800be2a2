"""Whose ratings of requests the leaves of TyDiP show."""

import re
import subprocess
from collections.abc import Callable

import pytest

from tests.config.conftest import Jobs
from tests.conftest import ROOT

LEAVES = ["results/tydip/figure3.svg", "results/politeness/rated"]


@pytest.fixture
def folders(tmp_path):
    """Dumps of a language, ratings of their requests, and ratings of the corpus' own."""
    files = {
        "dumps": "hiwiki-1-pages-meta-current.xml.bz2",
        "dump_ratings": "hi-ana.csv",
        "ratings": "ta.csv",
    }
    for name, file in files.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / file).touch()
    return {name: str(tmp_path / name) for name in files}


def jobs(planned: Callable[..., Jobs], folders: dict[str, str], *overlays: str) -> dict[str, dict]:
    """What is planned with these folders of ratings, by rule."""
    raters = {name: folders[name] for name in ("ratings", "dump_ratings") if name in folders}
    given = {"politeness": {"dumps": folders["dumps"], "raters": raters}}
    return {job["rule"]: job for job in planned(LEAVES, given, *overlays)}


@pytest.mark.slow
def test_people_who_rated_requests_of_dumps_take_the_place_of_simulated_ones(planned, folders):
    del folders["ratings"]
    found = jobs(planned, folders)
    assert found["tydip_figure3"]["input"][1:-1] == ["build/politeness/xlmr/rated.csv"]
    assert "--raters=dumps" in found["tydip_figure3"]["shell"]
    corpus = {"results/politeness/rated", "build/politeness/rated/hi.ratings.csv"}
    assert corpus <= set(found["raters_accuracy"]["input"])
    assert not {"simulate_raters", "request_ratings"} & set(found)


@pytest.mark.slow
def test_released_weights_score_requests_of_dumps_too(planned, folders):
    """Figure 3 compares raters with them at the paper's scale; nobody here has trained them with a seed."""
    given = {"dumps": folders["dumps"], "raters": {"dump_ratings": folders["dump_ratings"]}}
    jobs = planned(["results/tydip/figure3.csv"], {"politeness": given, "device": "cpu"}, "config/paper.yaml")
    found = {job["rule"]: job for job in jobs}
    assert found["tydip_figure3"]["input"][1:-1] == ["build/politeness/xlmr-released/rated.csv"]
    measured = found["measure_rated_requests"]["shell"]
    assert "--seeds none none --inputs target target --languages en hi" in measured
    assert "build/politeness/xlmr-released/seed42/rated/hi.txt" in measured
    assert found["score_rated_requests"]["input"][0] == "build/politeness/xlmr-released/seed42/model"


@pytest.mark.slow
def test_whoever_rated_the_corpus_own_requests_goes_first(planned, folders):
    found = jobs(planned, folders, "config/open.yaml")
    assert found["tydip_figure3"]["input"][1:-1] == ["build/politeness/xlmr/measures.csv"]
    assert "build/politeness/raters/ta.csv" in found["raters_accuracy"]["input"]
    # Requests of dumps are scored all the same.
    assert "--raters=people" in found["tydip_figure3"]["shell"] and "dump_scores" in found


@pytest.mark.parametrize(
    ("setting", "says"), [("ratings", "hi.csv, ko.csv"), ("dump_ratings", "there are no dumps")]
)
def test_a_folder_without_ratings_is_named(snakemake, tmp_path, setting, says):
    done: subprocess.CompletedProcess = snakemake(
        *(ROOT, "-n", "--configfile", "config/open.yaml", "--config"),
        *(f"politeness={{raters: {{{setting}: {tmp_path}}}}}", "--", *LEAVES[:1]),
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    (line,) = re.findall("^error: .*", done.stderr, re.MULTILINE)
    assert (
        f"politeness.raters.{setting}: no file of ratings in the folder {tmp_path}; " in line and says in line
    )


@pytest.mark.parametrize(
    ("setting", "there", "says"),
    [
        # Of a second rater, whom nobody would miss.
        ("politeness.raters.ratings", ("hi.csv", "hi-b.CSV"), "hi-b.CSV: no file of ratings; call it"),
        ("control.raters.ratings", ("labels/fr-a.CSV",), "labels/fr-a.CSV: no file of ratings; call it"),
        ("control.raters.ratings", ("label/fr.csv",), "/label: ratings are in the folders labels, formal"),
        ("control.raters.ratings", ("labels/.keep",), "no file of ratings in"),
        ("human.ratings", ("fr.csv", "workers/fr-a.csv"), "workers/fr-a.csv: no file of ratings; call it"),
    ],
)
def test_what_is_no_file_of_ratings_stops_the_run_before_its_first_job(
    snakemake, tmp_path, setting, there, says
):
    for name in there:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    section, *rest = setting.split(".")
    text = "".join(f"{{{key}: " for key in rest) + str(tmp_path) + "}" * len(rest)
    done: subprocess.CompletedProcess = snakemake(
        *(ROOT, "-n", "--config", f"{section}={text}", "--", *LEAVES[:1])
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    (line,) = re.findall("^error: .*", done.stderr, re.MULTILINE)
    assert line.startswith(f"error: configuration: {setting}: ") and says in line
