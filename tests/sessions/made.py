"""Small databases of the shapes that clients wrote, made row by row."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable
from typing import Any

from workbench.sessions.schema import Capability, look

# generation: (schema version, columns of sessions, columns of messages) beyond the common ones
_SESSIONS = (
    "id TEXT PRIMARY KEY, source TEXT, model TEXT, model_config TEXT, system_prompt TEXT, parent_session_id TEXT, "
    "started_at REAL, ended_at REAL, end_reason TEXT, message_count INTEGER, tool_call_count INTEGER, "
    "input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, "
    "reasoning_tokens INTEGER, estimated_cost_usd REAL, title TEXT"
)
_MESSAGES = (
    "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, "
    "tool_calls TEXT, tool_name TEXT, timestamp REAL, token_count INTEGER, reasoning TEXT"
)
_INDEXES = (
    "CREATE INDEX idx_sessions_source ON sessions(source)",
    "CREATE INDEX idx_sessions_parent ON sessions(parent_session_id)",
    "CREATE INDEX idx_sessions_started ON sessions(started_at DESC)",
    "CREATE INDEX idx_messages_session ON messages(session_id, timestamp)",
)
_STATES = (
    ", active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0",
    ("CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp)",),
)
_GROUPS = (
    ", display_kind TEXT, display_order INTEGER, _compressed_summary INTEGER",
    (
        "CREATE INDEX idx_messages_session_id ON messages(session_id, id)",
        "CREATE INDEX idx_messages_display_page ON messages(session_id, display_order, active DESC, id DESC) "
        "WHERE active = 1 OR compacted = 1",
        "CREATE INDEX idx_sessions_effective_activity "
        "ON sessions(COALESCE(last_activity_at, started_at) DESC, started_at DESC)",
    ),
)


class Made:
    """A database in memory; rows are given as keywords, the rest is null."""

    def __init__(self, generation: str = "0.19", path: str = ":memory:") -> None:
        self.generation = generation
        self.db = sqlite3.connect(path, isolation_level=None)
        later = generation in ("0.19", "0.22")
        sessions = _SESSIONS + (", archived INTEGER DEFAULT 0, cwd TEXT" if later else "")
        messages, indexes = _MESSAGES, list(_INDEXES)
        if later:
            messages += _STATES[0]
            indexes += _STATES[1]
        if generation == "0.22":
            sessions += ", last_activity_at REAL, hidden INTEGER DEFAULT 0, system_prompt_hash TEXT"
            messages += _GROUPS[0]
            indexes += _GROUPS[1]
            self.db.execute("CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT)")
        self.db.execute(f"CREATE TABLE sessions ({sessions})")
        self.db.execute(f"CREATE TABLE messages ({messages})")
        for sql in indexes:
            self.db.execute(sql)
        self.db.execute("CREATE TABLE schema_version (version INTEGER)")
        version = {"0.13": 11, "0.19": 22, "0.22": 31}[generation]
        self.db.execute("INSERT INTO schema_version VALUES (?)", (version,))
        self._clock = itertools.count(1_760_000_000, 10)

    @property
    def cap(self) -> Capability:
        return look(self.db)

    def session(self, ident: str, parent: str | None = None, **more: Any) -> str:
        """Add a session; `mark` names a key of model_config."""
        mark = more.pop("mark", None)
        row: dict[str, Any] = {"id": ident, "source": "cli", "parent_session_id": parent, "message_count": 0}
        row["started_at"] = float(next(self._clock))
        if mark is not None:
            row["model_config"] = json.dumps({mark: parent})
        return str(self._insert("sessions", {**row, **more}) and ident)

    def say(self, session: str, text: Any = "hello", role: str | None = "user", **more: Any) -> int:
        row = {"session_id": session, "role": role, "content": text, "timestamp": float(next(self._clock))}
        if self.generation == "0.22" and "display_order" not in more:
            (newest,) = self.db.execute("SELECT coalesce(max(id), 0) FROM messages").fetchone()
            row["display_order"] = newest + 1
        return self._insert("messages", {**row, **more})

    def end(self, session: str, reason: str = "compression", **more: Any) -> None:
        values = {"ended_at": float(next(self._clock)), "end_reason": reason, **more}
        names = ", ".join(f"{name} = ?" for name in values)
        self.db.execute(f"UPDATE sessions SET {names} WHERE id = ?", (*values.values(), session))

    def steps(self, ask: Callable[[], object]) -> int:
        """How much work SQLite does for `ask`, in hundreds of its instructions: the same on every machine."""
        count = 0

        def tick() -> int:
            nonlocal count
            count += 1
            return 0

        self.db.set_progress_handler(tick, 100)
        try:
            ask()
        finally:
            self.db.set_progress_handler(None, 0)
        return count

    def _insert(self, table: str, row: dict[str, Any]) -> int:
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        done = self.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
        return int(done.lastrowid or 0)
