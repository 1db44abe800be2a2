"""Every translated sentence, kept in one SQLite file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks

TABLES = """
CREATE TABLE IF NOT EXISTS models (
    id INTEGER PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, direction TEXT NOT NULL,
    UNIQUE (backend, model, direction)
);
CREATE TABLE IF NOT EXISTS translations (
    model INTEGER NOT NULL REFERENCES models (id), source TEXT NOT NULL, target TEXT NOT NULL,
    PRIMARY KEY (model, source)
) WITHOUT ROWID;
"""
PATIENCE = 60.0


class Cache:
    """Translations of one backend, model and direction: `find` them, `keep` them.

    Several processes may use one file at the same time. Nobody claims a sentence: two that translate the
    same one both write it, and the last one stays.
    """

    def __init__(self, path: Path, backend: str, model: str, direction: str) -> None:
        """Open or make the file; InputError if it is something else."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            self._open()
            key = (backend, model, direction)
            self.connection.execute(
                "INSERT OR IGNORE INTO models (backend, model, direction) VALUES (?, ?, ?)", key
            )
            (self.model,) = self.connection.execute(
                "SELECT id FROM models WHERE backend = ? AND model = ? AND direction = ?", key
            ).fetchone()
        except sqlite3.OperationalError:
            self.connection.close()
            raise
        except sqlite3.DatabaseError as error:
            self.connection.close()
            raise InputError(f"not a translation cache ({error})", path=path, fix="move it away") from None

    def _open(self) -> None:
        """Make the tables in a new file; while another process makes them, try again.

        The journal is SQLite's default, not WAL, which needs memory that all processes share: jobs of a
        cluster run on several nodes.
        """
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.connection.executescript(TABLES)
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def find(self, texts: Iterable[str]) -> dict[str, str]:
        """The translations that are there, by text."""
        found: dict[str, str] = {}
        for some in chunks(texts, 500):
            marks = ",".join("?" * len(some))
            found.update(
                self.connection.execute(
                    f"SELECT source, target FROM translations WHERE model = ? AND source IN ({marks})",
                    (self.model, *some),
                )
            )
        return found

    def keep(self, translations: Mapping[str, str]) -> None:
        """Write translations in one transaction: all are safe on the disk, or none is."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            self.connection.executemany(
                "INSERT OR REPLACE INTO translations (model, source, target) VALUES (?, ?, ?)",
                ((self.model, source, target) for source, target in translations.items()),
            )
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def close(self) -> None:
        """Give the file back."""
        self.connection.close()
