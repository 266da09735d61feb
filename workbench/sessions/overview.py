"""One look at state.db: is it there, can it be read, how many sessions, which schema."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from workbench.files import is_regular, is_there
from workbench.files.heads import read_head

SQLITE_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True)
class Overview:
    """`state` is ok, missing, empty, not_a_database or damaged; `why` says more; counts are None when unknown."""

    state: str
    sessions: int | None = None
    schema: int | None = None
    why: str = ""


def overview(home: Path) -> Overview:
    """Look at `<home>/state.db` without leaving a trace; never raises for its content.

    A database that is empty of tables while its `-wal` is missing is called *damaged*, not "no sessions".
    """
    path = home / "state.db"
    if is_there(path) and not is_regular(path):
        return Overview("not_a_database", why="state.db is not an ordinary file")
    try:
        head = read_head(path, len(SQLITE_MAGIC))
    except FileNotFoundError:
        return Overview("missing", 0)
    except OSError as error:
        return Overview("damaged", why=error.strerror or str(error))
    if not head:
        return Overview("empty", 0, why="the file is empty, no sessions yet")
    if head != SQLITE_MAGIC:
        return Overview("not_a_database", why="state.db is not an SQLite database")
    return _look(path)


def _look(path: Path) -> Overview:
    import sqlite3

    from workbench.files.sqlite import connect_untouched

    try:
        with closing(connect_untouched(path)) as db:
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "sessions" not in tables:
                return Overview("damaged", why="it holds no sessions table; it may need the -wal file beside it")
            sessions = db.execute("SELECT count(*) FROM sessions").fetchone()[0]
            row = db.execute("SELECT version FROM schema_version").fetchone() if "schema_version" in tables else None
            return Overview("ok", sessions, row[0] if row and isinstance(row[0], int) else None)
    except sqlite3.Error as error:
        return Overview("damaged", why=str(error))
