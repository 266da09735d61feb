"""The two lines at the top: whose home this is and what is in force there; and the areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from workbench.tui.actions import Area
from workbench.tui.face import Face
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.wrap import fit
from workbench.tui.screen_text import one_line

GAP = 3


@dataclass(frozen=True)
class HeaderFacts:
    """What the header says; every text has been through the door. None: not known yet.

    `switched_off` names stores the agent does not use, `provider` an external memory, `clock` is ready to print;
    `waiting` counts pending records, for the tab of the inbox.
    """

    home: str
    profile: str
    reason: str
    read_only: bool
    clock: str
    approval: tuple[bool, bool] | None = None
    alerts: int | None = None
    switched_off: tuple[str, ...] = ()
    provider: str = ""
    waiting: int | None = None


class HeaderLine(Widget):
    """One line; when it is narrow the least important pieces go first, never what limits the user."""

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

    def _pieces(self, reason: bool) -> list[tuple[int, Content]]:
        """(rank, text) in the order of the line; the highest rank goes first."""
        facts, glyphs = self.facts, self.glyphs
        pieces = [(5, Content.assemble((f"{glyphs.logo} ", "$primary"), ("workbench", "$foreground bold")))]
        why = f" ({facts.reason})" if reason and facts.reason else ""
        pieces.append((0, Content.assemble((facts.home, "$foreground"), f" · {facts.profile}{why}")))
        if facts.read_only:
            pieces.append((0, Content.styled("read-only", "$warning bold")))
        if facts.switched_off:
            pieces.append((1, Content.styled(f"switched off: {', '.join(facts.switched_off)}", "$warning")))
        if facts.provider:
            pieces.append((3, Content(f"also remembers in: {facts.provider}")))
        if facts.approval is not None:
            memory, skills = ("on" if on else "off" for on in facts.approval)
            pieces.append((4, Content(f"approval: memory {memory}, skills {skills}")))
        if facts.alerts:
            pieces.append((2, Content.styled(f"{glyphs.warning} {facts.alerts}", "$warning bold")))
        return pieces

    def render(self) -> Content:
        """The line, with the clock at its right end."""
        width = self.content_size.width
        clock = self._clock()

        def taken(pieces: list[tuple[int, Content]]) -> int:
            return sum(piece.cell_length + GAP for _, piece in pieces) + clock.cell_length

        pieces = self._pieces(reason=True)
        if taken(pieces) > width:
            pieces = self._pieces(reason=False)
        while taken(pieces) > width and max(rank for rank, _ in pieces) > 0:
            pieces.remove(max(pieces, key=lambda piece: piece[0]))
        line = Content(" " * GAP).join([piece for _, piece in pieces])
        room = width - clock.cell_length - GAP
        if line.cell_length > room:
            line = Content(fit(line.plain, room, self.glyphs.more))
        return line + Content(" " * (width - clock.cell_length - line.cell_length)) + clock

    def _clock(self) -> Content:
        """The time, and how the home is watched."""
        app = self.app
        note, tone = app.live_note if isinstance(app, Face) else ("", "")
        if not note:
            return Content(self.facts.clock)
        style = "$warning bold" if tone else "$wb-muted"
        return Content.assemble((self.facts.clock, "$wb-muted"), " ", (one_line(note), style))


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

    def _label(self, area: Area) -> str:
        number = self.counts.get(area.id, 0)
        return f"{area.label} {number:,}" if number else area.label

    def render(self) -> Content:
        """The line of tabs."""
        tabs = []
        for area in self.areas:
            here = area.id == self.current
            tabs.append(
                Content.assemble(
                    (f" {area.number} ", "$wb-key bold" if not here else "$primary bold"),
                    (f"{self._label(area)} ", "$foreground bold underline" if here else "$wb-muted"),
                )
            )
        return Content("  ").join(tabs)

    def on_click(self, event: events.Click) -> None:
        """Go to the area under the pointer."""
        at = self.gutter.left
        for area in self.areas:
            end = at + cell_len(f" {area.number} {self._label(area)} ")
            if at <= event.x < end:
                self.post_message(self.Pressed(area.id))
                return
            at = end + 2
