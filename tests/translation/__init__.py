"""Tests of workflow_scripts.translation."""
