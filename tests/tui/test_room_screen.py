"""Making room on the screen: a draft that collects every verb, and the panel of suggestions that fills it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.support import NOW, Screen, entries, home_with, memory, press, running, settle, text_of, toasts, until
from workbench.demo import make
from workbench.memory import parse
from workbench.tui.actions import of_scopes
from workbench.tui.drafting import kept_draft
from workbench.tui.live import News, Step
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.screens import reordering
from workbench.tui.screens.editor import EditorScreen
from workbench.tui.screens.room import RoomScreen

THREE = ["The first entry is about docker.", "A second one, about ledger.", "Third: staging has docker too."]
PAIR = ["Name: Robin Vale", "Prefers short answers"]
TWICE = [
    "Staging runs on papaya, port 8443, behind caddy.",
    "staging runs on papaya, port 8443, behind caddy",
    "The invoice parser reads ISO-8859-1 with decimal commas.",
]


def flat(pilot: Screen) -> str:
    return " ".join(text_of(pilot).replace("│", " ").split())


def room(pilot: Screen) -> RoomScreen:
    screen = pilot.app.screen
    assert isinstance(screen, RoomScreen)
    return screen


def badges(pilot: Screen, target: str = "memory") -> list[tuple[str, str]]:
    return [(row.text, row.badge) for row in memory(pilot).pane(target).list.rows]


def drafted(pilot: Screen, target: str = "memory") -> tuple[str, ...]:
    home = memory(pilot).home
    assert home is not None
    return home.stores[target].document.texts


# -- what a new user does -------------------------------------------------------------------------------------------


def test_the_near_full_file_of_the_demo_in_six_keys_and_one_takes_it_back(tmp_path: Path) -> None:
    home = make(tmp_path / "agent", now=NOW)
    before = entries(home), entries(home, "USER.md")

    async def run() -> None:
        async with running(home, (120, 36)) as pilot:
            assert "96 %" in flat(pilot) and "c makes room" in flat(pilot)
            shown = text_of(pilot).splitlines()[-1]
            assert " c room" in shown
            await press(pilot, "c")
            assert " A plan" in flat(pilot)
            await press(pilot, "A")
            plan = room(pilot).facts.plan if room(pilot).facts is not None else None  # type: ignore[union-attr]
            assert plan is not None and plan.reached
            rows = [row.text for row in room(pilot).ideas.rows]
            assert len(rows) == len(plan.steps)
            for step, row in zip(plan.steps, rows, strict=True):
                assert step.suggestion.why in row and f"{step.percent_after} %" in row
                assert step.suggestion.why.split(";")[0][:40] in flat(pilot), "each reason is in sight"
            assert f"A take all {len(plan.steps)}" in flat(pilot)
            await press(pilot, "A")
            assert pilot.app.screen is memory(pilot) and "96 % → 79 %" in flat(pilot)
            assert "draft · 5 steps" in flat(pilot) and "ctrl+s applies" in flat(pilot)
            assert " u back " in text_of(pilot).splitlines()[-1], "in a draft the key undoes no change on disk"
            assert (entries(home), entries(home, "USER.md")) == before, "nothing is written yet"
            await press(pilot, "u")
            assert "no step yet" in flat(pilot), "one key took all of the plan, and one takes it back"
            await press(pilot, "U")
            assert "draft · 5 steps" in flat(pilot)
            await press(pilot, "ctrl+s")
            assert "enter apply" in flat(pilot) and "takes all of it back" in flat(pilot)
            await press(pilot, "enter")
            await settle(pilot)
            assert "79 %" in flat(pilot) and "draft ·" not in flat(pilot)
            assert memory(pilot).home.stores["memory"].document.percent < 80  # type: ignore[union-attr]
            await press(pilot, "u")
            assert (entries(home), entries(home, "USER.md")) == before

    asyncio.run(run())


# -- drafts ---------------------------------------------------------------------------------------------------------


def test_every_verb_goes_into_the_draft_and_all_is_one_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reordering, "QUIET", 0.05)
    home = home_with(tmp_path, [*THREE, "Four, which is long.\nIt has a second line."], PAIR)
    whole = entries(home)

    async def run() -> None:
        async with running(home) as pilot:
            screen = memory(pilot)
            await press(pilot, "b")
            assert "no step yet" in flat(pilot)
            await press(pilot, "d")  # delete the first
            assert len(pilot.app.screen_stack) == 1, "a draft asks nothing: it is the preview"
            assert badges(pilot)[0] == (THREE[0], "−") and "draft · 1 step" in flat(pilot)
            await press(pilot, "e")
            assert "gone in the draft" in toasts(pilot)[-1]
            await press(pilot, "j", "e", "x", "ctrl+s")  # edit the second
            assert drafted(pilot)[0] == THREE[1] + "x" and "in the draft" in toasts(pilot)[-1]
            await press(pilot, "right_curly_bracket")
            await until(pilot, lambda: screen.desk is not None and len(screen.desk.steps) == 3)
            await settle(pilot)
            assert drafted(pilot)[:2] == (THREE[2], THREE[1] + "x")
            await press(pilot, "G", "s", "j", "space", "ctrl+s")
            await settle(pilot)
            await press(pilot, "g", "j", "greater_than_sign")
            await press(pilot, "i", "n", "ctrl+s")
            assert "n" in drafted(pilot) and entries(home) == whole and entries(home, "USER.md") == PAIR
            steps = screen.desk.steps if screen.desk is not None else ()
            assert [type(step).__name__ for step in steps][:3] == ["Remove", "Replace", "Reorder"]
            end = drafted(pilot), drafted(pilot, "user")
            await press(pilot, "u", "u", "U", "U")
            assert (drafted(pilot), drafted(pilot, "user")) == end
            await press(pilot, "ctrl+s", "enter")
            await settle(pilot)
            assert (tuple(entries(home)), tuple(entries(home, "USER.md"))) == end and screen.desk is None
            made = [change for change in screen.workspace.history.changes() if change.kind == "edit"]
            assert len(made) == 1
            await press(pilot, "u")
            assert entries(home) == whole and entries(home, "USER.md") == PAIR

    asyncio.run(run())


def test_a_merge_in_a_draft_is_a_step_like_any_other(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)
    merged = f"{THREE[0]}\n{THREE[2]}"

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "b", "space", "j", "j", "space", "m")
            assert len(pilot.app.screen_stack) == 2, "the editor"
            await press(pilot, "ctrl+s")
            await settle(pilot)
            assert len(pilot.app.screen_stack) == 1, "nothing is asked: the draft is the preview"
            assert drafted(pilot) == (merged, THREE[1]) and entries(home) == THREE
            assert "draft · 1 step" in flat(pilot) and "in the draft" in toasts(pilot)[-1]
            await press(pilot, "u")
            assert drafted(pilot) == tuple(THREE)
            await press(pilot, "U", "ctrl+s", "enter")
            await settle(pilot)
            assert entries(home) == [merged, THREE[1]]
            await press(pilot, "u")
            assert entries(home) == THREE

    asyncio.run(run())


def test_a_draft_is_left_kept_offered_again_and_thrown_away(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def first() -> None:
        async with running(home) as pilot:
            await press(pilot, "b", "b")
            assert memory(pilot).desk is None, "one without a step is simply left"
            await press(pilot, "b", "d", "b", "enter")
            assert memory(pilot).desk is None and badges(pilot)[0] == (THREE[0], "")
            await press(pilot, "c")
            assert "draft of 1 step, kept from before" in flat(pilot), "what is taken goes into that one"
            await press(pilot, "escape")
            assert memory(pilot).desk is None, "looking opens none"
            await press(pilot, "b")
            assert badges(pilot)[0] == (THREE[0], "−"), "the same key goes on with it"
            await press(pilot, "6", "q")
            assert "a draft of 1 step" in flat(pilot), "asked from every area"
            await press(pilot, "escape")

    async def second() -> None:
        async with running(home) as pilot:
            await until(pilot, lambda: "A draft of 1 step was kept" in flat(pilot))
            await press(pilot, "enter")
            assert badges(pilot)[0] == (THREE[0], "−")
            await press(pilot, "b", "d")
            assert memory(pilot).desk is None and badges(pilot)[0] == (THREE[0], "")
            assert kept_draft(memory(pilot).workspace) is None
            await press(pilot, "ctrl+s")
            assert "No draft is open" in toasts(pilot)[-1]

    asyncio.run(first())
    asyncio.run(second())
    assert entries(home) == THREE


def test_an_outside_change_meets_the_draft_and_what_no_longer_applies_is_shown(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "b", "d", "j", "d")
            now = ["From outside.", THREE[1], THREE[2]]
            (home / "memories" / "MEMORY.md").write_text("\n§\n".join(now), encoding="utf-8")
            memory(pilot).reload()
            await settle(pilot)
            assert "1 no longer applies" in flat(pilot)
            assert drafted(pilot) == ("From outside.", THREE[2])
            await press(pilot, "ctrl+s")
            assert "no longer applies" in flat(pilot) and "take out" in flat(pilot)
            await press(pilot, "enter", "ctrl+s", "enter")
            await settle(pilot)
            assert entries(home) == ["From outside.", THREE[2]]

    asyncio.run(run())


def test_an_open_editor_of_a_draft_is_not_disturbed_by_what_others_write(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "b", "e", "x", "ctrl+s", "e", "y")
            editor = pilot.app.screen
            assert isinstance(editor, EditorScreen)
            before, now = memory(pilot).workspace.documents(), parse(b"From outside.", "memory", 2200)
            news = News(frozenset({"memory"}), (Step("memory", before["memory"], now),), (), {"memory": now})
            editor.outside(news)
            await settle(pilot)
            assert pilot.app.screen is editor, "the drafted text is in no file, and that is no conflict"
            await press(pilot, "ctrl+s")
            assert drafted(pilot)[0] == THREE[0] + "xy"

    asyncio.run(run())


# -- the panel ------------------------------------------------------------------------------------------------------


def test_a_suggestion_is_compared_taken_taken_back_and_dismissed_for_good(tmp_path: Path) -> None:
    home = home_with(tmp_path, TWICE, PAIR)

    async def run() -> None:
        async with running(home, (120, 36)) as pilot:
            await press(pilot, "c")
            panel = room(pilot)
            first = panel.suggestion
            assert first is not None and first.kind == "same" and first.why in flat(pilot)
            await press(pilot, "enter")
            await settle(pilot)
            rows = [str(row) for row in panel.query_one(DiffView).rows]
            assert any("papaya" in row for row in rows) and "first what goes" in flat(pilot)
            await press(pilot, "escape", "a")
            assert memory(pilot).desk is not None and "draft of 1 step" in flat(pilot)
            assert all(one.kind != "same" for one in panel.facts.suggestions)  # type: ignore[union-attr]
            assert entries(home) == TWICE
            await press(pilot, "u")
            assert [row.id for row in panel.ideas.rows] == [first.id]
            await press(pilot, "r")
            assert [row.id for row in panel.ideas.rows] == ["remark"] and "Dismissed" in toasts(pilot)[-1]
            assert "Nothing to suggest. Looked at 3 entries of MEMORY.md" in flat(pilot)
            await press(pilot, "a")
            assert "No suggestion stands here" in toasts(pilot)[-1]
            await press(pilot, "escape", "c")
            assert room(pilot).suggestion is None, "it stays dismissed"

    asyncio.run(run())


def test_what_looks_time_bound_is_shown_only_when_asked_for(tmp_path: Path) -> None:
    dated = "2025-03-04: finished the migration of ledger, see /tmp/migration.log"
    home = home_with(tmp_path, [dated, TWICE[2]], PAIR)

    async def run() -> None:
        async with running(home, (120, 36)) as pilot:
            await press(pilot, "c")
            assert room(pilot).suggestion is None and "f shows 1 time-bound" in flat(pilot)
            await press(pilot, "f")
            found = room(pilot).suggestion
            assert found is not None and found.kind == "time_bound" and "only: time-bound" in flat(pilot)
            await press(pilot, "f")
            assert room(pilot).suggestion is None

    asyncio.run(run())


def test_an_entry_that_vanished_is_put_back_on_one_key(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home, (120, 36)) as pilot:
            await press(pilot, "j", "d", "enter")
            assert entries(home) == [THREE[0], THREE[2]]
            await press(pilot, "c", "o")
            assert "you · MEMORY.md" in flat(pilot) and THREE[1] in flat(pilot)
            await press(pilot, "a")
            assert "No entry vanished" in flat(pilot), "what is drafted to come back is not offered twice"
            await press(pilot, "ctrl+s")
            await until(pilot, lambda: "apply the draft" in flat(pilot))
            await press(pilot, "enter")
            await settle(pilot)
            assert entries(home) == THREE, "at its former place"

    asyncio.run(run())


def test_a_part_of_the_plan_is_taken(tmp_path: Path) -> None:
    home = make(tmp_path / "agent", now=NOW)

    async def run() -> None:
        async with running(home, (80, 24)) as pilot:
            await press(pilot, "c", "A", "j", "a")
            desk = memory(pilot).desk
            assert desk is not None and len(desk.steps) == 2 and "96 % → 88 %" in flat(pilot)

    asyncio.run(run())


KEYS = [action for action in of_scopes("room") if action.rank]


@pytest.mark.parametrize("state", ["full", "read-only"])
def test_every_key_of_the_panel_acts_or_gives_its_reason(tmp_path: Path, state: str) -> None:
    home = home_with(tmp_path, [] if state == "read-only" else TWICE, PAIR, "memory:\n  memory_char_limit: 180\n")

    async def run() -> None:
        async with running(home, (200, 50), read_only=state == "read-only") as pilot:
            for action in KEYS:
                if len(pilot.app.screen_stack) == 1:
                    await press(pilot, "c")
                panel = room(pilot)
                assert action.label in text_of(pilot) or action.id in ("plan", "view", "take")
                before = (text_of(pilot), len(toasts(pilot)))
                reason = panel.why_disabled(action.id)
                await press(pilot, action.keys[0])
                assert (text_of(pilot), len(toasts(pilot))) != before, f"{action.id} did nothing and said nothing"
                assert not reason or reason in toasts(pilot), f"{action.id} is greyed without saying why"
                while len(pilot.app.screen_stack) > 1:
                    await press(pilot, "escape")
                pilot.app.clear_notifications()

    asyncio.run(run())


def test_the_line_below_an_entry_says_what_it_is_good_for(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["User likes good code", "Deploy: 1. tag it 2. wait for CI 3. run ./deploy.sh"], PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            assert "too vague to act on" in flat(pilot)
            await press(pilot, "j")
            assert "reads like a procedure" in flat(pilot)
            await press(pilot, "question_mark", *("pagedown",) * 20)
            assert "What the line below an entry may say" in flat(pilot)

    asyncio.run(run())
