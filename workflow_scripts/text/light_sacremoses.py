"""sacremoses without joblib, whose import takes an eighth of a second of every job that tokenises."""

import sys
from types import ModuleType


def light_sacremoses() -> None:
    """Import `sacremoses` without joblib and NumPy, which only its work in several processes needs.

    A later import of joblib finds the real one. A package that is imported already stays as it is.
    """
    if "sacremoses" in sys.modules or "joblib" in sys.modules:
        return
    stand_in = ModuleType("joblib")
    stand_in.__dict__.update(Parallel=None, delayed=None)
    sys.modules["joblib"] = stand_in
    try:
        import sacremoses  # noqa: F401
    finally:
        del sys.modules["joblib"]
