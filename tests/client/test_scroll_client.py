"""Reading and exporting compared with the real 0.19 client, on copies of one home."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.dialogue import dialogue
from workbench.demo.schema import create_full_text, create_indexes, create_tables, create_triggers
from workbench.sessions.browse import recent
from workbench.sessions.database import Database
from workbench.sessions.export import Choice, jsonl
from workbench.sessions.lineage import conversation
from workbench.sessions.schema import look
from workbench.sessions.transcript import bookends, outline, page, window

pytestmark = pytest.mark.client
Ask = Callable[..., Any]
AUTH = ("20251011_090000_d4e5f6", "20251011_140000_d4e5f7", "20251012_080000_d4e5f8")


@pytest.fixture
def ask(client_python: str) -> Iterator[Ask]:
    """One client process that answers about any state.db."""
    with dialogue(client_python, "reader.py") as talk:
        yield lambda do, path, **more: talk({"do": do, "path": str(path), **more})


@pytest.fixture
def pair(unpack: Callable[[str], Path], tmp_path: Path) -> tuple[Path, Path]:
    """The same database twice: ours, and one that the client may write to."""
    path = unpack("0.19.0") / "state.db"
    other = tmp_path / "client.db"
    shutil.copy(path, other)
    return path, other


def test_windows_are_the_clients_without_what_was_taken_back(ask: Ask, pair: tuple[Path, Path]) -> None:
    """Within one session the same rows, texts and counts; the client shows undone rows too, we when asked."""
    path, other = pair
    rng = random.Random(7)
    with Database(path).connection() as db:
        cap = look(db)
        rows = db.execute("SELECT id, session_id, active, compacted FROM messages").fetchall()
        gone = {row[0] for row in rows if not row[2] and not row[3]}
        odd = [row for row in rows if not row[2] or row[1] in AUTH]
        for number, session, *_ in [*odd, *rng.sample(rows, 40)]:
            size = rng.choice([1, 3, 20])
            theirs = ask("scroll", other, session=session, message=number, window=size)
            alone = conversation(db, cap, session).only(session)
            full = outline(db, cap, alone, show_undone=True)
            ours = window(db, cap, full, number, before=size, after=size)
            assert [each.id for each in ours.messages] == [each["id"] for each in theirs["messages"]]
            for mine, their in zip(ours.messages, theirs["messages"], strict=True):
                said = their["content"]
                if isinstance(said, list):
                    said = "\n".join(part["text"] for part in said if part["type"] == "text")
                assert mine.text == (said or "")
                assert (mine.role, mine.timestamp) == (their["role"], their["timestamp"])
                assert [call.id for call in mine.calls] == [call["id"] for call in their.get("tool_calls", [])]
            # The client counts what is in the window, we what is in the conversation.
            assert theirs["messages_before"] == min(size, ours.messages_before)
            assert theirs["messages_after"] == min(size, ours.messages_after)
            usual = window(db, cap, outline(db, cap, alone), number, before=size, after=size)
            expected = [each["id"] for each in theirs["messages"] if each["id"] not in gone or each["id"] == number]
            assert [each.id for each in usual.messages if each.id in expected] == expected
            assert gone.isdisjoint(each.id for each in usual.messages if each.id != number)


def test_over_the_whole_conversation_the_clients_window_is_a_part_of_ours(ask: Ask, pair: tuple[Path, Path]) -> None:
    """The client stops where a session ends; we read on into the next."""
    path, other = pair
    with Database(path).connection() as db:
        cap = look(db)
        lines = outline(db, cap, conversation(db, cap, AUTH[1]))
        for number in lines.ids:
            (session,) = db.execute("SELECT session_id FROM messages WHERE id = ?", (number,)).fetchone()
            theirs = [
                each["id"] for each in ask("scroll", other, session=session, message=number, window=4)["messages"]
            ]
            ours = [each.id for each in window(db, cap, lines, number, before=4, after=4).messages]
            at = ours.index(theirs[0])
            assert ours[at : at + len(theirs)] == theirs


def test_both_ends_of_a_session_are_the_clients(ask: Ask, pair: tuple[Path, Path]) -> None:
    path, other = pair
    with Database(path).connection() as db:
        cap = look(db)
        session = "20251018_090000_long01"
        lines = outline(db, cap, conversation(db, cap, session))
        theirs = ask("anchored", other, session=session, message=403)
        ends = bookends(db, cap, lines)
    assert [each.id for each in ends.first] == [each["id"] for each in theirs["bookend_start"]]
    assert [each.id for each in ends.last] == [each["id"] for each in theirs["bookend_end"]]


def test_conversations_are_chained_as_the_client_chains_them(ask: Ask, tmp_path: Path) -> None:
    """Generated families of sessions: the tip the client would resume is the tip of the conversation."""
    import sqlite3

    path = tmp_path / "state.db"
    rng = random.Random(11)
    db = sqlite3.connect(path, isolation_level=None)
    create_tables(db)
    create_indexes(db)
    create_full_text(db)
    create_triggers(db)
    names: list[str] = []
    for number in range(120):
        parent = rng.choice([None, *names[-8:]])
        mark = rng.choice([None, None, None, "_branched_from", "_delegate_from"])
        reason = rng.choice(["compression", "compression", "ws_orphan_reap", None])
        ended = None if reason is None else 1_760_000_000.0 + number + rng.randint(-20, 20)
        db.execute(
            "INSERT INTO sessions (id, source, model_config, parent_session_id, started_at, ended_at, end_reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                f"s{number:03}", rng.choice(["cli", "cli", "tool"]), json.dumps({mark: parent}) if mark else None,
                parent, 1_760_000_000.0 + number, ended, reason,
            ),
        )  # fmt: skip
        names.append(f"s{number:03}")
        for _ in range(rng.randint(0, 2)):
            db.execute(
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', 'x', ?)",
                (names[-1], 1_760_000_000.0 + rng.randint(0, 500)),
            )
    db.close()
    other = tmp_path / "client.db"
    shutil.copy(path, other)
    with Database(path).connection() as ours:
        cap = look(ours)
        for name in names:
            assert conversation(ours, cap, name).tip.id == ask("tip", other, session=name), name


def test_the_list_is_the_clients_with_scheduled_runs_last(ask: Ask, pair: tuple[Path, Path]) -> None:
    """The same conversations under the same ids, in the same order; the client mixes scheduled runs in."""
    path, other = pair
    theirs = ask("listing", other)
    with Database(path).connection() as db:
        ours = recent(db, look(db), limit=100).rows
    assert [each.id for each in ours] == [
        *(each["id"] for each in theirs if each["source"] != "cron"),
        *(each["id"] for each in theirs if each["source"] == "cron"),
    ]
    by_id = {each["id"]: each for each in theirs}
    for each in ours:
        their = by_id[each.id]
        assert (each.title, each.source, each.last_active) == (their["title"], their["source"], their["last_active"])
        # Of a conversation over several sessions the client counts the newest one only.
        assert each.segments > 1 or each.messages == their["message_count"]


@pytest.mark.parametrize("timed", [True, False])
def test_what_the_client_carries_over_is_read_once(ask: Ask, tmp_path: Path, timed: bool) -> None:
    """Compressed in place twice: messages of the running process come back with new times, loaded ones with theirs."""
    path = tmp_path / "state.db"
    said = ask("compact", path, timed=timed)
    with Database(path).connection() as db:
        cap = look(db)
        lines = outline(db, cap, conversation(db, cap, "s"))
        assert [each.text for each in page(db, cap, lines, 0, 200).messages] == said
        (rows,) = db.execute("SELECT count(*) FROM messages").fetchone()
    assert rows == len(said) + 2 * 23


def test_the_client_imports_what_is_exported(ask: Ask, pair: tuple[Path, Path], tmp_path: Path) -> None:
    """Every session of the home into an empty database: the live messages come back as they were."""
    path, other = pair
    lines: list[str] = []
    expected: dict[str, list[int]] = {}
    with Database(path).connection() as db:
        cap = look(db)
        seen: set[str] = set()
        for (ident,) in db.execute("SELECT id FROM sessions ORDER BY started_at").fetchall():
            talk = conversation(db, cap, ident)
            if talk.root in seen:
                continue
            seen.add(talk.root)
            lines += "".join(jsonl(db, cap, talk, Choice(masked=False))).splitlines()
        ids = [row[0] for row in db.execute("SELECT id FROM sessions")]
        for ident in ids:
            rows = db.execute("SELECT id FROM messages WHERE session_id = ? AND active = 1 ORDER BY id", (ident,))
            expected[ident] = [row[0] for row in rows]
    fresh = tmp_path / "fresh" / "state.db"
    fresh.parent.mkdir()
    done = ask("import", fresh, lines=lines, sessions=ids)
    assert done["reply"]["errors"] == []
    assert (done["reply"]["imported"], done["reply"]["detached"]) == (len(ids), 0)
    for ident in ids:
        original = {each["id"]: each for each in ask("export", other, session=ident)["messages"]}
        assert list(original) == expected[ident]
        for before, after in zip(original.values(), done["messages"][ident], strict=True):
            for name in ("role", "content", "tool_calls", "tool_call_id", "tool_name", "timestamp", "reasoning"):
                assert before[name] == after[name], (ident, name)
    # What was imported reads as one conversation again.
    with Database(fresh).connection() as db:
        cap = look(db)
        talk = conversation(db, cap, AUTH[0])
        assert talk.ids == AUTH
        assert len(page(db, cap, outline(db, cap, talk), 0, 99).messages) == 14
