"""Recent conversations, page by page, without counting or scanning the sessions first.

Newest activity first. From 0.22 on the database keeps the time of the last activity; before, a session's start stands
for it, and the sessions of the newest messages are put where they belong on the first page. Scheduled (cron) runs come
after everything else; subagent, tool and kanban runs are not listed unless asked for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from workbench.sessions.content import STRUCTURED, content, decode, one_line
from workbench.sessions.lineage import (
    Conversation,
    children_of,
    continues,
    conversation,
    kind_of,
    last_activity,
    moment,
    segments_of,
)
from workbench.sessions.schema import HIDDEN_SOURCES, LAST_SOURCES, Capability

PAGE = 40
# Newest messages looked at for conversations that were taken up again.
_NEWEST = 400
_PREVIEW = 100
# Bytes of a message that are read for it.
_READ = 1000
_LAST_TIME = 32_503_680_000


@dataclass(frozen=True)
class Filters:
    """What to list. `after` and `before` are Unix seconds of the activity; `archived` is no, only or all.

    `source` names one source, also one that is otherwise not shown; `title` is part of a title, in any case.
    """

    source: str = ""
    title: str = ""
    after: float | None = None
    before: float | None = None
    archived: str = "no"


@dataclass(frozen=True)
class Cursor:
    """Where the next page begins: after the session of this key and rowid, in the phase main or cron.

    `seen` are conversations that were shown but may be met again.
    """

    phase: str
    key: float | None
    rowid: int
    seen: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Listed:
    """One conversation in a list. `id` is its newest session, `last_active` the time of its newest message.

    `messages` is what the client counts, over all sessions; `automatic` marks scheduled runs.
    """

    id: str
    root_id: str
    title: str | None
    source: str
    started_at: float | None
    last_active: float | None
    messages: int
    segments: int
    preview: str
    model: str | None
    cwd: str | None
    archived: bool
    automatic: bool
    branch_of: str | None = None


@dataclass(frozen=True)
class Page:
    """Conversations, newest first, and where the next page begins (None at the end)."""

    rows: tuple[Listed, ...]
    following: Cursor | None = None


@dataclass(frozen=True)
class _Candidate:
    id: str
    key: float | None
    rowid: int


@dataclass
class _Filling:
    """A page being filled; `places` is where each conversation was met."""

    wanted: int
    seen: set[str]
    unwanted: tuple[str, ...] = ()
    places: dict[str, _Candidate] = field(default_factory=dict)
    found: list[Conversation] = field(default_factory=list)
    last: _Candidate | None = None


def recent(
    db: sqlite3.Connection,
    cap: Capability,
    filters: Filters | None = None,
    *,
    cursor: Cursor | None = None,
    limit: int = PAGE,
) -> Page:
    """A page of conversations, the one after `cursor`."""
    filters = filters or Filters()
    phase = cursor.phase if cursor else "main"
    # A conversation is where its newest session is held: one that went on as a scheduled run is met again there.
    elsewhere = LAST_SOURCES if phase == "main" and not filters.source else ()
    filling = _Filling(limit, set(cursor.seen) if cursor else set(), elsewhere)
    done = _fill(db, cap, filters, phase, cursor, filling)
    lifted = _taken_up(db, cap, filters) if cursor is None else []
    shown = _merged(db, cap, lifted, filling.found, limit)
    kept = {each.root for each in shown}
    dropped = next((each for each in filling.found if each.root not in kept), None)
    if dropped is not None:
        # Pushed off this page by those taken up again; the next page begins before the first of them.
        place = filling.places[dropped.root]
        filling.last = replace(place, rowid=place.rowid + 1)
        done = False
    # A conversation alone that was shown in its turn is not met again, so the cursor stays small.
    again = {each.root for each in shown if lifted or len(each.segments) > 1}
    seen = (set(cursor.seen) if cursor else set()) | again
    rows = tuple(_listed(db, cap, each) for each in shown)
    following = _following(phase, filters, filling.last, seen, done)
    if done and len(rows) < limit and following is not None:
        rest = recent(db, cap, filters, cursor=following, limit=limit - len(rows))
        return Page((*rows, *rest.rows), rest.following)
    return Page(rows, following)


def _following(phase: str, filters: Filters, last: _Candidate | None, seen: set[str], done: bool) -> Cursor | None:
    if not done and last is not None:
        return Cursor(phase, last.key, last.rowid, frozenset(seen))
    if phase == "main" and not filters.source:
        return Cursor("cron", None, 0, frozenset(seen))
    return None


def _merged(
    db: sqlite3.Connection,
    cap: Capability,
    lifted: Sequence[Conversation],
    found: Sequence[Conversation],
    limit: int,
) -> list[Conversation]:
    if not lifted:
        return list(found)
    together = {each.root: each for each in (*lifted, *found)}
    active = {root: _activity(db, cap, each) or 0.0 for root, each in together.items()}
    return sorted(together.values(), key=lambda each: -active[each.root])[:limit]


def _activity(db: sqlite3.Connection, cap: Capability, talk: Conversation) -> float | None:
    if cap.has("sessions", "last_activity_at"):
        row = db.execute("SELECT last_activity_at FROM sessions WHERE id = ?", (talk.tip.id,)).fetchone()
        if row and moment(row[0]) is not None:
            return moment(row[0])
    return last_activity(db, talk.tip.id) or talk.tip.started_at


def _taken_up(db: sqlite3.Connection, cap: Capability, filters: Filters) -> list[Conversation]:
    """Conversations of the newest messages, which may have begun long ago."""
    if cap.has("sessions", "last_activity_at") or filters.title or filters.before is not None:
        return []
    newest = f"SELECT session_id FROM messages ORDER BY id DESC LIMIT {_NEWEST}"
    ids = list(dict.fromkeys(str(row[0]) for row in db.execute(newest)))[:PAGE]
    allowed, values = _conditions(cap, replace(filters, after=None), "main")
    marks = ", ".join("?" * len(ids))
    rows = db.execute(f"SELECT s.id FROM sessions s WHERE s.id IN ({marks}) AND {allowed}", (*ids, *values))
    listed = [str(row[0]) for row in rows]
    simple = _simple(db, cap, listed)
    found: dict[str, Conversation] = {}
    for each in listed:
        talk = simple.get(each) or _as_listed(db, cap, each)
        if talk is None or talk.source in LAST_SOURCES:
            continue
        if filters.after is None or (_activity(db, cap, talk) or 0) >= filters.after:
            found.setdefault(talk.root, talk)
    return list(found.values())


def _key(cap: Capability) -> str:
    """SQL of what the list is ordered by; word for word the expression of an index in both generations."""
    if cap.has("sessions", "last_activity_at"):
        return "COALESCE(s.last_activity_at, s.started_at)"
    return "s.started_at"


def _conditions(cap: Capability, filters: Filters, phase: str) -> tuple[str, list[object]]:
    """The SQL that every session of a page fulfils, with its values."""
    parts: list[str] = []
    values: list[object] = []
    if filters.source:
        parts.append("s.source = ?")
        values.append(filters.source)
    else:
        unwanted = LAST_SOURCES if phase == "cron" else (*HIDDEN_SOURCES, *LAST_SOURCES)
        way = "IN" if phase == "cron" else "NOT IN"
        parts.append(f"s.source {way} ({', '.join('?' * len(unwanted))})")
        values += unwanted
    for column in ("archived", "hidden"):
        if not cap.has("sessions", column):
            continue
        flag = cap.expr("sessions", column, "0", "s")
        if column == "hidden" or filters.archived == "no":
            parts.append(f"{flag} = 0")
        elif filters.archived == "only":
            parts.append(f"{flag} <> 0")
    if filters.archived == "only" and not cap.has("sessions", "archived"):
        parts.append("0")
    if filters.title:
        escaped = filters.title.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        parts.append("s.title LIKE ? ESCAPE '\\'" if cap.has("sessions", "title") else "0")
        values += [f"%{escaped}%"] if cap.has("sessions", "title") else []
    for bound, way in ((filters.after, ">="), (filters.before, "<")):
        if bound is not None:
            parts.append(f"{_key(cap)} {way} ?")
            values.append(bound)
    return " AND ".join(parts), values


def _candidates(
    db: sqlite3.Connection, cap: Capability, filters: Filters, phase: str, cursor: Cursor | None
) -> Iterator[_Candidate]:
    """Sessions in the order of the list from the cursor on; absurd times (also text) come last, in no order."""
    key = _key(cap)
    where, values = _conditions(cap, filters, phase)
    sane = f"{key} < {_LAST_TIME} AND {key} > -{_LAST_TIME}"
    order = f"ORDER BY {key} DESC, s.rowid DESC"
    select = f"SELECT s.id, {key}, s.rowid FROM sessions s WHERE {where}"
    at = cursor if cursor is not None and cursor.phase == phase and cursor.rowid else None
    if at is None:
        yield from _rows(db, f"{select} AND {sane} {order}", values)
    elif at.key is not None and moment(at.key) is not None:
        same = f"{select} AND {key} = ? AND s.rowid < ? {order}"
        yield from _rows(db, same, [*values, at.key, at.rowid])
        yield from _rows(db, f"{select} AND {key} < ? AND {key} > -{_LAST_TIME} {order}", [*values, at.key])
    absurd = f"{select} AND NOT coalesce({sane}, 0) ORDER BY s.rowid DESC"
    low = at.rowid if at is not None and moment(at.key) is None else None
    for each in _rows(db, absurd, values):
        if low is None or each.rowid < low:
            yield replace(each, key=None)


def _rows(db: sqlite3.Connection, sql: str, values: Iterable[object]) -> Iterator[_Candidate]:
    for row in db.execute(sql, tuple(values)):
        yield _Candidate(str(row[0]), row[1] if isinstance(row[1], int | float) else None, row[2])


def _fill(
    db: sqlite3.Connection,
    cap: Capability,
    filters: Filters,
    phase: str,
    cursor: Cursor | None,
    filling: _Filling,
) -> bool:
    """Take candidates until the page is full; returns whether there are no more."""
    chunk: list[_Candidate] = []
    for each in _candidates(db, cap, filters, phase, cursor):
        chunk.append(each)
        if len(chunk) >= filling.wanted:
            _take(db, cap, chunk, filling)
            chunk = []
            if len(filling.found) >= filling.wanted:
                return False
    _take(db, cap, chunk, filling)
    return len(filling.found) < filling.wanted


def _take(db: sqlite3.Connection, cap: Capability, chunk: Sequence[_Candidate], filling: _Filling) -> None:
    simple = _simple(db, cap, [each.id for each in chunk])
    for each in chunk:
        if len(filling.found) >= filling.wanted:
            return
        filling.last = each
        talk = simple.get(each.id) or _as_listed(db, cap, each.id)
        if talk is not None and talk.root not in filling.seen and talk.source not in filling.unwanted:
            filling.seen.add(talk.root)
            filling.places[talk.root] = each
            filling.found.append(talk)


def _simple(db: sqlite3.Connection, cap: Capability, ids: Sequence[str]) -> dict[str, Conversation]:
    """Those of the sessions that are a conversation alone: no parent, and nothing that could continue them."""
    found = segments_of(db, cap, ids)
    ended = children_of(db, cap, [each.id for each in found.values() if each.compressed])
    return {
        each.id: Conversation(each.id, (each,))
        for each in found.values()
        if each.parent_id is None and not any(continues(cap, child, each) for child in ended.get(each.id, ()))
    }


def _as_listed(db: sqlite3.Connection, cap: Capability, session_id: str) -> Conversation | None:
    """The conversation to list for a session; None for a delegate, and for a sibling that nobody follows.

    A conversation stands where its newest session stands.
    """
    own = segments_of(db, cap, [session_id]).get(session_id)
    if own is None:
        return None
    if own.parent_id is not None:
        parent = segments_of(db, cap, [own.parent_id]).get(own.parent_id)
        if parent is not None and own.source not in HIDDEN_SOURCES and kind_of(cap, own, parent) == "delegate":
            return None
    talk = conversation(db, cap, session_id)
    main = conversation(db, cap, talk.root) if own.id != talk.root else talk
    return main if session_id in main.ids else None


def _listed(db: sqlite3.Connection, cap: Capability, talk: Conversation) -> Listed:
    tip = talk.tip
    return Listed(
        id=tip.id,
        root_id=talk.root,
        title=talk.title,
        source=talk.source,
        started_at=talk.segments[0].started_at,
        last_active=_activity(db, cap, talk),
        messages=sum(segment.message_count for segment in talk.segments),
        segments=len(talk.segments),
        preview=preview(db, cap, talk.root),
        model=tip.model,
        cwd=tip.cwd,
        archived=tip.archived,
        automatic=tip.source in LAST_SOURCES,
        branch_of=talk.parent.id if talk.parent else None,
    )


def preview(db: sqlite3.Connection, cap: Capability, session_id: str) -> str:
    """The beginning of the first thing the user said in a session, on one line; "" when there is none."""
    sql = (
        f"SELECT substr(CAST(content AS BLOB), 1, {_READ}) FROM messages m WHERE session_id = ? AND role = 'user' "
        f"AND content IS NOT NULL AND {cap.live('m')} ORDER BY timestamp, id LIMIT 1"
    )
    row = db.execute(sql, (session_id,)).fetchone()
    if row is None:
        return ""
    more = len(row[0]) == _READ
    stored = decode(row[0], cut=more)
    said = content(stored, cut=more)
    # Of a list of parts those that are whole are given, else what is read of the list itself.
    unfinished = more and (not stored.startswith(STRUCTURED) or stored.endswith(said.text))
    return one_line(" ".join((said.text, *(f"[{each}]" for each in said.attachments))), _PREVIEW, cut=unfinished)


def not_shown(db: sqlite3.Connection, cap: Capability) -> dict[str, int]:
    """How many sessions of each source are left out of the list or put last; from the index on sources."""
    counts: dict[str, int] = {}
    for source in (*HIDDEN_SOURCES, *LAST_SOURCES):
        (number,) = db.execute("SELECT count(*) FROM sessions WHERE source = ?", (source,)).fetchone()
        if number:
            counts[source] = number
    return counts
