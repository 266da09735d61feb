"""Reading a conversation: the messages around one of them, more in both directions, turns, dates, both ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.errors import MessageNotFound
from workbench.sessions.content import decode
from workbench.sessions.lineage import Conversation
from workbench.sessions.outline import Outline, outline
from workbench.sessions.rows import Message, read, whole, with_results
from workbench.sessions.schema import Capability

__all__ = [
    "Bookends", "Message", "Outline", "Usage", "Window", "at_time", "bookends", "more_after", "more_before", "outline",
    "page", "system_prompt", "turn", "usage", "walk", "whole", "window",
]  # fmt: skip

# Prompts, tool results and the like beyond this are looked for no further ahead.
_AHEAD = 40
_STEP = 200
_LAST_TIME = 32_503_680_000


@dataclass(frozen=True)
class Window:
    """Consecutive messages; `start` is the position of the first in the conversation, `total` the conversation's size.

    `anchor` is the message shown for the one asked for; `messages_before` and `messages_after` count the
    conversation's messages on both sides of it (of the window's edges when there is no anchor).
    """

    messages: tuple[Message, ...]
    start: int
    total: int
    anchor: int | None = None
    messages_before: int = 0
    messages_after: int = 0

    @property
    def remaining_before(self) -> int:
        """Messages before the first one here."""
        return self.start

    @property
    def remaining_after(self) -> int:
        """Messages after the last one here."""
        return max(0, self.total - self.start - len(self.messages))


def window(
    db: sqlite3.Connection,
    cap: Capability,
    lines: Outline,
    anchor: int,
    *,
    before: int = 20,
    after: int = 20,
) -> Window:
    """The messages around one, which is shown whatever its state. Raises MessageNotFound."""
    at = lines.position(anchor)
    if at is not None:
        start, stop = max(0, at - before), min(len(lines), at + after + 1)
        messages = _load(db, cap, lines, lines.ids[start:stop])
        return Window(messages, start, len(lines), lines.ids[at], at, len(lines) - at - 1)
    row = whole(db, cap, anchor, limit=48_000)
    if row is None or row.session_id not in lines.conversation.ids:
        raise MessageNotFound(lines.conversation.asked, anchor)
    at = lines.place(lines.conversation.ids.index(row.session_id), _key(db, cap, anchor))
    start, stop = max(0, at - before), min(len(lines), at + after)
    around = [*lines.ids[start:at], anchor, *lines.ids[at:stop]]
    return Window(_load(db, cap, lines, around), start, len(lines) + 1, anchor, at, len(lines) - at)


def _key(db: sqlite3.Connection, cap: Capability, message_id: int) -> int:
    if not cap.has("messages", "display_order"):
        return message_id
    row = db.execute("SELECT coalesce(display_order, id) FROM messages WHERE id = ?", (message_id,)).fetchone()
    return row[0] if row and isinstance(row[0], int) else message_id


def page(db: sqlite3.Connection, cap: Capability, lines: Outline, start: int, count: int) -> Window:
    """`count` messages from a position on; both are cut to what is there."""
    start = max(0, min(start, len(lines)))
    messages = _load(db, cap, lines, lines.ids[start : start + max(0, count)])
    return Window(messages, start, len(lines), None, start, len(lines) - start - len(messages))


def more_before(db: sqlite3.Connection, cap: Capability, lines: Outline, first: int, count: int = 40) -> Window:
    """The `count` messages before the message `first`. Raises MessageNotFound."""
    at = _at(lines, first)
    return page(db, cap, lines, max(0, at - count), min(count, at))


def more_after(db: sqlite3.Connection, cap: Capability, lines: Outline, last: int, count: int = 40) -> Window:
    """The `count` messages after the message `last`. Raises MessageNotFound."""
    return page(db, cap, lines, _at(lines, last) + 1, count)


def _at(lines: Outline, message_id: int) -> int:
    at = lines.position(message_id)
    if at is None:
        raise MessageNotFound(lines.conversation.asked, message_id)
    return at


def _load(db: sqlite3.Connection, cap: Capability, lines: Outline, ids: Sequence[int]) -> tuple[Message, ...]:
    segments = {session: number for number, session in enumerate(lines.conversation.ids)}
    opening = {lines.ids[start] for start in lines.starts[1:] if start < len(lines)}
    rows = read(db, cap, ids)
    messages = tuple(
        replace(
            rows[each],
            segment=segments.get(rows[each].session_id, 0),
            opens=each in opening,
            state="live" if each in lines.still_live else rows[each].state,
        )
        for each in ids
        if each in rows  # a row that was deleted meanwhile
    )
    return with_results(messages, lambda missing: _results(db, cap, lines, messages, missing))


def _results(
    db: sqlite3.Connection, cap: Capability, lines: Outline, messages: Sequence[Message], missing: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """Results that stand just behind the messages at hand."""
    last = lines.position(messages[-1].id)
    ahead = lines.ids[last + 1 : last + 1 + _AHEAD] if last is not None else ()
    if not ahead or not cap.has("messages", "tool_call_id"):
        return {}
    sql = "SELECT tool_call_id, id, length(CAST(content AS BLOB)) FROM messages WHERE id IN ({}) AND tool_call_id <> ''"
    found: dict[str, tuple[int, int]] = {}
    for call, number, size in db.execute(sql.format(", ".join(map(str, ahead)))):
        if call in missing:
            found.setdefault(str(call), (number, size or 0))
    return found


# -- moving ---------------------------------------------------------------------------------------------------------


def turn(db: sqlite3.Connection, cap: Capability, lines: Outline, message_id: int, step: int) -> int | None:
    """The nearest message of the user before (`step` < 0) or after a message; None when there is none."""
    at = lines.position(message_id)
    if at is None:
        return None
    ids = lines.ids[:at][::-1] if step < 0 else lines.ids[at + 1 :]
    found = _first_with(db, ids, "role = 'user'", 1)
    return found[0] if found else None


def _first_with(db: sqlite3.Connection, ids: Sequence[int], condition: str, count: int) -> list[int]:
    found: list[int] = []
    for start in range(0, len(ids), _STEP):
        chunk = ids[start : start + _STEP]
        marks = ", ".join(map(str, chunk))
        fit = {each for (each,) in db.execute(f"SELECT id FROM messages WHERE id IN ({marks}) AND {condition}")}
        found += [each for each in chunk if each in fit]
        if len(found) >= count:
            break
    return found[:count]


def at_time(db: sqlite3.Connection, lines: Outline, when: float) -> int | None:
    """The first message at or after a time (Unix seconds), the last one when all are older; None without messages."""
    if not len(lines):
        return None
    condition = "session_id = ? AND timestamp >= ? AND timestamp < ?"
    sql = f"SELECT id FROM messages WHERE {condition} ORDER BY timestamp, id LIMIT 500"
    for session in lines.conversation.ids:
        for (each,) in db.execute(sql, (session, when, _LAST_TIME)):
            at = lines.position(each)
            if at is not None:
                return lines.ids[at]
    return lines.ids[-1]


@dataclass(frozen=True)
class Bookends:
    """The first and last messages of user and assistant that say something; goal and outcome of a conversation."""

    first: tuple[Message, ...]
    last: tuple[Message, ...]


def bookends(db: sqlite3.Connection, cap: Capability, lines: Outline, count: int = 3) -> Bookends:
    """The first and last `count` messages of user and assistant; none of them twice."""
    # Compared, not measured: length() stops at the NUL that begins structured content.
    said = "role IN ('user', 'assistant') AND content IS NOT NULL AND content <> ''"
    first = _first_with(db, lines.ids, said, count)
    last = [each for each in reversed(_first_with(db, lines.ids[::-1], said, count)) if each not in first]
    return Bookends(_load(db, cap, lines, first), _load(db, cap, lines, last))


def walk(
    db: sqlite3.Connection, cap: Capability, lines: Outline, *, step: int = 100, full: bool = True
) -> Iterator[Message]:
    """All messages in reading order, read `step` at a time; `full`: long texts whole, not cut as in a page."""
    for start in range(0, len(lines), step):
        for message in page(db, cap, lines, start, step).messages:
            if full and message.more:
                uncut = whole(db, cap, message.id)
                message = replace(message, text=uncut.text, more=uncut.more) if uncut else message
            yield message


# -- about a conversation -------------------------------------------------------------------------------------------


def system_prompt(db: sqlite3.Connection, cap: Capability, session_id: str) -> str | None:
    """The system prompt that a session began with; from the table of prompts where only its hash is kept (0.22)."""
    if cap.has("sessions", "system_prompt"):
        row = db.execute("SELECT CAST(system_prompt AS BLOB) FROM sessions WHERE id = ?", (session_id,)).fetchone()
        if row and row[0]:
            return decode(row[0])
    if cap.has("sessions", "system_prompt_hash") and "system_prompts" in cap.tables:
        sql = (
            "SELECT CAST(p.prompt AS BLOB) FROM sessions s JOIN system_prompts p ON p.hash = s.system_prompt_hash "
            "WHERE s.id = ?"
        )
        row = db.execute(sql, (session_id,)).fetchone()
        if row and row[0] is not None:
            return decode(row[0])
    return None


@dataclass(frozen=True)
class Usage:
    """Tokens and cost (US dollars, None when never estimated) that a conversation took, over all its sessions."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    tool_calls: int = 0
    cost: float | None = None

    @property
    def line(self) -> str:
        """One line of the figures that are not 0; "" when nothing was recorded."""
        parts = [
            f"{number:,} {name}"
            for number, name in (
                (self.input_tokens, "in"),
                (self.output_tokens, "out"),
                (self.cache_read_tokens, "cached"),
                (self.reasoning_tokens, "reasoning"),
            )
            if number
        ]
        text = f"tokens {' · '.join(parts)}" if parts else ""
        cost = _money(self.cost) if self.cost else ""
        return " · ".join(part for part in (text, cost) if part)


def _money(dollars: float) -> str:
    """Cents always, what is below a cent as far as it says something: $1.20, $0.028."""
    whole, _, part = f"{dollars:,.4f}".partition(".")
    return f"${whole}.{part.rstrip('0').ljust(2, '0')}"


def usage(db: sqlite3.Connection, cap: Capability, conversation: Conversation) -> Usage:
    """What a conversation took; the actual cost where the client knows it, else its estimate."""
    names = (
        "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
        "tool_call_count",
    )  # fmt: skip
    columns = [cap.expr("sessions", name, "0", "s") for name in names]
    columns.append(cost_sql(cap, "s"))
    sums = [0] * len(names)
    cost: float | None = None
    for session in conversation.ids:
        row = db.execute(f"SELECT {', '.join(columns)} FROM sessions s WHERE s.id = ?", (session,)).fetchone() or ()
        for at, value in enumerate(row[:-1]):
            sums[at] += value if isinstance(value, int) else 0
        if row and isinstance(row[-1], int | float):
            cost = (cost or 0.0) + row[-1]
    return Usage(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], cost)


def cost_sql(cap: Capability, alias: str) -> str:
    """SQL of what a session cost: the actual figure where it is known, else the client's estimate, else NULL."""
    actual = cap.expr("sessions", "actual_cost_usd", "NULL", alias)
    estimate = cap.expr("sessions", "estimated_cost_usd", "NULL", alias)
    return f"coalesce(nullif({actual}, 0), {estimate})"
