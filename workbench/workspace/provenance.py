"""Which conversation a waiting record may come from: a join of the queue and state.db, which do not know each other.

The clients (0.19, 0.22) write no session into a record, so that it has to be found by the call and by the time.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.files import is_regular
from workbench.inbox import Record

# A record is staged in the middle of a turn; its messages may be stored a while before and after.
CALL_SECONDS = 3600.0
ACTIVE_SECONDS = 1800.0
MAX_SESSIONS = 200
MAX_SEARCHED = 8
MAX_CALLS = 200
MOST_SECONDS = 0.5
_TOOLS = {"memory": ("memory",), "skills": ("skill_manage",)}
_COMPARED = {
    "memory": ("action", "content", "old_text", "new_text"),
    "skills": ("action", "name", "content", "old_string", "new_string", "file_path", "file_content"),
}


@dataclass(frozen=True)
class Origin:
    """A session a record may come from; `started_at` is Unix seconds, `message` the id of the call's message.

    `sure` is `same_call` when one of its messages holds the very call, else `active`: it was the last to have a
    message before the record was written, one of `among` sessions with a message in the half hour before.
    """

    session: str
    title: str
    source: str
    started_at: float
    sure: str
    among: int = 1
    message: int | None = None


def may_come_from(home: Path, record: Record) -> Origin | None:
    """Look for the session of a record in `<home>/state.db`, for half a second at most, without leaving a trace.

    None when nothing fits, or when the database is missing or cannot be read.
    """
    path = home / "state.db"
    if record.problem or record.created_at is None or not is_regular(path):
        return None
    from workbench.files.sqlite import connect_untouched

    deadline = time.monotonic() + MOST_SECONDS
    try:
        with closing(connect_untouched(path)) as db:
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            db.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
            return _find(db, record, record.created_at)
    except sqlite3.Error:
        return None  # damaged, busy, interrupted, or tables of another shape: then it is not said


def _find(db: sqlite3.Connection, record: Record, at: float) -> Origin | None:
    near: list[tuple[float, tuple[Any, ...]]] = []
    rows = db.execute(
        "SELECT id, title, source, started_at FROM sessions WHERE started_at <= ?"
        " AND (ended_at IS NULL OR ended_at >= ?) ORDER BY started_at DESC LIMIT ?",
        (at, at - CALL_SECONDS, MAX_SESSIONS),
    ).fetchall()
    for row in rows:
        last = db.execute(
            "SELECT max(timestamp) FROM messages WHERE session_id = ? AND timestamp BETWEEN ? AND ?",
            (row[0], at - CALL_SECONDS, at),
        ).fetchone()[0]
        if isinstance(last, int | float):
            near.append((float(last), row))
    near.sort(key=lambda one: one[0], reverse=True)
    for _, row in near[:MAX_SEARCHED]:
        message = _call_in(db, row[0], record, at)
        if message is not None:
            return _origin(row, "same_call", message=message)
    active = [row for last, row in near if last >= at - ACTIVE_SECONDS]
    return _origin(active[0], "active", among=len(active)) if active else None


def _origin(row: tuple[Any, ...], sure: str, *, among: int = 1, message: int | None = None) -> Origin:
    ident, title, source, started = row
    return Origin(str(ident), str(title or ""), str(source or ""), float(started), sure, among, message)


def _call_in(db: sqlite3.Connection, session: str, record: Record, at: float) -> int | None:
    """The message of a session that holds a tool call with all operations of the record; the nearest in time."""
    wanted = _operations(record.payload, record.subsystem)
    rows = db.execute(
        "SELECT id, tool_calls FROM messages WHERE session_id = ? AND timestamp BETWEEN ? AND ?"
        " AND tool_calls IS NOT NULL ORDER BY abs(timestamp - ?) LIMIT ?",
        (session, at - CALL_SECONDS, at + CALL_SECONDS, at, MAX_CALLS),
    )
    for number, calls in rows:
        if wanted and any(wanted <= made for made in _calls(calls, record.subsystem)):
            return int(number)
    return None


def _calls(text: object, subsystem: str) -> Iterator[set[tuple[object, ...]]]:
    """The operations of each call of the tool in a message's `tool_calls`."""
    for call in _listed(_json(text)):
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and function.get("name") in _TOOLS[subsystem]:
            arguments = function.get("arguments")
            made = _json(arguments) if isinstance(arguments, str) else arguments
            if isinstance(made, Mapping):
                yield _operations(made, subsystem)


def _operations(payload: Mapping[str, Any], subsystem: str) -> set[tuple[object, ...]]:
    """Operations in a form that the call and the record share: one leaves out what the other writes as null."""
    inner = payload.get("operations")
    parts = _listed(inner) if inner else [payload]
    keys = _COMPARED[subsystem]
    return {
        tuple(value if isinstance(value := part.get(key), str) else None for key in keys)
        for part in parts
        if isinstance(part, Mapping)
    }


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _json(text: object) -> object:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
