"""Tests of the library seq2seq."""
