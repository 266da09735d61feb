"""A database with the fewest columns a client ever wrote, and with odd ones: everything answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.snapshots import tree
from workbench.__main__ import main
from workbench.sessions.lineage import conversation
from workbench.sessions.schema import look
from workbench.sessions.transcript import outline, page, system_prompt, usage


def bare(path: str = ":memory:") -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL)")
    db.execute(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL)"
    )
    db.execute("INSERT INTO sessions VALUES ('s', 'cli', 1760000000.0)")
    db.execute("INSERT INTO messages VALUES (1, 's', 'user', 'hello', 1760000001.0)")
    db.execute("INSERT INTO messages VALUES (2, 's', 'tool', 'out', 1760000002.0)")
    return db


def test_reading_needs_no_more_than_the_first_columns() -> None:
    db = bare()
    cap = look(db)
    talk = conversation(db, cap, "s")
    assert (talk.title, talk.source, talk.branches, talk.parent) == (None, "cli", (), None)
    seen = page(db, cap, outline(db, cap, talk, show_undone=True), 0, 9).messages
    assert [(each.role, each.text, each.state) for each in seen] == [("user", "hello", "live"), ("tool", "out", "live")]
    assert system_prompt(db, cap, "s") is None
    assert usage(db, cap, talk).line == ""


@pytest.mark.parametrize(
    "argv",
    [
        ["list"],
        ["list", "--title", "x"],
        ["list", "--archived", "only"],
        ["show", "s", "--system-prompt", "--reasoning"],
        ["scroll", "s", "1"],
        ["export", "s"],
        ["export", "s", "--format", "markdown"],
        ["export", "s", "--format", "html"],
        ["export", "--all"],
        ["stats"],
    ],
)
def test_every_verb_answers(home: Path, capfd: pytest.CaptureFixture[str], argv: list[str]) -> None:
    bare(str(home / "state.db")).close()
    before = tree(home)
    for form in ([], ["--json"]):
        assert main(["--home", str(home), "sessions", *argv, *form]) == 0
        assert capfd.readouterr().out
    assert tree(home) == before


def test_odd_values_in_every_column(unpack: Callable[[str], Path], capfd: pytest.CaptureFixture[str]) -> None:
    """Text where numbers belong, bytes where text does: rows stay, verbs answer."""
    for odd in ("'{bad'", "x'ff00fe'", "5.49e246"):
        path = unpack("0.22.2") / "state.db"
        db = sqlite3.connect(path, isolation_level=None)
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        for table, kept in (("sessions", {"id", "parent_session_id", "title"}), ("messages", {"id", "session_id"})):
            names = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] not in kept]
            for name in names:
                try:
                    db.execute(f'UPDATE {table} SET "{name}" = {odd}')
                except sqlite3.IntegrityError:
                    continue
        db.close()
        for argv in (["list"], ["show", "20251012_080000_d4e5f8"], ["stats"], ["export", "20251012_080000_d4e5f8"]):
            for form in ([], ["--json"]):
                assert main(["--home", str(path.parent), "sessions", *argv, *form]) == 0, (odd, argv)
                assert capfd.readouterr().out
