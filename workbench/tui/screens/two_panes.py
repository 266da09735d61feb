"""Areas of two panes: a list, and beside it what stands under its cursor; a small screen shows one of them."""

from __future__ import annotations

from textual import events, on
from textual.widget import Widget

from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.searching import SearchKept
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.area import Area
from workbench.tui.screens.sides import ListBeside


def panes_css(name: str, left: str, right: str, width: str) -> str:
    """The layout of the area `name`, whose panes have the ids `left` and `right`; `width` is the left one's rules."""
    return f"""
    {name} {{ layout: vertical; }}
    {name} #panes {{ height: 1fr; }}
    {name} #{left}, {name} #{right} {{
        border: round $wb-frame; border-title-color: $wb-muted; border-subtitle-color: $wb-muted; height: 1fr;
    }}
    {name} #{left} {{ {width} }}
    {name} #{right} {{ width: 1fr; }}
    {name} #{left}:focus-within, {name} #{right}:focus-within {{
        border: round $wb-frame-focus; border-title-color: $foreground; border-title-style: bold;
    }}
    {name} #nothing {{ display: none; padding: 1 2; color: $wb-muted; }}
    {name}.-nothing #nothing {{ display: block; }}
    {name}.-nothing #panes {{ display: none; }}
    {name}.-compact #{left} {{ width: 1fr; min-width: 0; }}
    {name}.-compact #{right}, {name}.-compact.-reading #{left}, {name}.-zoomed #{left} {{ display: none; }}
    {name}.-compact.-reading #{right}, {name}.-zoomed #{right} {{ display: block; }}
    """


class TwoPanes(Area):
    """Where keys act, and how much room each pane has."""

    @property
    def list(self) -> VirtualList:
        """The list at the left."""
        return self.query_one(VirtualList)

    @property
    def right(self) -> Widget:
        """What is shown at the right."""
        raise NotImplementedError

    @property
    def rights(self) -> tuple[Widget, ...]:
        """All that can be shown at the right."""
        return (self.right,)

    @property
    def reading(self) -> bool:
        """Whether keys act on the right side."""
        return self.has_class("-reading")

    @property
    def zoomed(self) -> bool:
        """Whether the right side has the whole screen."""
        return self.has_class("-zoomed")

    def read_on(self, reading: bool) -> None:
        """Let keys act on the right side, or in the list."""
        self.set_class(reading, "-reading")
        self.set_focus(self.right if reading else self.list)
        self.refresh_keys()

    def zoom(self, zoomed: bool) -> None:
        """Give the right side the whole screen, or give it back."""
        self.set_class(zoomed, "-zoomed")
        if zoomed:
            self.read_on(True)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """However a pane got the focus, keys act there."""
        if event.widget is self.list or event.widget in self.rights:
            self.set_class(event.widget is not self.list, "-reading")
            self.refresh_keys()


class Comparing(TwoPanes, ListBeside[None]):
    """A list that can be searched, and a difference at the right."""

    searched = ""

    @property
    def difference(self) -> DiffView:
        """The difference."""
        return self.query_one(DiffView)

    @property
    def right(self) -> Widget:
        """The difference."""
        return self.difference

    @property
    def beside(self) -> DiffView:
        """The difference."""
        return self.difference

    @property
    def key_scopes(self) -> tuple[str, ...]:
        """While a search is typed, its keys."""
        typing = self.query("FindLine") and not (self.list.has_focus or self.right.has_focus)
        return ("find",) if typing else self.SCOPES

    def do_next_hunk(self) -> None:
        """The next change of the difference."""
        self.difference.step(1)

    def do_previous_hunk(self) -> None:
        """The previous change of the difference."""
        self.difference.step(-1)

    def do_layout(self) -> None:
        """Columns or lines."""
        self.difference.toggle_layout()

    def do_open(self) -> None:
        """Read what stands under the cursor."""
        self.read_on(True)

    def do_pane(self) -> None:
        """The other side."""
        if self.reading:
            self.zoom(False)
        self.read_on(not self.reading)

    do_pane_back = do_pane

    def do_zoom(self) -> None:
        """The right side over the whole screen, and back."""
        self.zoom(not self.zoomed)

    # -- finding ------------------------------------------------------------------------------------------------

    def matching_rows(self) -> tuple[str, ...]:
        """Ids of the rows that have to do with what is searched, in the order of the list."""
        return ()

    def search_ended(self) -> None:
        """Nothing is searched any more."""

    def said_of_search(self) -> tuple[str, ...]:
        """What is searched, and how much of it there is."""
        return (f"“{safe(self.searched)}” {len(self.matching_rows()):,}",) if self.searched else ()

    @on(SearchKept)
    def find_kept(self) -> None:
        """Back to the list, the search stays for n and N."""
        self.set_focus(self.list)
        self.query("FindLine").remove()
        self.refresh_keys()

    def do_keep(self) -> None:
        """Enter in the line of the search, by mouse."""
        self.find_kept()

    def do_close(self) -> None:
        """Escape in the line of the search, by mouse."""
        self.end_find()

    def end_find(self) -> None:
        """Search nothing, and go back to the list."""
        self.searched = ""
        self.set_focus(self.list)
        self.query("FindLine").remove()
        self.search_ended()

    def step_match(self, direction: int) -> None:
        """To the next match in a direction, around the end."""
        found = self.matching_rows()
        order = {row.id: index for index, row in enumerate(self.list.rows)}
        at = order.get(self.list.cursor_id or "", 0)
        after = tuple(row_id for row_id in found if (order[row_id] - at) * direction > 0)
        ahead = after if direction > 0 else after[::-1]
        around = found if direction > 0 else found[::-1]
        if ahead or around:
            self.list.move_to((ahead or around)[0])

    def do_next(self) -> None:
        """The next match."""
        self.step_match(1)

    def do_previous(self) -> None:
        """The previous match."""
        self.step_match(-1)
