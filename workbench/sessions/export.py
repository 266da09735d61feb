"""Conversations as JSONL that the client imports, and as Markdown.

JSONL: one session a line, as the client's own `sessions export` writes it and its import (0.19) reads it: all columns
of the session, and `messages` with those it goes on with. Rows archived by a compression would come back to life in an
import, so they stand in a list of their own, `compacted_messages`; rows taken back are added (`undone_messages`) when
asked for. The import takes at most 5 MiB and 10,000 messages a session; `too_big` says what exceeds that.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from workbench.sessions.content import STRUCTURED, size_text
from workbench.sessions.lineage import Conversation
from workbench.sessions.outline import outline
from workbench.sessions.rows import Message
from workbench.sessions.schema import Capability
from workbench.sessions.transcript import system_prompt, usage, walk
from workbench.text import json_text, mask, reveal

IMPORT_BYTES = 5 * 1024 * 1024
IMPORT_MESSAGES = 10_000
FORMATS = ("jsonl", "markdown", "html")
_BROKEN = (ValueError, RecursionError)
_JSON_COLUMNS = ("reasoning_details", "codex_reasoning_items", "codex_message_items")
_SESSION_TEXT = (
    "source", "user_id", "model", "system_prompt", "end_reason", "cwd", "git_branch", "git_repo_root",
    "billing_provider", "billing_base_url", "billing_mode", "cost_status", "cost_source", "pricing_version", "title",
)  # fmt: skip
_MESSAGE_TEXT = (
    "tool_call_id", "tool_name", "effect_disposition", "finish_reason", "reasoning", "reasoning_content",
    "platform_message_id", "message_id",
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """What an export holds. `masked`: credentials as dots; `undone`: also what the user took back."""

    masked: bool = True
    undone: bool = False


# -- JSONL ----------------------------------------------------------------------------------------------------------


def jsonl(
    db: sqlite3.Connection,
    cap: Capability,
    conversation: Conversation,
    choice: Choice,
    too_big: Callable[[str], None] = lambda why: None,
) -> Iterator[str]:
    """The sessions of a conversation as lines, parent first, in pieces; a message at a time is held in memory."""
    for session in conversation.ids:
        size = count = 0
        for piece, messages in _session(db, cap, session, choice):
            size += len(piece.encode("utf-8", "backslashreplace"))
            count += messages
            yield piece
        if size > IMPORT_BYTES or count > IMPORT_MESSAGES:
            too_big(
                f"{session} has {count:,} messages and {size_text(size)}; the client imports at most "
                f"{IMPORT_MESSAGES:,} messages and {size_text(IMPORT_BYTES)} a session"
            )


def _session(db: sqlite3.Connection, cap: Capability, session: str, choice: Choice) -> Iterator[tuple[str, int]]:
    clean = _masked if choice.masked else _same
    columns = sorted(cap.sessions)
    row = db.execute(f"SELECT {', '.join(_quoted(columns))} FROM sessions WHERE id = ?", (session,)).fetchone()
    found = {name: _plain(value) for name, value in zip(columns, row, strict=True)}
    found |= {name: str(found[name]) for name in _SESSION_TEXT if found.get(name) is not None}
    if not found.get("system_prompt"):
        found["system_prompt"] = system_prompt(db, cap, session)
    config = found.get("model_config")
    if config is not None and not _is_object(config):
        # One config that is no object makes the client refuse the whole import.
        found["model_config"], found["model_config_raw"] = None, config
    head = json_text({**clean(found), "id": session})
    yield head[:-1], 0
    for name, condition in _lists(cap, choice):
        yield f', "{name}": [', 0
        between = ""
        for message in _messages(db, cap, session, condition):
            yield between + json_text(clean(message)), name == "messages"
            between = ", "
        yield "]", 0
    yield "}\n", 0


def _lists(cap: Capability, choice: Choice) -> Iterator[tuple[str, str]]:
    yield "messages", cap.live() + (f" AND NOT {cap.compacted()}" if cap.has_undo else "")
    if cap.has_undo:
        yield "compacted_messages", cap.compacted()
        if choice.undone:
            yield "undone_messages", cap.undone()


def _quoted(columns: list[str]) -> list[str]:
    return ['"' + name.replace('"', '""') + '"' for name in columns]


def _messages(db: sqlite3.Connection, cap: Capability, session: str, condition: str) -> Iterator[dict[str, Any]]:
    columns = sorted(cap.messages)
    sql = f"SELECT {', '.join(_quoted(columns))} FROM messages WHERE session_id = ? AND {condition} ORDER BY id"
    for row in db.execute(sql, (session,)):
        # Keys of the client's own (bytes) mean nothing elsewhere, and JSON has no form for them.
        pairs = zip(columns, row, strict=True)
        yield _message({name: _plain(value) for name, value in pairs if not isinstance(value, bytes)})


def _message(found: dict[str, Any]) -> dict[str, Any]:
    text = found.get("content")
    if isinstance(text, str) and text.startswith(STRUCTURED):
        found["content"] = _parsed(text[len(STRUCTURED) :], text)
    calls = found.get("tool_calls")
    if isinstance(calls, str):
        parsed = _parsed(calls, None)
        found["tool_calls"] = parsed if isinstance(parsed, list) else None
        if calls and not isinstance(parsed, list):
            found["tool_calls_raw"] = calls
    for name in _JSON_COLUMNS:
        if isinstance(found.get(name), str):
            found[name] = _parsed(found[name], found[name])
    for name in _MESSAGE_TEXT:
        if found.get(name) is not None:
            found[name] = str(found[name])
    if not isinstance(found.get("token_count"), int):
        found["token_count"] = None
    found["role"] = str(found.get("role") or "unknown")
    return found


def _parsed(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except _BROKEN:
        return otherwise


def _is_object(text: object) -> bool:
    return isinstance(text, str) and isinstance(_parsed(text, None), dict)


def _plain(value: Any) -> Any:
    """A stored value as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.hex() if isinstance(value, bytes) else value


def _same(value: Any) -> Any:
    return value


def _masked(value: Any) -> Any:
    """The same value with the credentials in all its texts as dots, also within JSON that is kept as text."""
    if isinstance(value, str):
        if value[:1] in ("{", "["):
            inner = _parsed(value, None)
            if isinstance(inner, dict | list):
                return json.dumps(_masked(inner), ensure_ascii=False)
        return mask(value)
    if isinstance(value, list):
        return [_masked(each) for each in value]
    if isinstance(value, dict):
        return {key: _labelled(str(key), each) for key, each in value.items()}
    return value


def _labelled(key: str, value: Any) -> Any:
    """A value judged together with its key: `{"password": "…"}` tells by the key alone."""
    if not isinstance(value, str) or len(value) > 400 or value[:1] in ("{", "["):
        return _masked(value)
    label = f"{key}="
    return mask(label + value)[len(label) :] if mask(label).startswith(label) else mask(value)


# -- Markdown -------------------------------------------------------------------------------------------------------

ROLES = {"user": "You", "assistant": "Agent", "tool": "Tool", "system": "System"}
STATES = {
    "compacted": "archived by a compression",
    "undone": "taken back",
    "hidden": "hidden by the client",
    "live": "",
}


def shown(text: str, choice: Choice) -> str:
    """A text of the database as an export shows it."""
    return reveal(mask(text) if choice.masked else text).text


def stamp(when: float | None) -> str:
    """A moment as local date and time; `?` when there is none."""
    return "?" if when is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def about(db: sqlite3.Connection, cap: Capability, conversation: Conversation) -> list[tuple[str, str]]:
    """What stands above an exported conversation: (label, value), empty values left out."""
    first, tip = conversation.segments[0], conversation.tip
    pairs = [
        ("Session", " → ".join(conversation.ids)),
        ("Source", conversation.source),
        ("Model", tip.model or ""),
        ("Started", stamp(first.started_at)),
        ("Folder", tip.cwd or ""),
        ("Took", usage(db, cap, conversation).line),
    ]
    return [(label, value) for label, value in pairs if value]


def markdown(db: sqlite3.Connection, cap: Capability, conversation: Conversation, choice: Choice) -> Iterator[str]:
    """A conversation as Markdown, in pieces: what was said as it was written, tool output in fences."""
    yield f"# {shown(conversation.title or conversation.root, choice)}\n\n"
    for label, value in about(db, cap, conversation):
        yield f"- {label}: {shown(value, choice)}\n"
    lines = outline(db, cap, conversation, show_undone=choice.undone)
    for message in walk(db, cap, lines):
        yield _said(message, conversation, choice)


def _said(message: Message, conversation: Conversation, choice: Choice) -> str:
    parts: list[str] = []
    if message.opens:
        name = shown(conversation.ids[message.segment], choice)
        parts.append(f"\n---\n\n*goes on as {name} after a compression*\n")
    state = STATES.get(message.state, message.state)
    heading = " · ".join(
        part for part in (ROLES.get(message.role, message.role), stamp(message.timestamp), state) if part
    )
    tool = f" · {message.tool_name}" if message.role == "tool" and message.tool_name else ""
    parts.append(f"\n## {shown(heading + tool, choice)}\n")
    if message.reasoning:
        quoted = shown(message.reasoning, choice).replace("\n", "\n> ")
        parts.append(f"\n> {quoted}\n")
    text = shown(message.text, choice)
    if text.strip():
        parts.append(f"\n{_fenced(text) if message.role == 'tool' else text}\n")
    parts += [f"\n[{kind}]\n" for kind in message.attachments]
    parts += [f"\n- `{shown(call.summary, choice).replace('`', chr(39))}`\n" for call in message.calls]
    if message.more:
        parts.append(f"\n… {size_text(message.more)} more\n")
    return "".join(parts)


def _fenced(text: str) -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
