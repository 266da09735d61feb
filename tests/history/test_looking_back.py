"""Reading the history in pages, and putting back: what a change set did alone, or the whole files as it left them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.errors import Conflict, ReadOnly, Usage
from workbench.memory import Add, Exact, Move, Remove, Replace
from workbench.workspace import Workspace


@pytest.fixture
def workspace(open_home: Callable[..., Workspace]) -> Workspace:
    return open_home()


def test_pages_of_changes_follow_each_other_without_gap_or_repeat(workspace: Workspace) -> None:
    for number in range(7):
        workspace.write(Add("memory", f"entry {number}"))
    every = workspace.past.changes(100)
    paged = list(workspace.past.changes(3))
    while page := workspace.past.changes(3, before=paged[-1].id):
        paged += page
    assert tuple(paged) == every
    assert len(every) == 7
    assert all(change.files for change in every)


def test_a_files_own_changes_keep_all_files_of_each(workspace: Workspace, put: Callable[..., Path]) -> None:
    path = put("a\n§\nb".encode())
    workspace.write(Move("memory", Exact("a"), "user"))
    moved = workspace.past.changes(1, path=path)[0]
    assert {file.path for file in moved.files} == {"memories/MEMORY.md", "memories/USER.md"}


def test_what_a_file_held_after_a_change_is_known_between_its_own_changes(workspace: Workspace) -> None:
    first = workspace.write(Add("memory", "one")).change
    other = workspace.write(Add("user", "Name: Robin")).change
    last = workspace.write(Add("memory", "two")).change
    path = workspace.memory.path("memory")
    assert first is not None and other is not None and last is not None
    past = workspace.past
    assert past.version_at(path, first) == past.version_at(path, other) == past.change(first).files[0].after
    assert past.version_at(path, last) == past.change(last).files[0].after
    assert past.version_at(path, first - 1) is None


def test_undone_changes_are_named(workspace: Workspace) -> None:
    change = workspace.write(Add("memory", "one")).change
    assert workspace.past.undone() == set()
    workspace.undo(change)
    assert workspace.past.undone() == {change}
    workspace.redo()
    assert workspace.past.undone() == set()


def test_both_files_go_back_to_a_change_as_one_change_set(workspace: Workspace, put: Callable[..., Path]) -> None:
    put("a\n§\nb".encode())
    moved = workspace.write(Move("memory", Exact("a"), "user")).change
    workspace.write(Remove("user", Exact("a")), accept=frozenset({"--accept-empty"}))
    workspace.write(Replace("memory", Exact("b"), "b again"))
    assert moved is not None
    taken = workspace.restore_change(moved)
    documents = workspace.documents()
    assert documents["memory"].texts == ("b",)
    assert documents["user"].texts == ("a",)
    assert taken.files == ("MEMORY.md", "USER.md")
    workspace.undo()
    assert workspace.documents()["memory"].texts == ("b again",)
    assert workspace.documents()["user"].texts == ()


def test_the_preview_of_taking_back_is_what_taking_back_does(workspace: Workspace) -> None:
    workspace.write(Add("memory", "one"))
    second = workspace.write(Add("memory", "two")).change
    workspace.write(Add("memory", "three"))
    assert second is not None
    path = workspace.memory.path("memory")
    now, then = workspace.store.preview_undo(second)[path]
    assert now == path.read_bytes()
    workspace.undo(second)
    assert then == path.read_bytes() == "one\n§\nthree".encode()


def test_what_cannot_be_taken_back_is_refused_in_the_preview_too(workspace: Workspace) -> None:
    workspace.write(Add("memory", "one"))
    edited = workspace.write(Replace("memory", Exact("one"), "one more")).change
    workspace.write(Replace("memory", Exact("one more"), "something else altogether"))
    assert edited is not None
    with pytest.raises(Conflict):
        workspace.store.preview_undo(edited)
    with pytest.raises(Usage):
        workspace.restore_change(999)


def test_read_only_restores_nothing(home: Path, workspace: Workspace) -> None:
    change = workspace.write(Add("memory", "one")).change
    assert change is not None
    looking = Workspace.open(workspace.choice, read_only=True)
    try:
        with pytest.raises(ReadOnly):
            looking.restore_change(change)
    finally:
        looking.close()
