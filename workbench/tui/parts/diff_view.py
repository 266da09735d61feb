"""DiffView: two versions of a text, one below the other or side by side, drawn line by line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.text.difference import Piece
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.diff_rows import DiffRow, Pair, Remark
from workbench.tui.parts.wrap import wrap

KEPT_STRIPS = 512
# From this width on two columns have room for a line of prose each.
SIDE_BY_SIDE = 100
# One line of a text that takes more lines than this on screen is cut, with a sign: no store holds so much.
MOST_LINES = 500
_EDGE, _SIGN = 1, 2
_COMPARED = ("gone", "come", "same")
_PARTS = ("gone", "come", "gone-word", "come-word", "finding", "quiet", "heading", "warning", "here", "rule")


class _Half(NamedTuple):
    """One side of a row, wrapped: its pieces, their joined text, line spans, the sign of its gutter, its number.

    `clipped` says that more would follow.
    """

    pieces: tuple[Piece, ...]
    text: str
    lines: tuple[tuple[int, int], ...]
    kind: str
    number: int | None
    clipped: bool = False


class _Laid(NamedTuple):
    """A drawn row: over the whole width (`right` is None) or in two columns; `row` is its index in the rows given."""

    row: int
    left: _Half | None
    right: _Half | None
    height: int
    wide: bool


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of rows (first, last) that belong to one change; `entry` as in Pair."""

    first: int
    last: int
    entry: int | None


class DiffView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows rows made by `diff_rows`; the caller turns keys into calls. Signs in the gutter say what colours say."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"diff-view--{name}" for name in _PARTS}
    DEFAULT_CSS = """
    DiffView {
        height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-gutter: stable; scrollbar-size-vertical: 1;
        color: $foreground; background: $background;
    }
    DiffView > .diff-view--gone { color: $error; }
    DiffView > .diff-view--come { color: $success; }
    DiffView > .diff-view--gone-word { color: $error; text-style: strike; }
    DiffView > .diff-view--come-word { color: $success; text-style: bold underline; }
    DiffView > .diff-view--finding { color: $wb-finding-text; background: $wb-finding; }
    DiffView > .diff-view--quiet { color: $wb-muted; }
    DiffView > .diff-view--heading { color: $foreground; text-style: bold; }
    DiffView > .diff-view--warning { color: $warning; }
    DiffView > .diff-view--here { color: $primary; }
    DiffView > .diff-view--rule { color: $wb-frame; }
    """

    @dataclass
    class HunkMoved(Message):
        """Another change is the current one."""

        view: DiffView

    def __init__(self, *, glyphs: Glyphs | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.glyphs = glyphs or Glyphs()
        self.rows: tuple[DiffRow, ...] = ()
        self.numbers = False
        self.two_columns: bool | None = None  # None: as the width suggests
        self.hunks: tuple[Hunk, ...] = ()
        self.current = -1
        self._laid: list[_Laid] = []
        self._starts: list[int] = [0]
        self._laid_for = (0, False)
        self._number_width = 0
        self._strips: LRUCache[tuple[int, int], Strip] = LRUCache(KEPT_STRIPS)

    # -- contents -----------------------------------------------------------------------------------------------

    def show(self, rows: Sequence[DiffRow], *, numbers: bool = False) -> None:
        """Show another comparison, from its beginning; `numbers` puts line numbers into the gutter."""
        if tuple(rows) == self.rows and numbers == self.numbers:
            return
        self.rows, self.numbers = tuple(rows), numbers
        self.hunks = hunks_of(self.rows)
        self.current = 0 if self.hunks else -1
        self._lay_out()
        self.scroll_to(y=0, animate=False, force=True)
        self.post_message(self.HunkMoved(self))

    @property
    def side_by_side(self) -> bool:
        """Whether two columns are drawn now."""
        if self.two_columns is not None:
            return self.two_columns
        return self.scrollable_content_region.width >= SIDE_BY_SIDE

    @property
    def compares(self) -> bool:
        """Whether there are compared lines at all, not only remarks."""
        return any(isinstance(row, Pair) for row in self.rows)

    def toggle_layout(self) -> None:
        """Columns instead of lines below each other, or back; stays so at any width."""
        self.two_columns = not self.side_by_side
        self._lay_out()
        self._bring_into_view()

    @property
    def hunk(self) -> Hunk | None:
        """The change that keys act on."""
        return self.hunks[self.current] if 0 <= self.current < len(self.hunks) else None

    def step(self, direction: int) -> bool:
        """Go to the next (1) or previous (-1) change; False when there is none in that direction."""
        goal = self.current + direction
        if not 0 <= goal < len(self.hunks):
            return False
        self.current = goal
        self._redraw()
        self._bring_into_view()
        self.post_message(self.HunkMoved(self))
        return True

    def scroll_lines(self, lines: int) -> None:
        """Scroll by so many lines."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)

    def scroll_half(self, direction: int) -> None:
        """Scroll by half of what is visible."""
        self.scroll_lines(direction * max(1, self.scrollable_content_region.height // 2))

    def scroll_ends(self, direction: int) -> None:
        """Scroll to the beginning (-1) or the end (1)."""
        self.scroll_to(y=0 if direction < 0 else self._starts[-1], animate=False, force=True)

    def _bring_into_view(self) -> None:
        """The current change near the top, unless all of it is visible anyway."""
        hunk = self.hunk
        if hunk is None or not self._laid:
            return
        lines = [index for index, laid in enumerate(self._laid) if hunk.first <= laid.row <= hunk.last]
        top, end = self._starts[lines[0]], self._starts[lines[-1] + 1]
        seen, height = round(self.scroll_offset.y), self.scrollable_content_region.height
        if top < seen or end > seen + height:
            self.scroll_to(y=max(0, top - min(3, height // 4)), animate=False, force=True)

    # -- layout -------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Wrap for the present width; the only work that grows with the number of rows."""
        width = self.scrollable_content_region.width
        self._laid_for = (width, self.side_by_side)
        if width <= 0:
            return
        highest = max((_highest(row) for row in self.rows), default=0) if self.numbers else 0
        self._number_width = len(str(highest)) + 1 if highest else 0
        self._laid = []
        columns = self._laid_for[1]
        room = (self._column(width)[0] if columns else width - _EDGE) - _SIGN - self._number_width
        for index, row in enumerate(self.rows):
            if isinstance(row, Remark):
                half = _half((Piece(row.tone, row.text),), row.tone, None, width - _EDGE)
                self._laid.append(_Laid(index, half, None, len(half.lines), True))
            else:
                self._add(index, row, room, columns)
        self._starts = [0, *accumulate(laid.height for laid in self._laid)]
        self.virtual_size = Size(width, self._starts[-1])
        self._redraw()

    def _add(self, index: int, row: Pair, room: int, columns: bool) -> None:
        line = row.line
        left = None if line.left is None else _half(line.left, _kind(line.kind, "gone"), line.left_number, room)
        right = None if line.right is None else _half(line.right, _kind(line.kind, "come"), line.right_number, room)
        if columns:
            height = max(len(half.lines) for half in (left, right) if half is not None)
            self._laid.append(_Laid(index, left, right, height, False))
        elif line.kind == "same":
            assert right is not None
            self._laid.append(_Laid(index, right, None, len(right.lines), True))
        else:
            for one in (left, right):
                if one is not None:
                    self._laid.append(_Laid(index, one, None, len(one.lines), True))

    @staticmethod
    def _column(width: int) -> tuple[int, int]:
        """Cells of the left and the right column; between them stand a rule and a blank on each side."""
        left = (width - _EDGE - 3) // 2
        return left, width - _EDGE - 3 - left

    def _redraw(self) -> None:
        self._strips.clear()
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Another width is another layout; what is being looked at stays in sight."""
        if (self.scrollable_content_region.width, self.side_by_side) != self._laid_for:
            self._lay_out()
            self.call_after_refresh(self._bring_into_view)

    def on_focus(self) -> None:
        """The current change is marked in the focused view."""
        self._redraw()

    def on_blur(self) -> None:
        """Without the focus nothing is current."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Colours changed: drawn lines are of no use any more."""
        super().notify_style_update()
        self._strips.clear()

    def on_click(self, event: events.Click) -> None:
        """A click makes a change the current one."""
        line = event.y + round(self.scroll_offset.y)
        if not self._laid or not 0 <= line < self._starts[-1]:
            return
        row = self._laid[bisect_right(self._starts, line) - 1].row
        for number, hunk in enumerate(self.hunks):
            if hunk.first <= row <= hunk.last and number != self.current:
                self.current = number
                self._redraw()
                self.post_message(self.HunkMoved(self))

    # -- drawing ------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        width, line = self.size.width, y + round(self.scroll_offset.y)
        if not self._laid or not 0 <= line < self._starts[-1]:
            return Strip.blank(width, self.rich_style)
        index = bisect_right(self._starts, line) - 1
        key = (index, line - self._starts[index])
        strip = self._strips.get(key)
        if strip is None or strip.cell_length != width:
            strip = self._strips[key] = self._draw(*key, width)
        return strip

    def _draw(self, index: int, number: int, width: int) -> Strip:
        laid, base = self._laid[index], self.rich_style
        part = {name: base + self.get_component_rich_style(f"diff-view--{name}", partial=True) for name in _PARTS}
        hunk = self.hunk
        here = self.has_focus and hunk is not None and hunk.first <= laid.row <= hunk.last
        edge = Segment(self.glyphs.cursor if here else " ", part["here"])
        if laid.wide:
            assert laid.left is not None
            drawn = [edge, *self._half_line(laid.left, number, part, base)]
            return Strip(drawn).adjust_cell_length(width, base).simplify()
        halves = []
        for half, room in zip((laid.left, laid.right), self._column(self._laid_for[0]), strict=True):
            segments = [] if half is None else self._half_line(half, number, part, base)
            halves.append(Strip(segments).adjust_cell_length(room, base))
        rule = Strip([Segment(f" {self.glyphs.rule} ", part["rule"])])
        return Strip.join([Strip([edge]), halves[0], rule, halves[1]]).adjust_cell_length(width, base).simplify()

    def _half_line(self, half: _Half, number: int, part: dict[str, Style], base: Style) -> list[Segment]:
        if number >= len(half.lines):
            return []
        segments: list[Segment] = []
        if half.kind in _COMPARED:
            if self._number_width:
                shown = str(half.number) if half.number is not None and number == 0 else ""
                segments.append(Segment(shown.rjust(self._number_width - 1) + " ", part["quiet"]))
            sign = {"gone": self.glyphs.gone, "come": "+"}.get(half.kind, " ")
            segments.append(Segment(f"{sign} ", part.get(half.kind, base)))
        start, end = half.lines[number]
        whole = all(piece.kind in (half.kind, "finding") for piece in half.pieces)
        at = 0
        for piece in half.pieces:
            one, other = max(start, at), min(end, at + len(piece.text))
            if one < other:
                segments.append(Segment(half.text[one:other], _style(piece.kind, whole, part, base)))
            at += len(piece.text)
        if half.clipped and number == len(half.lines) - 1:
            segments.append(Segment(self.glyphs.more, part["warning"]))
        return segments


def hunks_of(rows: Sequence[DiffRow]) -> tuple[Hunk, ...]:
    """The changes among the rows: neighbours that are not the same belong together, those of one entry always do."""
    hunks: list[Hunk] = []
    open_entry: int | None = None
    running = False
    for index, row in enumerate(rows):
        if isinstance(row, Remark) or (row.line.kind == "same" and row.entry is None):
            running = False
            continue
        if running and row.entry == open_entry:
            hunks[-1] = Hunk(hunks[-1].first, index, row.entry)
        else:
            hunks.append(Hunk(index, index, row.entry))
        running, open_entry = True, row.entry
    return tuple(hunks)


def _half(pieces: tuple[Piece, ...], kind: str, number: int | None, room: int) -> _Half:
    text = "".join(piece.text for piece in pieces)
    # Nearly every line of a large file is short and plain: no need to look at its characters one by one.
    if text.isascii() and len(text) <= room:
        return _Half(pieces, text, ((0, len(text)),), kind, number)
    wrapped = wrap(text, max(8, room), MOST_LINES)
    return _Half(pieces, text, wrapped.lines, kind, number, wrapped.clipped)


def _kind(row: str, side: str) -> str:
    return "same" if row == "same" else side


def _highest(row: DiffRow) -> int:
    return max(row.line.left_number or 0, row.line.right_number or 0) if isinstance(row, Pair) else 0


def _style(kind: str, whole: bool, part: dict[str, Style], base: Style) -> Style:
    """Words are marked inside a line that stayed; in a line that came or went as a whole the line is."""
    if kind in ("gone", "come"):
        return part[kind] if whole else part[f"{kind}-word"]
    return part.get(kind, base)
