"""Area: a screen of its own beside the Memory area, with the same two lines at the top and the keys at the bottom."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message
from textual.widget import Widget

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS
from workbench.tui.actions import AREAS
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.header import AreaTabs, HeaderFacts, HeaderLine
from workbench.tui.screen_text import home_name, one_line
from workbench.tui.screens.changing import Changing

if TYPE_CHECKING:
    from workbench.workspace import Workspace

WIDE, HIGH = 100, 32
CLOCK_SECONDS = 10.0


@dataclass
class Unavailable(Message):
    """What an area shows could not be read."""

    request: int
    error: WorkbenchError


def header_facts(workspace: Workspace, now: float | None, *, known: bool = True) -> HeaderFacts:
    """What the first line says; reads files unless `known` is False, so call it in a worker then."""
    choice = workspace.choice
    clock = time.strftime("%H:%M", time.localtime(now if now is not None else workspace.clock()))
    facts = HeaderFacts(
        home=home_name(choice.path),
        profile=one_line(choice.profile),
        reason=one_line(choice.reason) if choice.reason != "default home" else "",
        read_only=workspace.read_only,
        clock=clock,
    )
    if not known:
        return facts
    config, status = workspace.config, workspace.status()
    return HeaderFacts(
        **{
            **vars(facts),
            "approval": (config.memory_write_approval, config.skills_write_approval),
            "alerts": status.alerts,
            "waiting": status.waiting.total,
            "switched_off": tuple(FILE_NAMES[target] for target in TARGETS if not workspace.enabled(target)),
            "provider": one_line(config.provider),
        }
    )


class Area(Changing[None]):
    """Reads when it is shown (`load`, in a worker, with the request's number); answers to older ones are dropped."""

    AREA: ClassVar[str]

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace)
        self.glyphs = glyphs
        self.now = now
        self.compact = False
        self.request = 0
        # Textual 8.2.8 would parse the style sheets of all widgets anew when a mode's screen is first made, and once
        # more when it is first shown. Its nodes are styled when they are mounted, as those of a dialog are.
        self._css_update_count = self.app._css_update_count

    def compose(self) -> ComposeResult:
        """Two lines, what the area shows, keys."""
        yield HeaderLine(header_facts(self.workspace, self.now, known=False), self.glyphs)
        yield AreaTabs(AREAS, self.AREA)
        yield from self.compose_area()
        yield KeyLine()

    def compose_area(self) -> Iterable[Widget]:
        """What the area shows."""
        return ()

    def fit(self, width: int, height: int) -> None:
        """Another size may be another layout."""

    def load(self, request: int) -> None:
        """Begin to read; the answer comes as a message."""

    def on_mount(self) -> None:
        """Fit the layout before the first frame."""
        self._fit(self.app.size.width, self.app.size.height)
        self.refresh_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Another size."""
        self._fit(event.size.width, event.size.height)

    def _fit(self, width: int, height: int) -> None:
        self.compact = width < WIDE or height < HIGH
        self.set_class(self.compact, "-compact")
        self.fit(width, height)

    @on(events.ScreenResume)
    def reload(self) -> None:
        """Read everything anew: at first sight, after a dialog or a change, when the terminal is looked at again."""
        if self.face.home_gone:
            return  # what was read last stays in sight
        self.request += 1
        self.call_after_refresh(self.load, self.request)

    def show_header(self, facts: HeaderFacts) -> None:
        """Show what the home says of itself."""
        self.query_one(HeaderLine).show(facts)
        self.query_one(AreaTabs).count("inbox", facts.waiting)

    @on(Unavailable)
    def unavailable(self, message: Unavailable) -> None:
        """Say why there is nothing to see; what is read ahead is read again when it is looked at."""
        if message.request == self.request and self.is_current:
            self.refuse(message.error)
