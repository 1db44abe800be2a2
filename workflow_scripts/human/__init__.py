"""Human evaluation: task sheets for raters, their ratings, agreement, and the qualification of workers."""
