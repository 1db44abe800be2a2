"""Systems under test: from informal sentences to one output file per system, language and run."""
