"""The tables of a state.db as client 0.19 (schema version 22) has them, written from a description of the columns."""

from __future__ import annotations

import sqlite3

VERSION = 22

# "name type extra"; a missing type is TEXT.
SESSION_COLUMNS = """
id TEXT PRIMARY KEY|source TEXT NOT NULL|user_id|session_key|chat_id|chat_type|thread_id|display_name|origin_json
expiry_finalized INTEGER DEFAULT 0|model|model_config|system_prompt
parent_session_id TEXT REFERENCES sessions(id)|started_at REAL NOT NULL|ended_at REAL|end_reason
message_count INTEGER DEFAULT 0|tool_call_count INTEGER DEFAULT 0|input_tokens INTEGER DEFAULT 0
output_tokens INTEGER DEFAULT 0|cache_read_tokens INTEGER DEFAULT 0|cache_write_tokens INTEGER DEFAULT 0
reasoning_tokens INTEGER DEFAULT 0|cwd|git_branch|git_repo_root|billing_provider|billing_base_url|billing_mode
estimated_cost_usd REAL|actual_cost_usd REAL|cost_status|cost_source|pricing_version|title
api_call_count INTEGER DEFAULT 0|handoff_state|handoff_platform|handoff_error
compression_failure_cooldown_until REAL|compression_failure_error
compression_fallback_streak INTEGER NOT NULL DEFAULT 0|profile_name|rewind_count INTEGER NOT NULL DEFAULT 0
archived INTEGER NOT NULL DEFAULT 0
"""

MESSAGE_COLUMNS = """
id INTEGER PRIMARY KEY AUTOINCREMENT|session_id TEXT NOT NULL REFERENCES sessions(id)|role TEXT NOT NULL|content
tool_call_id|tool_calls|tool_name|effect_disposition|timestamp REAL NOT NULL|token_count INTEGER|finish_reason
reasoning|reasoning_content|reasoning_details|codex_reasoning_items|codex_message_items|platform_message_id
observed INTEGER DEFAULT 0|active INTEGER NOT NULL DEFAULT 1|compacted INTEGER NOT NULL DEFAULT 0|api_content
"""

USAGE_COLUMNS = """
session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE|model TEXT NOT NULL
billing_provider TEXT NOT NULL DEFAULT ''|billing_base_url TEXT NOT NULL DEFAULT ''
billing_mode TEXT NOT NULL DEFAULT ''|task TEXT NOT NULL DEFAULT ''|api_call_count INTEGER NOT NULL DEFAULT 0
input_tokens INTEGER NOT NULL DEFAULT 0|output_tokens INTEGER NOT NULL DEFAULT 0
cache_read_tokens INTEGER NOT NULL DEFAULT 0|cache_write_tokens INTEGER NOT NULL DEFAULT 0
reasoning_tokens INTEGER NOT NULL DEFAULT 0|estimated_cost_usd REAL NOT NULL DEFAULT 0
actual_cost_usd REAL NOT NULL DEFAULT 0|cost_status|cost_source|first_seen REAL|last_seen REAL
PRIMARY KEY (session_id, model, billing_provider, billing_base_url, billing_mode, task)
"""

DELEGATION_COLUMNS = """
delegation_id TEXT PRIMARY KEY|origin_session TEXT NOT NULL|origin_ui_session_id TEXT NOT NULL DEFAULT ''
parent_session_id|state TEXT NOT NULL|dispatched_at REAL NOT NULL|completed_at REAL|updated_at REAL NOT NULL
event_json|result_json|delivery_state TEXT NOT NULL DEFAULT 'pending'|delivery_attempts INTEGER NOT NULL DEFAULT 0
delivered_at REAL|owner_pid INTEGER|owner_started_at INTEGER|task_json|delivery_claim|delivery_claimed_at REAL
"""

TABLES = {
    "schema_version": "version INTEGER NOT NULL",
    "sessions": SESSION_COLUMNS,
    "messages": MESSAGE_COLUMNS,
    "session_model_usage": USAGE_COLUMNS,
    "state_meta": "key TEXT PRIMARY KEY|value",
    "gateway_routing": "scope TEXT NOT NULL DEFAULT ''|session_key TEXT NOT NULL|entry_json TEXT NOT NULL"
    "|updated_at REAL NOT NULL|PRIMARY KEY (scope, session_key)",
    "compression_locks": "session_id TEXT PRIMARY KEY|holder TEXT NOT NULL|acquired_at REAL NOT NULL"
    "|expires_at REAL NOT NULL",
    "async_delegations": DELEGATION_COLUMNS,
}

# index name after "idx_": what it covers
INDEXES = {
    "sessions_source": "sessions(source)",
    "sessions_source_id": "sessions(source, id)",
    "sessions_parent": "sessions(parent_session_id)",
    "sessions_started": "sessions(started_at DESC)",
    "sessions_session_key": "sessions(session_key, started_at DESC)",
    "sessions_gateway_peer": "sessions(source, user_id, chat_id, chat_type, thread_id, started_at DESC)",
    "sessions_handoff_state": "sessions(handoff_state, started_at)",
    "messages_session": "messages(session_id, timestamp)",
    "messages_session_active": "messages(session_id, active, timestamp)",
    "messages_active_null": "messages(active) WHERE active IS NULL",
    "messages_platform_msg_id": "messages(session_id, platform_message_id) WHERE platform_message_id IS NOT NULL",
    "compression_locks_expires": "compression_locks(expires_at)",
    "session_model_usage_session": "session_model_usage(session_id)",
    "session_model_usage_model": "session_model_usage(model)",
    "async_delegations_delivery": "async_delegations(delivery_state, completed_at)",
}

FULL_TEXT = {"messages_fts": "content", "messages_fts_trigram": "content, tokenize='trigram'"}


def create_tables(db: sqlite3.Connection) -> None:
    """Tables and the schema's version; indexes and full text come later, so that bulk rows land without them."""
    for name, columns in TABLES.items():
        parts = columns.strip().replace("\n", "|").split("|")
        db.execute(f"CREATE TABLE {name} ({', '.join(p if ' ' in p else f'{p} TEXT' for p in parts)})")
    db.execute("INSERT INTO schema_version VALUES (?)", (VERSION,))


def create_indexes(db: sqlite3.Connection) -> None:
    """The ordinary indexes, and the rule that a title is unique."""
    for name, covers in INDEXES.items():
        db.execute(f"CREATE INDEX idx_{name} ON {covers}")
    db.execute("CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL")


def indexed_text(row: str) -> str:
    """The SQL for what both full-text tables hold of a message; `row` is a table's name or `new`."""
    parts = (f"coalesce({row}.{column}, '')" for column in ("content", "tool_name", "tool_calls"))
    return " || ' ' || ".join(parts)


def create_full_text(db: sqlite3.Connection) -> None:
    """The two full-text tables, empty and without the triggers that keep them."""
    for name, arguments in FULL_TEXT.items():
        db.execute(f"CREATE VIRTUAL TABLE {name} USING fts5({arguments})")


def create_triggers(db: sqlite3.Connection) -> None:
    """Whatever happens to a message happens to its full text, in both tables."""
    for name in FULL_TEXT:
        drop = f"DELETE FROM {name} WHERE rowid = old.id;"
        add = f"INSERT INTO {name}(rowid, content) VALUES (new.id, {indexed_text('new')});"
        for event, body in (("insert", add), ("delete", drop), ("update", f"{drop} {add}")):
            db.execute(f"CREATE TRIGGER {name}_{event} AFTER {event.upper()} ON messages BEGIN {body} END")
