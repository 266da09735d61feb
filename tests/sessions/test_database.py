"""Opening state.db without a trace, and its two threads."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import VERSIONS
from tests.sessions.databases import made
from workbench.sessions import database as module
from workbench.sessions.database import Database, connect
from workbench.sessions.errors import DatabaseBusy, DatabaseUnreadable, Superseded
from workbench.sessions.schema import Capability, look

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def count(db: sqlite3.Connection, cap: Capability) -> int:
    return int(db.execute("SELECT count(*) FROM messages").fetchone()[0])


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Database]:
    with Database(made(tmp_path, "inline-22", ["one", "two"]).path) as database:
        yield database


def started(
    database: Database, lane: str = "interactive", topic: str = "search"
) -> tuple[threading.Event, Future[int]]:
    """A request that runs until it is interrupted, and the event that tells that it has begun."""
    begun = threading.Event()

    def forever(db: sqlite3.Connection, cap: Capability) -> int:
        begun.set()
        return int(db.execute(ENDLESS).fetchone()[0])

    return begun, database.run(lane, forever, topic=topic)


@pytest.mark.parametrize("version", VERSIONS)
def test_looking_leaves_nothing_beside_the_file(unpack: Callable[[str], Path], version: str) -> None:
    home = unpack(version)
    before = {path.name: path.read_bytes() for path in home.glob("state.db*")}
    with Database(home / "state.db") as database:
        with database.connection() as db:
            assert look(db).version in (11, 22, 31)
        assert database.run("interactive", count).result(10) > 700
        assert {path.name: path.read_bytes() for path in home.glob("state.db*")} == before


def test_the_latest_request_of_a_topic_wins(opened: Database) -> None:
    begun, first = started(opened)
    assert begun.wait(10)
    waiting = opened.run("interactive", count)
    last = opened.run("interactive", count)
    assert last.result(10) == 2
    for older in (first, waiting):
        with pytest.raises(Superseded):
            older.result(10)


def test_another_topic_waits_and_another_lane_does_not(opened: Database) -> None:
    begun, first = started(opened, "background", "ranking")
    assert begun.wait(10)
    assert opened.run("interactive", count).result(10) == 2
    later = opened.run("background", count, topic="other")
    assert not later.done()
    opened.interrupt("background", "ranking")
    with pytest.raises(Superseded):
        first.result(10)
    assert later.result(10) == 2


def test_interrupting_between_two_statements_stops_the_second(opened: Database) -> None:
    first_done, go_on = threading.Event(), threading.Event()

    def two(db: sqlite3.Connection, cap: Capability) -> int:
        db.execute("SELECT 1").fetchone()
        first_done.set()
        assert go_on.wait(10)
        return int(db.execute(ENDLESS).fetchone()[0])

    future = opened.run("interactive", two)
    assert first_done.wait(10)
    opened.interrupt()
    go_on.set()
    with pytest.raises(Superseded):
        future.result(10)


def test_closing_stops_and_joins_the_threads(opened: Database) -> None:
    begun, first = started(opened)
    assert begun.wait(10)
    names = {thread.name for thread in threading.enumerate()}
    assert "state.db interactive" in names
    opened.close()
    with pytest.raises(Superseded):
        first.result(10)
    assert "state.db interactive" not in {thread.name for thread in threading.enumerate()}


def test_what_goes_wrong_reaches_who_asked_and_the_lane_lives_on(opened: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        opened.run("interactive", lambda db, cap: 1 // 0).result(10)
    with pytest.raises(DatabaseUnreadable):
        opened.run("interactive", lambda db, cap: db.execute("SELECT nonsense")).result(10)
    assert opened.run("interactive", count).result(10) == 2


def test_nothing_can_be_written(opened: Database) -> None:
    def write(db: sqlite3.Connection, cap: Capability) -> None:
        db.execute("DELETE FROM messages")

    with pytest.raises(DatabaseUnreadable):
        opened.run("interactive", write).result(10)
    assert opened.run("interactive", count).result(10) == 2


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_what_is_written_or_replaced_meanwhile_is_seen(tmp_path: Path, journal: str) -> None:
    base = made(tmp_path / "a", "inline-22", ["one", "two"])
    with closing(sqlite3.connect(base.path)) as db:
        db.execute(f"PRAGMA journal_mode={journal}")
    with Database(base.path) as database:
        assert database.run("interactive", count).result(10) == 2
        stamp = database.stamp()
        with closing(sqlite3.connect(base.path)) as writer:
            writer.execute("INSERT INTO messages (session_id, role, content) VALUES ('s1', 'user', 'three')")
            writer.commit()
            assert database.stamp() != stamp
            assert database.run("interactive", count).result(10) == 3
            writer.execute("ALTER TABLE sessions ADD COLUMN pinned INTEGER")
            writer.commit()
            columns = database.run("interactive", lambda db, cap: cap.sessions).result(10)
            assert "pinned" in columns
        assert database.run("interactive", count).result(10) == 3
        other = made(tmp_path / "b", "absent", ["only"])
        for suffix in ("-wal", "-shm"):
            base.path.with_name(base.path.name + suffix).unlink(missing_ok=True)
        other.path.replace(base.path)
        assert database.run("interactive", count).result(10) == 1


def test_a_file_that_goes_and_comes_back(opened: Database, tmp_path: Path) -> None:
    assert opened.run("interactive", count).result(10) == 2
    aside = tmp_path / "aside.db"
    opened.path.rename(aside)
    with pytest.raises(DatabaseUnreadable) as raised:
        opened.run("interactive", count).result(10)
    assert raised.value.why == "missing"
    shutil.copy(aside, opened.path)
    assert opened.run("interactive", count).result(10) == 2


LOCKER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.readline()
db.execute("COMMIT")
print("free", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_write_lock_of_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, journal: str) -> None:
    """With a rollback journal reading says busy and works again afterwards; in WAL mode it is not blocked at all."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    path = made(tmp_path, "inline-22", ["one", "two"]).path
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA journal_mode={journal}")
    with (
        Database(path) as database,
        subprocess.Popen(
            [sys.executable, "-c", LOCKER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as locker,
    ):
        assert locker.stdin is not None
        assert locker.stdout is not None
        assert locker.stdout.readline() == "locked\n"
        asked = database.run("interactive", count)
        if journal == "delete":
            with pytest.raises(DatabaseBusy) as raised:
                asked.result(10)
            assert raised.value.exit_code == 3
        else:
            assert asked.result(10) == 2
        locker.stdin.write("\n")
        locker.stdin.flush()
        assert locker.stdout.readline() == "free\n"
        assert database.run("interactive", count).result(10) == 2
        locker.stdin.write("\n")


WRITER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=5)
db.execute("PRAGMA journal_mode=WAL")
print("ready", flush=True)
slowest = 0.0
for number in range(300):
    begun = time.perf_counter()
    db.execute("INSERT INTO messages (session_id, role, content) VALUES ('s1', 'user', 'zebra')")
    slowest = max(slowest, time.perf_counter() - begun)
print(slowest, flush=True)
"""


def test_a_busy_writer_is_never_blocked_and_its_rows_appear(tmp_path: Path) -> None:
    path = made(tmp_path, "inline-22", ["one", "two"]).path
    with (
        Database(path) as database,
        subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer,
    ):
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        seen = [2]
        while writer.poll() is None:
            seen.append(database.run("interactive", count).result(10))
        assert float(writer.stdout.readline()) < 5
        assert database.run("interactive", count).result(10) == 302
    assert seen == sorted(seen)


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "state.db").mkdir()
    with pytest.raises(DatabaseUnreadable) as raised:
        connect(tmp_path / "state.db")
    assert raised.value.why == "not_a_database"


def test_a_wrong_lane_is_a_mistake_of_ours(opened: Database) -> None:
    with pytest.raises(ValueError, match="third"):
        opened.run("third", count)
