"""state.db opened for reading only, with two owned threads: what the user waits for, and what runs behind.

No file handle of ours but SQLite's touches the file while a connection is open: closing one would drop the locks that
SQLite holds for the whole process.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from workbench.files.heads import is_wal, read_head
from workbench.sessions.errors import DatabaseBusy, DatabaseUnreadable, Superseded
from workbench.sessions.schema import Capability, look

T = TypeVar("T")
Ask = Callable[[sqlite3.Connection, Capability], T]
# Seconds to wait for a writer that holds the whole file (rollback journal only); in WAL mode readers never wait.
BUSY_SECONDS = 2.0
LANES = ("interactive", "background")
_CACHE_KIB = 2_000
_POINTER = b"version https://git-lfs"
_MAGIC = b"SQLite format 3\x00"


def stamp(path: Path) -> tuple[object, ...]:
    """What changes when the database does: inode, size and time of the file and of its `-wal`. Opens nothing."""
    seen: list[object] = []
    for each in (path, Path(f"{path}-wal")):
        try:
            stat = each.stat()
            seen += (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        except OSError:
            seen.append(None)
    return tuple(seen)


def _wal_in_use(path: Path) -> bool:
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except OSError:
        return False


def _decode(data: bytes) -> str:
    # Text cut by a crash or written by another program must not end a whole query.
    return data.decode("utf-8", "replace")


def connect(path: Path) -> sqlite3.Connection:
    """Open state.db for one look; see `_connected`. Raises DatabaseUnreadable, DatabaseBusy."""
    return _connected(path)[0]


def _connected(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open state.db so that nothing appears beside it unless a `-wal` is already in use.

    Immutable while a WAL database has no `-wal` (the caller reopens when `stamp` changes), `mode=ro` otherwise: a
    database on a rollback journal must be read under its locks. Returns whether it is immutable. Raises
    DatabaseUnreadable, DatabaseBusy.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise DatabaseUnreadable(path, "missing") from None
    except OSError as error:
        raise DatabaseUnreadable(path, "no_permission", error.strerror or str(error)) from error
    if not path.is_file():
        raise DatabaseUnreadable(path, "not_a_database")
    if not size and not _wal_in_use(path):
        raise DatabaseUnreadable(path, "empty")
    uri = path.absolute().as_uri() + "?mode=ro"
    db: sqlite3.Connection | None = None
    try:
        immutable = not _wal_in_use(path) and is_wal(path)
        db = _open(uri + "&immutable=1" if immutable else uri)
        _check(db, path, size)
    except OSError as error:
        raise DatabaseUnreadable(path, "no_permission", error.strerror or str(error)) from error
    except (sqlite3.Error, DatabaseUnreadable) as error:
        if db is not None:
            db.close()
        if isinstance(error, DatabaseUnreadable):
            raise
        raise explain(path, error) from error
    return db, immutable


class Connection(sqlite3.Connection):
    """A connection with a place for what was read once and is good as long as the database is not written to."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.kept: dict[str, Any] = {}


def _open(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        uri, uri=True, check_same_thread=False, timeout=BUSY_SECONDS, isolation_level=None, factory=Connection
    )
    db.text_factory = _decode
    try:
        try:
            db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        except sqlite3.DatabaseError as error:
            if "malformed database schema" not in str(error):
                raise
            # On a read-only connection this changes nothing; it lets SQLite pass over an entry it cannot use.
            db.execute("PRAGMA writable_schema=ON")
        db.execute("PRAGMA temp_store=MEMORY")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, path: Path, size: int) -> None:
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"sessions", "messages"} <= names:
        only_header = not names and size <= 65_536
        raise DatabaseUnreadable(path, "needs_wal" if only_header else "no_tables")
    pages = db.execute("PRAGMA page_count").fetchone()[0] * db.execute("PRAGMA page_size").fetchone()[0]
    # The size and the -wal are looked at after the header: a writer that is at work meanwhile only makes them larger.
    size = path.stat().st_size
    if pages > size and not _wal_in_use(path):
        raise DatabaseUnreadable(path, "torn", f"{size:,} of {pages:,} bytes are there")


def explain(path: Path, error: sqlite3.Error) -> DatabaseUnreadable | DatabaseBusy:
    """The typed error for what SQLite raised on this database."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return DatabaseBusy(path, BUSY_SECONDS)
    if primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH):
        return DatabaseUnreadable(path, "no_permission", str(error))
    if primary == sqlite3.SQLITE_NOTADB:
        return DatabaseUnreadable(path, _what_instead(path))
    why = "torn" if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT) else "failed"
    return DatabaseUnreadable(path, why, str(error))


def _what_instead(path: Path) -> str:
    try:
        head = read_head(path, 4096)
    except OSError:
        return "not_a_database"
    if head.startswith(_POINTER):
        return "pointer"
    if not head.strip(b"\x00"):
        return "needs_wal"
    return "torn" if head.startswith(_MAGIC) else "not_a_database"


@dataclass
class _Request:
    ask: Ask[Any]
    topic: str
    future: Future[Any] = field(default_factory=Future)
    dropped: bool = False


class _Lane:
    """One thread with one connection, opened by it, used by it alone."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._waiting: deque[_Request] = deque()
        self._wake = threading.Condition()
        self._running: _Request | None = None
        self._db: sqlite3.Connection | None = None
        self._capability: Capability | None = None
        self._stamp: tuple[object, ...] = ()
        self._immutable = False
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"state.db {name}", daemon=True)
        self._thread.start()

    def put(self, request: _Request) -> None:
        with self._wake:
            if self._closed:
                request.future.set_exception(Superseded())
                return
            for older in [each for each in self._waiting if each.topic == request.topic]:
                self._waiting.remove(older)
                older.future.set_exception(Superseded())
            if self._running is not None and self._running.topic == request.topic:
                self._drop(self._running)
            self._waiting.append(request)
            self._wake.notify()

    def interrupt(self, topic: str | None = None) -> None:
        with self._wake:
            for each in [each for each in self._waiting if topic in (None, each.topic)]:
                self._waiting.remove(each)
                each.future.set_exception(Superseded())
            if self._running is not None and topic in (None, self._running.topic):
                self._drop(self._running)

    def close(self, wait: float) -> None:
        self.interrupt()
        with self._wake:
            self._closed = True
            self._wake.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(wait)

    def _drop(self, request: _Request) -> None:
        # Under the lock: the thread cannot have gone on to another request, so the right one is interrupted.
        request.dropped = True
        if self._db is not None:
            self._db.interrupt()

    def _work(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closed:
                    self._wake.wait()
                if self._closed and not self._waiting:
                    break
                request = self._running = self._waiting.popleft()
            try:
                result, error = self._answer(request), None
            except Exception as raised:  # noqa: BLE001 - it belongs to whoever waits for the future
                result, error = None, raised
            with self._wake:
                self._running = None
            if request.dropped:
                request.future.set_exception(Superseded())
            elif error is not None:
                request.future.set_exception(error)
            else:
                request.future.set_result(result)
        self._forget()

    def _answer(self, request: _Request) -> Any:
        for attempt in (1, 2):
            before = stamp(self._path)
            try:
                db, capability = self._opened(before)
                # Also between two statements of one request, where `interrupt` alone would find nothing to stop.
                db.set_progress_handler(lambda: request.dropped, 5_000)
                return request.ask(db, capability)
            except sqlite3.Error as error:
                if request.dropped:
                    raise Superseded from error
                self._forget()
                # Read without locks while somebody wrote: what was read belongs to no one state of the file.
                if attempt == 2 or stamp(self._path) == before:
                    raise explain(self._path, error) from error
        raise AssertionError

    def _opened(self, now: tuple[object, ...]) -> tuple[sqlite3.Connection, Capability]:
        if self._db is not None and self._stamp != now and (self._immutable or self._stamp[:1] != now[:1]):
            self._forget()
        if self._db is None or self._capability is None:
            db, self._immutable = _connected(self._path)
            try:
                self._capability = look(db)
            except sqlite3.Error as error:
                db.close()
                raise explain(self._path, error) from error
            self._db = db
        elif self._stamp != now:
            # The client adds columns while it runs, and says in a table when it rebuilds its index.
            self._capability = look(self._db)
        self._stamp = now
        return self._db, self._capability

    def _forget(self) -> None:
        with self._wake:
            if self._db is not None:
                self._db.close()
            self._db = self._capability = None


class Database:
    """One state.db. `run` answers from an owned thread, `connection` serves a headless verb, or an export, in its own.

    Closing interrupts what runs and joins the threads.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lanes: dict[str, _Lane] = {}
        self._mutex = threading.Lock()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, lane: str, ask: Ask[T], *, topic: str = "search") -> Future[T]:
        """Run `ask(connection, capability)` in a lane ("interactive", "background"); the future has its result.

        A newer request of the same topic takes the place of an older one in that lane, which ends as Superseded.
        The future also raises DatabaseUnreadable, DatabaseBusy.
        """
        request = _Request(ask, topic)
        self._lane(lane).put(request)
        return request.future

    def interrupt(self, lane: str | None = None, topic: str | None = None) -> None:
        """Stop what runs and what waits; from any thread."""
        with self._mutex:
            lanes = [one for name, one in self._lanes.items() if lane in (None, name)]
        for each in lanes:
            each.interrupt(topic)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one look in the calling thread. Raises DatabaseUnreadable, DatabaseBusy; its body too."""
        with closing(connect(self.path)) as db:
            try:
                yield db
            except sqlite3.Error as error:
                raise explain(self.path, error) from error

    def stamp(self) -> tuple[object, ...]:
        """Differs from an earlier one when the database was written or replaced since; opens nothing."""
        return stamp(self.path)

    def close(self, wait: float = 5.0) -> None:
        """Stop everything and wait for the threads, at most `wait` seconds each."""
        with self._mutex:
            lanes, self._lanes = list(self._lanes.values()), {}
        for lane in lanes:
            lane.close(wait)

    def _lane(self, name: str) -> _Lane:
        if name not in LANES:
            raise ValueError(name)
        with self._mutex:
            if name not in self._lanes:
                self._lanes[name] = _Lane(self.path, name)
            return self._lanes[name]
