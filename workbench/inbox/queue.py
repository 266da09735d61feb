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


def waiting(home: Path) -> Waiting:
    """Count the `*.json` files of both queues; claims, temp files and sub-folders are not records.

    A queue that is missing or cannot be listed counts as empty.
    """
    counts: dict[str, int] = {}
    oldest: float | None = None
    for subsystem in SUBSYSTEMS:
        counts[subsystem] = 0
        try:
            entries = list(os.scandir(home / "pending" / subsystem))
        except OSError:
            continue
        for entry in entries:
            if not entry.name.endswith(".json"):
                continue
            try:
                if not entry.is_file(follow_symlinks=False):
                    continue
                written = entry.stat(follow_symlinks=False).st_mtime
            except OSError:
                continue  # approved or rejected between the listing and this look
            counts[subsystem] += 1
            oldest = written if oldest is None else min(oldest, written)
    return Waiting(counts["memory"], counts["skills"], oldest)
