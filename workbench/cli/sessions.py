"""`workbench sessions …`: past conversations."""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from workbench.cli.output import Output
from workbench.sessions.browse import Filters, Listed, not_shown, recent
from workbench.sessions.content import one_line, size_text
from workbench.sessions.export import stamp
from workbench.sessions.lineage import Conversation, conversation, find
from workbench.sessions.outline import Outline, outline
from workbench.sessions.rows import Message
from workbench.sessions.schema import Capability, look
from workbench.sessions.stats import stats
from workbench.sessions.transcript import Usage, Window, at_time, page, system_prompt, usage, walk, window
from workbench.text import mask, reveal
from workbench.workspace import Workspace

_HEAD, _TAIL = 20, 10
_SHORT_LINES = 3
_NAMES = {"user": "you", "assistant": "agent"}


def sessions(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Run one action; errors carry the exit code."""
    if options.action == "export":
        from workbench.cli.sessions_export import export

        return export(workspace, options, output)
    if options.action == "search":
        from workbench.cli.sessions_search import search

        return search(workspace, options, output)
    verbs: dict[str, Callable[[Workspace, argparse.Namespace, Output], int]] = {
        "list": _list,
        "show": _show,
        "scroll": _scroll,
        "stats": _stats,
    }
    return verbs[options.action](workspace, options, output)


def filters(options: argparse.Namespace) -> Filters:
    """What the options of a list ask for."""
    return Filters(options.source, options.title, options.after, options.before, options.archived)


def _door(text: str, options: argparse.Namespace) -> str:
    return reveal(_masked(text, options)).text


def _masked(text: str, options: argparse.Namespace) -> str:
    return text if options.reveal else mask(text)


# -- list -----------------------------------------------------------------------------------------------------------


def _list(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    with workspace.sessions.connection() as db:
        cap = look(db)
        found = recent(db, cap, filters(options), limit=options.limit)
        counts = not_shown(db, cap)
    if options.source:
        counts.pop(options.source, None)
    if output.as_json:
        rows = [_row(each, options) for each in found.rows]
        output.json({"conversations": rows, "more": found.following is not None, "hidden": counts})
        return 0
    if not found.rows:
        output.lines(["no conversation fits" if any(vars(filters(options)).values()) else "no conversations yet"])
    for each in found.rows:
        output.lines([_line(each, options)])
    put_last = {source: number for source, number in counts.items() if number}
    notes = [f"{number:,} {source}" for source, number in put_last.items() if source != "cron"]
    if found.following is not None:
        output.lines([f"… more; --limit {options.limit * 2} or --before {stamp(found.rows[-1].last_active)[:10]}"])
    if notes:
        output.lines([f"hidden: {', '.join(notes)} (--source shows them)"])
    return 0


def _row(each: Listed, options: argparse.Namespace) -> dict[str, Any]:
    row = asdict(each)
    row["session_id"] = row.pop("id")
    for name in ("title", "preview", "cwd", "source", "model"):
        row[name] = None if row[name] is None else _masked(row[name], options)
    return row


def _line(each: Listed, options: argparse.Namespace) -> str:
    title = each.title or each.preview or "(empty)"
    marks = [f"{each.messages:,} messages"]
    marks += [f"{each.segments} sessions"] if each.segments > 1 else []
    marks += ["branch"] if each.branch_of else []
    marks += ["archived"] if each.archived else []
    text = one_line(_door(title, options), 60)
    names = f"{_door(each.id, options)}  {_door(each.source, options):<9}"
    return f"{stamp(each.last_active):<16}  {names} {text} · {' · '.join(marks)}"


# -- show and scroll ------------------------------------------------------------------------------------------------


def _show(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    with workspace.sessions.connection() as db:
        cap = look(db)
        talk = conversation(db, cap, find(db, cap, options.session))
        lines = outline(db, cap, talk, show_undone=options.undone)
        everything = options.all or len(lines) <= _HEAD + _TAIL
        about = _about(db, cap, talk, lines, options)
        if output.as_json:
            messages = walk(db, cap, lines) if everything else iter(_ends(db, cap, lines))
            shown = [_message(each, options) for each in messages]
            output.json({**about, "messages": shown, "omitted": len(lines) - len(shown)})
            return 0
        output.lines(_heading(about, talk, options))
        if everything:
            for each in walk(db, cap, lines):
                output.lines(_said(each, talk, options))
            return 0
        head, tail = page(db, cap, lines, 0, _HEAD), page(db, cap, lines, len(lines) - _TAIL, _TAIL)
        for each in head.messages:
            output.lines(_said(each, talk, options))
        between = len(lines) - _HEAD - _TAIL
        nearest = head.messages[-1].id if head.messages else 0
        output.lines(["", f"… {between:,} messages between; --all, or: sessions scroll {talk.asked} {nearest}"])
        for each in tail.messages:
            output.lines(_said(each, talk, options))
    return 0


def _ends(db: sqlite3.Connection, cap: Capability, lines: Outline) -> Sequence[Message]:
    return (*page(db, cap, lines, 0, _HEAD).messages, *page(db, cap, lines, len(lines) - _TAIL, _TAIL).messages)


def _about(
    db: sqlite3.Connection, cap: Capability, talk: Conversation, lines: Outline, options: argparse.Namespace
) -> dict[str, Any]:
    title = talk.title
    about: dict[str, Any] = {
        "session_id": talk.asked,
        "root_id": talk.root,
        "title": None if title is None else _masked(title, options),
        "source": _masked(talk.source, options),
        "model": None if talk.tip.model is None else _masked(talk.tip.model, options),
        "cwd": None if talk.tip.cwd is None else _masked(talk.tip.cwd, options),
        "archived": talk.tip.archived,
        "segments": [
            {
                "session_id": each.id,
                "started_at": each.started_at,
                "ended_at": each.ended_at,
                "end_reason": None if each.end_reason is None else _masked(each.end_reason, options),
            }
            for each in talk.segments
        ],
        "branches": [asdict(each) for each in talk.branches],
        "delegates": [asdict(each) for each in talk.delegates],
        "parent": asdict(talk.parent) if talk.parent else None,
        "usage": asdict(usage(db, cap, talk)),
        "total": len(lines),
        "undone": lines.undone,
    }
    for child in (*about["branches"], *about["delegates"], *([about["parent"]] if talk.parent else ())):
        for name in ("title", "source"):
            child[name] = None if child[name] is None else _masked(child[name], options)
    if options.system_prompt:
        text = system_prompt(db, cap, talk.root)
        about["system_prompt"] = None if text is None else _masked(text, options)
    return about


def _heading(about: dict[str, Any], talk: Conversation, options: argparse.Namespace) -> list[str]:
    line = [_door(talk.title or "(no title)", options), _door(talk.source, options), stamp(talk.segments[0].started_at)]
    lines = [" · ".join(line), "  " + _door(" → ".join(talk.ids), options)]
    if talk.parent:
        lines.append(f"  {talk.parent.kind} of {_door(talk.parent.id, options)}")
    for child in (*talk.branches, *talk.delegates):
        lines.append(f"  {child.kind}: {_door(child.id, options)} {_door(child.title or '', options)}".rstrip())
    undone = about["undone"]
    lines.append(f"  {about['total']:,} messages" + (f" · {undone:,} taken back" if undone else ""))
    took = Usage(**about["usage"]).line
    if took:
        lines.append(f"  {took}")
    if about.get("system_prompt"):
        lines += ["", "system prompt", *_indented(_door(about["system_prompt"], options))]
    return lines


def _scroll(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    with workspace.sessions.connection() as db:
        cap = look(db)
        session = find(db, cap, options.session)
        talk = conversation(db, cap, session)
        if options.segment:
            talk = talk.only(session)
        lines = outline(db, cap, talk, show_undone=options.undone)
        seen = _around(db, cap, lines, options)
    if output.as_json:
        output.json(
            {
                "session_id": session,
                "anchor": seen.anchor,
                "messages": [_message(each, options) for each in seen.messages],
                "messages_before": seen.messages_before,
                "messages_after": seen.messages_after,
            }
        )
        return 0
    output.lines([f"{seen.messages_before:,} before · {seen.messages_after:,} after"])
    for each in seen.messages:
        output.lines(_said(each, talk, options, mark="▸" if each.id == seen.anchor else " "))
    return 0


def _around(db: sqlite3.Connection, cap: Capability, lines: Outline, options: argparse.Namespace) -> Window:
    anchor: int | None = options.message if isinstance(options.message, int) else None
    if anchor is None:
        anchor = at_time(db, lines, options.message)
    if anchor is None:
        return page(db, cap, lines, 0, 0)
    return window(db, cap, lines, anchor, before=options.window, after=options.window)


def _message(message: Message, options: argparse.Namespace) -> dict[str, Any]:
    """One message of the headless contract; what it does not have is left out."""
    row: dict[str, Any] = {
        "id": message.id,
        "role": _masked(message.role, options),
        "content": _masked(message.text, options),
        "timestamp": message.timestamp,
        "state": message.state,
        "session_id": message.session_id,
    }
    more: dict[str, Any] = {
        "attachments": list(message.attachments),
        "tool_name": _masked(message.tool_name or "", options),
        "tool_call_id": message.tool_call_id,
        "tool_calls": [
            {
                "id": call.id,
                "name": _masked(call.name, options),
                "arguments": _masked(call.arguments, options),
                "result": call.result_id,
            }
            for call in message.calls
        ],
        "reasoning": _masked(message.reasoning, options),
        "bytes_left_out": message.more,
        "broken": list(message.broken),
    }
    return row | {name: value for name, value in more.items() if value}


def _said(message: Message, talk: Conversation, options: argparse.Namespace, mark: str = " ") -> Iterator[str]:
    if message.opens:
        yield f"── goes on as {_door(talk.ids[message.segment], options)} after a compression ──"
    if message.role == "tool" and options.tools == "off":
        return
    name = _NAMES.get(message.role, message.role)
    state = "" if message.state == "live" else f"  [{message.state}]"
    tool = f" {message.tool_name}" if message.role == "tool" and message.tool_name else ""
    size = f" · {size_text(message.size)}" if message.role == "tool" else ""
    yield _door(f"{mark}{message.id:>7}  {name}{tool}{size}  {stamp(message.timestamp)}{state}", options)
    if options.reasoning and message.reasoning:
        yield from ("    ~ " + line for line in _door(message.reasoning, options).splitlines())
    lines = _door(message.text, options).splitlines()
    if message.role == "tool" and options.tools == "short" and len(lines) > _SHORT_LINES:
        lines = [*lines[:_SHORT_LINES], f"… {len(lines) - _SHORT_LINES:,} more lines"]
    yield from ("    " + line for line in lines)
    yield from (f"    [{_door(kind, options)}]" for kind in message.attachments)
    yield from (f"    ▸ {_door(call.summary, options)}" for call in message.calls)
    if message.more:
        yield f"    … {size_text(message.more)} more"


def _indented(text: str) -> list[str]:
    return ["    " + line for line in text.splitlines()]


# -- stats ----------------------------------------------------------------------------------------------------------


def _stats(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    with workspace.sessions.connection() as db:
        found = stats(db, look(db), workspace.sessions.path)
    # A model may call a tool by anything; nobody asks this verb for names in the clear.
    found = replace(
        found,
        sources=_masked_names(found.sources),
        models=_masked_names(found.models),
        roles=_masked_names(found.roles),
        tools=_masked_names(found.tools),
    )
    if output.as_json:
        output.json(asdict(found))
        return 0
    output.lines(
        [
            f"{found.sessions:,} sessions ({found.archived:,} archived) · {found.messages:,} messages · "
            f"{size_text(found.bytes)} on disk · {stamp(found.first)} to {stamp(found.last)}",
            f"schema {found.version} · full-text index {found.index}",
            found.usage.line or "no tokens recorded",
        ]
    )
    for label, counts in (("sources", found.sources), ("models", found.models)):
        output.lines([_counts(label, counts)])
    about = "all messages" if found.sampled == found.messages else f"the newest {found.sampled:,} messages"
    output.lines([f"of {about}:"])
    for label, counts in (("roles", found.roles), ("months", found.months), ("tools", found.tools)):
        output.lines(["  " + _counts(label, counts)])
    return 0


def _masked_names(counts: Mapping[str, int]) -> dict[str, int]:
    made: dict[str, int] = {}
    for name, number in counts.items():
        shown = mask(name)
        made[shown] = made.get(shown, 0) + number
    return made


def _counts(label: str, counts: Mapping[str, int]) -> str:
    return f"{label}: " + (reveal(", ".join(f"{name} {number:,}" for name, number in counts.items())).text or "none")
