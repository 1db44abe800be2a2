"""Corpora that are not the demo's, through the real rules: a mirror, and licensed folders."""

import shutil

import pytest

from workflow_scripts.core.files import read_lines, read_numbers

pytestmark = pytest.mark.slow

PARTS = ("dev", "train")


def test_real_ratings_come_from_the_mirror(project, snakemake, mirror):
    (project / "mine.yaml").write_text(f"mirror: {mirror}\ncorpora: {{pt16: '2016'}}\n")
    targets = [f"build/corpora/pt16/{part}.scores.txt" for part in ("train", "test")]
    done = snakemake(project, "--cores", 1, "--configfile", "config.yaml", "mine.yaml", "--", *targets)
    assert done.returncode == 0, done.stdout + done.stderr
    scores = [score for target in targets for score in read_numbers(project / target)]
    assert len(scores) == 4977
    assert min(scores) >= -3 and max(scores) <= 3
    assert len(read_lines(project / "build/corpora/pt16/train.sentences.txt", filled=True)) == 4777


def test_a_mirror_without_the_file_is_said_with_its_path(project, snakemake):
    (project / "nowhere").mkdir()
    (project / "mine.yaml").write_text("mirror: nowhere\ncorpora: {pt16: '2016'}\n")
    target = "build/corpora/downloads/pt16/answers"
    done = snakemake(project, "--cores", 1, "--configfile", "config.yaml", "mine.yaml", "--", target)
    assert done.returncode != 0
    assert "error: nowhere/pt16/data/answers: the mirror does not contain this file" in done.stderr


def test_a_licensed_folder_is_checked_and_read(project, snakemake):
    made = ("build/corpora/gyafc/train.formal.txt", "build/corpora/xformal/fr/informal.txt")
    done = snakemake(project, "--cores", 1, "--", *made)
    assert done.returncode == 0, done.stderr
    for name in ("GYAFC_Corpus", "XFORMAL"):
        shutil.copytree(project / "build/corpora/demo" / name, project / "licensed" / name)
    (project / "mine.yaml").write_text("corpora: {gyafc: '1.0', xformal: '1.0'}\n")
    targets = ["build/corpora/gyafc/train.formal.txt", "build/corpora/xformal/fr/informal.txt"]
    done = snakemake(project, "--cores", 1, "--configfile", "config.yaml", "mine.yaml", "--", *targets)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(read_lines(project / targets[0])) == 2000
    stamp = (project / "build/corpora/licensed/xformal.txt").read_text()
    assert "xformal_eval/fr/formal.ref0\t" in stamp


def test_dev_pairs_of_the_translation_models_are_not_trained_on(project, snakemake):
    """At demo scale, whose pool is small: all pairs that are asked for are there, each in one part."""
    sides = {
        part: [f"build/filtering/bitext/it/{part}.{side}.txt" for side in ("en", "it")] for part in PARTS
    }
    done = snakemake(project, "--cores", 1, "--", *(path for paths in sides.values() for path in paths))
    assert done.returncode == 0, done.stdout + done.stderr
    dev, train = (
        list(zip(*(read_lines(project / path) for path in sides[part]), strict=True)) for part in PARTS
    )
    assert (len(dev), len(train)) == (200, 4000)
    assert not set(dev) & set(train)
    # Nor is a dev sentence of either language in another pair.
    for side in (0, 1):
        assert not {pair[side] for pair in dev} & {pair[side] for pair in train}
