"""Read and write tables and figures, and compare them with the printed numbers."""
