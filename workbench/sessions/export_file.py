"""Exported conversations as a file: pieces in a form, written so that nothing that stood there is lost by accident."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from workbench.errors import FileExists, Usage, WriteFailed
from workbench.sessions.export import Choice, jsonl, markdown
from workbench.sessions.lineage import Conversation
from workbench.sessions.schema import Capability

_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}


def form_of(path: Path) -> str:
    """The form that a file's name asks for: jsonl, markdown or html."""
    return _SUFFIXES.get(path.suffix.lower(), "jsonl")


def pieces_of(
    db: sqlite3.Connection,
    cap: Capability,
    talks: Iterable[Conversation],
    form: str,
    choice: Choice,
    note: Callable[[str], None],
) -> Iterator[str]:
    """Conversations in a form, in pieces; `note` gets what the client could not import."""
    first = True
    for talk in talks:
        if form != "jsonl" and not first:
            yield "\n"
        first = False
        if form == "jsonl":
            yield from jsonl(db, cap, talk, choice, note)
        elif form == "markdown":
            yield from markdown(db, cap, talk, choice)
        else:
            from workbench.sessions.export_html import html

            yield from html(db, cap, talk, choice)


def check_place(home: Path, path: Path) -> None:
    """Refuse to write over a file of the home, whatever was agreed to: no history would have what it held.

    Raises Usage.
    """
    place = Path(os.path.realpath(path.parent))
    if os.path.lexists(path) and place.is_relative_to(os.path.realpath(home)):
        raise Usage(f"{path} belongs to the home; an export never writes over a file there.")


def write(home: Path, path: Path, pieces: Iterable[str], *, force: bool) -> int:
    """Write a file that only its owner can read; what stood there is replaced at the end, and only with `force`.

    Returns the bytes written. Raises FileExists, WriteFailed, and Usage for a file of the home.
    """
    if force:
        check_place(home, path)
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
