"""Tokenizers are imported without the rest of NLTK, and are the same ones."""

import subprocess
import sys

import pytest
from nltk import tokenize as whole

from tests.conftest import ROOT
from workflow_scripts.text.light_nltk import light_nltk

TEXT = "It's Dr. Who's, isn't it? “Yes”, he said; $3.50 (or so)..."
CODE = f"""
import sys
from workflow_scripts.text.light_nltk import light_nltk
light_nltk()
from nltk.tokenize import NLTKWordTokenizer, TreebankWordTokenizer
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer
print([name for name in ("scipy", "sklearn", "pandas", "nltk.corpus.reader") if name in sys.modules])
print(NLTKWordTokenizer().tokenize({TEXT!r}))
print(PunktSentenceTokenizer().tokenize({TEXT!r}))
"""


def test_tokenizers_need_none_of_the_large_libraries():
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True)
    theirs = (whole.NLTKWordTokenizer().tokenize(TEXT), whole.PunktSentenceTokenizer().tokenize(TEXT))
    assert done.stdout.splitlines() == ["[]", *map(str, theirs)]


def test_a_package_that_is_imported_stays(monkeypatch):
    before = sys.modules["nltk"]
    light_nltk()
    assert sys.modules["nltk"] is before and before.word_tokenize


def test_without_nltk_python_says_so(monkeypatch):
    monkeypatch.delitem(sys.modules, "nltk")
    monkeypatch.setattr("importlib.machinery.PathFinder.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="nltk"):
        light_nltk()
