"""A library: the bi-LSTM translator with attention of the paper's NMT systems, its training and its search."""
