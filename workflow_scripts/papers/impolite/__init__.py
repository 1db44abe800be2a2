"""A paper: Hu et al. (2022), impolite users of task-oriented dialogue systems."""
