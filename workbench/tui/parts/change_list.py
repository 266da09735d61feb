"""The line of time: change sets as rows, and a list that says when other ones come into view."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import one_line

if TYPE_CHECKING:
    from workbench.history import ChangeSet

# Room for `+12 −3 ~1`, and for `workbench`.
_SUMMARY, _ACTOR = 9, 9


@dataclass(frozen=True)
class Marks:
    """What rows say besides their change: those taken back, what undo and redo would take, what a search has found."""

    undone: frozenset[int] = frozenset()
    undo: int | None = None
    redo: int | None = None
    found: frozenset[int] = frozenset()


def rows_of(
    changes: Sequence[ChangeSet], summaries: Mapping[int, str], marks: Marks, glyphs: Glyphs
) -> tuple[Row, ...]:
    """Newest first, a heading for each day; the id of a row is the number of its change."""
    return tuple(_rows(changes, summaries, marks, glyphs))


def _rows(changes: Sequence[ChangeSet], summaries: Mapping[int, str], marks: Marks, glyphs: Glyphs) -> Iterator[Row]:
    day, seen = "", 0
    for change in changes:
        of_change = time.strftime("%a %d %b %Y", time.localtime(change.at))
        if of_change != day:
            # A clock that was set back gives the same day twice.
            day, seen = of_change, seen + 1
            yield Row(f"day:{seen}", day, heading=True)
        yield row_of(change, summaries.get(change.id), marks, glyphs)


def row_of(change: ChangeSet, summary: str | None, marks: Marks, glyphs: Glyphs) -> Row:
    """One change: when, what it did in numbers (None: not known yet), whose it is, what it is called, what became of
    it.
    """
    undone = change.id in marks.undone
    parts = [one_line(change.label)]
    if change.hint:
        parts.append(one_line(change.hint))
    if undone:
        parts.insert(0, "taken back")
    if not change.landed:
        parts.insert(0, "never reached the disk")
    badge = "u" if change.id == marks.undo else "U" if change.id == marks.redo else ""
    tone = ""
    if not change.landed:
        badge, tone = glyphs.warning, "warning"
    if change.id in marks.found:
        badge, tone = f"{badge}/", tone or "warning"
    return Row(
        str(change.id),
        f"{summary or '':<{_SUMMARY}} {one_line(change.actor):<{_ACTOR}} {' · '.join(parts)}",
        time.strftime("%H:%M", time.localtime(change.at)),
        badge,
        tone,
        look="faint" if undone or not change.landed else "",
    )


class ChangeList(VirtualList):
    """A VirtualList of one line a row that says when it was scrolled."""

    @dataclass
    class Scrolled(Message):
        """Other rows are visible."""

        list: ChangeList

    def __init__(self, *, glyphs: Glyphs, id: str | None = None) -> None:  # noqa: A002
        super().__init__(lines=1, glyphs=glyphs, id=id)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scrolling is also what the mouse and the cursor do."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled(self))

    def choose(self, ids: frozenset[str]) -> None:
        """Mark these rows and no others."""
        self._set_marks(ids)

    def visible_ids(self) -> tuple[int, ...]:
        """The changes in view; one line is one row here."""
        top = round(self.scroll_offset.y)
        seen = self.rows[top : top + self.scrollable_content_region.height + 1]
        return tuple(int(row.id) for row in seen if not row.heading)

    def near_end(self) -> bool:
        """Whether less than a screen is left below what is in view."""
        height = self.scrollable_content_region.height
        return round(self.scroll_offset.y) + 2 * height >= len(self.rows)
