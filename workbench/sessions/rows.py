"""Reading messages by id, each capped, and what a message is to the reader."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench.sessions.content import Content, ToolCall, content, decode, tool_calls
from workbench.sessions.lineage import moment
from workbench.sessions.schema import Capability
from workbench.text import finished, mask_head

# Bytes of one column that a page of messages carries; `read` gives the whole.
CAP = 48_000
# A list of parts is worth reading whole: what is said may stand behind a picture.
_STRUCTURED_CAP = 8_000_000
_CHUNK = 500


@dataclass(frozen=True)
class Message:
    """One message. Sizes are bytes as stored; `more` of them were not read. `timestamp` is None where it is absurd.

    `state` is live, compacted (archived by a compression in place, part of the record), undone (taken back) or hidden
    (the client's `display_kind`). `segment` counts the conversation's sessions from 0; `opens` marks the first message
    shown of a later one. `broken` names the columns whose JSON does not parse; their raw text is in `text`, or in a
    call named `?`.
    """

    id: int
    session_id: str
    role: str
    text: str
    timestamp: float | None
    state: str = "live"
    size: int = 0
    more: int = 0
    segment: int = 0
    opens: bool = False
    tool_name: str | None = None
    tool_call_id: str | None = None
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    attachments: tuple[str, ...] = ()
    tokens: int | None = None
    summary: bool = False
    broken: tuple[str, ...] = ()


def _capped(cap: Capability, column: str) -> str:
    """SQL of a column's first bytes and its size. As blobs: on text, substr and length stop at a NUL."""
    if not cap.has("messages", column):
        return "NULL, NULL"
    blob = f"CAST(m.{column} AS BLOB)"
    return f"substr({blob}, 1, :cap), length({blob})"


def _select(cap: Capability) -> str:
    hidden = f"coalesce({cap.expr('messages', 'display_kind', 'NULL', 'm')} = 'hidden', 0)"
    state = (
        f"CASE WHEN {cap.undone('m')} THEN 'undone' WHEN {hidden} THEN 'hidden' "
        f"WHEN {cap.compacted('m')} THEN 'compacted' ELSE 'live' END"
    )
    return ", ".join(
        (
            "m.id, m.session_id",
            *(cap.expr("messages", name, "NULL", "m") for name in ("role", "timestamp", "tool_name", "tool_call_id")),
            state,
            *(_capped(cap, name) for name in ("content", "tool_calls", "reasoning", "reasoning_content")),
            *(cap.expr("messages", name, "NULL", "m") for name in ("token_count", "_compressed_summary")),
        )
    )


def read(db: sqlite3.Connection, cap: Capability, ids: Iterable[int], *, limit: int = CAP) -> dict[int, Message]:
    """These messages by id, each column cut after `limit` bytes; ids that are not there are left out."""
    found: dict[int, Message] = {}
    select = f"SELECT {_select(cap)} FROM messages m"
    for chunk in _chunks(tuple(ids)):
        # Ids are integers of ours or of the database, never text: safe in the statement, and beside a named value.
        marks = ", ".join(str(int(each)) for each in chunk)
        for row in db.execute(f"{select} WHERE m.id IN ({marks})", {"cap": limit}):
            found[row[0]] = _message(db, row)
    return found


def _chunks(ids: Sequence[int]) -> Iterable[Sequence[int]]:
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))


def _message(db: sqlite3.Connection, row: Sequence[Any]) -> Message:
    (
        number, session, role, when, tool, call_id, state, head, size, calls_head, calls_size, thought, thought_size,
        thought_too, thought_too_size, tokens, summary,
    ) = row  # fmt: skip
    said, unread = _said(db, number, head, size)
    calls, whole = _calls(db, number, calls_head, calls_size)
    broken = (*(["content"] if said.broken else []), *([] if whole else ["tool_calls"]))
    reasoning = _thought(thought, thought_size) or _thought(thought_too, thought_too_size)
    return Message(
        id=number,
        session_id=str(session),
        role=str(role or "?"),
        text=said.text,
        timestamp=moment(when),
        state=state,
        size=size or 0,
        more=unread,
        tool_name=None if tool is None else str(tool),
        tool_call_id=None if call_id is None else str(call_id),
        calls=calls,
        reasoning=reasoning,
        attachments=said.attachments,
        tokens=tokens if isinstance(tokens, int) else None,
        summary=bool(summary),
        broken=broken,
    )


def _thought(head: bytes | None, size: int | None) -> str:
    cut = head is not None and (size or 0) > len(head)
    return finished(decode(head, cut=True)) if cut else decode(head)


def _said(db: sqlite3.Connection, number: int, head: bytes | None, size: int | None) -> tuple[Content, int]:
    unread = (size or 0) - len(head or b"")
    text = decode(head, cut=unread > 0)
    if unread > 0 and text.startswith("\x00json:") and (size or 0) <= _STRUCTURED_CAP:
        whole = db.execute("SELECT CAST(content AS BLOB) FROM messages WHERE id = ?", (number,)).fetchone()
        text, unread = decode(whole[0] if whole else head), 0
    said = content(text, cut=unread > 0)
    if unread <= 0 or text.startswith("\x00json:"):
        return said, unread
    whole_words = finished(said.text)
    return replace(said, text=whole_words), unread + len(said.text[len(whole_words) :].encode("utf-8", "replace"))


def _calls(
    db: sqlite3.Connection, number: int, head: bytes | None, size: int | None
) -> tuple[tuple[ToolCall, ...], bool]:
    if head is not None and size is not None and len(head) < size <= _STRUCTURED_CAP:
        row = db.execute("SELECT CAST(tool_calls AS BLOB) FROM messages WHERE id = ?", (number,)).fetchone()
        head = row[0] if row else head
    text = decode(head)
    calls, whole = tool_calls(text)
    return (calls, whole) if whole else ((ToolCall("", "?", text, mask_head(text, 200)),), False)


def whole(db: sqlite3.Connection, cap: Capability, message_id: int, *, limit: int = 64_000_000) -> Message | None:
    """One message without the cap of a page; None when it is gone. `limit` in bytes for each of its columns."""
    return read(db, cap, [message_id], limit=limit).get(message_id)


def with_results(
    messages: Sequence[Message], later: Callable[[Sequence[str]], Mapping[str, tuple[int, int]]]
) -> tuple[Message, ...]:
    """The messages with each call's result joined to it: the first one after the call that has its id.

    `later` finds (message id, bytes) by call id for results that are not among the messages.
    """
    here: dict[str, tuple[int, int]] = {}
    found: list[dict[str, tuple[int, int]]] = []
    missing: list[str] = []
    for each in reversed(messages):
        if each.tool_call_id is not None:
            here[each.tool_call_id] = (each.id, each.size)
        mine = {call.id: here[call.id] for call in each.calls if call.id in here}
        missing += [call.id for call in each.calls if call.id and call.id not in here]
        found.append(mine)
    beyond = later(missing) if missing else {}
    return tuple(
        _joined(each, {**beyond, **mine}) if each.calls else each
        for each, mine in zip(messages, reversed(found), strict=True)
    )


def _joined(message: Message, results: Mapping[str, tuple[int, int]]) -> Message:
    calls: list[ToolCall] = []
    for call in message.calls:
        number, size = results.get(call.id, (None, None))
        calls.append(replace(call, result_id=number, result_bytes=size))
    return replace(message, calls=tuple(calls))
