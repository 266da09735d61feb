"""What a database can be asked, whatever its version number says."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.sessions.databases import SHAPES, made
from workbench.sessions.database import connect
from workbench.sessions.health import health
from workbench.sessions.schema import Capability, look


def looked(path: Path) -> tuple[Capability, str]:
    with closing(connect(path)) as db:
        cap = look(db)
        return cap, health(db, cap).state


@pytest.mark.parametrize(
    ("version", "number", "shape", "undo"),
    [("0.13.0", 11, "inline", False), ("0.14.0", 11, "inline", False), ("0.19.0", 22, "inline", True),
     ("0.22.2", 31, "external", True)],
)  # fmt: skip
def test_the_four_homes(unpack: Callable[[str], Path], version: str, number: int, shape: str, undo: bool) -> None:
    cap, state = looked(unpack(version) / "state.db")
    assert (cap.version, cap.fts, cap.trigram, cap.has_undo, state) == (number, shape, shape, undo, "ok")
    assert cap.fts_columns == (("content",) if shape == "inline" else ("content", "tool_name", "tool_calls"))
    assert cap.tokenizer == "unicode61"
    assert (cap.rebuilding, cap.stale, cap.newer, cap.damaged) == (None, False, False, "")


@pytest.mark.parametrize("shape", SHAPES)
def test_small_databases_are_told_apart_by_their_tables(tmp_path: Path, shape: str) -> None:
    cap, state = looked(made(tmp_path, shape, ["a message about the ledger"]).path)
    assert cap.fts == {"external": "external", "absent": None}.get(shape, "inline")
    assert state == ("absent" if shape == "absent" else "ok")


def test_expressions_stand_in_for_missing_columns() -> None:
    old = Capability(frozenset(), frozenset({"id"}), frozenset({"id", "content"}))
    new = Capability(frozenset(), frozenset({"id", "title"}), frozenset({"id", "content", "active", "compacted"}))
    assert old.expr("sessions", "title") == "NULL"
    assert new.expr("sessions", "title", alias="s") == "s.title"
    assert new.expr("messages", "active", "1") == "coalesce(messages.active, 1)"
    assert old.live("m") == "1"
    assert old.text("m") == "coalesce(m.content, '')"
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE messages (id, content, active, compacted)")
        states = [(1, None), (None, None), (0, 0), (0, None), (0, 1), (1, 1)]
        db.executemany("INSERT INTO messages VALUES (NULL, '', ?, ?)", states)
        for cap, live, undone, compacted in (
            (new, [1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 0]),
            (old, [1] * 6, [0] * 6, [0] * 6),
        ):
            for sql, wanted in ((cap.live(), live), (cap.undone(), undone), (cap.compacted(), compacted)):
                assert [row[0] for row in db.execute(f"SELECT {sql} FROM messages ORDER BY rowid")] == wanted


@pytest.mark.parametrize(
    ("key", "value", "rebuilding", "stale"),
    [("fts_rebuild_high_water", "9", (0, 9), False), ("fts_rebuild_high_water", "soon", None, False),
     ("fts_stale", "1", None, True), ("fts_stale", "0", None, False), ("other", "1", None, False)],
)  # fmt: skip
def test_what_the_client_notes_about_its_index(
    tmp_path: Path, key: str, value: str, rebuilding: tuple[int, int] | None, stale: bool
) -> None:
    database = made(tmp_path, "inline-22", ["x"])
    with database.db() as db:
        db.execute("INSERT INTO state_meta VALUES (?, ?)", (key, value))
    cap, _state = looked(database.path)
    assert (cap.rebuilding, cap.stale) == (rebuilding, stale)


def test_a_trigram_table_with_another_tokenizer_is_not_taken_for_one(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22", ["数据库"])
    with database.db() as db:
        db.execute("DROP TABLE messages_fts_trigram")
        db.execute("CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content)")
    cap, _state = looked(database.path)
    assert (cap.fts, cap.trigram) == ("inline", None)
    assert database.find("数据").hits == 1
