"""Forgetting for good: not one byte stays in what is ours, the rest is intact and what stays elsewhere is named."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from workbench.errors import Forgotten, HistoryUnavailable, NothingTo, Usage
from workbench.history import History
from workbench.history.database import Database
from workbench.history.forget import finish, needles
from workbench.memory import Add, Exact, Remove, Replace, entry_id
from workbench.workspace import Workspace, forgetting

SECRET = "the door code is «4711-ölpreis»"


def left_in(folder: Path, text: str = SECRET) -> list[str]:
    """The files below a folder that hold any form of the text, whatever they are."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and any(form in path.read_bytes() for form in needles(text)):
            found.append(path.name)
    return found


@pytest.fixture
def scene(home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]) -> Workspace:
    """A home that has the secret in an entry, in old versions, in quoted operations, a record, and backups."""
    path = put(["one", "two"])
    (home / "pending" / "memory").mkdir(parents=True)
    payload = {"action": "add", "target": "memory", "content": f"again: {SECRET}", "old_text": None}
    record = {"id": "aabbccdd", "subsystem": "memory", "action": "add", "summary": "", "payload": payload}
    (home / "pending" / "memory" / "aabbccdd.json").write_text(json.dumps(record | {"created_at": 1.0}))
    workspace = open_home()
    workspace.observe()
    workspace.write(Add("user", "unrelated"))
    workspace.write(Add("memory", SECRET))
    workspace.write(Replace("memory", Exact("two"), "two, edited"))
    path.with_name("MEMORY.md.bak.7").write_text(SECRET)
    path.with_name("MEMORY.md.bak.8").write_text("harmless")
    (home / "workbench" / "unsaved-1-1.txt").write_text(f"store: memory\nreplaces: \n\n{SECRET}")
    drafts = workspace.curation.drafts
    for text in (f"drafted: {SECRET}", "drafted and harmless"):
        drafts.add(drafts.begin(workspace.documents()), Add("user", text))
    assert left_in(home / "workbench") != []
    return workspace


def test_no_byte_is_left_in_what_is_ours_and_the_rest_is_intact(scene: Workspace, home: Path) -> None:
    found = forgetting.traces(scene, SECRET)
    assert {place.kind for place in found.places} == {"entry", "pending", "history", "backup", "kept", "draft"}
    gone = forgetting.forget(scene, found)
    assert gone.complete
    assert gone.left == ()
    assert left_in(home) == [], "while the database is open, its log included"
    assert (home / "memories" / "MEMORY.md").read_text() == "one\n§\ntwo, edited"
    assert (home / "memories" / "MEMORY.md.bak.8").exists()
    assert scene.documents()["user"].texts == ("unrelated",)
    assert [len(draft.steps) for draft in scene.curation.all_drafts()] == [1], "the harmless one"
    scene.close()
    assert left_in(home) == []
    with sqlite3.connect(home / "workbench" / "history.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_change_sets_over_forgotten_versions_stay_and_say_so(scene: Workspace) -> None:
    numbers = [change.id for change in scene.history.changes()]
    forgetting.forget(scene, forgetting.traces(scene, SECRET))
    history = scene.history
    assert {change.id for change in history.changes()} > set(numbers), "what changed when is still told"
    path = scene.memory.path("memory")
    chain = [file for change in reversed(history.changes(path=path)) for file in change.files if "MEMORY" in file.path]
    assert all(later.before == earlier.after for earlier, later in pairwise(chain))
    forgotten = next(file.after for file in chain if file.after and file.after.startswith("forgotten"))
    with pytest.raises(Forgotten):
        history.bytes_of(forgotten)
    for change in history.changes():
        scene.summary(change)
    assert scene.undo().about is not None, "what came before can still be taken back"
    assert scene.documents()["user"].texts == ()
    with pytest.raises(NothingTo):
        scene.undo()
    scene.write(Add("memory", "life goes on"))
    scene.undo()
    assert scene.documents()["memory"].texts == ("one", "two, edited")


POINTS = ("entries-gone", "pending-gone", "backups-gone", "purged", "files-gone", "vacuumed", "truncated")


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_any_step_leaves_a_history_that_works_and_repeating_finishes(
    point: str, scene: Workspace, home: Path, open_home: Callable[..., Workspace]
) -> None:
    scene.close()
    child = os.fork()
    if child == 0:
        try:
            workspace = open_home()
            found = forgetting.traces(workspace, SECRET)
            forgetting.forget(workspace, found, step=lambda reached: os._exit(9) if reached == point else None)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    workspace = open_home()
    assert workspace.history.changes(), "usable at once"
    assert workspace.documents()["user"].texts == ("unrelated",)
    if point in POINTS[4:]:
        assert left_in(home / "workbench") == [], "the next start has finished the rewriting"
    gone = forgetting.forget(workspace, forgetting.traces(workspace, SECRET))
    assert gone.complete
    assert left_in(home) == []


def test_another_program_that_reads_keeps_it_from_finishing_and_that_is_said(scene: Workspace, home: Path) -> None:
    reader = sqlite3.connect(home / "workbench" / "history.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM blobs").fetchone()
    history = scene.history
    assert not finish(history, patience=0.1)
    assert "close other" in history.notices[-1]
    reader.execute("COMMIT")
    reader.close()
    assert finish(history)


def test_an_unfinished_rewriting_is_finished_at_the_next_start(scene: Workspace, home: Path) -> None:
    def stop(point: str) -> None:
        if point == "purged":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        forgetting.forget(scene, forgetting.traces(scene, SECRET), step=stop)
    scene.close()
    history = History(home)
    history.recover()
    assert history.database.read("SELECT count(*) FROM forgotten WHERE sha256 = 'unfinished'") == [(0,)]
    history.close()
    assert left_in(home / "workbench") == ["unsaved-1-1.txt"]


def test_what_stays_is_named_with_the_way_to_remove_it(scene: Workspace, home: Path) -> None:
    with sqlite3.connect(home / "state.db") as db:
        db.execute("CREATE TABLE sessions (id TEXT, system_prompt TEXT)")
        db.execute("CREATE TABLE messages (session_id TEXT, content TEXT, tool_calls TEXT)")
        db.execute("INSERT INTO sessions VALUES ('s1', ?)", (f"…{SECRET}…",))
        db.execute("INSERT INTO messages VALUES ('s2', 'x', ?)", (json.dumps({"content": SECRET}),))
    db.close()
    before = (home / "state.db").read_bytes()
    (home / "state-snapshots" / "20260101").mkdir(parents=True)
    (home / "state-snapshots" / "20260101" / "state.db").write_bytes(before)
    (home / "sessions").mkdir()
    (home / "sessions" / "old.jsonl").write_bytes(b"x" * ((1 << 20) - 5) + json.dumps(SECRET).encode())
    (home / "memories" / "notes.md").write_text(SECRET)
    gone = forgetting.forget(scene, forgetting.traces(scene, SECRET))
    assert gone.complete
    assert {place.kind for place in gone.left} == {"sessions", "snapshot", "transcript", "other"}
    said = next(place for place in gone.left if place.kind == "sessions")
    assert (said.count, "1 messages" in said.where) == (2, True)
    assert "hermes sessions delete s1" in said.how
    assert (home / "state.db").read_bytes() == before, "only looked at"


def test_an_entry_of_former_times_is_found_by_its_id(scene: Workspace) -> None:
    scene.write(Remove("memory", Exact(SECRET)))
    assert forgetting.text_of(scene, entry_id(SECRET)[:8]) == SECRET
    assert forgetting.text_of(scene, "door code is") == "door code is"
    with pytest.raises(Usage):
        forgetting.text_of(scene, "zz")
    assert forgetting.text_of(scene, "one") == "one", "a whole entry may be short"


def test_with_backups_of_every_write_none_is_made_of_what_is_forgotten(scene: Workspace, home: Path) -> None:
    (home / "workbench" / "settings.yaml").write_text("backups: every\n")
    assert forgetting.forget(scene, forgetting.traces(scene, SECRET)).complete
    assert left_in(home) == []


def test_the_verb_shows_asks_and_does(run: Callable[..., Ran], scene: Workspace, home: Path) -> None:
    scene.close()
    shown = run("forget", entry_id(SECRET), "--dry-run", "--json").json
    assert {place["kind"] for place in shown["places"]} == {"entry", "pending", "history", "backup", "kept", "draft"}
    asked = run("forget", entry_id(SECRET), "--json")
    assert (asked.code, asked.json["kind"]) == (1, "needs_confirmation")
    assert left_in(home) != []
    done = run("forget", "-", "--yes-forget", stdin=SECRET)
    assert done.code == 0, done.err
    assert SECRET not in done.out
    assert left_in(home) == []
    again = run("forget", "-", "--yes-forget", stdin=SECRET)
    assert again.code == 0
    assert "what it held was forgotten" in run("history").out
    assert run("forget", "zz").code == 2
    assert run("--read-only", "forget", "-", "--yes-forget", stdin="unrelated").code == 1


def test_a_full_disk_while_rewriting_leaves_a_history_that_works_and_the_rest_for_later(
    scene: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Database.read

    def full(database: Database, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        if sql == "VACUUM":
            raise HistoryUnavailable(database.path, "database or disk is full")
        return read(database, sql, values)

    monkeypatch.setattr(Database, "read", full)
    gone = forgetting.forget(scene, forgetting.traces(scene, SECRET))
    assert not gone.complete
    assert "disk is full" in scene.notices[-1]
    scene.write(Add("user", "life goes on"))
    monkeypatch.undo()
    assert finish(scene.history)
    assert left_in(scene.home) == []
