"""`cases/pending.json`, row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTS
from tests.inbox.support import opened, put_skill, queue, queue_raw
from tests.snapshots import tree
from workbench.errors import Blocked, OverBudget, WorkbenchError
from workbench.inbox import NotOurs

ROWS: list[dict[str, Any]] = json.loads((TESTS / "cases" / "pending.json").read_text("utf-8"))[1:]


def build(home: Path, row: dict[str, Any]) -> None:
    (home / "memories" / "MEMORY.md").write_text("\n§\n".join(row.get("store", [])), "utf-8")
    if "skill" in row:
        put_skill(home, text=row["skill"])
    for number, given in enumerate(row.get("records", [row["record"]] if "record" in row else [])):
        payload = dict(given)
        queue(home, f"0000000{number}", payload, subsystem=payload.pop("subsystem", "memory"), created=float(number))
    if "file" in row:
        queue_raw(home, row.get("filename", "aaaa1111.json").removesuffix(".json"), row["file"])


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_row(row: dict[str, Any], home: Path) -> None:
    build(home, row)
    before = tree(home)
    workspace = opened(home)
    previews = workspace.inbox.previews()
    assert len(previews) == len(row.get("records", [0]))
    assert tree(home) == before, "looking changes nothing"
    for one in previews:
        assert one.status == row.get("status", one.status)
        assert one.status == "ready" or one.reason
    first = previews[0]
    if "after" in row:
        assert first.outcome is not None
        assert list(first.outcome.after["memory"]) == row["after"]
    if "over" in row:
        assert isinstance(first.refused, OverBudget)
        assert first.refused.missing == row["over"]
    if "pattern" in row:
        assert isinstance(first.refused, Blocked)
        assert first.refused.patterns == row["pattern"]
    assert list(first.dropped) == row.get("dropped", [])
    if row.get("status", "ready") != "ready":
        kinds = NotOurs if row["status"] in ("unreadable", "unsupported") else WorkbenchError
        with pytest.raises(kinds):
            workspace.inbox.accept(first)
        assert {name: state for name, state in tree(home).items() if not name.startswith("workbench")} == before
    workspace.close()


def named(name: str) -> dict[str, Any]:
    return next(row for row in ROWS if row["id"] == name)


LOSS = frozenset({"--accept-loss"})


def test_rivals_are_grouped_and_the_second_goes_stale(home: Path) -> None:
    build(home, named("P02"))
    workspace = opened(home)
    first, second = workspace.inbox.previews()
    assert (first.rivals, second.rivals) == ((second.record.key,), (first.record.key,))
    workspace.inbox.accept(first, given=LOSS)
    (left,) = workspace.inbox.previews()
    assert (left.record, left.rivals, left.status) == (second.record, (), "stale")
    with pytest.raises(WorkbenchError, match="no longer there"):
        workspace.inbox.accept(second, given=LOSS)
    assert (home / "memories" / "MEMORY.md").read_text() == "Backups run on host papaya"
    workspace.close()


def test_a_rival_whose_text_matches_the_new_entry_too_is_stale_all_the_same(home: Path) -> None:
    build(home, named("P02"))
    workspace = opened(home)
    first, second = workspace.inbox.previews()
    workspace.inbox.accept(second, given=LOSS)
    (left,) = workspace.inbox.previews()
    assert (left.status, left.rivals) == ("stale", ())
    with pytest.raises(WorkbenchError, match="no longer there"):
        workspace.inbox.accept(first, given=LOSS)
    workspace.undo()
    assert [one.status for one in workspace.inbox.previews()] == [first.status, second.status], "and ready once more"
    workspace.inbox.accept(second, given=LOSS)
    again = opened(home)
    assert again.inbox.previews()[0].status == "lossy", "whoever looks for the first time sees what it would hit now"
    again.close()
    workspace.close()


def test_approve_all_of_six_stale_ones_changes_nothing(home: Path) -> None:
    build(home, named("P03"))
    before = tree(home)
    steps = opened(home).inbox.accept_all()
    assert [step.would for step in steps] == [False] * 6
    assert len({step.reason for step in steps}) == 6
    assert tree(home) == before


def test_a_record_whose_id_differs_is_flagged_applied_once_and_its_file_removed(home: Path) -> None:
    build(home, named("P07"))
    workspace = opened(home)
    (one,) = workspace.inbox.previews()
    assert one.record.id == "mismatch"
    assert "zzzz9999" in one.notes[0]
    workspace.inbox.accept(one)
    assert (home / "memories" / "MEMORY.md").read_text() == "mismatch fact"
    assert workspace.inbox.previews() == ()
    workspace.close()


@pytest.mark.parametrize("name", ["P04", "P05", "P08", "P19"])
def test_what_is_not_understood_is_never_removed(name: str, home: Path) -> None:
    build(home, named(name))
    workspace = opened(home)
    (one,) = workspace.inbox.previews()
    for act in (workspace.inbox.accept, lambda seen: workspace.inbox.refuse(seen.record)):
        with pytest.raises(NotOurs):
            act(one)
    assert one.record.data is not None, "there is a raw view"
    assert not workspace.inbox.accept_all()[0].would
    workspace.close()


def test_the_foreign_one_says_who_wrote_it(home: Path) -> None:
    build(home, named("P19"))
    assert "demo · demo_remember" in opened(home).inbox.previews()[0].reason
