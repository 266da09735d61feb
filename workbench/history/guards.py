"""Which lock guards a file, and which folders go with their last file."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

# Every file of the home that has no lock of its own is guarded by this one (`agent-files.lock` on disk).
SHARED = "agent-files"


def guards(home: Path, paths: Sequence[Path]) -> tuple[Path, ...]:
    """The paths whose `.lock` must be held to write `paths`, in the order in which they are taken.

    The client locks its memory files beside them, so we do too, in the order given. It has no lock for anything else
    (0.19), and a stray `.lock` in its pending or skills folders would be litter: those share one lock of ours, last.
    """
    own = [path for path in paths if path.parent == home / "memories" or not path.is_relative_to(home)]
    shared = [home / "workbench" / SHARED] if len(own) < len(paths) else []
    return (*dict.fromkeys(own), *shared)


def drop_empty_folders(home: Path, folder: Path) -> None:
    """Remove `folder` and its parents while they are empty, below `skills/` only, as the client does (0.19)."""
    root = home / "skills"
    with contextlib.suppress(OSError):  # not empty, or not ours to remove: then it stays
        while folder != root and folder.is_relative_to(root) and not folder.is_symlink():
            folder.rmdir()
            folder = folder.parent
