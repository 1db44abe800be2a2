"""The leaves of the papers: one module per table or figure, named after it."""
