"""The History area with the keyboard alone, on real files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.past_home import BUILD, FLUENT, NEW_HOST, OLD_HOST, REPORT, SUDO, home_with_past
from tests.tui.support import Screen, entries, home_with, memory, press, running, settle, text_of, toasts
from workbench.tui.actions import of_scopes
from workbench.tui.parts.change_list import ChangeList
from workbench.tui.parts.header import AreaTabs
from workbench.tui.screens import history_view
from workbench.tui.screens.changing import SNAPSHOT
from workbench.tui.screens.history import HistoryScreen


def history(pilot: Screen) -> HistoryScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, HistoryScreen)
    return screen


async def go_to(pilot: Screen, change: int) -> None:
    """The cursor on a change, by the keyboard."""
    if not isinstance(pilot.app.screen_stack[0], HistoryScreen):
        await press(pilot, "6")
    await press(pilot, "g")
    for _ in range(20):
        if history(pilot).list.cursor_id == str(change):
            return
        await press(pilot, "j")
    raise AssertionError(f"change {change} is not in the list")


def test_changes_stand_on_one_line_of_time_with_what_and_whose(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home, (200, 50)) as pilot:
            await press(pilot, "6")
            rows = [row for row in history(pilot).list.rows if not row.heading]
            assert [row.id for row in rows] == [str(number) for number in range(9, 0, -1)]
            text = {row.id: " ".join(row.text.split()) for row in rows}
            assert text["9"] == f"+1 you MEMORY {REPORT}"
            assert text["8"] == f"+1 −1 you undo: move an entry from MEMORY.md to USER.md: {BUILD}"
            assert text["7"].startswith("+1 −1 you taken back · move an entry from MEMORY.md to USER.md")
            assert text["6"] == f"+1 outside USER client-shaped · {FLUENT}"
            assert text["5"].startswith("−1") and text["4"].startswith("~1")
            assert text["1"].startswith("seen")
            assert {row.id: row.badge for row in rows if row.badge} == {"9": "u"}
            assert sum(row.heading for row in history(pilot).list.rows) == 3, "one heading a day"

    asyncio.run(run())


def test_the_difference_follows_the_cursor_in_three_views(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home, (150, 40)) as pilot:
            await go_to(pilot, 4)
            text = text_of(pilot)
            assert "change 4 · what it changed" in text and "MEMORY.md: 1 edited" in text
            assert f"− {OLD_HOST}" in text and "3 entries unchanged" in text
            await press(pilot, "o")
            text = text_of(pilot)
            assert "change 4 · against now" in text and f"− {SUDO}" in text and f"+ {REPORT}" in text
            await press(pilot, "o")
            text = text_of(pilot)
            assert "change 4 · whole file" in text and BUILD in text and "bytes →" in text
            await press(pilot, "escape")
            assert "what it changed" in text_of(pilot)

    asyncio.run(run())


def test_two_marked_changes_are_compared(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 4)
            await press(pilot, "space")
            await go_to(pilot, 9)
            await press(pilot, "space")
            text = text_of(pilot)
            assert "from change 4 to change 9" in text
            assert f"− {SUDO}" in text and f"+ {FLUENT}" in text and f"+ {REPORT}" in text
            assert "2 of 2 marked" in text
            await press(pilot, "j", "space")
            assert history(pilot).chosen == (9, 7), "a third mark takes the place of the first"
            await press(pilot, "escape")
            assert "change 6 · what it changed" in text_of(pilot)

    asyncio.run(run())


def test_one_change_is_taken_back_alone_after_its_effect_was_shown(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 3)
            await press(pilot, "minus")
            text = " ".join(text_of(pilot).replace("│", " ").split())
            assert "1 entry is lost." in text and "− The build machine runs Debian 12" in text
            assert BUILD in entries(home)
            await press(pilot, "enter")
            assert BUILD not in entries(home) and REPORT in entries(home)
            assert SNAPSHOT in toasts(pilot)[-1]
            assert history(pilot).change_set is not None
            await go_to(pilot, 3)
            await press(pilot, "minus")
            assert "taken back already" in toasts(pilot)[-1]

    asyncio.run(run())


def test_somebody_elses_change_says_so_before_it_is_taken_back(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 6)
            await press(pilot, "minus")
            assert "not yours" in " ".join(text_of(pilot).split())
            await press(pilot, "escape")
            assert FLUENT in entries(home, "USER.md")
            await press(pilot, "minus", "enter")
            assert FLUENT not in entries(home, "USER.md")

    asyncio.run(run())


def test_a_version_is_restored_whole_and_the_loss_is_named(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 9)
            await press(pilot, "less_than_sign")
            assert "hold this version already" in toasts(pilot)[-1]
            await go_to(pilot, 4)
            await press(pilot, "less_than_sign")
            text = " ".join(text_of(pilot).replace("│", " ").split())
            assert "back to how change 4 left it. 1 entry is lost, 1 comes back." in text
            await press(pilot, "enter")
            now = entries(home)
            assert SUDO in now and NEW_HOST in now and REPORT not in now
            assert "Restored: MEMORY.md." in toasts(pilot)[-1]
            await press(pilot, "u")
            assert SUDO not in entries(home) and REPORT in entries(home)

    asyncio.run(run())


def test_a_file_that_moves_on_during_the_question_is_asked_about_again(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)
    path = home / "memories" / "MEMORY.md"

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 4)
            await press(pilot, "less_than_sign")
            path.write_bytes(path.read_bytes() + "\n§\nwritten meanwhile".encode())
            await press(pilot, "enter")
            assert "written meanwhile" in entries(home)
            assert "− written meanwhile" in text_of(pilot), "now named among what is lost"
            await press(pilot, "enter")
            assert "written meanwhile" not in entries(home) and SUDO in entries(home)

    asyncio.run(run())


def test_one_removed_entry_goes_back_to_its_place(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)
    before = entries(home)

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 5)
            await press(pilot, "enter", "less_than_sign")
            assert "The entry comes back." in text_of(pilot)
            await press(pilot, "enter")
            assert entries(home) == [before[0], SUDO, *before[1:]]

    asyncio.run(run())


def test_one_edited_entry_gets_its_former_text_back(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 4)
            await press(pilot, "tab", "less_than_sign")
            assert "the present one is lost" in text_of(pilot)
            await press(pilot, "enter")
            assert OLD_HOST in entries(home) and NEW_HOST not in entries(home)

    asyncio.run(run())


def test_an_entry_that_has_moved_on_is_a_conflict_with_nothing_lost(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)
    path = home / "memories" / "MEMORY.md"
    moved_on = NEW_HOST.replace("new rack", "third rack")
    path.write_text(path.read_text(encoding="utf-8").replace(NEW_HOST, moved_on), encoding="utf-8")

    async def run() -> None:
        async with running(home) as pilot:
            await go_to(pilot, 4)
            await press(pilot, "minus")
            text = text_of(pilot)
            assert "changed by somebody else" in text and "third rack" in text
            await press(pilot, "o")
            assert OLD_HOST in entries(home) and moved_on not in entries(home)

    asyncio.run(run())


def test_undo_and_redo_follow_their_marks(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "6", "u")
            assert REPORT not in entries(home)
            badges = {row.id: row.badge for row in history(pilot).list.rows if row.badge}
            assert badges == {"9": "U", "6": "u"}
            await press(pilot, "U")
            assert REPORT in entries(home)

    asyncio.run(run())


def test_finding_looks_into_what_came_and_went(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "6", "slash", *"sudo")
            assert history(pilot).matching == ("5", "1"), (
                "the first sight brought it too, though its row does not say so"
            )
            assert history(pilot).list.cursor_id == "5"
            await press(pilot, "enter", "n")
            assert history(pilot).list.cursor_id == "1"
            await press(pilot, "escape")
            assert history(pilot).matching == ()
            await press(pilot, "slash", *"undo:", "enter")
            assert history(pilot).list.cursor_id == "8"

    asyncio.run(run())


def test_older_changes_are_read_when_they_are_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = home_with_past(tmp_path)
    monkeypatch.setattr(history_view, "PAGE", 2)
    monkeypatch.setattr(history_view, "GROWTH", 2)
    monkeypatch.setattr(ChangeList, "near_end", lambda self: False)

    async def run() -> None:
        async with running(home, (80, 24)) as pilot:
            await press(pilot, "6")
            assert len(history(pilot).past.changes) == 2  # type: ignore[union-attr]
            assert "2+ changes" in text_of(pilot)
            assert history(pilot).more()
            await press(pilot, "G")
            assert history(pilot).list.cursor_id == "1" and "9 changes" in text_of(pilot)

    asyncio.run(run())


def test_areas_can_be_clicked(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await pilot.click(AreaTabs, offset=(text_of(pilot).splitlines()[1].index("History") + 2, 0))
            await settle(pilot)
            assert history(pilot).past is not None
            await pilot.click(AreaTabs, offset=(4, 0))
            await settle(pilot)
            assert memory(pilot).list.has_focus

    asyncio.run(run())


def test_small_terminals_open_the_difference_in_place_of_the_list(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home, (80, 24)) as pilot:
            await press(pilot, "6")
            assert "MEMORY.md: 1 added" not in text_of(pilot)
            await press(pilot, "enter")
            text = text_of(pilot)
            assert f"+ {REPORT}" in text and "outside" not in text
            await press(pilot, "escape")
            assert "outside" in text_of(pilot)

    asyncio.run(run())


def test_restoring_an_empty_version_asks_for_the_word(tmp_path: Path) -> None:
    home = home_with(tmp_path, [], [])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "i", *"first", "ctrl+s", "6", "G", "k")
            screen = history(pilot)
            assert screen.change_set is not None and screen.change_set.kind == "baseline"
            await press(pilot, "G")
            if "MEMORY" not in screen.change_set.label:
                await press(pilot, "k")
            await press(pilot, "less_than_sign", "enter")
            assert entries(home) == ["first"], "enter alone is not enough"
            await press(pilot, *"empty", "enter")
            assert entries(home) == []

    asyncio.run(run())


@pytest.mark.parametrize("state", ["past", "nothing", "read-only"])
def test_every_key_acts_or_gives_its_reason(tmp_path: Path, state: str) -> None:
    home = home_with(tmp_path, [], []) if state == "nothing" else home_with_past(tmp_path)

    async def run() -> None:
        async with running(home, (200, 50), read_only=state != "past") as pilot:
            await press(pilot, "6")
            for action in of_scopes("history"):
                screen = history(pilot)
                before = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.list.cursor_id)
                reason = screen.why_disabled(action.id)
                await press(pilot, action.keys[0])
                after = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.list.cursor_id)
                assert before != after or action.group == "move", f"{action.id} did nothing and said nothing"
                assert not reason or reason in toasts(pilot), f"{action.id} is greyed without saying why"
                while len(pilot.app.screen_stack) > 1:
                    await press(pilot, "escape")
                while history(pilot)._back_to():
                    await press(pilot, "escape")
                pilot.app.clear_notifications()

    asyncio.run(run())
