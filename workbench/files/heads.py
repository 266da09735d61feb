"""The first bytes of a file that SQLite may hold open in this process."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path

_KEPT_MOST = 8
_kept: OrderedDict[tuple[int, int], int] = OrderedDict()
_mutex = threading.Lock()


def read_head(path: Path, size: int) -> bytes:
    """The first `size` bytes of a file that SQLite may have open in this process. Raises OSError.

    On POSIX, closing any handle of a file drops every lock that the process holds on it, SQLite's too. So the handle
    is kept for the next look, and only those of files not looked at for long are closed.
    """
    if os.name == "nt":
        with path.open("rb") as file:
            return file.read(size)
    stat = path.stat()
    key = (stat.st_dev, stat.st_ino)
    with _mutex:
        handle = _kept.get(key)
        if handle is None:
            handle = _kept[key] = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        _kept.move_to_end(key)
        while len(_kept) > _KEPT_MOST:
            os.close(_kept.popitem(last=False)[1])
        return os.pread(handle, size, 0)


def is_wal(path: Path) -> bool:
    """Whether a database is in WAL mode, by its header: an immutable connection does not tell. Raises OSError."""
    head = read_head(path, 20)
    return head[18:20] == b"\x02\x02"
