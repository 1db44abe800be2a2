"""A library to read and write tables and figures, and to compare them with the printed numbers."""
