"""Searching the agent's reasoning through an index of our own."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.sessions.databases import Made, ids, made
from workbench.sessions.database import connect
from workbench.sessions.found import Found
from workbench.sessions.reasoning import build
from workbench.sessions.schema import look


def thinking(folder: Path) -> Made:
    database = made(folder, "inline-22")
    database.say("s1", "plain zebra", reasoning=None)
    database.say("s1", "an answer", role="assistant", reasoning="maybe the zebra is a crossing, 也许部署失败")
    database.say("s1", "taken back", role="assistant", reasoning="zebra again", active=0)
    return database.index()


def built(database: Made, path: Path, keep_going: Callable[[int, int], bool] = lambda done, newest: True) -> bool:
    with closing(connect(database.path)) as db:
        return build(db, look(db), path, keep_going)


def find(database: Made, text: str, path: Path | None) -> Found:
    return database.find(f"in:reasoning {text}", reasoning=path)


def test_words_and_cjk_of_the_reasoning_are_found_and_only_there(tmp_path: Path) -> None:
    database, path = thinking(tmp_path), tmp_path / "workbench" / "reasoning.db"
    assert built(database, path)
    for text in ("zebra", "cross*", "部署", "zebra -lion", "也许部署失败"):
        found = find(database, text, path)
        assert (ids(found), found.note, found.complete) == ([2], "", True)
    snippet = find(database, "zebra", path).results[0].first.snippet
    assert [snippet.text[a:b] for a, b in snippet.highlights] == ["zebra"]
    assert ids(find(database, "answer", path)) == []
    assert ids(database.find("zebra")) == [1]


def test_nothing_is_found_silently_while_there_is_no_index(tmp_path: Path) -> None:
    database = thinking(tmp_path)
    for path in (None, tmp_path / "workbench" / "reasoning.db"):
        found = find(database, "zebra", path)
        assert (found.results, found.note, found.complete) == ((), "the reasoning is not indexed yet", False)
    assert not (tmp_path / "workbench").exists()


def test_a_pipe_in_the_place_of_the_index_is_waited_for_by_nobody(tmp_path: Path) -> None:
    database, path = thinking(tmp_path), tmp_path / "workbench" / "reasoning.db"
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(sqlite3.OperationalError, match="ordinary file"):
        built(database, path)
    assert "ordinary file" in find(database, "zebra", path).note


def test_it_is_built_in_slices_and_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.sessions.reasoning._SLICE", 1)
    database, path = thinking(tmp_path), tmp_path / "workbench" / "reasoning.db"
    seen: list[tuple[int, int]] = []

    def once(done: int, newest: int) -> bool:
        seen.append((done, newest))
        return False

    assert not built(database, path, once)
    found = find(database, "zebra", path)
    assert (ids(found), found.note) == ([], "the reasoning of 2 newer messages is not indexed yet")
    assert not built(database, path, once)
    assert seen == [(1, 3), (2, 3)]
    assert ids(find(database, "zebra", path)) == [2]
    assert built(database, path)
    newer = database.say("s1", "later", role="assistant", reasoning="another zebra thought")
    found = find(database, "zebra", path)
    assert (ids(found), found.complete) == ([2], False)
    assert built(database, path)
    assert ids(find(database, "zebra", path)) == [newer, 2]


def test_another_database_in_its_place_is_not_answered_from_the_old_index(tmp_path: Path) -> None:
    path = tmp_path / "workbench" / "reasoning.db"
    assert built(thinking(tmp_path), path)
    (tmp_path / "state.db").unlink()
    other = made(tmp_path, "inline-22")
    other.say("s1", "x", timestamp=5.0, reasoning="lion")
    assert find(other, "zebra", path).note == "the reasoning is not indexed yet"
    assert built(other, path)
    assert ids(find(other, "lion", path)) == [1]
    assert ids(find(other, "zebra", path)) == []


def test_a_damaged_index_is_made_again_and_said_until_then(tmp_path: Path) -> None:
    database, path = thinking(tmp_path), tmp_path / "workbench" / "reasoning.db"
    path.parent.mkdir()
    path.write_bytes(b"not a database " * 100)
    assert "cannot be read" in find(database, "zebra", path).note
    assert built(database, path)
    assert ids(find(database, "zebra", path)) == [2]


def test_it_is_private_and_holds_no_text(tmp_path: Path) -> None:
    database, path = thinking(tmp_path), tmp_path / "workbench" / "reasoning.db"
    built(database, path)
    assert b"maybe the zebra" not in path.read_bytes()
    assert (path.parent / ".gitignore").read_bytes() == b"*\n"
    if os.name == "posix":
        assert (path.parent.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    with closing(sqlite3.connect(path)) as own, pytest.raises(sqlite3.OperationalError):
        own.execute("SELECT * FROM messages")


def test_a_database_without_reasoning_has_nothing_to_index(tmp_path: Path) -> None:
    database, path = made(tmp_path, "inline-11", ["zebra"]), tmp_path / "workbench" / "reasoning.db"
    assert built(database, path)
    found = find(database, "zebra", path)
    assert (ids(found), found.note) == ([], "")
