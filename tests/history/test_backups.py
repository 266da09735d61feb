"""Backups beside a memory file: exact, once per content, few, and never somebody else's taken away."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.errors import NotBackedUp, ReadOnly
from workbench.files import digest
from workbench.history import History
from workbench.history.backups import MOST, grouped, keep, list_backups, prune
from workbench.history.turns import Stay, taking_turns


@pytest.fixture
def history(home: Path) -> Iterator[History]:
    opened = History(home)
    yield opened
    opened.close()


def names(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir() if one.name.startswith("MEMORY.md.bak"))


def test_exact_bytes_under_the_second_and_a_suffix_when_it_is_taken(history: History, put: Callable[..., Path]) -> None:
    path = put("now")
    odd = b"\xef\xbb\xbfone\r\n\xa7 \x00two\n\n"
    first = keep(history, path, odd, at=1_790_000_000.9)
    second = keep(history, path, b"two", at=1_790_000_000.95)
    assert first is not None and second is not None
    assert (first.name, second.name) == ("MEMORY.md.bak.1790000000", "MEMORY.md.bak.1790000000-2")
    assert first.read_bytes() == odd
    assert first.stat().st_mode & 0o777 == 0o600
    assert history.bytes_of(digest(odd)) == odd, "the history has them as well"


def test_once_per_distinct_content_whoever_wrote_the_other(history: History, put: Callable[..., Path]) -> None:
    path = put("now")
    path.with_name("MEMORY.md.bak.1780000000").write_bytes(b"theirs")
    assert keep(history, path, b"theirs", at=1_790_000_000) is None
    assert keep(history, path, b"ours", at=1_790_000_000) is not None
    assert keep(history, path, b"ours", at=1_790_000_009) is None
    assert names(path) == ["MEMORY.md.bak.1780000000", "MEMORY.md.bak.1790000000"]


def test_ten_of_ours_and_any_number_of_theirs(history: History, put: Callable[..., Path]) -> None:
    path = put("now")
    for number in range(15):
        path.with_name(f"MEMORY.md.bak.{1_780_000_000 + number}").write_bytes(b"theirs")
    for number in range(MOST + 4):
        keep(history, path, b"version %d" % number, at=1_790_000_000 - number)  # the clock goes backwards
    ours = [one for one in list_backups(history, path) if one.ours]
    assert {one.path.read_bytes() for one in ours} == {b"version %d" % number for number in range(4, MOST + 4)}
    assert len(names(path)) == 15 + MOST


def test_a_backup_of_ours_that_somebody_edited_is_theirs_now(history: History, put: Callable[..., Path]) -> None:
    path = put("now")
    edited = keep(history, path, b"version -", at=1)
    assert edited is not None
    edited.write_bytes(b"kept by hand")
    for number in range(MOST + 2):
        keep(history, path, b"version %d" % number, at=100 + number)
    assert edited.read_bytes() == b"kept by hand"


def test_groups_by_content_newest_first_and_prune_keeps_one_of_each(history: History, put: Callable[..., Path]) -> None:
    path = put("now")
    for at, data in ((10, b"a"), (20, b"b"), (30, b"a"), (40, b"a")):
        path.with_name(f"MEMORY.md.bak.{at}").write_bytes(data)
    path.with_name("MEMORY.md.bak.50").mkdir()  # cannot be read, is counted, is never removed
    groups = grouped(list_backups(history, path))
    assert [[one.at for one in group.backups] for group in groups] == [[50.0], [40.0, 30.0, 10.0], [20.0]]
    assert groups[0].newest.why
    path.with_name("MEMORY.md.bak.30").write_bytes(b"changed since the list was made")
    assert [one.name for one in prune(history, groups)] == ["MEMORY.md.bak.10"]
    assert names(path) == [f"MEMORY.md.bak.{at}" for at in (20, 30, 40, 50)]


def test_prune_keeps_the_last_one_when_the_one_to_stay_has_gone(history: History, put: Callable[..., Path]) -> None:
    path = put("now")
    for at in (10, 20):
        path.with_name(f"MEMORY.md.bak.{at}").write_bytes(b"a")
    groups = grouped(list_backups(history, path))
    path.with_name("MEMORY.md.bak.20").unlink()
    assert prune(history, groups) == ()
    assert names(path) == ["MEMORY.md.bak.10"]


def test_names_of_backups_that_others_chose_are_listed_and_never_taken_for_ours(
    history: History, put: Callable[..., Path]
) -> None:
    path = put("now")
    for name in ("MEMORY.md.bak", "MEMORY.md.bak.mine", "MEMORY.md.backup", "MEMORY.md.bak.7.tmp", "USER.md.bak.7"):
        path.with_name(name).write_bytes(name.encode())
    found = list_backups(history, path)
    assert {one.path.name for one in found} == {"MEMORY.md.bak", "MEMORY.md.bak.mine"}
    assert not any(one.ours for one in found)


def test_read_only_writes_none(home: Path, put: Callable[..., Path]) -> None:
    path = put("now")
    history = History(home, read_only=True)
    with pytest.raises(ReadOnly):
        keep(history, path, b"before", at=1)
    assert names(path) == []
    history.close()


def test_a_database_of_the_first_schema_is_read_and_taken_along(home: Path, put: Callable[..., Path]) -> None:
    path = put("now")
    history = History(home)
    history.observe(path, b"now")
    for table in ("backups", "forgotten"):
        history.database._connection.execute(f"DROP TABLE {table}")
    history.database._connection.execute("PRAGMA user_version=1")
    history.close()
    older = History(home, read_only=True)
    assert older.notices == []
    assert list_backups(older, path) == ()
    older.close()
    newer = History(home)
    assert newer.notices == []
    assert len(newer.changes()) == 1
    assert keep(newer, path, b"before", at=1) is not None
    newer.close()


POINTS = ("locked", "remembered", "temp-created", "temp-written", "temp-synced", "placed", "folder-synced")


@pytest.mark.parametrize("point", POINTS)
def test_a_full_disk_at_any_step_leaves_no_half_backup(point: str, history: History, put: Callable[..., Path]) -> None:
    path = put("now")

    def full(reached: str) -> None:
        if reached == point:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    reason: type[Exception] = OSError if point in ("locked", "remembered") else NotBackedUp
    with pytest.raises(reason) as caught:
        keep(history, path, b"before", at=1, step=full)
    if isinstance(caught.value, NotBackedUp):
        assert "No space left" in str(caught.value)
        assert digest(b"before")[:12] in str(caught.value)
    assert history.bytes_of(digest(b"before")) == b"before", "the bytes are in the history all the same"
    assert path.read_bytes() == b"now"
    assert all(path.with_name(name).read_bytes() == b"before" for name in names(path)), "whole or not at all"
    keep(history, path, b"before", at=2)
    assert [one.ours for one in list_backups(history, path)] == [True], "repeating it makes one that is ours"


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_any_step_leaves_no_half_backup(point: str, home: Path, put: Callable[..., Path]) -> None:
    path = put("now")
    child = os.fork()
    if child == 0:
        try:
            keep(History(home), path, b"before", at=1, step=lambda reached: os._exit(9) if reached == point else None)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    history = History(home)
    assert all(path.with_name(name).read_bytes() == b"before" for name in names(path))
    keep(history, path, b"before", at=2)
    assert [one.ours for one in list_backups(history, path)] == [True]
    assert not [one for one in path.parent.iterdir() if one.name.endswith(".tmp")]
    history.close()


def stays(text: str, ours: str = "") -> list[Stay]:
    """One letter a version, `-` for no file, `0` for an empty one; a minute between them."""
    sha = {"-": None, "0": digest(b"")}
    return [Stay(sha.get(letter, letter), 60.0 * at, letter in ours) for at, letter in enumerate(text)]


@pytest.mark.parametrize(
    ("versions", "times"),
    [("ABAB", 3), ("XABABA", 4), ("A0B0A0B", 3), ("A-B-A-B", 3), ("CABBAB", 3)],
)
def test_two_writers_in_turn_are_recognised(versions: str, times: int) -> None:
    found = taking_turns(stays(versions))
    assert found is not None
    assert found.times == times
    assert set(found.versions) == {"A", "B"}


@pytest.mark.parametrize("versions", ["", "A", "ABA", "ABAC", "ABABC", "ABCABC", "A0A0A0", "AAAA", "ABBA"])
def test_what_is_no_turn_taking(versions: str) -> None:
    assert taking_turns(stays(versions)) is None


def test_somebody_undoing_and_redoing_is_no_quarrel_and_neither_are_slow_changes_of_mind() -> None:
    assert taking_turns(stays("ABABAB", ours="AB")) is None
    assert taking_turns(stays("ABAB", ours="A")) is not None, "we and another program"
    slow = [Stay(stay.sha256, stay.at * 60, False) for stay in stays("ABAB")]
    assert taking_turns(slow) is None
