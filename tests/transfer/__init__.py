"""Tests of workflow_scripts.transfer."""
