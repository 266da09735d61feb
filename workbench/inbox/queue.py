"""Counting what waits for approval, without opening a record."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
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
    written_ns: int
    changed_ns: int
    size: int
    inode: int
    mode: int


@contextmanager
def _entries(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """What a folder holds; by its handle where that goes, so that no look at a file walks the whole path to it."""
    handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)) if os.scandir in os.supports_fd else None
    try:
        with os.scandir(folder if handle is None else handle) as entries:
            yield entries
    finally:
        if handle is not None:
            os.close(handle)


def listed(home: Path) -> tuple[list[Found], list[str]]:
    """The files of both queues, oldest first, and what cannot be listed, with the reason; a missing queue is empty.

    Everything named `*.json` counts, links and pipes too; sub-folders, claims and temp files of other programs do
    not.
    """
    found: list[Found] = []
    failed: list[str] = []
    for subsystem in SUBSYSTEMS:
        folder = str(home / "pending" / subsystem) + os.sep
        try:
            with _entries(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if not name.endswith(".json"):
                        continue
                    try:
                        info = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # decided between the listing and this look
                    if not stat.S_ISDIR(info.st_mode):
                        times = (info.st_mtime, subsystem, name, folder + name, info.st_mtime_ns, info.st_ctime_ns)
                        found.append(Found(*times, info.st_size, info.st_ino, info.st_mode))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failed.append(f"pending/{subsystem} cannot be listed ({error.strerror or error})")
    found.sort()
    return found, failed


def waiting(home: Path) -> Waiting:
    """Count the records of both queues, the same files that `read_queue` makes rows of."""
    found, _ = listed(home)
    counts = {subsystem: sum(one.subsystem == subsystem for one in found) for subsystem in SUBSYSTEMS}
    return Waiting(counts["memory"], counts["skills"], found[0].written if found else None)
