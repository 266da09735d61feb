"""The difference as rows, and the view that draws it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from workbench.memory import difference
from workbench.tui import themes
from workbench.tui.glyphs import PLAIN
from workbench.tui.parts.diff_rows import DiffRow, Pair, Remark, entry_rows, text_rows
from workbench.tui.parts.diff_view import DiffView, hunks_of

BEFORE = ["Staging listens on port 2222", "Do not use sudo", "stays"]
AFTER = ["Staging listens on port 2200", "stays", "Weekly report on Friday"]


class DiffApp(App[None]):
    def __init__(self, view: DiffView) -> None:
        super().__init__()
        self.view = view

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(themes.DEFAULT_DATA["variables"])

    def compose(self) -> ComposeResult:
        yield self.view


def shown(view: DiffView) -> list[str]:
    return [view.render_line(y).text.replace(view.glyphs.cursor, " ").rstrip() for y in range(view.size.height)]


def drawn(
    rows: Sequence[DiffRow],
    size: tuple[int, int] = (60, 14),
    then: Callable[[DiffView, Pilot[None]], Awaitable[None]] | None = None,
    *,
    numbers: bool = False,
    view: DiffView | None = None,
) -> list[str]:
    """What a view of these rows shows, after `then` was done with it."""
    view = view or DiffView()

    async def run() -> list[str]:
        async with DiffApp(view).run_test(size=size) as pilot:
            view.show(rows, numbers=numbers)
            await pilot.pause()
            if then is not None:
                await then(view, pilot)
                await pilot.pause()
            return shown(view)

    return asyncio.run(run())


def test_signs_stand_in_the_gutter_and_unchanged_entries_are_counted() -> None:
    lines = drawn(entry_rows(difference(BEFORE, AFTER)))
    text = "\n".join(lines)
    assert "\u2212 Staging listens on port 2222" in text
    assert "+ Staging listens on port 2200" in text
    assert "\u2212 Do not use sudo" in text
    assert "+ Weekly report on Friday" in text
    assert "1 entry unchanged" in text and "stays" not in text


def test_a_wide_view_has_two_columns_and_a_key_turns_them() -> None:
    async def turned(view: DiffView, pilot: Pilot[None]) -> None:
        assert view.side_by_side
        view.toggle_layout()

    rows = text_rows("one\ntwo", "one\ntwo more")
    wide = drawn(rows, (120, 6))
    assert wide[0].count("one") == 2
    assert "\u2212 two" in wide[1] and "+ two more" in wide[1]
    lines = drawn(rows, (120, 6), turned)
    assert [line.strip() for line in lines[:3]] == ["one", "\u2212 two", "+ two more"]
    assert drawn(rows, (80, 6))[0].count("one") == 1


def test_long_lines_wrap_and_keep_their_sign() -> None:
    lines = drawn(text_rows("", "word " * 30), (40, 8))
    written = [line for line in lines if line]
    assert len(written) > 3 and all(line.strip().startswith("+ word") for line in written)


def test_numbers_count_the_lines_of_both_sides() -> None:
    lines = drawn(text_rows("a\nb\nsame", "same\nnew line"), (40, 8), numbers=True)
    assert [line.split() for line in lines[:4]] == [
        ["1", "\u2212", "a"],
        ["2", "\u2212", "b"],
        ["1", "same"],
        ["2", "+", "new", "line"],
    ]


def test_words_are_marked_by_more_than_colour() -> None:
    styles: dict[str, str] = {}

    async def look(view: DiffView, pilot: Pilot[None]) -> None:
        for y in range(2):
            for segment in view.render_line(y):
                style = segment.style
                assert style is not None
                if "2222" in segment.text:
                    styles["gone"] = "strike" if style.strike else ""
                if "2200" in segment.text:
                    styles["come"] = "underline" if style.underline else ""

    drawn(text_rows("port 2222 here", "port 2200 here"), (60, 4), look)
    assert styles == {"gone": "strike", "come": "underline"}


def test_plain_signs_need_no_unicode() -> None:
    rows = text_rows("a", "b")
    lines = drawn(rows, (120, 3), view=DiffView(glyphs=PLAIN))
    assert "- a" in lines[0] and "|" in lines[0] and "\n".join(lines).isascii()


def test_hunks_are_changes_and_steps_go_from_one_to_the_next() -> None:
    before = [f"line {number}" for number in range(60)]
    after = [*before]
    after[3], after[50] = "line 3 changed", "line 50 changed"
    rows = text_rows("\n".join(before), "\n".join(after))
    assert len(hunks_of(rows)) == 2

    async def step(view: DiffView, pilot: Pilot[None]) -> None:
        assert not view.step(-1)
        assert view.step(1) and not view.step(1)
        await pilot.pause()
        assert any("line 50 changed" in line for line in shown(view))
        assert view.step(-1)

    async def click(view: DiffView, pilot: Pilot[None]) -> None:
        view.scroll_ends(1)
        await pilot.pause()
        row = next(y for y, line in enumerate(shown(view)) if "line 50 changed" in line)
        await pilot.click(DiffView, offset=(6, row))
        assert view.current == 1

    drawn(rows, (60, 14), click)
    lines = drawn(rows, (60, 10), step)
    assert any("line 3 changed" in line for line in lines)


def test_an_edited_entry_of_several_lines_is_one_hunk() -> None:
    changes = difference(["a\nsame\nb"], ["a1\nsame\nb1"])
    assert [hunk.entry for hunk in hunks_of(entry_rows(changes, first=7))] == [7]


def test_a_change_inside_a_mask_is_not_called_equal() -> None:
    before, after = (f"API key: 8f3kQ9zL2mX7vB4nR6tY1wC{end}" for end in "57")
    masked = text_rows(before, after)
    assert any(isinstance(row, Remark) and "! shows it" in row.text for row in masked)
    revealed = text_rows(before, after, masked=False)
    assert not any(isinstance(row, Remark) for row in revealed)
    assert any(isinstance(row, Pair) and row.line.kind != "same" for row in revealed)


def test_hostile_text_is_drawn_as_tokens_in_aligned_columns() -> None:
    rows = text_rows("a\x1b[31m\u202eb", "a\x07\u200b 記憶 🙂 [/b]")
    lines = drawn(rows, (120, 5))
    text = "\n".join(lines)
    assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(text)
    assert "[/b]" in text
    rules = {cell_len(line[: line.index("│")]) for line in lines if "│" in line}
    assert len(rules) == 1


@pytest.mark.parametrize("width", [60, 120])
def test_ten_thousand_lines_cost_what_is_visible(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    original = DiffView._draw

    def counting(self: DiffView, index: int, number: int, width: int) -> object:
        nonlocal calls
        calls += 1
        return original(self, index, number, width)

    monkeypatch.setattr(DiffView, "_draw", counting)
    before = [f"line {number}" for number in range(10_000)]
    after = [line + " more" if number % 100 == 0 else line for number, line in enumerate(before)]

    async def end(view: DiffView, pilot: Pilot[None]) -> None:
        view.scroll_ends(1)

    lines = drawn(text_rows("\n".join(before), "\n".join(after)), (width, 20), end)
    assert "line 9999" in lines[-1]
    assert calls < 200


def test_a_megabyte_on_one_line_is_cut_and_says_so() -> None:
    async def end(view: DiffView, pilot: Pilot[None]) -> None:
        view.scroll_ends(1)

    assert drawn(text_rows("", "word " * 200_000), (60, 10), end)[-1].endswith("…")


lines_of = st.lists(st.sampled_from(["", "a", "b", "ab cd", "記憶", "x" * 30]), max_size=8).map("\n".join)


@given(lines_of, lines_of)
@settings(deadline=None, max_examples=60)
def test_rows_spell_both_texts(before: str, after: str) -> None:
    pairs = [row.line for row in text_rows(before, after) if isinstance(row, Pair)]
    left = "\n".join("".join(piece.text for piece in pair.left) for pair in pairs if pair.left is not None)
    right = "\n".join("".join(piece.text for piece in pair.right) for pair in pairs if pair.right is not None)
    assert (left, right) == (before, after)
