"""Unsaved text of a terminal that went away: kept as a file of our own folder, offered at the next start.

A file begins with lines `name: value` (for the reader to know what it is), a blank line ends them, the rest is the
text. It is private (0600) and named after the process that wrote it.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

from workbench.memory import TARGETS, entry_id

PATTERN = "unsaved-*.txt"


@dataclass(frozen=True)
class Draft:
    """A text that was being written for a store; `before` is the id of the entry it was to replace, or "".

    `record` is the key of the waiting record of a skill whose text it is; `target` is then `skills`.
    """

    target: str
    text: str
    before: str = ""
    record: str = ""

    @classmethod
    def of(cls, target: str, text: str, before: str | None) -> Draft:
        """A draft of an entry with this text."""
        return cls(target, text, entry_id(before) if before is not None else "")


@dataclass(frozen=True)
class Kept:
    """A draft that lies on the disk; `at` is in Unix seconds."""

    path: Path
    draft: Draft
    at: float


def keep(home: Path, draft: Draft) -> Path | None:
    """Write a draft; None when the home cannot take it. Never raises: this is the last thing a process does."""
    folder = home / "workbench"
    record = f"record: {draft.record}\n" if draft.record else ""
    head = f"store: {draft.target}\nreplaces: {draft.before}\n{record}\n"
    data = (head + draft.text).encode("utf-8", "surrogatepass")
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        for number in range(1, 1000):
            path = folder / f"unsaved-{os.getpid()}-{number}.txt"
            try:
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            return path
    return None


def found(home: Path) -> tuple[Kept, ...]:
    """The drafts that lie there, the oldest first; a file that is none of ours is left out and left alone."""
    out = []
    for path in sorted((home / "workbench").glob(PATTERN)):
        try:
            text = path.read_bytes().decode("utf-8", "surrogatepass")
            at = path.stat().st_mtime
        except (OSError, UnicodeDecodeError):
            continue
        head, blank, body = text.partition("\n\n")
        lines = dict(line.partition(": ")[::2] for line in head.split("\n"))
        record = lines.get("record", "").strip()
        if blank and (lines.get("store") in TARGETS or (lines.get("store") == "skills" and record)):
            before = lines.get("replaces", lines.get("replaces:", ""))
            out.append(Kept(path, Draft(lines["store"], body, before.strip(), record), at))
    return tuple(sorted(out, key=lambda kept: kept.at))


def drop(kept: Kept) -> None:
    """Remove a draft that has been dealt with."""
    with contextlib.suppress(OSError):
        kept.path.unlink()


def age(kept: Kept, now: float | None = None) -> str:
    """How long ago it was kept, in words."""
    seconds = max(0.0, (time.time() if now is None else now) - kept.at)
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"
