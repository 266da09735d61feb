"""Reading whole files and naming their content."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from workbench.errors import Unreadable


def digest(data: bytes) -> str:
    """SHA-256 of the bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def read_bytes(path: Path) -> bytes | None:
    """Return the file's bytes, or None only when there is no such file (a dangling link counts as none).

    Raises Unreadable for anything else: a file that cannot be read is never treated as empty or missing. Pipes and
    devices are not read, they could block or never end.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(path, "it is a folder" if is_folder(path) else error.strerror or str(error)) from error
    try:
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable(path, "it is a pipe or a device, not a file")
            return file.read()
    except IsADirectoryError as error:
        raise Unreadable(path, "it is a folder") from error
    except OSError as error:
        raise Unreadable(path, error.strerror or str(error)) from error


def is_folder(path: Path) -> bool:
    """Whether the path leads to a folder; False where nobody lets us look (`Path.is_dir` raises then, up to 3.13)."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_link(path: Path) -> bool:
    """Whether the path itself is a link; False where nobody lets us look."""
    try:
        return stat.S_ISLNK(path.lstat().st_mode)
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether something is at the path; False where nobody lets us look."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def is_regular(path: Path) -> bool:
    """Whether the path leads to an ordinary file; False for folders, pipes, devices and what is not there."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
