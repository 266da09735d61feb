"""Change sets, versions, undo order, claims and a damaged database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.errors import (
    BadConfig,
    Conflict,
    HistoryUnavailable,
    NeedsConfirmation,
    NothingTo,
    OutsideLink,
    ReadOnly,
    Usage,
)
from workbench.files import digest
from workbench.history import History, Intent
from workbench.memory import Add, Batch, Exact, Move, Remove, Reorder, Replace
from workbench.workspace import Workspace

YES = frozenset({"--yes"})


@pytest.fixture
def history(home: Path) -> Iterator[History]:
    opened = History(home)
    yield opened
    opened.close()


def test_every_version_seen_or_written_is_kept_byte_for_byte(history: History, put: Callable[..., Path]) -> None:
    path = put(b"one\r\n\xa7\n")
    history.observe(path, path.read_bytes())
    put(b"two \n")
    done = history.commit([path], lambda images: {path: b"three"}, Intent("write"))
    assert done.before[path] == b"two \n"
    kinds = [change.kind for change in reversed(history.changes())]
    assert kinds == ["baseline", "outside", "edit"]
    assert {history.bytes_of(version.sha256) for version in history.versions()} == {
        b"one\r\n\xa7\n",
        b"two \n",
        b"three",
    }


def test_a_write_between_reading_and_recording_is_not_called_somebody_elses(
    home: Path, put: Callable[..., Path], history: History
) -> None:
    path = put("one")
    history.observe(path, b"one")
    seen = path.read_bytes()
    other = History(home)
    other.commit([path], lambda images: {path: b"two"}, Intent("the other workbench"))
    other.close()
    assert history.observe(path, seen) is None
    assert [change.kind for change in history.changes()] == ["edit", "baseline"]


def test_a_version_seen_only_for_a_moment_is_kept(put: Callable[..., Path], history: History) -> None:
    path = put("one")
    history.observe(path, b"one")
    put("three")
    history.observe(path, b"two")
    assert {history.bytes_of(version.sha256) for version in history.versions()} == {b"one", b"two", b"three"}


def test_the_same_bytes_are_no_news(history: History, put: Callable[..., Path]) -> None:
    path = put("one")
    assert history.observe(path, b"one") is not None
    assert history.observe(path, b"one") is None
    assert history.commit([path], lambda images: {path: b"one"}, Intent("again")).change is None
    assert len(history.changes()) == 1


def test_a_refusal_in_compute_records_nothing(history: History, put: Callable[..., Path]) -> None:
    path = put("one")

    def refuse(images: object) -> dict[Path, bytes | None]:
        raise Usage("no")

    with pytest.raises(Usage):
        history.commit([path], refuse, Intent("write"))
    assert history.changes() == ()
    assert path.read_bytes() == b"one"


def test_a_file_can_be_made_and_taken_away_again(history: History, home: Path) -> None:
    path = home / "memories" / "MEMORY.md"
    history.commit([path], lambda images: {path: b"one"}, Intent("make"))
    assert path.stat().st_mode & 0o777 == 0o600
    history.commit([path], lambda images: {path: None}, Intent("remove"))
    assert not path.exists()


def test_undo_and_redo_by_change_set_across_restarts(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    states = [path.read_bytes()]
    for text in ("two", "three"):
        workspace = open_home()
        workspace.write(Add("memory", text))
        states.append(path.read_bytes())
        workspace.close()
    for expected in (states[1], states[0]):
        open_home().undo()
        assert path.read_bytes() == expected
    with pytest.raises(NothingTo):
        open_home().undo()
    for expected in (states[1], states[2]):
        open_home().redo()
        assert path.read_bytes() == expected
    with pytest.raises(NothingTo):
        open_home().redo()


def test_a_new_edit_ends_redo_and_versions_stay(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    path = put(["one"])
    workspace = open_home()
    workspace.write(Add("memory", "two"))
    gone = path.read_bytes()
    workspace.undo()
    workspace.write(Add("memory", "three"))
    with pytest.raises(NothingTo):
        workspace.redo()
    workspace.restore(digest(gone)[:8])
    assert path.read_bytes() == gone


def test_undo_of_somebody_elses_change_asks_first(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    workspace = open_home()
    workspace.write(Add("memory", "two"))
    put(["one", "two", "from the agent"])
    with pytest.raises(NeedsConfirmation) as asked:
        workspace.undo()
    assert "outside" in asked.value.what
    workspace.undo(accept=YES)
    assert path.read_text() == "one\n§\ntwo"


def test_one_change_alone_is_taken_back_by_identity(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one", "two"])
    workspace = open_home()
    first = workspace.write(Replace("memory", Exact("two"), "two of them")).change
    workspace.write(Add("memory", "three"))
    taken = workspace.undo(first)
    assert not taken.exact
    assert path.read_text() == "one\n§\ntwo\n§\nthree"


def test_a_change_whose_entry_is_gone_is_a_conflict(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    workspace = open_home()
    first = workspace.write(Add("memory", "two")).change
    workspace.write(Remove("memory", Exact("two")))
    before = path.read_bytes()
    with pytest.raises(Conflict):
        workspace.undo(first)
    assert path.read_bytes() == before


def test_a_move_is_one_change_set_over_both_files(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    memory, user = put(["one", "two"]), put(["tea"], "user")
    before = memory.read_bytes(), user.read_bytes()
    workspace = open_home()
    number = workspace.write(Move("memory", Exact("two"), "user")).change
    assert number is not None
    files = workspace.history.change(number).files
    assert [file.path for file in files] == ["memories/USER.md", "memories/MEMORY.md"], "destination first"
    assert user.read_text() == "tea\n§\ntwo"
    workspace.undo()
    assert (memory.read_bytes(), user.read_bytes()) == before
    workspace.redo()
    assert user.read_text() == "tea\n§\ntwo"


def test_a_batch_over_both_files_is_one_undo(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    memory, user = put(["one", "two"]), put(["tea"], "user")
    workspace = open_home()
    workspace.write(Batch((Reorder("memory", Exact("two"), 0), Add("user", "jam"), Remove("memory", Exact("one")))))
    assert (memory.read_text(), user.read_text()) == ("two", "tea\n§\njam")
    workspace.undo()
    assert (memory.read_text(), user.read_text()) == ("one\n§\ntwo", "tea")


def test_the_exact_former_bytes_come_back(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    path = put(b"\xef\xbb\xbfone\r\n\xc2\xa7\r\ntwo\r\n\r\n")
    before = path.read_bytes()
    workspace = open_home()
    workspace.write(Add("memory", "three"))
    assert path.read_text() == "one\n§\ntwo\n§\nthree"
    assert workspace.undo().exact
    assert path.read_bytes() == before


def test_restore_names(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    put(["same"])
    put(["same"], "user")
    workspace = open_home()
    workspace.observe()
    name = digest(b"same")
    for bad in ("", "abc", "0" * 12, name[:8]):
        with pytest.raises(Usage):
            workspace.restore(bad)
    assert workspace.restore(name[:8], "user").change is None


def test_client_shaped_changes_are_told_from_edits_by_hand(
    put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    workspace = open_home()
    put(["one", "two"])
    workspace.observe()
    put("one\n§\ntwo\n")
    workspace.observe()
    assert [change.hint for change in workspace.history.changes()] == ["", "client-shaped"]


def test_claims_are_unique(history: History, home: Path) -> None:
    record = home / "pending" / "memory" / "aa.json"
    assert history.claim(record, "f" * 64, 1)
    assert not history.claim(record, "f" * 64, 2)
    assert history.claim(record, "0" * 64, 2)
    assert [(path, pid) for path, _, _, pid in history.claims()] == [
        ("pending/memory/aa.json", 1),
        ("pending/memory/aa.json", 2),
    ]
    history.release(record, "f" * 64)
    assert history.claim(record, "f" * 64, 3)


@pytest.mark.parametrize(
    "damage", [b"this is no database at all, just some text" * 200, b"SQLite format 3\x00" + b"\xff" * 8000]
)
def test_a_damaged_history_is_kept_aside_and_said(
    damage: bytes, home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    workspace = open_home()
    workspace.write(Add("memory", "two"))
    workspace.close()
    (home / "workbench" / "history.db").write_bytes(damage)
    workspace = open_home()
    workspace.write(Add("memory", "three"))
    assert path.read_text() == "one\n§\ntwo\n§\nthree"
    assert len(workspace.notices) == 1
    aside = list((home / "workbench").glob("history.db.damaged-*"))
    assert [kept.read_bytes() for kept in aside] == [damage]


def test_damage_met_in_the_middle_refuses_once_then_works(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    path = put(["one"])
    workspace = open_home()
    for number in range(40):
        workspace.write(Add("memory", f"fact {number}"))
    workspace.close()
    database = home / "workbench" / "history.db"
    data = bytearray(database.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    database.write_bytes(data)
    workspace = open_home()
    before = path.read_bytes()
    for _ in range(3):
        try:
            workspace.write(Add("memory", "after the damage"))
            break
        except HistoryUnavailable:
            assert path.read_bytes() == before
    assert "after the damage" in path.read_text()
    assert list((home / "workbench").glob("history.db.damaged-*"))


def test_a_newer_history_is_left_alone(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(["one"])
    open_home().write(Add("memory", "two"))
    with sqlite3.connect(home / "workbench" / "history.db") as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(HistoryUnavailable, match="newer"):
        open_home().write(Add("memory", "three"))


def test_read_only_writes_nothing_at_all(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(["one"])
    workspace = open_home(read_only=True)
    workspace.observe()
    workspace.status()
    assert workspace.history.changes() == ()
    with pytest.raises(ReadOnly):
        workspace.write(Add("memory", "two"))
    assert sorted(path.name for path in home.rglob("*")) == ["MEMORY.md", "memories"]


def test_its_own_folder_is_private_and_ignored(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    put(["one"])
    open_home().write(Add("memory", "two"))
    own = home / "workbench"
    assert own.stat().st_mode & 0o777 == 0o700
    assert (own / ".gitignore").read_text() == "*\n"
    assert {path.stat().st_mode & 0o777 for path in own.iterdir()} == {0o600}


def test_a_link_out_of_the_home_is_asked_about_once(
    home: Path, tmp_path: Path, open_home: Callable[..., Workspace]
) -> None:
    real = tmp_path / "dotfiles" / "MEMORY.md"
    real.parent.mkdir()
    real.write_text("one")
    link = home / "memories" / "MEMORY.md"
    link.symlink_to(real)
    workspace = open_home()
    with pytest.raises(OutsideLink) as asked:
        workspace.write(Add("memory", "two"))
    assert asked.value.leads_to == real
    assert real.read_text() == "one"
    workspace.write(Add("memory", "two"), accept=frozenset({"--follow-link"}))
    assert link.is_symlink()
    assert real.read_text() == "one\n§\ntwo"
    open_home().write(Add("memory", "three"))
    assert real.read_text() == "one\n§\ntwo\n§\nthree"


def test_a_program_that_honours_no_lock_is_not_overwritten(
    home: Path, put: Callable[..., Path], open_home: Callable[..., Workspace]
) -> None:
    """An editor saves between the reading and the replacing: the write starts over from what it saved."""
    path = put(["one"])
    saved: list[str] = []

    def editor(point: str) -> None:
        if point == "recorded" and not saved:
            saved.append(point)
            path.write_text("one\n§\nby the editor")

    workspace = open_home(step=editor)
    workspace.write(Add("memory", "two"))
    assert path.read_text() == "one\n§\nby the editor\n§\ntwo"
    assert saved
    assert [change.landed for change in workspace.history.changes()][:2] == [True, True]
    assert not workspace.history.change(2).landed


def test_a_file_of_our_own_is_rewritten_and_not_recorded(home: Path, open_home: Callable[..., Workspace]) -> None:
    workspace = open_home()
    path = home / "workbench" / "settings.yaml"
    workspace.keep_setting("theme", "light")
    assert path.read_text() == "theme: light\n"
    assert list(workspace.history.changes(9)) == []
    path.write_bytes(b"\xff")
    with pytest.raises(BadConfig):
        workspace.keep_setting("theme", "dark")
    assert path.read_bytes() == b"\xff"
    with pytest.raises(ReadOnly):
        open_home(read_only=True).keep_setting("theme", "dark")


def test_versions_read_while_recording_was_busy_are_recorded_in_order(home: Path, put: Callable[..., Path]) -> None:
    path = put("four")
    history = History(home)
    history.observe(path, b"four", earlier=[b"one", b"two", None, b"three"])
    kept = [history.bytes_of(version.sha256) for version in reversed(history.versions(path))]
    assert kept == [b"one", b"two", b"three", b"four"]
    assert history.observe(path, b"four", earlier=[b"two"]) is None, "that is no news"
    assert len(history.changes()) == 4
    history.close()
