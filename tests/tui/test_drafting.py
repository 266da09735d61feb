"""The desk behind a draft on the screen: what goes in, comes out, meets other windows and other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.support import NOW, entries, home_with
from workbench.errors import Conflict, DraftMoved, NothingTo
from workbench.home import HomeChoice
from workbench.memory import Add, Batch, Exact, Move, Normalise, Remove, Replace
from workbench.tui.drafting import Desk, Drafted, kept_draft, opened
from workbench.tui.home_view import read_home
from workbench.workspace import Workspace

THREE = ["The first entry is about docker.", "A second one, about ledger.", "Third: staging has docker too."]
PAIR = ["Name: Robin Vale", "Prefers short answers"]
SMALL = "memory:\n  memory_char_limit: 100\n"


def workspace_of(home: Path) -> Workspace:
    return Workspace.open(HomeChoice(home, home, "default", "default home"), clock=lambda: NOW)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened_one = workspace_of(home_with(tmp_path, THREE, PAIR, SMALL))
    yield opened_one
    opened_one.close()


def test_steps_go_in_and_out_and_in_again_and_the_disk_knows_nothing(workspace: Workspace) -> None:
    desk = Desk(workspace)
    assert desk.add(Remove("memory", Exact(THREE[1]))) == Drafted(added=1)
    assert desk.add(Batch((Move("memory", Exact(THREE[0]), "user"), Add("user", "new")))) == Drafted(added=2)
    view = desk.view(read_home(workspace))
    assert view.home.stores["memory"].document.texts == (THREE[2],)
    assert view.home.stores["user"].document.texts == (*PAIR, THREE[0], "new")
    assert view.disk.stores["memory"].document.texts == tuple(THREE)
    assert view.steps == 3 and view.freed == len(THREE[1]) + 3 - len("new") - 3
    assert desk.take_back() == Drafted(taken=2), "what one key put in, one key takes back"
    assert desk.view(read_home(workspace)).repeatable == 1
    assert desk.take_back() == Drafted(taken=1)
    assert desk.view(read_home(workspace)).steps == 0
    assert desk.repeat() == Drafted(added=1) and desk.repeat() == Drafted(added=2) and len(desk.steps) == 3
    assert desk.take_back() == Drafted(taken=2)
    desk.add(Add("user", "something else"))
    with pytest.raises(NothingTo):
        desk.repeat()  # a new step ends the repeating
    assert entries(workspace.home) == THREE


def test_a_kept_draft_goes_on_where_something_is_taken(workspace: Workspace) -> None:
    Desk(workspace).add(Remove("memory", Exact(THREE[0])), Remove("memory", Exact(THREE[1])))
    desk = Desk(workspace)
    desk.go_on()
    assert desk.kept and len(desk.steps) == 2
    desk.add(Remove("memory", Exact(THREE[2])))
    assert len(workspace.curation.all_drafts()) == 1, "none is begun beside it"
    assert [desk.take_back().taken for _ in range(3)] == [1, 1, 1], "of what was kept, step by step"
    fresh = Desk(workspace)
    fresh.go_on()
    assert not fresh.kept and fresh.draft is None, "one without a step is none"


def test_a_draft_without_a_step_leaves_nothing(workspace: Workspace) -> None:
    desk = opened(workspace)
    assert desk.steps == () and kept_draft(workspace) is None
    assert not (workspace.home / "workbench" / "history.db").exists()
    view = desk.view(read_home(workspace))
    assert view.home == view.disk and "no step yet" in view.summary()
    with pytest.raises(NothingTo):
        desk.take_back()
    with pytest.raises(NothingTo):
        desk.apply(frozenset())


def test_the_limit_is_checked_on_the_result_not_on_the_way(workspace: Workspace) -> None:
    desk = Desk(workspace)
    long = "a long one " * 8
    desk.add(Add("memory", long))
    assert desk.view(read_home(workspace)).standing.outcome.refused is not None
    desk.add(Remove("memory", Exact(THREE[0])), Remove("memory", Exact(THREE[1])), Remove("memory", Exact(THREE[2])))
    assert desk.view(read_home(workspace)).standing.outcome.refused is None
    desk.apply(frozenset())
    assert entries(workspace.home) == [long.strip()]
    workspace.undo()
    assert entries(workspace.home) == THREE, "one change, one undo"
    assert kept_draft(workspace) is None


def test_what_cannot_be_done_is_no_step(workspace: Workspace) -> None:
    desk = Desk(workspace)
    with pytest.raises(Conflict):
        desk.add(Remove("memory", Exact("never there")))
    with pytest.raises(NothingTo):
        desk.add(Replace("memory", Exact(THREE[0]), THREE[0]))
    assert desk.draft is None


def test_the_layout_of_a_file_is_a_step_too(tmp_path: Path) -> None:
    home = home_with(tmp_path, b"one\r\n\xc2\xa7\r\ntwo \n", PAIR)
    space = workspace_of(home)
    try:
        desk = Desk(space)
        assert desk.add(Normalise("memory")) == Drafted(added=1)
        assert desk.view(read_home(space)).summary() == "draft · 1 step · same size"
        desk.apply(frozenset())
        assert (home / "memories" / "MEMORY.md").read_bytes() == "one\n§\ntwo".encode()
    finally:
        space.close()


def test_another_window_has_changed_the_draft(workspace: Workspace) -> None:
    mine = Desk(workspace)
    mine.add(Remove("memory", Exact(THREE[0])))
    theirs = opened(workspace)
    theirs.add(Remove("memory", Exact(THREE[1])))
    with pytest.raises(DraftMoved):
        mine.add(Remove("memory", Exact(THREE[2])))
    assert mine.steps == theirs.steps, "it goes on with what the draft is now"
    theirs.drop()
    with pytest.raises(DraftMoved):
        mine.take_back()
    assert mine.draft is None and mine.steps == ()
    assert mine.add(Remove("memory", Exact(THREE[2]))) == Drafted(added=1)


def test_it_survives_the_end_of_the_process_and_what_others_write(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)
    first = workspace_of(home)
    Desk(first).add(Remove("memory", Exact(THREE[0])), Replace("memory", Exact(THREE[1]), "Ledger."))
    first.close()
    (home / "memories" / "MEMORY.md").write_text("\n§\n".join(["From outside.", *THREE[:1], THREE[2]]), "utf-8")
    second = workspace_of(home)
    try:
        desk = opened(second)
        view = desk.view(read_home(second))
        assert view.standing.moved == ("memory",) and len(view.standing.conflicts) == 1
        assert view.home.stores["memory"].document.texts == ("From outside.", THREE[2])
        assert "1 no longer applies" in view.summary()
        with pytest.raises(Conflict):
            desk.apply(frozenset())
        assert desk.drop_conflicts() == Drafted(taken=1)
        desk.apply(frozenset())
        assert entries(home) == ["From outside.", THREE[2]]
    finally:
        second.close()
