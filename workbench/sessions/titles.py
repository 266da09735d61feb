"""Titles, which are in no full-text table; and queries that consist of filters alone."""

from __future__ import annotations

import re
import sqlite3
import time
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from typing import Any

from workbench.sessions.found import Found, Hit, Result, Snippet
from workbench.sessions.gather import Gatherer, columns, row_filters, session_filters, wanted_session
from workbench.sessions.lineage import Segment, roots, segments_of
from workbench.sessions.matching import fold, quick_pattern, tokens
from workbench.sessions.plans import matches
from workbench.sessions.query import And, Node, Not, Query, Term, terms
from workbench.sessions.schema import LAST_SOURCES, Capability
from workbench.sessions.snippets import readable, snippet

ROLE = "session_title"
_ROW_FILTERS = ("role", "tool")
_GOOD_SECONDS = 2.0
# Titles looked at first; most of what is typed fits enough of them.
_FIRST = 1_000


def title_results(
    db: sqlite3.Connection,
    cap: Capability,
    query: Query,
    results: tuple[Result, ...],
    limit: int,
    hide: Collection[str],
    hidden: dict[str, int],
    *,
    order: str = "newest",
    fresh: bool = True,
) -> tuple[Result, ...]:
    """`results` with the conversations whose title matches, those first, by time; `hidden` is added to.

    Unless `fresh`, titles may be a second or two old while the agent writes. A conversation that is among the results
    already keeps its hits and moves up.
    """
    if query.root is None or not cap.has("sessions", "title") or any(f.name in _ROW_FILTERS for f in query.filters):
        return results
    fits = list(islice(_matching(titles(db, fresh=fresh), query.root), 2 * limit))
    if not fits:
        return results
    marks = ", ".join("?" * len(fits))
    ids = [str(row[0]) for row in db.execute(f"SELECT id FROM sessions WHERE rowid IN ({marks})", fits)]
    segments = [
        each for each in segments_of(db, cap, ids).values() if wanted_session(query, each) and _dated(query, each)
    ]
    return _merged(db, cap, query, results, segments, limit, hide, hidden, order)


@dataclass(frozen=True)
class Titles:
    """All titles of a database, folded, one a line: a search walks one text instead of many rows.

    `words` are the different words in them, one a line: what is in no title is known without walking them all. `rows`
    are the sessions' rowids, `starts` where each one's line begins. `version` and `read_at` tell its age.
    """

    text: str
    words: str
    rows: array[int]
    starts: array[int]
    version: int
    read_at: float

    def line(self, number: int) -> str:
        """The folded title with this number."""
        return self.text[self.starts[number] : self.end(number)]

    def end(self, number: int) -> int:
        """Where its line ends."""
        return self.starts[number + 1] - 1 if number + 1 < len(self.starts) else len(self.text)


def titles(db: sqlite3.Connection, *, fresh: bool = True) -> Titles:
    """The titles, read once for as long as nobody writes; unless `fresh`, every two seconds while somebody does."""
    kept: dict[str, Any] = getattr(db, "kept", {})
    there: Titles | None = kept.get("titles")
    version = db.execute("PRAGMA data_version").fetchone()[0]
    if there is not None and (
        there.version == version or (not fresh and time.monotonic() - there.read_at < _GOOD_SECONDS)
    ):
        return there
    text, rows, starts = _lines(db)
    if there is not None and (there.text, there.rows) == (text, rows):
        made = replace(there, version=version, read_at=time.monotonic())
    else:
        words = "\n".join({found.group() for found in re.finditer(r"[^\W_]+", text)})
        made = Titles(text, words, rows, starts, version, time.monotonic())
    kept["titles"] = made
    return made


def _lines(db: sqlite3.Connection) -> tuple[str, array[int], array[int]]:
    # `title IS NOT NULL` lets SQLite read the small index of titles instead of the sessions with their prompts, and
    # `+rowid` keeps it from walking those for their order. Row by row, so that no list of them all is ever held.
    found = db.execute("SELECT rowid, title FROM sessions WHERE title IS NOT NULL ORDER BY +rowid")
    text, rows, starts, at = StringIO(), array("q"), array("q"), 0
    for row, title in found:
        if isinstance(title, str):
            rows.append(row)
            starts.append(at)
            at += text.write(fold(title.replace("\n", " ")) + "\n")
    return text.getvalue()[:-1], rows, starts


def _matching(there: Titles, root: Node) -> Iterator[int]:
    """The rowids of the sessions whose title matches, newest first."""
    last, most = 0 if _in_none(there, root) else len(there.rows), _FIRST
    # Newest first and in growing pieces: a common word costs the same however many titles there are.
    while last > 0:
        first = max(0, last - most)
        numbers = _candidates(there, root, first, last)
        for number in sorted(range(first, last) if numbers is None else numbers, reverse=True):
            if matches(root, there.line(number)):
                yield there.rows[number]
        last, most = first, 4 * most


def _in_none(there: Titles, node: Node) -> bool:
    """Whether no title can match, by the words that occur in any."""
    if isinstance(node, Term):
        if node.cjk:
            return fold(node.text) not in there.text
        return any(quick_pattern(piece, prefix).search(there.words) is None for piece, prefix in _pieces(node))
    if isinstance(node, Not):
        return False
    judge = any if isinstance(node, And) else all
    return judge(_in_none(there, item) for item in node.items)


def _pieces(term: Term) -> list[tuple[str, bool]]:
    """The words of a term, and whether each may go on."""
    pieces = tokens(term.text)
    return [(piece, term.prefix and number == len(pieces)) for number, piece in enumerate(pieces, 1)]


def _lines_with(there: Titles, piece: str, first: int, last: int) -> Iterator[int]:
    end = there.end(last - 1)
    at = there.text.find(piece, there.starts[first], end)
    while at >= 0:
        number = bisect_right(there.starts, at) - 1
        yield number
        if number + 1 >= last:
            return
        at = there.text.find(piece, there.starts[number + 1], end)


def _candidates(there: Titles, node: Node, first: int, last: int) -> set[int] | None:
    """The titles from number `first` to before `last` that could match, None for all of them."""
    if isinstance(node, Term):
        pieces = [(fold(node.text), True)] if node.cjk else _pieces(node)
        longest, prefix = max(pieces, key=lambda piece: len(piece[0]), default=("", True))
        if not longest:
            return None
        if len(longest) >= 3 or node.cjk:
            return set(_lines_with(there, longest, first, last))
        # So short a piece is in nearly every title, the word itself is not.
        found = quick_pattern(longest, prefix).finditer(there.text, there.starts[first], there.end(last - 1))
        return {bisect_right(there.starts, match.start()) - 1 for match in found}
    if isinstance(node, Not):
        return None
    parts = [_candidates(there, item, first, last) for item in node.items]
    known = [part for part in parts if part is not None]
    if isinstance(node, And):
        return set.intersection(*known) if known else None
    return set.union(*known) if len(known) == len(parts) else None


def _merged(
    db: sqlite3.Connection,
    cap: Capability,
    query: Query,
    results: tuple[Result, ...],
    segments: list[Segment],
    limit: int,
    hide: Collection[str],
    hidden: dict[str, int],
    order: str,
) -> tuple[Result, ...]:
    above = roots(db, cap, [each.id for each in segments])
    there = {result.root_id: result for result in results}
    named: dict[str, Segment] = {}
    asked = {value.lower() for value in query.values("source")}
    for segment in sorted(segments, key=lambda each: -(each.started_at or 0.0)):
        root = above[segment.id]
        if segment.source in hide and segment.source not in asked:
            hidden[segment.source] = hidden.get(segment.source, 0) + 1
        else:
            named.setdefault(root, segment)
    chosen = sorted(named, key=lambda root: named[root].source in LAST_SOURCES)[:limit]
    sign = 1 if order == "oldest" else -1
    mine = [there.get(root) or _result(db, named[root], root, query) for root in chosen]
    mine.sort(key=lambda result: sign * (result.when or 0.0))
    others = [result for result in results if result.root_id not in named]
    return tuple(sorted([*mine, *others], key=lambda result: result.source in LAST_SOURCES)[:limit])


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


def by_filters(
    db: sqlite3.Connection, cap: Capability, query: Query, *, limit: int, hide: Collection[str], until: float | None
) -> Found:
    """Conversations by filters alone; each with its newest message that the filters let through.

    `until` (time.perf_counter) ends it early.
    """
    title = query.values("title")
    if title and not any(each.name in _ROW_FILTERS for each in query.filters):
        # A title is asked of the index of titles; what the other filters say still holds.
        told = replace(query, root=Term(title[0], phrase=True, prefix=True))
        hidden: dict[str, int] = {}
        results = title_results(db, cap, told, (), limit, hide, hidden)
        return Found(query.text, "titles", results, query.note, hidden=hidden)
    gatherer = Gatherer(db, cap, query, limit=limit, hide=hide, shown=1)
    conditions, values = row_filters(cap, query)
    where = " AND ".join([*conditions, "m.session_id = ?"])
    newest = f"SELECT {columns(cap)} FROM messages m WHERE {where} ORDER BY m.timestamp DESC, m.id DESC LIMIT 1"
    asked, wanted = session_filters(cap, query)
    sessions = db.execute(f"SELECT s.id FROM sessions s WHERE {asked} ORDER BY s.started_at DESC", wanted)
    complete = True
    # Session by session: a filter that fits nothing ends with the sessions and never walks the messages.
    while not gatherer.full and (batch := [str(row[0]) for row in sessions.fetchmany(50)]):
        rows = [db.execute(newest, (*values, ident)).fetchone() for ident in batch]
        gatherer.add(row for row in rows if row is not None)
        if until is not None and time.perf_counter() > until:
            complete = False
            break

    def piece(message: int) -> Snippet:
        row = db.execute("SELECT content FROM messages WHERE id = ?", (message,)).fetchone()
        return snippet(readable(row[0]) if row and isinstance(row[0], str) else "", ())

    results, counted = gatherer.page("newest", piece)
    return Found(query.text, "filters", results, query.note, hidden=counted, complete=complete)
