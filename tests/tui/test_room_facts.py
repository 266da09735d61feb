"""What the panel that makes room finds out: on files of every kind, at any size, masked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tui.support import NOW, home_with
from workbench.curation.suggestion import KINDS, QUIET
from workbench.home import HomeChoice
from workbench.memory import FILE_NAMES
from workbench.tui.drafting import Desk
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.diff_rows import Pair
from workbench.tui.room_facts import LABELS, RoomFacts, bars, compared, in_the_way, look, looked_at, step_rows
from workbench.workspace import Workspace

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "cases" / "memory_files.json").read_text("utf-8")
)
TWICE = ["Staging runs on papaya, port 8443, behind caddy.", "staging runs on papaya, port 8443, behind caddy"]


def looking(home: Path, view: str = "suggestions") -> RoomFacts:
    workspace = Workspace.open(HomeChoice(home, home, "default", "default home"), clock=lambda: NOW)
    try:
        return look(workspace, Desk(workspace), view, "memory")
    finally:
        workspace.close()


def test_every_kind_has_a_name() -> None:
    assert set(LABELS) == set(KINDS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_any_file_can_be_looked_at_and_nothing_is_written(tmp_path: Path, case: dict[str, Any]) -> None:
    home = home_with(tmp_path, case["raw"].encode() if "raw" in case else bytes.fromhex(case["raw_hex"]))
    data = (home / "memories" / "MEMORY.md").read_bytes()
    for view in ("suggestions", "plan", "removed"):
        facts = looking(home, view)
        assert set(facts.rows) == {one.id for one in facts.suggestions} and facts.steps == 0
        assert (facts.plan is None) == (view != "plan" or facts.plan_error is not None)
        assert FILE_NAMES["memory"] in bars(facts) and looked_at(facts)
        for one in facts.suggestions:
            assert compared(one, masked=True)
        if facts.plan is not None:
            assert len(step_rows(facts.plan, Glyphs())) == len(facts.plan.steps)
    assert (home / "memories" / "MEMORY.md").read_bytes() == data
    assert not (home / "workbench").exists(), "looking begins no history"


def test_a_file_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    facts = looking(home_with(tmp_path, b"\xff\xfe bad", ["Name: Robin"]))
    assert facts.unread == ("memory",) and bars(facts) == "MEMORY.md cannot be read · USER.md 0 %"
    assert "MEMORY.md cannot be read and was left out" in looked_at(facts) and "1 entry of USER.md" in looked_at(facts)


def test_an_entry_longer_than_the_limit_is_named_as_what_comes_first(tmp_path: Path) -> None:
    blob = "\n".join(f"- Fact {number} of the imported list" for number in range(90))
    facts = looking(home_with(tmp_path, [blob], ["Name: Robin"]))
    assert in_the_way(facts).startswith("MEMORY.md: one entry is longer") and "s on it" in in_the_way(facts)
    assert in_the_way(looking(home_with(tmp_path / "other", TWICE, ["Name: Robin"]))) == ""


def test_quiet_kinds_wait_to_be_asked_for_and_the_rest_goes_by_what_it_frees(tmp_path: Path) -> None:
    texts = [*TWICE, "2025-03-04: finished the migration, see /tmp/migration.log", "**Very**  important:  use `uv`."]
    facts = looking(home_with(tmp_path, texts))
    usual = facts.of_kind(None)
    assert usual and not QUIET & {one.kind for one in usual}
    assert [one.freed for one in usual] == sorted((one.freed for one in usual), reverse=True)
    assert [one.kind for one in facts.of_kind("time_bound")] == ["time_bound"]
    assert "time_bound" in facts.kinds and facts.fullest("memory") is None


def test_both_entries_are_compared_with_what_goes_first(tmp_path: Path) -> None:
    one = looking(home_with(tmp_path, TWICE)).of_kind("same")[0]
    lines = [row.line for row in compared(one, masked=True) if isinstance(row, Pair)]
    gone = "".join(piece.text for line in lines for piece in line.left or ())
    stays = "".join(piece.text for line in lines for piece in line.right or ())
    assert (gone, stays) == one.texts[:2]


def test_a_credential_is_masked_in_rows_and_comparison(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "Zq7" * 20
    texts = [f"The key of the shop is {key}, ask Robin.", f"the key of the shop is {key}, ask robin"]
    facts = looking(home_with(tmp_path, texts))
    assert facts.suggestions
    assert all(key not in row.text for row in facts.rows.values())
    assert all(key not in repr(compared(one, masked=True)) for one in facts.suggestions)
    assert any(key in repr(compared(one, masked=False)) for one in facts.suggestions)


def test_thousands_of_near_identical_entries(tmp_path: Path) -> None:
    texts = [f"Host node-{n:04d} takes SSH on port {2000 + n} since the firewall moved" for n in range(2_000)]
    facts = looking(home_with(tmp_path, texts, config="memory:\n  memory_char_limit: 400000\n"))
    assert facts.drafted["memory"] < 80 and len(facts.documents["memory"].texts) == 2_000
