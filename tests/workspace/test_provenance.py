"""Which conversation a waiting record may come from."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.inbox.support import add, batch, opened, queue, queue_raw, remove, skill
from tests.snapshots import tree
from workbench.demo.schema import create_indexes, create_tables
from workbench.workspace import provenance
from workbench.workspace.provenance import Origin

AT = 1_790_000_000.0


def talk(
    home: Path, name: str, *messages: tuple[float, str | None], ended: float | None = None, indexed: bool = True
) -> None:
    """A session of state.db whose messages lie so many seconds after AT, with their tool calls."""
    fresh = not (home / "state.db").exists()
    db = sqlite3.connect(home / "state.db")
    with db:
        if fresh:
            create_tables(db)
            if indexed:
                create_indexes(db)
        began = AT + min((at for at, _ in messages), default=0.0) - 1
        row = (name, "cli", began, None if ended is None else AT + ended, f"About {name}")
        db.execute("INSERT INTO sessions (id, source, started_at, ended_at, title) VALUES (?, ?, ?, ?, ?)", row)
        for at, calls in messages:
            values = (name, "assistant", AT + at, calls)
            db.execute("INSERT INTO messages (session_id, role, timestamp, tool_calls) VALUES (?, ?, ?, ?)", values)
    db.close()


def call(tool: str = "memory", **arguments: Any) -> str:
    return json.dumps([{"id": "1", "function": {"name": tool, "arguments": json.dumps(arguments)}}])


def found(home: Path, payload: dict[str, Any], **more: Any) -> Origin | None:
    queue(home, "aaaa1111", payload, **{"created": AT, **more})
    workspace = opened(home)
    origin = workspace.origin_of(workspace.inbox.previews()[0].record)
    workspace.close()
    return origin


@pytest.mark.parametrize("indexed", [True, False])
def test_the_same_call_names_the_session(home: Path, indexed: bool) -> None:
    talk(home, "busy", (-5, call(action="add", target="memory", content="another")), (0, None), indexed=indexed)
    talk(home, "right", (-40, None), (-30, call(action="add", target="memory", content="New fact")))
    before = tree(home)
    origin = found(home, add("New fact"))
    assert origin is not None
    assert (origin.session, origin.sure, origin.title, origin.source) == ("right", "same_call", "About right", "cli")
    assert origin.message is not None
    after = {name: one for name, one in tree(home).items() if not name.startswith("pending")}
    assert after == before, "looking leaves no trace"


@pytest.mark.parametrize(
    ("payload", "calls"),
    [
        (remove("old"), call(action="remove", target="memory", old_text="old")),
        (
            batch({"action": "remove", "old_text": "a"}, {"action": "add", "content": "b"}),
            call(operations=[{"action": "remove", "old_text": "a"}, {"action": "add", "content": "b"}]),
        ),
        (skill("delete", "demo"), call("skill_manage", action="delete", name="demo")),
        (
            add("late"),
            json.dumps([{"function": {"name": "terminal"}}, *json.loads(call(action="add", content="late"))]),
        ),
    ],
)
def test_every_kind_of_call(home: Path, payload: dict[str, Any], calls: str) -> None:
    talk(home, "right", (20, calls), (-10, None))
    subsystem = "skills" if "name" in payload else "memory"
    origin = found(home, payload, subsystem=subsystem)
    assert origin is not None
    assert origin.sure == "same_call"


def test_without_the_call_the_session_active_then_is_named_with_how_sure(home: Path) -> None:
    talk(home, "yesterday", (-90_000, call(action="add", content="New fact")))
    talk(home, "closed", (-7200, None), ended=-7100)
    talk(home, "later", (5, None))
    talk(home, "near", (-60, call(action="add", content="something else")))
    origin = found(home, add("New fact"), origin="background_review")
    assert origin is not None
    assert (origin.session, origin.sure, origin.among) == ("near", "active", 1)
    talk(home, "nearer", (-50, None))
    origin = found(home, add("New fact"))
    assert origin is not None
    assert (origin.session, origin.among) == ("nearer", 2)


def test_nothing_is_claimed_where_nothing_fits(home: Path) -> None:
    assert found(home, add("x")) is None, "no database"
    talk(home, "long ago", (-9000, call(action="add", content="x")))
    assert found(home, add("x")) is None


@pytest.mark.parametrize(
    "calls", ["", "{", "7", "[]", "[7]", '[{"function": 1}]', '[{"function": {"name": "memory", "arguments": "{"}}]',
              '[{"function": {"name": "memory", "arguments": {"operations": 7}}}]', "[" * 100_000]
)  # fmt: skip
def test_odd_calls_are_passed_over(home: Path, calls: str) -> None:
    talk(home, "odd", (-10, calls))
    origin = found(home, add("x"))
    assert origin is not None
    assert origin.sure == "active"


@pytest.mark.parametrize("data", [b"", b"not a database", b"SQLite format 3\x00" + b"\0" * 4096])
def test_a_database_that_cannot_be_read_says_nothing(home: Path, data: bytes) -> None:
    (home / "state.db").write_bytes(data)
    assert found(home, add("x")) is None


def test_tables_of_another_shape_and_records_without_a_date(home: Path, put: Callable[..., Path]) -> None:
    db = sqlite3.connect(home / "state.db")
    db.execute("CREATE TABLE sessions (id TEXT)")
    db.close()
    assert found(home, add("x")) is None
    (home / "state.db").unlink()
    talk(home, "near", (-10, None))
    queue_raw(home, "aaaa1111", "{")
    workspace = opened(home)
    assert workspace.origin_of(workspace.inbox.previews()[0].record) is None
    workspace.close()


def test_a_search_that_takes_too_long_is_given_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "MOST_SECONDS", -1.0)
    talk(home, "busy", *((-float(number), call(action="add", content=str(number))) for number in range(1, 900)))
    began = time.monotonic()
    assert found(home, add("nothing like it")) is None
    assert time.monotonic() - began < 5
