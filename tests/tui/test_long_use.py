"""What has been shown and is over takes no memory any more, although Textual keeps hold of parts of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from textual.widget import Widget
from textual.widgets._toast import ToastHolder

from tests.tui.support import home_with, press, running, settle, until


def test_the_lines_a_closed_dialog_has_drawn_are_let_go(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one", "two"])) as pilot:
            await press(pilot, "question_mark")
            widgets = [pilot.app.screen, *pilot.app.screen.query(Widget)]
            caches = [widget._styles_cache for widget in widgets]
            assert any(cache._cache for cache in caches)
            await press(pilot, "escape")
            await until(pilot, lambda: not any(cache._cache or cache._simple_strip for cache in caches))

    asyncio.run(run())


def test_a_toast_that_is_cleared_leaves_no_holder_behind(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one"]), drawn_toasts=True) as pilot:
            for number in range(3):
                pilot.app.notify(f"said {number}", markup=False)
            await settle(pilot)
            assert len(pilot.app.screen.query(ToastHolder)) == 3
            pilot.app.clear_notifications()
            pilot.app.notify("said last", markup=False)
            await until(pilot, lambda: len(pilot.app.screen.query(ToastHolder)) == 1)

    asyncio.run(run())
