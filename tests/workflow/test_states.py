"""Unfinished jobs: no two of a run have one state."""

import ast
import inspect
import re
import shlex
from collections import Counter
from importlib import import_module
from pathlib import Path

import defopt
import pytest

from tests.conftest import ROOT
from workflow_scripts.core.command import _parsers
from workflow_scripts.core.job_state import JobState, key_of

from .dag import ask

# The leaves whose jobs keep states.
LEAVES = [
    "results/index.html",
    "results/cocoa-mt/table6.csv",
    "results/impolite/table5.csv",
    "results/impolite/table6.csv",
    "results/tydip/crawl.csv",
]
# Rows that no scale has by itself: a pretrained model, fine-tuned for Table 7 and for CoCoA-MT's Table 6.
SCRATCH = {"label": "TUNED", "kind": "finetuned", "model": {"kind": "scratch"}, "seeds": [1, 2]}
TUNED = {
    "evaluation": {"metrics": ["multi_bleu", "formal", "pseudo_perplexity"]},
    "systems": {"scratch": {**SCRATCH, "input": "copy"}},
    "control": {"systems": {"scratch": {**SCRATCH, "languages": ["fr"]}}},
}
# The commands that keep a state.
KEEPING = {
    ".".join(path.relative_to(ROOT / "workflow_scripts").with_suffix("").parts)
    for path in (ROOT / "workflow_scripts").glob("*/*.py")
    if path.parent.name != "core" and "key_of(" in path.read_text(encoding="utf-8")
}


def state_of(command: str) -> tuple[str, Path] | None:
    """The module of a job that keeps a state, and the folder of its state: by its own call of `key_of`.

    Inputs and options are left out, as if those of all jobs were the same: only what a job writes must tell
    it from the others.
    """
    found = re.search(r"python -m workflow_scripts\.(\S+) (.*)", command, re.DOTALL)
    if not found or found[1] not in KEEPING:
        return None
    module = import_module(f"workflow_scripts.{found[1]}")
    function = getattr(module, found[1].rpartition(".")[2])
    words = shlex.split(re.sub(r"2> \S+.*", "", found[2], flags=re.DOTALL))
    bound = defopt.bind(function, argv=words, parsers=_parsers([function]), no_negated_flags=False)
    given = inspect.signature(function).bind(*bound.args, **bound.keywords).arguments
    tree = ast.walk(ast.parse(inspect.getsource(module)))
    (call,) = (one for one in tree if isinstance(one, ast.Call) and ast.unparse(one.func) == "key_of")
    assert ast.unparse(call.args[0]) == repr(found[1])
    (targets,) = (ast.unparse(one.value) for one in call.keywords if one.arg == "targets")
    key = key_of(found[1], {}, [], targets=eval(targets, {}, given))
    return found[1], JobState(given["checkpoints"], key).folder


# At the paper's scale whoever has dumps names their folder.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("overlay", "uncalled"), [([], set()), (["config/paper.yaml"], {"corpora.talk_pages"})]
)
def test_no_two_jobs_have_one_key(project, overlay, uncalled, monkeypatch):
    monkeypatch.chdir(project)
    jobs = ask(project, TUNED, overlay, LEAVES)
    states = [state for job in jobs if (state := state_of(job["shell"] or ""))]
    assert {module for module, _ in states} == KEEPING - uncalled
    assert len(states) > 30
    twice = [folder for folder, count in Counter(folder for _, folder in states).items() if count > 1]
    assert twice == []
    # What is written to is none of them: the state of a job that wrote elsewhere would be another one.
    keeping = [job for job in jobs if "--checkpoints" in (job["shell"] or "")]
    assert len(keeping) == len(states)
