"""A message as lines of a transcript: plain data, made off the screen's thread, wrapped and painted by TranscriptView.

Every text passes the door here (secrets masked unless revealed, hidden characters as tokens). Markdown is read lightly:
headings, bold, code, lists, quotes and fences get a look; whatever is not understood stays as it was written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from workbench.sessions.content import ToolCall, size_text
from workbench.sessions.query import Term
from workbench.sessions.rows import Message
from workbench.sessions.snippets import spans
from workbench.text import find_secrets
from workbench.tui.screen_text import one_line, safe

SHORT, FULL, OFF = "short", "full", "off"
TOOLS = (SHORT, FULL, OFF)
# Lines of a tool's output in the full view, and of one that is folded but holds a hit.
FULL_LINES, HIT_LINES = 400, 5
_ROLES = {"user": "you", "assistant": "agent", "tool": "tool", "system": "system", "session_meta": "meta"}
_STATES = {"undone": "taken back", "compacted": "archived by a compression", "hidden": "hidden by the agent"}
_AFTER = {"compacted": "after the compression", "undone": "kept again from here on"}
# The system prompt is shown as a message of its own; no real one has this id.
PROMPT_ID = 0

Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Para:
    """One logical line. `look` styles all of it, `spans` pieces; `lead` stands before it, and is kept free below.

    Looks: quiet, heading, bold, code (inline), block (fenced, tinted to the edge), call, warning, gone, thought, hit.
    """

    text: str
    look: str = ""
    spans: tuple[Span, ...] = ()
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One message: what stands above it over the whole width, who speaks, when, and the lines (none: folded away)."""

    id: int
    role: str
    who: str
    time: str
    paras: tuple[Para, ...]
    above: tuple[str, ...] = ()
    day: str = ""
    state: str = "live"
    hit: bool = False
    secret: bool = False


@dataclass(frozen=True)
class Look:
    """How a transcript is shown. `revealed`, `opened`: ids whose credentials are shown, whose folds are open.

    `terms` are marked (in the reasoning with `in_reasoning`), `names` are the sessions' ids, `width` is the view's.
    """

    tools: str = SHORT
    reasoning: bool = False
    revealed: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    terms: tuple[Term, ...] = ()
    in_reasoning: bool = False
    names: tuple[str, ...] = ()
    width: int = 0


def blocks(messages: Sequence[Message], look: Look) -> tuple[Block, ...]:
    """The messages as blocks, in order."""
    called = {call.id for each in messages for call in each.calls if call.id}
    return tuple(_block(each, look, called) for each in messages)


def joined(above: Block | None, block: Block) -> Block:
    """The block with what stands between it and the one above: another day, another state."""
    between: list[str] = []
    if block.day and (above is None or above.day != block.day):
        between.append(block.day)
    if block.state != (above.state if above is not None else "live"):
        between.append(_STATES.get(block.state) or _AFTER.get(above.state if above else "", "the conversation goes on"))
    rest = tuple(line for line in block.above if line.startswith("goes on"))
    wanted = (*rest, *between)
    return block if block.above == wanted else replace(block, above=wanted)


def prompt_block(text: str, look: Look) -> Block:
    """The system prompt: one line, all of it when opened."""
    masked = PROMPT_ID not in look.revealed
    shown = safe(text, masked=masked)
    opened = PROMPT_ID in look.opened
    head = Para(f"system prompt · {len(text):,} characters", "quiet", lead="▼ " if opened else "▸ ")
    paras = (head, *markdown(shown)) if opened else (head,)
    return Block(PROMPT_ID, "system", "system", "", paras, secret=_differs(text, shown, masked))


def _block(message: Message, look: Look, called: set[str]) -> Block:
    masked = message.id not in look.revealed
    hits = _Hits(look)
    shown = safe(message.text, masked=masked)
    paras: list[Para] = []
    thought = safe(message.reasoning, masked=masked) if message.reasoning else ""
    if thought and (look.reasoning or message.id in look.opened or (look.in_reasoning and hits.within(thought))):
        marked = [Para(line, "thought", lead="~ ") for line in thought.split("\n")]
        paras += hits.mark(marked) if look.in_reasoning else marked
    if message.role == "tool":
        paras += _output(message, shown, look, hits, called)
    else:
        if shown.strip() or not (message.calls or message.attachments or paras):
            paras += _unless_searching_reasoning(markdown(shown), look, hits)
        paras += [Para(f"[{one_line(kind)}]", "quiet") for kind in message.attachments]
        if look.tools != OFF:
            for call in message.calls:
                paras += _call(call, look, hits, message.id, masked)
    if message.more:
        paras.append(Para(f"… {size_text(message.more)} more; x exports all of it", "warning"))
    if message.broken:
        paras.append(Para(f"stored in a way that cannot be read: {', '.join(message.broken)}", "warning"))
    if message.state == "undone":
        paras = [replace(each, look="gone") if each.look in ("", "block", "heading") else each for each in paras]
    when = message.timestamp
    beside = (message.reasoning, *(call.arguments for call in message.calls))
    above: tuple[str, ...] = ()
    if message.opens:
        name = look.names[message.segment] if message.segment < len(look.names) else message.session_id
        above = (f"goes on as #{message.segment + 1} after a compression · {one_line(name)}",)
    return Block(
        message.id,
        message.role,
        one_line(_ROLES.get(message.role, message.role))[:8],
        "" if when is None else time.strftime("%H:%M", time.localtime(when)),
        tuple(paras),
        above,
        "" if when is None else time.strftime("%a %d %b %Y", time.localtime(when)),
        message.state,
        hits.found,
        _differs(message.text, shown, masked) or any(map(find_secrets, beside)),
    )


def _differs(text: str, shown: str, masked: bool) -> bool:
    """Whether the text holds a credential."""
    return shown != safe(text, masked=False) if masked else shown != safe(text)


def _unless_searching_reasoning(paras: list[Para], look: Look, hits: _Hits) -> list[Para]:
    return paras if look.in_reasoning else hits.mark(paras)


class _Hits:
    """Marks the searched words in lines, and knows whether there were any."""

    def __init__(self, look: Look) -> None:
        self.terms = look.terms
        self.found = False

    def within(self, text: str) -> bool:
        return bool(self.terms) and bool(spans(text, self.terms, most=1))

    def mark(self, paras: list[Para]) -> list[Para]:
        if not self.terms:
            return paras
        out: list[Para] = []
        for para in paras:
            found = spans(para.text, self.terms) if para.text else []
            self.found = self.found or bool(found)
            marks = tuple((start, end, "hit") for start, end in found)
            out.append(replace(para, spans=(*para.spans, *marks)) if marks else para)
        return out


# -- tools ----------------------------------------------------------------------------------------------------------


def _call(call: ToolCall, look: Look, hits: _Hits, number: int, masked: bool) -> list[Para]:
    opened = look.tools == FULL or number in look.opened
    head = Para(one_line(call.summary, masked=masked), "call", lead="▼ " if opened else "▸ ")
    paras = [head]
    if opened and call.arguments:
        paras += [Para(line, "block", lead="  ") for line in _cut(safe(call.arguments, masked=masked), FULL_LINES)]
    elif hits.within(safe(call.arguments, masked=masked)) and not hits.within(head.text):
        paras += [Para(_around(safe(call.arguments, masked=masked), look.terms), "quiet", lead="  ")]
    return paras if look.in_reasoning else hits.mark(paras)


def _output(message: Message, shown: str, look: Look, hits: _Hits, called: set[str]) -> list[Para]:
    """A tool's result: folded into its call's line, unless it is opened, holds a hit or its call is not in sight."""
    name = one_line(message.tool_name or "result")
    within = not look.in_reasoning and hits.within(shown)
    if look.tools == FULL or message.id in look.opened:
        head = Para(f"{name} · {size_text(message.size)}", "call", lead="◂ ")
        return hits.mark([head, *(Para(line, "block", lead="  ") for line in _cut(shown, FULL_LINES))])
    if within:
        head = Para(f"{name} · {size_text(message.size)}", "call", lead="◂ ")
        lines = [line for line in shown.split("\n") if hits.within(line)][:HIT_LINES]
        pieces = [_around(line, look.terms) for line in lines or [shown]]
        return hits.mark([head, *(Para(piece, "quiet", lead="  ") for piece in pieces)])
    if look.tools == OFF or message.tool_call_id in called:
        return []
    return [Para(f"{name} · {size_text(message.size)} · {one_line(shown[:200])[:80]}".rstrip(" ·"), "call", lead="◂ ")]


def _around(text: str, terms: Sequence[Term], room: int = 240) -> str:
    """The piece of a long line around its first hit."""
    found = spans(text, terms, most=1)
    start = max(0, found[0][0] - 60) if found else 0
    piece = text[start : start + room].replace("\n", " ")
    return ("…" if start else "") + piece + ("…" if start + room < len(text) else "")


def _cut(text: str, most: int) -> list[str]:
    lines = text.rstrip("\n").split("\n")
    rest = len(lines) - most
    return [*lines[:most], f"… {rest:,} more lines; x exports all of them"] if rest > 0 else lines


# -- markdown -------------------------------------------------------------------------------------------------------


@cache
def _inline() -> re.Pattern[str]:
    return re.compile(
        r"(?P<code>`+)(?P<c>[^`\n]+?)(?P=code)|\*\*(?P<b>[^*\n][^\n]*?)\*\*|(?<!\w)__(?P<u>[^_\n][^\n]*?)__(?!\w)"
    )


@cache
def _item() -> re.Pattern[str]:
    return re.compile(r"(?P<in>[ \t]*)(?P<mark>[-*+]|\d{1,3}[.)])[ \t]+(?=\S)")


@cache
def _fence() -> re.Pattern[str]:
    return re.compile(r"[ ]{0,3}(?P<f>`{3,}|~{3,})(?P<info>[^`]*)$")


def markdown(text: str) -> list[Para]:
    """A text that has been through the door as lines with a look; never loses a word."""
    out: list[Para] = []
    closing = ""
    for line in text.rstrip("\n").split("\n"):
        fence = _fence().match(line)
        if closing:
            if fence and fence["f"].startswith(closing) and not fence["info"].strip():
                closing = ""
            else:
                out.append(Para(line.expandtabs(4), "block"))
            continue
        if fence:
            closing = fence["f"]
            if fence["info"].strip():
                out.append(Para(fence["info"].strip(), "language"))
            continue
        out.append(_line(line))
    return out


def _line(line: str) -> Para:
    stripped = line.lstrip(" ")
    level = len(stripped) - len(stripped.lstrip("#"))
    if 0 < level <= 6 and stripped[level : level + 1] == " ":
        text, marks = _styled(stripped[level + 1 :])
        return Para(text, "heading", marks)
    if stripped.startswith(("> ", ">")) and len(stripped) > 1:
        text, marks = _styled(stripped[1:].lstrip(" "))
        return Para(text, "quiet", marks, lead="│ ")
    if len(stripped) >= 3 and not stripped.strip("-*_ ") and stripped.count(stripped[0]) >= 3:
        return Para("─" * 12, "quiet")
    item = _item().match(line)
    if item:
        text, marks = _styled(line[item.end() :])
        mark = "•" if item["mark"] in "-*+" else item["mark"]
        return Para(text, "", marks, lead=f"{item['in'].expandtabs(4)[:12]}{mark} ")
    text, marks = _styled(line)
    return Para(text, "", marks)


def _styled(line: str) -> tuple[str, tuple[Span, ...]]:
    """The line without the signs for bold and code, and where those are."""
    if "`" not in line and "**" not in line and "__" not in line:
        return line, ()
    out: list[str] = []
    marks: list[Span] = []
    size = done = 0
    for found in _inline().finditer(line):
        inner, look = (found["c"], "code") if found["c"] is not None else (found["b"] or found["u"], "bold")
        out += (line[done : found.start()], inner)
        size += found.start() - done
        marks.append((size, size + len(inner), look))
        size += len(inner)
        done = found.end()
    out.append(line[done:])
    return "".join(out), tuple(marks)
