"""`workbench sessions search`: the headless twin of the search box."""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path

from workbench.cli.output import Output, say
from workbench.sessions.found import Found, Result, Snippet
from workbench.sessions.query import parse
from workbench.sessions.reasoning import NAME, build
from workbench.sessions.schema import HIDDEN_SOURCES, Capability, look
from workbench.sessions.search import search as find
from workbench.text import reveal
from workbench.text import shown as _shown
from workbench.workspace import Workspace

_TELL_EVERY = 2.0


def search(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Search and print; exit 0 whether or not something was found."""
    words = [
        *options.query,
        *(f"role:{role}" for role in options.role),
        *(f'source:"{name}"' for name in options.source),
    ]
    text = " ".join(words)
    own = workspace.home / "workbench" / NAME
    with workspace.sessions.connection() as db:
        cap = look(db)
        if parse(text).reasoning and not workspace.read_only:
            _index_reasoning(db, cap, own)
        found = find(
            db,
            cap,
            text,
            order=options.order,
            limit=options.limit,
            now=workspace.clock(),
            hide=() if options.hidden else HIDDEN_SOURCES,
            reasoning=own,
        )
    if output.as_json:
        output.json(found.as_json(reveal=options.reveal))
        return 0
    output.lines([_head(found)])
    output.lines(f"  {said}" for said in (found.banner, found.note) if said)
    for result in found.results:
        output.lines(_lines(result, reveal_secrets=options.reveal))
    return 0


def _index_reasoning(db: sqlite3.Connection, cap: Capability, path: Path) -> None:
    told = time.monotonic()

    def tell(done: int, newest: int) -> bool:
        nonlocal told
        if time.monotonic() - told > _TELL_EVERY:
            told = time.monotonic()
            say(f"workbench: indexing the reasoning, {done:,} of {newest:,} messages")
        return True

    try:
        build(db, cap, path, tell)
    except (OSError, sqlite3.Error) as error:
        say(f"workbench: the reasoning could not be indexed ({error})")


def _head(found: Found) -> str:
    if found.engine == "none":
        return "nothing was searched"
    parts = [_count(len(found.results), "conversation"), _count(found.hits, "hit")]
    hidden = _hidden(found.hidden)
    return " · ".join([*parts, f"hidden: {hidden}"] if hidden else parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _hidden(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {_shown(source)}" for source, number in sorted(counts.items()) if number)


def _lines(result: Result, *, reveal_secrets: bool) -> list[str]:
    title = result.title or "(no title)"
    title, source = _shown(title, masked=not reveal_secrets), _shown(result.source, masked=not reveal_secrets)
    when = "?" if result.when is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(result.when))
    archived = " · archived" if result.archived else ""
    lines = [
        "",
        f"{when}  {reveal(result.session_id).text}  {source}  {title} · {_count(result.hits, 'hit')}{archived}",
    ]
    for hit in result.shown:
        piece = hit.snippet if reveal_secrets else hit.snippet.masked()
        number = "" if hit.message_id is None else f"#{hit.message_id} "
        mark = " (compacted)" if hit.state == "compacted" else ""
        lines.append(f"  {number}{_shown(hit.role, masked=not reveal_secrets)}{mark}: {_marked(piece)}")
    return lines


def _marked(piece: Snippet) -> str:
    """The snippet with its hits between marks, each part through the door by itself."""
    out, done = "", 0
    for start, end in piece.highlights:
        out += reveal(piece.text[done:start]).text + "›" + reveal(piece.text[start:end]).text + "‹"
        done = end
    return out + reveal(piece.text[done:]).text
