"""Changes that people make to a sentence to make it formal (XFORMAL, Section 4)."""
