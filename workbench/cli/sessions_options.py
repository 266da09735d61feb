"""The options of `workbench sessions …`."""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import Any

from workbench.cli.parser import Parser
from workbench.sessions.export import FORMATS

_SESSION = "the session: its id, the beginning of it, or its title"
_LAST_TIME = 32_503_680_000


def add(sessions: Parser, shared: Parser) -> None:
    """Give the verb its actions."""
    actions = sessions.add_subparsers(dest="action", metavar="ACTION", required=True, title="actions")
    reading = Parser(add_help=False)
    reading.add_argument("--reveal", action="store_true", help="do not mask credentials")
    undone = Parser(add_help=False)
    undone.add_argument("--undone", action="store_true", help="also what the user took back")

    def action(name: str, help_text: str, *parents: Parser) -> Parser:
        made: Parser = actions.add_parser(name, help=help_text, description=help_text, parents=[shared, *parents])
        return made

    listing = action("list", "List conversations, newest first; scheduled runs come last.", reading)
    _filters(listing)
    listing.add_argument("--limit", type=number, default=20, metavar="N", help="how many (default 20)")
    search = action("search", "Search everything that was said, and the titles.", reading)
    _search(search)
    show = action("show", "Show a conversation: what it is, its beginning and its end.", reading, undone)
    show.add_argument("session", metavar="SESSION", help=_SESSION)
    show.add_argument("--all", action="store_true", help="every message, not only the first 20 and the last 10")
    show.add_argument("--system-prompt", action="store_true", help="the system prompt too")
    _text(show)
    scroll = action("scroll", "Show the messages around one of them.", reading, undone)
    scroll.add_argument("session", metavar="SESSION", help=_SESSION)
    scroll.add_argument("message", metavar="MESSAGE", type=_place, help="a message's number, or a time to go to")
    scroll.add_argument("--window", type=number, default=5, metavar="N", help="how many on each side (default 5)")
    scroll.add_argument("--segment", action="store_true", help="stay within the one session of the conversation")
    _text(scroll)
    export = action("export", "Write conversations to a file or to standard output.", reading, undone)
    export.add_argument("sessions", metavar="SESSION", nargs="*", help=_SESSION)
    export.add_argument("--all", action="store_true", help="every conversation that list shows with the same filters")
    export.add_argument("--format", choices=FORMATS, help="else as the file's name ends; jsonl can be imported again")
    export.add_argument("--output", "-o", metavar="FILE", default="-", help="the file; - (the default) prints it")
    export.add_argument("--force", action="store_true", help="write over a file that exists")
    _filters(export)
    action("stats", "Figures: sessions, messages, tools, tokens, cost, size, state of the index.")


def _search(search: Parser) -> None:
    search.add_argument(
        "query",
        metavar="QUERY",
        nargs="+",
        help='words, "phrases", OR, NOT, prefix*, source: role: title: tool: after: before: session: in:reasoning',
    )
    search.add_argument("--limit", type=number, default=20, metavar="N", help="how many conversations (default 20)")
    search.add_argument(
        "--order", choices=("relevance", "newest", "oldest"), default="relevance", help="default relevance"
    )
    search.add_argument(
        "--role", action="append", default=[], metavar="ROLE", help="only user, assistant, tool; repeatable"
    )
    search.add_argument("--source", action="append", default=[], metavar="NAME", help="only this source; repeatable")
    search.add_argument(
        "--hidden", action="store_true", help="also sources that are only counted (subagent, tool, kanban)"
    )


def _filters(parser: Parser) -> None:
    parser.add_argument("--source", default="", metavar="NAME", help="only this source (cli, telegram, cron …)")
    parser.add_argument("--title", default="", metavar="TEXT", help="only with this in the title")
    parser.add_argument("--after", type=when, metavar="TIME", help="active since: an ISO date or Unix seconds")
    parser.add_argument("--before", type=when, metavar="TIME", help="active before")
    parser.add_argument(
        "--archived", choices=("no", "only", "all"), default="no", help="archived conversations (default no)"
    )


def _text(parser: Parser) -> None:
    parser.add_argument(
        "--tools", choices=("off", "short", "full"), default="short", help="tool output (default short)"
    )
    parser.add_argument("--reasoning", action="store_true", help="the agent's reasoning too")


def when(text: str) -> float:
    """A time on the command line, as Unix seconds."""
    try:
        moment = float(text)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text).timestamp()
        except (ValueError, OverflowError, OSError):
            raise argparse.ArgumentTypeError(f"“{text}” is neither an ISO date nor Unix seconds") from None
    if not 0 <= moment < _LAST_TIME:  # NaN fails both
        raise argparse.ArgumentTypeError(f"“{text}” is not a time")
    return moment


def _place(text: str) -> Any:
    """A message's number as int, a time as float."""
    return number(text) if text.isascii() and text.isdigit() else when(text)


def number(text: str) -> int:
    """A number from 0 on that SQLite can hold."""
    if not (text.isascii() and text.isdigit()) or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"“{text[:24]}” is not a number that fits here")
    return int(text)
