"""The verbs, their options and their help texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from workbench import __version__
from workbench.errors import Usage

_EPILOG = """\
examples:
  workbench                                   open the full screen on your agent's home
  workbench demo                              look around in a made-up home
  workbench status --json                     everything at a glance, for scripts
  workbench memory add memory "CI is GitHub Actions"
  workbench memory replace user "#2" "Prefers short answers"
  git log -1 --format=%B | workbench memory add memory -
  workbench undo                              take the newest change back

exit codes: 0 done, 1 refused or findings, 2 wrong usage, 3 conflict or busy
"""
_ENTRY = "the entry: its id or the beginning of it, #n as listed, its whole text, or a text that only it contains"
_RECORD = "the record: its id, the beginning of it, or memory/ID"
_TEXT = "the text, or - to read it from standard input"
_TARGETS = ("memory", "user")
_ROOM_MAKING = ("suggest", "plan", "removed", "draft")


class Parser(argparse.ArgumentParser):
    """argparse that raises Usage, so that wrong usage becomes an error like any other; no abbreviated options."""

    def __init__(self, **more: Any) -> None:
        super().__init__(allow_abbrev=False, **more)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise Usage(f"{message} (see {self.prog} --help)")


def build(argv: Sequence[str] | None = None) -> Parser:
    """Return the parser of the command line.

    With `argv` only the verbs and actions whose names occur in it get their options: building all of them takes
    longer than most verbs run. Without, everything.
    """
    words = None if argv is None else frozenset(argv)
    shared = Parser(add_help=False)
    shared.add_argument("--home", metavar="DIR", default=argparse.SUPPRESS, help="the Hermes home to work on")
    shared.add_argument("--profile", "-p", metavar="NAME", default=argparse.SUPPRESS, help="a profile of that home")
    shared.add_argument("--read-only", action="store_true", default=argparse.SUPPRESS, help="write nothing at all")
    shared.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")
    parser = Parser(
        prog="workbench",
        description="See and steer a Hermes agent's memory. Without a verb: the full screen.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
    )
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    parser.add_argument("--theme", metavar="NAME", help="the colours of the full screen")
    parser.set_defaults(verb=None)
    if argv is not None and _only_options(argv):
        return parser  # the full screen: its first frame need not wait for parsers of verbs
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs")

    def verb(name: str, help_text: str, **more: Any) -> Parser:
        made: Parser = verbs.add_parser(name, help=help_text, description=help_text, parents=[shared], **more)
        return made

    def wanted(name: str) -> bool:
        return words is None or name in words

    verb("status", "Both stores, what waits, sessions, alerts and the home in use.")
    memory = verb("memory", "List and change the entries of MEMORY.md and USER.md.")
    if wanted("memory"):
        _memory(memory, shared, words)
    pending = verb("pending", "Review the writes that wait for approval: list, show, approve, reject, edit, retarget.")
    if wanted("pending"):
        _pending(pending, shared)
    sessions = verb("sessions", "Past conversations: list, search, show, scroll around a message, export, figures.")
    if wanted("sessions"):
        from workbench.cli.sessions_options import add

        add(sessions, shared)
    _looking(verb)
    _alerts(verb("alerts", "Everything that needs a human, worst first; exit 1 when there is something."))
    _past(verb)
    forget = verb("forget", "Show every place where a text lives, and take it out of all that is ours, for good.")
    forget.add_argument("entry", metavar="ENTRY", help="an entry's id, a text, or - to read the text from stdin")
    forget.add_argument("--dry-run", action="store_true", help="only show the places")
    forget.add_argument("--yes-forget", action="store_true", help="do it without asking for a typed word")
    watch = verb("watch", "Record and back up what others change, one line per fact, until interrupted.")
    watch.add_argument("--poll", action="store_true", help="look again every half second instead of asking the system")
    backups = verb("backups", "The .bak files beside the memory files: list, compare, put back, clear away.")
    if wanted("backups"):
        _backups(backups, shared)
    _demo(verb("demo", "Make a made-up home and open it; never touches a real one."))
    return parser


def _only_options(argv: Sequence[str]) -> bool:
    """Whether a command line holds no verb and asks for no help."""
    words = iter(argv)
    for word in words:
        if word in ("--home", "--profile", "-p", "--theme"):
            next(words, None)
        elif not word.startswith("-") or word in ("-h", "--help"):
            return False
    return True


def _memory(memory: Parser, shared: Parser, words: frozenset[str] | None = None) -> None:
    actions = memory.add_subparsers(dest="action", metavar="ACTION", required=True, title="actions")
    writing = Parser(add_help=False)
    writing.add_argument("--dry-run", action="store_true", help="show what would happen, write nothing")
    writing.add_argument("--accept-loss", action="store_true", help="agree that a replace drops the rest of an entry")
    writing.add_argument("--accept-empty", action="store_true", help="agree that the store ends up empty")
    writing.add_argument(
        "--accept-blocked", action="store_true", help="keep a text that the agent's scanner would hide by mistake"
    )
    writing.add_argument("--follow-link", action="store_true", help="agree to a link that leads out of the home")

    def action(name: str, help_text: str, *, writes: bool = True) -> Parser:
        parents = [shared, writing] if writes else [shared]
        made: Parser = actions.add_parser(name, help=help_text, description=help_text, parents=parents)
        return made

    def target(parser: Parser, **more: Any) -> None:
        parser.add_argument("target", metavar="TARGET", choices=_TARGETS, help="memory or user", **more)

    listing = action("list", "List entries, both stores unless one is named.", writes=False)
    target(listing, nargs="?")
    for name, help_text, writes in (
        ("show", "Show one entry whole, with what the scanner says of it.", False),
        ("remove", "Remove an entry.", True),
        ("move", "Move an entry to the other store.", True),
        ("replace", "Replace an entry's whole text.", True),
        ("patch", "Change one span inside an entry.", True),
        ("split", "Cut an entry into several.", True),
        ("reorder", "Give an entry another place.", True),
    ):
        made = action(name, help_text, writes=writes)
        target(made)
        made.add_argument("entry", metavar="ENTRY", help=_ENTRY)
        _details(name, made)
    add = action("add", "Add an entry.")
    target(add)
    add.add_argument("text", metavar="TEXT", help=_TEXT)
    add.add_argument("--place", type=_place, metavar="N", help="put it at place N (1 is the first), not at the end")
    merge = action("merge", "Make one entry out of several.")
    target(merge)
    merge.add_argument("entries", metavar="ENTRY", nargs="+", help=_ENTRY)
    merge.add_argument("--text", metavar="TEXT", help=f"{_TEXT}; without it the entries' lines are joined")
    normalise = action("normalise", "Write the file in the agent's own form; the entries stay as they are.")
    target(normalise)
    _drift(action, target)
    apply = action("apply", "Apply a draft: a JSON file of operations, all or nothing.")
    apply.add_argument(
        "draft",
        metavar="DRAFT.json",
        help='{"version":1,"changes":[{"target","base_sha256","operations":[...]}]}, a client batch '
        '{"target","operations":[...]}, or - for standard input',
    )
    if words is None or not words.isdisjoint(_ROOM_MAKING) or not words & actions.choices.keys():
        from workbench.cli.curation_options import add as add_room_making

        add_room_making(action, _place)


def _drift(action: Callable[..., Parser], target: Callable[..., None]) -> None:
    drift = action(
        "drift", "Explain what differs from the agent's own form; exit 1 when something should be done.", writes=False
    )
    target(drift, nargs="?")
    resolve = action("resolve", "Put a drifted file right; what it held stays in the history.")
    target(resolve)
    resolve.add_argument(
        "--how",
        metavar="WAY",
        required=True,
        help="normalise, split, trim, last-good, reencode (the likeliest encoding), reencode=ENCODING, or entries",
    )
    what = "with --how entries: now, last (the last good version), a backup's name, a number of the list, an entry's id"
    resolve.add_argument("--take", metavar="WHAT", nargs="+", help=f"entries the file gets; {what}")
    resolve.add_argument("--leave", metavar="WHAT", nargs="+", help="entries it does not get; now is taken by itself")


def _details(name: str, parser: Parser) -> None:
    if name == "replace":
        parser.add_argument("text", metavar="TEXT", help=_TEXT)
    elif name == "patch":
        parser.add_argument("old", metavar="OLD", help="the span to change; it must occur once in the entry")
        parser.add_argument("new", metavar="NEW", help="what it becomes, or - to read it from standard input")
    elif name == "move":
        parser.add_argument("--place", type=_place, metavar="N", help="its place in the other store (1 is the first)")
    elif name == "reorder":
        parser.add_argument("place", type=_place, metavar="PLACE", help="its new place (1 is the first)")
    elif name == "split":
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument("--by", metavar="TEXT", help="cut at every occurrence of TEXT, e.g. --by $'\\n---\\n'")
        way.add_argument(
            "--at", metavar="N", type=_place, nargs="+", help="cut before these characters (0 is the first)"
        )
        way.add_argument("--pieces", choices=["-"], help="read the pieces from standard input, lines of § between them")


def _pending(pending: Parser, shared: Parser) -> None:
    actions = pending.add_subparsers(dest="action", metavar="ACTION", required=True, title="actions")
    writing = Parser(add_help=False)
    writing.add_argument("--dry-run", action="store_true", help="show what would happen, write nothing")
    writing.add_argument("--reason", metavar="TEXT", default="", help="kept in the history with the decision")
    agreed = Parser(add_help=False)
    agreed.add_argument("--accept-loss", action="store_true", help="agree that a replace drops the rest of an entry")
    agreed.add_argument("--accept-empty", action="store_true", help="agree that the store ends up empty")
    agreed.add_argument(
        "--accept-blocked", action="store_true", help="keep a text that the agent's scanner would hide by mistake"
    )
    linked = Parser(add_help=False)
    linked.add_argument("--follow-link", action="store_true", help="agree to a link that leads out of the home")
    everywhere = Parser(add_help=False)
    everywhere.add_argument("--all-profiles", action="store_true", help="in every profile of the home")
    number: dict[str, Any] = {"type": _place, "metavar": "N", "help": "operation N of a batch (1 is the first)"}

    def action(name: str, help_text: str, *parents: Parser) -> Parser:
        made: Parser = actions.add_parser(name, help=help_text, description=help_text, parents=[shared, *parents])
        return made

    action("list", "List what waits, with its status and reason.", everywhere)
    show = action("show", "Show records whole: before, after, what is lost, who wrote them.")
    show.add_argument("ids", metavar="ID", nargs="+", help=_RECORD)
    show.add_argument("--raw", action="store_true", help="show the file as it is")
    approve = action(
        "approve", "Apply records; exit 0 only if every one was applied.", writing, agreed, linked, everywhere
    )
    approve.epilog = (
        "Between workbenches a record is applied once, whoever is first. The agent takes no claim: where it approves "
        "the same record in the same moment, both may apply it, and the second addition is dropped as a duplicate."
    )
    approve.add_argument("--operation", action="append", **number)
    reject = action(
        "reject", "Take records away without applying them; the history keeps them.", writing, linked, everywhere
    )
    for parser, every in ((approve, "all that are ready, in order"), (reject, "all that the agent wrote")):
        parser.add_argument("ids", metavar="ID", nargs="*", help=_RECORD)
        parser.add_argument("--all", action="store_true", help=every)
    edit = action("edit", "Approve a record with another text.", writing, agreed, linked)
    edit.add_argument("id", metavar="ID", help=_RECORD)
    edit.add_argument("text", metavar="TEXT", help=_TEXT)
    edit.add_argument("--keep", action="store_true", help="only rewrite the record; it goes on waiting")
    retarget = action(
        "retarget",
        "Aim a record at another entry of its store, or an addition at the other store; it goes on waiting.",
        linked,
    )
    retarget.add_argument("id", metavar="ID", help=_RECORD)
    retarget.add_argument("entry", metavar="ENTRY", nargs="?", help=_ENTRY)
    retarget.add_argument("--to", metavar="TARGET", choices=_TARGETS, help="send an addition to memory or user")
    for parser in (edit, retarget):
        parser.add_argument("--operation", **number)
    gate = action("gate", "Show the approval gates, or switch one in config.yaml.")
    gate.add_argument("subsystem", metavar="GATE", nargs="?", choices=("memory", "skills"), help="memory or skills")
    gate.add_argument("position", metavar="POSITION", nargs="?", choices=("on", "off"), help="on or off")
    gate.add_argument("--follow-link", action="store_true", help="agree to a link that leads out of the home")


def _looking(verb: Callable[..., Parser]) -> None:
    prompt = verb("prompt", "Print the block the agent gets at its next session, byte for byte.")
    prompt.add_argument("target", metavar="TARGET", choices=_TARGETS, nargs="?", help="memory or user; both without")
    prompt.add_argument(
        "--client", choices=("0.13", "0.14", "0.19", "0.22"), help="the client generation to render for"
    )
    scan = verb("scan", "Scan a text like the agent does; without a text, every entry of the home.")
    scan.add_argument("text", metavar="TEXT", nargs="?", help=_TEXT)
    scan.add_argument(
        "--context", metavar="DIR", help="scan SOUL.md, AGENTS.md and the like of a folder, as the agent does there"
    )
    scan.add_argument("--scope", choices=("all", "context", "strict"), default="strict", help="default: strict")


def _alerts(alerts: Parser) -> None:
    alerts.add_argument("--all", action="store_true", help="also what was dismissed or snoozed")
    way = alerts.add_mutually_exclusive_group()
    way.add_argument("--dismiss", metavar="ID", help="no more of this, until the text it is about changes")
    way.add_argument("--snooze", metavar="ID", help="no more of this for a while")
    way.add_argument("--again", metavar="ID", help="show again what was dismissed or snoozed")
    alerts.add_argument(
        "--for", dest="length", metavar="TIME", help="how long to snooze: 30m, 12h, 7d, 2w (default 1d)"
    )


def _past(verb: Callable[..., Parser]) -> None:
    history = verb("history", "List what changed the memory files: when, whose, what.")
    history.add_argument(
        "change", metavar="CHANGE", nargs="?", type=_place, help="show this change with its difference"
    )
    history.add_argument("--limit", type=_place, default=20, metavar="N", help="how many (default 20)")
    history.add_argument("--all", action="store_true", help="also the first sight of each record and skill")
    history.add_argument("--versions", action="store_true", help="list the distinct versions of the files instead")
    undo = verb("undo", "Take back the newest change, or one change alone.")
    undo.add_argument("change", metavar="CHANGE", nargs="?", type=_place, help="the number that history shows")
    redo = verb("redo", "Repeat what was taken back last.")
    restore = verb("restore", "Give a memory file the exact bytes of an earlier version.")
    restore.add_argument("version", metavar="VERSION", help="the beginning of a version's hash (history --versions)")
    restore.add_argument("target", metavar="TARGET", choices=_TARGETS, nargs="?", help="memory or user, where both fit")
    for parser in (undo, redo, restore):
        parser.add_argument("--follow-link", action="store_true", help="agree to a link that leads out of the home")
    undo.add_argument("--yes", action="store_true", help="also when somebody else made the change")


def _backups(backups: Parser, shared: Parser) -> None:
    actions = backups.add_subparsers(dest="action", metavar="ACTION", required=True, title="actions")

    def action(name: str, help_text: str) -> Parser:
        made: Parser = actions.add_parser(name, help=help_text, description=help_text, parents=[shared])
        return made

    name: dict[str, Any] = {"metavar": "BACKUP", "help": "the backup's file name, or the beginning of its hash"}
    listing = action("list", "List the backups beside the memory files, ours and the client's, by content.")
    prune = action("prune", "Remove backups of which another one with the same bytes stays.")
    for parser in (listing, prune):
        parser.add_argument(
            "target", metavar="TARGET", choices=_TARGETS, nargs="?", help="memory or user; both without"
        )
    prune.add_argument("--dry-run", action="store_true", help="show what would go, remove nothing")
    diff = action("diff", "Show what differs between a backup and the file now, or another backup.")
    diff.add_argument("backup", **name)
    diff.add_argument("other", nargs="?", **name)
    restore = action("restore", "Give a memory file the exact bytes of a backup.")
    restore.add_argument("backup", **name)
    restore.add_argument("--dry-run", action="store_true", help="show what would change, write nothing")
    restore.add_argument("--follow-link", action="store_true", help="agree to a link that leads out of the home")


def _demo(demo: Parser) -> None:
    demo.add_argument("dir", metavar="DIR", nargs="?", help="an empty or new folder; a temporary one without")
    demo.add_argument("--seed", type=int, default=7, metavar="N", help="another seed makes other conversations")
    demo.add_argument("--now", metavar="TIME", help="the moment the home was made: Unix seconds or an ISO date")
    demo.add_argument("--sessions", type=_place, metavar="N", help="make a big state.db with this many sessions")
    demo.add_argument("--messages", type=_place, metavar="N", help="... and this many messages")
    demo.add_argument("--make-only", action="store_true", help="do not open it, print its path")


def _place(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError(f"{text[:24]} is out of range")
    return number


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the command line, with the shared options filled in. Raises Usage."""
    options = build(argv).parse_args(list(argv))
    for name, default in (("home", None), ("profile", None), ("read_only", False), ("json", False)):
        if not hasattr(options, name):
            setattr(options, name, default)
    return options
