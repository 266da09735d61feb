"""Files of a folder that the client puts into a prompt (SOUL.md, AGENTS.md and the like), scanned when asked.

The names and the scope are client 0.19's: it drops the whole file, with a notice in its place, when one pattern of
the scope `context` hits.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.threats.own import NONE, OwnPatterns
from workbench.threats.scan import Finding, scan

NAMES = ("SOUL.md", ".hermes.md", "HERMES.md", "AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", ".cursorrules")
_RULES = (".cursor", "rules")
MOST_BYTES = 1 << 20
MOST_FILES = 64
SECONDS = 5.0


@dataclass(frozen=True)
class ContextFile:
    """One file: `name` relative to the folder, `why` says why it was not (or not wholly) scanned, "" when it was."""

    name: str
    text: str
    findings: tuple[Finding, ...] = ()
    why: str = ""


def scan_context(
    folder: Path, own: OwnPatterns = NONE, *, seconds: float = SECONDS, most_bytes: int = MOST_BYTES
) -> tuple[ContextFile, ...]:
    """Scan the context files of one folder, not of those below it. Never raises for what it finds there.

    Links that lead out of the folder are not followed, pipes and devices not opened, of each file at most
    `most_bytes` are read. After `seconds` it answers with what it has; a read that hangs (a dead network folder) is
    left behind in a thread of its own.
    """
    done: list[ContextFile] = []
    stop = threading.Event()

    def work() -> None:
        for file in _files(folder, own, most_bytes):
            if stop.is_set():
                return
            done.append(file)

    thread = threading.Thread(target=work, name="context files", daemon=True)
    thread.start()
    thread.join(seconds)
    stop.set()
    if thread.is_alive():
        return (*done, ContextFile("", "", why=f"not everything was looked at within {seconds:g} seconds"))
    return tuple(done)


def _files(folder: Path, own: OwnPatterns, most_bytes: int) -> Iterator[ContextFile]:
    inside = os.path.realpath(folder)
    seen: set[tuple[int, int]] = set()
    for name in _names(folder):
        path = Path(os.path.realpath(folder / name))
        try:
            info = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            yield ContextFile(name, "", why=error.strerror or str(error))
            continue
        if not path.is_relative_to(inside):
            yield ContextFile(name, "", why="it is a link that leads out of the folder")
        elif not stat.S_ISREG(info.st_mode):
            yield ContextFile(name, "", why="it is not an ordinary file")
        elif (info.st_dev, info.st_ino) not in seen:  # where case does not count two names are one file
            seen.add((info.st_dev, info.st_ino))
            yield _scanned(name, path, own, most_bytes)


def _names(folder: Path) -> list[str]:
    names = list(NAMES)
    try:
        rules = sorted(entry.name for entry in os.scandir(folder.joinpath(*_RULES)) if entry.name.endswith(".mdc"))
    except OSError:
        rules = []
    return names + ["/".join((*_RULES, name)) for name in rules[:MOST_FILES]]


def _scanned(name: str, path: Path, own: OwnPatterns, most_bytes: int) -> ContextFile:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ContextFile(name, "", why="it is not an ordinary file")
            data = file.read(most_bytes + 1)
    except OSError as error:
        return ContextFile(name, "", why=error.strerror or str(error))
    why = f"only its first {most_bytes:,} bytes were looked at" if len(data) > most_bytes else ""
    try:
        text = data[:most_bytes].decode("utf-8", "ignore" if why else "strict")
    except UnicodeDecodeError as error:
        return ContextFile(name, "", why=f"it is not UTF-8 at byte {error.start}; the agent leaves it out")
    text = text.removeprefix("\ufeff")  # the client takes a first BOM for an editor's habit
    found = (*scan(text, "context"), *own.find(text, "context"))
    return ContextFile(name, text, tuple(sorted(found, key=lambda one: (one.start, one.end))), why)
