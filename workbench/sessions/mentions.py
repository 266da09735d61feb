"""Where a text occurs in the agent's conversations: counted, never changed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from workbench.files import is_regular
from workbench.files.sqlite import connect_untouched


@dataclass(frozen=True)
class Mentions:
    """`messages` that hold the text, and the ids of the `sessions` with them or with it in their stored prompt.

    `why` says what kept us from looking, "" when we did.
    """

    messages: int = 0
    sessions: tuple[str, ...] = ()
    why: str = ""


def mentions(home: Path, text: str) -> Mentions:
    """Look for a text, plain or as JSON spells it, in all columns of `messages` and `sessions`; never raises.

    Columns are taken as they are found: they differ from version to version. A memory entry is in the stored system
    prompt of every session that began while it stood (0.19).
    """
    path = home / "state.db"
    if not path.exists():
        return Mentions()
    if not is_regular(path):
        return Mentions(why="state.db is not an ordinary file")
    try:
        with closing(connect_untouched(path)) as db:
            found: set[str] = set()
            spelled = (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1])
            forms = {f"text{number}": form for number, form in enumerate(spelled)}
            where = _anywhere(db, "messages")
            rows = db.execute(f"SELECT session_id, count(*) FROM messages WHERE {where} GROUP BY 1", forms)
            counts = {str(session): int(number) for session, number in rows}
            found.update(counts)
            where = _anywhere(db, "sessions")
            found.update(str(row[0]) for row in db.execute(f"SELECT id FROM sessions WHERE {where}", forms))
            return Mentions(sum(counts.values()), tuple(sorted(found)))
    except sqlite3.Error as error:
        return Mentions(why=str(error))


def _anywhere(db: sqlite3.Connection, table: str) -> str:
    names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    quoted = (name.replace('"', '""') for name in names)
    return " OR ".join(f'instr("{name}", :text{number})' for name in quoted for number in range(3)) or "0"
