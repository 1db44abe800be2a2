"""A library: the bi-LSTM translator of the paper's NMT systems, its training and its search."""
