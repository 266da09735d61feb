"""Opening an SQLite file that belongs to somebody else without leaving a trace beside it."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def connect_untouched(path: Path) -> sqlite3.Connection:
    """Open `path` for reading so that no `-wal` or `-shm` appears while none is there.

    `mode=ro` on a WAL database creates both and leaves them; `immutable=1` does not, but sees no later writes, so it
    is right for one look at a database that has no `-wal` now. With a non-empty `-wal`, `mode=ro` is the only way
    to see what it holds. Raises sqlite3.Error.
    """
    wal = Path(f"{path}-wal")
    try:
        in_use = wal.stat().st_size > 0
    except FileNotFoundError:
        in_use = False
    uri = path.absolute().as_uri() + ("?mode=ro" if in_use else "?mode=ro&immutable=1")
    return sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=2.0)
