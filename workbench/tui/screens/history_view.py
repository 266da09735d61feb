"""What the History area shows: the line of time, and the difference of what stands under its cursor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from workbench.errors import WorkbenchError
from workbench.tui.facts import observed
from workbench.tui.history_facts import (
    VIEWS,
    Compared,
    Comparison,
    GistsKnown,
    Past,
    PastRead,
    compare,
    compare_two,
    gists_of,
    read_past,
)
from workbench.tui.keymap import shown
from workbench.tui.parts.change_list import ChangeList, Gist, Marks, row_of
from workbench.tui.parts.diff_rows import Remark
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.two_panes import Comparing, panes_css

if TYPE_CHECKING:
    from workbench.history import ChangeSet
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# The first page fills any terminal; each further one is so many times as long as all before it.
PAGE, GROWTH = 200, 5
EVERYTHING = 1_000_000_000
NOTHING_YET = (  # with two keys
    "Nothing is recorded yet. Here stands every change of MEMORY.md and USER.md, whoever made it: yours with the "
    "first save, the agent's and others' as soon as the workbench sees them. {} in the Memory area ({}) writes an "
    "entry."
)


class HistoryView(Comparing):
    """List and difference. Only handlers of messages touch widgets; workers post one message each."""

    AREA = "history"
    AUTO_FOCUS = "#changes"
    DEFAULT_CSS = panes_css("HistoryView", "past", "detail", "width: 50%; min-width: 50;")

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self.past: Past | None = None
        self.comparison: Comparison | None = None
        self.gists: dict[int, Gist] = {}
        self.wanted = PAGE
        self.view = VIEWS[0]
        self.masked = True
        self.chosen: tuple[int, ...] = ()  # the marked changes, in the order of marking; two at most
        self.found: frozenset[int] = frozenset()
        self.comparing = 0
        self._asked: frozenset[int] = frozenset()
        self._to_end = False

    def compose_area(self) -> Iterable[Widget]:
        """The line of time, the difference."""
        yield Plain(NOTHING_YET.format(shown("memory.new"), shown("app.area_memory")), id="nothing")
        with Horizontal(id="panes"):
            with Vertical(id="past") as past:
                past.border_title = Content("changes")
                yield ChangeList(glyphs=self.glyphs, id="changes")
            with Vertical(id="detail"):
                yield DiffView(glyphs=self.glyphs, id="difference")

    @property
    def list(self) -> ChangeList:
        """The line of time."""
        return self.query_one(ChangeList)

    @property
    def change_set(self) -> ChangeSet | None:
        """The change under the cursor."""
        row = self.list.cursor_id
        return self.past.by_number.get(int(row)) if self.past is not None and row is not None else None

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self, request: int) -> None:
        """Read as many changes as were looked at so far."""
        self._read(request, self.wanted, dict(self.gists))

    @work(thread=True, exclusive=True, exit_on_error=False, group="past")
    def _read(self, request: int, limit: int, gists: dict[int, Gist]) -> None:
        try:
            past = read_past(self.workspace, limit, gists, self.glyphs, self.now)
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if not cancelled():
            self.post_message(PastRead(request, past))

    @on(PastRead)
    def past_read(self, message: PastRead) -> None:
        """Show the line of time."""
        if message.request != self.request:
            return
        past = self.past = message.past
        self._asked = frozenset()
        self.set_class(not past.changes, "-nothing")
        self.show_header(past.header)
        self.list.set_rows(past.rows)
        if self._to_end:
            self._to_end = False
            self.list.move(len(past.rows))
        for notice in past.notices if self.is_current else ():
            self.say(notice, "warning")
        self.past_changed()
        self.show_marks()
        self.ask_difference()
        self.call_after_refresh(self._look)

    def past_changed(self) -> None:
        """Other changes are in the list."""

    def more(self, *, everything: bool = False, to_end: bool = False) -> bool:
        """Read older changes too; False when all are here."""
        if self.past is None or self.past.complete:
            return False
        self._to_end = self._to_end or to_end
        wanted = EVERYTHING if everything else len(self.past.changes) * GROWTH
        if wanted > self.wanted:
            self.wanted = wanted
            self.reload()
        return True

    @on(ChangeList.Scrolled)
    def scrolled(self) -> None:
        """Other rows are visible: find out what they did, and read on in time."""
        self._look()

    def _look(self) -> None:
        if self.past is None:
            return
        if self.list.near_end():
            self.more()
        unknown = frozenset(number for number in self.list.visible_ids() if number not in self.gists)
        if unknown and unknown != self._asked:
            self._asked = unknown
            wanted = tuple(self.past.by_number[number] for number in unknown)
            self._tell(wanted)

    @work(thread=True, exclusive=True, exit_on_error=False, group="gists")
    def _tell(self, changes: tuple[ChangeSet, ...]) -> None:
        self.post_message(GistsKnown(gists_of(self.workspace, changes, cancelled)))

    @on(GistsKnown)
    def gists_known(self, message: GistsKnown) -> None:
        """Fill the rows in that were waiting for it."""
        self.gists.update(message.gists)
        self.refresh_rows(frozenset(message.gists))

    def refresh_rows(self, numbers: frozenset[int]) -> None:
        """Draw these rows anew."""
        if self.past is None:
            return
        old = self.past.marks
        marks = Marks(old.undone, old.undo, old.redo, self.found)
        rows = [
            row_of(change, self.gists.get(change.id), marks, self.glyphs)
            for change in map(self.past.by_number.get, numbers)
            if change is not None
        ]
        self.list.replace_rows(rows)

    # -- the difference -----------------------------------------------------------------------------------------

    @on(VirtualList.CursorMoved)
    def cursor_moved(self) -> None:
        """Another change: another difference, unless two are marked."""
        if len(self.chosen) < 2:
            self.ask_difference()
        self.refresh_keys()

    def ask_difference(self) -> None:
        """Compare anew what is to be shown."""
        change = self.change_set
        if self.past is None or change is None:
            return
        self.comparing += 1
        undone = change.id in self.past.marks.undone
        if len(self.chosen) == 2:
            older, newer = sorted(self.chosen)
            self._compare_two(self.comparing, older, newer, self.view == VIEWS[2], self.masked)
        else:
            self._compare(self.comparing, change, self.view, undone, self.masked)

    @work(thread=True, exclusive=True, exit_on_error=False, group="difference")
    def _compare(self, request: int, change: ChangeSet, view: str, undone: bool, masked: bool) -> None:
        try:
            if view == VIEWS[1]:
                observed(self.workspace)
            comparison = compare(self.workspace, change, view, undone=undone, masked=masked)
        except WorkbenchError as error:
            comparison = _unable(f"change {change.id}", error)
        if not cancelled():
            self.post_message(Compared(request, comparison))

    @work(thread=True, exclusive=True, exit_on_error=False, group="difference")
    def _compare_two(self, request: int, older: int, newer: int, whole: bool, masked: bool) -> None:
        try:
            comparison = compare_two(self.workspace, older, newer, whole=whole, masked=masked)
        except WorkbenchError as error:
            comparison = _unable(f"changes {older} and {newer}", error)
        if not cancelled():
            self.post_message(Compared(request, comparison))

    @on(Compared)
    def compared(self, message: Compared) -> None:
        """Show the difference."""
        if message.request != self.comparing:
            return
        self.comparison = message.comparison
        self.difference.show(message.comparison.rows, numbers=message.comparison.numbers)
        entitle(self.query_one("#detail"), title=message.comparison.title)
        self.hunk_moved()

    @on(DiffView.HunkMoved)
    def hunk_moved(self) -> None:
        """Say which entry is the current one."""
        hunks = self.difference.hunks
        said = f"{self.difference.current + 1} of {len(hunks)}" if hunks else ""
        entitle(self.query_one("#detail"), subtitle=said)
        self.refresh_keys()

    def show_marks(self) -> None:
        """Say what is marked, searched, and whether older changes wait."""
        if self.past is None:
            return
        here = self.past.by_number
        self.chosen = tuple(number for number in self.chosen if number in here)
        self.list.choose(frozenset(map(str, self.chosen)))
        count = len(self.past.changes)
        parts = [f"{count:,}{'' if self.past.complete else '+'} change{'' if count == 1 else 's'}"]
        if self.chosen:
            parts.append(f"{len(self.chosen)} of 2 marked")
        parts += self.said_of_search()
        entitle(self.query_one("#past"), subtitle=" · ".join(parts))
        self.refresh_keys()


def _unable(title: str, error: WorkbenchError) -> Comparison:
    return Comparison(title, (Remark(safe(str(error)), "warning"),))
