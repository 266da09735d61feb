"""Looking at a folder from outside, for tests that something did or did not change."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def tree(folder: Path, *, without: tuple[str, ...] = ()) -> dict[str, tuple[int, int, str]]:
    """Every path below `folder` with its mode, modification time and content hash; `without` names are left out."""
    out: dict[str, tuple[int, int, str]] = {}
    for base, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in without]
        for name in (*folders, *files):
            path = Path(base) / name
            info = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            out[str(path.relative_to(folder))] = (info.st_mode, info.st_mtime_ns if path.is_file() else 0, content)
    return out
