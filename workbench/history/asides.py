"""What the owner has set aside: alerts dismissed for good or until a time, by the id of the alert.

The table is made when something is first set aside, so that a history which has none, or an older one, reads as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import HistoryUnavailable
from workbench.history.database import Database

if TYPE_CHECKING:
    from workbench.history.turns import Turns

# An id contains the content it is about, so ids of what has changed since only pile up.
_KEPT = 2_000
# Four versions make two in turn.
_FEWEST = 4
_TABLE = "CREATE TABLE IF NOT EXISTS asides (alert TEXT PRIMARY KEY, until REAL, at REAL NOT NULL)"
_THERE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'asides'"
# As many as it takes to tell whether two programs overwrite a file in turn.
_LAST = (
    "SELECT c.kind, c.actor, f.before, f.after, c.at FROM files f JOIN changes c ON c.id = f.change"
    " WHERE f.path = ? AND f.state != 'not' ORDER BY f.change DESC LIMIT 24"
)


@dataclass(frozen=True)
class LastSeen:
    """The newest change known of a file: its kind, who made it, SHA-256 before and after (None: no file)."""

    kind: str
    actor: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Glance:
    """What one look at a history tells: alerts set aside (id to Unix seconds, None for good), and files last seen.

    `turns` are the files that two writers overwrite in turn.
    """

    asides: Mapping[str, float | None] = field(default_factory=dict)
    seen: Mapping[str, LastSeen] = field(default_factory=dict)
    turns: Mapping[str, Turns] = field(default_factory=dict)


def glance(home: Path, names: Sequence[str], database: Database | None = None) -> Glance:
    """Look at a home's history without opening it for writing; an unreadable or missing one tells nothing.

    `names` are files as the history names them. `database` is an open one to ask instead.
    """
    if database is not None:
        return _ask(database, names)
    try:
        with closing(Database(home / "workbench", read_only=True)) as opened:
            return _ask(opened, names)
    except HistoryUnavailable:
        return Glance()


def _ask(database: Database, names: Sequence[str]) -> Glance:
    try:
        asides = {str(alert): until for alert, until in _rows(database)}
        found = {name: database.read(_LAST, (name,)) for name in names}
    except HistoryUnavailable:
        return Glance()
    turns = {name: turn for name, rows in found.items() if (turn := _in_turn(rows)) is not None}
    return Glance(asides, {name: LastSeen(*rows[0][:4]) for name, rows in found.items() if rows}, turns)


def _in_turn(rows: Sequence[tuple[str, str, str | None, str | None, float]]) -> Turns | None:
    """Whether the newest of these versions of a file (newest first) are two contents in turn."""
    # Most homes are quiet, and asked about at every start: no content comes back, so nobody quarrels.
    if len(rows) < _FEWEST or len({after for _, _, _, after, _ in rows}) == len(rows):
        return None
    from workbench.history.turns import Stay, taking_turns

    return taking_turns([Stay(after, at, actor == "workbench") for _, actor, _, after, at in reversed(rows)])


def _rows(database: Database) -> list[tuple[str, float | None]]:
    rows = database.read("SELECT alert, until FROM asides") if database.read(_THERE) else []
    return [(str(alert), None if until is None else float(until)) for alert, until in rows]


def set_aside(database: Database, alert: str, until: float | None, now: float) -> None:
    """Set an alert aside until a time (Unix seconds), or for good with None. Raises HistoryUnavailable."""
    with database.transaction() as db:
        db.execute(_TABLE)
        db.execute("INSERT OR REPLACE INTO asides VALUES (?, ?, ?)", (alert, until, now))
        db.execute("DELETE FROM asides WHERE until IS NOT NULL AND until < ?", (now,))
        db.execute(
            "DELETE FROM asides WHERE alert NOT IN (SELECT alert FROM asides ORDER BY at DESC LIMIT ?)", (_KEPT,)
        )


def take_up(database: Database, alert: str) -> bool:
    """Show an alert again; False when it was not set aside. Raises HistoryUnavailable."""
    with database.transaction() as db:
        db.execute(_TABLE)
        return db.execute("DELETE FROM asides WHERE alert = ?", (alert,)).rowcount > 0
