"""Tests of workflow_scripts.text."""
