"""Translations kept in one SQLite file."""

import hashlib
import shlex
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks
from workflow_scripts.core.system_errors import explained
from workflow_scripts.core.turns import locks_work, turn

MODELS = """
CREATE TABLE IF NOT EXISTS models (
    id INTEGER PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, direction TEXT NOT NULL,
    UNIQUE (backend, model, direction)
)"""
TRANSLATIONS = """
CREATE TABLE {} (
    model INTEGER NOT NULL REFERENCES models (id), source TEXT NOT NULL, target TEXT NOT NULL,
    digest BLOB NOT NULL, PRIMARY KEY (model, source)
) WITHOUT ROWID"""
INSERT = "INSERT OR REPLACE INTO {} (model, source, target, digest) VALUES (?, ?, ?, ?)"
# Backend, model and direction.
Identity = tuple[str, str, str]
# Seconds to wait for other processes: one of them may be reading or converting a file of gigabytes.
PATIENCE = 300.0
# Rows read at a time: other processes may write between two reads.
ROWS = 10_000


class Cache:
    """Translations of one backend, model and direction: look them up with `find`, store them with `keep`.

    Several processes may use one file at the same time. They do not reserve sentences: if two translate the
    same one, both write it, and the last one stays; `alone` prevents that for paid translations. Where the
    file system has no locks, processes take turns and open the file anew in each turn. Each row has a
    digest, so that a row damaged on disk is not used. Every method raises InputError for a damaged file,
    with the command that rescues its intact rows, and if the system refuses to read or write the file.
    """

    def __init__(self, path: Path, backend: str, model: str, direction: str) -> None:
        """Open or create the file; InputError if it exists and is not such a file.

        The journal mode is SQLite's default, not WAL, which needs memory shared by all processes: jobs of a
        cluster run on several nodes.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.identity = path, (backend, model, direction)
        # A cache in memory has no file and no other users.
        self.locked = str(path) == ":memory:" or locks_work(path.parent)
        if self.locked:
            self.connection = self._connected()
        try:
            with self._using():
                self._open()
                self.model = self._known()
        except BaseException:
            self.close()
            raise

    def _connected(self) -> sqlite3.Connection:
        place: str | Path = self.path if self.locked else f"{self.path.absolute().as_uri()}?nolock=1"
        with telling(self.path):
            return sqlite3.connect(place, timeout=PATIENCE, isolation_level=None, uri=not self.locked)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Turn SQLite's errors into lines; without locks, take a turn of this process on the current file."""
        if self.locked:
            with telling(self.path):
                yield
            return
        with turn(self.path, PATIENCE):
            self.connection = self._connected()
            try:
                with telling(self.path):
                    yield
            finally:
                self.connection.close()

    @contextmanager
    def alone(self) -> Iterator[Callable[[], None]]:
        """In this block no other process asks this model in this direction, so nothing is paid for twice.

        Another process waits until the block ends. Call the yielded function at least every few minutes.
        """
        asked = hashlib.sha256("\0".join(self.identity).encode()).hexdigest()[:16]
        with turn(self.path.with_name(f"{self.path.name}.{asked}"), None) as alive:
            yield alive

    def _open(self) -> None:
        """Create the tables of a new file, or convert the tables of a file whose rows have no digests yet."""
        if "digest" in self._columns():
            return
        with self._transaction():
            names = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_master")}
            columns = self._columns()
            if "digest" in columns:
                # Another process was faster.
                return
            if names and not (columns and "models" in names):
                raise InputError("a database, but not a cache of answers", path=self.path, fix="move it away")
            self.connection.execute(MODELS)
            if not columns:
                self.connection.execute(TRANSLATIONS.format("translations"))
                return
            self._check_structure()
            self.connection.execute(TRANSLATIONS.format("checked"))
            rows = self.connection.execute(
                "SELECT models.id, backend, models.model, direction, source, target"
                " FROM translations LEFT JOIN models ON models.id = translations.model"
            )
            self.connection.executemany(
                INSERT.format("checked"),
                ((row[0], row[4], row[5], digest_of(row[1:4], row[4], row[5])) for row in rows),
            )
            self.connection.execute("DROP TABLE translations")
            self.connection.execute("ALTER TABLE checked RENAME TO translations")
        # At the same places in the file as in a new one, which helps a rescue; readers are not affected.
        with suppress(sqlite3.OperationalError):
            self.connection.execute("VACUUM")

    def _columns(self) -> set[str]:
        return {row[1] for row in self.connection.execute("PRAGMA table_info(translations)")}

    def _known(self) -> int:
        """The number of this backend, model and direction."""
        wanted = "SELECT id FROM models WHERE backend = ? AND model = ? AND direction = ?"
        found = self.connection.execute(wanted, self.identity).fetchone()
        if found is None:
            self.connection.execute(
                "INSERT OR IGNORE INTO models (backend, model, direction) VALUES (?, ?, ?)", self.identity
            )
            found = self.connection.execute(wanted, self.identity).fetchone()
        return found[0]

    def find(self, texts: Iterable[str]) -> dict[str, str]:
        """The stored translations, by text."""
        found: dict[str, str] = {}
        with self._using():
            for some in chunks(texts, 500):
                marks = ",".join("?" * len(some))
                for source, target, digest in self.connection.execute(
                    "SELECT source, target, digest FROM translations"
                    f" WHERE model = ? AND source IN ({marks})",
                    (self.model, *some),
                ):
                    if digest_of(self.identity, source, target) != digest:
                        raise damaged(self.path, "a row has changed")
                    found[source] = target
        return found

    def check(self) -> None:
        """InputError if anything in the file is damaged, since damage may hide a translation.

        For use before a missing translation is paid for.
        """
        with self._using():
            self._check_structure()
            models = {
                number: (backend, model, direction)
                for number, backend, model, direction in self.connection.execute(
                    "SELECT id, backend, model, direction FROM models"
                )
            }
            last: tuple[int, str] = (-1, "")
            while some := self.connection.execute(
                "SELECT model, source, target, digest FROM translations WHERE (model, source) > (?, ?)"
                " ORDER BY model, source LIMIT ?",
                (*last, ROWS),
            ).fetchall():
                for number, source, target, digest in some:
                    if number not in models or digest_of(models[number], source, target) != digest:
                        raise damaged(self.path, "a row has changed")
                last = some[-1][:2]

    def _check_structure(self) -> None:
        """Whether SQLite finds each row through its indexes."""
        ((found, *_), *_) = self.connection.execute("PRAGMA integrity_check(1)").fetchall()
        if found != "ok":
            raise damaged(self.path, found)

    def keep(self, translations: Mapping[str, str]) -> None:
        """Write translations in one transaction: all of them are on the disk afterwards, or none."""
        rows = [
            (self.model, source, target, digest_of(self.identity, source, target))
            for source, target in translations.items()
        ]
        if not all(digest for *_, digest in rows):
            raise TypeError("a translation is not a text")
        with self._using(), self._transaction():
            self.connection.executemany(INSERT.format("translations"), rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has done so itself.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def count(self) -> int:
        """The number of stored translations, of all models."""
        with self._using():
            return self.connection.execute("SELECT count(*) FROM translations").fetchone()[0]

    def close(self) -> None:
        """Close the file."""
        if self.locked:
            self.connection.close()


def digest_of(identity: Identity, source: str, target: str) -> bytes:
    """A digest of 16 bytes that shows whether a row is as it was written.

    A row that this module did not write may contain something other than text; its digest is b"".
    """
    parts = (*identity, source, target)
    if not all(isinstance(part, str) for part in parts):
        return b""
    coded = [part.encode() for part in parts]
    lengths = " ".join(str(len(part)) for part in coded)
    return hashlib.sha256(b"\0".join([lengths.encode(), *coded])).digest()[:16]


def damaged(path: Path, problem: object) -> InputError:
    """The error message for a damaged file."""
    old, new = shlex.quote(str(path)), shlex.quote(f"{path}.rescued")
    return InputError(
        f"this cache of answers is damaged ({' '.join(str(problem).split())})",
        path=path,
        fix=f"python -m workflow_scripts.translation.rescue {old} {new} saves the intact rows",
    )


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turn SQLite's errors in this block into lines about the file; wrong use of SQLite stays a bug."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The part of a damaged file that SQLite quotes may not be text.
        if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB" and not _is_sqlite(path):
            problem = "not a cache of answers, or one whose beginning is damaged"
            raise InputError(problem, path=path, fix=damaged(path, "").fix) from None
        raise explained(error, path) or damaged(path, error) from None


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(15) == b"SQLite format 3"
