"""The leaves of TyDiP (Srinivasan and Choi, 2022)."""
