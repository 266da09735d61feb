"""Areas are built while idle: their first frame has its content, nothing is said of them before they are looked at."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

from textual.screen import Screen as AnyScreen

from tests.tui.support import home_with, press, running, settle, text_of, toasts
from workbench.errors import NothingTo
from workbench.tui import ahead
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.prompt import PromptScreen


def test_an_area_built_ahead_is_painted_at_once_with_its_content(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one about docker"])) as pilot:
            app = pilot.app
            await ahead.build(app, ["memory", "prompt", "history"])
            gc.unfreeze()
            await settle(pilot)
            assert app.current_mode == "memory"
            prompt = app._screen_stacks["prompt"][0]
            assert isinstance(prompt, PromptScreen) and prompt.view is not None
            app.switch_mode("prompt")  # and not a single turn of the loop more
            assert app._batch_count == 0 and app.screen is prompt
            assert "one about docker" in text_of(pilot) and "(an estimate)" in text_of(pilot)
            await settle(pilot)
            await press(pilot, "6")
            assert "as it was found" in text_of(pilot)

    asyncio.run(run())


def test_what_cannot_be_read_ahead_is_said_only_when_it_is_looked_at(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one"])) as pilot:
            app = pilot.app
            await ahead.build(app, ["prompt"])
            gc.unfreeze()
            await settle(pilot)
            prompt = app._screen_stacks["prompt"][0]
            assert isinstance(prompt, PromptScreen)
            shown: AnyScreen[object] = app.screen
            prompt.post_message(Unavailable(prompt.request, NothingTo("show")))
            await settle(pilot)
            assert app.screen is shown and toasts(pilot) == []
            await press(pilot, "5")
            prompt.post_message(Unavailable(prompt.request, NothingTo("show")))
            await settle(pilot)
            assert app.screen is not prompt

    asyncio.run(run())
