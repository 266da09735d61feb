"""Titles, which are in no full-text table; and queries that consist of filters alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import replace
from itertools import islice

from workbench.sessions.found import Found, Hit, Result, Snippet
from workbench.sessions.gather import Gatherer, columns, row_filters, wanted_session
from workbench.sessions.lineage import Segment, roots, segments_of
from workbench.sessions.matching import fold
from workbench.sessions.plans import condition, matches
from workbench.sessions.query import Query, Term, terms
from workbench.sessions.schema import LAST_SOURCES, Capability
from workbench.sessions.snippets import readable, snippet

ROLE = "session_title"
_ROW_FILTERS = ("role", "tool")


def title_results(
    db: sqlite3.Connection,
    cap: Capability,
    query: Query,
    results: tuple[Result, ...],
    limit: int,
    hide: Collection[str],
    hidden: dict[str, int],
) -> tuple[Result, ...]:
    """`results` with the conversations whose title matches, those first; `hidden` is added to.

    A conversation that is among the results already keeps its hits and moves up.
    """
    if query.root is None or not cap.has("sessions", "title") or any(f.name in _ROW_FILTERS for f in query.filters):
        return results
    wanted, values = condition(query.root, "lower(title)")
    # `title IS NOT NULL` lets SQLite read the small index of titles instead of the sessions with their prompts.
    rows = db.execute(
        f"SELECT rowid, title FROM sessions WHERE title IS NOT NULL AND ({wanted}) ORDER BY rowid DESC", values
    )
    matching = (row[0] for row in rows if isinstance(row[1], str) and matches(query.root, fold(row[1])))
    fits = list(islice(matching, 4 * limit))
    if not fits:
        return results
    marks = ", ".join("?" * len(fits))
    ids = [str(row[0]) for row in db.execute(f"SELECT id FROM sessions WHERE rowid IN ({marks})", fits)]
    segments = [
        each for each in segments_of(db, cap, ids).values() if wanted_session(query, each) and _dated(query, each)
    ]
    return _merged(db, cap, query, results, segments, limit, hide, hidden)


def _merged(
    db: sqlite3.Connection,
    cap: Capability,
    query: Query,
    results: tuple[Result, ...],
    segments: list[Segment],
    limit: int,
    hide: Collection[str],
    hidden: dict[str, int],
) -> tuple[Result, ...]:
    above = roots(db, cap, [each.id for each in segments])
    there = {result.root_id: result for result in results}
    named: dict[str, Result] = {}
    asked = {value.lower() for value in query.values("source")}
    for segment in sorted(segments, key=lambda each: -(each.started_at or 0.0)):
        root = above[segment.id]
        if segment.source in hide and segment.source not in asked:
            hidden[segment.source] = hidden.get(segment.source, 0) + 1
        elif root not in named:
            named[root] = there.get(root) or _result(db, segment, root, query)
    mine = sorted(named.values(), key=lambda result: result.source in LAST_SOURCES)
    others = [result for result in results if result.root_id not in named]
    out = [*mine, *others]
    last = [result for result in out if result.source in LAST_SOURCES]
    return tuple([*(result for result in out if result not in last), *last][:limit])


def _dated(query: Query, segment: Segment) -> bool:
    for each in query.filters:
        if each.span is None:
            continue
        if segment.started_at is None:
            return False
        after = segment.started_at >= each.span[0]
        if (after if each.name == "after" else not after) == each.out:
            return False
    return True


def _result(db: sqlite3.Connection, segment: Segment, root: str, query: Query) -> Result:
    first = db.execute("SELECT min(id) FROM messages WHERE session_id = ?", (segment.id,)).fetchone()[0]
    piece = snippet(segment.title or "", terms(query.root))
    hit = Hit(segment.id, first, ROLE, segment.started_at, piece)
    return Result(segment.id, root, segment.title, segment.source, segment.started_at, 1, (hit,), segment.archived)


def by_filters(db: sqlite3.Connection, cap: Capability, query: Query, *, limit: int, hide: Collection[str]) -> Found:
    """Conversations by filters alone; each with its newest message that the filters let through."""
    title = query.values("title")
    if title and not any(each.name in _ROW_FILTERS for each in query.filters):
        # A title is asked of the index of titles; what the other filters say still holds.
        told = replace(query, root=Term(title[0], phrase=True, prefix=True))
        hidden: dict[str, int] = {}
        results = title_results(db, cap, told, (), limit, hide, hidden)
        return Found(query.text, "titles", results, query.note, hidden=hidden)
    gatherer = Gatherer(db, cap, query, limit=limit, hide=hide, shown=1)
    conditions, values = row_filters(cap, query)
    where = " AND ".join(conditions) or "1"
    rows = db.execute(f"SELECT {columns(cap)} FROM messages m WHERE {where} ORDER BY m.id DESC", values)
    while not gatherer.full and (batch := rows.fetchmany(200)):
        gatherer.add(batch)

    def piece(message: int) -> Snippet:
        row = db.execute("SELECT content FROM messages WHERE id = ?", (message,)).fetchone()
        return snippet(readable(row[0]) if row and isinstance(row[0], str) else "", ())

    results, counted = gatherer.page("newest", piece)
    return Found(query.text, "filters", results, query.note, hidden=counted)
