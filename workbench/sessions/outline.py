"""The order in which a conversation is read: the ids of its messages over all its sessions, without their text.

Read once per conversation from the client's own indexes (10,000 ids take about 2 ms), it makes every position, count
and page a slice. Not in it: rows taken back (unless asked for), rows the client hides, and copies of rows that a
compression carried over, which map to the row that is shown.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.sessions.carried import in_place, same, written_again
from workbench.sessions.lineage import Conversation, Segment
from workbench.sessions.schema import Capability


@dataclass(frozen=True)
class Outline:
    """`ids` in reading order; `starts` is where each segment begins in it.

    `keys` orders rows within a segment where that is not the id (0.22). `carried` maps a copy to the row shown in its
    place, `still_live` are those of them that a compression archived while a copy lives on. `undone` and `hidden`
    count what is left out (or, with `show_undone`, put in).
    """

    conversation: Conversation
    ids: array[int]
    starts: tuple[int, ...]
    keys: array[int]
    carried: Mapping[int, int] = field(default_factory=dict)
    still_live: frozenset[int] = frozenset()
    undone: int = 0
    hidden: int = 0
    show_undone: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    def position(self, message_id: int) -> int | None:
        """Where a message (or the row shown in its place) stands, from 0; None when it is not shown."""
        try:
            return self.ids.index(self.carried.get(message_id, message_id))
        except ValueError:
            return None

    def bounds(self, segment: int) -> tuple[int, int]:
        """The first position of a segment, and the one after its last."""
        return self.starts[segment], self.starts[segment + 1] if segment + 1 < len(self.starts) else len(self.ids)

    def place(self, segment: int, key: int) -> int:
        """Where a row of this key, which is not shown, would stand in a segment."""
        low, high = self.bounds(segment)
        return bisect_left(self.keys, key, low, high)


@dataclass
class _Part:
    """What one session gives: the rows shown and those taken back; `keys` where a row's key is not its id."""

    shown: list[int]
    undone: list[int] = field(default_factory=list)
    keys: dict[int, int] = field(default_factory=dict)
    carried: dict[int, int] = field(default_factory=dict)
    still_live: set[int] = field(default_factory=set)
    hidden: set[int] = field(default_factory=set)


def outline(
    db: sqlite3.Connection, cap: Capability, conversation: Conversation, *, show_undone: bool = False
) -> Outline:
    """The reading order of a conversation."""
    ids: array[int] = array("q")
    keys: array[int] = array("q")
    starts: list[int] = []
    carried: dict[int, int] = {}
    still_live: set[int] = set()
    undone = hidden = 0
    previous: _Part | None = None
    for number, segment in enumerate(conversation.segments):
        part = _part(db, cap, segment.id)
        if previous is not None:
            part.carried |= _carried_over(db, cap, (segment, part), (conversation.segments[number - 1], previous))
        previous = part
        gone = part.hidden | part.carried.keys()
        rows = [*part.shown, *part.undone] if show_undone else part.shown
        if gone:
            rows = [each for each in rows if each not in gone]
        starts.append(len(ids))
        if part.keys:
            pairs = sorted((part.keys.get(each, each), each) for each in rows)
            keys.extend(key for key, _ in pairs)
            ids.extend(each for _, each in pairs)
        else:
            rows.sort()
            keys.extend(rows)
            ids.extend(rows)
        carried |= part.carried
        still_live |= part.still_live
        undone += len(part.undone)
        hidden += len(part.hidden)
    return Outline(
        conversation,
        ids,
        tuple(starts),
        keys,
        {copy: _first(carried, copy) for copy in carried},
        frozenset(still_live),
        undone,
        hidden,
        show_undone,
    )


def _first(carried: Mapping[int, int], copy: int) -> int:
    """The row at the end of a chain of copies of copies; a copy is always newer than what it copies."""
    while copy in carried:
        copy = carried[copy]
    return copy


def _part(db: sqlite3.Connection, cap: Capability, session: str) -> _Part:
    if not cap.has("messages", "active"):
        rows = db.execute("SELECT id FROM messages WHERE session_id = ?", (session,))
        part = _Part([each for (each,) in rows])
    elif cap.has("messages", "display_order"):
        part = _grouped(db, cap, session)
    else:
        part = _plain(db, cap, session)
    if cap.has("messages", "display_kind"):
        sql = "SELECT id FROM messages WHERE session_id = ? AND display_kind = 'hidden'"
        part.hidden = {each for (each,) in db.execute(sql, (session,))}
    return part


def _plain(db: sqlite3.Connection, cap: Capability, session: str) -> _Part:
    """Rows with states, in the order of their ids (0.19).

    One condition on `active` at a time, so that each is answered by the index on (session_id, active, timestamp);
    only rows archived or taken back are touched themselves.
    """
    compacted = cap.expr("messages", "compacted", "0")
    archived: dict[int, object] = {}
    undone: list[int] = []
    sql = f"SELECT id, timestamp, {compacted} FROM messages WHERE session_id = ? AND active = 0"
    for each, when, kept in db.execute(sql, (session,)):
        if kept:
            archived[each] = when
        else:
            undone.append(each)
    live: dict[int, object] = {}
    column = "timestamp" if archived else "NULL"
    for condition in ("active > 0", "active IS NULL"):
        sql = f"SELECT id, {column} FROM messages WHERE session_id = ? AND {condition}"
        live |= dict(db.execute(sql, (session,)).fetchall())
    part = _Part([*live, *archived], undone)
    if archived:
        part.carried = in_place(db, cap, {**live, **archived}, archived)
        part.still_live = {_first(part.carried, copy) for copy in part.carried if copy in live}
    return part


_Grouped = tuple[int, int | None, int]


def _grouped(db: sqlite3.Connection, cap: Capability, session: str) -> _Part:
    """Rows in the order of `display_order`, one of each group: the live one, else the newest (0.22)."""
    rows: list[_Grouped] = []
    # Word for word the condition of the client's partial index, so that it covers the first query.
    for condition in ("(active = 1 OR compacted = 1)", "active IS NULL AND (compacted IS NULL OR compacted <> 1)"):
        sql = f"SELECT id, display_order, coalesce(active, 1) FROM messages WHERE session_id = ? AND {condition}"
        rows += db.execute(sql, (session,)).fetchall()
    part = _Part([])
    own = [each for each, order, _ in rows if each == order]
    # In most sessions nothing was ever carried on, and every row is a group of its own.
    shown = dict(zip(own, own, strict=True)) if len(own) == len(rows) else _best(rows, part)
    part.shown = list(shown.values())
    sql = f"SELECT id, display_order FROM messages WHERE session_id = ? AND active = 0 AND {cap.undone()}"
    for each, order in db.execute(sql, (session,)):
        if order in shown:
            # Not taken back by anyone: the original of a row that was carried on.
            part.carried[each] = shown[order]
            continue
        part.undone.append(each)
        if isinstance(order, int) and order != each:
            part.keys[each] = order
    return part


def _best(rows: Sequence[_Grouped], part: _Part) -> dict[int, int]:
    """The row shown of each group, by the group's key; the others go to `carried`."""
    best: dict[int, tuple[int, int]] = {}
    for each, order, active in rows:
        key = order if isinstance(order, int) else each
        mine = (1 if active else 0, each)
        other = best.get(key)
        if other is not None:
            mine, copy = max(mine, other), min(mine, other)
            part.carried[copy[1]] = mine[1]
        best[key] = mine
    part.keys = {each: key for key, (_active, each) in best.items() if each != key}
    return {key: each for key, (_active, each) in best.items()}


def _carried_over(
    db: sqlite3.Connection, cap: Capability, into: tuple[Segment, _Part], out_of: tuple[Segment, _Part]
) -> dict[int, int]:
    """Rows that a compression copied from the beginning and the end of one session into the next: copy to original."""
    (child, part), (parent, before) = into, out_of
    # A row that is not shown itself stands for nothing: its copy would vanish with it.
    originals, copies = sorted(set(before.shown) - before.hidden), sorted(part.shown)
    if not originals or not copies:
        return {}
    found = written_again(db, cap, originals, copies)
    if child.started_at is None:
        return found
    # Those that kept their times, wherever they stand: they are older than the session they are in.
    sql = (
        "SELECT a.id, b.id FROM messages b JOIN messages a ON a.session_id = ? AND a.timestamp = b.timestamp "
        "WHERE b.session_id = ? AND b.timestamp < ? ORDER BY a.id DESC"
    )
    pairs = db.execute(sql, (parent.id, child.id, child.started_at)).fetchall()
    if pairs:
        shown_before, shown = set(originals), set(copies)
        kept = [(original, copy) for original, copy in pairs if original in shown_before and copy in shown]
        found |= {copy: original for original, copy in same(db, cap, kept)}
    return found
