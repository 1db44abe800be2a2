"""Evaluation: metrics, intervals and paired tests of all systems of a language."""
