"""Reading whole files and naming their content."""

from __future__ import annotations

import hashlib
from pathlib import Path

from workbench.errors import Unreadable


def digest(data: bytes) -> str:
    """SHA-256 of the bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def read_bytes(path: Path) -> bytes | None:
    """Return the file's bytes, or None only when there is no such file (a dangling link counts as none).

    Raises Unreadable for anything else: a file that cannot be read is never treated as empty or missing.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except IsADirectoryError as error:
        raise Unreadable(path, "it is a folder") from error
    except OSError as error:
        raise Unreadable(path, error.strerror or type(error).__name__) from error
