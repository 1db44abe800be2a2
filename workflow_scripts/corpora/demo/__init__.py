"""The demo world: hand-written situations, spoken as sentences in the official layouts of the corpora."""
