"""Exported conversations as a file: pieces in a form, written so that nothing that stood there is lost by accident."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from workbench.errors import FileExists, Usage, WriteFailed
from workbench.sessions.errors import ExportStopped
from workbench.sessions.export import Choice, jsonl, markdown
from workbench.sessions.lineage import Conversation
from workbench.sessions.schema import Capability

_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}


def form_of(path: Path) -> str:
    """The form that a file's name asks for: jsonl, markdown or html."""
    return _SUFFIXES.get(path.suffix.lower(), "jsonl")


@dataclass
class Steps:
    """How far one export is: `tell` gets (conversations begun, bytes written), at most once in `every` seconds.

    Nothing is told in the first moment, in which most exports are done. `stop`, when set, ends it from any thread.
    `begun` are the conversations so far, `told` is how often that was said.
    """

    path: Path
    tell: Callable[[int, int], None]
    every: float = 0.3
    stop: threading.Event = field(default_factory=threading.Event)
    begun: int = 0
    told: int = 0
    _last: float = field(default_factory=time.monotonic)

    def of(self, talks: Iterable[Conversation]) -> Iterator[Conversation]:
        """The same conversations, counted."""
        for talk in talks:
            self.begun += 1
            yield talk

    def step(self, size: int) -> None:
        """Note that so many bytes are written. Raises ExportStopped."""
        if self.stop.is_set():
            raise ExportStopped(self.path)
        now = time.monotonic()
        if now >= self._last + self.every:
            self._last = now
            self.told += 1
            self.tell(self.begun, size)


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


def write(
    home: Path, path: Path, pieces: Iterable[str], *, force: bool, step: Callable[[int], None] = lambda size: None
) -> int:
    """Write a file that only its owner can read; what stood there is replaced at the end, and only with `force`.

    `step` gets the bytes so far after each piece; what it raises ends the writing, and nothing of it is left. Returns
    the bytes written. Raises FileExists, WriteFailed, and Usage for a file of the home.
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
                step(size)
        if force:
            draft.replace(path)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            raise WriteFailed(path, error.strerror or str(error)) from error
        raise
    return size
