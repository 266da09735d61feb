"""The edited text of a waiting record outlives its terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.inbox.support import SKILL, put_skill, queue, skill
from tests.tui.support import home_with, press, text_of, toasts, until
from tests.tui.test_live import alive
from workbench.tui import unsaved
from workbench.tui.alive import AliveFace


def test_the_text_of_a_skills_record_is_kept_and_can_be_gone_on_with(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    skill_file = put_skill(home)
    queue(home, "aaaa1111", skill("edit", content=SKILL), subsystem="skills")
    queue(home, "bbbb2222", skill("patch", old_string="two", new_string="2"), subsystem="skills")

    async def run() -> None:
        async with alive(home) as pilot:
            await press(pilot, "2")
            await until(pilot, lambda: "waiting 2" in text_of(pilot))
            await press(pilot, "j", "e", "exclamation_mark")
            assert isinstance(pilot.app, AliveFace) and pilot.app.keep_drafts() == 1
        (kept,) = unsaved.found(home)
        assert kept.draft == unsaved.Draft("skills", "2!", record="skills/bbbb2222")
        async with alive(home) as pilot:
            await until(pilot, lambda: "skills/bbbb2222" in text_of(pilot))
            await press(pilot, "enter")
            await until(pilot, lambda: "edit and accept" in text_of(pilot))
            await press(pilot, "ctrl+s")
            await until(pilot, lambda: "2!" in skill_file.read_text())
            assert not unsaved.found(home)
        unsaved.keep(home, kept.draft)
        async with alive(home) as pilot:
            await until(pilot, lambda: "skills/bbbb2222" in text_of(pilot))
            await press(pilot, "enter")
            await until(pilot, lambda: "does not wait any more" in str(toasts(pilot)))
            assert unsaved.found(home), "the text is all there is of it"

    asyncio.run(run())
