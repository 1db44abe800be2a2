"""Training: one loop for all models, two kinds of training, and the state from which a killed one goes on."""
