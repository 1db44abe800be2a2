"""Pretrained encoders, the regressors and classifiers that are trained from them, and their scores."""
