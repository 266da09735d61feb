"""The parts by themselves: wrapping, the list at any size, the bar, the key line, themes, the registry."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.color import Color
from textual.strip import Strip

from workbench.tui import actions, themes
from workbench.tui.glyphs import PLAIN, Glyphs, choose
from workbench.tui.parts.footer import Key, KeyLine
from workbench.tui.parts.usage_bar import Usage, usage_of
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.parts.wrap import fit, wrap
from workbench.tui.screen_text import excerpt, safe
from workbench.tui.screens.editor import EditorScreen
from workbench.tui.screens.entry import EntryScreen
from workbench.tui.screens.help import HelpScreen
from workbench.tui.screens.history import HistoryScreen
from workbench.tui.screens.memory import MemoryScreen
from workbench.tui.screens.prompt import PromptScreen

# -- wrapping -------------------------------------------------------------------------------------------------------

texts = st.text(st.sampled_from("ab cdé本語 🙂\n-"), max_size=120)


@given(texts, st.integers(4, 40), st.integers(1, 5))
@settings(deadline=None)
def test_wrapped_lines_fit_and_keep_their_order(text: str, width: int, most: int) -> None:
    wrapped = wrap(text, width, most)
    assert 1 <= len(wrapped.lines) <= most
    at = 0
    for number, (start, end) in enumerate(wrapped.lines):
        last = wrapped.clipped and number == len(wrapped.lines) - 1
        assert at <= start <= end
        assert cell_len(text[start:end]) <= width - last
        assert not text[at:start].strip(), "only blanks may fall between lines"
        at = end
    if not wrapped.clipped:
        assert not text[at:].strip()


def test_wrap_breaks_at_blanks_and_inside_long_words() -> None:
    def lines(text: str, width: int, most: int = 9) -> list[str]:
        return [text[start:end] for start, end in wrap(text, width, most).lines]

    assert lines("one two three", 8) == ["one two", "three"]
    assert lines("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert lines("容器一律以普通用户", 8) == ["容器一律", "以普通用", "户"]
    assert lines("a\n\nb", 5) == ["a", "", "b"]
    assert wrap("word " * 50, 10, 3).clipped
    assert fit("much too long", 6) == "much…" and fit("short", 6) == "short"


# -- the list -------------------------------------------------------------------------------------------------------


class ListApp(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(themes.DEFAULT_DATA["variables"])

    def compose(self) -> ComposeResult:
        yield VirtualList()


def many(count: int) -> list[Row]:
    return [
        Row(str(number), f"row {number} " + "with some words " * (number % 9), str(number)) for number in range(count)
    ]


def test_a_huge_list_draws_only_what_is_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    original = VirtualList._draw

    def counting(self: VirtualList, index: int, number: int, width: int) -> Strip:
        drawn.append(index)
        return original(self, index, number, width)

    monkeypatch.setattr(VirtualList, "_draw", counting)

    async def run(count: int) -> int:
        drawn.clear()
        app = ListApp()
        async with app.run_test(size=(60, 20)) as pilot:
            app.query_one(VirtualList).set_rows(many(count))
            await pilot.pause()
            app.query_one(VirtualList).move(count)
            await pilot.pause()
            assert app.query_one(VirtualList).cursor_id == str(count - 1)
        return len(drawn)

    small, huge = asyncio.run(run(100)), asyncio.run(run(10_000))
    assert huge <= small + 40


def test_cursor_is_kept_by_id_and_steps_over_headings() -> None:
    async def run() -> None:
        app = ListApp()
        async with app.run_test(size=(60, 20)) as pilot:
            rows = app.query_one(VirtualList)
            heading = Row("h", "group", heading=True)
            rows.set_rows([heading, Row("a", "a"), Row("b", "b"), heading, Row("c", "c")])
            seen = [rows.cursor_id]
            for step in (-1, 2):
                rows.move(step)
                seen.append(rows.cursor_id)
            for left in ("cx", "xy", ""):
                rows.set_rows([Row(name, name) for name in left])
                seen.append(rows.cursor_id)
            rows.move(1)
            await pilot.pause()
            assert seen == ["a", "a", "c", "c", "x", None]

    asyncio.run(run())


def test_lines_have_the_width_of_the_list_and_matches_are_styled() -> None:
    async def run() -> None:
        app = ListApp()
        async with app.run_test(size=(30, 8)) as pilot:
            rows = app.query_one(VirtualList)
            rows.set_rows([Row("a", "本机运行 Debian 12，PostgreSQL 用 Podman 代替", "1", "⚠", "warning")])
            rows.set_matches({"a": ((5, 11),)})
            await pilot.pause()
            for y in range(8):
                assert rows.render_line(y).cell_length == rows.size.width
            segments: list[Segment] = [segment for y in range(3) for segment in rows.render_line(y)]
            match = rows.get_component_rich_style("virtual-list--match", partial=True)
            assert "".join(s.text for s in segments if s.style and s.style.bgcolor == match.bgcolor) == "Debian"

    asyncio.run(run())


# -- bar, keys, glyphs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("usage", "tone", "sentence"),
    [
        (Usage(1474, 2200, 67, 140), "calm", "room for ~5 more · 726 of 2,200 chars left"),
        (Usage(1760, 2200, 80, 140), "warning", "room for ~3 more · 440 of 2,200 chars left"),
        (Usage(2200, 2200, 100, 140), "warning", "no room for a typical entry · 0 of 2,200 chars left"),
        (Usage(3087, 2200, 140, 140), "error", "887 over: every add is refused"),
        (Usage(0, 1375, 0), "calm", "room for ~9 more · 1,375 of 1,375 chars left"),
        (Usage(5, -3, 0), "error", "the limit is -3: every add is refused"),
    ],
)
def test_usage_says_the_room_left(usage: Usage, tone: str, sentence: str) -> None:
    assert usage.tone == tone
    assert usage.sentence() == sentence


def test_usage_has_shorter_forms() -> None:
    usage = Usage(1474, 2200, 67, 140)
    assert usage.sentence(30) == "room for ~5 more · 726 left"
    assert usage.sentence(3) == "726 left"


def test_room_counts_in_this_stores_median_entry() -> None:
    assert usage_of(100, 1000, 10, [10, 20, 90]).room == 900 // 23
    assert usage_of(0, 1000, 0, []).room == 1000 // 143


@pytest.mark.parametrize("width", [20, 40, 60, 80, 118, 200, 320])
def test_key_line_is_cut_by_rank_and_always_keeps_help(width: int) -> None:
    line = KeyLine()
    line.keys = tuple(Key(action, "", action.label) for action in actions.of_scopes("memory", "app"))
    placed = line.placed(width)
    ids = [key.action.id for _, key in placed]
    assert "help" in ids
    end = 0
    for at, key in placed:
        assert at >= end, "keys do not overlap"
        end = at + cell_len(key.text)
    assert end <= width
    left_out = [key.action.rank for key in line.keys if key.action.rank and key.action.id not in ids]
    shown = [key.action.rank for _, key in placed]
    assert not left_out or max(shown) < min(left_out)
    assert width < 320 or not left_out


def test_glyphs_are_plain_where_the_terminal_cannot_show_others() -> None:
    assert choose({"LANG": "en_GB.UTF-8", "TERM": "xterm"}) == Glyphs()
    assert choose({"LANG": "de_DE.ISO-8859-1"}) == PLAIN
    assert choose({"TERM": "linux"}) == PLAIN
    assert all(sign.isascii() and len(sign) == 1 for sign in vars(PLAIN).values())


# -- text on screen -------------------------------------------------------------------------------------------------


def test_spans_of_the_original_are_led_through_mask_and_tokens() -> None:
    text = "a\x1bb Grafana API key: glsa_Zk3v9Q2mT7xW1bN8cR5y then evil end"
    at = text.index("evil")
    shown = excerpt(text, ((at, at + 4, "finding"), (1, 2, "finding")))
    assert [shown.text[start:end] for start, end, _ in shown.spans] == ["evil", "‹ESC›"]
    assert "glsa_Zk3v9Q2mT7xW1bN8cR5y" not in shown.text


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_spans_stay_inside_the_text(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    shown = excerpt(text, ((start, end, "finding"),))
    assert all(0 <= a < b <= len(shown.text) for a, b, _ in shown.spans)


def test_a_pile_of_combining_marks_is_cut_down() -> None:
    assert len(safe("a" + "\u0301" * 5_000 + "b")) < 20


# -- themes ---------------------------------------------------------------------------------------------------------


def test_default_theme_equals_its_file() -> None:
    path = themes.folder() / f"{themes.DEFAULT}.yaml"
    assert yaml.safe_load(path.read_text(encoding="utf-8")) == themes.DEFAULT_DATA


def _luminance(colour: Color) -> float:
    parts = [channel / 255 for channel in colour.rgb]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_themes_load_and_their_text_can_be_read() -> None:
    assert {"dark", "light", "ansi"} <= set(themes.names())
    for name in themes.names():
        theme = themes.load(name)
        assert theme.variables.keys() >= themes.DEFAULT_DATA["variables"].keys()
        if theme.ansi:
            continue
        ground = _luminance(Color.parse(theme.background or ""))
        for key in (theme.foreground, theme.warning, theme.error, theme.variables["wb-muted"]):
            other = _luminance(Color.parse(key or ""))
            ratio = (max(ground, other) + 0.05) / (min(ground, other) + 0.05)
            assert ratio >= 4.5, (name, key)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "mapping"),
        ({"colours": {}}, "colours.primary is missing"),
        ({"colours": {"primary": "#fff", "beige": "#fff"}}, "colours.beige is unknown"),
        ({"colours": {"primary": "reddish"}}, "primary: 'reddish' is no colour"),
        ({"colours": {"primary": "#fff"}, "variables": [1]}, "no mapping"),
    ],
)
def test_bad_themes_say_what_is_wrong(data: object, why: str) -> None:
    with pytest.raises(themes.BadTheme, match=re.escape(why)):
        themes.build(data, "mine")


def test_unknown_theme_names_the_known_ones() -> None:
    with pytest.raises(themes.BadTheme, match="dark, ansi, dusk, "):
        themes.load("../secret")


# -- the registry ---------------------------------------------------------------------------------------------------


def test_registry_is_sound() -> None:
    assert actions.clashes() == ()
    for action in actions.ACTIONS:
        assert not any("alt+" in key for key in action.keys), action
        assert action.label and action.tooltip and action.keys


def test_every_action_of_a_screen_does_something() -> None:
    for screen, scopes in (
        (MemoryScreen, ("memory", "app")),
        (PromptScreen, ("prompt", "app")),
        (HistoryScreen, ("history", "app")),
        (EntryScreen, ("entry",)),
        (EditorScreen, ("editor",)),
        (HelpScreen, ("help",)),
    ):
        for action in actions.of_scopes(*scopes):
            assert callable(getattr(screen, f"do_{action.id}", None)), (screen, action.id)


# -- the sources ----------------------------------------------------------------------------------------------------

SOURCES = sorted((Path(actions.__file__).parent).rglob("*.py"))


def test_markup_is_off_everywhere() -> None:
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"markup\s*=\s*True|from_markup|render_str\(", source), path
        for call in re.findall(r"\bnotify\([^\n]*(?:\n[^\n]*){0,3}?\)", source):
            assert "markup=False" in call, (path, call)
        if path.name != "plain.py":
            assert not re.search(r"\b(?:Static|Label|Button|OptionList|DataTable|Markdown|Tree)\(", source), path


def test_titles_never_read_markup() -> None:
    for path in SOURCES:
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.search(r"border_(?:sub)?title = ", line):
                assert "Content(" in line, (path, line)
