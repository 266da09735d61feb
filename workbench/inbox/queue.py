"""Counting what waits for approval, without opening a record."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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


class Found(NamedTuple):
    """A file of a queue, unopened: Unix seconds of its last write, where it lies, what tells it from a later one."""

    written: float
    subsystem: str
    name: str
    path: str
    signature: tuple[int, ...]


def listed(home: Path) -> tuple[list[Found], list[str]]:
    """The files of both queues, oldest first, and what cannot be listed, with the reason; a missing queue is empty.

    Everything named `*.json` counts, links and pipes too; sub-folders, claims and temp files of other programs do
    not.
    """
    found: list[Found] = []
    failed: list[str] = []
    for subsystem in SUBSYSTEMS:
        folder = home / "pending" / subsystem
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not entry.name.endswith(".json") or entry.is_dir(follow_symlinks=False):
                        continue
                    try:
                        info = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # decided between the listing and this look
                    signature = (info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode)
                    found.append(Found(info.st_mtime, subsystem, entry.name, entry.path, signature))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failed.append(f"pending/{subsystem} cannot be listed ({error.strerror or error})")
    found.sort(key=lambda one: (one.written, one.subsystem, one.name))
    return found, failed


def waiting(home: Path) -> Waiting:
    """Count the records of both queues, the same files that `read_queue` makes rows of."""
    found, _ = listed(home)
    counts = {subsystem: sum(one.subsystem == subsystem for one in found) for subsystem in SUBSYSTEMS}
    return Waiting(counts["memory"], counts["skills"], found[0].written if found else None)
