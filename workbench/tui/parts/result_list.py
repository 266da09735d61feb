"""ResultList: conversations as two lines each, the second with the hit in sight; drawn like every long list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.parts.wrap import cells, fit

_LINES = 2
# Cells of a line that stay before the first hit when the beginning has to go.
_BEFORE = 12


@dataclass(frozen=True, slots=True)
class ResultRow(Row):
    """One conversation. `text` is the title, `about` stands at the right of it, `origin` before the second line.

    `piece` is the second line, with `marks` (start, end) in characters of it; all have been through the door.
    """

    about: str = ""
    origin: str = ""
    piece: str = ""
    marks: tuple[tuple[int, int], ...] = ()


class ResultList(VirtualList):
    """A VirtualList whose rows all take two lines, so that nothing has to be measured."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"result-list--title"}
    DEFAULT_CSS = "ResultList > .result-list--title { text-style: bold; }"

    @dataclass
    class Scrolled(Message):
        """Other rows are visible."""

        list: ResultList

    def __init__(self, *, glyphs: Glyphs | None = None, id: str | None = None) -> None:  # noqa: A002
        super().__init__(lines=_LINES, glyphs=glyphs, id=id)

    def _measure(self) -> None:
        width = self.scrollable_content_region.width
        self._wrapped_for = width
        if width > 0:
            self._starts = list(range(0, _LINES * len(self.rows) + 1, _LINES))
            self.virtual_size = Size(width, self._starts[-1])

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scrolling is also what the mouse and the cursor do."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled(self))

    def near_end(self) -> bool:
        """Whether less than a screen is left below what is in view."""
        height = self.scrollable_content_region.height
        return round(self.scroll_offset.y) + 2 * height >= _LINES * len(self.rows)

    def _draw(self, index: int, number: int, width: int) -> Strip:
        row = self.rows[index]
        assert isinstance(row, ResultRow)
        at_cursor = index == self._cursor
        part = self._styles(at_cursor=at_cursor)
        base = part[""]
        title = base + self.get_component_rich_style("result-list--title", partial=True)
        room = max(8, width - 3)
        segments = [Segment(self.glyphs.cursor if at_cursor else " ", part["bar"])]
        if number == 0:
            about = row.about if cells(row.about) + 8 <= room else ""
            text = fit(row.text, room - cells(about) - 1, self.glyphs.more)
            gap = " " * max(1, room - cells(text) - cells(about))
            look = part["faint"] if row.look == "faint" else title
            segments += [Segment(text, look), Segment(gap, base), Segment(about, part["lead"])]
        else:
            origin = f"{row.origin} " if row.origin else ""
            segments += [Segment(f" {origin}", part["lead"])]
            text_style = part["faint"] if row.look == "faint" or not row.marks else base
            for text, marked in shown(row, room - 1 - cells(origin), self.glyphs.more):
                segments.append(Segment(text, part["match"] if marked else text_style))
        return Strip(segments).adjust_cell_length(width, base).simplify()


def shown(row: ResultRow, room: int, more: str) -> list[tuple[str, bool]]:
    """The part of the second line around its first hit that fits into `room` cells, as (text, whether it is a hit)."""
    text, start = row.piece, 0
    if row.marks and cells(text[: row.marks[0][1]]) > room - 2:
        start = max(0, row.marks[0][0] - _BEFORE)
        blank = text.find(" ", start, row.marks[0][0])
        start = blank + 1 if blank >= 0 else start
    visible = fit(text[start:], room - (1 if start else 0), more)
    end = start + len(visible)
    pieces: list[tuple[str, bool]] = [(more, False)] if start else []
    at = start
    for left, right in row.marks:
        one, other = max(left, at), min(right, end)
        if one < other:
            pieces += [(visible[at - start : one - start], False), (visible[one - start : other - start], True)]
            at = other
    return [*pieces, (visible[at - start :], False)]
