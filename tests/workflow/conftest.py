"""Shared by the workflow's tests: a real run at the smallest scale, and the jobs of all scales."""

from tests.workflow.scales import jobs_at
from tests.workflow.tiny import CONFIG, LEAVES, ROOT, TABLES, Finished

__all__ = ["CONFIG", "LEAVES", "ROOT", "TABLES", "Finished", "jobs_at"]
