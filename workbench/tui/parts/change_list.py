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

# Room for `+1 −1`, what most changes are, and for `outside`; more moves the rest of its row to the right.
_NUMBERS, _ACTOR = 6, 7
_WHOSE = {"workbench": "you"}


@dataclass(frozen=True)
class Gist:
    """What a change did: in numbers, and the first entry it concerned (through the door, "" when there is none)."""

    numbers: str
    text: str = ""


@dataclass(frozen=True)
class Marks:
    """What rows say besides their change: those taken back, what undo and redo would take, what a search has found."""

    undone: frozenset[int] = frozenset()
    undo: int | None = None
    redo: int | None = None
    found: frozenset[int] = frozenset()


def rows_of(changes: Sequence[ChangeSet], gists: Mapping[int, Gist], marks: Marks, glyphs: Glyphs) -> tuple[Row, ...]:
    """Newest first, a heading for each day; the id of a row is the number of its change."""
    return tuple(_rows(changes, gists, marks, glyphs))


def _rows(changes: Sequence[ChangeSet], gists: Mapping[int, Gist], marks: Marks, glyphs: Glyphs) -> Iterator[Row]:
    day, seen = "", 0
    for change in changes:
        of_change = time.strftime("%a %d %b %Y", time.localtime(change.at))
        if of_change != day:
            # A clock that was set back gives the same day twice.
            day, seen = of_change, seen + 1
            yield Row(f"day:{seen}", day, heading=True)
        yield row_of(change, gists.get(change.id), marks, glyphs)


def row_of(change: ChangeSet, gist: Gist | None, marks: Marks, glyphs: Glyphs) -> Row:
    """One change: when, what it did in numbers, whose it is, what it is about, what became of it.

    While `gist` is None the label stands in for it.
    """
    undone = change.id in marks.undone
    whose = _WHOSE.get(change.actor) or one_line(change.actor)
    parts = [_about(change, gist, one_line(change.hint))]
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
        f"{gist.numbers if gist else '':<{_NUMBERS}} {whose:<{_ACTOR}} {' · '.join(parts)}",
        time.strftime("%H:%M", time.localtime(change.at)),
        badge,
        tone,
        look="faint" if undone or not change.landed else "",
    )


def _about(change: ChangeSet, gist: Gist | None, hint: str) -> str:
    """The file and the first entry concerned, where the label says no more than the numbers; else the label as well."""
    label = one_line(change.label)
    if gist is None or not gist.text or change.kind == "baseline":
        return f"{label} · {hint}" if hint else label
    name = change.files[0].path.rpartition("/")[2] if len(change.files) == 1 else ""
    plain = change.kind == "outside" or (change.kind == "edit" and label.endswith(f" in {name}"))
    text = f"{hint} · {gist.text}" if hint else gist.text
    return f"{one_line(name.removesuffix('.md')):<6} {text}" if name and plain else f"{label}: {text}"


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
