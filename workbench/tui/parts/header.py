"""The two lines at the top: whose home this is and what is in force there; and the areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from workbench.tui.actions import Area
from workbench.tui.face import Face
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.lines import TAB_GAP, HeaderFacts, Line, header_line, tab_label, tabs_line
from workbench.tui.parts.wrap import cells
from workbench.tui.screen_text import one_line

__all__ = ["AreaTabs", "HeaderFacts", "HeaderLine"]


class HeaderLine(Widget):
    """One line; see `header_line`."""

    DEFAULT_CSS = """
    HeaderLine { height: 1; padding: 0 1; color: $wb-muted; }
    """

    def __init__(self, facts: HeaderFacts, glyphs: Glyphs) -> None:
        super().__init__()
        self.facts = facts
        self.glyphs = glyphs

    def show(self, facts: HeaderFacts) -> None:
        """Show other facts."""
        if facts != self.facts:
            self.facts = facts
            self.refresh()

    def render(self) -> Content:
        """The line, with the clock at its right end."""
        return Content.assemble(*header_line(self.facts, self.glyphs, self.content_size.width, self._clock()))

    def _clock(self) -> Line:
        """The time, and how the home is watched."""
        app = self.app
        note, tone = app.live_note if isinstance(app, Face) else ("", "")
        if not note:
            return ((self.facts.clock, ""),)
        return (self.facts.clock, "$wb-muted"), (f" {one_line(note)}", "$warning bold" if tone else "$wb-muted")


class AreaTabs(Widget):
    """The areas that exist, by number; the one shown is marked."""

    DEFAULT_CSS = """
    AreaTabs { height: 1; padding: 0 1; color: $wb-muted; }
    """

    @dataclass
    class Pressed(Message):
        """An area was clicked."""

        area_id: str

    def __init__(self, areas: Sequence[Area], current: str) -> None:
        super().__init__()
        self.areas = tuple(areas)
        self.current = current
        self.counts: dict[str, int] = {}

    def count(self, area_id: str, number: int | None) -> None:
        """Show beside an area how much waits there; None leaves what is shown."""
        if number is not None and self.counts.get(area_id, 0) != number:
            self.counts[area_id] = number
            self.refresh()

    def render(self) -> Content:
        """The line of tabs."""
        return Content.assemble(*tabs_line(self.areas, self.current, self.counts))

    def on_click(self, event: events.Click) -> None:
        """Go to the area under the pointer."""
        at = self.gutter.left
        for area in self.areas:
            end = at + cells(f" {area.number} {tab_label(area, self.counts)} ")
            if at <= event.x < end:
                self.post_message(self.Pressed(area.id))
                return
            at = end + TAB_GAP
