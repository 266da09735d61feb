"""Painting: only the cells that differ from what the terminal shows are sent to it.

Textual sends every line of a widget that asked for a refresh. Over a slow link that is most of the cost of a key, and
what flickers. Here the cells on screen are remembered, and an update shrinks to the pieces that are different.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rich.cells import split_graphemes
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.control import Control
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

Cell = tuple[str, Style | None]

# So many equal cells between two different pieces are cheaper to send than another position and style.
BRIDGE = 8
# Up to here every sign takes one cell on every terminal (Latin, Greek, Cyrillic, box drawing, blocks, arrows), apart
# from what combines or turns the direction of writing.
_COMBINING, _COMBINING_END, _RTL, _RTL_END, _SIMPLE_END = 0x300, 0x370, 0x590, 0x900, 0x2600


class Painter:
    """What the terminal shows, by line; None is a line that is not known."""

    def __init__(self) -> None:
        self.lines: dict[int, list[Cell | None]] = {}

    def forget(self) -> None:
        """The terminal may show anything now: the next update of a cell is sent."""
        self.lines.clear()

    def thinned(self, update: RenderableType | None) -> RenderableType | None:
        """An update that sends what is different only; worked out when it is written, for not every one is."""
        return Thinned(update, self) if isinstance(update, ChopsUpdate | LayoutUpdate) else update

    def remember(self, y: int, x: int, cells: list[Cell]) -> None:
        """These cells stand on the terminal now."""
        line = self.lines.setdefault(y, [])
        if len(line) < x + len(cells):
            line.extend([None] * (x + len(cells) - len(line)))
        line[x : x + len(cells)] = cells

    def known(self, y: int, x: int, count: int) -> list[Cell | None]:
        """What stood there."""
        return self.lines.get(y, [])[x : x + count]


class Thinned(CompositorUpdate):
    """An update of the compositor that has been compared with what is shown."""

    def __init__(self, update: ChopsUpdate | LayoutUpdate, painter: Painter) -> None:
        self.update = update
        self.painter = painter

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.update.__rich_console__(console, options)

    def render_segments(self, console: Console) -> str:
        """What has to be written."""
        update, painter = self.update, self.painter
        if isinstance(update, LayoutUpdate):
            # A whole screen: after a resize or a suspension the terminal may show anything.
            painter.forget()
            for y, strips in enumerate(update.strips, update.region.y):
                painter.remember(y, update.region.x, cells_of(Strip.join(strips)))
            return update.render_segments(console)
        out: list[str] = []
        for y, x, strip in _pieces(update):
            cells = cells_of(strip)
            for start, end in different(painter.known(y, x, len(cells)), cells):
                out.append(Control.move_to(x + start, y).segment.text)
                out.append((strip if end - start == len(cells) else strip.crop(start, end)).simplify().render(console))
            painter.remember(y, x, cells)
        return "".join(out)


def _pieces(update: ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    """The pieces of lines of an update: line, column, what is to stand there."""
    for y, left, right in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is None or x > right or end <= left:
                continue
            whole = right > x >= left and end <= right
            yield y, x, strip if whole else strip.crop(0, min(end, right) - x)


def cells_of(strip: Strip) -> list[Cell]:
    """One item a cell; the second half of a wide sign is an empty text, what combines stays with its sign."""
    cells: list[Cell] = []
    for text, style, control in strip:
        if control:
            continue
        if text.isascii():
            cells += [(sign, style) for sign in text]
            continue
        for start, end, size in split_graphemes(text)[0]:
            if not size and cells:
                cells[-1] = (cells[-1][0] + text[start:end], cells[-1][1])
            else:
                cells.append((text[start:end], style))
                cells += [("", style)] * (size - 1)
    return cells


def different(before: list[Cell | None], now: list[Cell]) -> list[tuple[int, int]]:
    """Where `now` differs, as (start, end) in cells; near pieces are one.

    With signs that terminals disagree about in the line, the whole of it: a position behind one is not certain.
    """
    if len(before) < len(now):
        before = [*before, *[None] * (len(now) - len(before))]
    at = [index for index, (one, other) in enumerate(zip(before, now, strict=False)) if one != other]
    if not at:
        return []
    if not all(_simple(cell) for cell in now) or not all(cell is None or _simple(cell) for cell in before):
        return [(0, len(now))]
    runs = [(at[0], at[0] + 1)]
    for index in islice(at, 1, None):
        start, end = runs[-1]
        if index - end <= BRIDGE:
            runs[-1] = (start, index + 1)
        else:
            runs.append((index, index + 1))
    return runs


def _simple(cell: Cell) -> bool:
    sign = cell[0]
    if sign.isascii() and len(sign) == 1:
        return True
    if len(sign) != 1:
        return False
    code = ord(sign)
    return code < _SIMPLE_END and not (_COMBINING <= code < _COMBINING_END or _RTL <= code < _RTL_END)
