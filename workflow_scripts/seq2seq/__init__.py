"""A library: two translation models (bi-LSTM and Transformer), their training, and beam search."""
