"""Rows that match, gathered into conversations: hidden ones counted, carried-over copies once, cron last."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.sessions.found import Hit, Result, Snippet
from workbench.sessions.lineage import Segment, moment, roots, segments_of
from workbench.sessions.matching import fold
from workbench.sessions.query import Filter, Query
from workbench.sessions.schema import LAST_SOURCES, Capability

# (id, session, role, timestamp, active, compacted)
Row = Sequence[Any]
COLUMNS = 6
# Earlier hits of a conversation that a new one is compared with.
_COMPARED = 40
SnippetOf = Callable[[int], Snippet]


def columns(cap: Capability) -> str:
    """SQL of a `Row`, of `messages` as `m`."""
    defaults = {"role": "NULL", "timestamp": "NULL", "active": "1", "compacted": "0"}
    return "m.id, m.session_id, " + ", ".join(cap.expr("messages", *each, "m") for each in defaults.items())


def row_filters(cap: Capability, query: Query) -> tuple[list[str], list[object]]:
    """SQL conditions on `messages` as `m`, and their values: undone rows left out, and what filters ask of a row."""
    sql, values = [cap.live("m")], list[object]()
    if "display_kind" in cap.messages:
        sql.append("coalesce(m.display_kind, '') <> 'hidden'")
    for name in ("role", "tool", "after", "before"):
        for out in (False, True):
            made = [_row_filter(cap, each) for each in query.filters if each.name == name and each.out == out]
            if made:
                # Several roles or tools widen each other; an earlier and a later date both hold.
                glue = " AND " if name in ("after", "before") and not out else " OR "
                either = glue.join(condition for condition, _ in made)
                sql.append(f"NOT ({either})" if out else f"({either})")
                values += [value for _, more in made for value in more]
    return [each for each in sql if each != "1"], values


def _row_filter(cap: Capability, each: Filter) -> tuple[str, list[object]]:
    if each.name == "role":
        return "coalesce(m.role, '') = ?", [each.value.lower()]
    if each.name == "tool":
        calls = cap.expr("messages", "tool_calls", "''", "m")
        name = cap.expr("messages", "tool_name", "''", "m")
        return f"({name} = ? OR instr({calls}, ?))", [each.value, f'"name": "{each.value}"']
    assert each.span is not None
    sign = ">=" if each.name == "after" else "<"
    return f"(typeof(m.timestamp) IN ('real', 'integer') AND m.timestamp {sign} ?)", [each.span[0]]


def session_filters(cap: Capability, query: Query) -> tuple[str, list[object]]:
    """SQL on `sessions` as `s` that holds for every session `wanted_session` lets through, and its values."""
    sql, values = ["1"], list[object]()
    for name in ("source", "session"):
        asked = query.values(name)
        if not asked:
            continue
        if name == "source":
            sql.append(f"lower({cap.expr('sessions', 'source', alias='s')}) IN ({', '.join('?' * len(asked))})")
            values += [value.lower() for value in asked]
        else:
            sql.append("(" + " OR ".join("instr(s.id, ?) = 1" for _ in asked) + ")")
            values += asked
    return " AND ".join(sql), values


def wanted_session(query: Query, segment: Segment | None) -> bool:
    """Whether a session satisfies the filters about sessions; several of one name widen each other."""
    for name in ("source", "title", "session", "model", "cwd"):
        asked = [each for each in query.filters if each.name == name]
        if not asked:
            continue
        if segment is None:
            return False
        wanted = [_fits(each, segment) for each in asked if not each.out]
        if (wanted and not any(wanted)) or any(_fits(each, segment) for each in asked if each.out):
            return False
    return True


def _fits(each: Filter, segment: Segment) -> bool:
    if each.name == "session":
        return segment.id.startswith(each.value)
    if each.name == "source":
        return segment.source.lower() == each.value.lower()
    return fold(each.value) in fold(getattr(segment, each.name) or "")


@dataclass
class _Group:
    root: str
    last: bool
    rank: int
    rows: list[Row] = field(default_factory=list)
    count: int = 0
    seen: dict[tuple[Any, Any], int] = field(default_factory=dict)
    kept: list[tuple[int, str, bool]] = field(default_factory=list)


class Gatherer:
    """Takes rows in order, at most once each; `full` as soon as a page of conversations is there.

    Sessions of `hide` are counted, not shown, unless the query names their source.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        cap: Capability,
        query: Query,
        *,
        limit: int,
        hide: Collection[str],
        shown: int = 3,
    ) -> None:
        self.db, self.cap, self.query = db, cap, query
        self.limit, self.shown = limit, shown
        self.hide = frozenset(hide) - {value.lower() for value in query.values("source")}
        self.groups: dict[str, _Group] = {}
        self.hidden: dict[str, set[str]] = {}
        self.ids: set[int] = set()
        self.lowest: int | None = None
        self.highest: int | None = None
        self._sessions: dict[str, Segment | None] = {}
        self._roots: dict[str, str] = {}
        self._first = 0

    @property
    def full(self) -> bool:
        """Whether enough conversations are there, cron not counted: it must not crowd out the user's own."""
        return self._first >= self.limit

    def add(self, rows: Iterable[Row]) -> None:
        """Take rows; those of sessions that the filters exclude are dropped."""
        fresh = [row for row in rows if row[0] not in self.ids]
        self.ids.update(row[0] for row in fresh)
        if fresh:
            numbers = [row[0] for row in fresh]
            self.lowest = min(numbers if self.lowest is None else [*numbers, self.lowest])
            self.highest = max(numbers if self.highest is None else [*numbers, self.highest])
        self._meet(str(row[1]) for row in fresh)
        for row in fresh:
            self._take(row)

    def _meet(self, ids: Iterable[str]) -> None:
        unknown = [each for each in dict.fromkeys(ids) if each not in self._sessions]
        if not unknown:
            return
        found = segments_of(self.db, self.cap, unknown)
        self._sessions |= {each: found.get(each) for each in unknown}
        kept = [each for each in unknown if wanted_session(self.query, found.get(each))]
        # Only a session that has a parent can belong to another one's conversation.
        alone = [each for each in kept if (segment := found.get(each)) is None or not segment.parent_id]
        self._roots |= {each: each for each in alone}
        self._roots |= roots(self.db, self.cap, [each for each in kept if each not in self._roots])

    def _take(self, row: Row) -> None:
        session = str(row[1])
        root = self._roots.get(session)
        if root is None:
            return
        segment = self._sessions[session]
        source = segment.source if segment else ""
        if source in self.hide:
            self.hidden.setdefault(source, set()).add(root)
            return
        group = self.groups.get(root)
        if group is None:
            last = source in LAST_SOURCES and source not in self.query.values("source")
            group = self.groups[root] = _Group(root, last, len(self.groups))
            self._first += not last
        if self._carried(group, row):
            return
        group.count += 1
        if len(group.rows) < self.shown:
            group.rows.append(row)

    def _carried(self, group: _Group, row: Row) -> bool:
        """Whether a hit already taken is the same message, carried over by a compression with its time or a new one."""
        key, archived = (row[2], row[3]), bool(row[4] == 0 and row[5])
        twin = group.seen.setdefault(key, row[0])
        others = [
            number for number, session, state in group.kept[-_COMPARED:] if session != row[1] or state != archived
        ]
        if twin != row[0]:
            others.append(twin)
        if others and self._same(row[0], others):
            return True
        group.kept.append((row[0], str(row[1]), archived))
        return False

    def _same(self, one: int, others: Sequence[int]) -> bool:
        columns = ["coalesce(a.content, '') = coalesce(b.content, '')"]
        columns += [f"a.{name} IS b.{name}" for name in ("role", "tool_calls") if name in self.cap.messages]
        marks = ", ".join("?" * len(others))
        sql = (
            f"SELECT 1 FROM messages a, messages b WHERE a.id = ? AND b.id IN ({marks})"
            f" AND {' AND '.join(columns)} LIMIT 1"
        )
        return self.db.execute(sql, (one, *others)).fetchone() is not None

    def session(self, ident: str) -> Segment | None:
        """What is known of a session."""
        self._meet([ident])
        return self._sessions[ident]

    def page(self, order: str, snippet_of: SnippetOf) -> tuple[tuple[Result, ...], dict[str, int]]:
        """The results in order, and what is hidden by source, cron beyond the page included.

        `snippet_of(message id)` makes a hit's snippet; it is called for what is shown only.
        """
        groups = sorted(self.groups.values(), key=lambda group: (group.last, *_place(group, order)))
        hidden = {source: len(found) for source, found in self.hidden.items()}
        for group in groups[self.limit :]:
            if group.last:
                source = self._source(group)
                hidden[source] = hidden.get(source, 0) + 1
        return tuple(self._result(group, snippet_of) for group in groups[: self.limit]), hidden

    def _source(self, group: _Group) -> str:
        segment = self._sessions[str(group.rows[0][1])]
        return segment.source if segment else ""

    def _result(self, group: _Group, snippet_of: SnippetOf) -> Result:
        hits = tuple(self._hit(row, snippet_of(row[0])) for row in group.rows)
        session = hits[0].session_id
        segment = self._sessions[session]
        title = segment.title if segment else None
        if title is None and group.root != session:
            above = self.session(group.root)
            title = above.title if above else None
        archived = segment.archived if segment else False
        return Result(session, group.root, title, self._source(group), hits[0].when, group.count, hits, archived)

    def _hit(self, row: Row, piece: Snippet) -> Hit:
        state = "compacted" if row[4] == 0 and row[5] else "live"
        return Hit(str(row[1]), row[0], str(row[2] or ""), moment(row[3]), piece, state)


def _place(group: _Group, order: str) -> tuple[float, int]:
    if order == "relevance":
        return 0.0, group.rank
    when = moment(group.rows[0][3])
    if when is None:
        return float("inf"), group.rank
    return (when if order == "oldest" else -when), group.rank
