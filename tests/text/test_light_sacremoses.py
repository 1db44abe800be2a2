"""Tokens without joblib are the same, and joblib is the real one afterwards."""

import sys
from types import ModuleType

from tests.text.test_light_nltk import said
from workflow_scripts.text.light_sacremoses import light_sacremoses

USE = """
import sys
from sacremoses import MosesTokenizer
print([name for name in ("joblib", "numpy") if name in sys.modules])
print(MosesTokenizer(lang="fr").tokenize("L'oncle (42 ans) dit : « c'est bien ! »"))
from joblib import Parallel
print(Parallel.__module__)
"""
LIGHT = "from workflow_scripts.text.light_sacremoses import light_sacremoses\nlight_sacremoses()"


def test_tokens_need_neither_joblib_nor_numpy():
    light, whole = said(LIGHT + USE), said(USE)
    assert light[0] == "[]" != whole[0] and light[1:] == whole[1:] and len(light) == 3


def test_a_joblib_that_is_imported_stays(monkeypatch):
    package = ModuleType("joblib")
    monkeypatch.setitem(sys.modules, "joblib", package)
    light_sacremoses()
    assert sys.modules["joblib"] is package
