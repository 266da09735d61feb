"""Removed lately: what vanished, when, whose it was, and putting it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.curation.vanished import by_name, put_back
from workbench.errors import Usage
from workbench.memory import Add, Exact, Merge, Move, Remove, Replace
from workbench.workspace import Workspace

Open = Callable[..., Workspace]
Put = Callable[..., Path]


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Iterator[Clock]:
    yield Clock()


def gone(workspace: Workspace, **more: float) -> list[tuple[str, str]]:
    return [(item.text, item.whose) for item in workspace.curation.removed(**more)]  # type: ignore[arg-type]


def test_who_took_what_and_when(put: Put, open_home: Open, clock: Clock) -> None:
    put(["one fact", "two facts", "three facts", "four facts"])
    workspace = open_home(clock=clock)
    workspace.observe()
    clock.now += 500
    workspace.write(Remove("memory", Exact("one fact")))
    put(["two facts", "four facts"])
    workspace.observe()
    put("two facts\n\n§\n\n")
    workspace.observe()
    assert gone(workspace) == [
        ("four facts", "outside"), ("three facts", "outside, in the agent's form"), ("one fact", "you"),
    ]  # fmt: skip
    mine = workspace.curation.removed()[-1]
    assert 500 <= mine.lived <= 510
    assert gone(workspace, since=mine.at + 1) == gone(workspace)[:2]


def test_an_edit_a_merge_and_a_move_are_no_end(put: Put, open_home: Open) -> None:
    put(["Staging host is 10.0.1.50 and slow", "Tea is green", "Tea is warm", "Robin likes ferries"])
    workspace = open_home()
    workspace.write(
        Replace("memory", Exact("Staging host is 10.0.1.50 and slow"), "Staging host is 10.0.1.51 and slow")
    )
    tea = ("Tea is green", "Tea is warm")
    workspace.write(Merge("memory", tuple(map(Exact, tea)), "Tea:\nis green\nis warm"))
    workspace.write(Move("memory", Exact("Robin likes ferries"), "user"))
    assert gone(workspace) == []


def test_what_came_back_has_not_vanished_and_what_went_twice_is_listed_once(
    put: Put, open_home: Open, clock: Clock
) -> None:
    workspace = open_home(clock=clock)
    for texts in (["one fact", "two facts"], ["two facts"], ["one fact", "two facts"], ["two facts"]):
        put(texts)
        workspace.observe()
    (only,) = workspace.curation.removed()
    assert only.text == "one fact" and only.change == max(c.id for c in workspace.past.changes(9))
    put(["one fact", "two facts"])
    assert gone(workspace) == []


def test_putting_back_to_its_place(put: Put, open_home: Open) -> None:
    put(["one fact", "two facts", "three facts"])
    workspace = open_home()
    workspace.write(Remove("memory", Exact("two facts")))
    workspace.write(Add("memory", "four facts"))
    item = by_name(workspace.curation.removed(), workspace.curation.removed()[0].id[:5])
    workspace.write(put_back(item, workspace.documents()))
    assert list(workspace.documents()["memory"].texts) == ["one fact", "two facts", "three facts", "four facts"]
    with pytest.raises(Usage, match="no entry that vanished"):
        by_name(workspace.curation.removed(), "abcd")


def test_a_file_that_cannot_be_read_is_not_taken_for_an_empty_one(put: Put, open_home: Open) -> None:
    path = put(["one fact", "two facts"])
    workspace = open_home()
    workspace.observe()
    path.write_bytes(b"\xff\xfe broken")
    workspace.observe()
    assert gone(workspace) == []


def test_a_file_that_is_missing_has_lost_its_entries_until_it_returns(put: Put, open_home: Open) -> None:
    path = put(["one fact", "two facts"])
    workspace = open_home()
    workspace.observe()
    path.unlink()
    workspace.observe()
    assert len(gone(workspace)) == 2
    put(["one fact", "two facts"])
    assert gone(workspace) == []
