"""Scores by a language model that is small enough to check by hand; nothing needs to be compiled."""

import math

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.fluency import lmplz
from workflow_scripts.fluency.score import score
from workflow_scripts.text.moses import Truecaser

ARPA = """\
\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-1.5	<unk>
0	<s>	-0.3
-0.7	</s>
-0.6	ciao	-0.2
-0.8	Maria	-0.1

\\2-grams:
-0.25	<s> ciao
-0.4	ciao Maria
-0.5	Maria </s>

\\end\\
"""


@pytest.fixture
def paths(tmp_path):
    (tmp_path / "lm.arpa").write_text(ARPA)
    Truecaser({"ciao": {"ciao": 2}, "maria": {"Maria": 1}}).save(tmp_path / "case")
    return tmp_path / "lm.arpa", tmp_path / "case"


def test_hand_computed_scores(tmp_path, paths):
    model, case = paths
    write_lines(tmp_path / "in.txt", ["Ciao Maria", "Maria", "", "boh ciao"])
    score(
        model,
        **{"sources": [tmp_path / "in.txt"] * 2, "targets": [tmp_path / "a", tmp_path / "b.gz"]},
        **{"language": "it", "truecaser": case},
    )
    log10 = [
        (0.25 + 0.4 + 0.5) / 3,  # three bigrams
        (0.3 + 0.8 + 0.5) / 2,  # back off from <s>, then Maria and the bigram with the end
        (0.3 + 0.7) / 1,  # only the end
        (0.3 + 1.5 + 0.6 + 0.2 + 0.7) / 3,  # unknown, ciao after it, back off from ciao to the end
    ]
    assert [float(line) for line in read_lines(tmp_path / "a")] == pytest.approx(
        [value * math.log(10) for value in log10], abs=2e-6
    )
    assert all(len(line.split(".")[1]) == 6 for line in read_lines(tmp_path / "a"))
    assert read_lines(tmp_path / "b.gz") == read_lines(tmp_path / "a")


def test_unequal_numbers_of_files(paths):
    model, case = paths
    with pytest.raises(InputError, match="1 sources but 0 targets"):
        score(model, sources=[case], targets=[], language="it", truecaser=case)


@pytest.mark.parametrize("name", ["nowhere", "case"])
def test_files_that_are_no_model(tmp_path, paths, name):
    with pytest.raises(InputError, match=r"no such file|not a language model"):
        score(tmp_path / name, sources=[], targets=[], language="it", truecaser=paths[1])


def test_programs_that_are_whole_stay(tmp_path):
    (tmp_path / "venv/lib/python3.11/site-packages/cmeel.prefix").mkdir(parents=True)
    programs, done = tmp_path / "bin", tmp_path / "bin/.done"
    programs.mkdir()
    write_lines(programs / "recipe.txt", [f"kenlm {lmplz.VERSION}", lmplz.SHA256, *lmplz.OPTIONS])
    (programs / "lmplz").write_text("made by another run")
    lmplz.build(tmp_path / "venv", programs, done)
    assert (programs / "lmplz").read_text() == "made by another run"
    assert read_lines(done) == read_lines(programs / "recipe.txt")
    # Another recipe: they are made anew, by the programs of an environment that has none here.
    write_lines(programs / "recipe.txt", ["kenlm 0.2.0"])
    with pytest.raises(InputError, match="no such program"):
        lmplz.build(tmp_path / "venv", programs, done)
    assert (programs / "lmplz").exists()


@pytest.mark.long
def test_a_compiler_that_takes_no_files_together_takes_them_one_by_one(
    tmp_path, programs, monkeypatch, capfd
):
    compiler = tmp_path / "c++"
    refusing = 'case "$*" in *unity_*) echo "error: not together" >&2; exit 1;; esac'
    compiler.write_text(f'#!/bin/sh\n{refusing}\nexec c++ "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    venv = next(path for path in (programs.parent / "venv", programs.parent) if (path / "bin/cmake").exists())
    lmplz.build(venv, tmp_path / "bin", tmp_path / "bin/.done")
    assert "file by file: " in capfd.readouterr().err
    for name in lmplz.PROGRAMS:
        assert (tmp_path / "bin" / name).stat().st_size > 100_000


def test_environment_without_boost(tmp_path):
    with pytest.raises(InputError, match="no Boost in this environment"):
        lmplz.build(tmp_path, tmp_path / "bin", tmp_path / "done")
