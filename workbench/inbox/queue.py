"""Counting what waits for approval, without opening a record."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

SUBSYSTEMS = ("memory", "skills")


@dataclass(frozen=True)
class Waiting:
    """How many records wait, by subsystem, and when the oldest file was written (Unix seconds; None: no record)."""

    memory: int = 0
    skills: int = 0
    oldest: float | None = None

    @property
    def total(self) -> int:
        """All waiting records."""
        return self.memory + self.skills


def listed(home: Path) -> tuple[list[tuple[float, str, Path]], list[str]]:
    """The files of both queues, oldest first: (Unix seconds of the last write, subsystem, path); and what failed.

    Everything named `*.json` counts, links and pipes too; sub-folders, claims and temp files of other programs do
    not. A queue that is missing is empty, one that cannot be listed is among the failed, with the reason.
    """
    found: list[tuple[float, str, Path]] = []
    failed: list[str] = []
    for subsystem in SUBSYSTEMS:
        folder = home / "pending" / subsystem
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not entry.name.endswith(".json") or entry.is_dir(follow_symlinks=False):
                        continue
                    try:
                        written = entry.stat(follow_symlinks=False).st_mtime
                    except FileNotFoundError:
                        continue  # decided between the listing and this look
                    found.append((written, subsystem, folder / entry.name))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failed.append(f"pending/{subsystem} cannot be listed ({error.strerror or error})")
    return sorted(found), failed


def waiting(home: Path) -> Waiting:
    """Count the records of both queues, the same files that `read_queue` makes rows of."""
    found, _ = listed(home)
    counts = {subsystem: sum(one == subsystem for _, one, _ in found) for subsystem in SUBSYSTEMS}
    return Waiting(counts["memory"], counts["skills"], found[0][0] if found else None)
