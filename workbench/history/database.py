"""history.db itself: opening, healing, and the few statements everything else is built from."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.errors import HistoryUnavailable
from workbench.files import is_network_folder, is_regular, locked, sync_folder
from workbench.files.sqlite import connect_untouched

SCHEMA_VERSION = 2
BUSY_SECONDS = 10.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blobs (sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, actor TEXT NOT NULL, hint TEXT NOT NULL,
    kind TEXT NOT NULL, label TEXT NOT NULL, operations TEXT NOT NULL, about INTEGER REFERENCES changes(id));
CREATE TABLE IF NOT EXISTS files (
    change INTEGER NOT NULL REFERENCES changes(id), seq INTEGER NOT NULL, path TEXT NOT NULL,
    before TEXT, after TEXT, state TEXT NOT NULL CHECK (state IN ('intended', 'landed', 'not')),
    PRIMARY KEY (change, seq)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS files_by_path ON files(path, change);
CREATE INDEX IF NOT EXISTS files_unsettled ON files(change) WHERE state = 'intended';
CREATE TABLE IF NOT EXISTS claims (
    path TEXT NOT NULL, sha256 TEXT NOT NULL, at REAL NOT NULL, pid INTEGER NOT NULL, PRIMARY KEY (path, sha256));
CREATE TABLE IF NOT EXISTS links (path TEXT NOT NULL, target TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (path, target));
CREATE TABLE IF NOT EXISTS backups (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL, sha256 TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS forgotten (sha256 TEXT PRIMARY KEY, at REAL NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID;
"""
_TABLES = {"blobs", "changes", "files", "claims", "links"}  # of the first schema; a database read only may have it
_LATER = {"backups", "forgotten"}


class Database:
    """One connection to `<home>/workbench/history.db`, kept open; `notice` says what had to be healed, or "".

    Read-only databases are opened without leaving a trace; when there is none yet, an empty one in memory stands in.
    Every statement goes through `read`, `transaction` or `quick_update`, so that damage is met in one place: the
    file is set aside, a new one begun, and the call refused with what happened.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.path = folder / "history.db"
        self.read_only = read_only
        self.notice = ""
        self._identity: tuple[int, int] | None = None
        self._connection = self._open()

    def ensure(self) -> None:
        """Open the database anew when its file was deleted or replaced under the connection.

        Writing on would record into a file that nobody can find again. Raises HistoryUnavailable, without making
        anything, when the home itself is gone.
        """
        if self.read_only or self._identity == _identity(self.path):
            return
        if not self.folder.parent.is_dir():
            raise HistoryUnavailable(self.path, "the home has vanished")
        self._connection.close()
        self._connection = self._open()

    # -- statements ---------------------------------------------------------------------------------------------

    def read(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return all rows. Raises HistoryUnavailable."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._failed(error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One durable commit. Raises HistoryUnavailable, and nothing of the block is recorded then."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def quick_update(self, statement: str, row: tuple[object, ...]) -> None:
        """Update settled facts without waiting for the disk; what a crash loses is found again by hash."""
        if self.read_only:
            return
        # NORMAL, not OFF: in WAL mode a commit then waits for no fsync, yet a checkpoint it may start still does.
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA synchronous=NORMAL")
            try:
                self._connection.execute(statement, row)
            finally:
                self._connection.execute("PRAGMA synchronous=FULL")

    def close(self) -> None:
        """Close the connection; the last one out folds the WAL back into the file."""
        self._connection.close()

    def _failed(self, error: sqlite3.Error) -> HistoryUnavailable:
        """Turn what SQLite says into our error; damage is healed first, so that the same call works when repeated."""
        if self.read_only or not _is_damage(error):
            return HistoryUnavailable(self.path, str(error))
        self._connection.close()
        self._set_aside(str(error))
        self._connection = self._open()
        return HistoryUnavailable(self.path, f"{error}; {self.notice} Repeat what you did")

    # -- opening ------------------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        try:
            if self.read_only:
                return self._open_read_only()
            self._prepare_folder()
            self._identity = _identity(self.path)
            try:
                return self._open_for_writing()
            except sqlite3.Error as error:
                if not _is_damage(error):
                    raise
                self._set_aside(str(error))
                self._identity = _identity(self.path)
                return self._open_for_writing()
        except sqlite3.Error as error:
            raise HistoryUnavailable(self.path, str(error)) from error
        except OSError as error:
            raise HistoryUnavailable(self.path, error.strerror or str(error)) from error

    def _open_read_only(self) -> sqlite3.Connection:
        if is_regular(self.path):
            try:
                connection = connect_untouched(self.path)
                try:
                    self._check_older(connection)
                    return connection
                except sqlite3.Error:
                    connection.close()
                    raise
            except sqlite3.Error as error:
                self.notice = f"history.db cannot be read ({error}); it is left as it is, no history is shown."
        elif self.path.exists():
            self.notice = "history.db is not an ordinary file; it is left as it is, no history is shown."
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.executescript(_SCHEMA)
        return connection

    @staticmethod
    def _check_older(connection: sqlite3.Connection) -> None:
        """What a read-only look accepts: tables that came later are empty where an older workbench wrote the file."""
        _check_tables(connection, _TABLES)
        for table in _LATER:
            body = _SCHEMA.partition(f"CREATE TABLE IF NOT EXISTS {table} ")[2].partition(";")[0]
            there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
            if there is None:
                connection.execute(f"CREATE TEMP TABLE {table} {body}")

    def _prepare_folder(self) -> None:
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o700, exist_ok=True)
            # Else a power cut could keep a memory file that was replaced and lose the history that explains it.
            sync_folder(self.folder.parent)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            _create_private(ignore, b"*\n")
        if not self.path.exists():
            _create_private(self.path, b"")  # SQLite gives -wal and -shm the mode of the database
        elif not is_regular(self.path):
            raise OSError(0, "it is not an ordinary file")

    def _open_for_writing(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
        try:
            wanted = "delete" if is_network_folder(self.folder) else "wal"
            _set_journal(connection, wanted)
            connection.execute("PRAGMA synchronous=FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise sqlite3.OperationalError("it was written by a newer workbench, update this one")
            if version < SCHEMA_VERSION:
                connection.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version={SCHEMA_VERSION};COMMIT;")
            _check_tables(connection, _TABLES | _LATER)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _set_aside(self, why: str) -> None:
        """Rename a damaged database so that nothing of it is lost, and say so.

        Of several processes that meet the damage at once only the first renames; the others find another file in
        its place and open that.
        """
        with locked([self.path]):
            if _identity(self.path) != self._identity:
                return
            stem = f"history.db.damaged-{int(time.time())}"
            names = (stem, *(f"{stem}-{number}" for number in range(1, 1000)))
            aside = next(self.path.with_name(name) for name in names if not self.path.with_name(name).exists())
            self.path.rename(aside)
            for suffix in ("-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    Path(f"{self.path}{suffix}").rename(f"{aside}{suffix}")
            self.notice = f"history.db was damaged ({why}); it was kept as {aside.name} and a new history was begun."
            _create_private(self.path, b"")


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken; busy, full, closed and missing permission are not damage."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, _MissingTable) or (
        code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    )


class _MissingTable(sqlite3.DatabaseError):
    """A table of ours is gone from a database that says it has our schema."""


def _check_tables(connection: sqlite3.Connection, wanted: set[str]) -> None:
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    missing = wanted - there
    if missing:
        raise _MissingTable(f"it lacks the table {min(missing)}")
    connection.execute("SELECT max(id) FROM changes").fetchone()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino


def _set_journal(connection: sqlite3.Connection, wanted: str) -> None:
    """Switch the journal mode; SQLite answers "locked" at once, without its busy timeout, when two do so together."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != wanted:
                connection.execute(f"PRAGMA journal_mode={wanted}")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def _create_private(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "wb") as out:
        if data and out.tell() == 0:
            out.write(data)
