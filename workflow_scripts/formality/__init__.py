"""Formality regressors and their scores."""
