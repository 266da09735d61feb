"""Reading whole files and naming their content."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from workbench.errors import Unreadable

_PART_BYTES, _LARGEST_BYTES = 1 << 16, 1 << 30


def digest(data: bytes) -> str:
    """SHA-256 of the bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def read_bytes(path: Path, *, most: int | None = None) -> bytes | None:
    """Return the file's bytes, or None only when there is no such file (a dangling link counts as none).

    Raises Unreadable for anything else: a file that cannot be read is never treated as empty or missing. Pipes and
    devices are not read, they could block or never end; nor is what has more than `most` bytes. Between opening and
    reading stands as little as can be: what is written in place may be gone a moment later.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(path, "it is a folder" if is_folder(path) else error.strerror or str(error)) from error
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            kind = "folder" if stat.S_ISDIR(info.st_mode) else "pipe or a device, not a file"
            raise Unreadable(path, f"it is a {kind}")
        if most is not None and info.st_size > most:
            raise Unreadable(path, f"it has more than {most:,} bytes")
        return _all_of(handle, info.st_size)
    except OSError as error:
        raise Unreadable(path, error.strerror or str(error)) from error
    finally:
        os.close(handle)


def _all_of(handle: int, size: int) -> bytes:
    """Read to the end of a file, which may be longer by now, or shorter."""
    parts = []
    while part := os.read(handle, min(max(size + 1, _PART_BYTES), _LARGEST_BYTES)):
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


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
