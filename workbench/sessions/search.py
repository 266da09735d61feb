"""Searching everything that was said: the newest matches at once, everything else in a second, deeper pass.

The quick pass answers while the user types: it reads row ids newest first, which costs the same at any size, and stops
at a time limit. The deep pass ranks by relevance over the newest matches, reads what no index covers, and finishes what
the quick one left out. Both return the same shape, so that a screen can refine in place.
"""

from __future__ import annotations

import heapq
import sqlite3
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from workbench.sessions import plans
from workbench.sessions.found import Found, Snippet
from workbench.sessions.gather import COLUMNS, Gatherer, Row, columns, row_filters
from workbench.sessions.health import Health, health
from workbench.sessions.matching import fold
from workbench.sessions.plans import Plan, Stream, Tables, embedded, matches
from workbench.sessions.query import Query, parse, positive, terms, without_typing
from workbench.sessions.scan import needs_scan, newest_id, scan
from workbench.sessions.schema import HIDDEN_SOURCES, Capability
from workbench.sessions.snippets import called, said
from workbench.sessions.titles import by_filters, title_results
from workbench.sessions.vocabulary import expander, has_cjk_terms

ORDERS = ("newest", "relevance", "oldest")
RANKED_OVER = 5_000
# Seconds of the quick pass for rows, and for the beginnings of words; a page is usually there much earlier.
_QUICK = 0.012
_QUICK_TERMS = 0.008
_DEEP_TERMS = 0.3
_MOST_TERMS = (64, 200)
_BATCH = 50
# Rows looked at for Latin words within CJK writing.
_EMBEDDED = 20_000


def search(
    db: sqlite3.Connection,
    capability: Capability,
    text: str,
    *,
    order: str = "newest",
    limit: int = 20,
    typing: bool = False,
    deep: bool = True,
    now: float | None = None,
    hide: Collection[str] = HIDDEN_SOURCES,
    reasoning: Path | None = None,
) -> Found:
    """Search the messages and titles for what a person typed; never raises for the text of the query.

    `order` is newest, relevance or oldest; `limit` counts conversations; `typing`: the last word may go on; `deep`:
    everything, else what is there within some 30 ms; `hide`: sources that are only counted; `reasoning`: our own index
    of the agent's reasoning, for `in:reasoning`. Raises sqlite3.Error when the messages themselves cannot be read
    or the connection was interrupted.
    """
    query = parse(text, typing=typing, now=now)
    if query.root is not None and not positive(query.root):
        return Found(text, "none", note=query.note)
    if query.root is None:
        if not query.filters:
            return Found(text, "none", note=query.note)
        until = None if deep else time.perf_counter() + _QUICK
        return by_filters(db, capability, query, limit=limit, hide=hide, until=until)
    found = _Search(db, capability, query, order, limit, deep, hide, reasoning).answer()
    if deep and not typing and not found.results and not found.banner:
        begun = parse(text.rstrip(), typing=True, now=now)
        if begun.root is not None and begun.root != query.root:
            again = _Search(db, capability, begun, order, limit, deep, hide, reasoning).answer()
            if again.results:
                said = "no whole word matches; words that begin with it are shown"
                note = "; ".join(part for part in (again.note, said) if part)
                return Found(text, again.engine, again.results, note, again.banner, again.hidden, again.complete,
                             again.ordered)  # fmt: skip
    return found


@dataclass
class _Search:
    db: sqlite3.Connection
    cap: Capability
    query: Query
    order: str
    limit: int
    deep: bool
    hide: Collection[str]
    reasoning: Path | None

    def answer(self) -> Found:
        self.started = time.perf_counter()
        self.note = self.query.note
        self.banner = ""
        self.complete = True
        self.engine = "index"
        self.ordered = "newest" if self.order == "relevance" else self.order
        self.schema = "main"
        self.text = self.cap.text("m")
        self.gatherer = Gatherer(
            self.db, self.cap, self.query, limit=self.limit, hide=self.hide, shown=3 if self.deep else 1
        )
        where = self._where()
        if where is not None:
            self._rows(where)
        results, hidden = self.gatherer.page(self.ordered, self._snippet)
        if not self.query.reasoning:
            results = title_results(
                self.db, self.cap, self.query, results, self.limit, self.hide, hidden, order=self.order, fresh=self.deep
            )
        return Found(
            self.query.text, self.engine, results, self.note, self.banner, hidden, self.complete, self.ordered
        )  # fmt: skip

    def _where(self) -> Tables | None:
        """The tables to ask; None when nothing can be asked and the note says why."""
        if self.query.reasoning:
            from workbench.sessions.reasoning import attach, column

            self.text = column(self.cap, "m")
            where, said = attach(self.db, self.cap, self.reasoning)
            self._say(said)
            self.complete = not said
            if where is not None:
                self.schema = where.schema
            return where
        self.health: Health = health(self.db, self.cap)
        self.banner = self.health.banner
        return self.health.where

    def _rows(self, where: Tables) -> None:
        root = self.query.root
        assert root is not None
        seconds = _DEEP_TERMS if self.deep else _QUICK_TERMS
        expand = expander(self.db, seconds=seconds, most=_MOST_TERMS[self.deep], schema=self.schema)
        query = self.query
        if not self.deep and any(term.typed for term in terms(root)) and self._whole_word_first(where):
            return
        plan = plans.compile(query, self.cap, expand, where, wide=self.deep)
        if plan.partial and self.deep:
            self._say(f"only the first {3 * _MOST_TERMS[1]:,} continuations of a short piece were looked at")
        try:
            if plan.streams is None:
                self._scan_all()
                return
            self._index(plan)
            self._beyond(plan, where)
        except sqlite3.DatabaseError as error:
            # The probe looks at a few rows only; a damaged page further back shows itself here.
            if "interrupted" in str(error) or self.query.reasoning or not _of_the_index(error):
                raise
            self.banner = f"the full-text index is damaged ({error}): texts are searched one by one"
            self._scan_all()

    def _index(self, plan: Plan) -> None:
        if self.order == "relevance" and self.deep and plan.ranked:
            self._ranked(plan)
            return
        if self.order == "relevance":
            self.complete = self.complete and self.deep
        self._drain(self._merged(plan), plan.partial)

    def _whole_word_first(self, where: Tables) -> bool:
        """Take the word being typed as it stands; whether that fills the page already.

        Listing the words that begin with it costs all their rows, looking up one costs only the newest.
        """
        plan = plans.compile(
            without_typing(self.query), self.cap, expander(self.db, seconds=0.0, most=1, schema=self.schema), where
        )
        if plan.streams is None or plan.partial:
            return False
        try:
            self._drain(self._merged(plan), True)
        except sqlite3.DatabaseError as error:
            if "interrupted" in str(error) or not _of_the_index(error):
                raise
            return False
        return self.gatherer.full

    def _drain(self, rows: Iterator[Row], partial: bool) -> None:
        """Rows into conversations until the page is full, the rows or the time are at an end."""
        until = self.started + _QUICK
        self.complete = self.complete and not (partial and not self.deep)
        while not self.gatherer.full:
            batch = list(islice(rows, _BATCH))
            if not batch:
                return
            self.gatherer.add(batch)
            if not self.deep and time.perf_counter() > until:
                self.complete = False
                return

    def _merged(self, plan: Plan, low: int = 0) -> Iterator[Row]:
        down = self.order != "oldest"
        streams = [self._stream(stream, plan, low) for stream in plan.streams or ()]
        if len(streams) == 1:
            return streams[0]
        return heapq.merge(*streams, key=lambda row: -row[0] if down else row[0])

    def _stream(self, stream: Stream, plan: Plan, low: int, most: int | None = None) -> Iterator[Row]:
        table = stream.table
        full = table if self.schema == "main" else f"{self.schema}.{table}"
        filters, values = row_filters(self.cap, self.query)
        conditions, bounds = [f"{table} MATCH ?"], list[object]()
        low, high = self._bounds(low)
        if low:
            conditions.append(f"{table}.rowid > ?")
            bounds.append(low)
        if high is not None:
            conditions.append(f"{table}.rowid <= ?")
            bounds.append(high)
        # The filters are a column, not a condition: SQLite would walk on through what they exclude past any time limit.
        sql = (
            f"SELECT {columns(self.cap)}, {' AND '.join(filters) or '1'}, {self.text if plan.verify else 'NULL'}"
            f" FROM {full} CROSS JOIN messages m ON m.id = {table}.rowid"
            f" WHERE {' AND '.join(conditions)} ORDER BY {table}.rowid {'ASC' if self.order == 'oldest' else 'DESC'}"
        )
        rows: Iterator[Row] = self.db.execute(sql, (*values, stream.match, *bounds))
        return self._judged(rows if most is None else islice(rows, most), plan)

    def _judged(self, rows: Iterator[Row], plan: Plan) -> Iterator[Row]:
        """Rows that pass the filters and, where the index alone cannot tell, whose text matches."""
        until = self.started + _QUICK
        for count, row in enumerate(rows, 1):
            text = row[COLUMNS + 1]
            if row[COLUMNS] and (not plan.verify or (isinstance(text, str) and matches(plan.root, fold(text)))):
                yield row[:COLUMNS]
            if not self.deep and count % 32 == 0 and time.perf_counter() > until:
                self.complete = False
                return

    def _bounds(self, low: int) -> tuple[int, int | None]:
        """A session's own range of ids, when the query names one: its rows are found without walking all others."""
        named = self.query.values("session")
        if len(named) != 1:
            return low, None
        first, last = self.db.execute(
            "SELECT min(id), max(id) FROM messages WHERE session_id = ?", (named[0],)
        ).fetchone()
        return (max(low, first - 1), last) if first is not None else (low, None)

    def _ranked(self, plan: Plan) -> None:
        """The newest matches by relevance: bounded, so that a common word costs no more than a rare one."""
        assert plan.streams
        table, match = plan.streams[0].table, plan.streams[0].match
        full = table if self.schema == "main" else f"{self.schema}.{table}"
        low, high = self._bounds(-1)
        high = newest_id(self.db) if high is None else high
        matching = f"SELECT rowid FROM {full} WHERE {table} MATCH ? AND rowid > ? AND rowid <= ?"
        bound = self.db.execute(
            f"{matching} ORDER BY rowid DESC LIMIT 1 OFFSET {RANKED_OVER}", (match, low, high)
        ).fetchone()
        ids = self.db.execute(
            f"{matching} ORDER BY bm25({table}), rowid DESC", (match, bound[0] if bound else low, high)
        )
        self.ordered = "relevance"
        self._drain(self._by_id(ids, plan), plan.partial)
        if bound is None:
            return
        self._say(f"relevance over the newest {RANKED_OVER:,} matches")
        chosen = plan.verify or self.query.filters or not self.gatherer.groups
        if chosen and not self.gatherer.full:
            # What the index takes for a match may not be one, or be filtered out, or be hidden with its session: all
            # that is asked for may be older.
            self._drain(self._merged(plan), plan.partial)

    def _by_id(self, ids: Iterator[Row], plan: Plan) -> Iterator[Row]:
        """The messages with these ids that pass the filters, in the order of the ids."""
        filters, values = row_filters(self.cap, self.query)
        while batch := [row[0] for row in islice(ids, 4 * _BATCH)]:
            marks = ", ".join("?" * len(batch))
            where = " AND ".join([f"m.id IN ({marks})", *filters])
            text = self.text if plan.verify else "NULL"
            found = self.db.execute(
                f"SELECT {columns(self.cap)}, 1, {text} FROM messages m WHERE {where}", (*batch, *values)
            )
            rows = {row[0]: row for row in self._judged(found, plan)}
            yield from (rows[each] for each in batch if each in rows)

    def _say(self, sentence: str) -> None:
        self.note = "; ".join(part for part in (self.note, sentence) if part)

    # -- what no index covers ------------------------------------------------------------------------------------

    def _beyond(self, plan: Plan, where: Tables) -> None:
        """Latin words within CJK writing, rows that an index leaves out, rows it has not reached."""
        if self.gatherer.full and self.order != "newest":
            # What no index covers could still be older or fit better, but not without reading everything.
            return
        floor = self._floor()
        latin = any(not term.cjk and len(term.text) > 1 for term in terms(self.query.root))
        if latin and where.pieces is not None and not self.query.reasoning:
            self._embedded(where, floor)
        ranges = needs_scan(self.db, self.cap, self.query, where) if not self.query.reasoning else []
        for low, high in ranges:
            self._scan(max(low, floor), high)

    def _floor(self) -> int:
        """The id below which nothing can enter a page that is already full of newer conversations."""
        if self.gatherer.full and self.order == "newest" and self.gatherer.lowest is not None:
            return self.gatherer.lowest - 1
        return 0

    def _embedded(self, where: Tables, floor: int) -> None:
        assert where.pieces is not None
        if not self.deep:
            self.complete = self.complete and not has_cjk_terms(self.db, where.pieces)
            return
        if not has_cjk_terms(self.db, where.pieces):
            return
        expand = expander(self.db, seconds=_DEEP_TERMS, most=_MOST_TERMS[1])
        plan = embedded(self.query, self.cap, expand, where)
        for stream in plan.streams or () if plan is not None else ():
            assert plan is not None
            for row in self._stream(stream, plan, floor, _EMBEDDED):
                self.gatherer.add([row])

    def _scan_all(self) -> None:
        self.engine = "scan"
        self._scan(0, newest_id(self.db))

    def _scan(self, low: int, high: int) -> None:
        until = None if self.deep else self.started + 2 * _QUICK
        low, top = self._bounds(low)
        high = high if top is None else min(high, top)
        walk = scan(self.db, self.cap, self.query, self.text, low, high, until, up=self.order == "oldest")
        while True:
            try:
                row = next(walk)
            except StopIteration as end:
                self.complete = self.complete and bool(end.value)
                return
            self.gatherer.add([row])
            if self.gatherer.full and self.engine == "scan":
                return

    # -- what is shown -------------------------------------------------------------------------------------------

    def _snippet(self, message: int) -> Snippet:
        wanted = terms(self.query.root)
        if self.query.reasoning:
            parts = [self.text]
        else:
            parts = [self.cap.expr("messages", name, "''", "m") for name in ("content", "tool_calls", "tool_name")]
        row = self.db.execute(f"SELECT {', '.join(parts)} FROM messages m WHERE m.id = ?", (message,)).fetchone()
        first: Snippet | None = None
        for number, part in enumerate(row or ()):
            read = called if number == 1 else said
            made = read(part, wanted) if isinstance(part, str) and part else Snippet("")
            if made.highlights:
                return made
            first = first or made
        return first or Snippet("")


def _of_the_index(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)
