"""Report: the page of all leaves, and each leaf for LaTeX."""
