"""Comparison: outputs side by side, pair by pair, and rerun by rerun (XFORMAL, Table 8, Figures 3 and 4)."""
