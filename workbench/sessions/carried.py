"""Rows that a compression wrote a second time: the beginning and the end of what it compressed, kept as they were.

A compression replaces a conversation by its first messages, a summary and its last messages. Those kept are inserted
again, in the same session (in place, 0.19) or in the next one, with new ids. Messages that had been loaded from the
database keep their times; those of the running process get the time of the insertion (measured with 0.19).
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from workbench.sessions.lineage import moment
from workbench.sessions.schema import Capability

# Rows kept at the end (20 by default, or a share of the tokens) and at the beginning (3) that are looked for.
_END, _BEGINNING = 120, 8
# Rows between the two: the summary, and a row that it was merged into.
_SUMMARY = 2
# Seconds between two rows that one compression in place inserts; rows written one by one are further apart.
_TOGETHER = 5e-6
# Insertions looked into, the newest; each costs a statement.
_INSERTIONS = 64
_CHUNK = 400
Sign = tuple[object, ...]


def same(db: sqlite3.Connection, cap: Capability, pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pairs (original, copy) of rows that say the same; the result of a tool may have been shortened."""
    calls = "a.tool_calls IS b.tool_calls" if cap.has("messages", "tool_calls") else "1"
    answer = "a.role = 'tool' AND a.tool_call_id = b.tool_call_id" if cap.has("messages", "tool_call_id") else "0"
    sql = (
        "SELECT 1 FROM messages a, messages b WHERE a.id = ? AND b.id = ? AND a.role IS b.role "
        f"AND ((a.content IS b.content AND {calls}) OR ({answer}))"
    )
    for pair in pairs:
        if db.execute(sql, pair).fetchone() is not None:
            yield pair


def written_again(
    db: sqlite3.Connection, cap: Capability, before: Sequence[int], after: Sequence[int]
) -> dict[int, int]:
    """The rows at the beginning of `after` that are kept from `before` (ids in order): copy to original.

    What was kept at the end must be the very end of `before`, in its order; otherwise nothing is taken for a copy.
    """
    new = after[: _BEGINNING + _SUMMARY + _END]
    signs = _signs(db, cap, {*before[:_BEGINNING], *before[-_END:], *new})
    old, fresh = [signs.get(each) for each in before[-_END:]], [signs.get(each) for each in new]
    first = 0
    while first < min(_BEGINNING, len(before), len(new)) and signs.get(before[first]) == fresh[first]:
        first += 1
    # The beginning may reach into the end of a short conversation; then fewer rows of it are a beginning.
    for kept in range(first, -1, -1):
        for start in range(kept, min(kept + _SUMMARY, len(new) - 1) + 1):
            length = _end_at(old, fresh[start:])
            if length > 1 or (length == 1 and start > 0 and any(old[-1][1:] if old[-1] else ())):
                pairs = list(zip(before[:kept], new[:kept], strict=True))
                pairs += zip(before[len(before) - length :], new[start : start + length], strict=True)
                return {copy: original for original, copy in same(db, cap, pairs)}
    return {}


def _end_at(old: Sequence[Sign | None], fresh: Sequence[Sign | None]) -> int:
    """How many rows `fresh` begins with that `old` ends with."""
    for length in range(min(len(old), len(fresh)), 0, -1):
        if old[-length] == fresh[0] and old[len(old) - length :] == fresh[:length]:
            return length
    return 0


def _signs(db: sqlite3.Connection, cap: Capability, ids: set[int]) -> dict[int, Sign]:
    """What tells most rows apart, without reading the whole of them."""
    call, calls = (cap.expr("messages", name, "''", "m") for name in ("tool_call_id", "tool_calls"))
    sql = (
        f"SELECT m.id, m.role, CASE WHEN m.role = 'tool' AND {call} <> '' THEN {call} "
        f"ELSE substr(m.content, 1, 120) END, substr({calls}, 1, 120) FROM messages m WHERE m.id IN ({{}})"
    )
    found: dict[int, Sign] = {}
    ordered = sorted(ids)
    for start in range(0, len(ordered), _CHUNK):
        marks = ", ".join(map(str, ordered[start : start + _CHUNK]))
        for number, *sign in db.execute(sql.format(marks)):
            found[number] = tuple(sign)
    return found


def in_place(
    db: sqlite3.Connection, cap: Capability, times: Mapping[int, object], archived: Mapping[int, object]
) -> dict[int, int]:
    """The copies among a session's rows (id to time, of those not taken back), some of them archived."""
    ids = sorted(times)
    carried = dict(_same_time(db, cap, ids, times, archived))
    for start in _insertions(ids, times, archived):
        for copy, original in written_again(db, cap, ids[:start], ids[start:]).items():
            carried.setdefault(copy, original)
    return carried


def _same_time(
    db: sqlite3.Connection,
    cap: Capability,
    ids: Sequence[int],
    times: Mapping[int, object],
    archived: Mapping[int, object],
) -> Iterator[tuple[int, int]]:
    """Copies that kept their times: (copy, original)."""
    by_time: dict[object, list[int]] = {}
    for each in ids:
        by_time.setdefault(times[each], []).append(each)
    pairs = [
        (first, later)
        for together in by_time.values()
        if len(together) > 1
        for at, first in enumerate(together)
        if first in archived
        for later in together[at + 1 :]
    ]
    known: set[int] = set()
    for original, copy in same(db, cap, pairs):
        if copy not in known:
            known.add(copy)
            yield copy, original


def _insertions(ids: Sequence[int], times: Mapping[int, object], archived: Mapping[int, object]) -> list[int]:
    """Where compressions in place may have begun to insert.

    That is behind the last archived row, where rows begin to come all at once, and where time goes back. Too many are
    named rather than too few: what is no insertion does not begin with the end of what stands before it.
    """
    starts = {bisect_right(ids, max(archived)) % len(ids)}
    run = False
    for at in range(1, len(ids)):
        earlier, now = moment(times[ids[at - 1]]), moment(times[ids[at]])
        if earlier is None or now is None:
            continue
        together = 0 <= now - earlier <= _TOGETHER
        if together and not run:
            starts.add(at - 1)
        if now < earlier:
            starts.add(at)
        run = together
    return sorted(start for start in starts if start)[-_INSERTIONS:]
