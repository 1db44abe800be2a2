"""Control: formality-controlled translation (CoCoA-MT): the released data, its statistics, and M-Acc."""
