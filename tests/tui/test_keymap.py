"""The user's own keys: what is in force, what is refused and why; footer, help and palette follow."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.support import entries, home_with, memory, press, running, settle, text_of, toasts
from workbench.tui.actions import ACTIONS, AREAS, of_scopes
from workbench.tui.keymap import Keymap, full_id, normal, read_keymap

IDS = [full_id(action) for action in ACTIONS]


def keys_of(keymap: Keymap, name: str) -> tuple[str, ...]:
    return next(action.keys for action in keymap.apply(ACTIONS) if full_id(action) == name)


def whys(keymap: Keymap) -> list[str]:
    return [problem.why for problem in keymap.problems]


def with_settings(home: Path, text: str) -> Path:
    (home / "workbench").mkdir(exist_ok=True)
    (home / "workbench" / "settings.yaml").write_text(text, encoding="utf-8")
    return home


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("?", "question_mark"), ("!", "exclamation_mark"), ("/", "slash"), ("F5", "f5"), ("Ctrl+S", "ctrl+s"),
        ("esc", "escape"), ("shift+a", "A"), ("ctrl+/", "ctrl+slash"), ("A", "A"), ("a", "a"), ("PgDn", "pagedown"),
        ("+", "plus"), ("ctrl++", "ctrl+plus"), ("shift+ctrl+left", "ctrl+shift+left"),
    ],
)  # fmt: skip
def test_keys_may_be_written_as_people_do(written: str, named: str) -> None:
    assert normal(written) == named


def test_what_can_be_used_is_in_force() -> None:
    keymap = read_keymap({"memory.undo": ("f5",), "memory.edit": ("e", "F2")})
    assert keymap.problems == ()
    assert keys_of(keymap, "memory.undo") == ("f5",)
    assert keys_of(keymap, "memory.edit") == ("e", "f2")
    assert keys_of(keymap, "memory.delete") == ("d",)


def test_every_refusal_names_file_and_key_and_the_rest_is_applied() -> None:
    keymap = read_keymap(
        {
            "memory.undoo": ("f5",),
            "memory.delete": ("e", "f6"),
            "editor.save": ("s",),
            "memory.find": ("ctrk+f",),
            "memory.next": ("pagdown",),
            "memory.copy": ("ctrl+i",),
            "memory.zoom": ("ctrl+q",),
            "find.keep": ("f9",),
            "memory.undo": ("f7",),
        }
    )
    said = "\n".join(whys(keymap))
    assert all(why.startswith("settings.yaml: keys.") for why in whys(keymap))
    assert "keys.memory.undoo: there is no such action. Did you mean “memory.undo”?" in said
    assert "keys.memory.delete: e is “edit” already (memory.edit)." in said
    assert "keys.editor.save: s is typed into the text there" in said
    assert "keys.memory.find: “ctrk+f” is no key." in said
    assert "keys.memory.next: “pagdown” is no key. Did you mean “pagedown”?" in said
    assert "keys.memory.copy: a terminal cannot tell ctrl+i from tab." in said
    assert "keys.memory.zoom: ctrl+q leaves the workbench from anywhere" in said
    assert "keys.find.keep: its keys belong to the line" in said
    assert len(keymap.problems) == 8
    assert keymap.keys == {"memory.delete": ("f6",), "memory.undo": ("f7",)}


def test_two_actions_may_swap_their_keys() -> None:
    keymap = read_keymap({"memory.undo": ("d",), "memory.delete": ("u",)})
    assert keymap.problems == ()
    assert (keys_of(keymap, "memory.undo"), keys_of(keymap, "memory.delete")) == (("d",), ("u",))


def test_of_two_that_want_one_key_the_first_wins() -> None:
    keymap = read_keymap({"memory.undo": ("f5",), "memory.delete": ("f5",)})
    assert keymap.keys == {"memory.undo": ("f5",)}
    assert whys(keymap) == ["settings.yaml: keys.memory.delete: F5 is “undo” already (memory.undo)."]


def test_a_refused_key_that_gave_its_own_away_takes_others_down_with_it() -> None:
    # delete wants e and is refused, so it keeps d, and undo cannot have d.
    keymap = read_keymap({"memory.undo": ("d",), "memory.delete": ("e",)})
    assert keymap.keys == {}
    assert len(keymap.problems) == 2


def test_an_area_and_the_app_share_their_keys() -> None:
    assert "is “quit” already (app.quit)" in whys(read_keymap({"memory.undo": ("q",)}))[0]
    assert "(memory.edit)" in whys(read_keymap({"app.quit": ("e",)}))[0]
    assert read_keymap({"entry.copy": ("q",)}).problems == ()  # another screen, where q is free


@given(
    st.dictionaries(
        st.sampled_from([*IDS, "memory.nothing"]),
        st.lists(st.sampled_from(["e", "d", "u", "f5", "f6", "q", "?", "enter", "ctrl+s", "nokey", "1"]), max_size=3),
        max_size=8,
    )
)
def test_whatever_is_asked_for_no_key_means_two_things(wanted: dict[str, list[str]]) -> None:
    keymap = read_keymap(wanted)
    applied = keymap.apply(ACTIONS)
    for scope in {action.scope for action in ACTIONS}:
        group = [a for a in applied if a.scope == scope or (a.scope == "app" and scope in {b.id for b in AREAS})]
        taken = [key for action in group for key in action.keys]
        assert len(taken) == len(set(taken))
    assert all(action.keys for action in applied)


def test_the_registry_is_sound_across_area_and_app() -> None:
    for area in AREAS:
        taken = [key for action in of_scopes(area.id, "app") for key in action.keys]
        assert len(taken) == len(set(taken)), area.id


def test_keys_work_and_stand_in_footer_and_help(tmp_path: Path) -> None:
    home = with_settings(home_with(tmp_path, ["one", "two"]), "keys: {memory.delete: f8, memory.mark: [space, 'x']}\n")

    async def run() -> None:
        async with running(home) as pilot:
            assert "F8 delete" in text_of(pilot)
            await press(pilot, "d")
            assert pilot.app.screen is memory(pilot), "the old key is free"
            await press(pilot, "x")
            assert memory(pilot).list.marks
            await press(pilot, "question_mark")
            assert "F8" in text_of(pilot)
            assert "space  x" in text_of(pilot)
            await press(pilot, "escape", "f8", "enter")
            assert entries(home) == ["two"]

    asyncio.run(run())


def test_a_key_of_the_editor_works_while_typing(tmp_path: Path) -> None:
    home = with_settings(home_with(tmp_path, ["one"]), "keys: {editor.save: [f5, ctrl+a]}\n")

    async def run() -> None:
        async with running(home) as pilot:
            await press(pilot, "e", "x", "f5")
            assert entries(home) == ["onex"]
            await press(pilot, "e", "y", "ctrl+a")  # the text area knows this key too
            assert entries(home) == ["onexy"]

    asyncio.run(run())


def test_problems_are_one_notice_and_stand_in_the_help(tmp_path: Path) -> None:
    text = "keys: {memory.undoo: f5, memory.delete: e}\nmotoin: reduced\nkeys2: 1\n"
    home = with_settings(home_with(tmp_path, ["one"]), text)

    async def run() -> None:
        async with running(home) as pilot:
            await settle(pilot)
            (notice,) = toasts(pilot)
            assert "unknown key “motoin”. Did you mean “motion”?" in notice
            assert "and 1 more" in notice
            pilot.app.clear_notifications()
            await press(pilot, "question_mark", *["j"] * 40)
            shown = " ".join(text_of(pilot).replace("│", " ").split())
            assert "Settings not in force" in shown
            assert "there is no such action. Did you mean “memory.undo”?" in shown

    asyncio.run(run())


def test_a_hostile_settings_file_says_its_words_harmlessly(tmp_path: Path) -> None:
    home = with_settings(home_with(tmp_path, ["one"]), 'keys: {"memory.\\e]0;x\\a[/b]": f5}\n')

    async def run() -> None:
        async with running(home) as pilot:
            assert "\x1b" not in toasts(pilot)[0]
            await press(pilot, "question_mark")
            assert "\x1b" not in text_of(pilot)

    asyncio.run(run())
