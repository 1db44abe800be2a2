"""Tokenizers are imported without the rest of NLTK, and are the same ones."""

import subprocess
import sys
from types import ModuleType

import pytest

from tests.conftest import ROOT
from workflow_scripts.text.light_nltk import light_nltk

TEXT = "It's Dr. Who's, isn't it? “Yes”, he said; $3.50 (or so)..."
USE = f"""
import sys
from nltk.tokenize import NLTKWordTokenizer, TreebankWordTokenizer
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer
print([name for name in ("scipy", "sklearn", "pandas", "nltk.corpus.reader") if name in sys.modules])
print(NLTKWordTokenizer().tokenize({TEXT!r}))
print(PunktSentenceTokenizer().tokenize({TEXT!r}))
"""
LIGHT = "from workflow_scripts.text.light_nltk import light_nltk\nlight_nltk()"


def said(code):
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.slow
def test_tokenizers_need_none_of_the_large_libraries():
    light, whole = said(LIGHT + USE), said(f"import nltk{USE}")
    assert light[0] == "[]" != whole[0] and light[1:] == whole[1:] and len(light) == 3


def test_a_package_that_is_imported_stays(monkeypatch):
    package = ModuleType("nltk")
    monkeypatch.setitem(sys.modules, "nltk", package)
    light_nltk()
    assert sys.modules["nltk"] is package


def test_without_nltk_python_says_so(monkeypatch):
    monkeypatch.delitem(sys.modules, "nltk", raising=False)
    monkeypatch.setattr("importlib.machinery.PathFinder.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="nltk"):
        light_nltk()
