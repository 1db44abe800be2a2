"""CoCoA-MT's reader is tested on the small corpus of the stage that uses it."""

from tests.control.conftest import canonical

__all__ = ["canonical"]
