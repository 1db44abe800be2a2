"""Style transfer learnt from two unpaired corpora: UNMT and DLSM (He et al., 2020)."""
