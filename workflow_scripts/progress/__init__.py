"""Progress: what people see while packages are installed and while jobs run, and at the end."""
