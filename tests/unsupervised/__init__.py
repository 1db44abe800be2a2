"""Tests of the stage unsupervised."""
