"""The list of conversations within its budget, and reading around a message against the bare statements."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.benchmarks.table import Row
from tests.sessions.made import Made
from workbench.demo import make
from workbench.sessions.browse import recent
from workbench.sessions.database import connect
from workbench.sessions.lineage import conversation
from workbench.sessions.schema import look
from workbench.sessions.transcript import more_after, outline, window

LONG = 10_000
# Seconds: what the first page may take, and one frame at 60 a second.
FIRST_PAGE, FRAME = 0.020, 0.0166


def transcripts(folder: Path, short: bool) -> list[Row]:
    """First page of 20,000 sessions; opening and paging in a conversation of 10,000 messages, old and new schema."""
    sessions, messages = (2_000, 20_000) if short else (20_000, 200_000)
    home = folder / "home"
    make(home, seed=3, now=1_790_000_000.0, sessions=sessions, messages=messages)
    path = home / "state.db"
    rows = [_first_page(path, sessions)]
    rows += _reading("0.19", _lengthened(path))
    newer = folder / "newer.db"
    made = Made("0.22", str(newer))
    made.session("long")
    made.db.execute("BEGIN")
    for number in range(LONG):
        made.say("long", f"message {number} " + "word " * 40, "assistant" if number % 2 else "user")
    made.db.execute("COMMIT")
    made.db.close()
    return rows + _reading("0.22", (newer, "long"))


def _lengthened(path: Path) -> tuple[Path, str]:
    """Give one session of the home 10,000 more messages; returns its id too. Triggers go, as search is not asked."""
    with closing(sqlite3.connect(path)) as db:
        (session,) = db.execute("SELECT id FROM sessions ORDER BY rowid DESC LIMIT 1 OFFSET 50").fetchone()
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        taken = db.execute(f"SELECT role, content FROM messages LIMIT {LONG}").fetchall()
        db.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp, active, compacted) VALUES (?, ?, ?, ?, 1, 0)",
            [(session, role, text, 1.7e9 + number) for number, (role, text) in enumerate(taken)],
        )
        db.commit()
    return path, session


def _first_page(path: Path, sessions: int) -> Row:
    times: list[float] = []
    for _ in range(11):
        # A connection of its own each time: nothing is in its cache.
        with closing(connect(path)) as db:
            cap = look(db)
            begun = time.perf_counter()
            assert len(recent(db, cap).rows) == 40
            times.append(time.perf_counter() - begun)
    budget = [FIRST_PAGE] * len(times)
    return Row(f"recent conversations, first page of {sessions:,} sessions", times, budget, 1, "base is the budget")


def _reading(generation: str, where: tuple[Path, str]) -> list[Row]:
    path, session = where
    with closing(connect(path)) as db:
        cap = look(db)
        ids = outline(db, cap, conversation(db, cap, session)).ids
        anchor = ids[len(ids) // 2]

        def bare() -> None:
            sql = "SELECT * FROM messages WHERE session_id = ? AND id {} ? ORDER BY id {} LIMIT ?"
            db.execute(sql.format("<=", "DESC"), (session, anchor, 21)).fetchall()
            db.execute(sql.format(">", "ASC"), (session, anchor, 20)).fetchall()

        def opened() -> None:
            window(db, cap, outline(db, cap, conversation(db, cap, session)), anchor)

        lines = outline(db, cap, conversation(db, cap, session))
        opening, first = _in_turn(opened, bare)
        paging, second = _in_turn(lambda: more_after(db, cap, lines, anchor, 41), bare)
    name = f"in {len(ids):,} messages ({generation})"
    frames = [each + FRAME for each in first], [each + FRAME for each in second]
    return [
        Row(f"opening a hit {name}", opening, first, None, "base is the bare window"),
        Row(f"opening a hit {name}", opening, frames[0], 2, "base is the bare window and a frame"),
        Row(f"one page more {name}", paging, second, None, "base is the bare window"),
        Row(f"one page more {name}", paging, frames[1], 2, "base is the bare window and a frame"),
    ]


def _in_turn(ours: Callable[[], object], base: Callable[[], object]) -> tuple[list[float], list[float]]:
    from tests.benchmarks.measures import in_turn

    return in_turn(ours, base, 15)
