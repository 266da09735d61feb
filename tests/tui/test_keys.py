"""Every key of the footer changes something, or says why it does not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.support import home_with, memory, press, running, text_of, toasts
from workbench.tui.actions import of_scopes

KEYS = [action for action in of_scopes("memory", "app") if action.rank and action.id not in ("quit", "sessions")]
STATES = ("full", "empty", "read-only")


@pytest.mark.parametrize("state", STATES)
def test_every_footer_key_acts_or_gives_its_reason(tmp_path: Path, state: str) -> None:
    content = [] if state == "empty" else ["one is about docker", "two", "three"]
    home = home_with(tmp_path, content, ["Name: Robin"])

    async def run() -> None:
        async with running(home, (200, 50), read_only=state == "read-only") as pilot:
            footer = text_of(pilot).splitlines()[-1]
            for action in KEYS:
                assert action.label in footer or action.rank > 21, "only the last ranks may fall off a wide footer"
                before = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), memory(pilot).list.cursor_id)
                reason = memory(pilot).why_disabled(action.id)
                await press(pilot, action.keys[0])
                after = (text_of(pilot), pilot.app.clipboard, len(toasts(pilot)), memory(pilot).list.cursor_id)
                assert before != after, f"{action.id} did nothing and said nothing"
                assert not reason or reason in toasts(pilot), f"{action.id} is greyed without saying why"
                while len(pilot.app.screen_stack) > 1:
                    await press(pilot, "escape")
                while memory(pilot)._back_to():
                    await press(pilot, "escape")
                pilot.app.clear_notifications()

    asyncio.run(run())
