"""A library: resampling tests, intervals, corrections for many tests, correlation and agreement."""
