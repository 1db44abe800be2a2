"""What the workflow's tests share: one real run at the smallest scale (`finished`), on which they look."""

from tests.workflow.tiny import CONFIG, LEAVES, ROOT, TABLES, Finished

__all__ = ["CONFIG", "LEAVES", "ROOT", "TABLES", "Finished"]
