"""Themes: all of ours can be read by everyone, a user's one is checked key by key; signs, motion, NO_COLOR."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import yaml
from textual.color import Color

from tests.tui.support import home_with, press, running, text_of, toasts
from workbench.tui import themes
from workbench.tui.glyphs import PLAIN, Glyphs, choose

OURS = [name for name in themes.names() if name != "ansi"]
# WCAG 2: 4.5 for text, 3 for what only has to be seen.
TEXT, MARK = 4.5, 3.0
ON = ("background", "surface")
PAIRS: list[tuple[str, tuple[str, ...], float]] = [
    ("foreground", ("background", "surface", "panel", "wb-cursor", "wb-cursor-blurred"), TEXT),
    ("wb-muted", ON, TEXT),
    ("wb-key", ON, TEXT),
    ("primary", ON, TEXT),
    ("warning", (*ON, "panel"), TEXT),
    ("error", ON, TEXT),
    ("success", ON, TEXT),
    ("accent", ON, TEXT),
    ("wb-match-text", ("wb-match",), TEXT),
    ("wb-finding-text", ("wb-finding",), TEXT),
    ("wb-muted", ("panel", "wb-cursor"), MARK),
    ("wb-off", ON, MARK),
    ("warning", ("wb-cursor",), MARK),
    ("error", ("wb-cursor",), MARK),
    ("wb-bar", ("background",), MARK),
    ("wb-frame-focus", ON, MARK),
]


def ratio(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [value / 255 for value in Color.parse(colour).rgb]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def colours_of(name: str) -> dict[str, str]:
    data = yaml.safe_load((themes.folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    return {**data["colours"], **data["variables"]}


def test_the_ratio_is_the_one_of_wcag() -> None:
    assert ratio("#ffffff", "#000000") == pytest.approx(21)
    assert ratio("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_there_are_eight_and_the_named_ones_among_them() -> None:
    assert len(themes.names()) >= 8
    assert {"dark", "light", "ansi", "high-contrast"} <= set(themes.names())


@pytest.mark.parametrize("name", themes.names())
def test_each_theme_of_ours_is_complete_and_named_after_its_file(name: str) -> None:
    data = yaml.safe_load((themes.folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    assert data["name"] == name
    assert set(themes.DEFAULT_DATA["variables"]) <= set(data["variables"])
    assert set(themes.DEFAULT_DATA["colours"]) <= set(data["colours"])
    assert themes.load(name).name == name


def test_the_default_is_its_file() -> None:
    assert yaml.safe_load((themes.folder() / "dark.yaml").read_text(encoding="utf-8")) == themes.DEFAULT_DATA


@pytest.mark.parametrize("name", OURS)
def test_everything_can_be_read(name: str) -> None:
    colours = colours_of(name)
    bad = [
        f"{ink} on {ground}: {found:.2f} < {least}"
        for ink, grounds, least in PAIRS
        for ground in grounds
        if (found := ratio(colours[ink], colours[ground])) < least
    ]
    assert not bad, "\n".join(bad)


def test_high_contrast_is_high() -> None:
    colours = colours_of("high-contrast")
    assert all(
        ratio(colours[ink], colours["background"]) >= 7 for ink in ("foreground", "wb-muted", "warning", "error")
    )


@pytest.mark.parametrize("name", themes.names())
def test_each_theme_starts_and_shows_the_same_text(name: str, tmp_path: Path) -> None:
    async def run() -> str:
        async with running(home_with(tmp_path, ["one", "two"]), (80, 24), theme=name) as pilot:
            await press(pilot, "j", "question_mark", "escape")
            return text_of(pilot)

    assert "two" in asyncio.run(run())


# -- a user's own -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colours: {primary: red, panl: red}", "mine.yaml: colours.panl is unknown. Did you mean “panel”?"),
        ("colours: {primary: '#12345'}", "mine.yaml: colours.primary: '#12345' is no colour"),
        ("colours: {accent: '#123456'}", "mine.yaml: colours.primary is missing"),
        ("colours: {primary: red}\nvariables: {wb-mutd: red}", "wb-mutd is unknown. Did you mean “wb-muted”?"),
        ("colors: {primary: red}\ncolours: {primary: red}", "mine.yaml: colors is unknown. Did you mean “colours”?"),
        ("colours: {primary: red}\ndark: maybe", "mine.yaml: dark must be true or false"),
        ("colours: {primary: red}\nvariables: {wb-cursor-style: blink}", "wb-cursor-style: 'blink' is no style"),
        ("colours: [", "mine.yaml is not valid YAML at line 2"),
        ("- 1", "mine.yaml: it needs a mapping"),
        ("colours: {primary: red}\nvariables: 3", "mine.yaml: variables is no mapping"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_file_key_and_nearest(text: str, said: str, tmp_path: Path) -> None:
    folder = themes.user_folder(tmp_path)
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(themes.BadTheme) as caught:
        themes.load("mine", tmp_path)
    assert said in str(caught.value)


def test_a_users_theme_wins_and_may_say_only_what_it_changes(tmp_path: Path) -> None:
    folder = themes.user_folder(tmp_path)
    folder.mkdir(parents=True)
    (folder / "dark.yaml").write_text("colours: {primary: '#abcdef'}\nvariables: {block-cursor-background: red}\n")
    theme = themes.load("dark", tmp_path)
    assert theme.primary == "#abcdef"
    assert theme.variables["wb-muted"] == themes.DEFAULT_DATA["variables"]["wb-muted"]
    assert themes.load("dark").primary != "#abcdef"


def test_a_light_theme_that_says_little_can_be_read_all_the_same(tmp_path: Path) -> None:
    folder = themes.user_folder(tmp_path)
    folder.mkdir(parents=True)
    (folder / "pale.yaml").write_text(
        "dark: false\ncolours: {primary: '#225577', foreground: '#222222', background: '#ffffff'}\n"
    )
    variables = themes.load("pale", tmp_path).variables
    assert ratio(variables["wb-muted"], "#ffffff") >= TEXT
    assert ratio("#222222", variables["wb-cursor"]) >= TEXT
    assert ratio(variables["wb-match-text"], variables["wb-match"]) >= TEXT


def test_a_theme_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(themes.BadTheme, match="Did you mean “light”"):
        themes.load("ligth", tmp_path)


def test_settings_name_the_theme_and_a_bad_one_is_said_once(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    (home / "workbench").mkdir()
    (home / "workbench" / "settings.yaml").write_text("theme: emberr\n")

    async def run() -> None:
        async with running(home) as pilot:
            assert pilot.app.theme == "dark"
            assert "Did you mean “ember”?" in toasts(pilot)[0]
        (home / "workbench" / "settings.yaml").write_text("theme: ember\n")
        async with running(home) as pilot:
            assert pilot.app.theme == "ember"
        async with running(home, theme="paper") as pilot:
            assert pilot.app.theme == "paper"  # --theme is asked for now, the settings for always

    asyncio.run(run())


# -- signs, motion, no colour -------------------------------------------------------------------------------------


def test_where_signs_are_plain() -> None:
    utf8 = {"LANG": "en_GB.UTF-8", "TERM": "xterm"}
    assert choose(utf8) == Glyphs()
    assert choose(utf8, "ascii") == PLAIN
    assert choose({"TERM": "dumb"}) == choose({"TERM": "linux"}) == choose({"LC_ALL": "de_DE.ISO-8859-1"}) == PLAIN
    assert choose({"TERM": "linux"}, "unicode") == Glyphs()


@pytest.mark.parametrize("keys", [(), ("e",), ("d",), ("question_mark",), ("ctrl+p",), ("slash",), ("u",)])
def test_plain_signs_everywhere(keys: tuple[str, ...], tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one", "two " * 400, *(f"entry {number}" for number in range(30))])
    (home / "workbench").mkdir()
    (home / "workbench" / "settings.yaml").write_text("glyphs: ascii\n")

    async def run() -> str:
        async with running(home, (100, 32)) as pilot:
            await press(pilot, *keys)
            return text_of(pilot)

    shown = asyncio.run(run())
    assert shown.isascii(), sorted({sign for sign in shown if not sign.isascii()})
    assert "+--" in shown


def test_letters_of_a_text_are_never_replaced(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["café 日本 §9"])
    (home / "workbench").mkdir()
    (home / "workbench" / "settings.yaml").write_text("glyphs: ascii\n")

    async def run() -> None:
        async with running(home) as pilot:
            assert "café 日本 §9" in text_of(pilot)

    asyncio.run(run())


def test_reduced_motion(tmp_path: Path) -> None:
    home = home_with(tmp_path, ["one"])
    (home / "workbench").mkdir()
    (home / "workbench" / "settings.yaml").write_text("motion: reduced\n")

    async def run() -> None:
        async with running(home) as pilot:
            assert pilot.app.animation_level == "none"
            await press(pilot, "e")
            assert pilot.app.focused is not None
            assert pilot.app.focused.cursor_blink is False  # type: ignore[attr-defined]

    asyncio.run(run())


def test_no_color_paints_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    home = home_with(tmp_path, ["one", "two"])

    async def run() -> None:
        async with running(home, theme="light") as pilot:
            await press(pilot, "j")
            for strip in pilot.app.screen._compositor.render_strips():
                for segment in strip:
                    style = segment.style
                    colours = () if style is None else (style.color, style.bgcolor)
                    assert all(colour is None or colour.is_default for colour in colours), segment
            reverse = [
                segment.text
                for strip in pilot.app.screen._compositor.render_strips()
                for segment in strip
                if segment.style is not None and segment.style.reverse
            ]
            assert any("two" in text for text in reverse), "the cursor is seen without colour"

    asyncio.run(run())
