"""Small state.db files in the shapes that the client's generations leave behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from workbench.sessions.database import connect
from workbench.sessions.found import Found
from workbench.sessions.schema import look
from workbench.sessions.search import search

SHAPES = ("inline-11", "inline-22", "external", "absent")
_OLD_SESSIONS = "id TEXT PRIMARY KEY, source TEXT, model TEXT, model_config TEXT, system_prompt TEXT, " + (
    "parent_session_id TEXT, started_at REAL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, "
    "title TEXT"
)
_OLD_MESSAGES = (
    "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, "
    "tool_calls TEXT, tool_name TEXT, timestamp REAL, token_count INTEGER, reasoning TEXT"
)
_NEW = ", active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0"
_VERSIONS = {"inline-11": 11, "inline-22": 22, "external": 31, "absent": 22}
ALL_TEXT = "coalesce(content, '') || ' ' || coalesce(tool_name, '') || ' ' || coalesce(tool_calls, '')"
START = 1_760_000_000.0


class Made:
    """A database being made: add sessions and messages, then `index`."""

    def __init__(self, path: Path, shape: str) -> None:
        self.path, self.shape = path, shape
        self.new = shape != "inline-11"
        with self.db() as db:
            db.execute(f"CREATE TABLE sessions ({_OLD_SESSIONS}{', archived INTEGER DEFAULT 0, cwd TEXT' * self.new})")
            db.execute(f"CREATE TABLE messages ({_OLD_MESSAGES}{_NEW * self.new})")
            db.execute("CREATE TABLE schema_version (version INTEGER)")
            db.execute("INSERT INTO schema_version VALUES (?)", (_VERSIONS[shape],))
            db.execute("CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT)")
            db.execute("CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL")
            db.execute("CREATE INDEX idx_messages_session ON messages(session_id, timestamp)")

    @contextmanager
    def db(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path)) as db:
            yield db
            db.commit()

    def session(self, ident: str, source: str = "cli", **more: Any) -> Made:
        values = {"id": ident, "source": source, "started_at": START, **more}
        self._insert("sessions", values)
        return self

    def say(self, session: str, text: str | None, role: str = "user", **more: Any) -> int:
        values = {"session_id": session, "role": role, "content": text, "timestamp": START, **more}
        return self._insert("messages", values)

    def _insert(self, table: str, values: dict[str, Any]) -> int:
        with self.db() as db:
            names, marks = ", ".join(values), ", ".join("?" * len(values))
            number = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values())).lastrowid
        assert number is not None
        return number

    def index(self) -> Made:
        with self.db() as db:
            if self.shape.startswith("inline"):
                for name, more in (("messages_fts", ""), ("messages_fts_trigram", ", tokenize='trigram'")):
                    db.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(content{more})")
                    db.execute(f"INSERT INTO {name}(rowid, content) SELECT id, {ALL_TEXT} FROM messages")
            elif self.shape == "external":
                _external(db)
        return self

    def find(self, text: str, **more: Any) -> Found:
        """Open it as the workbench does and search."""
        with closing(connect(self.path)) as db:
            return search(db, look(db), text, **more)


def _external(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE VIEW messages_fts_src AS SELECT id, CASE WHEN role = 'tool' THEN substr(coalesce(content, ''), 1, 8192)"
        " ELSE content END AS content, tool_name, tool_calls FROM messages"
    )
    db.execute(
        "CREATE VIEW messages_fts_trigram_src AS SELECT m.id, m.content, m.tool_name FROM messages m"
        " JOIN sessions s ON s.id = m.session_id WHERE m.role <> 'tool' AND s.source NOT IN ('cron', 'subagent')"
    )
    db.execute(
        "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls, content='messages_fts_src',"
        " content_rowid='id')"
    )
    db.execute(
        "CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tool_name, content='messages_fts_trigram_src',"
        " content_rowid='id', tokenize='trigram')"
    )
    for name in ("messages_fts", "messages_fts_trigram"):
        db.execute(f"INSERT INTO {name}({name}) VALUES ('rebuild')")


def made(folder: Path, shape: str, texts: Sequence[str] = ()) -> Made:
    """A database with one session `s1` that holds the texts, indexed if there are any."""
    folder.mkdir(parents=True, exist_ok=True)
    out = Made(folder / "state.db", shape).session("s1")
    for text in texts:
        out.say("s1", text)
    return out.index() if texts else out


def ids(found: Found) -> list[int | None]:
    """The message ids shown, conversation by conversation."""
    return [hit.message_id for result in found.results for hit in result.shown]


def sessions(found: Found) -> list[str]:
    """The sessions found, in order."""
    return [result.session_id for result in found.results]
