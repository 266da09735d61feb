"""Reading the texts themselves, newest first, where no index helps: slices of ids, so that it can stop at any time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator

from workbench.sessions.gather import COLUMNS, Row, columns, row_filters
from workbench.sessions.matching import fold
from workbench.sessions.plans import Tables, condition, matches
from workbench.sessions.query import Query, terms
from workbench.sessions.schema import Capability

_SLICE = 1_000


def newest_id(db: sqlite3.Connection) -> int:
    """The largest message id, 0 when there is none."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM messages").fetchone()[0])


def scan(
    db: sqlite3.Connection,
    cap: Capability,
    query: Query,
    text: str,
    low: int,
    high: int,
    until: float | None,
    *,
    up: bool = False,
) -> Generator[Row, None, bool]:
    """Rows that match with low < id <= high, newest first (oldest first with `up`).

    `text` is the SQL of a row's text; `until` (time.perf_counter) ends it early. Returns whether it came to the end.
    """
    assert query.root is not None
    wanted, values = condition(query.root, f"lower({text})")
    filters, more = row_filters(cap, query)
    where = " AND ".join(["m.id > ?", "m.id <= ?", *filters, f"({wanted})"])
    sql = f"SELECT {columns(cap)}, {text} FROM messages m WHERE {where} ORDER BY m.id {'ASC' if up else 'DESC'}"
    size = _SLICE
    while high > low:
        edges = (low, min(high, low + size)) if up else (max(low, high - size), high)
        for row in db.execute(sql, (*edges, *more, *values)):
            if isinstance(row[COLUMNS], str) and matches(query.root, fold(row[COLUMNS])):
                yield row[:COLUMNS]
        low, high = (edges[1], high) if up else (low, edges[0])
        if until is not None and time.perf_counter() > until:
            return high <= low
        # With a time limit the slices stay small; without, fewer queries cost less.
        size = size if until is not None else min(size * 2, 50_000)
    return True


def needs_scan(db: sqlite3.Connection, cap: Capability, query: Query, where: Tables) -> list[tuple[int, int]]:
    """The ranges of ids (exclusive, inclusive) whose rows the index may not hold for this query."""
    top = newest_id(db)
    if cap.trigram == "external" and where.pieces is not None and any(term.cjk for term in terms(query.root)):
        # That table leaves out tool rows, cron and delegates, and the end of a text has no trigram of its own.
        return [(0, top)]
    gap = cap.rebuilding
    return [(gap[0], min(gap[1], top))] if gap is not None and gap[0] < top else []
