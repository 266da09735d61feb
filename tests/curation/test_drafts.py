"""Drafts: kept at every step, taken back step by step, applied anew when the files move on, written as one change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.curation.drafts import Draft, Drafts
from workbench.errors import Conflict, DraftMoved, HistoryUnavailable, NothingTo, OverBudget, ReadOnly, Usage
from workbench.history.shelf import Shelf
from workbench.memory import Add, Batch, Contains, Exact, Move, Operation, Remove, Replace
from workbench.workspace import Workspace

Open = Callable[..., Workspace]
Put = Callable[..., Path]
STEPS: tuple[Operation, ...] = (
    Remove("memory", Exact("one")),
    Move("memory", Exact("two"), "user"),
    Replace("user", Exact("tea"), "green tea"),
)


def entries(workspace: Workspace, target: str = "memory") -> list[str]:
    return list(workspace.documents()[target].texts)


def begun(workspace: Workspace, *steps: Operation) -> Draft:
    return workspace.curation.drafts.add(workspace.curation.drafts.begin(workspace.documents()), *steps)


def test_a_draft_is_there_after_every_step_and_in_another_process(put: Put, open_home: Open) -> None:
    put(["one", "two", "three"])
    put(["tea"], "user")
    first = open_home()
    draft = first.curation.drafts.begin(first.documents())
    for number, step in enumerate(STEPS, 1):
        draft = first.curation.drafts.add(draft, step)
        second = open_home()
        (seen,) = second.curation.all_drafts()
        assert seen.steps == STEPS[:number] and seen.sheet == draft.sheet
        second.close()
    draft = first.curation.drafts.take_back(draft)
    draft = first.curation.drafts.take_back(draft, 0)
    assert draft.steps == STEPS[1:2]
    assert entries(first) == ["one", "two", "three"], "nothing is written by drafting"
    with pytest.raises(Usage, match="step 5"):
        first.curation.drafts.take_back(draft, 4)


def test_the_bars_and_the_one_change_and_the_one_undo(put: Put, open_home: Open) -> None:
    memory, user = put(["one", "two", "three"]), put(["tea"], "user")
    before = (memory.read_bytes(), user.read_bytes())
    workspace = open_home()
    draft = begun(workspace, *STEPS)
    standing = workspace.curation.stand(draft)
    assert standing.conflicts == () and standing.moved == ()
    assert standing.bar("memory") == (17, 0, 5, 0) and standing.bar("user")[2] == len("green tea\n§\ntwo")
    assert [step.chars["memory"] for step in standing.steps] == [11, 5, 5]
    written = workspace.curation.apply_draft(draft)
    assert written.change is not None
    assert entries(workspace) == ["three"] and entries(workspace, "user") == ["green tea", "two"]
    assert workspace.curation.all_drafts() == ()
    assert len(workspace.past.change(written.change).files) == 2
    workspace.undo()
    assert (memory.read_bytes(), user.read_bytes()) == before


def test_a_file_that_moved_on_keeps_what_still_applies_and_names_the_rest(put: Put, open_home: Open) -> None:
    put(["one", "two", "three"])
    put(["tea"], "user")
    workspace = open_home()
    draft = begun(workspace, *STEPS)
    put(["zero", "two", "three"])
    standing = workspace.curation.stand(draft)
    assert standing.moved == ("memory",)
    (conflict,) = standing.conflicts
    assert conflict.operation == STEPS[0] and isinstance(conflict.problem, Conflict)
    assert standing.outcome.after["memory"] == ("zero", "three")
    with pytest.raises(Conflict):
        workspace.curation.apply_draft(draft)
    assert entries(workspace) == ["zero", "two", "three"]
    draft = workspace.curation.drafts.take_back(draft, 0)
    workspace.curation.apply_draft(draft)
    assert entries(workspace) == ["zero", "three"]


def test_two_windows_cannot_change_one_draft_unseen(put: Put, open_home: Open) -> None:
    put(["one", "two"])
    mine, theirs = open_home(), open_home()
    draft = mine.curation.drafts.begin(mine.documents())
    (same,) = theirs.curation.all_drafts()
    theirs.curation.drafts.add(same, Remove("memory", Exact("one")))
    for act in (
        lambda: mine.curation.drafts.add(draft, Remove("memory", Exact("two"))),
        lambda: mine.curation.drafts.drop(draft),
    ):
        with pytest.raises(DraftMoved) as moved:
            act()
        assert moved.value.exit_code == 3
    (kept,) = mine.curation.all_drafts()
    assert kept.steps == (Remove("memory", Exact("one")),)
    with pytest.raises(DraftMoved):
        mine.curation.apply_draft(draft.__class__(draft.sheet, kept.steps, draft.base))
    assert entries(mine) == ["one", "two"]


def test_two_drafts_live_side_by_side(put: Put, open_home: Open) -> None:
    put(["one", "two"])
    mine, theirs = open_home(), open_home()
    one = mine.curation.drafts.add(mine.curation.drafts.begin(mine.documents()), Remove("memory", Exact("one")))
    two = theirs.curation.drafts.add(theirs.curation.drafts.begin(theirs.documents()), Add("memory", "three"))
    mine.curation.apply_draft(one)
    theirs.curation.apply_draft(two)
    assert entries(mine) == ["two", "three"]


def test_a_crash_behind_the_write_does_not_offer_the_draft_again(
    put: Put, open_home: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(["one", "two"])
    workspace = open_home()
    draft = begun(workspace, Remove("memory", Exact("one")))

    class Cut(Exception):
        """The process ends here."""

    def dies(shelf: Shelf, sheet: object) -> None:
        raise Cut

    with monkeypatch.context() as patch:
        patch.setattr(Shelf, "drop", dies)
        with pytest.raises(Cut):
            workspace.curation.apply_draft(draft)
    again = open_home()
    assert entries(again) == ["two"]
    assert again.curation.all_drafts() == ()


def test_a_write_that_failed_leaves_the_draft(put: Put, open_home: Open) -> None:
    put(["one", "two"])
    workspace = open_home()
    draft = begun(workspace, Add("memory", "x" * 2300))
    with pytest.raises(OverBudget):
        workspace.curation.apply_draft(draft)
    (kept,) = workspace.curation.all_drafts()
    assert kept.steps == draft.steps


def test_a_limit_is_checked_on_the_result_alone(put: Put, open_home: Open) -> None:
    put(["a" * 2000, "b"])
    workspace = open_home()
    steps = (Add("memory", "c" * 400), Remove("memory", Exact("a" * 2000)))
    draft = begun(workspace, *steps)
    assert workspace.curation.stand(draft).conflicts == ()
    workspace.curation.apply_draft(draft)
    assert entries(workspace) == ["b", "c" * 400]


def test_what_a_draft_refuses(put: Put, open_home: Open) -> None:
    put(["one"])
    workspace = open_home()
    draft = workspace.curation.drafts.begin(workspace.documents())
    with pytest.raises(Usage, match="whole text"):
        workspace.curation.drafts.add(draft, Batch((Remove("memory", Contains("on")),)))
    with pytest.raises(NothingTo):
        workspace.curation.apply_draft(draft)
    with pytest.raises(Usage, match="no draft 99"):
        workspace.curation.drafts.get(99)
    reader = open_home(read_only=True)
    assert [one.id for one in reader.curation.all_drafts()] == [draft.id]
    with pytest.raises(ReadOnly):
        Drafts(Shelf(reader.past)).drop(draft)


def test_a_forgotten_text_is_in_no_draft(put: Put, open_home: Open) -> None:
    put(["one", 'the "word"\nis x'])
    workspace = open_home()
    begun(workspace, Remove("memory", Exact('the "word"\nis x')))
    kept = begun(workspace, Remove("memory", Exact("one")))
    assert Shelf(workspace.history).forget('"word"\nis') == 1
    assert [draft.id for draft in workspace.curation.all_drafts()] == [kept.id]


def test_looking_for_drafts_begins_no_history(home: Path, put: Put, open_home: Open) -> None:
    put(["one", "One."])
    workspace = open_home()
    assert workspace.curation.all_drafts() == () and workspace.curation.suggest()
    assert not (home / "workbench").exists()


def test_a_history_that_cannot_be_written_refuses_the_step(put: Put, open_home: Open, home: Path) -> None:
    put(["one"])
    (home / "workbench").write_text("a file where the folder should be")
    with pytest.raises(HistoryUnavailable):
        workspace = open_home()
        workspace.curation.drafts.begin(workspace.documents())
