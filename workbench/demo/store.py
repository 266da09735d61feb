"""Writes state.db: the told sessions, or any number of generated ones."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from workbench.demo import schema
from workbench.demo.story import MODEL, Session

SESSION_FIELDS = (
    "id", "source", "user_id", "chat_id", "chat_type", "model", "model_config", "system_prompt",
    "parent_session_id", "started_at", "ended_at", "end_reason", "message_count", "tool_call_count",
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "estimated_cost_usd",
    "cwd", "git_branch", "title", "api_call_count", "rewind_count", "archived",
)  # fmt: skip
MESSAGE_FIELDS = (
    "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "finish_reason",
    "reasoning", "active", "compacted",
)  # fmt: skip
Row = tuple[Any, ...]


@contextmanager
def building(path: Path) -> Iterator[sqlite3.Connection]:
    """A new database at `path`, left in WAL mode (as the client has it) without `-wal` and `-shm` beside it.

    Until it is complete nothing is synced: a crash leaves a demo that is made again.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("PRAGMA cache_size=-65536")
        schema.create_tables(db)
        db.execute("BEGIN")
        yield db
        if db.in_transaction:
            db.execute("COMMIT")
    # Journal mode OFF does not lead to WAL on the same connection.
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def insert(db: sqlite3.Connection, table: str, columns: tuple[str, ...], rows: Iterable[Row]) -> None:
    """Insert rows one after another, however many there are."""
    marks = ", ".join("?" * len(columns))
    db.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def write_story(path: Path, sessions: list[Session]) -> None:
    """The told sessions with all their indexes; the triggers fill the full text."""
    with building(path) as db:
        schema.create_indexes(db)
        schema.create_full_text(db)
        schema.create_triggers(db)
        for session in sessions:
            rows = list(_message_rows(session))
            insert(db, "sessions", SESSION_FIELDS, [_session_row(session, rows[-1][6])])
            insert(db, "messages", MESSAGE_FIELDS, rows)


def _message_rows(session: Session) -> Iterator[Row]:
    when = session.started
    times: list[float] = []
    for message in session.messages:
        if message.copy_of is None:
            when = round(when + message.gap * session.gap_scale, 3)
            times.append(when)
        else:
            times.append(times[message.copy_of])
        yield (
            session.id, message.role, message.content, message.tool_call_id, message.tool_calls,
            message.tool_name, times[-1], message.finish_reason, message.reasoning, message.active,
            message.compacted,
        )  # fmt: skip


def _session_row(session: Session, last: float) -> Row:
    live = [m for m in session.messages if m.active]
    calls = sum(m.tool_calls is not None for m in live)
    turns = sum(m.role == "assistant" for m in live)
    config = json.dumps(session.config) if session.config else None
    chat = f"chat-{session.source}" if session.source in ("telegram", "discord") else None
    return (
        session.id, session.source, "robin" if chat else None, chat, "dm" if chat else None, MODEL, config,
        session.prompt, session.parent, session.started, last + 2 if session.end_reason else None,
        session.end_reason or None, len(live), calls, 1200 * turns, 300 * turns, 900 * turns, 100 * turns,
        round(0.004 * turns, 4), session.cwd, "main" if session.cwd else None, session.title, turns,
        session.rewinds, session.archived,
    )  # fmt: skip
