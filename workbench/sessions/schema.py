"""What a state.db holds, looked at once: tables, columns, the shape of its full text. Queries are built from it.

The client adds columns lazily and leaves old full-text shapes in place, so any mixture occurs whatever the version
number says (seen: 6 to 31).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

KNOWN_VERSION = 31
FTS = "messages_fts"
TRIGRAM = "messages_fts_trigram"
# Sources that recall never shows: 0.13/0.14 hide tool, 0.19 subagent too, 0.22 kanban too. Asked for, they appear.
HIDDEN_SOURCES = ("kanban", "subagent", "tool")
# Shown after everything else from 0.19 on.
LAST_SOURCES = ("cron",)


@dataclass(frozen=True)
class Capability:
    """One database's tables and columns, and what can be asked of its full text.

    `fts` and `trigram` are None (absent), "inline" (the text is stored in the table) or "external" (over `messages`
    or a view). `damaged` says why the schema itself could not be read as it is, "" when it could. `rebuilding` is
    (progress, high water): message ids between the two are not indexed now. `stale`: the client says that the
    index is not to be trusted.
    """

    tables: frozenset[str]
    sessions: frozenset[str]
    messages: frozenset[str]
    version: int | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    fts: str | None = None
    fts_columns: tuple[str, ...] = ()
    tokenizer: str = ""
    trigram: str | None = None
    trigram_columns: tuple[str, ...] = ()
    indexes: frozenset[str] = frozenset()
    damaged: str = ""

    @property
    def rebuilding(self) -> tuple[int, int] | None:
        """The ids (exclusive, inclusive) that a running rebuild has not reached, None when there is none."""
        try:
            high = int(self.meta["fts_rebuild_high_water"])
            return int(self.meta.get("fts_rebuild_progress", "0")), high
        except (KeyError, ValueError):
            return None

    @property
    def stale(self) -> bool:
        """Whether the client marked its index as not to be trusted."""
        return self.meta.get("fts_stale", "") not in ("", "0", "false")

    @property
    def newer(self) -> bool:
        """Whether the schema is newer than the newest one this was written against."""
        return self.version is not None and self.version > KNOWN_VERSION

    @property
    def has_undo(self) -> bool:
        """Whether rows can be undone or compacted at all (from 0.19 on)."""
        return "active" in self.messages

    def has(self, table: str, column: str) -> bool:
        """Whether `sessions` or `messages` has the column."""
        return column in (self.sessions if table == "sessions" else self.messages)

    def expr(self, table: str, column: str, default: str = "NULL", alias: str = "") -> str:
        """SQL of a column of `sessions` or `messages`; `default` (SQL) where it is missing or NULL.

        `alias` is the table's name in the query, the table itself when empty.
        """
        if not self.has(table, column):
            return default
        name = f"{alias or table}.{column}"
        return name if default == "NULL" else f"coalesce({name}, {default})"

    def undone(self, alias: str = "messages") -> str:
        """SQL: the row was taken back by the user, or (0.22) is the superseded original of a carried row."""
        active = self.expr("messages", "active", "1", alias)
        return f"({active} = 0 AND {self.expr('messages', 'compacted', '0', alias)} = 0)"

    def live(self, alias: str = "messages") -> str:
        """SQL: the row is part of the record, live or archived by a compression in place; never undone."""
        return f"NOT {self.undone(alias)}" if self.has_undo else "1"

    def compacted(self, alias: str = "messages") -> str:
        """SQL: the row was archived by a compression in place."""
        active = self.expr("messages", "active", "1", alias)
        return f"({active} = 0 AND {self.expr('messages', 'compacted', '0', alias)} <> 0)"

    def text(self, alias: str = "messages") -> str:
        """SQL of all that a search looks at in a message: content, tool name and tool calls, space between."""
        parts = [self.expr("messages", column, "''", alias) for column in ("content", "tool_name", "tool_calls")]
        return " || ' ' || ".join(part for part in parts if part != "''")


def look(db: sqlite3.Connection) -> Capability:
    """Look at an open database; a schema that SQLite refused at first is marked as damaged. Raises sqlite3.Error."""
    rows = db.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    # The connection was opened that way because the schema could not be read otherwise.
    lenient = db.execute("PRAGMA writable_schema").fetchone()[0]
    tables = {name: sql for kind, name, sql in rows if kind == "table"}
    fts = _shape(db, tables, FTS)
    trigram = _shape(db, tables, TRIGRAM)
    return Capability(
        tables=frozenset(tables),
        sessions=_columns(db, "sessions"),
        messages=_columns(db, "messages"),
        version=_version(db) if "schema_version" in tables else None,
        meta=_meta(db) if "state_meta" in tables else {},
        fts=fts,
        fts_columns=_ordered(db, FTS) if fts else (),
        tokenizer=_tokenizer(tables.get(FTS, "")) if fts else "",
        trigram=trigram if "trigram" in _tokenizer(tables.get(TRIGRAM, "")) else None,
        trigram_columns=_ordered(db, TRIGRAM) if trigram else (),
        indexes=frozenset(name for kind, name, _sql in rows if kind == "index"),
        damaged="its schema cannot be read as it is" if lenient else "",
    )


def _ordered(db: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(str(row[1]) for row in db.execute(f"PRAGMA table_info({table})"))


def _columns(db: sqlite3.Connection, table: str) -> frozenset[str]:
    return frozenset(_ordered(db, table))


def _shape(db: sqlite3.Connection, tables: Mapping[str, str], name: str) -> str | None:
    sql = tables.get(name, "")
    if not re.search(r"using\s+fts5", sql, re.IGNORECASE) or f"{name}_data" not in tables:
        return None
    try:
        db.execute(f"SELECT rowid FROM {name} LIMIT 0")
    except sqlite3.Error:
        # An unknown tokenizer, or shadow tables that do not fit: as good as absent, the scan takes over.
        return None
    return "external" if re.search(r"\bcontent\s*=", sql, re.IGNORECASE) else "inline"


def _tokenizer(sql: str) -> str:
    found = re.search(r"tokenize\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([\w ]+))", sql, re.IGNORECASE)
    return next((part for part in found.groups() if part), "unicode61") if found else "unicode61"


def _version(db: sqlite3.Connection) -> int | None:
    row = db.execute("SELECT max(version) FROM schema_version").fetchone()
    return row[0] if row and isinstance(row[0], int) else None


def _meta(db: sqlite3.Connection) -> dict[str, str]:
    return {str(key): str(value) for key, value in db.execute("SELECT key, value FROM state_meta")}
