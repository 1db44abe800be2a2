"""NLTK's tokenizers without the rest of it, whose import takes two seconds of every job that splits text."""

from __future__ import annotations

import importlib.util
import sys


def light_nltk() -> None:
    """Let `nltk.tokenize` be imported without `nltk` itself, which imports scikit-learn, pandas and SciPy.

    The package stands in `sys.modules` without having been run: its submodules are found, its own names are
    not there. A package that is imported already stays as it is.
    """
    if "nltk" not in sys.modules:
        spec = importlib.util.find_spec("nltk")
        if spec is None:
            raise ModuleNotFoundError("No module named 'nltk'", name="nltk")
        sys.modules["nltk"] = importlib.util.module_from_spec(spec)
