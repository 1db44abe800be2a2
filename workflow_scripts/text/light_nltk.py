"""NLTK's tokenizers without the rest of it, whose import takes two seconds of every job that splits text."""

import sys
from importlib.machinery import PathFinder
from types import ModuleType


def light_nltk() -> None:
    """Let `nltk.tokenize` be imported without `nltk` itself, which imports scikit-learn, pandas and SciPy.

    The package is in `sys.modules` without having been executed: its submodules are found, its own names are
    not there. A package that is imported already stays as it is.
    """
    if "nltk" not in sys.modules:
        spec = PathFinder.find_spec("nltk")
        if spec is None or spec.submodule_search_locations is None:
            raise ModuleNotFoundError("No module named 'nltk'", name="nltk")
        package = ModuleType("nltk")
        package.__path__, package.__spec__ = list(spec.submodule_search_locations), spec
        sys.modules["nltk"] = package
