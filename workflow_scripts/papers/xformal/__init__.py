"""The leaves of XFORMAL (Briakou et al., 2021)."""
