"""A stage: how well systems answer in task-oriented dialogues, and on which dialogues that is asked."""
