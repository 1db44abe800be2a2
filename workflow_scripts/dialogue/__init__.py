"""A stage: task-oriented dialogues, their belief states and databases, and how well responses do."""
