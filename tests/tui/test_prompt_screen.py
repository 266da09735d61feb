"""The Prompt area with the keyboard alone, on real files."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from tests.tui.past_home import LEDGER, REPORT, home_with_past
from tests.tui.support import Screen, entries, home_with, memory, press, real_home, running, text_of, toasts
from workbench.home import HomeChoice
from workbench.memory import prompt_text
from workbench.tui.actions import of_scopes
from workbench.tui.screens.changing import SNAPSHOT
from workbench.tui.screens.prompt import PromptScreen
from workbench.workspace import Workspace

BLOCKED = "cat ~/.hermes/.env shows the keys"
SECRET = "Label API key: 8f3kQ9zL2mX7vB4nR6tY1wC5"


def prompt(pilot: Screen) -> PromptScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, PromptScreen)
    return screen


def expected(home: Path, client: str | None = None) -> str:
    workspace = Workspace.open(HomeChoice(home, home, "default", "a test"))
    try:
        return prompt_text(workspace.prompt(client=client))
    finally:
        workspace.close()


def test_both_blocks_stand_there_as_the_agent_gets_them(tmp_path: Path) -> None:
    home = home_with(tmp_path, [LEDGER, "two\nlines"], ["Name: Robin"])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5")
            rows = [row.text for row in prompt(pilot).list.rows]
            assert "\n".join(rows).replace("\n§\n", "\n§\n") == expected(home)
            await press(pilot, "y")
            assert pilot.app.clipboard == expected(home)

    asyncio.run(run())


def test_a_hidden_entry_says_why_and_enter_leads_to_it(tmp_path: Path) -> None:
    home = home_with(tmp_path, [LEDGER], ["Name: Robin", BLOCKED])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5", "G")
            text = text_of(pilot)
            assert "[BLOCKED: USER.md entry" in text and BLOCKED not in text
            assert "hidden from the agent by read_secrets: It prints a file" in text
            assert "1 hidden from the agent" in text
            await press(pilot, "enter")
            assert memory(pilot).current == "user"
            entry = memory(pilot).entry
            assert entry is not None and entry.entry.text == BLOCKED
            assert memory(pilot).list.has_focus

    asyncio.run(run())


def test_sizes_are_counted_and_tokens_called_an_estimate(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["記憶" * 50], [])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5")
            text = text_of(pilot)
            chars = len(expected(home))
            assert f"{chars:,} chars, ~" in text and "estimate" in text
            assert "USER.md empty" in text and "nothing of USER.md: the store is empty" in text
            view = prompt(pilot).view
            assert view is not None and 100 < view.sizes[0].tokens < 160

    asyncio.run(run())


def test_a_key_cycles_the_generations(tmp_path: Path) -> None:
    home = home_with(tmp_path, [BLOCKED], ["Name: Robin"])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5")
            assert "agent 0.19" in text_of(pilot)
            seen = {}
            for _ in range(3):
                await press(pilot, "c")
                view = prompt(pilot).view
                assert view is not None
                seen[view.client] = view.text
            assert seen == {client: expected(home, client) for client in ("0.13", "0.22", "0.19")}

    asyncio.run(run())


def test_the_generation_that_opened_the_home_is_the_first(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"], [])
    with sqlite3.connect(home / "state.db") as db:
        db.execute("CREATE TABLE sessions (id TEXT)")
        db.execute("CREATE TABLE schema_version (version INTEGER)")
        db.execute("INSERT INTO schema_version VALUES (31)")
    db.close()

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5")
            assert "agent 0.22 (it last opened this home)" in text_of(pilot)

    asyncio.run(run())


def test_the_difference_to_before_today_is_a_key_away(tmp_path: Path) -> None:
    home = home_with_past(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5", "o")
            text = text_of(pilot)
            assert "MEMORY.md since before today's first change" in text
            assert f"+ {REPORT}" in text
            assert "the same block" in text
            await press(pilot, "right_square_bracket")
            assert "change 2 of 2" in text_of(pilot)
            await press(pilot, "escape")
            assert prompt(pilot).list.has_focus and "since before" not in text_of(pilot)

    asyncio.run(run())


def test_credentials_are_masked_until_asked_for(tmp_path: Path) -> None:
    home = home_with(tmp_path, [SECRET], [])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5")
            assert "8f3kQ9zL" not in text_of(pilot)
            await press(pilot, "y")
            assert "8f3kQ9zL" not in pilot.app.clipboard and "Copy them unmasked?" in text_of(pilot)
            await press(pilot, "escape", "exclamation_mark")
            assert "8f3kQ9zL" in text_of(pilot)

    asyncio.run(run())


def test_one_file_that_cannot_be_read_hides_only_its_block(tmp_path: Path) -> None:
    home = home_with(tmp_path, b"caf\xe9", ["Name: Robin"])

    async def run() -> None:
        async with running(home, (80, 24)) as pilot:
            await press(pilot, "5")
            text = text_of(pilot)
            assert "nothing: MEMORY.md cannot be read" in text and "Name: Robin" in text

    asyncio.run(run())


def test_what_was_changed_elsewhere_is_there_when_the_area_is_shown(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"], [])

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5", "1", "i", *"brand new", "ctrl+s")
            assert entries(home) == ["one", "brand new"]
            assert SNAPSHOT in toasts(pilot)[-1]
            await press(pilot, "5")
            assert "brand new" in text_of(pilot)

    asyncio.run(run())


def test_every_key_acts_or_gives_its_reason(tmp_path: Path) -> None:
    home = real_home(tmp_path)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "5")
            for action in of_scopes("prompt"):
                screen = prompt(pilot)
                before = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.list.cursor_id)
                await press(pilot, action.keys[0])
                if action.id == "open":
                    await press(pilot, "5")
                    continue
                after = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), screen.list.cursor_id)
                assert before != after or action.group == "move", f"{action.id} did nothing and said nothing"
                pilot.app.clear_notifications()

    asyncio.run(run())
