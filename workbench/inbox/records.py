"""Waiting records as they lie on disk: read tolerantly, one row each, whatever is wrong with a file."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from workbench.files import digest, is_link
from workbench.inbox.queue import Found, listed
from workbench.memory.binding import bound
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

    `key` is unique in a home (`memory/1a2b3c4d`): the subsystem, and the file's name without `.json`. `where` is the
    whole path. `problem` is "" for a record we understand, else `unreadable` or `unsupported` with the reason in `why`:
    such a file is shown, and neither applied nor removed. `notes` are harmless oddities worth a word.
    """

    key: str
    subsystem: str
    where: str
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

    @cached_property
    def path(self) -> Path:
        """Where the file lies; made when asked for, as a list of a thousand records needs none."""
        return Path(self.where)

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes; "" when they were not read."""
        return "" if self.data is None else digest(self.data)

    @property
    def id(self) -> str:
        """The file's name without `.json`, as that is what the client removes."""
        return self.key[len(self.subsystem) + 1 :]

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


Known = dict[Found, Record]
"""Records read before, by the file as it was listed then: one that has changed since is another key."""


def read_queue(home: Path, *, rows: int = MAX_ROWS, known: Known | None = None) -> Queue:
    """Read both queues. Never raises: what cannot be read is a row that says why.

    `known` keeps what was read, so that the next call with it opens only what is new or has changed. Whoever writes
    compares the bytes again, so a file that changes without a trace costs a conflict, never a wrong write.
    """
    found, failed = listed(home)
    now = time.time()
    kept: Known = {}
    there: list[Record] = []
    with _Folders() as folders:
        for one in found[:rows]:
            record = known.get(one) if known else None
            if record is None:
                size = one.size if stat.S_ISREG(one.mode) else None
                record = _record(one.path, one.name, one.subsystem, one.written, folders, size)
            if record is None:
                continue
            there.append(record)
            # A file written a moment ago could be written again within one tick of the file system's clock.
            if known is not None and abs(now - one.written) > SETTLED_SECONDS:
                kept[one] = record
    if known is not None:
        known.clear()
        known.update(kept)
    there.sort(key=lambda record: (record.created_at or 0.0, record.key))
    return Queue(tuple(there), max(0, len(found) - rows), tuple(failed))


def read_record(path: Path, subsystem: str, written: float | None = None) -> Record | None:
    """Read one file; None when there is none any more. `written` (Unix seconds) stands in for a missing date."""
    with _Folders() as folders:
        return _record(str(path), path.name, subsystem, written, folders)


def _record(
    where: str, name: str, subsystem: str, written: float | None, folders: _Folders, size: int | None = None
) -> Record | None:
    if not name.isascii() and not is_text(name):
        return _broken(where, subsystem, None, written, "its name is not UTF-8, which the history cannot hold")
    try:
        data = _read(where, name, folders, size)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _broken(where, subsystem, None, written, _why_not_read(Path(where), error))
    if len(data) > MAX_BYTES:
        return _broken(where, subsystem, None, written, f"it is larger than {MAX_BYTES:,} bytes and was not read")
    return _parsed(data, where, name.removesuffix(".json"), subsystem, written)


# A link is not followed, a pipe not waited for.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class _Folders(ExitStack):
    """Handles of the folders that files are read from: the way to a folder is walked once, not for each file."""

    def __init__(self) -> None:
        super().__init__()
        self._handles: dict[str, int | None] = {}

    def opened(self, folder: str) -> int | None:
        """A handle for `dir_fd`; None where the system has none, or the folder cannot be opened: each file says why."""
        if folder not in self._handles:
            self._handles[folder] = self._open(folder)
        return self._handles[folder]

    def _open(self, folder: str) -> int | None:
        if os.open not in os.supports_dir_fd:
            return None
        try:
            handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        except OSError:
            return None
        self.callback(os.close, handle)
        return handle


def _read(where: str, name: str, folders: _Folders, size: int | None = None) -> bytes:
    """The file's bytes, at most one more than the cap; `size` of what was just listed as a file.

    What has taken the place of a listed file since is opened without waiting, and what it gives is cut at the cap.
    """
    if not hasattr(os, "O_NOFOLLOW") and is_link(Path(where)):
        raise OSError(0, "it is a link")
    folder = folders.opened(where.removesuffix(name))
    handle = os.open(where, _FLAGS) if folder is None else os.open(name, _FLAGS, dir_fd=folder)
    try:
        if size is None:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(0, "it is a pipe or a device, not a file")
            size = info.st_size
        data = os.read(handle, min(size, MAX_BYTES) + 1)
        while len(data) != size and 0 < len(data) <= MAX_BYTES:
            more = os.read(handle, MAX_BYTES + 1 - len(data))  # a short read, or a file that grew under us
            if not more:
                break
            data += more
        return data
    finally:
        os.close(handle)


def _why_not_read(path: Path, error: OSError) -> str:
    return "it is a link, which is never followed" if is_link(path) else error.strerror or str(error)


def _broken(where: str, subsystem: str, data: bytes | None, written: float | None, why: str) -> Record:
    ident = Path(where).name.removesuffix(".json")
    return Record(f"{subsystem}/{ident}", subsystem, where, data, created_at=written, problem="unreadable", why=why)


def is_text(name: str) -> bool:
    """Whether a name has a form in UTF-8, and so in the history and in JSON."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def parse_record(data: bytes, path: Path, subsystem: str, written: float | None = None) -> Record:
    """Read a record's bytes; never raises. See Record for how problems are told."""
    return _parsed(data, str(path), path.name.removesuffix(".json"), subsystem, written)


def _parsed(data: bytes, where: str, ident: str, subsystem: str, written: float | None) -> Record:
    try:
        found = _value(data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        return _broken(where, subsystem, data, written, f"it is not UTF-8 at byte {error.start}")
    except RecursionError:
        return _broken(where, subsystem, data, written, "it is nested too deeply")
    except ValueError as error:
        return _broken(where, subsystem, data, written, f"it is not complete JSON ({error})")
    if not isinstance(found, dict):
        return _broken(where, subsystem, data, written, "it is JSON, but not an object")
    get = found.get
    why = _unsupported(found, subsystem)
    payload = get("payload")
    payload = payload if isinstance(payload, dict) else {}
    created = _moment(get("created_at"))
    return bound(
        Record,
        key=f"{subsystem}/{ident}",
        subsystem=subsystem,
        where=where,
        data=data,
        created_at=written if created is None else created,
        action=_word(get("action")) if why else payload["action"],
        target="" if why else _word(payload.get("target", "memory") if subsystem == "memory" else payload.get("name")),
        summary=_word(get("summary")),
        origin=_word(get("origin")),
        payload=payload,
        problem="unsupported" if why else "",
        why=why,
        notes=_notes(found, ident, data),
    )


def _value(text: str) -> Any:
    """`json.loads`, at once for a text that is one value with nothing around it, as clients write; raises like it."""
    try:
        found, end = _scan(text, 0)
    except StopIteration:
        return json.loads(text)
    return found if end == len(text) else json.loads(text)


_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # what raw_decode calls


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _moment(value: object) -> float | None:
    """Unix seconds out of a number, a number written as text or an ISO date; None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, (float, int)):
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
    inner, marked, dated = found.get("id"), data.startswith(b"\xef\xbb\xbf"), isinstance(found.get("created_at"), str)
    if inner == ident and not marked and not dated:
        return ()
    notes: list[str] = []
    if inner != ident:
        said = f"“{inner}”" if isinstance(inner, str) else "none"
        notes.append(f"its inner id ({said}) differs from the file's name; the file's name counts")
    if marked:
        notes.append("it begins with a byte order mark, so the agent's own list skips it")
    if dated:
        notes.append("its date is text; the agent's own list fails on that")
    return tuple(notes)


def _unsupported(found: Mapping[str, Any], subsystem: str) -> str:
    """Why a record is not one of the client's, or one that no rule covers; "" for one that we may apply."""
    payload = found.get("payload")
    if not found.keys().isdisjoint(_FOREIGN) or not isinstance(found.get("action"), str):
        foreign = [name for name in _FOREIGN if name in found]
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
