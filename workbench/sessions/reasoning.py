"""Our own index of the agent's reasoning, which the agent indexes nowhere: `<home>/workbench/reasoning.db`.

It holds no text, only word positions, so it can be deleted and made again. It is built in slices behind the screen;
what it does not hold yet is said. Nothing is written with --read-only: what is there is used.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from workbench.files import is_regular, is_there
from workbench.sessions.plans import Tables
from workbench.sessions.scan import newest_id
from workbench.sessions.schema import Capability

NAME = "reasoning.db"
SCHEMA = "own"
WORDS, PIECES = "words", "pieces"
_FORMAT = "1"
_SLICE = 2_000
_NOT_OURS = "it is not an ordinary file"


def column(cap: Capability, alias: str = "messages") -> str:
    """SQL of a message's reasoning, '' when there is none."""
    first = cap.expr("messages", "reasoning", "NULL", alias)
    return f"coalesce({first}, {cap.expr('messages', 'reasoning_content', 'NULL', alias)}, '')"


def attach(db: sqlite3.Connection, cap: Capability, path: Path | None) -> tuple[Tables | None, str]:
    """Make the index readable beside state.db: (its tables, what has to be said); None when there is nothing to ask."""
    if path is None or not is_there(path):
        return None, "the reasoning is not indexed yet"
    if not is_regular(path):
        return None, f"the index of the reasoning cannot be read ({_NOT_OURS})"
    attached = {row[1]: row[2] for row in db.execute("PRAGMA database_list")}
    if SCHEMA not in attached:
        try:
            db.execute(f"ATTACH ? AS {SCHEMA}", (path.absolute().as_uri() + "?mode=ro",))
        except sqlite3.Error as error:
            return None, f"the index of the reasoning cannot be read ({error})"
    try:
        state = dict(db.execute(f"SELECT key, value FROM {SCHEMA}.state"))
    except sqlite3.Error as error:
        return None, f"the index of the reasoning cannot be read ({error})"
    if state.get("format") != _FORMAT or state.get("source") != _fingerprint(db):
        return None, "the reasoning is not indexed yet"
    done, top = int(state.get("done", "0")), newest_id(db)
    said = f"the reasoning of {top - done:,} newer messages is not indexed yet" if done < top else ""
    return Tables(WORDS, PIECES, SCHEMA), said


def build(db: sqlite3.Connection, cap: Capability, path: Path, keep_going: Callable[[int, int], bool]) -> bool:
    """Bring the index up to date, slice by slice; returns whether it is.

    `keep_going` gets (done, newest) message ids after each slice and may end it. Raises sqlite3.Error, also when the
    folder cannot be written.
    """
    own = _open(path, _fingerprint(db))
    with closing(own):
        done = int(own.execute("SELECT value FROM state WHERE key = 'done'").fetchone()[0])
        top = newest_id(db)
        while done < top:
            end = min(done + _SLICE, top)
            text = column(cap, "m")
            rows = db.execute(
                f"SELECT m.id, {text} FROM messages m WHERE m.id > ? AND m.id <= ? AND {text} <> ''", (done, end)
            ).fetchall()
            with own:
                for table in (WORDS, PIECES):
                    own.executemany(f"INSERT INTO {table}(rowid, text) VALUES (?, ?)", rows)
                own.execute("UPDATE state SET value = ? WHERE key = 'done'", (str(end),))
            done = end
            if not keep_going(done, top):
                break
        return done >= top


def _open(path: Path, source: str) -> sqlite3.Connection:
    _prepare(path)
    if not is_regular(path):
        raise sqlite3.OperationalError(_NOT_OURS)  # SQLite would wait for a pipe for ever
    try:
        return _started(path, source)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        # Damaged: everything in it can be made again from state.db.
        path.unlink()
        _prepare(path)
        return _started(path, source)


def _prepare(path: Path) -> None:
    """The folder as the history makes it, and a file that only its owner can read."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    for name, content in ((path.parent / ".gitignore", b"*\n"), (path, b"")):
        try:
            handle = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            continue
        os.write(handle, content)
        os.close(handle)


def _started(path: Path, source: str) -> sqlite3.Connection:
    own = sqlite3.connect(path, timeout=2.0)
    try:
        # Half a slice after a crash only means that it is built anew, so no write waits for the disk.
        own.execute("PRAGMA synchronous=NORMAL")
        state = _state(own)
        if state is None or state.get("format") != _FORMAT or state.get("source") != source:
            _start(own, source)
    except sqlite3.Error:
        own.close()
        raise
    return own


def _state(own: sqlite3.Connection) -> dict[str, str] | None:
    there = own.execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone()
    return dict(own.execute("SELECT key, value FROM state")) if there else None


def _start(own: sqlite3.Connection, source: str) -> None:
    with own:
        for table in (WORDS, PIECES, "state"):
            own.execute(f"DROP TABLE IF EXISTS {table}")
        # Contentless: the text stays where it is, in state.db.
        own.execute(f"CREATE VIRTUAL TABLE {WORDS} USING fts5(text, content='')")
        own.execute(f"CREATE VIRTUAL TABLE {PIECES} USING fts5(text, content='', tokenize='trigram')")
        own.execute("CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT)")
        rows = (("format", _FORMAT), ("source", source), ("done", "0"))
        own.executemany("INSERT INTO state VALUES (?, ?)", rows)


def _fingerprint(db: sqlite3.Connection) -> str:
    """What tells this state.db from another one put in its place: its first message."""
    row = db.execute("SELECT id, session_id, role, timestamp FROM messages ORDER BY id LIMIT 1").fetchone()
    return hashlib.sha256(repr(row).encode()).hexdigest()[:16]
