"""history.db itself: opening, healing, and the few statements everything else is built from."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.errors import HistoryUnavailable
from workbench.files import is_network_folder
from workbench.files.sqlite import connect_untouched

SCHEMA_VERSION = 1
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
"""


class Database:
    """One connection to `<home>/workbench/history.db`, kept open; `notice` says what had to be healed, or "".

    Read-only databases are opened without leaving a trace; when there is none yet, an empty one in memory stands in.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.path = folder / "history.db"
        self.read_only = read_only
        self.notice = ""
        self.connection = self._open()
        self._inode = self._identity()

    def ensure(self) -> None:
        """Open the database anew when its file was deleted or replaced under the connection.

        Writing on would record into a file that nobody can find again. Raises HistoryUnavailable, without making
        anything, when the home itself is gone.
        """
        if self.read_only or self._inode == self._identity():
            return
        if not self.folder.parent.is_dir():
            raise HistoryUnavailable(self.path, "the home has vanished")
        self.connection.close()
        self.connection = self._open()
        self._inode = self._identity()

    def _identity(self) -> tuple[int, int] | None:
        try:
            info = self.path.stat()
        except OSError:
            return None
        return info.st_dev, info.st_ino

    def _open(self) -> sqlite3.Connection:
        try:
            if self.read_only:
                return self._open_read_only()
            self._prepare_folder()
            try:
                return self._open_for_writing()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._set_aside(str(error))
                return self._open_for_writing()
        except sqlite3.Error as error:
            raise HistoryUnavailable(self.path, str(error)) from error
        except OSError as error:
            raise HistoryUnavailable(self.path, error.strerror or str(error)) from error

    def _open_read_only(self) -> sqlite3.Connection:
        if self.path.exists():
            connection = connect_untouched(self.path)
            try:
                connection.execute("SELECT 1 FROM changes LIMIT 1")
                return connection
            except sqlite3.DatabaseError as error:
                connection.close()
                self.notice = f"history.db cannot be read ({error}); it is left as it is, no history is shown."
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        connection.executescript(_SCHEMA)
        return connection

    def _prepare_folder(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            _create_private(ignore, b"*\n")
        if not self.path.exists():
            _create_private(self.path, b"")  # SQLite gives -wal and -shm the mode of the database

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
            connection.execute("SELECT max(id) FROM changes").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _set_aside(self, why: str) -> None:
        """Rename a damaged database so that nothing of it is lost, and say so."""
        aside = self.path.with_name(f"history.db.damaged-{int(time.time())}")
        number = 0
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"history.db.damaged-{int(time.time())}-{number}")
        self.path.rename(aside)
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{self.path}{suffix}").rename(f"{aside}{suffix}")
        self.notice = f"history.db was damaged ({why}); it was kept as {aside.name} and a new history was begun."
        _create_private(self.path, b"")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One durable commit. Raises HistoryUnavailable, and nothing of the block is recorded then.

        A database that turns out to be damaged only now is set aside; the caller's operation is refused once and
        works when repeated.
        """
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
        except sqlite3.OperationalError as error:
            raise HistoryUnavailable(self.path, str(error)) from error
        except sqlite3.DatabaseError as error:
            self.connection.close()
            self._set_aside(str(error))
            self.connection = self._open()
            self._inode = self._identity()
            raise HistoryUnavailable(self.path, f"{error}; {self.notice} Repeat the change") from error

    def quick_update(self, statement: str, row: tuple[object, ...]) -> None:
        """Update settled facts without waiting for the disk; what a crash loses is found again by hash."""
        if self.read_only:
            return
        # NORMAL, not OFF: in WAL mode a commit then waits for no fsync, yet a checkpoint it may start still does.
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute("PRAGMA synchronous=NORMAL")
            try:
                self.connection.execute(statement, row)
            finally:
                self.connection.execute("PRAGMA synchronous=FULL")

    def close(self) -> None:
        """Close the connection; the last one out folds the WAL back into the file."""
        self.connection.close()


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
