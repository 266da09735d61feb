"""What the Sessions area shows, found out in the threads of the database: lists, results, conversations, pages.

Every function here that takes a connection is run by a lane of `sessions.database`; none of them touches a screen.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import MessageNotFound
from workbench.sessions.browse import Cursor, Listed, not_shown, preview, recent
from workbench.sessions.errors import DatabaseUnreadable
from workbench.sessions.found import Found, Hit, Result
from workbench.sessions.lineage import conversation
from workbench.sessions.matching import fold
from workbench.sessions.outline import outline
from workbench.sessions.plans import matches
from workbench.sessions.query import Query, terms
from workbench.sessions.reasoning import NAME, column
from workbench.sessions.rows import Message as Said
from workbench.sessions.schema import Capability
from workbench.sessions.transcript import (
    at_time,
    more_after,
    more_before,
    page,
    system_prompt,
    turn,
    usage,
    window,
)
from workbench.tui.parts.result_list import ResultRow
from workbench.tui.parts.talk_layout import bodies
from workbench.tui.parts.talk_lines import PROMPT_ID, Look, blocks
from workbench.tui.screen_text import excerpt, one_line
from workbench.tui.sessions_news import Asked, Part, Talk

if TYPE_CHECKING:
    from workbench.sessions.database import Database
    from workbench.sessions.export_file import Steps
    from workbench.tui.screens.sessions_dialogs import ExportWish

# Messages around a hit, and of each further page.
AROUND, MORE = 40, 80
# Conversations of a quick look: what the largest usual terminal has room for.
AT_ONCE = 24
# Conversations of a page of the list without a query.
RECENT = 60
_CHUNK = 400


# -- lists ----------------------------------------------------------------------------------------------------------


def day(when: float | None, now: float) -> str:
    """A moment for a narrow column: the time today, the day this year, else the month and the year."""
    if when is None:
        return "?"
    then, today = time.localtime(when), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("%H:%M", then)
    return f"{then.tm_mday} {time.strftime('%b' if then.tm_year == today.tm_year else '%b %Y', then)}"


def recent_rows(
    db: sqlite3.Connection, cap: Capability, cursor: Cursor | None, limit: int, now: float
) -> tuple[tuple[ResultRow, ...], Cursor | None, dict[str, int]]:
    """A page of recent conversations as rows, where the next begins, and what is not in the list (first page only)."""
    found = recent(db, cap, cursor=cursor, limit=limit)
    counts = not_shown(db, cap) if cursor is None else {}
    return tuple(_recent_row(each, now) for each in found.rows), found.following, counts


def _recent_row(each: Listed, now: float) -> ResultRow:
    title = each.title or each.preview
    parts = [f"{each.messages:,} msg"]
    parts += [f"{each.segments} sessions"] if each.segments > 1 else []
    parts += ["branch"] if each.branch_of else []
    parts += ["archived"] if each.archived else []
    parts += [each.preview] if each.title and each.preview else []
    return ResultRow(
        each.root_id,
        one_line(title) or "(nothing was said)",
        look="faint" if each.automatic else "",
        about=day(each.last_active, now),
        origin=one_line(each.source),
        piece=one_line(" · ".join(parts)),
    )


def result_row(result: Result, now: float, *, many: bool) -> ResultRow:
    """A conversation that was found. `many`: there may be more hits than were counted."""
    first = result.first
    # Here, not only by `excerpt`: what tells a credential may stand outside of the piece.
    piece = first.snippet.masked()
    marks = tuple((start, end, "hit") for start, end in piece.highlights)
    shown = excerpt(piece.text, marks)
    hits = f"{result.hits:,}{'+' if many else ''} hit{'' if result.hits == 1 and not many else 's'}"
    where = "title" if first.role == "session_title" else one_line(result.source)
    tags = ["archived"] if result.archived else []
    tags += ["compacted"] if first.state == "compacted" else []
    return ResultRow(
        result.root_id,
        one_line(result.title or "") or "(no title)",
        look="faint" if result.source == "cron" else "",
        about=" · ".join([hits, day(result.when, now)]),
        origin=" ".join([where, *tags]),
        piece=shown.text.replace("\n", " "),
        marks=tuple((start, end) for start, end, _ in shown.spans),
    )


def answer(
    db: sqlite3.Connection, cap: Capability, asked: Asked, home: Path, now: float, *, deep: bool
) -> tuple[Found, tuple[ResultRow, ...]]:
    """Search, and make rows of it."""
    from workbench.sessions.search import search

    found = search(
        db,
        cap,
        asked.query,
        order=asked.order if deep or asked.order == "oldest" else "newest",
        limit=asked.limit if deep else min(asked.limit, AT_ONCE),
        typing=asked.typing,
        deep=deep,
        now=now,
        reasoning=home / "workbench" / NAME,
    )
    many = not found.complete
    named = (each if each.title else replace(each, title=preview(db, cap, each.root_id)) for each in found.results)
    return found, tuple(result_row(each, now, many=many and each.hits > 1) for each in named)


# -- conversations --------------------------------------------------------------------------------------------------


def open_talk(
    db: sqlite3.Connection, cap: Capability, session_id: str, anchor: int | None, at: str, look: Look, *, undone: bool
) -> tuple[Talk, Part, int | None]:
    """A conversation around a message, or at its start or end. Raises SessionNotFound, MessageNotFound."""
    talk = read_talk(db, cap, session_id, undone=undone)
    lines = talk.outline
    look = _named(look, talk)
    if anchor is not None:
        try:
            found = window(db, cap, lines, anchor, before=AROUND, after=AROUND)
        except MessageNotFound:
            anchor, at = None, "end"
        else:
            return talk, part_of(found.messages, found.start, found.total, look), found.anchor
    start = 0 if at == "start" else max(0, len(lines) - AROUND)
    found = page(db, cap, lines, start, AROUND)
    return talk, part_of(found.messages, found.start, found.total, look), None


def read_talk(db: sqlite3.Connection, cap: Capability, session_id: str, *, undone: bool) -> Talk:
    """What a conversation is, without its messages. Raises SessionNotFound."""
    talk = conversation(db, cap, session_id)
    lines = outline(db, cap, talk, show_undone=undone)
    begun = "" if talk.title else preview(db, cap, talk.root)
    return Talk(talk, lines, usage(db, cap, talk).line, system_prompt(db, cap, talk.root) or "", begun)


def _named(look: Look, talk: Talk) -> Look:
    return replace(look, names=talk.conversation.ids)


def part_of(messages: Sequence[Said], start: int, total: int, look: Look) -> Part:
    """Messages with the form they are shown in."""
    made = blocks(messages, look)
    return Part(tuple(messages), made, start, total, bodies(made, look.width))


def more_of(db: sqlite3.Connection, cap: Capability, talk: Talk, edge: int, direction: int, look: Look) -> Part:
    """The next messages before or after the message `edge`. Raises MessageNotFound."""
    turn_page = more_before if direction < 0 else more_after
    found = turn_page(db, cap, talk.outline, edge, MORE)
    return part_of(found.messages, found.start, found.total, _named(look, talk))


def hits_of(db: sqlite3.Connection, cap: Capability, talk: Talk, query: Query) -> tuple[int, ...]:
    """The messages of a conversation that match, in reading order; a title's words match no message."""
    root = query.root
    if root is None:
        return ()
    text = column(cap, "m") if query.reasoning else cap.text("m")
    roles = {value.lower() for value in query.values("role")}
    tools = {value.lower() for value in query.values("tool")}
    found: list[int] = []
    ids = talk.outline.ids
    for start in range(0, len(ids), _CHUNK):
        marks = ", ".join(str(each) for each in ids[start : start + _CHUNK])
        name = cap.expr("messages", "tool_name", "''", "m")
        rows = db.execute(f"SELECT m.id, m.role, {name}, {text} FROM messages m WHERE m.id IN ({marks})")
        fit = set()
        for number, role, tool, said in rows:
            if (roles and str(role).lower() not in roles) or (tools and str(tool).lower() not in tools):
                continue
            if isinstance(said, str) and matches(root, fold(said)):
                fit.add(number)
        found += [each for each in ids[start : start + _CHUNK] if each in fit]
    return tuple(found)


def look_with(look: Look, query: Query | None) -> Look:
    """The look with the words of a query marked."""
    wanted = terms(query.root) if query is not None else ()
    return replace(look, terms=wanted, in_reasoning=bool(query and query.reasoning))


def jump(db: sqlite3.Connection, cap: Capability, talk: Talk, wanted: str, now: float) -> tuple[int | None, str]:
    """Where `wanted` leads: (the message, "") or (None, why not). It is a message's id or a date."""
    text = wanted.strip().lstrip("#")
    if text.isdigit() and not (len(text) == 4 and 1970 <= int(text) <= 2100):
        number = int(text)
        if talk.outline.position(number) is None:
            return None, f"Message {text} is not part of this conversation."
        return talk.outline.carried.get(number, number), ""
    when = moment_of(text, now)
    if when is None:
        return None, f"“{one_line(wanted)[:40]}” is neither a message id nor a date (2025-10-11, 2025-10-11 14:30)."
    return at_time(db, talk.outline, when), ""


def moment_of(text: str, now: float) -> float | None:
    """The beginning of what a date means, in Unix seconds: the search's dates, also with a time of day."""
    from workbench.sessions.query import dates

    words = text.split()
    clock = words[-1] if words and ":" in words[-1] else ""
    span = dates(" ".join(words[:-1] if clock else words) or "today", now)
    if span is None:
        return None
    if not clock:
        return span[0]
    hours, _, minutes = clock.partition(":")
    minutes = minutes.partition(":")[0]
    if not (hours.isdigit() and minutes.isdigit() and int(hours) < 24 and int(minutes) < 60):
        return None
    return span[0] + int(hours) * 3600 + int(minutes) * 60


def neighbour(
    db: sqlite3.Connection, cap: Capability, talk: Talk, message_id: int, step: int
) -> tuple[int | None, str]:
    """The user's turn before or after a message."""
    if message_id == PROMPT_ID:
        message_id = talk.outline.ids[0] if len(talk.outline) else 0
        if step > 0:
            return message_id or None, ""
    found = turn(db, cap, talk.outline, message_id, step)
    return found, "" if found else f"There is no {'earlier' if step < 0 else 'later'} turn of yours."


def first_hit(result: Result | None) -> Hit | None:
    """The message that a conversation was found by; None for one found by its title alone."""
    if result is None:
        return None
    return next((hit for hit in result.shown if hit.message_id is not None), None)


def index_reasoning(db: sqlite3.Connection, cap: Capability, home: Path, seconds: float) -> tuple[bool, str]:
    """Let our index of the reasoning grow for a while: (whether it is up to date, why it cannot be written)."""
    from workbench.sessions.reasoning import build

    until = time.perf_counter() + seconds
    try:
        return build(db, cap, home / "workbench" / NAME, lambda _done, _newest: time.perf_counter() < until), ""
    except OSError as error:
        return True, error.strerror or str(error)
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            raise
        return True, str(error)


def sources_of(db: sqlite3.Connection, cap: Capability) -> tuple[str, ...]:
    """The sources that occur; from the index on them."""
    if not cap.has("sessions", "source"):
        return ()
    rows = db.execute("SELECT DISTINCT source FROM sessions WHERE source IS NOT NULL ORDER BY source LIMIT 60")
    return tuple(str(row[0]) for row in rows)


def export_to(
    database: Database, ids: Sequence[str], home: Path, wish: ExportWish, steps: Steps, *, undone: bool, force: bool
) -> tuple[int, tuple[str, ...]]:
    """Write conversations to a file, in the calling thread: (bytes, what the client could not import).

    It has a connection of its own: a long export must not keep searches waiting. Raises what `write` raises,
    DatabaseUnreadable, DatabaseBusy, ExportStopped.
    """
    from workbench.sessions.export import Choice
    from workbench.sessions.export_file import pieces_of, write
    from workbench.sessions.schema import look

    again = True
    while True:
        notes: list[str] = []
        before, steps.begun = database.stamp(), 0
        try:
            with database.connection() as db:
                cap = look(db)
                talks = steps.of(conversation(db, cap, each) for each in ids)
                pieces = pieces_of(db, cap, talks, wish.form, Choice(wish.masked, undone), notes.append)
                return write(home, wish.path, pieces, force=force, step=steps.step), tuple(notes)
        except DatabaseUnreadable:
            # Read without locks, because nobody wrote when it began, and then somebody did.
            if not again or database.stamp() == before:
                raise
            again = False


def rarest_words(db: sqlite3.Connection, cap: Capability, text: str) -> tuple[str, ...]:
    """The words of a text to look for it with; credentials in it are none."""
    from workbench.sessions.vocabulary import rarest
    from workbench.text import mask

    # Short words are rare in a small database, but say nothing.
    return tuple(word for word in rarest(db, cap, mask(text), most=6) if len(word) > 3 or not word.isascii())[:3]
