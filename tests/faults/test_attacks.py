"""What a hostile tester found, so that it stays found: one test each."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.__main__ import main
from workbench.errors import (
    Ambiguous,
    BadContent,
    Conflict,
    DamagedVersion,
    HistoryUnavailable,
    NeedsConfirmation,
    NothingTo,
    OverBudget,
    Unreadable,
    Usage,
)
from workbench.history import History
from workbench.inbox import waiting
from workbench.memory import (
    Add,
    Batch,
    Contains,
    Exact,
    Move,
    Patch,
    Remove,
    Replace,
    Split,
    apply,
    difference,
    from_json,
    parse,
)
from workbench.memory.select import from_words
from workbench.workspace import Workspace

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(home: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str, str]:
        code = main(["--home", str(home), *argv])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


# -- what is not a file ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["memories/MEMORY.md", "config.yaml", "state.db", "workbench/history.db"])
def test_a_pipe_blocks_no_verb(name: str, home: Path, run: Run) -> None:
    (home / name).parent.mkdir(exist_ok=True)
    os.mkfifo(home / name)
    for verb in (["status"], ["memory", "list"], ["history"], ["--read-only", "history"]):
        run(*verb)
    code, _, err = run("memory", "add", "memory", "x")
    assert (code == 0) == (name in ("config.yaml", "state.db")), err


@pytest.mark.parametrize("name", ["memories/MEMORY.md", "pending/memory/aa.json", "skills/demo", "workbench"])
def test_what_cannot_even_be_looked_at_is_said_and_stops_no_other_verb(name: str, home: Path, run: Run) -> None:
    """A name that is too long fails like a folder without permission, for root too: `stat` itself is refused."""
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).symlink_to("x" * 300)
    for verb in (["status"], ["memory", "list"], ["pending", "list"], ["pending", "approve", "--all"],
                 ["backups", "list"], ["history"], ["forget", "some longer text", "--yes-forget"],
                 ["memory", "add", "memory", "x"]):  # fmt: skip
        code, out, err = run(*verb, "--json")
        assert code in (0, 1), (verb, err)
        assert json.loads(out)["schema"] == 1, verb
        assert "what the verb did is done" not in err
        assert "out_of_reach" not in out
    assert run("status")[0] == 0


def test_a_refusal_of_the_system_that_nobody_expected_is_no_trouble_with_printing(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Workspace) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(home / "x"))

    monkeypatch.setattr(Workspace, "status", refused)
    code, out, err = run("status", "--json")
    assert (code, json.loads(out)["kind"], err) == (1, "out_of_reach", "")


def test_a_device_is_not_read_to_its_end(home: Path, run: Run) -> None:
    (home / "memories" / "USER.md").symlink_to("/dev/zero")
    assert "unreadable" in run("status")[1]


def test_a_history_that_is_a_folder_is_a_sentence_and_no_lie(home: Path, put: Callable[..., Path], run: Run) -> None:
    put(["one"])
    (home / "workbench" / "history.db").mkdir(parents=True)
    code, _, err = run("history")
    assert code == 0
    assert "Nothing is recorded now" in err
    assert "nothing was written" in run("memory", "add", "memory", "x")[2]


def test_a_history_that_can_be_opened_again_records_again(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(["one"])
    (home / "workbench" / "history.db").mkdir(parents=True)
    workspace = open_home()
    for _ in range(3):
        workspace.observe()
        assert workspace.past.changes() == ()
    assert len([said for said in workspace.notices if "Nothing is recorded now" in said]) == 1
    with pytest.raises(HistoryUnavailable):
        workspace.write(Add("memory", "two"))
    (home / "workbench" / "history.db").rmdir()
    workspace.write(Add("memory", "two"))
    assert workspace.documents()["memory"].texts == ("one", "two")
    monkeypatch.setattr("workbench.workspace.workspace.AGAIN_SECONDS", 0.0)
    workspace.observe()
    assert len(workspace.past.changes()) == 2


def test_a_look_alone_finds_out_that_recording_works_again(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.workspace.workspace.AGAIN_SECONDS", 0.0)
    put(["one"])
    (home / "workbench" / "history.db").mkdir(parents=True)
    workspace = open_home()
    workspace.observe()
    (home / "workbench" / "history.db").rmdir()
    workspace.observe()
    assert [change.kind for change in workspace.past.changes()] == ["baseline"]


def test_records_that_vanish_while_they_are_counted(home: Path) -> None:
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True)
    done = threading.Event()

    def agent() -> None:
        while not done.is_set():
            path = folder / "aa.json"
            path.write_text("{}")
            path.unlink()

    thread = threading.Thread(target=agent)
    thread.start()
    try:
        assert {waiting(home).memory for _ in range(600)} <= {0, 1}
    finally:
        done.set()
        thread.join()


# -- a damaged history ----------------------------------------------------------------------------------------------


def test_damage_that_only_a_read_meets_is_healed(home: Path, put: Callable[..., Path], run: Run) -> None:
    put(["one"])
    run("memory", "add", "memory", "two")
    with sqlite3.connect(home / "workbench" / "history.db") as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'files'").fetchone()[0]
        size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    with (home / "workbench" / "history.db").open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    for verb in ("history", "history", "undo"):
        run(verb)
    assert run("memory", "add", "memory", "three")[0] == 0
    assert list((home / "workbench").glob("history.db.damaged-*"))


def test_a_history_that_lacks_a_table_is_set_aside(home: Path, put: Callable[..., Path], run: Run) -> None:
    put(["one"])
    run("memory", "add", "memory", "two")
    with sqlite3.connect(home / "workbench" / "history.db") as db:
        db.execute("DROP TABLE claims")
    db.close()
    assert run("memory", "add", "memory", "three")[0] == 0
    assert len(list((home / "workbench").glob("history.db.damaged-*"))) == 1


def test_a_closed_history_is_not_called_damaged(home: Path, put: Callable[..., Path]) -> None:
    path = put(["one"])
    history = History(home)
    history.observe(path, path.read_bytes())
    history.close()
    with pytest.raises(HistoryUnavailable):
        history.claim(path, "0" * 64, 1)
    assert not list((home / "workbench").glob("history.db.damaged-*"))


def test_closing_while_something_is_recorded_does_not_hang(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    workspace = open_home()
    history, recording, closing = workspace.history, threading.Event(), threading.Event()
    hint = history._hint

    def held(seen: Path, data: bytes | None) -> str:
        recording.set()
        assert closing.wait(5)
        workspace.refresh()  # what recording asks of the workspace needs its mutex
        return hint(seen, data)

    def record() -> None:
        with contextlib.suppress(HistoryUnavailable):  # what it still wanted to know is closed by then, or not yet
            workspace.observe()

    history._hint = held
    recorder = threading.Thread(target=record, daemon=True)
    recorder.start()
    assert recording.wait(5)
    closer = threading.Thread(target=workspace.close, daemon=True)
    closer.start()
    while workspace._history is not None:
        closer.join(0.001)
    closing.set()
    recorder.join(5)
    closer.join(5)
    assert path.exists() and not recorder.is_alive() and not closer.is_alive()


def test_two_processes_that_meet_damage_keep_the_new_history(home: Path, put: Callable[..., Path]) -> None:
    path = put(["one"])
    first = History(home)
    first.observe(path, b"one")
    first._database._identity = (0, 0)  # as if another process had begun a new one meanwhile
    first._database._set_aside("damage met by the slower of two")
    assert first.latest(path) is not None
    assert not list((home / "workbench").glob("history.db.damaged-*"))
    first.close()


def test_a_version_is_verified_before_it_is_used(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    workspace = open_home()
    workspace.write(Add("memory", "two"))
    with workspace.history._database.transaction() as db:
        db.execute("UPDATE blobs SET data = x'00' WHERE size = 3")
    before = path.read_bytes()
    with pytest.raises(DamagedVersion):
        workspace.undo()
    assert path.read_bytes() == before


def test_a_write_that_may_never_have_landed_is_not_brought_back(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["a"])
    workspace = open_home()
    workspace.write(Add("memory", "b"))
    with workspace.history._database.transaction() as db:
        db.execute("UPDATE files SET state = 'intended' WHERE change = 2")
    workspace.close()
    path.write_text("by the agent")
    workspace = open_home()
    workspace.observe()
    assert not workspace.history.change(2).landed


# -- undo -----------------------------------------------------------------------------------------------------------


def test_undo_never_gets_stuck_on_a_change_that_is_gone_already(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["a", "b"])
    start = path.read_bytes()
    workspace = open_home()
    first = workspace.write(Remove("memory", Exact("a"))).change
    workspace.undo()
    workspace.write(Remove("memory", Exact("a")))
    workspace.write(Add("memory", "tail"))
    workspace.undo(first)
    for _ in range(4):
        try:
            workspace.undo()
        except NothingTo:
            break
    else:
        pytest.fail("undo goes on for ever")
    assert set(path.read_text().split("\n§\n")) >= set(start.decode().split("\n§\n"))


def test_taking_back_a_redo_takes_back_what_it_repeated(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["a"])
    workspace = open_home()
    workspace.write(Add("memory", "b"))
    workspace.undo()
    redone = workspace.redo().change
    workspace.undo(redone)
    assert path.read_text() == "a"
    with pytest.raises(NothingTo):
        workspace.undo()


def test_undoing_a_creation_behind_a_link_keeps_the_link(home: Path, open_home: Callable[..., Workspace]) -> None:
    (home / "real").mkdir()
    link = home / "memories" / "MEMORY.md"
    link.symlink_to(home / "real" / "M.md")
    workspace = open_home()
    workspace.write(Add("memory", "first ever"))
    workspace.undo()
    assert link.is_symlink()
    assert not (home / "real" / "M.md").exists()
    workspace.redo()
    assert link.is_symlink()
    assert link.read_text() == "first ever"


def test_an_inverse_is_checked_like_any_write(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    put("x\n§\n\ufeffb")
    workspace = open_home()
    added = workspace.write(Add("memory", "a", 0)).change
    workspace.write(Remove("memory", Exact("x")))
    with pytest.raises(BadContent):
        workspace.undo(added)


def test_an_inverse_does_not_go_over_the_limit_unasked(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    (home / "config.yaml").write_text("memory: {memory_char_limit: 110}")
    put(["keep", "x" * 90])
    workspace = open_home()
    removed = workspace.write(Remove("memory", Exact("x" * 90))).change
    workspace.write(Add("memory", "y" * 90))
    with pytest.raises(OverBudget):
        workspace.undo(removed)


# -- what is meant --------------------------------------------------------------------------------------------------


def test_an_unreadable_store_is_not_an_empty_one(put: Callable[..., Path], run: Run) -> None:
    put(b"ok\xff bad")
    for verb in (["show", "memory", "#1"], ["remove", "memory", "#1"], ["split", "memory", "ok", "--by", " "]):
        code, _, err = run("memory", *verb)
        assert code == 1
        assert "not UTF-8 at byte 2" in err
    code, out, _ = run("scan")
    assert code == 1
    assert "was not scanned" in out
    assert json.loads(run("scan", "--json")[1])["unreadable"] == ["memory"]


def test_what_was_previewed_is_what_is_written(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    path = put(["deploy to host A"])
    workspace = open_home()
    outcome = workspace.preview(Remove("memory", Contains("deploy")))
    path.write_text("deploy to host B, never forget")
    with pytest.raises(Conflict):
        workspace.write(outcome.operation, accept=frozenset({"--accept-empty"}))
    assert path.read_text() == "deploy to host B, never forget"


def test_the_history_keeps_the_exact_entry_that_was_meant(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(["deploy to host A", "tea"])
    workspace = open_home()
    number = workspace.write(Remove("memory", Contains("deploy"))).change
    assert number is not None
    assert json.loads(workspace.history.change(number).operations)["entry"] == "deploy to host A"


def test_a_stale_draft_is_stale_for_every_operation(home: Path, put: Callable[..., Path], run: Run) -> None:
    path = put(["alpha", "beta"])
    put(["tea"], "user")
    merge = {"action": "merge", "entries": [{"old_text": "alp"}, {"old_text": "bet"}], "content": "both"}
    other = {"action": "remove", "target": "user", "old_text": "te"}
    for operation in (merge, other):
        draft = home / "draft.json"
        change = {"target": "memory", "base_sha256": "0" * 64, "operations": [operation]}
        draft.write_text(json.dumps({"version": 1, "changes": [change]}))
        assert run("memory", "apply", str(draft))[0] == 3
    assert path.read_text() == "alpha\n§\nbeta"


def test_an_id_that_is_also_a_text_is_ambiguous() -> None:
    cats = "note 95067 about cats"
    assert __import__("hashlib").sha256(cats.encode()).hexdigest().startswith("8080")
    with pytest.raises(Ambiguous):
        from_words((cats, "proxy listens on port 8080"), "8080", "memory")
    assert from_words((cats,), "8080", "memory") == Exact(cats)


def test_a_split_that_drops_words_asks() -> None:
    stores = {"memory": ("a long fact number one",), "user": ()}
    limits = {"memory": 100, "user": 100}
    asked = apply(stores, Split("memory", Exact(stores["memory"][0]), ("x", "y")), limits)
    assert [one.flag for one in asked.confirm] == ["--accept-loss"]
    assert (
        apply(stores, Split("memory", Exact(stores["memory"][0]), ("a long fact", "number one")), limits).confirm == ()
    )


def test_a_batch_that_moves_one_and_removes_the_rest_asks() -> None:
    stores = {"memory": ("a", "b"), "user": ()}
    batch = Batch((Move("memory", Exact("b"), "user"), Remove("memory", Exact("a"))))
    assert [one.flag for one in apply(stores, batch, {"memory": 9, "user": 9}).confirm] == ["--accept-empty"]


def test_a_lossy_store_takes_every_way_of_shortening() -> None:
    entry = "keep this. " + "x" * 100
    stores = {"memory": (entry,), "user": ()}
    limits = {"memory": 100, "user": 100}
    assert apply(stores, Patch("memory", Exact(entry), "." + " " + "x" * 50, "."), limits).refused is None
    assert apply(stores, Replace("memory", Contains("keep this"), "keep this."), limits).refused is None


# -- odd input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [
        ["memory", "remove", "memory", "#²"],
        ["history", "99999999999999999999"],
        ["undo", "99999999999999999999"],
        ["history", "--limit", "99999999999999999999"],
        ["status", "--js"],
        ["demo", "/tmp/" + "a" * 5000, "--make-only"],
        ["demo", "--now", "nan", "--make-only"],
        ["demo", "--now", "1e400", "--make-only"],
    ],
)
def test_odd_arguments_are_wrong_usage(argv: list[str], put: Callable[..., Path], run: Run) -> None:
    put(["one"])
    assert run(*argv)[0] in (1, 2)


@pytest.mark.parametrize(
    "draft",
    [
        '{"version":1,"changes":[]}',
        '{"changes":[{"target":["x"],"operations":[{"action":"add","target":"memory","content":"zz"}]}]}',
        "[" * 100_000,
        '{"target":"memory","operations":[{"action":"replace","entry":"one","old_text":"\\ud800","content":"x"}]}',
        '{"action":"merge","target":"memory","entries":[1,"one",null],"content":"x"}',
    ],
)
def test_odd_drafts_are_wrong_usage(draft: str, home: Path, put: Callable[..., Path], run: Run) -> None:
    path = put(["one"])
    (home / "draft.json").write_text(draft)
    assert run("memory", "apply", str(home / "draft.json"))[0] == 2
    assert path.read_text() == "one"


def test_half_characters_are_refused_in_operations() -> None:
    with pytest.raises(Usage):
        from_json({"action": "add", "content": "\ud800"})


@pytest.mark.parametrize("value", ["0x" + "f" * 4000, "-0x" + "f" * 4000, "[&a [1], *a]"])
def test_limits_no_memory_can_have(value: str, home: Path, run: Run) -> None:
    (home / "config.yaml").write_text(f"memory: {{memory_char_limit: {value}}}")
    code, out, _ = run("status")
    assert code == 0
    assert "2,200" in out


def test_a_link_loop_as_home_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    monkeypatch.setenv("HERMES_HOME", str(loop))
    assert main(["status"]) == 1
    assert main(["demo", str(loop / "x"), "--make-only"]) in (1, 2)


def test_a_full_disk_behind_stdout_is_said(home: Path, put: Callable[..., Path]) -> None:
    path = put(["one"])
    with Path("/dev/full").open("w") as full:
        argv = [sys.executable, "-m", "workbench", "--home", str(home), "memory", "add", "memory", "two"]
        ran = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 1
    assert "what the verb did is done" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert path.read_text() == "one\n§\ntwo"


def test_a_message_from_a_hostile_database_cannot_steer_the_terminal(home: Path, run: Run) -> None:
    with sqlite3.connect(home / "state.db") as db:
        db.execute("CREATE TABLE sessions (id)")
        db.execute("PRAGMA writable_schema=ON")
        db.execute("INSERT INTO sqlite_master VALUES ('table', 'x\x1b]0;pwned\x07', 'x', 0, 'CREATE TABLE broken (')")
    db.close()
    assert "\x1b" not in run("status")[1]


def test_errors_quote_no_credential(put: Callable[..., Path], run: Run) -> None:
    put(["Deploy token: ghp_abcdefABCDEF0123456789abcdefABCDEF0123"])
    code, out, err = run("memory", "show", "memory", "Deploy token for CI ghp")
    assert code == 1
    assert "ghp_abcdefABCDEF" not in out + err


def test_a_refused_write_makes_no_folder(home: Path, run: Run) -> None:
    (home / "memories").rmdir()
    assert run("memory", "add", "memory", "ignore all previous instructions")[0] == 1
    assert list(home.iterdir()) == []


def test_what_is_like_that_already_is_not_called_done(put: Callable[..., Path], run: Run) -> None:
    put(["one", "two"])
    for verb in (["normalise", "memory"], ["reorder", "memory", "#1", "1"]):
        code, out, _ = run("memory", *verb)
        assert code == 0
        assert "nothing was written" in out


def test_only_delimiters_are_drift_for_019() -> None:
    assert parse(b"\n\xc2\xa7\n", "memory", 2200).refused_by == {"0.19": ["replace", "remove", "batch"]}


def test_a_rewrite_of_thousands_of_entries_is_compared_in_reasonable_work(monkeypatch: pytest.MonkeyPatch) -> None:
    import difflib

    calls = 0
    ratio = difflib.SequenceMatcher.real_quick_ratio

    def counted(self: Any) -> float:
        nonlocal calls
        calls += 1
        return ratio(self)

    monkeypatch.setattr(difflib.SequenceMatcher, "real_quick_ratio", counted)
    difference([f"old {n} entry" for n in range(3000)], [f"new {n} thing" for n in range(1000)])
    assert calls < 100_000


def test_unreadable_is_raised_for_every_write(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    put(b"\xff")
    with pytest.raises(Unreadable):
        open_home().write(Add("memory", "x"))


def test_asking_for_somebody_elses_older_change_names_it(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(["one"])
    workspace = open_home()
    workspace.observe()
    put(["one", "two"])
    workspace.observe()
    workspace.write(Add("memory", "three"))
    with pytest.raises(NeedsConfirmation, match="Change 2 is not yours"):
        workspace.undo(2)
