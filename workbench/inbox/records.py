"""Waiting records as they lie on disk: read tolerantly, one row each, whatever is wrong with a file."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from workbench.files import digest, is_link
from workbench.inbox.queue import listed
from workbench.memory.document import TARGETS

MAX_BYTES = 1 << 20
MAX_ROWS = 1000
SETTLED_SECONDS = 1.0
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

    @cached_property
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


Known = dict[str, tuple[tuple[int, ...], Record]]
"""Records read before, by path, with what told the file from a later one."""


def read_queue(home: Path, *, rows: int = MAX_ROWS, known: Known | None = None) -> Queue:
    """Read both queues. Never raises: what cannot be read is a row that says why.

    `known` keeps what was read, so that the next call with it opens only what is new or has changed. Whoever writes
    compares the bytes again, so a file that changes without a trace costs a conflict, never a wrong write.
    """
    found, failed = listed(home)
    now = time.time()
    kept: Known = {}
    there: list[Record] = []
    for one in found[:rows]:
        before = known.get(one.path) if known else None
        if before is not None and before[0] == one.signature:
            record: Record | None = before[1]
        else:
            record = read_record(Path(one.path), one.subsystem, one.written)
        if record is None:
            continue
        there.append(record)
        # A file written a moment ago could be written again within one tick of the file system's clock.
        if abs(now - one.written) > SETTLED_SECONDS:
            kept[one.path] = (one.signature, record)
    if known is not None:
        known.clear()
        known.update(kept)
    there.sort(key=lambda record: (record.created_at or 0.0, record.key))
    return Queue(tuple(there), max(0, len(found) - rows), tuple(failed))


def read_record(path: Path, subsystem: str, written: float | None = None) -> Record | None:
    """Read one file; None when there is none any more. `written` (Unix seconds) stands in for a missing date."""
    if not is_text(path.name):
        return _broken(path, subsystem, None, written, "its name is not UTF-8, which the history cannot hold")
    try:
        data = _read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _broken(path, subsystem, None, written, _why_not_read(path, error))
    if len(data) > MAX_BYTES:
        return _broken(path, subsystem, None, written, f"it is larger than {MAX_BYTES:,} bytes and was not read")
    return parse_record(data, path, subsystem, written)


# A link is not followed, a pipe not waited for.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def _read(path: Path) -> bytes:
    """The file's bytes, at most one more than the cap."""
    if not hasattr(os, "O_NOFOLLOW") and is_link(path):
        raise OSError(0, "it is a link")
    handle = os.open(path, _FLAGS)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(0, "it is a pipe or a device, not a file")
        data = os.read(handle, min(info.st_size, MAX_BYTES) + 1)
        while len(data) != info.st_size and 0 < len(data) <= MAX_BYTES:
            more = os.read(handle, MAX_BYTES + 1 - len(data))  # a short read, or a file that grew under us
            if not more:
                break
            data += more
        return data
    finally:
        os.close(handle)


def _why_not_read(path: Path, error: OSError) -> str:
    return "it is a link, which is never followed" if is_link(path) else error.strerror or str(error)


def _broken(path: Path, subsystem: str, data: bytes | None, written: float | None, why: str) -> Record:
    ident = path.name.removesuffix(".json")
    return Record(ident, subsystem, path, data, created_at=written, problem="unreadable", why=why)


def is_text(name: str) -> bool:
    """Whether a name has a form in UTF-8, and so in the history and in JSON."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def parse_record(data: bytes, path: Path, subsystem: str, written: float | None = None) -> Record:
    """Read a record's bytes; never raises. See Record for how problems are told."""
    try:
        found = json.loads(data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        return _broken(path, subsystem, data, written, f"it is not UTF-8 at byte {error.start}")
    except RecursionError:
        return _broken(path, subsystem, data, written, "it is nested too deeply")
    except ValueError as error:
        return _broken(path, subsystem, data, written, f"it is not complete JSON ({error})")
    if not isinstance(found, dict):
        return _broken(path, subsystem, data, written, "it is JSON, but not an object")
    ident = path.name.removesuffix(".json")
    why = _unsupported(found, subsystem)
    payload = found.get("payload")
    payload = payload if isinstance(payload, dict) else {}
    created = _moment(found.get("created_at"))
    return Record(
        ident,
        subsystem,
        path,
        data,
        created_at=written if created is None else created,
        action=_word(found.get("action")) if why else payload["action"],
        target="" if why else _word(payload.get("target", "memory") if subsystem == "memory" else payload.get("name")),
        summary=_word(found.get("summary")),
        origin=_word(found.get("origin")),
        payload=payload,
        problem="unsupported" if why else "",
        why=why,
        notes=_notes(found, ident, data),
    )


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _moment(value: object) -> float | None:
    """Unix seconds out of a number, a number written as text or an ISO date; None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, float | int):
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


def _notes(found: Mapping[str, Any], ident: str, data: bytes) -> tuple[str, ...]:
    notes: list[str] = []
    inner = found.get("id")
    if inner != ident:
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
