"""Progress: the output while packages are installed and while jobs run, and at the end."""
