"""Two panes: a list, and beside it what belongs to the row under its cursor. The keys move in the one that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from textual import events, on
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from workbench.tui.parts.diff_view import DiffView
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.changing import Changing

if TYPE_CHECKING:
    from workbench.tui.glyphs import Glyphs
    from workbench.tui.parts.virtual_list import VirtualList
    from workbench.workspace import Workspace

ResultT = TypeVar("ResultT")
# Cells from which both panes of a modal screen stand side by side.
WIDE, HIGH = 100, 32


class Beside(Protocol):
    """What can be scrolled beside a list."""

    def scroll_lines(self, lines: int) -> None:
        """So many lines down, up when negative."""

    def scroll_half(self, direction: int) -> None:
        """Half a screen down (1) or up (-1)."""

    def scroll_ends(self, direction: int) -> None:
        """To the end (1) or the beginning (-1)."""


class Words(VerticalScroll):
    """A pane of words that keys scroll."""

    def scroll_lines(self, lines: int) -> None:
        """So many lines down, up when negative."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)

    def scroll_half(self, direction: int) -> None:
        """Half a screen down (1) or up (-1)."""
        self.scroll_lines(direction * max(1, self.scrollable_content_region.height // 2))

    def scroll_ends(self, direction: int) -> None:
        """To the end (1) or the beginning (-1)."""
        self.scroll_lines(direction * 1_000_000)


class ListBeside(Changing[ResultT], Generic[ResultT]):
    """The keys of a screen with a list and something beside it."""

    @property
    def list(self) -> VirtualList:
        """The list."""
        raise NotImplementedError

    @property
    def beside(self) -> Beside:
        """What stands beside it."""
        raise NotImplementedError

    @property
    def reading(self) -> bool:
        """Whether keys act beside the list."""
        raise NotImplementedError

    def do_down(self) -> None:
        """Next row, or a line down."""
        self.beside.scroll_lines(1) if self.reading else self.list.move(1)

    def do_up(self) -> None:
        """Previous row, or a line up."""
        self.beside.scroll_lines(-1) if self.reading else self.list.move(-1)

    def do_half_down(self) -> None:
        """Half a screen down."""
        self.beside.scroll_half(1) if self.reading else self.list.move_half(1)

    def do_half_up(self) -> None:
        """Half a screen up."""
        self.beside.scroll_half(-1) if self.reading else self.list.move_half(-1)

    def do_top(self) -> None:
        """The first row, or the beginning."""
        self.beside.scroll_ends(-1) if self.reading else self.list.move(-len(self.list.rows))

    def do_bottom(self) -> None:
        """The last row, or the end."""
        self.beside.scroll_ends(1) if self.reading else self.list.move(len(self.list.rows))


class TwoSides(ListBeside[str], ModalScreen[str]):
    """A modal screen: a list, and a difference beside it or below it; the result is what was done."""

    DEFAULT_CSS = """
    TwoSides { align: center middle; background: $background 70%; }
    TwoSides:ansi { background: ansi_default; }
    TwoSides > #box {
        width: 96%; height: 94%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $wb-muted;
        background: $surface;
    }
    TwoSides.-small > #box { width: 100%; height: 100%; }
    TwoSides #sides { layout: horizontal; height: 1fr; }
    TwoSides.-small #sides { layout: vertical; }
    TwoSides VirtualList, TwoSides DiffView { background: $surface; }
    TwoSides #sides > VirtualList { width: 2fr; }
    TwoSides #sides > DiffView { width: 3fr; border-left: solid $wb-frame; }
    TwoSides.-small #sides > VirtualList { width: 1fr; height: 2fr; }
    TwoSides.-small #sides > DiffView { width: 1fr; height: 3fr; border-left: none; border-top: solid $wb-frame; }
    """
    LIST: ClassVar[str] = ""
    """The list's selector."""

    def __init__(self, workspace: Workspace, glyphs: Glyphs) -> None:
        super().__init__(workspace)
        self.glyphs = glyphs
        self.masked = True
        self.request = 0

    def on_mount(self) -> None:
        """Fit the terminal; reading begins when the screen is shown."""
        self._fit()
        self.refresh_keys()

    def on_resize(self) -> None:
        """Side by side where there is room for it."""
        self._fit()

    def _fit(self) -> None:
        self.set_class(self.app.size.width < WIDE or self.app.size.height < HIGH, "-small")

    @property
    def list(self) -> VirtualList:
        """The rows."""
        from workbench.tui.parts.virtual_list import VirtualList

        return self.query_one(self.LIST, VirtualList)

    @property
    def difference(self) -> DiffView:
        """What the row under the cursor shows."""
        return self.query_one(DiffView)

    @property
    def beside(self) -> DiffView:
        """The difference."""
        return self.difference

    @property
    def reading(self) -> bool:
        """Whether keys act in the difference."""
        return self.difference.has_focus

    # -- reading ------------------------------------------------------------------------------------------------

    @on(events.ScreenResume)
    def reload(self) -> None:
        """Read anew; after another screen too."""
        if not self.face.home_gone:
            self.request += 1
            self.begin_reading(self.request)

    def begin_reading(self, request: int) -> object:
        """Start the worker that reads."""
        raise NotImplementedError

    def look(self) -> None:
        """Show what belongs to the row under the cursor."""
        raise NotImplementedError

    @on(Unavailable)
    def unavailable(self, message: Unavailable) -> None:
        """Say why there is nothing to see."""
        if message.request == self.request:
            self.refuse(message.error)

    @on(DiffView.HunkMoved)
    def hunk_moved(self) -> None:
        """Keys may mean less at the last change."""
        self.refresh_keys()

    # -- looking ------------------------------------------------------------------------------------------------

    def do_pane(self) -> None:
        """The other pane."""
        self.set_focus(self.list if self.reading else self.difference)
        self.refresh_keys()

    def do_pane_back(self) -> None:
        """The other pane."""
        self.do_pane()

    def do_layout(self) -> None:
        """Columns or lines."""
        self.difference.toggle_layout()

    def do_reveal(self) -> None:
        """Show or mask credentials."""
        self.masked = not self.masked
        self.look()

    def do_next_hunk(self) -> None:
        """The next change."""
        self.difference.step(1)

    def do_previous_hunk(self) -> None:
        """The previous change."""
        self.difference.step(-1)
