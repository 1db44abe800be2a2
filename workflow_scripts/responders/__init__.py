"""A stage: dialogue systems, from training or released weights to their responses."""
