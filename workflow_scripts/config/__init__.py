"""A library: the configuration as one typed model, and its documentation."""
