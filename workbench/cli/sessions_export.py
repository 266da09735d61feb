"""`workbench sessions export`: conversations to a file or to standard output."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from workbench.cli.output import Output, say
from workbench.cli.sessions import filters
from workbench.errors import FileExists, ReadOnly, Usage, WriteFailed
from workbench.sessions.browse import recent
from workbench.sessions.export import Choice, jsonl, markdown
from workbench.sessions.lineage import Conversation, conversation, find
from workbench.sessions.schema import Capability, look
from workbench.workspace import Workspace

_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}


def export(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Write what is named; an existing file stays unless told otherwise."""
    if bool(options.sessions) == options.all:
        raise Usage("Name the sessions to export, or use --all.")
    to_stdout = options.output == "-"
    form = options.format or _SUFFIXES.get(Path(options.output).suffix.lower(), "jsonl")
    if form == "html" and (options.all or len(options.sessions) > 1):
        raise Usage("An HTML page holds one conversation; export them one by one.")
    if not to_stdout and workspace.read_only:
        raise ReadOnly(Path(options.output))
    if not to_stdout and options.force:
        _check_place(workspace.home, Path(options.output))
    notes: list[str] = []
    exported: list[str] = []
    with workspace.sessions.connection() as db:
        cap = look(db)
        pieces = _pieces(db, cap, options, form, notes, exported)
        if to_stdout:
            for piece in pieces:
                sys.stdout.write(piece)
            size = 0
        else:
            size = _write(Path(options.output), pieces, force=options.force)
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


def _pieces(
    db: sqlite3.Connection,
    cap: Capability,
    options: argparse.Namespace,
    form: str,
    notes: list[str],
    exported: list[str],
) -> Iterator[str]:
    choice = Choice(masked=not options.reveal, undone=options.undone)
    for talk in _chosen(db, cap, options):
        if form != "jsonl" and exported:
            yield "\n"
        exported.append(talk.root)
        if form == "jsonl":
            yield from jsonl(db, cap, talk, choice, notes.append)
        elif form == "markdown":
            yield from markdown(db, cap, talk, choice)
        else:
            from workbench.sessions.export_html import html

            yield from html(db, cap, talk, choice)


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


def _check_place(home: Path, path: Path) -> None:
    """Refuse to write over a file of the home, whatever `--force` says: no history would have what it held."""
    place = Path(os.path.realpath(path.parent))
    if os.path.lexists(path) and place.is_relative_to(os.path.realpath(home)):
        raise Usage(f"{path} belongs to the home; an export never writes over a file there.")


def _write(path: Path, pieces: Iterator[str], *, force: bool) -> int:
    """Write a file that only its owner can read; what stood there is replaced at the end, and only if told so."""
    if not force and (path.exists() or path.is_symlink()):
        raise FileExists(path)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp") if force else path
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    except FileExistsError:
        raise FileExists(draft) from None
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error
    size = 0
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                # A lone surrogate becomes its escape, which JSON reads back as what it was.
                size += file.write(piece.encode("utf-8", "backslashreplace"))
        if force:
            draft.replace(path)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            raise WriteFailed(path, error.strerror or str(error)) from error
        raise
    return size
