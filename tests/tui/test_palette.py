"""The palette: everything of the registry by typing, with its keys and reasons; themes are only tried on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.tui.support import Screen, home_with, memory, press, running, text_of, toasts
from workbench.tui.parts.fuzzy import fuzzy
from workbench.tui.screens.palette import PaletteScreen


def palette(pilot: Screen) -> PaletteScreen:
    screen = pilot.app.screen
    assert isinstance(screen, PaletteScreen)
    return screen


def listed(pilot: Screen) -> list[str]:
    return [row.id for row in palette(pilot).list.rows if not row.heading]


def test_fuzzy_prefers_beginnings_and_needs_every_word() -> None:
    labels = ["undo · Take the newest change back", "redo · Repeat what was taken back", "range · Mark every entry"]
    scores = {label: match.score for label in labels if (match := fuzzy("un", label))}
    assert max(scores, key=lambda label: scores[label]).startswith("undo")
    assert fuzzy("undo back", labels[0]) is not None
    assert fuzzy("undo range", labels[0]) is None
    found = fuzzy("rng", labels[2])
    assert found is not None
    assert "".join(labels[2][a:b] for a, b in found.spans) == "rng"


@given(st.text(max_size=12), st.text(max_size=60))
def test_fuzzy_spans_are_in_order_and_spell_what_was_typed(wanted: str, text: str) -> None:
    found = fuzzy(wanted, text)
    if found is not None:
        flat = [index for span in found.spans for index in span]
        assert flat == sorted(flat)
        assert all(0 <= index <= len(text) for index in flat)


def test_everything_of_the_screen_is_there_with_key_and_reason(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one"]), (120, 50)) as pilot:
            await press(pilot, "ctrl+p")
            shown = text_of(pilot)
            assert "delete · Take the entry" in shown
            assert "undo · not now: There is nothing to undo." in shown
            assert {"new", "edit", "zoom", "quit", "help", "theme:light", "area_memory"} <= set(listed(pilot))
            assert not {"down", "up", "palette"} & set(listed(pilot))

    asyncio.run(run())


def test_typing_finds_and_enter_does(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one", "two"])) as pilot:
            await press(pilot, "ctrl+p", *"mark all")
            await press(pilot, "enter")
            assert len(memory(pilot).list.marks) == 2
            await press(pilot, "ctrl+p", *"nothing like it")
            assert "nothing fits" in text_of(pilot)
            await press(pilot, "enter")
            assert "Nothing fits what is typed." in toasts(pilot)
            await press(pilot, "escape")
            assert pilot.app.screen is memory(pilot)

    asyncio.run(run())


def test_what_is_impossible_now_says_why(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one"])) as pilot:
            await press(pilot, "ctrl+p", *"undo", "enter")
            assert "There is nothing to undo." in toasts(pilot)

    asyncio.run(run())


def test_a_theme_is_tried_on_and_taken_off_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(home_with(tmp_path, ["one"])) as pilot:
            await press(pilot, "ctrl+p", *"theme light")
            assert pilot.app.theme == "light"
            await press(pilot, "escape")
            assert pilot.app.theme == "dark"
            await press(pilot, "ctrl+p", *"theme", "down", "down")
            assert pilot.app.theme != "dark"
            tried = pilot.app.theme
            await press(pilot, "enter")
            assert pilot.app.theme == tried
            assert toasts(pilot)[-1] == f"Theme {tried}, kept in workbench/settings.yaml."

    asyncio.run(run())


def test_a_chosen_theme_is_kept_beside_what_else_stands_in_the_settings(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    path = home / "workbench" / "settings.yaml"
    path.parent.mkdir()

    async def run(*, read_only: bool = False) -> str:
        async with running(home, read_only=read_only) as pilot:
            await press(pilot, "ctrl+p", *"theme light", "enter")
            assert pilot.app.theme == "light"
            return toasts(pilot)[-1]

    path.write_text("# mine\ntheme: dark  # for the evening\nglyphs: unicode\n")
    assert asyncio.run(run(read_only=True)) == "Theme light, for this run only: opened with --read-only."
    assert "theme: dark" in path.read_text()
    asyncio.run(run())
    assert path.read_text() == "# mine\ntheme: light  # for the evening\nglyphs: unicode\n"
    path.write_text("theme: [\n")
    assert "for this run only. The YAML text cannot be edited safely" in asyncio.run(run())
    assert path.read_text() == "theme: [\n"


def test_a_broken_theme_of_the_user_says_so_and_changes_nothing(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    (home / "workbench" / "themes").mkdir(parents=True)
    (home / "workbench" / "themes" / "mine.yaml").write_text("colours: {primary: nope}\n")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "ctrl+p", *"mine", "enter")
            assert pilot.app.theme == "dark"
            assert "mine.yaml: colours.primary: 'nope' is no colour" in toasts(pilot)[-1]

    asyncio.run(run())


def test_pasted_controls_stay_harmless(tmp_path: Path) -> None:
    from textual import events

    async def run() -> None:
        async with running(home_with(tmp_path, ["one"])) as pilot:
            await press(pilot, "ctrl+p")
            pilot.app.screen.query_one("Input").post_message(events.Paste("\x1b]0;x\x07\nundo"))
            await pilot.pause()
            assert "\x1b" not in pilot.app.screen.query_one("Input").value  # type: ignore[attr-defined]

    asyncio.run(run())
