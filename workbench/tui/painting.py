"""Painting: only the cells that differ from what the terminal shows are sent to it.

Textual sends every line of a widget that asked for a refresh. Over a slow link that is most of the cost of a key, and
what flickers. Here the cells on screen are remembered, and an update shrinks to the pieces that are different.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from rich.cells import split_graphemes
from rich.color import Color, ColorSystem
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Size
from textual.strip import Strip

Cell = tuple[str, Style | None]

# So many equal cells between two different pieces are cheaper to send than another position and style.
BRIDGE = 6
# Up to here every sign takes one cell on every terminal (Latin, Greek, Cyrillic, box drawing, blocks, arrows), apart
# from what combines or turns the direction of writing.
_COMBINING, _COMBINING_END, _RTL, _RTL_END, _SIMPLE_END = 0x300, 0x370, 0x590, 0x900, 0x2600


class Painter:
    """What the terminal shows, by line; None is a line that is not known."""

    def __init__(self) -> None:
        self.lines: dict[int, list[Cell | None]] = {}
        self.strips: dict[int, dict[int, Strip]] = {}
        self.size = Size(0, 0)

    def forget(self) -> None:
        """The terminal may show anything now: the next update of a cell is sent."""
        self.lines.clear()
        self.strips.clear()

    def fit(self, size: Size) -> None:
        """A terminal of another size has arranged its cells in its own way."""
        if size != self.size:
            self.size = size
            self.forget()

    def thinned(self, update: RenderableType | None) -> RenderableType | None:
        """An update that sends what is different only; worked out when it is written, for not every one is."""
        return Thinned(update, self) if isinstance(update, ChopsUpdate | LayoutUpdate) else update

    def shows(self, y: int, x: int, strip: Strip) -> bool:
        """Whether this very strip stands there: found out without looking at its cells."""
        known = self.strips.get(y, {}).get(x)
        return known is not None and (known is strip or known == strip)

    def remember(self, y: int, x: int, cells: list[Cell], strip: Strip) -> None:
        """These cells stand on the terminal now, drawn from this strip."""
        strips = self.strips.setdefault(y, {})
        for start in [start for start, one in strips.items() if start < x + len(cells) and start + one.cell_length > x]:
            del strips[start]
        strips[x] = strip
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
            painter.fit(update.region.size)
            pieces = _whole(update)
        else:
            pieces = _pieces(update)
        pen = Pen(console)
        for y, x, strip in pieces:
            if painter.shows(y, x, strip):
                continue
            cells = cells_of(strip)
            for start, end in different(painter.known(y, x, len(cells)), cells):
                pen.move(x + start, y)
                pen.write(cells[start:end])
            painter.remember(y, x, cells, strip)
        return pen.lift()


class Pen:
    """Writes cells with as few style codes as will do: what the next cell shares with the last one is not repeated."""

    def __init__(self, console: Console) -> None:
        self.system = console._color_system
        self.out: list[str] = []
        self.look: Look = PLAIN

    def move(self, x: int, y: int) -> None:
        """Go on at another place; columns and lines count from 0."""
        self.out.append(f"\x1b[{y + 1};{x + 1}H")

    def write(self, cells: Sequence[Cell]) -> None:
        """Write cells where the pen stands."""
        style, look, first = None, PLAIN, True
        for sign, own in cells:
            if first or own is not style:
                style, first = own, False
                look = PLAIN if own is None or self.system is None else _look(own, self.system)
            if look != self.look and not (sign == " " and look.blank == self.look.blank):
                self.out.append(f"\x1b[{_codes(self.look, look)}m")
                self.look = look
            self.out.append(sign)

    def lift(self) -> str:
        """Everything written, with the style as it was before."""
        if self.look != PLAIN:
            self.out.append("\x1b[0m")
        return "".join(self.out)


class Look(NamedTuple):
    """A style as a terminal takes it: codes of attributes, of the ink and of the ground ("" for the default ones)."""

    attributes: frozenset[str] = frozenset()
    ink: str = ""
    ground: str = ""

    @property
    def blank(self) -> tuple[object, ...]:
        """What of it is seen on a blank."""
        seen = self.attributes & _SEEN_ON_BLANKS
        return (self.ground, seen, self.ink if seen else "")


PLAIN = Look()
_SEEN_ON_BLANKS = frozenset({"4", "7", "9", "21", "53"})
_ATTRIBUTES = {
    "bold": "1", "dim": "2", "italic": "3", "underline": "4", "blink": "5", "reverse": "7", "conceal": "8",
    "strike": "9", "underline2": "21", "overline": "53",
}  # fmt: skip


@lru_cache(1024)
def _look(style: Style, system: ColorSystem) -> Look:
    def codes(colour: Color | None, *, ink: bool) -> str:
        if colour is None or colour.is_default:
            return ""
        return ";".join(colour.downgrade(system).get_ansi_codes(foreground=ink))

    attributes = frozenset(code for name, code in _ATTRIBUTES.items() if getattr(style, name))
    return Look(attributes, codes(style.color, ink=True), codes(style.bgcolor, ink=False))


def _codes(before: Look, now: Look) -> str:
    """From one look to the next; an attribute can only be ended by ending everything."""
    start = []
    if not before.attributes <= now.attributes:
        start, before = ["0"], PLAIN
    start += sorted(now.attributes - before.attributes)
    if now.ink != before.ink:
        start.append(now.ink or "39")
    if now.ground != before.ground:
        start.append(now.ground or "49")
    return ";".join(start)


def _whole(update: LayoutUpdate) -> Iterator[tuple[int, int, Strip]]:
    """The pieces of a whole screen."""
    for y, strips in enumerate(update.strips, update.region.y):
        x = update.region.x
        for strip in strips:
            yield y, x, strip
            x += strip.cell_length


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
    if not any(before):
        return [(0, len(now))] if now else []
    if len(before) < len(now):
        before = [*before, *[None] * (len(now) - len(before))]
    at = [
        index
        for index, (one, other) in enumerate(zip(before, now, strict=False))
        if one != other and not _same_blank(one, other)
    ]
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


def _same_blank(one: Cell | None, other: Cell) -> bool:
    """Whether two blanks look alike, whatever colour a sign would have there."""
    if one is None or one[0] != " " or other[0] != " " or one[1] is None or other[1] is None:
        return False
    before, now = one[1], other[1]
    return before.bgcolor == now.bgcolor and not (_marked(before) or _marked(now))


def _marked(style: Style) -> bool:
    return bool(style.underline or style.reverse or style.strike or style.underline2 or style.overline)


def _simple(cell: Cell) -> bool:
    sign = cell[0]
    if sign.isascii() and len(sign) == 1:
        return True
    if len(sign) != 1:
        return False
    code = ord(sign)
    return code < _SIMPLE_END and not (_COMBINING <= code < _COMBINING_END or _RTL <= code < _RTL_END)
