"""The aligner, where it is not and where it is."""

import json
import os
import subprocess

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.text.alignment import align

PROGRAM = """
import json
from workflow_scripts.core.command import fix_threads
from workflow_scripts.text.alignment import align
fix_threads(1)
nouns = [("river", "fleuve"), ("church", "église"), ("train", "train"), ("song", "chant")]
verbs = [("sees", "voit"), ("has", "a"), ("takes", "prend")]
texts = [(["he", v, "the", n], ["il", w, "le", m]) for n, m in nouns for v, w in verbs]
pairs = [*texts, ([], ["seul"]), (["a", "|||", "b"], ["c", "d"])]
print(json.dumps([align(pairs), align(pairs), align([])]))
"""


def test_without_fast_align_a_message_says_so():
    with pytest.raises(InputError, match="fast_align is not installed"):
        align([(["a"], ["b"])])


def test_words_that_vary_together_are_linked_and_each_time_the_same_ones():
    folder = os.environ.get("TUVOUS_ALIGN")
    if not folder:
        pytest.skip("needs fast_align in an environment of its own: snakemake cocoa_mt makes it")
    words = [f"{folder}/bin/python", "-c", PROGRAM]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second, none = json.loads(done.stdout)
    assert first == second and none == [] and len(first) == 14
    assert all([1, 1] in links and [3, 3] in links for links in first[:12])
    assert first[12] == []
