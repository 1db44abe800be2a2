"""A stage: users' words made impolite, and the impoliteness and fluency of the results."""
