"""A conversation as one HTML page: no scripts, nothing fetched, every text escaped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from html import escape

from workbench.sessions.content import size_text
from workbench.sessions.export import ROLES, STATES, Choice, about, shown, stamp
from workbench.sessions.lineage import Conversation
from workbench.sessions.outline import outline
from workbench.sessions.rows import Message
from workbench.sessions.schema import Capability
from workbench.sessions.transcript import walk

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; opacity: .8; }
article { border-left: 4px solid #8888; margin: 1rem 0; padding: .2rem 1rem; }
article.user { border-color: #c6862d; }
article.assistant { border-color: #3d7ea6; }
article.undone { opacity: .55; text-decoration: line-through; }
article.compacted { border-left-style: dashed; }
header { font-size: .85em; opacity: .75; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .3rem 0; }
.tool pre, details pre, code { font-family: ui-monospace, monospace; font-size: .9em; }
hr { margin: 2rem 0 .5rem; }
"""


def html(db: sqlite3.Connection, cap: Capability, conversation: Conversation, choice: Choice) -> Iterator[str]:
    """A conversation as a page of its own, in pieces."""
    title = _text(conversation.title or conversation.root, choice)
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<dl>\n"
    )
    for label, value in about(db, cap, conversation):
        yield f"<dt>{escape(label)}</dt><dd>{_text(value, choice)}</dd>\n"
    yield "</dl>\n"
    for message in walk(db, cap, outline(db, cap, conversation, show_undone=choice.undone)):
        yield _article(message, conversation, choice)
    yield "</body></html>\n"


def _text(text: str, choice: Choice) -> str:
    return escape(shown(text, choice))


def _article(message: Message, conversation: Conversation, choice: Choice) -> str:
    parts: list[str] = []
    if message.opens:
        name = _text(conversation.ids[message.segment], choice)
        parts.append(f"<hr><p><em>goes on as {name} after a compression</em></p>\n")
    kind = message.role if message.role in ROLES else "other"
    heading = [ROLES.get(message.role, message.role), message.tool_name or "", stamp(message.timestamp)]
    heading.append(STATES.get(message.state, message.state))
    head = " · ".join(_text(part, choice) for part in heading if part)
    parts.append(f'<article id="m{message.id}" class="{kind} {escape(message.state)}">\n<header>{head}</header>\n')
    if message.reasoning:
        parts.append(_folded("reasoning", _text(message.reasoning, choice)))
    text = _text(message.text, choice)
    if message.role == "tool":
        parts.append(_folded(f"output · {size_text(message.size)}", text))
    elif text.strip():
        parts.append(f"<pre>{text}</pre>\n")
    parts += [f"<p>[{escape(kind)}]</p>\n" for kind in message.attachments]
    for call in message.calls:
        parts.append(_folded(_text(call.summary, choice), _text(call.arguments, choice)))
    if message.more:
        parts.append(f"<p>… {size_text(message.more)} more</p>\n")
    return "".join((*parts, "</article>\n"))


def _folded(summary: str, body: str) -> str:
    return f"<details><summary><code>{summary}</code></summary><pre>{body}</pre></details>\n"
