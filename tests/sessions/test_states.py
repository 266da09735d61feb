"""States of a database that other tools got wrong: each is read as far as it can be, and named."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.sessions.databases import ids, made, sessions
from workbench.sessions.database import connect
from workbench.sessions.errors import DatabaseUnreadable
from workbench.sessions.found import Found
from workbench.sessions.schema import look
from workbench.sessions.search import search

TEXTS = [f"message number{number} about the ledger" for number in range(1, 31)]


def changed(path: Path, *statements: str) -> Path:
    """Run statements on a database, as another program would."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            db.execute(statement)
        db.commit()
    return path


def ask(path: Path, text: str, *, deep: bool = True) -> Found:
    with closing(connect(path)) as db:
        return search(db, look(db), text, deep=deep)


@pytest.mark.parametrize("version", ["0.13.0", "0.19.0", "0.22.2"])
def test_s01_a_doubled_table_in_the_schema(unpack: Callable[[str], Path], version: str) -> None:
    path = unpack(version) / "state.db"
    changed(
        path,
        "INSERT INTO sqlite_master SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master"
        " WHERE name = 'messages_fts'",
    )
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    for deep in (False, True):
        found = ask(path, "needle-haystack", deep=deep)
        assert sessions(found) == ["20251018_090000_long01"]
        assert found.engine == "scan"
        assert "damaged" in found.banner
    with closing(connect(path)) as db:
        assert look(db).damaged
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


@pytest.mark.parametrize("where", ["1", "id > 10", "id = 10"])
@pytest.mark.parametrize("shape", ["inline-11", "inline-22", "external"])
def test_s02_an_index_that_answers_nothing_or_raises_is_noticed(tmp_path: Path, shape: str, where: str) -> None:
    path = made(tmp_path, shape, TEXTS).path
    changed(path, f"UPDATE messages_fts_data SET block = x'FFFF' WHERE {where}")
    for deep in (False, True):
        found = ask(path, "number7", deep=deep)
        assert ids(found) == [7]
        assert "unreliable" in found.banner or "damaged" in found.banner


def test_s02_a_damaged_trigram_table_is_noticed_too(tmp_path: Path) -> None:
    path = made(tmp_path, "inline-22", [*TEXTS, "大别山项目部署"]).path
    changed(path, "UPDATE messages_fts_trigram_data SET block = x'FFFF'")
    found = ask(path, "部署")
    assert ids(found) == [31]
    assert "CJK" in found.banner
    assert ids(ask(path, "number7")) == [7]


def test_s03_a_file_cut_in_half(unpack: Callable[[str], Path]) -> None:
    path = unpack("0.19.0") / "state.db"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DatabaseUnreadable) as raised:
        connect(path)
    assert raised.value.why == "torn"
    assert "Copy it before" in str(raised.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\0" * 4096, "needs_wal"),
        (b"a text file, not a database at all\n" * 9, "not_a_database"),
        (b"", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:12ab\nsize 123\n", "pointer"),
        (b"SQLite format 3\0" + b"\xff" * 84 + b"junk" * 1000, "torn"),
    ],
)
def test_s04_files_that_are_none_are_told_apart(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(content)
    with pytest.raises(DatabaseUnreadable) as raised:
        connect(path)
    assert raised.value.why == why
    assert "state.db" in str(raised.value)
    assert path.read_bytes() == content


def test_s04_tables_that_are_only_in_the_missing_wal(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "live.db")) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE sessions (id TEXT)")
        db.execute("CREATE TABLE messages (id INTEGER)")
        db.commit()
        # What cp makes of a running agent's home when it leaves the -wal out.
        (tmp_path / "state.db").write_bytes((tmp_path / "live.db").read_bytes())
    with pytest.raises(DatabaseUnreadable) as raised:
        connect(tmp_path / "state.db")
    assert raised.value.why == "needs_wal"
    assert "state.db-wal" in str(raised.value)


def test_s04_another_program_s_database_and_none_at_all(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with pytest.raises(DatabaseUnreadable) as raised:
        connect(path)
    assert raised.value.why == "missing"
    changed(path, "CREATE TABLE notes (text)")
    with pytest.raises(DatabaseUnreadable) as raised:
        connect(path)
    assert raised.value.why == "no_tables"


@pytest.mark.parametrize("version", ["0.13.0", "0.19.0", "0.22.2"])
def test_s05_full_text_tables_dropped(unpack: Callable[[str], Path], version: str) -> None:
    path = changed(unpack(version) / "state.db", "DROP TABLE messages_fts", "DROP TABLE IF EXISTS messages_fts_trigram")
    for text, session in (("needle-haystack", "20251018_090000_long01"), ("部署", "20251013_200000_tg0001")):
        found = ask(path, text)
        assert sessions(found) == [session]
        assert (found.engine, found.complete) == ("scan", True)
        assert "no full-text index" in found.banner


def test_s06_a_tokenizer_that_only_the_client_has_is_never_asked(tmp_path: Path) -> None:
    path = made(tmp_path, "inline-22", TEXTS).path
    sql = "CREATE VIRTUAL TABLE messages_fts_cjk USING fts5(content, tokenize=''jieba'')"
    changed(
        path,
        f"INSERT INTO sqlite_master VALUES ('table', 'messages_fts_cjk', 'messages_fts_cjk', 0, '{sql}')",
    )
    found = ask(path, "number7")
    assert (ids(found), found.banner, found.engine) == ([7], "", "index")


def test_s06_the_main_table_with_an_unknown_tokenizer_is_as_good_as_absent(tmp_path: Path) -> None:
    path = made(tmp_path, "inline-22", TEXTS).path
    changed(path, "UPDATE sqlite_master SET sql = replace(sql, 'content)', 'content, tokenize=''jieba'')')"
            " WHERE name = 'messages_fts'")  # fmt: skip
    found = ask(path, "number7")
    assert (ids(found), found.engine) == ([7], "scan")


def test_s07_the_oldest_columns(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    changed(
        path,
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL)",
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL)",
        "INSERT INTO sessions VALUES ('s1', 'cli', 1.0)",
        "INSERT INTO messages VALUES (1, 's1', 'user', 'the zebra 部署', 2.0)",
    )
    before = path.read_bytes()
    for text in ("zebra", "部署", "zebra role:user", "source:cli", "zebra after:1969", "zebra in:reasoning"):
        found = ask(path, text)
        assert found.results or "in:" in text or "1969" in text
    with closing(connect(path)) as db:
        cap = look(db)
        assert (cap.version, cap.fts, cap.has_undo, cap.live("m")) == (None, None, False, "1")
    assert path.read_bytes() == before


def test_s08_a_newer_schema_is_read_and_known_as_newer(tmp_path: Path) -> None:
    path = made(tmp_path, "external", TEXTS).path
    changed(path, "UPDATE schema_version SET version = 99", "ALTER TABLE messages ADD COLUMN mood TEXT")
    with closing(connect(path)) as db:
        assert look(db).newer
    assert ids(ask(path, "number7")) == [7]


def test_s10_broken_json_in_the_columns(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.session("odd", model_config="{bad")
    database.say("odd", "\x00json:[{broken zebra", tool_calls="not json")
    found = database.index().find("zebra")
    assert sessions(found) == ["odd"]
    assert found.results[0].first.snippet.highlights


def test_s15_escapes_and_markup_are_only_text(tmp_path: Path) -> None:
    text = "\x1b]52;c;zebra\x07 [bold]zebra[/] [/ [00] \u202ezebra\r\nnext"
    found = made(tmp_path, "inline-22", [text]).find("zebra")
    snippet = found.results[0].first.snippet
    assert [snippet.text[a:b] for a, b in snippet.highlights] == ["zebra"] * 3
    assert "\n" not in snippet.text
    assert "\r" not in snippet.text


@pytest.mark.parametrize("shape", ["inline-22", "external"])
def test_rows_that_a_rebuild_has_not_reached_are_read_one_by_one(tmp_path: Path, shape: str) -> None:
    database = made(tmp_path, shape, TEXTS)
    changed(
        database.path,
        *(f"DELETE FROM messages_fts WHERE rowid = {number}" for number in range(6, 21) if shape == "inline-22"),
        "INSERT INTO state_meta VALUES ('fts_rebuild_progress', '5'), ('fts_rebuild_high_water', '20')",
    )
    found = database.find("number7")
    assert ids(found) == [7]
    assert "rebuilding" in found.banner
    assert found.complete


def test_a_stale_index_is_not_asked(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22", TEXTS)
    changed(
        database.path, "INSERT INTO state_meta VALUES ('fts_stale', '1')", "DELETE FROM messages_fts WHERE rowid = 7"
    )
    found = database.find("number7")
    assert (ids(found), found.engine) == ([7], "scan")
    assert "out of date" in found.banner


def test_an_index_that_misses_the_newest_rows_is_unreliable(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22", TEXTS)
    for number in range(5):
        database.say("s1", f"written behind{number} the index")
    found = database.find("behind3")
    assert ids(found) == [34]
    assert "unreliable" in found.banner


def test_text_that_is_not_utf_8_ends_nothing(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    number = database.say("s1", "placeholder")
    changed(
        database.path,
        f"UPDATE messages SET content = CAST(x'7a65627261 ff' AS TEXT) WHERE id = {number}".replace(" ff", "ff"),
    )
    assert ids(database.index().find("zebra*")) == [number]
