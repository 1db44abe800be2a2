"""The leaves of TyDiP are tested on the same small corpus as the stage behind them."""

from tests.politeness.conftest import corpus

__all__ = ["corpus"]
