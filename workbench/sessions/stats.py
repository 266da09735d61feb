"""Figures about a whole database: what is in it, what it took, how big it is and whether its index can be trusted.

Every figure comes from one pass over the small table of sessions, or from an index; the one that needs the messages
themselves (tools and roles) looks at the newest ones only and says how many.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workbench.sessions.lineage import moment
from workbench.sessions.schema import Capability
from workbench.sessions.transcript import Usage, cost_sql

# Newest messages looked at for roles, months and tools; about 0.1 s of reading.
SAMPLE = 50_000
_SUMS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_tokens",
    "cache_write_tokens": "cache_write_tokens",
    "reasoning_tokens": "reasoning_tokens",
    "tool_calls": "tool_call_count",
}
_SIDE_FILES = ("", "-wal", "-shm")


@dataclass(frozen=True)
class Stats:
    """Counts by name, most first. `sampled` is how many of the newest messages `roles`, `months` and `tools` are about.

    `months` are local calendar months (2025-10); `bytes` is the size on disk with its side files; `first` and `last`
    are Unix seconds. `index` is ok, stale, rebuilding, absent or damaged.
    """

    sessions: int
    archived: int
    messages: int
    sources: Mapping[str, int]
    models: Mapping[str, int]
    usage: Usage
    first: float | None
    last: float | None
    bytes: int
    index: str
    version: int | None
    sampled: int = 0
    roles: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    tools: Mapping[str, int] = field(default_factory=dict)


def stats(db: sqlite3.Connection, cap: Capability, path: Path) -> Stats:
    """The figures of a database; `path` is its file."""
    sums = ", ".join(f"total({cap.expr('sessions', name, '0', 's')})" for name in _SUMS.values())
    archived = cap.expr("sessions", "archived", "0", "s")
    row = db.execute(f"SELECT count(*), total({archived} <> 0), {sums}, sum({cost_sql(cap, 's')}) FROM sessions s")
    figures = row.fetchone()
    (messages,) = db.execute("SELECT count(*) FROM messages").fetchone()
    roles, months, tools, sampled = _newest(db, cap)
    return Stats(
        sessions=figures[0],
        archived=int(figures[1]),
        messages=messages,
        sources=_counted(db, cap, "source"),
        models=_counted(db, cap, "model"),
        usage=Usage(**{name: int(value) for name, value in zip(_SUMS, figures[2:8], strict=True)}, cost=figures[8]),
        first=_started(db, "min"),
        last=_started(db, "max"),
        bytes=size_on_disk(path),
        index=index_state(cap),
        version=cap.version,
        sampled=sampled,
        roles=roles,
        months=months,
        tools=tools,
    )


def index_state(cap: Capability) -> str:
    """What is known of the full-text index without reading it: ok, stale, rebuilding, absent or damaged."""
    if cap.damaged:
        return "damaged"
    if cap.fts is None:
        return "absent"
    if cap.stale:
        return "stale"
    return "rebuilding" if cap.rebuilding else "ok"


def size_on_disk(path: Path) -> int:
    """Bytes of a database with its `-wal` and `-shm`."""
    total = 0
    for suffix in _SIDE_FILES:
        side = Path(f"{path}{suffix}")
        if side.exists():
            total += side.stat().st_size
    return total


def _counted(db: sqlite3.Connection, cap: Capability, column: str) -> dict[str, int]:
    name = cap.expr("sessions", column, "NULL", "s")
    sql = f"SELECT {name}, count(*) FROM sessions s WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50"
    return {str(value): number for value, number in db.execute(sql)}


def _started(db: sqlite3.Connection, way: str) -> float | None:
    # Bounds on both sides: one absurd time must not hide all others.
    sql = f"SELECT {way}(started_at) FROM sessions WHERE started_at > 0 AND started_at < 32503680000"
    return moment(db.execute(sql).fetchone()[0])


def _newest(db: sqlite3.Connection, cap: Capability) -> tuple[dict[str, int], dict[str, int], dict[str, int], int]:
    tool = cap.expr("messages", "tool_name", "NULL", "m")
    sql = f"SELECT m.role, m.timestamp, {tool} FROM messages m ORDER BY m.id DESC LIMIT {SAMPLE}"
    roles: dict[str, int] = {}
    months: dict[str, int] = {}
    tools: dict[str, int] = {}
    sampled = 0
    for role, when, name in db.execute(sql):
        sampled += 1
        roles[str(role)] = roles.get(str(role), 0) + 1
        at = moment(when)
        month = "?" if at is None else time.strftime("%Y-%m", time.localtime(at))
        months[month] = months.get(month, 0) + 1
        if role == "tool":
            tools[str(name or "?")] = tools.get(str(name or "?"), 0) + 1
    return _most(roles), dict(sorted(months.items(), reverse=True)), _most(tools), sampled


def _most(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:50])
