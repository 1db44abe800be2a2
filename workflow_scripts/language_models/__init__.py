"""Language models that are trained on texts of dialogues: the models, their marks, their training."""
