"""Politeness: requests with scores, lexicons and strategies, classifiers and raters of requests."""
