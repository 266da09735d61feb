"""Waiting records as they lie on disk: read tolerantly, one row each, whatever is wrong with a file."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from workbench.files import digest
from workbench.inbox.queue import listed
from workbench.memory.document import TARGETS

MAX_BYTES = 1 << 20
MAX_ROWS = 1000
MEMORY_ACTIONS = ("add", "replace", "patch", "remove", "batch")
SKILL_ACTIONS = ("create", "edit", "patch", "write_file", "remove_file", "delete", "batch")
# Keys that no client writes (0.19, 0.22): their owner is another program, which may mean something else by the rest.
_FOREIGN = ("provider", "schema_version", "state")


@dataclass(frozen=True)
class Record:
    """One file of a queue. `data` are its exact bytes (None: not read), `created_at` is Unix seconds.

    `id` is the file's name without `.json`, as that is what the client removes. `problem` is "" for a record we
    understand, else `unreadable` or `unsupported` with the reason in `why`: such a file is shown, and neither applied
    nor removed. `notes` are harmless oddities worth a word.
    """

    id: str
    subsystem: str
    path: Path
    data: bytes | None
    created_at: float | None = None
    action: str = ""
    target: str = ""
    summary: str = ""
    origin: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    why: str = ""
    notes: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes; "" when they were not read."""
        return "" if self.data is None else digest(self.data)

    @property
    def key(self) -> str:
        """A name that is unique in a home: `memory/1a2b3c4d`."""
        return f"{self.subsystem}/{self.id}"

    @property
    def automatic(self) -> bool:
        """Whether the agent's background review made it, with nobody present."""
        return self.origin == "background_review"

    @property
    def operations(self) -> tuple[Any, ...]:
        """The payloads of a batch; a single operation is a batch of one."""
        if self.payload.get("action") != "batch":
            return (self.payload,)
        inner = self.payload.get("operations")
        return tuple(inner) if isinstance(inner, list) else ()


@dataclass(frozen=True)
class Queue:
    """What waits: `records` oldest first, at most `MAX_ROWS`; `more` says how many files beyond that were not read.

    `failed` names queues that exist and cannot be listed, with the reason.
    """

    records: tuple[Record, ...]
    more: int = 0
    failed: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """All waiting files, read or not."""
        return len(self.records) + self.more


def read_queue(home: Path, *, rows: int = MAX_ROWS) -> Queue:
    """Read both queues. Never raises: what cannot be read is a row that says why."""
    found, failed = listed(home)
    records = [read_record(path, subsystem, written) for written, subsystem, path in found[:rows]]
    there = [record for record in records if record is not None]
    there.sort(key=lambda record: (record.created_at or 0.0, record.key))
    return Queue(tuple(there), max(0, len(found) - rows), tuple(failed))


def read_record(path: Path, subsystem: str, written: float | None = None) -> Record | None:
    """Read one file; None when there is none any more. `written` (Unix seconds) stands in for a missing date."""
    blank = Record(path.name.removesuffix(".json"), subsystem, path, None, written)
    try:
        data = _read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return replace(blank, problem="unreadable", why=_why_not_read(path, error))
    if len(data) > MAX_BYTES:
        return replace(blank, problem="unreadable", why=f"it is larger than {MAX_BYTES:,} bytes and was not read")
    return parse_record(data, path, subsystem, written)


def _read(path: Path) -> bytes:
    """At most one byte more than the cap. A link is not followed, a pipe not waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not hasattr(os, "O_NOFOLLOW") and path.is_symlink():
        raise OSError(0, "it is a link")
    handle = os.open(path, flags)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it is a pipe or a device, not a file")
        return file.read(MAX_BYTES + 1)


def _why_not_read(path: Path, error: OSError) -> str:
    return "it is a link, which is never followed" if path.is_symlink() else error.strerror or str(error)


def parse_record(data: bytes, path: Path, subsystem: str, written: float | None = None) -> Record:
    """Read a record's bytes; never raises. See Record for how problems are told."""
    blank = Record(path.name.removesuffix(".json"), subsystem, path, data, written)
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return replace(blank, problem="unreadable", why=f"it is not UTF-8 at byte {error.start}")
    except RecursionError:
        return replace(blank, problem="unreadable", why="it is nested too deeply")
    except ValueError as error:
        return replace(blank, problem="unreadable", why=f"it is not complete JSON ({error})")
    if not isinstance(found, dict):
        return replace(blank, problem="unreadable", why="it is JSON, but not an object")
    created = _moment(found.get("created_at"))
    payload = found.get("payload")
    understood = replace(
        blank,
        created_at=written if created is None else created,
        action=_word(found.get("action")),
        summary=_word(found.get("summary")),
        origin=_word(found.get("origin")),
        payload=payload if isinstance(payload, dict) else {},
        notes=_notes(found, blank, data),
    )
    why = _unsupported(found, subsystem)
    if why:
        return replace(understood, problem="unsupported", why=why)
    target = understood.payload.get("target", "memory") if subsystem == "memory" else understood.payload.get("name")
    return replace(understood, action=str(understood.payload["action"]), target=_word(target))


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _moment(value: object) -> float | None:
    """Unix seconds out of a number, a number written as text or an ISO date; None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            number = float(value)
        elif isinstance(value, str):
            number = (
                float(value) if value.replace(".", "", 1).isdecimal() else datetime.fromisoformat(value).timestamp()
            )
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return number if 0 <= number < 1e11 else None


def _notes(found: Mapping[str, Any], blank: Record, data: bytes) -> tuple[str, ...]:
    notes: list[str] = []
    inner = found.get("id")
    if inner != blank.id:
        said = f"“{inner}”" if isinstance(inner, str) else "none"
        notes.append(f"its inner id ({said}) differs from the file's name; the file's name counts")
    if data.startswith(b"\xef\xbb\xbf"):
        notes.append("it begins with a byte order mark, so the agent's own list skips it")
    if isinstance(found.get("created_at"), str):
        notes.append("its date is text; the agent's own list fails on that")
    return tuple(notes)


def _unsupported(found: Mapping[str, Any], subsystem: str) -> str:
    """Why a record is not one of the client's, or one that no rule covers; "" for one that we may apply."""
    payload = found.get("payload")
    foreign = [name for name in _FOREIGN if name in found]
    if foreign or not isinstance(found.get("action"), str):
        names = [str(found[name]) for name in ("provider", "tool") if isinstance(found.get(name), str)]
        if names:
            return f"another program wrote it: {' · '.join(names)}"
        what = f"it has `{foreign[0]}`" if foreign else "it has no `action`"
        return f"another program wrote it ({what})"
    if not isinstance(payload, dict):
        return "it has no `payload`"
    if found.get("subsystem", subsystem) != subsystem:
        return f"it says it belongs to “{found.get('subsystem')}” and lies in pending/{subsystem}"
    action = payload.get("action")
    if action not in (MEMORY_ACTIONS if subsystem == "memory" else SKILL_ACTIONS):
        return f"unknown action “{action}”"
    if subsystem == "memory" and payload.get("target", "memory") not in TARGETS:
        return f"unknown target “{payload.get('target')}”; it is memory or user"
    return ""
