"""What changes when people make a sentence formal (XFORMAL, Section 4)."""
