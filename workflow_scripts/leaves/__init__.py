"""A library: tables and figures as files, read, written, and set beside the printed numbers."""
