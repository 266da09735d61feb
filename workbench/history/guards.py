"""Which lock guards a file, how long a claim counts, and which folders go with their last file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from workbench.files import is_link, is_there

# Every file of the home that has no lock of its own is guarded by this one (`agent-files.lock` on disk).
SHARED = "agent-files"
# A claim is held for one commit; an older one was left by a process that died, whatever has its number by now.
CLAIM_SECONDS = 60.0


def guards(home: Path, paths: Sequence[Path]) -> tuple[Path, ...]:
    """The paths whose `.lock` must be held to write `paths`, in the order in which they are taken.

    The client locks its memory files beside them, so we do too, in the order given. It has no lock for anything else
    (0.19), and a stray `.lock` in its pending or skills folders would be litter: those share one lock of ours, last.
    """
    own = [path for path in paths if path.parent == home / "memories" or not path.is_relative_to(home)]
    shared = [home / "workbench" / SHARED] if len(own) < len(paths) else []
    return (*dict.fromkeys(own), *shared)


def drop_empty_folders(home: Path, gone: Sequence[Path]) -> None:
    """Remove the folders that these removed files leave empty, below `skills/` only.

    The client (0.19) removes the folder of a removed file, of a deleted skill everything below it and the category;
    a folder above an emptied one it leaves, we do not. Called when all files of a change are through: one that had to
    be put back must find its folder.
    """
    root = home / "skills"
    for path in gone:
        folder = path.parent
        if path.name == "SKILL.md" and folder.is_relative_to(root) and not is_link(folder):
            for below, _, _ in os.walk(folder, topdown=False):
                with contextlib.suppress(OSError):
                    Path(below).rmdir()
        with contextlib.suppress(OSError):  # not empty, or not ours to remove: then it stays
            while folder != root and folder.is_relative_to(root) and not is_link(folder):
                if is_there(folder):
                    folder.rmdir()
                folder = folder.parent


def is_left_over(at: float, pid: int, now: float) -> bool:
    """Whether a claim made at `at` (Unix seconds) by process `pid` was left by one that died."""
    if abs(now - at) >= CLAIM_SECONDS:
        return True
    if os.name == "nt":
        return False  # os.kill would end the process there; the claim's age decides
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
