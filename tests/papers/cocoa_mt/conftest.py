"""The leaves of CoCoA-MT are tested on the same small corpus as its reader and its metric."""

from tests.control.conftest import canonical, real

__all__ = ["canonical", "real"]
