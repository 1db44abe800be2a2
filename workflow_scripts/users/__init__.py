"""A stage: users' words made impolite, and how impolite and how fluent they are then."""
