"""Whether the full-text index can be trusted, asked of the index itself: a damaged one answers "nothing", silently."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from workbench.sessions.matching import tokens
from workbench.sessions.plans import Tables, quoted, tables
from workbench.sessions.schema import FTS, TRIGRAM, Capability

_ROWS = 3
_LOOKED_AT = 40
_CHARS = 400


@dataclass(frozen=True)
class Health:
    """`state` is ok, absent, damaged, stale or rebuilding; `banner` the sentence for it, "" when ok.

    `where` are the tables that may be asked.
    """

    state: str
    banner: str
    where: Tables


def health(db: sqlite3.Connection, cap: Capability) -> Health:
    """Look whether a few recent messages are found by their own words. Raises sqlite3.Error only for the messages."""
    where = tables(cap)
    if cap.damaged:
        return Health("damaged", "the database's schema is damaged: texts are searched one by one", Tables(None, None))
    if cap.stale:
        return Health(
            "stale", "the agent marked its full-text index as out of date: texts are searched one by one", where
        )
    if where.words is None:
        return Health(
            "absent", "there is no full-text index here: texts are searched one by one", Tables(None, where.pieces)
        )
    words_fine, pieces_fine = _probed(db, cap, where)
    sound = Tables(where.words if words_fine else None, where.pieces if pieces_fine else None)
    if not words_fine:
        return Health("damaged", "the full-text index is unreliable: texts are searched one by one", sound)
    if not pieces_fine:
        return Health("damaged", "the index of CJK texts is unreliable: such texts are searched one by one", sound)
    if cap.rebuilding is not None:
        return Health(
            "rebuilding", "the agent is rebuilding its full-text index: the rest is searched one by one", where
        )
    return Health("ok", "", where)


def _probed(db: sqlite3.Connection, cap: Capability, where: Tables) -> tuple[bool, bool]:
    """What `_probe` says, asked once for as long as nobody writes."""
    kept: dict[str, object] = getattr(db, "kept", {})
    key = (db.execute("PRAGMA data_version").fetchone()[0], cap.version, cap.rebuilding)
    there = kept.get("probe")
    if isinstance(there, tuple) and there[0] == key:
        return bool(there[1]), bool(there[2])
    fine = _probe(db, cap, where)
    kept["probe"] = (key, *fine)
    return fine


def _probe(db: sqlite3.Connection, cap: Capability, where: Tables) -> tuple[bool, bool]:
    """Whether each table finds the newest messages that it must hold."""
    gap = cap.rebuilding
    fine = {FTS: True, TRIGRAM: True}
    for table, name in ((where.words, FTS), (where.pieces, TRIGRAM)):
        asked = found = 0
        for number, text in _recent(db, cap, name) if table is not None else ():
            wanted = _word(text, name) if isinstance(text, str) else ""
            if table is None or not wanted or (gap is not None and gap[0] < number <= gap[1]):
                continue
            asked += 1
            found += _finds(db, table, number, wanted)
            if asked >= _ROWS:
                break
        # One row may have been written by a program that bypasses the index; none found at all is damage.
        fine[name] = not asked or found > 0
    return fine[FTS], fine[TRIGRAM]


def _recent(db: sqlite3.Connection, cap: Capability, table: str) -> list[tuple[int, object]]:
    join, covered = "", "m.role <> 'tool'"
    if table == TRIGRAM and cap.trigram == "external":
        join = "JOIN sessions s ON s.id = m.session_id"
        delegate = cap.expr("sessions", "model_config", "''", "s")
        covered += f" AND s.source NOT IN ('cron', 'subagent') AND NOT instr({delegate}, '_delegate_from')"
    return db.execute(
        f"SELECT m.id, substr(m.content, 1, {_CHARS}) FROM messages m {join} WHERE m.content <> '' AND {covered}"
        f" ORDER BY m.id DESC LIMIT {_LOOKED_AT}"
    ).fetchall()


def _word(text: str, table: str) -> str:
    if table == TRIGRAM:
        return text[:3] if len(text) >= 3 and "\x00" not in text[:3] else ""
    # The last words may be cut off, and long ones say most.
    words = [word for word in tokens(text)[:-1] if word.isascii() and len(word) >= 3]
    return max(words, key=len) if words else ""


def _finds(db: sqlite3.Connection, table: str, number: int, word: str) -> bool:
    try:
        sql = f"SELECT 1 FROM {table} WHERE {table} MATCH ? AND rowid = ?"
        return db.execute(sql, (quoted(word), number)).fetchone() is not None
    except sqlite3.DatabaseError as error:
        if "interrupted" in str(error):
            raise
        return False
