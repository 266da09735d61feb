"""Which sessions are one conversation: compression ends a session and a child goes on with it.

A child continues its parent when the parent ended by compression, unless the child is a branch, a delegate, a reset or
a tool run (clients 0.19 and 0.22 mark those in `model_config`). Databases of 0.13 and 0.14 have no such marks: there
the child must also have started after the parent ended. Cycles and missing parents end a walk, nothing else.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.errors import SessionNotFound
from workbench.sessions.schema import Capability

# Version 16 of the schema introduced the marks and gave them to older rows.
_FIRST_MARKED = 16
_MARKS = {"_branched_from": "branch", "_delegate_from": "delegate", "_reset_from": "reset"}
# A run for a tool or a subagent never continues a conversation, marked or not.
_RUNS = ("tool", "subagent")
_COMPRESSED = "compression"
_CHUNK = 500


@dataclass(frozen=True)
class Segment:
    """One session as a part of a conversation; times are Unix seconds, None where missing or absurd."""

    id: str
    source: str
    title: str | None
    parent_id: str | None
    started_at: float | None
    ended_at: float | None
    end_reason: str | None
    model: str | None
    cwd: str | None
    archived: bool
    message_count: int
    mark: str = ""

    @property
    def compressed(self) -> bool:
        """Whether it ended by a compression, so that a child may go on with it."""
        return self.end_reason == _COMPRESSED


@dataclass(frozen=True)
class Child:
    """A session that hangs off a conversation without being part of it.

    `kind` is branch, delegate, reset or sibling (another continuation that the conversation did not follow).
    """

    id: str
    kind: str
    parent_id: str
    title: str | None
    source: str
    started_at: float | None


@dataclass(frozen=True)
class Conversation:
    """The sessions that one conversation ran through, oldest first.

    `asked` is the session it was looked up by. `parent` is the session that a branch, delegate or reset came from.
    """

    asked: str
    segments: tuple[Segment, ...]
    branches: tuple[Child, ...] = ()
    delegates: tuple[Child, ...] = ()
    parent: Child | None = None

    @property
    def root(self) -> str:
        """The id of the first session."""
        return self.segments[0].id

    @property
    def tip(self) -> Segment:
        """The last session."""
        return self.segments[-1]

    @property
    def ids(self) -> tuple[str, ...]:
        """The sessions' ids, oldest first."""
        return tuple(segment.id for segment in self.segments)

    @property
    def title(self) -> str | None:
        """The newest title; a compression moves a title on to the tip, or gives the tip the next number."""
        return next((segment.title for segment in reversed(self.segments) if segment.title), None)

    @property
    def source(self) -> str:
        """Where it is held: cli, telegram, cron and so on."""
        return self.tip.source

    def only(self, session_id: str) -> Conversation:
        """The same conversation narrowed to one session. Raises SessionNotFound when it is not part of it."""
        kept = tuple(segment for segment in self.segments if segment.id == session_id)
        if not kept:
            raise SessionNotFound(session_id)
        return Conversation(session_id, kept)


def moment(value: object) -> float | None:
    """A stored time as Unix seconds; None for what no calendar can show (text, infinities, the year 10^238)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -62_135_596_800 < value < 32_503_680_000 else None


def _columns(cap: Capability, alias: str) -> str:
    wanted = (
        "id", "source", "title", "parent_session_id", "started_at", "ended_at", "end_reason", "model", "cwd",
        "archived", "message_count", "model_config",
    )  # fmt: skip
    return ", ".join(cap.expr("sessions", name, "NULL", alias) for name in wanted)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _mark(config: object, source: object) -> str:
    if source in _RUNS:
        return "delegate"
    if not isinstance(config, str) or "_from" not in config:
        return ""
    try:
        parsed = json.loads(config)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(parsed, dict):
        return ""
    return next((kind for name, kind in _MARKS.items() if parsed.get(name) is not None), "")


def _segment(row: Sequence[Any]) -> Segment:
    return Segment(
        id=str(row[0]),
        source=str(row[1] or ""),
        title=_text(row[2]) or None,
        parent_id=_text(row[3]) or None,
        started_at=moment(row[4]),
        ended_at=moment(row[5]),
        end_reason=_text(row[6]),
        model=_text(row[7]),
        cwd=_text(row[8]),
        archived=bool(row[9]),
        message_count=row[10] if isinstance(row[10], int) else 0,
        mark=_mark(row[11], row[1]),
    )


def segments_of(db: sqlite3.Connection, cap: Capability, session_ids: Iterable[str]) -> dict[str, Segment]:
    """The sessions with these ids, by id; those that are not there are left out."""
    found: dict[str, Segment] = {}
    for chunk in _chunks(tuple(dict.fromkeys(session_ids))):
        marks = ", ".join("?" * len(chunk))
        for row in db.execute(f"SELECT {_columns(cap, 's')} FROM sessions s WHERE s.id IN ({marks})", chunk):
            found[str(row[0])] = _segment(row)
    return found


def children_of(db: sqlite3.Connection, cap: Capability, parent_ids: Iterable[str]) -> dict[str, list[Segment]]:
    """The sessions whose parent is one of these, by parent, oldest first."""
    found: dict[str, list[Segment]] = {}
    if not cap.has("sessions", "parent_session_id"):
        return found
    for chunk in _chunks(tuple(dict.fromkeys(parent_ids))):
        marks = ", ".join("?" * len(chunk))
        sql = f"SELECT {_columns(cap, 's')} FROM sessions s WHERE s.parent_session_id IN ({marks}) ORDER BY s.rowid"
        for row in db.execute(sql, chunk):
            segment = _segment(row)
            if segment.id != segment.parent_id:
                found.setdefault(str(segment.parent_id), []).append(segment)
    return found


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _CHUNK):
        yield ids[start : start + _CHUNK]


def continues(cap: Capability, child: Segment, parent: Segment | None) -> bool:
    """Whether `child` goes on with the conversation of `parent`."""
    if parent is None or not parent.compressed or child.mark:
        return False
    marked = cap.version >= _FIRST_MARKED if cap.version is not None else cap.has("sessions", "archived")
    if marked or child.started_at is None or parent.ended_at is None:
        return True
    return child.started_at >= parent.ended_at


def kind_of(cap: Capability, child: Segment, parent: Segment | None) -> str:
    """What a child is to its parent: continuation, branch, reset or delegate."""
    if continues(cap, child, parent):
        return "continuation"
    if child.mark:
        return child.mark
    # Before the mark existed, a branch was told by how its parent ended.
    if parent is not None and parent.end_reason == "branched":
        after = child.started_at is None or parent.ended_at is None or child.started_at >= parent.ended_at
        return "branch" if after else "delegate"
    return "delegate"


def roots(db: sqlite3.Connection, cap: Capability, session_ids: Iterable[str]) -> dict[str, str]:
    """The first session of each one's conversation, by session; one query for each step up, whatever the number.

    A session that is not there is its own root. In a cycle, which no client writes, the smallest id is the root.
    """
    wanted = tuple(dict.fromkeys(session_ids))
    known: dict[str, Segment] = {}
    up: dict[str, str | None] = {}
    frontier: tuple[str, ...] = wanted
    while frontier:
        known |= segments_of(db, cap, [each for each in frontier if each not in known])
        parents = {known[each].parent_id for each in frontier if each in known} - known.keys() - {None}
        known |= segments_of(db, cap, [each for each in parents if each is not None])
        for each in frontier:
            child = known.get(each)
            parent = known.get(child.parent_id) if child is not None and child.parent_id else None
            up[each] = parent.id if child is not None and parent and continues(cap, child, parent) else None
        frontier = tuple({above for each in frontier if (above := up[each]) is not None and above not in up})
    return {each: _climb(up, each) for each in wanted}


def _climb(up: Mapping[str, str | None], start: str) -> str:
    seen: dict[str, None] = {}
    at = start
    while at not in seen:
        seen[at] = None
        parent = up.get(at)
        if parent is None:
            return at
        at = parent
    walked = list(seen)
    return min(walked[walked.index(at) :])


def conversation(db: sqlite3.Connection, cap: Capability, session_id: str) -> Conversation:
    """The whole conversation that a session is part of. Raises SessionNotFound.

    It leads from the root through the session asked for (even when the client would follow a sibling) to the tip.
    """
    start = segments_of(db, cap, [session_id]).get(session_id)
    if start is None:
        raise SessionNotFound(session_id)
    before, parent = _ancestors(db, cap, start)
    path = [*before, start]
    seen = {segment.id for segment in path}
    while path[-1].compressed:
        nearest = next((each for each in candidates(db, cap, path[-1]) if each.id not in seen), None)
        if nearest is None:
            break
        path.append(nearest)
        seen.add(nearest.id)
    found = children_of(db, cap, [segment.id for segment in path]).values()
    children = [_child(cap, each, path) for others in found for each in others if each.id not in seen]
    return Conversation(
        asked=session_id,
        segments=tuple(path),
        branches=tuple(each for each in children if each.kind != "delegate"),
        delegates=tuple(each for each in children if each.kind == "delegate"),
        parent=parent,
    )


def _ancestors(db: sqlite3.Connection, cap: Capability, start: Segment) -> tuple[list[Segment], Child | None]:
    """The segments before `start`, oldest first, and what the oldest one came from when it is not a continuation."""
    path = [start]
    came_from: Child | None = None
    while path[0].parent_id:
        again = next((at for at, each in enumerate(path) if each.id == path[0].parent_id), None)
        above = [path[again]] if again is not None else segments_of(db, cap, [path[0].parent_id]).values()
        parent = next(iter(above), None)
        if parent is None:
            break
        if not continues(cap, path[0], parent):
            kind = kind_of(cap, path[0], parent)
            came_from = Child(parent.id, kind, parent.id, parent.title, parent.source, parent.started_at)
            break
        if again is not None:
            # A cycle: begin where `roots` begins, so that one conversation has one root.
            first = min(path[: again + 1], key=lambda segment: segment.id)
            path = path[path.index(first) :]
            break
        path.insert(0, parent)
    return path[:-1], came_from


def _child(cap: Capability, child: Segment, path: Sequence[Segment]) -> Child:
    parent = next(segment for segment in path if segment.id == child.parent_id)
    kind = kind_of(cap, child, parent)
    kind = "sibling" if kind == "continuation" else kind
    return Child(child.id, kind, parent.id, child.title, child.source, child.started_at)


def candidates(db: sqlite3.Connection, cap: Capability, parent: Segment) -> list[Segment]:
    """The sessions that continue `parent`, the one the client follows first.

    Ended by compression first, then live, then the rest, newest activity first (0.19).
    """
    found = [
        each
        for each in children_of(db, cap, [parent.id]).get(parent.id, [])
        if each.id != parent.id and continues(cap, each, parent)
    ]
    if len(found) < 2:
        return found

    def rank(segment: Segment) -> tuple[int, float, float]:
        way = 0 if segment.compressed else 1 if segment.ended_at is None else 2
        started = segment.started_at or 0.0
        return way, -(last_activity(db, segment.id) or started), -started

    found.sort(key=lambda segment: segment.id, reverse=True)
    return sorted(found, key=rank)


def last_activity(db: sqlite3.Connection, session_id: str) -> float | None:
    """The time of a session's newest message; from an index in every schema seen. None when there is none."""
    row = db.execute("SELECT max(timestamp) FROM messages WHERE session_id = ?", (session_id,)).fetchone()
    return moment(row[0])


def find(db: sqlite3.Connection, cap: Capability, wanted: str) -> str:
    """The id of the session meant: an id, the beginning of one, or a title. Raises SessionNotFound with what fits.

    Of several sessions with one beginning none is chosen; of a title's, the only one (titles are unique).
    """
    if segments_of(db, cap, [wanted]):
        return wanted
    if not wanted:
        raise SessionNotFound(wanted)
    top = wanted[:-1] + chr(min(ord(wanted[-1]) + 1, 0x10FFFF))
    rows = db.execute("SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT 9", (wanted, top)).fetchall()
    if not rows and cap.has("sessions", "title"):
        rows = db.execute("SELECT id FROM sessions WHERE title = ? LIMIT 9", (wanted,)).fetchall()
    if len(rows) == 1:
        return str(rows[0][0])
    raise SessionNotFound(wanted, tuple(str(row[0]) for row in rows))
