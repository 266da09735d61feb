"""What the owner lays aside in history.db without being history: drafts, and suggestions that are not wanted.

The tables are made when something is first put on the shelf, so that a database of an earlier workbench needs no
change of its schema, and one that is only read none at all.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from workbench.errors import DraftMoved, ReadOnly, Usage
from workbench.history.history import History

_TABLES = (
    "CREATE TABLE IF NOT EXISTS curation_dismissals (id TEXT PRIMARY KEY, kind TEXT NOT NULL, at REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS curation_drafts (id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL,"
    " at REAL NOT NULL, changed REAL NOT NULL, body TEXT NOT NULL)",
)


@dataclass(frozen=True)
class Sheet:
    """A draft as it is kept: `version` grows by one with every change, times are Unix seconds, `body` is JSON."""

    id: int
    version: int
    at: float
    changed: float
    body: str


class Shelf:
    """The shelf of one history. Every change is durable when the call returns."""

    def __init__(self, history: History) -> None:
        self._history = history

    # -- suggestions that are not wanted ------------------------------------------------------------------------

    def dismissed(self) -> frozenset[str]:
        """Ids of the suggestions that were dismissed."""
        return frozenset(row[0] for row in self._read("curation_dismissals", "SELECT id FROM curation_dismissals"))

    def dismiss(self, ident: str, kind: str) -> None:
        """Do not want a suggestion any more, for this content for good. Raises ReadOnly, HistoryUnavailable."""
        with self._writing() as db:
            row = (ident, kind, self._history.now())
            db.execute("INSERT OR IGNORE INTO curation_dismissals VALUES (?, ?, ?)", row)

    def want_again(self, ident: str) -> bool:
        """Take a dismissal back; whether there was one."""
        with self._writing() as db:
            return db.execute("DELETE FROM curation_dismissals WHERE id = ?", (ident,)).rowcount > 0

    # -- drafts -------------------------------------------------------------------------------------------------

    def sheets(self) -> tuple[Sheet, ...]:
        """All drafts, the one changed last first."""
        sql = "SELECT id, version, at, changed, body FROM curation_drafts ORDER BY changed DESC, id DESC"
        return tuple(Sheet(*row) for row in self._read("curation_drafts", sql))

    def sheet(self, number: int) -> Sheet:
        """One draft. Raises Usage when there is none with this number."""
        sql = "SELECT id, version, at, changed, body FROM curation_drafts WHERE id = ?"
        rows = self._read("curation_drafts", sql, (number,))
        if not rows:
            raise Usage(f"There is no draft {number}; `workbench memory draft list` lists them.")
        return Sheet(*rows[0])

    def lay(self, body: str) -> Sheet:
        """Begin a draft."""
        with self._writing() as db:
            now = self._history.now()
            done = db.execute(
                "INSERT INTO curation_drafts (version, at, changed, body) VALUES (1, ?, ?, ?)", (now, now, body)
            )
            return Sheet(int(done.lastrowid or 0), 1, now, now, body)

    def change(self, sheet: Sheet, body: str) -> Sheet:
        """Give a draft another body, if nobody has changed it since `sheet` was read. Raises DraftMoved."""
        with self._writing() as db:
            now = self._history.now()
            done = db.execute(
                "UPDATE curation_drafts SET version = version + 1, changed = ?, body = ? WHERE id = ? AND version = ?",
                (now, body, sheet.id, sheet.version),
            )
            if done.rowcount != 1:
                raise DraftMoved(sheet.id)
            return Sheet(sheet.id, sheet.version + 1, sheet.at, now, body)

    def drop(self, sheet: Sheet) -> None:
        """Throw a draft away, if nobody has changed it since `sheet` was read. Raises DraftMoved."""
        with self._writing() as db:
            done = db.execute("DELETE FROM curation_drafts WHERE id = ? AND version = ?", (sheet.id, sheet.version))
            if done.rowcount != 1:
                raise DraftMoved(sheet.id)

    def holding(self, text: str) -> list[Sheet]:
        """The drafts that hold a text."""
        piece = json.dumps(text, ensure_ascii=False)[1:-1]
        return [sheet for sheet in self.sheets() if piece in sheet.body]

    def forget(self, text: str) -> int:
        """Throw every draft away that holds a text which its owner wants forgotten; returns how many there were."""
        found = self.holding(text)
        for sheet in found:
            self.drop(sheet)
        return len(found)

    # -- statements ---------------------------------------------------------------------------------------------

    def _read(self, table: str, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._history.rows_of(table, sql, values)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self._history.read_only:
            raise ReadOnly(self._history.home)
        with self._history.transaction() as db:
            for statement in _TABLES:
                db.execute(statement)
            yield db
