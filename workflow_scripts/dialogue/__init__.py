"""A stage: the evaluation of systems in task-oriented dialogues, and the choice of test dialogues."""
