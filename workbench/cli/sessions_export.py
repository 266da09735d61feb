"""`workbench sessions export`: conversations to a file or to standard output."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from workbench.cli.output import Output, say
from workbench.cli.sessions import filters
from workbench.errors import ReadOnly, Usage
from workbench.sessions.browse import recent
from workbench.sessions.content import size_text
from workbench.sessions.export import Choice
from workbench.sessions.export_file import Steps, form_of, pieces_of, write
from workbench.sessions.lineage import Conversation, conversation, find
from workbench.sessions.schema import Capability, look
from workbench.workspace import Workspace


def export(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Write what is named; an existing file stays unless told otherwise."""
    if bool(options.sessions) == options.all:
        raise Usage("Name the sessions to export, or use --all.")
    to_stdout = options.output == "-"
    form = options.format or form_of(Path(options.output))
    if form == "html" and (options.all or len(options.sessions) > 1):
        raise Usage("An HTML page holds one conversation; export them one by one.")
    if not to_stdout and workspace.read_only:
        raise ReadOnly(Path(options.output))
    notes: list[str] = []
    exported: list[str] = []
    steps = Steps(Path(options.output), _tell)
    with workspace.sessions.connection() as db:
        cap = look(db)
        pieces = _pieces(db, cap, options, form, notes, exported, steps)
        if to_stdout:
            for piece in pieces:
                sys.stdout.write(piece)
            size = 0
        else:
            size = _written(workspace.home, steps, pieces, force=options.force)
    for note in notes:
        say(f"workbench: {note}")
    if to_stdout:
        return 0
    if output.as_json:
        path = str(Path(options.output))
        output.json({"success": True, "path": path, "format": form, "conversations": exported, "bytes": size})
    else:
        many = "conversation" if len(exported) == 1 else "conversations"
        output.lines([f"{len(exported):,} {many} as {form} in {options.output} ({size:,} bytes)"])
    return 0


def _written(home: Path, steps: Steps, pieces: Iterator[str], *, force: bool) -> int:
    """Write them; how far it is stands on a terminal meanwhile, and nowhere else."""
    if not (sys.stderr and sys.stderr.isatty()):
        return write(home, steps.path, pieces, force=force)
    try:
        return write(home, steps.path, pieces, force=force, step=steps.step)
    finally:
        if steps.told:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _tell(begun: int, size: int) -> None:
    sys.stderr.write(f"\r\x1b[K{begun:,} conversation{'' if begun == 1 else 's'}, {size_text(size)}")
    sys.stderr.flush()


def _pieces(
    db: sqlite3.Connection,
    cap: Capability,
    options: argparse.Namespace,
    form: str,
    notes: list[str],
    exported: list[str],
    steps: Steps,
) -> Iterator[str]:
    choice = Choice(masked=not options.reveal, undone=options.undone)

    def named() -> Iterator[Conversation]:
        for talk in _chosen(db, cap, options):
            exported.append(talk.root)
            yield talk

    return pieces_of(db, cap, steps.of(named()), form, choice, notes.append)


def _chosen(db: sqlite3.Connection, cap: Capability, options: argparse.Namespace) -> Iterator[Conversation]:
    """The conversations meant, each once."""
    seen: set[str] = set()
    # All names are looked up before the first byte is written.
    named = [conversation(db, cap, find(db, cap, name)) for name in options.sessions]
    for talk in named:
        if talk.root not in seen:
            seen.add(talk.root)
            yield talk
    page = recent(db, cap, filters(options)) if options.all else None
    while page is not None:
        for row in page.rows:
            yield conversation(db, cap, row.id)
        page = recent(db, cap, filters(options), cursor=page.following) if page.following else None
