"""Cutting an entry by key: proposal, live pieces, the result before it is saved, and an entry over the limit."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.support import Screen, entries, home_with, memory, press, running, text_of, toasts, until
from workbench.tui.parts.dialogs import ConflictDialog
from workbench.tui.screens.split import SplitScreen

LIST = "Rules:\n- first rule\n- second rule\n- third rule"


def flat(pilot: Screen) -> str:
    return " ".join(text_of(pilot).replace("│", " ").split())


def split(pilot: Screen) -> SplitScreen:
    screen = pilot.app.screen
    assert isinstance(screen, SplitScreen)
    return screen


def test_the_proposal_is_shown_with_sizes_and_saved_in_place(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["before", LIST, "after"], None)
    pieces = ["Rules:\n- first rule", "- second rule", "- third rule"]

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "j", "s")
            assert list(split(pilot).pieces) == pieces
            shown = flat(pilot)
            assert "piece 1 · 19 chars" in shown and "piece 3 · 12 chars" in shown and "46 chars → 3 entries" in shown
            await until(pilot, lambda: "takes 4 characters" in flat(pilot))
            assert "no word is lost" in flat(pilot) and "2 % → 3 %" in flat(pilot)
            assert entries(home) == ["before", LIST, "after"]
            await press(pilot, "ctrl+s")
            assert entries(home) == ["before", *pieces, "after"]
            view = memory(pilot).entry
            assert view is not None and view.entry.text == pieces[0]
            await press(pilot, "u")
            assert entries(home) == ["before", LIST, "after"]

    asyncio.run(run())


def test_cuts_are_made_and_moved_by_key(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one\ntwo\nthree\nfour"], None)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "s")
            screen = split(pilot)
            assert list(screen.pieces) == ["one\ntwo\nthree\nfour"]
            for key, why in (
                ("space", "begins here"),
                ("ctrl+s", "Nothing is cut"),
                ("left_curly_bracket", "no cut"),
                ("a", "no structure"),
                ("right_square_bracket", "only one piece"),
            ):
                await press(pilot, key)
                assert why in toasts(pilot)[-1]
            await press(pilot, "j", "j", "space")
            assert list(screen.pieces) == ["one\ntwo", "three\nfour"]
            await press(pilot, "left_curly_bracket")
            assert list(screen.pieces) == ["one", "two\nthree\nfour"]
            await press(pilot, "left_curly_bracket")
            assert "no further up" in toasts(pilot)[-1]
            await press(pilot, "right_curly_bracket", "right_curly_bracket", "right_curly_bracket")
            assert list(screen.pieces) == ["one\ntwo\nthree", "four"] and "no further down" in toasts(pilot)[-1]
            await press(pilot, "k", "space", "left_square_bracket", "left_square_bracket")
            assert list(screen.pieces) == ["one\ntwo", "three", "four"] and screen.lines.cursor_id == "0"
            await press(pilot, "right_square_bracket", "space")
            assert list(screen.pieces) == ["one\ntwo\nthree", "four"], "the same key joins"
            await press(pilot, "asterisk")
            assert list(screen.pieces) == ["one", "two", "three", "four"]
            await press(pilot, "asterisk")
            assert len(screen.pieces) == 1

    asyncio.run(run())


def test_leaving_asks_when_cuts_were_made_by_hand(tmp_path: Path) -> None:
    home = home_with(tmp_path, [LIST], None)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "s", "escape")
            assert len(pilot.app.screen_stack) == 1
            await press(pilot, "s", "asterisk", "escape")
            assert "not saved" in flat(pilot)
            await press(pilot, "escape", "a", "escape")
            assert len(pilot.app.screen_stack) == 1 and entries(home) == [LIST]
            assert [row.badge for row in memory(pilot).list.rows] == [""], "the panes show the store again"

    asyncio.run(run())


def test_an_entry_over_the_whole_limit_is_cut_until_it_fits(tmp_path: Path) -> None:
    blob = "\n".join(f"- fact number {number} about the ledger" for number in range(10))
    home = home_with(tmp_path, [blob, "small"], None, "memory:\n  memory_char_limit: 100\n")

    async def run() -> None:
        async with running(home, (80, 24)) as pilot:
            await press(pilot, "s", "asterisk")
            await press(pilot, "j", "space")
            assert "more than the whole limit" in flat(pilot)
            await press(pilot, "a", "ctrl+s")
            assert entries(home) == [*blob.split("\n"), "small"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("theirs", "key", "left"),
    [
        (f"{LIST}, and theirs", "escape", None),
        (f"{LIST}, and theirs", "r", None),
        (f"{LIST}, and theirs", "i", "added"),
        (f"{LIST}, and theirs", "o", "instead"),
        ("altogether another one", "o", None),
    ],
)
def test_an_entry_that_changed_meanwhile_is_a_choice(tmp_path: Path, theirs: str, key: str, left: str | None) -> None:
    home = home_with(tmp_path, [LIST], None)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "s")
            pieces = list(split(pilot).pieces)
            (home / "memories" / "MEMORY.md").write_text(theirs, encoding="utf-8")
            await press(pilot, "ctrl+s")
            assert isinstance(pilot.app.screen, ConflictDialog)
            assert "and theirs" in flat(pilot) or "no longer in the store" in flat(pilot)
            await press(pilot, "1")
            assert pieces[-1][-8:] in flat(pilot)
            await press(pilot, key)
            if left == "instead" and entries(home) == [theirs]:
                await press(pilot, "enter")  # their words would be lost: that is asked
            assert entries(home) == {None: [theirs], "added": [theirs, *pieces], "instead": pieces}[left]
            if key == "escape":
                assert list(split(pilot).pieces) == pieces

    asyncio.run(run())


def test_hostile_lines_are_shown_as_tokens_and_saved_as_themselves(tmp_path: Path) -> None:
    text = "see [/b] \x1b]0;t\x07\n---\n\u202ereversed"
    home = home_with(tmp_path, [text], None)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "s")
            assert "‹ESC›" in text_of(pilot) and "\x1b" not in text_of(pilot) and "[/b]" in text_of(pilot)
            await press(pilot, "ctrl+s")
            assert entries(home) == ["see [/b] \x1b]0;t\x07", "\u202ereversed"]

    asyncio.run(run())
