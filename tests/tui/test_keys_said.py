"""A key that is named in a sentence is the one the user has, not the one the registry came with."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.tui.support import home_with, press, running, text_of, toasts
from workbench.tui.keymap import shown

TUI = Path(__file__).parent.parent.parent / "workbench" / "tui"
# A key that stands in a sentence as a letter of its own: "u takes it back".
SAID = re.compile(
    r"[\"; .:(](?:[a-zA-Z]|esc|tab|space) (?:puts|takes|splits|goes|shows|writes|edits|leaves|quits|cuts)\b"
)


def test_without_an_app_the_key_of_the_registry_is_told() -> None:
    assert (shown("memory.undo"), shown("memory.find"), shown("history.back")) == ("u", "/", "esc")
    with pytest.raises(KeyError):
        shown("memory.nothing")


def test_sentences_name_the_users_keys(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two"], [])
    (home / "workbench").mkdir()
    keys = "keys: {memory.undo: f5, memory.new: f6, app.quit: f7, prompt.view: f8}"
    (home / "workbench" / "settings.yaml").write_text(keys)

    async def run() -> None:
        async with running(home) as pilot:
            assert "F6 writes the first entry." in text_of(pilot)  # an empty store
            await press(pilot, "escape")
            assert toasts(pilot)[-1] == "This is the outermost level; F7 quits."
            await press(pilot, "d", "enter")
            assert "F5 puts back" in toasts(pilot)[-1]
            await press(pilot, "5", "right_square_bracket")
            assert toasts(pilot)[-1].startswith("The blocks are shown; F8 shows")

    asyncio.run(run())


def test_no_sentence_names_a_key_of_its_own() -> None:
    said = {path.name: SAID.findall(path.read_text(encoding="utf-8")) for path in sorted(TUI.rglob("*.py"))}
    assert {name: found for name, found in said.items() if found} == {}


def test_every_action_named_in_a_sentence_exists() -> None:
    named = {
        name for path in TUI.rglob("*.py") for name in re.findall(r"shown\(['\"]([\w.]+)['\"]\)", path.read_text())
    }
    assert len(named) > 10
    assert [name for name in sorted(named) if not shown(name)] == []
