"""The statements of history.db that more than one step of a commit needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from workbench.files import digest
from workbench.history.records import FORGOTTEN, ChangeSet, FileChange, Intent

LATEST = "SELECT path, before, after, state FROM files WHERE path = ? AND state != 'not' ORDER BY change DESC LIMIT 1"
SETTLE = "UPDATE files SET state = ? WHERE change = ? AND state = 'intended'"
SELECT_CHANGE = "SELECT id, at, actor, hint, kind, label, operations, about FROM changes"
NEWS = (
    "(kind != 'baseline' OR NOT EXISTS (SELECT 1 FROM files f WHERE f.change = changes.id"
    " AND (f.path GLOB 'pending/*' OR f.path GLOB 'skills/*')))"
)
FILES_BETWEEN = "SELECT change, path, before, after, state FROM files WHERE change BETWEEN ? AND ? ORDER BY change, seq"
VERSION_AT = (
    "SELECT after FROM files WHERE path = ? AND change <= ? AND state != 'not' ORDER BY change DESC, seq DESC LIMIT 1"
)
INSERT_CHANGE = "INSERT INTO changes (at, actor, hint, kind, label, operations, about) VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_FILE = "INSERT INTO files (change, seq, path, before, after, state) VALUES (?, ?, ?, ?, ?, ?)"

UNFINISHED = "unfinished"  # the row of `forgotten` which says that the file has still to be rewritten


def is_forgotten(version: str | None) -> bool:
    """Whether a version's name says that it was forgotten for good."""
    return version is not None and version.startswith(FORGOTTEN)


def change_set(row: Sequence[Any], files: Sequence[FileChange]) -> ChangeSet:
    """A row of SELECT_CHANGE with its files."""
    number, at, actor, hint, kind, label, operations, about = row
    return ChangeSet(number, at, actor, hint, kind, label, operations, about, tuple(files))


def intent_row(intent: Intent) -> tuple[str, str, str, int | None]:
    """What an intent puts into its change row: kind, label, operations, about."""
    return (intent.kind, intent.label, intent.operations, intent.about)


def is_known(known: FileChange | None, now: str | None) -> bool:
    """Whether bytes are no news: the newest version, or what a write under way has not replaced yet."""
    if known is None:
        return now is None
    return known.after == now or (known.state == "intended" and known.before == now)


def digest_of(data: bytes | None) -> str | None:
    """SHA-256 of the bytes; None for no file."""
    return None if data is None else digest(data)


def store_blob(db: sqlite3.Connection, data: bytes | None) -> str | None:
    """Keep the bytes once, by their SHA-256, which is returned; None for no file."""
    if data is None:
        return None
    name = digest(data)
    db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", (name, len(data), data))
    return name


def latest_change(db: sqlite3.Connection, name: str) -> FileChange | None:
    """The newest change of a file that is not known to have failed; None when it was never seen."""
    row = db.execute(LATEST, (name,)).fetchone()
    return None if row is None else FileChange(*row)


def holds(db: sqlite3.Connection, data: bytes | None) -> bool:
    """Whether the history has these bytes already; it always has "no file"."""
    if data is None:
        return True
    return db.execute("SELECT 1 FROM blobs WHERE sha256 = ?", (digest(data),)).fetchone() is not None


def of_several(db: sqlite3.Connection, known: FileChange) -> bool:
    """Whether a file's newest change, still unsettled, belongs to a change set over several files."""
    row = db.execute(
        "SELECT count(*) FROM files WHERE change ="
        " (SELECT max(change) FROM files WHERE path = ? AND state = 'intended')",
        (known.path,),
    ).fetchone()
    return bool(row[0] > 1)
