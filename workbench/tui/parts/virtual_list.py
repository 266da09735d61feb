"""VirtualList: wrapped rows, drawn line by line, so that a list costs what is visible of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.wrap import Wrapped, wrap

KEPT_STRIPS = 512
# Cells beside the text: cursor and mark on the left, a blank and the badge on the right.
LEFT, BADGE = 2, 3


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `text` has been through the door; `lead` stands before it, `badge` (two cells at most) at its right.

    `tone` colours the badge: "", warning or error. A `heading` names a group; the cursor steps over it. `look` is
    "", gone (struck out), come (new), faint (beside the point), remark or error; a heading with one is a remark that
    may be as long as any row.
    """

    id: str
    text: str
    lead: str = ""
    badge: str = ""
    tone: str = ""
    heading: bool = False
    look: str = ""


class VirtualList(ScrollView, can_focus=True, inherit_bindings=False):
    """A list of wrapped rows with a cursor kept by id, marks and highlighted matches.

    The caller turns keys into calls; the list itself only knows the mouse.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "virtual-list--cursor",
        "virtual-list--cursor-blurred",
        "virtual-list--bar",
        "virtual-list--lead",
        "virtual-list--mark",
        "virtual-list--match",
        "virtual-list--heading",
        "virtual-list--warning",
        "virtual-list--error",
        "virtual-list--gone",
        "virtual-list--come",
        "virtual-list--faint",
        "virtual-list--remark",
    }
    DEFAULT_CSS = """
    VirtualList {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        color: $foreground;
        background: $background;
    }
    VirtualList > .virtual-list--cursor { background: $wb-cursor; text-style: $wb-cursor-style; }
    VirtualList > .virtual-list--cursor-blurred { background: $wb-cursor-blurred; }
    VirtualList > .virtual-list--bar { color: $primary; }
    VirtualList > .virtual-list--lead { color: $wb-muted; }
    VirtualList > .virtual-list--mark { color: $accent; text-style: bold; }
    VirtualList > .virtual-list--match { color: $wb-match-text; background: $wb-match; }
    VirtualList > .virtual-list--heading { color: $wb-muted; text-style: bold; }
    VirtualList > .virtual-list--warning { color: $warning; text-style: bold; }
    VirtualList > .virtual-list--error { color: $error; text-style: bold; }
    VirtualList > .virtual-list--gone { color: $wb-muted; text-style: strike; }
    VirtualList > .virtual-list--come { color: $success; }
    VirtualList > .virtual-list--faint { color: $wb-muted; }
    VirtualList > .virtual-list--remark { color: $warning; }
    """

    @dataclass
    class CursorMoved(Message):
        """The cursor stands on another row; `row_id` is None for an empty list."""

        list: VirtualList
        row_id: str | None

        @property
        def control(self) -> VirtualList:
            """The list, for `@on` selectors."""
            return self.list

    @dataclass
    class Opened(Message):
        """A row was double-clicked."""

        list: VirtualList
        row_id: str

        @property
        def control(self) -> VirtualList:
            """The list, for `@on` selectors."""
            return self.list

    @dataclass
    class MarksChanged(Message):
        """Other rows are marked now."""

        list: VirtualList

        @property
        def control(self) -> VirtualList:
            """The list, for `@on` selectors."""
            return self.list

    def __init__(self, *, lines: int = 3, glyphs: Glyphs | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.lines = lines
        self.glyphs = glyphs or Glyphs()
        self.rows: tuple[Row, ...] = ()
        self.marks: frozenset[str] = frozenset()
        self.range_from: str | None = None
        self._base_marks: frozenset[str] = frozenset()
        self._cursor = -1
        self._matches: Mapping[str, tuple[tuple[int, int], ...]] = {}
        self._wrapped: list[Wrapped] = []
        self._starts: list[int] = []  # first line of each row, and the total at the end
        self._lead = 0
        self._wrapped_for = 0
        self._strips: LRUCache[tuple[int, int, bool, bool], Strip] = LRUCache(KEPT_STRIPS)
        self._kept_styles: dict[tuple[bool, bool], dict[str, Style]] = {}

    # -- contents -----------------------------------------------------------------------------------------------

    def set_rows(self, rows: Sequence[Row], *, cursor: str | None = None) -> None:
        """Show other rows. The cursor goes to `cursor`, or stays on its row, or at its place when the row is gone."""
        wanted = cursor or self.cursor_id
        place = self._cursor
        same_shape = [(r.id, r.text, r.lead, r.heading) for r in rows] == [
            (r.id, r.text, r.lead, r.heading) for r in self.rows
        ]
        self.rows = tuple(rows)
        ids = {row.id: index for index, row in enumerate(self.rows)}
        self.marks &= ids.keys()
        if self.range_from not in ids:
            self.range_from = None
        if not same_shape:
            self._lead = max((cell_len(row.lead) for row in self.rows), default=0)
            self._measure()
        self._redraw()
        if wanted is not None and wanted in ids:
            self._put_cursor(ids[wanted])
        else:
            self._put_cursor(self._stop(min(max(place, 0), len(self.rows) - 1), 1))

    def replace_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows in the places of those with their ids, when each needs as many lines as before.

        Costs what is replaced, however long the list is: for rows whose text is found out while they are looked at.
        """
        fresh = {row.id: row for row in rows}
        room = max(8, self._wrapped_for - self._text_left - BADGE)
        every = list(self.rows)
        for index, row in enumerate(every):
            new = fresh.get(row.id)
            if new is None or new == row:
                continue
            every[index] = new
            if self._wrapped_for:
                wrapped = wrap(new.text, room, self._most(new))
                assert len(wrapped.lines) == len(self._wrapped[index].lines)
                self._wrapped[index] = wrapped
        self.rows = tuple(every)
        self._redraw()

    def _most(self, row: Row) -> int:
        """How many lines a row may take."""
        return 1 if row.heading and not row.look else self.lines

    def set_matches(self, matches: Mapping[str, tuple[tuple[int, int], ...]]) -> None:
        """Highlight spans (start, end) in characters of the rows' texts, by row id."""
        self._matches = matches
        self._redraw()

    # -- cursor -------------------------------------------------------------------------------------------------

    @property
    def cursor_id(self) -> str | None:
        """The id of the row under the cursor."""
        return self.rows[self._cursor].id if 0 <= self._cursor < len(self.rows) else None

    def move(self, rows: int) -> None:
        """Move the cursor by so many rows, as far as there are any."""
        if self.rows:
            index = min(max(self._cursor + rows, 0), len(self.rows) - 1)
            self._put_cursor(self._stop(index, 1 if rows > 0 else -1))

    def move_to(self, row_id: str) -> None:
        """Move the cursor to a row; an id that is not there leaves it where it is."""
        for index, row in enumerate(self.rows):
            if row.id == row_id:
                self._put_cursor(index)
                return

    def bring_up(self, row_id: str) -> None:
        """Scroll, without moving the cursor, until a row stands in the upper half; what lies there already stays."""
        line = next((start for start, row in zip(self._starts, self.rows, strict=False) if row.id == row_id), None)
        if line is None or not self._wrapped_for:
            return
        half = max(1, self.scrollable_content_region.height // 2)
        if not 0 <= line - round(self.scroll_offset.y) < half:
            self.scroll_to(y=max(0, line - 1), animate=False, force=True)

    def move_half(self, direction: int) -> None:
        """Move by half of what is visible."""
        if not self.rows:
            return
        line = self._starts[self._cursor] + direction * max(1, self.scrollable_content_region.height // 2)
        index = min(max(bisect_right(self._starts, line) - 1, 0), len(self.rows) - 1)
        if index == self._cursor:
            self.move(direction)
        else:
            self._put_cursor(self._stop(index, direction))

    def _stop(self, index: int, direction: int) -> int:
        """The nearest row from `index` on that is no heading, first in `direction`, then the other way."""
        for step in (direction, -direction):
            at = index
            while 0 <= at < len(self.rows):
                if not self.rows[at].heading:
                    return at
                at += step
        return -1

    def _put_cursor(self, index: int) -> None:
        before = self._cursor
        self._cursor = index
        if self.range_from is not None:
            self._mark_range()
        if 0 <= index < len(self.rows) and self._wrapped_for:
            top = self._starts[index]
            region = Region(0, top, 1, self._starts[index + 1] - top)
            self.scroll_to_region(region, animate=False, force=True)
        if index != before or before < 0:
            for row in (before, index):
                self._refresh_row(row)
        self.post_message(self.CursorMoved(self, self.cursor_id))

    def _refresh_row(self, index: int) -> None:
        """Draw one row anew: a step of the cursor concerns two of them, whatever the height of the list."""
        if 0 <= index < len(self._starts) - 1:
            self.refresh_lines(self._starts[index], self._starts[index + 1] - self._starts[index])

    # -- marks --------------------------------------------------------------------------------------------------

    def toggle_mark(self) -> None:
        """Mark the row under the cursor, or take its mark away."""
        if self.cursor_id is not None:
            self._set_marks(self.marks ^ {self.cursor_id})

    def mark_all(self) -> None:
        """Mark every row; with all of them marked, none."""
        everything = frozenset(row.id for row in self.rows if not row.heading)
        self._set_marks(frozenset() if everything == self.marks else everything)

    def clear_marks(self) -> None:
        """Take all marks away and end a range."""
        self.range_from = None
        self._set_marks(frozenset())

    def set_marks(self, marks: frozenset[str]) -> None:
        """Mark these rows and no others."""
        self.range_from = None
        self._set_marks(marks)

    def toggle_range(self) -> None:
        """Begin a range at the cursor, or end the one that runs; its marks stay."""
        if self.range_from is not None:
            self.range_from = None
            self.post_message(self.MarksChanged(self))
        elif self.cursor_id is not None:
            self.range_from, self._base_marks = self.cursor_id, self.marks
            self._mark_range()

    def _mark_range(self) -> None:
        ids = [row.id for row in self.rows]
        if self.range_from not in ids or self._cursor < 0:
            return
        one, other = sorted((ids.index(self.range_from), self._cursor))
        spanned = {row.id for row in self.rows[one : other + 1] if not row.heading}
        self._set_marks(self._base_marks | spanned)

    def _set_marks(self, marks: frozenset[str]) -> None:
        if marks != self.marks:
            self.marks = marks
            self._redraw()
        self.post_message(self.MarksChanged(self))

    # -- drawing ------------------------------------------------------------------------------------------------

    @property
    def _text_left(self) -> int:
        return LEFT + (self._lead + 1 if self._lead else 0)

    def _measure(self) -> None:
        """Wrap all rows for the present width; the only work that grows with their number."""
        width = self.scrollable_content_region.width
        self._wrapped_for = width
        if width <= 0:
            return
        room = max(8, width - self._text_left - BADGE)
        self._wrapped = [wrap(row.text, room, self._most(row)) for row in self.rows]
        self._starts = [0, *accumulate(len(wrapped.lines) for wrapped in self._wrapped)]
        self.virtual_size = Size(width, self._starts[-1])

    def _redraw(self) -> None:
        self._strips.clear()
        self._kept_styles.clear()
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew when the width changed, and keep the cursor in sight."""
        if self.scrollable_content_region.width != self._wrapped_for:
            self._measure()
            self._redraw()
        if 0 <= self._cursor < len(self.rows):
            self.call_after_refresh(self._show_cursor)

    def _show_cursor(self) -> None:
        if 0 <= self._cursor < len(self.rows) and self._wrapped_for:
            top = self._starts[self._cursor]
            self.scroll_to_region(Region(0, top, 1, self._starts[self._cursor + 1] - top), animate=False, force=True)

    def on_focus(self) -> None:
        """The cursor is drawn brighter in the focused list."""
        self._redraw()

    def on_blur(self) -> None:
        """The cursor is drawn calmer in a list without the focus."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Colours changed (another theme): drawn lines are of no use any more."""
        super().notify_style_update()
        self._strips.clear()
        self._kept_styles.clear()

    def row_at(self, line: int) -> int:
        """The index of the row that a line of the virtual area belongs to; -1 below the last."""
        if not self._starts or not 0 <= line < self._starts[-1]:
            return -1
        return bisect_right(self._starts, line) - 1

    def render_line(self, y: int) -> Strip:
        """One line of the visible part."""
        width = self.size.width
        line = y + round(self.scroll_offset.y)
        index = self.row_at(line) if self._wrapped_for else -1
        if index < 0:
            return Strip.blank(width, self._styles(at_cursor=False)[""])
        key = (index, line - self._starts[index], index == self._cursor, self.has_focus)
        strip = self._strips.get(key)
        if strip is None or strip.cell_length != width:
            strip = self._draw(index, line - self._starts[index], width)
            self._strips[key] = strip
        return strip

    def _styles(self, *, at_cursor: bool) -> dict[str, Style]:
        """The looks of a line by name, "" for its ground; worked out once, for every line asks for them."""
        key = (at_cursor, self.has_focus)
        if key not in self._kept_styles:
            base = self.rich_style
            if at_cursor:
                name = "cursor" if self.has_focus else "cursor-blurred"
                base += self.get_component_rich_style(f"virtual-list--{name}", partial=True)
            part = {
                name: base + self.get_component_rich_style(f"virtual-list--{name}", partial=True) for name in _PARTS
            }
            self._kept_styles[key] = {**part, "": base}
        return self._kept_styles[key]

    def _draw(self, index: int, number: int, width: int) -> Strip:
        row, wrapped, glyphs = self.rows[index], self._wrapped[index], self.glyphs
        at_cursor = index == self._cursor
        part = self._styles(at_cursor=at_cursor)
        base = part[""]
        marked = row.id in self.marks
        first = number == 0
        segments = [
            Segment(glyphs.cursor if at_cursor and self.has_focus else " ", part["bar"]),
            Segment(glyphs.mark if marked and first else " ", part["mark"]),
        ]
        if self._lead:
            lead = (row.lead if first else "").rjust(self._lead) + " "
            segments.append(Segment(lead, part["mark"] if marked else part["lead"]))
        text_style = part["heading"] if row.heading and not row.look else part.get(row.look, base)
        segments += self._text(row, wrapped, number, text_style, part["match"])
        room = width - BADGE
        strip = Strip(segments).adjust_cell_length(max(room, 0), base)
        badge = row.badge if first else ""
        tone = part.get(row.tone, base)
        ending = [Segment(" ", base), Segment(badge.rjust(BADGE - 2), tone), Segment(" ", base)]
        return Strip.join([strip, Strip(ending)]).adjust_cell_length(width, base).simplify()

    def _text(self, row: Row, wrapped: Wrapped, number: int, style: Style, match: Style) -> list[Segment]:
        start, end = wrapped.lines[number]
        pieces: list[Segment] = []
        at = start
        for left, right in self._matches.get(row.id, ()):
            one, other = max(left, at), min(right, end)
            if one < other:
                pieces += [Segment(row.text[at:one], style), Segment(row.text[one:other], match)]
                at = other
        pieces.append(Segment(row.text[at:end], style))
        if wrapped.clipped and number == len(wrapped.lines) - 1:
            pieces.append(Segment(self.glyphs.more, style))
        return pieces

    # -- mouse --------------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens."""
        index = self.row_at(event.y + round(self.scroll_offset.y))
        if index < 0 or self.rows[index].heading:
            return
        self._put_cursor(index)
        if event.chain == 2:
            self.post_message(self.Opened(self, self.rows[index].id))


_PARTS = ("bar", "mark", "lead", "match", "heading", "warning", "error", "gone", "come", "faint", "remark")
