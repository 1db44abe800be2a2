"""Read and write tables and figures, compare them with the printed numbers, and make their commands."""
