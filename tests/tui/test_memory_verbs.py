"""Merge, move, reorder, tidy, ranges: each is shown before it is made, is one change, and can be taken back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.support import Screen, entries, home_with, memory, press, running, settle, text_of, toasts, until
from workbench.tui.screens import reordering
from workbench.tui.screens.editor import EditorScreen

THREE = ["The first entry is about docker.", "A second one, about ledger.", "Third: staging has docker too."]
PAIR = ["Name: Robin Vale", "Prefers short answers"]
SMALL = "memory:\n  memory_char_limit: 200\n  user_char_limit: 60\n"


def flat(pilot: Screen) -> str:
    return " ".join(text_of(pilot).replace("│", " ").split())


def looks(pilot: Screen, target: str = "memory") -> list[tuple[str, str]]:
    """The rows of a pane with the sign at their right."""
    return [(row.text, row.badge) for row in memory(pilot).pane(target).list.rows]


def number_of_changes(pilot: Screen) -> int:
    return sum(change.kind == "edit" for change in memory(pilot).workspace.history.changes())


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reordering, "QUIET", 0.4)


# -- merge ----------------------------------------------------------------------------------------------------------


def test_merge_needs_two_marks_and_shows_the_result_before_it_is_written(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "m")
            assert "at least two" in toasts(pilot)[-1]
            await press(pilot, "space", "j", "space", "m")
            joined = f"{THREE[0]}\n{THREE[2]}"
            editor = pilot.app.screen
            assert isinstance(editor, EditorScreen) and editor.text_area.value == joined
            await until(pilot, lambda: "makes one of 2 entries" in flat(pilot))
            assert looks(pilot) == [(joined, "+"), (THREE[0], "−"), (THREE[1], ""), (THREE[2], "−")]
            assert entries(home) == THREE
            await press(pilot, "ctrl+s")
            assert entries(home) == [joined, THREE[1]]
            view = memory(pilot).entry
            assert view is not None and view.entry.text == joined and not memory(pilot).list.marks
            assert "Merged" in toasts(pilot)[-1]
            await press(pilot, "u")
            assert entries(home) == THREE

    asyncio.run(run())


def test_merge_left_without_typing_asks_nothing_and_shows_the_store_again(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "v", "j", "m")
            await until(pilot, lambda: looks(pilot)[0][1] == "+")
            await press(pilot, "escape")
            assert len(pilot.app.screen_stack) == 1 and looks(pilot) == [(text, "") for text in THREE]
            assert len(memory(pilot).list.marks) == 2, "what was marked stays marked"
            assert entries(home) == THREE

    asyncio.run(run())


def test_merge_meets_a_conflict(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)
    theirs = f"{THREE[0]} Theirs."

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "v", "j", "m")
            (home / "memories" / "MEMORY.md").write_text("\n§\n".join([theirs, *THREE[1:]]), encoding="utf-8")
            await press(pilot, "ctrl+s")
            assert "somebody else" in flat(pilot) and theirs in flat(pilot)
            await press(pilot, "o")
            assert entries(home) == [f"{THREE[0]}\n{THREE[1]}", THREE[2]]

    asyncio.run(run())


def test_a_credential_is_asked_about_before_it_is_merged_or_split(tmp_path: Path) -> None:
    secret = "glsa_Zk3v9Q2mT7xW1bN8cR5y"
    home = home_with(tmp_path, [f"Grafana API key: {secret}\nSecond line", "other"], PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            for keys in (("asterisk", "m"), ("asterisk", "s")):
                await press(pilot, *keys)
                assert "unmasked?" in flat(pilot) and secret not in text_of(pilot)
                await press(pilot, "escape")
            await press(pilot, "s", "enter")
            assert secret in text_of(pilot)

    asyncio.run(run())


# -- move -----------------------------------------------------------------------------------------------------------


def test_move_shows_both_panes_and_is_one_change(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "v", "j", "greater_than_sign")
            assert looks(pilot)[:2] == [(THREE[0], "−"), (THREE[1], "−")]
            assert looks(pilot, "user")[2:] == [(THREE[0], "+"), (THREE[1], "+")]
            shown = flat(pilot)
            assert "frees 65 characters" in shown and "takes 65 characters" in shown and "2 entries go" in shown
            assert "4 % → 1 %" in shown and "2 % → 7 %" in shown
            await press(pilot, "escape")
            assert looks(pilot) == [(text, "") for text in THREE] and entries(home) == THREE
            await press(pilot, "greater_than_sign", "enter")
            assert entries(home) == THREE[2:] and entries(home, "USER.md") == [*PAIR, *THREE[:2]]
            assert toasts(pilot)[-1].startswith("Moved 2 entries to USER.md")
            assert number_of_changes(pilot) == 1
            await press(pilot, "u")
            assert entries(home) == THREE and entries(home, "USER.md") == PAIR

    asyncio.run(run())


def test_an_open_question_follows_what_others_write(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "d")
            (home / "memories" / "MEMORY.md").write_text("\n§\n".join(["new", *THREE]), encoding="utf-8")
            memory(pilot).reload()
            await settle(pilot)
            assert looks(pilot)[:3] == [("new", ""), (THREE[0], "−"), (THREE[1], "")]
            await press(pilot, "enter")
            assert entries(home) == ["new", *THREE[1:]]

    asyncio.run(run())


def test_a_move_that_does_not_fit_says_what_is_missing(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR, SMALL)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "greater_than_sign")
            assert "Over budget by 15" in flat(pilot)
            await press(pilot, "escape")
            assert entries(home) == THREE and looks(pilot, "user") == [(text, "") for text in PAIR]

    asyncio.run(run())


def test_a_move_into_a_store_that_cannot_take_it_says_so(tmp_path: Path) -> None:
    async def run(home: Path, wanted: str) -> None:
        async with running(home) as pilot:
            await press(pilot, "greater_than_sign")
            assert wanted in toasts(pilot)[-1] and len(pilot.app.screen_stack) == 1

    asyncio.run(run(home_with(tmp_path / "a", THREE, b"\xff"), "cannot be read"))
    asyncio.run(run(home_with(tmp_path / "b", THREE, ["x" * 100], SMALL), "longer than its whole limit"))


# -- reorder --------------------------------------------------------------------------------------------------------


def test_quick_presses_are_one_change(tmp_path: Path, soon: None) -> None:
    home = home_with(tmp_path, [*THREE, "four"], PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "left_curly_bracket")
            assert "first one already" in toasts(pilot)[-1]
            await pilot.press("right_curly_bracket", "right_curly_bracket", "right_curly_bracket", "left_curly_bracket")
            assert [text for text, _ in looks(pilot)] == [*THREE[1:], THREE[0], "four"], "shown before it is written"
            await until(pilot, lambda: entries(home) == [*THREE[1:], THREE[0], "four"])
            await settle(pilot)
            assert number_of_changes(pilot) == 1
            view = memory(pilot).entry
            assert view is not None and (view.entry.text, view.number) == (THREE[0], 3)
            assert [sign for _, sign in looks(pilot)] == [""] * 4
            await press(pilot, "u")
            assert entries(home) == [*THREE, "four"]

    asyncio.run(run())


def test_presses_while_a_place_is_written_are_not_lost(tmp_path: Path, soon: None) -> None:
    many = [f"entry {number}" for number in range(12)]
    home = home_with(tmp_path, many, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            for _ in range(3):
                await pilot.press(*["right_curly_bracket"] * 3)
                memory(pilot).settle_place()  # as if the pause were over; the next presses come while it is written
            await until(pilot, lambda: memory(pilot).journey is None and memory(pilot).flown is None)
            await settle(pilot)
            assert entries(home) == [*many[1:10], many[0], *many[10:]]

    asyncio.run(run())


def test_another_key_writes_the_place_first_and_escape_forgets_it(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await pilot.press("right_curly_bracket")
            assert memory(pilot).unsaved
            await press(pilot, "escape")
            assert looks(pilot) == [(text, "") for text in THREE] and not memory(pilot).unsaved
            await press(pilot, "right_curly_bracket", "z")
            assert entries(home) == [THREE[1], THREE[0], THREE[2]] and memory(pilot).zoomed
            await press(pilot, "right_curly_bracket", "left_curly_bracket", "y")
            assert number_of_changes(pilot) == 1, "back where it was is no change"

    asyncio.run(run())


# -- tidy -----------------------------------------------------------------------------------------------------------


def test_tidy_shows_what_changes_and_leaves_the_entries(tmp_path: Path) -> None:
    raw = "\ufeffone  \r\n§\r\ntwo\n".encode()
    home = home_with(tmp_path, raw, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            assert "= shows what tidying it would change" in flat(pilot)
            await press(pilot, "equals_sign")
            shown = flat(pilot)
            assert "byte order mark" in shown and "2 CR LF" in shown and "No entry changes" in shown
            assert "− ‹U+FEFF›one··‹CR›" in text_of(pilot) and "+ one" in text_of(pilot)
            assert (home / "memories" / "MEMORY.md").read_bytes() == raw
            await press(pilot, "a")
            assert entries(home) == ["one", "two"]
            await press(pilot, "equals_sign")
            assert "already" in toasts(pilot)[-1]
            await press(pilot, "u")
            assert (home / "memories" / "MEMORY.md").read_bytes() == raw

    asyncio.run(run())


# -- whose, and states ----------------------------------------------------------------------------------------------


def test_undo_says_what_whose_and_when(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "d", "enter", "u")
            assert "Taken back: “remove in MEMORY.md”, yours, " in toasts(pilot)[-1]
            await press(pilot, "U")
            assert "Redone: “remove in MEMORY.md”, yours, " in toasts(pilot)[-1]
            (home / "memories" / "MEMORY.md").write_text("from elsewhere", encoding="utf-8")
            memory(pilot).reload()
            await settle(pilot)
            await press(pilot, "u")
            shown = flat(pilot)
            assert "somebody else's (client-shaped), " in shown and "+1 −2" in shown

    asyncio.run(run())


def test_a_lossy_store_offers_split_and_edit_first(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["- a bullet\n" * 30, "small"], PAIR, SMALL)

    async def run() -> None:
        async with running(home) as pilot:
            screen = memory(pilot)
            assert "s splits the entry" in flat(pilot)
            for action in ("delete", "move", "place_down", "new"):
                assert "longer than its whole limit" in screen.why_disabled(action), action
            assert not screen.why_disabled("split") and not screen.why_disabled("edit_outside")
            assert not screen.why_disabled("normalise"), "there all ways of putting it right are shown"
            await press(pilot, "j")
            assert "comes first" in screen.why_disabled("split")

    asyncio.run(run())


def test_what_was_said_never_covers_a_question(tmp_path: Path) -> None:
    home = home_with(tmp_path, THREE, PAIR)

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "m")
            assert toasts(pilot)
            await press(pilot, "d")
            assert toasts(pilot) == []

    asyncio.run(run())
