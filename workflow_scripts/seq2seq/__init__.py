"""A library: two translators, a bi-LSTM and a Transformer, with their training and their search."""
