"""Forgetting for good: versions that hold a text leave history.db, and the file is rewritten so that no byte stays.

A forgotten version keeps its place in the change sets under a random name: what changed when is still told, what it
held is gone, and so is its hash, which could confirm a guess. A crash at any point leaves a database that works; what
was not finished is finished at the next start.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import HistoryUnavailable, ReadOnly
from workbench.files import Step, no_step, read_bytes, remove_file
from workbench.history.history import History
from workbench.history.past import Past
from workbench.history.records import FORGOTTEN
from workbench.history.statements import UNFINISHED

# How long other programs may go on reading history.db before the rewriting gives up for now.
PATIENCE_SECONDS = 5.0


@dataclass(frozen=True)
class Held:
    """What history.db holds of a text: the versions by SHA-256, how many change sets quote it, own files with it."""

    versions: tuple[str, ...]
    changes: int
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Purged:
    """What went: versions and quoting change sets. `finished`: not one byte of them is left in history.db.

    When it is not, another program has the database open; closing it and starting a workbench finishes it.
    """

    versions: int
    changes: int
    finished: bool


def needles(text: str) -> tuple[bytes, ...]:
    """The forms in which a text may lie in a file: plain, with CR LF, as JSON in both spellings, and as UTF-16."""
    spellings = (text, text.replace("\n", "\r\n"), json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1])
    forms = [spelling.encode("utf-8", "surrogatepass") for spelling in spellings]
    forms += [text.encode("utf-16-le", "surrogatepass")]
    with contextlib.suppress(UnicodeEncodeError):  # then no file in that encoding can hold it
        forms.append(text.encode("cp1252"))
    return tuple(dict.fromkeys(form for form in forms if form))


def held(history: Past, text: str) -> Held:
    """Look for a text in history.db and in our other files beside it. Raises HistoryUnavailable."""
    forms = needles(text)
    with history.mutex:
        where = " OR ".join(["instr(data, ?)"] * len(forms))
        rows = history.database.read(f"SELECT sha256 FROM blobs WHERE {where}", forms)
        quoted = history.database.read(f"SELECT count(*) FROM changes WHERE {_QUOTES}", _quotes(text))
    return Held(tuple(str(row[0]) for row in rows), int(quoted[0][0]), _own_files(history.home / "workbench", forms))


_QUOTES = "instr(operations, ?) OR instr(operations, ?) OR instr(operations, ?) OR instr(label, ?)"


def _quotes(text: str) -> tuple[str, ...]:
    return text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1], text


def _own_files(folder: Path, forms: Sequence[bytes]) -> tuple[Path, ...]:
    """Texts that were kept when a terminal went away, and databases that were set aside as damaged."""
    found = []
    for pattern in ("unsaved-*.txt", "history.db.damaged-*"):
        for path in sorted(folder.glob(pattern)):
            data = read_bytes(path) or b""
            if any(form in data for form in forms):
                found.append(path)
    return tuple(found)


def purge(history: History, text: str, *, step: Step = no_step) -> Purged:
    """Take every version and quotation of a text out of history.db, remove our files that hold it, rewrite the rest.

    The files of the agent are not touched: take the text out of them first, or the next look records it again. Points:
    purged, vacuumed, truncated, files-gone. Raises ReadOnly, HistoryUnavailable, WriteFailed; then nothing of
    history.db is lost that should not be, and repeating it is safe.
    """
    if history.read_only:
        raise ReadOnly(history.home)
    with history.mutex:
        history.database.ensure()
        there = held(history, text)
        now = time.time()
        history.database.read("PRAGMA secure_delete=ON")
        with history.database.transaction() as db:
            for sha256 in there.versions:
                _rename(db, sha256, now)
            db.execute(
                f"UPDATE changes SET operations = '[]', label = replace(label, ?, '(forgotten)') WHERE {_QUOTES}",
                (text, *_quotes(text)),
            )
            db.execute("INSERT OR REPLACE INTO forgotten VALUES (?, ?, 0)", (UNFINISHED, now))
        step("purged")
        for path in there.files:
            remove_file(path)
        step("files-gone")
        return Purged(len(there.versions), there.changes, finish(history, step=step))


def _rename(db: sqlite3.Connection, sha256: str, now: float) -> None:
    name = FORGOTTEN + secrets.token_hex(27)
    size = db.execute("SELECT size FROM blobs WHERE sha256 = ?", (sha256,)).fetchone()[0]
    db.execute("INSERT INTO forgotten VALUES (?, ?, ?)", (name, now, size))
    db.execute("UPDATE files SET before = ? WHERE before = ?", (name, sha256))
    db.execute("UPDATE files SET after = ? WHERE after = ?", (name, sha256))
    db.execute("DELETE FROM backups WHERE sha256 = ?", (sha256,))
    db.execute("DELETE FROM blobs WHERE sha256 = ?", (sha256,))


def finish(history: History, *, step: Step = no_step, patience: float = PATIENCE_SECONDS) -> bool:
    """Rewrite history.db after a purge; False when another program keeps it open, which `notices` then say.

    VACUUM builds a new file of what is left and SQLite swaps it in as one transaction; emptying the write-ahead log
    takes the old pages that still lie in it.
    """
    database = history.database
    with history.mutex:
        try:
            database.read("PRAGMA secure_delete=ON")
            database.read("VACUUM")
            step("vacuumed")
            if not _emptied(history, patience):
                raise HistoryUnavailable(database.path, "another program reads it")
            step("truncated")
            with database.transaction() as db:
                db.execute("DELETE FROM forgotten WHERE sha256 = ?", (UNFINISHED,))
            return _emptied(history, patience)
        except HistoryUnavailable as error:
            history.notices.append(
                f"What was forgotten may still lie in unused parts of history.db ({error.why}); close other "
                "workbenches and start this one again, that finishes it."
            )
            return False


def _emptied(history: Past, patience: float) -> bool:
    """Whether the write-ahead log is empty now; always without one."""
    deadline = time.monotonic() + patience
    while True:
        rows = history.database.read("PRAGMA wal_checkpoint(TRUNCATE)")
        if not rows or rows[0][0] == 0:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
