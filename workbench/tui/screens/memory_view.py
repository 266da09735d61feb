"""What the Memory area shows: both stores side by side, one entry in full below; reading and layout."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Container

from workbench.errors import WorkbenchError
from workbench.memory import TARGETS
from workbench.tui.actions import AREAS
from workbench.tui.facts import (
    DocumentsLoaded,
    EntryView,
    HomeJudged,
    HomeUnavailable,
    HomeView,
    Judgement,
    StoreView,
    judge_home,
    read_home,
)
from workbench.tui.first_look import HIGH, WIDE, header_facts
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.detail import DetailBox, EntryFacts
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.header import AreaTabs, HeaderFacts, HeaderLine
from workbench.tui.parts.pane import StorePane
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import one_line
from workbench.tui.screens.changing import Changing, cancelled

if TYPE_CHECKING:
    from workbench.tui.drafting import DraftView
    from workbench.tui.live import News
    from workbench.workspace import Workspace

CLOCK_SECONDS = 10.0


class MemoryView(Changing[None]):
    """Panes and detail. Only handlers of messages touch widgets; workers post one message each."""

    AUTO_FOCUS = "#list-memory"
    DEFAULT_CSS = """
    MemoryView { layout: vertical; }
    MemoryView #panes { layout: horizontal; height: 1fr; }
    MemoryView.-one-pane #panes { layout: vertical; }
    MemoryView #draft-line { height: 1; padding: 0 2; color: $accent; text-style: bold; }
    MemoryView #others { height: 1; padding: 0 2; color: $wb-muted; display: none; }
    MemoryView #others.-some { display: block; }
    MemoryView.-compact #others.-some, MemoryView.-zoomed #others.-some { display: none; }
    MemoryView.-compact DetailBox, MemoryView.-zoomed DetailBox { display: none; }
    """

    def __init__(
        self, workspace: Workspace, glyphs: Glyphs, now: float | None = None, home: HomeView | None = None
    ) -> None:
        """`home` is what has been read already: it stands in the first frame."""
        super().__init__(workspace)
        self.glyphs = glyphs
        self.now = now
        self.home = home  # with an open draft: as drafted
        self.draft_view: DraftView | None = None
        self.judgement: Judgement | None = None
        self.current = TARGETS[0]
        self.zoomed = False
        self.compact = False
        self.request = 0
        self.revealed: set[str] = set()
        self.goto: tuple[str, str] | None = None
        self._said: set[str] = set()

    def compose(self) -> ComposeResult:
        """Frames first, empty; what is in them arrives by message."""
        yield HeaderLine(self._header(), self.glyphs)
        yield AreaTabs(AREAS, "memory")
        with Container(id="panes"):
            for target in TARGETS:
                yield StorePane(target, self.glyphs)
        yield Plain(id="others")
        yield DetailBox(self.glyphs)
        yield KeyLine()

    def on_mount(self) -> None:
        """Fit the layout to the terminal before the first frame."""
        if self.home is not None:
            self._show_panes(self.home)
        self._fit(self.app.size.width, self.app.size.height)
        self.refresh_keys()
        if self.now is None:
            self.set_interval(CLOCK_SECONDS, self._refresh_header)

    # -- reading ------------------------------------------------------------------------------------------------

    @on(events.ScreenResume)
    def reload(self) -> None:
        """Read everything anew: at first sight, after a dialog or a change, when the terminal is looked at again."""
        if self.face.home_gone:
            return  # what was read last stays in sight
        self.request += 1
        # After the frame: a reading thread beside the first drawing would only slow both down.
        self.call_after_refresh(self._load, self.request)

    @work(thread=True, exclusive=True, exit_on_error=False, group="documents")
    def _load(self, request: int) -> None:
        try:
            home, desk = read_home(self.workspace), self.desk
            drafted = desk.view(home) if desk is not None else None
        except WorkbenchError as error:
            self.post_message(HomeUnavailable(request, error))
            return
        if not cancelled():
            self.post_message(DocumentsLoaded(request, home, drafted))

    @work(thread=True, exclusive=True, exit_on_error=False, group="judgement")
    def _judge(self, request: int, home: HomeView) -> None:
        judgement = judge_home(self.workspace, home, cancelled)
        if judgement is not None and not cancelled():
            self.post_message(HomeJudged(request, judgement))

    @on(DocumentsLoaded)
    def documents_loaded(self, message: DocumentsLoaded) -> None:
        """Show the entries; then let the scanner and the history look at them."""
        if message.request != self.request:
            return
        self.draft_view = message.drafted
        self.home = message.drafted.home if message.drafted is not None else message.home
        self._show_panes(self.home)
        self._refresh_header()
        self.rows_changed()
        self.call_after_refresh(self._judge, message.request, self.home)

    def _show_panes(self, home: HomeView) -> None:
        goto, self.goto = self.goto, None
        for target, view in home.stores.items():
            cursor = goto[1] if goto is not None and goto[0] == target else None
            draft = self.draft_view
            base = (draft.disk.stores[target], draft.standing.outcome) if draft is not None else None
            self.pane(target).show(view, read_only=self.workspace.read_only, cursor=cursor, drafted=base)

    @on(HomeJudged)
    def home_judged(self, message: HomeJudged) -> None:
        """Mark what the scanner found, count what needs a human."""
        if message.request != self.request:
            return
        self.judgement = message.judgement
        for target in TARGETS:
            found = message.judgement.findings.get(target, {})
            self.pane(target).judge(found, message.judgement.good.get(target, 0))
        status = message.judgement.status
        others = status.other_files if status is not None else ()
        names = ", ".join(one_line(name) for name in others)
        line = self.query_one("#others", Plain)
        line.set_class(bool(others), "-some")
        line.say(f"also in memories/, never loaded by the agent: {names}")
        self._refresh_header()
        self.refresh_detail()
        for notice in message.judgement.notices:
            if notice not in self._said:
                self._said.add(notice)
                self.say(notice, "warning")

    def outside(self, news: News) -> None:
        """Read anew, unless all that changed is in sight already: a write of our own is read when it is done."""
        seen = self.draft_view.disk if self.draft_view is not None else self.home
        shown = seen.stores if seen is not None else {}
        same = shown and all(shown[target].document.data == now.data for target, now in news.documents.items())
        if not same or news.kinds != {"memory"}:
            self.forget_history()  # what undo would take is another change now
            self.reload()

    @on(HomeUnavailable)
    def home_unavailable(self, message: HomeUnavailable) -> None:
        """Say why there is nothing to see."""
        if message.request == self.request:
            self.refuse(message.error)

    # -- what is where ------------------------------------------------------------------------------------------

    def pane(self, target: str) -> StorePane:
        """The pane of a store."""
        return self.query_one(f"#pane-{target}", StorePane)

    @property
    def list(self) -> VirtualList:
        """The list with the cursor that keys move."""
        return self.pane(self.current).list

    @property
    def store(self) -> StoreView | None:
        """The store in the current pane; None before the first reading."""
        return self.home.stores[self.current] if self.home is not None else None

    @property
    def entry(self) -> EntryView | None:
        """The entry under the cursor."""
        return self.store.find(self.list.cursor_id) if self.store is not None else None

    def good(self, target: str) -> int:
        """How many entries the last version of a store without any had; 0 when there is none, or not known yet."""
        return self.judgement.good.get(target, 0) if self.judgement is not None else 0

    def facts(self) -> EntryFacts | None:
        """What the detail says of the entry under the cursor."""
        store, view = self.store, self.entry
        if store is None or view is None:
            return None
        found = None
        if self.judgement is not None:
            found = self.judgement.findings.get(self.current, {}).get(view.entry.id, ())
        hints = tuple(hint for hint in store.document.hints if hint.entry == view.number - 1)
        shown = view.entry.id in self.revealed
        quality = self.judgement.quality.get(view.entry.id, "") if self.judgement is not None else ""
        return EntryFacts(self.current, view, len(store.entries), found, hints, shown, quality)

    def refresh_detail(self) -> None:
        """Show what stands under the cursor, and which keys work for it."""
        if not (self.compact or self.zoomed):
            gone = self.draft_view is not None and self.list.rows
            empty = "This entry is gone in the draft." if gone else "No entry here."
            self.query_one(DetailBox).show(self.facts(), empty)
        self.refresh_keys()

    def _header(self) -> HeaderFacts:
        status = self.judgement.status if self.judgement is not None else None
        return header_facts(self.workspace, self.home, self.now, status)

    def _refresh_header(self) -> None:
        facts = self._header()
        self.query_one(HeaderLine).show(facts)
        self.query_one(AreaTabs).count("inbox", facts.waiting)

    # -- layout -------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Another size may be another layout."""
        self._fit(event.size.width, event.size.height)

    def _fit(self, width: int, height: int) -> None:
        self.compact = width < WIDE or height < HIGH
        self.set_class(self.compact, "-compact")
        self.set_class(self.zoomed, "-zoomed")
        one = self.compact or self.zoomed
        self.set_class(one, "-one-pane")
        for target in TARGETS:
            self.pane(target).fold(one and target != self.current)
        self.refresh_detail()

    def set_zoom(self, zoomed: bool) -> None:
        """Give the current pane the whole height, or give it back."""
        self.zoomed = zoomed
        self._fit(self.app.size.width, self.app.size.height)

    def forget_history(self) -> None:
        """After a change, what undo and redo would take is open until the history has been asked again."""
        if self.judgement is not None:
            self.judgement = replace(self.judgement, undo=None, redo=None)

    def rows_changed(self) -> None:
        """Other entries are in the lists now."""

    def go_to(self, target: str) -> None:
        """Make a pane the current one."""
        if target != self.current:
            self.current = target
            self._fit(self.app.size.width, self.app.size.height)
        self.list.focus()
        self.refresh_detail()

    @on(StorePane.Wanted)
    def pane_wanted(self, message: StorePane.Wanted) -> None:
        """A click into a pane."""
        self.go_to(message.target)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """However a list got the focus, it is the current one."""
        target = next((target for target in TARGETS if event.widget.id == f"list-{target}"), None)
        if target is not None and target != self.current:
            self.go_to(target)

    @on(VirtualList.CursorMoved)
    def cursor_moved(self, message: VirtualList.CursorMoved) -> None:
        """Another entry: another detail."""
        if message.list is self.list:
            self.refresh_detail()

    @on(VirtualList.MarksChanged)
    def marks_changed(self, message: VirtualList.MarksChanged) -> None:
        """Say how many are marked."""
        for target in TARGETS:
            self.pane(target).refresh_subtitle()
        self.refresh_keys()
