"""Only what differs is sent, and the terminal shows all the same exactly what the screen holds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import split_graphemes
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from tests.tui.support import home_with, press, running, settle
from workbench.tui.painting import BRIDGE, Look, Painter, Thinned, different

WIDTH, HEIGHT = 24, 3
STYLES = [
    None,
    Style(color="red"),
    Style(bold=True, color="#102030"),
    Style(bgcolor="blue", underline=True),
    Style(bgcolor="#405060", color="red"),
]


def after(look: Look, codes: list[str]) -> Look:
    """The look that a sequence of codes leads to."""
    while codes:
        code, *codes = codes
        if code in ("", "0"):
            look = Look()
        elif code in ("38", "48"):
            colour, codes = [code, *codes[:4]], codes[4:]
            shown = ";".join(colour)
            look = look._replace(ink=shown) if code == "38" else look._replace(ground=shown)
        elif code in ("39", "49") or 30 <= int(code) <= 47:
            shown = "" if code.endswith("9") else code
            look = look._replace(ink=shown) if int(code) < 40 else look._replace(ground=shown)
        else:
            look = look._replace(attributes=look.attributes | {code})
    return look


class Terminal:
    """As much of a terminal as an update needs: positions, styles, signs of one or two cells."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, Look]] = {}

    def feed(self, data: str) -> int:
        x = y = 0
        style = Look()
        for match in re.finditer(r"\x1b\[([0-9;]*)([A-Za-z])|\n|[^\x1b\n]+", data):
            if match[2] == "H":
                y, x = (int(part) - 1 for part in match[1].split(";"))
            elif match[2] == "m":
                style = after(style, match[1].split(";"))
            elif match[0] == "\n":
                x, y = 0, y + 1
            else:
                assert not match[2], match[0]
                for start, end, size in split_graphemes(match[0])[0]:
                    blank = match[0][start:end] == " " and not style.attributes & {"4", "7", "9"}
                    self.cells[y, x] = (match[0][start:end], Look(ground=style.ground) if blank else style)
                    for extra in range(1, size):
                        self.cells[y, x + extra] = ("", style)
                    x += size
        assert style == Look(), "the next one writes on with this style"
        return len(data)

    def text(self, width: int, height: int) -> str:
        lines = ("".join(self.cells.get((y, x), (" ", Look()))[0] for x in range(width)) for y in range(height))
        return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.fixture
def console() -> Console:
    return Console(color_system="truecolor", force_terminal=True, width=WIDTH)


def full(lines: Sequence[Iterable[Strip]]) -> LayoutUpdate:
    return LayoutUpdate(list(lines), Region(0, 0, WIDTH, HEIGHT))


def strip(text: str, style: int = 0, width: int = WIDTH) -> Strip:
    return Strip([Segment(text, STYLES[style])]).adjust_cell_length(width)


def test_pieces_that_differ_are_found_and_near_ones_are_one() -> None:
    def cells(text: str) -> list[Any]:
        return [(sign, None) for sign in text]

    assert different(cells("abc"), cells("abc")) == []
    assert different(cells("abc"), cells("axc")) == [(1, 2)]
    far = "." * (BRIDGE + 1)
    assert different(cells(f"a{far}b"), cells(f"x{far}y")) == [(0, 1), (BRIDGE + 2, BRIDGE + 3)]
    assert different(cells(f"a{far[1:]}b"), cells(f"x{far[1:]}y")) == [(0, BRIDGE + 2)]
    assert different(cells("ab"), cells("abc")) == [(2, 3)]


@pytest.mark.parametrize("sign", ["日", "👩\u200d🔧", "é\u0301", "א", "⚠️"])
def test_a_line_with_uncertain_widths_is_sent_whole(sign: str) -> None:
    before = [(sign, None), ("b", None)]
    assert different([*before], [(sign, None), ("c", None)]) == [(0, 2)]
    assert different([*before], [*before]) == []


words = st.text(st.sampled_from("ab ─⚠日éא\u0301"), max_size=WIDTH)
step = st.lists(st.tuples(words, st.integers(0, 4)), min_size=HEIGHT, max_size=HEIGHT)


@settings(max_examples=150, deadline=None)
@given(st.lists(step, min_size=1, max_size=4), st.data())
def test_a_thinned_stream_leaves_what_a_full_one_leaves(steps: list[Any], data: st.DataObject) -> None:
    console = Console(color_system="truecolor", force_terminal=True, width=WIDTH)
    painter, thin, plain = Painter(), Terminal(), Terminal()
    for number, lines in enumerate(steps):
        drawn = [[strip(text, style)] for text, style in lines]
        if number == 0 or data.draw(st.booleans()):
            thin.feed(Thinned(full(drawn), painter).render_segments(console))
        else:
            spans = [(y, 0, WIDTH) for y in range(HEIGHT)]
            update = ChopsUpdate([{0: line[0]} for line in drawn], spans, [[WIDTH]] * HEIGHT)
            thin.feed(Thinned(update, painter).render_segments(console))
        plain.feed(full(drawn).render_segments(console))
        assert thin.cells == plain.cells


def test_nothing_is_sent_twice_and_everything_after_forgetting(console: Console) -> None:
    painter = Painter()
    update = ChopsUpdate([{0: strip("hello", 1)}], [(0, 0, WIDTH)], [[WIDTH]])
    assert "hello" in Thinned(update, painter).render_segments(console)
    assert Thinned(update, painter).render_segments(console) == ""
    painter.forget()
    assert "hello" in Thinned(update, painter).render_segments(console)


def test_a_whole_screen_is_compared_too_unless_its_size_is_another(console: Console) -> None:
    painter = Painter()
    first = Thinned(full([[strip("hello")], [strip("there")]]), painter).render_segments(console)
    assert "hello" in first
    again = Thinned(full([[strip("hello")], [strip("where")]]), painter).render_segments(console)
    assert again == "\x1b[2;1Hw"
    other = LayoutUpdate([[strip("hello")], [strip("where")]], Region(0, 0, WIDTH, HEIGHT + 1))
    assert "hello" in Thinned(other, painter).render_segments(console)


def test_only_the_asked_for_part_of_a_piece_is_compared(console: Console) -> None:
    painter, terminal = Painter(), Terminal()
    terminal.feed(Thinned(full([[strip("aaaaaaaa", 0)]]), painter).render_segments(console))
    update = ChopsUpdate([{0: strip("bbbbbbbb", 0)}], [(0, 0, 4)], [[WIDTH]])
    terminal.feed(Thinned(update, painter).render_segments(console))
    assert terminal.text(WIDTH, 1) == "bbbbaaaa\n"
    assert painter.known(0, 0, 8) == [("b", None)] * 4 + [("a", None)] * 4


def test_a_whole_session_shows_what_the_screen_holds(tmp_path: Path) -> None:
    home = home_with(
        tmp_path, ["one 日本 text", "two", *(f"entry {n} " + "word " * 40 for n in range(20))], ["Name: Robin"]
    )

    async def run() -> None:
        async with running(home, (90, 30)) as pilot:
            app, terminal, sizes = pilot.app, Terminal(), list[int]()
            shown = app._display

            def display(screen: Any, renderable: Any) -> None:
                thinned = app.painter.thinned(renderable)  # type: ignore[attr-defined]
                if isinstance(thinned, Thinned) and not app._batch_count:
                    sizes.append(terminal.feed(thinned.render_segments(app.console)))
                shown(screen, renderable)

            app._display = display  # type: ignore[method-assign]
            app.refresh()
            await settle(pilot)
            keys = "j j j k ctrl+l G g tab tab space v j escape e x escape escape f1 escape ctrl+p t down escape"
            for key in keys.split():
                sizes.clear()
                await press(pilot, key)
                strips = app.screen._compositor.render_strips()
                assert terminal.text(90, 30) == "\n".join(s.text.rstrip() for s in strips) + "\n", key
                if key == "ctrl+l":
                    assert sum(sizes) > 3_000, "everything is drawn"
                if key in "jkx":
                    assert sum(sizes) < 2_000, key

    asyncio.run(run())
