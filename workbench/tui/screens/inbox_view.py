"""What the Inbox area shows: the queue, and in full what stands under its cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS
from workbench.tui.inbox_facts import (
    VIEWS,
    InboxFacts,
    InboxRead,
    RecordShown,
    Shown,
    TakingKnown,
    plan_usages,
    read_inbox,
    read_taking,
)
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.usage_bar import UsageBar
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import one_line, safe
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.two_panes import Comparing, panes_css

if TYPE_CHECKING:
    from workbench.inbox import Preview
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# How long a decision stays in sight before the next row is selected (seconds); not at all with reduced motion.
HOLD = 0.6
OPERATION_LINES = 6


class InboxView(Comparing):
    """Queue and preview. Only handlers of messages touch widgets; workers post one message each."""

    AREA = "inbox"
    AUTO_FOCUS = "#queue"
    DEFAULT_CSS = (
        panes_css("InboxView", "waiting", "detail", "width: 42%; min-width: 46;")
        + """
    InboxView #operations { display: none; }
    InboxView.-operations #operations { display: block; }
    InboxView.-operations #difference { display: none; }
    InboxView #nothing { height: 1fr; }
    """
    )

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self.facts: InboxFacts | None = None
        self.taking: TakingKnown | None = None
        self.shown: Shown | None = None
        self.view = VIEWS[0]
        self.masked = True
        self.goto: str | None = None  # the key of the record to go to with the next reading
        self.then: Callable[[], None] | None = None  # what to do once the next reading is shown
        self.ours = False  # what the next reading finds different is our own doing
        self.showing = 0
        self._hold: Timer | None = None
        self._decided = ""  # the key of the record that was decided last, until the queue is read anew
        self._said: set[str] = set()

    def compose_area(self) -> Iterable[Widget]:
        """The queue, the bars of both stores, the record."""
        yield Plain(id="nothing")
        with Horizontal(id="panes"):
            with Vertical(id="waiting") as waiting:
                waiting.border_title = Content("waiting")
                yield VirtualList(lines=1, glyphs=self.glyphs, id="queue")
            with Vertical(id="detail"):
                for target in TARGETS:
                    bar = UsageBar(FILE_NAMES[target], self.glyphs)
                    bar.add_class("-folded")
                    yield bar
                yield DiffView(glyphs=self.glyphs, id="difference")
                yield VirtualList(lines=OPERATION_LINES, glyphs=self.glyphs, id="operations")

    @property
    def list(self) -> VirtualList:
        """The queue."""
        return self.query_one("#queue", VirtualList)

    @property
    def operations(self) -> VirtualList:
        """The operations of the record."""
        return self.query_one("#operations", VirtualList)

    @property
    def preview(self) -> Preview | None:
        """The record under the cursor as it was previewed."""
        row = self.list.cursor_id
        return self.facts.previews.get(row) if self.facts is not None and row is not None else None

    @property
    def holding(self) -> bool:
        """Whether a decision is still in sight."""
        return self._hold is not None

    @property
    def decided_here(self) -> bool:
        """Whether the record under the cursor is decided already: it stands there until the queue is read anew."""
        return self.holding or (bool(self._decided) and self.list.cursor_id == self._decided)

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self, request: int) -> None:
        """Read the queue."""
        self._read(request)

    @work(thread=True, exclusive=True, exit_on_error=False, group="inbox")
    def _read(self, request: int) -> None:
        try:
            facts = read_inbox(self.workspace, self.glyphs, self.now)
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if cancelled():
            return
        self.post_message(InboxRead(request, facts))
        taking = read_taking(self.workspace)
        if not cancelled():
            self.post_message(taking)

    @on(InboxRead)
    def inbox_read(self, message: InboxRead) -> None:
        """Show the queue, unless a decision is under way or still in sight; that reads again."""
        if message.request != self.request or self.holding or self.busy:
            return
        before, facts = self.preview, message.facts
        goto, self.goto = self.goto, None
        ours, self.ours = self.ours, False
        self.facts, self._decided = facts, ""
        self.show_header(facts.header)
        for bar, target in zip(self.query(UsageBar), TARGETS, strict=True):
            document = facts.documents[target]
            bar.show(facts.usages[target], f"cannot be read ({one_line(document.error)})")
        if self.has_class("-nothing") and facts.rows:
            self.call_after_refresh(self.set_focus, self.list)  # it could not have the focus while it was hidden
        self.set_class(not facts.rows, "-nothing")
        if not facts.rows:
            self.remove_class("-reading", "-zoomed")
        self.query_one("#nothing", Plain).say(nothing_waits(facts))
        self.list.set_rows(facts.rows, cursor=goto)
        self.refresh_title()
        for why in facts.failed:
            self._say_once(why)
        if before is not None and not ours:
            self._say_what_happened(before)
        self.rows_changed()
        self.refresh_keys()  # the list tells that its cursor stands on other rows: that shows the record
        then, self.then = self.then, None
        if then is not None:
            then()

    def _say_what_happened(self, before: Preview) -> None:
        """The record that was looked at is another one now, or is gone."""
        assert self.facts is not None
        now = self.facts.previews.get(before.record.key)
        name = one_line(before.record.key)
        if now is None:
            self.say(f"{name} is gone: it was decided or removed outside. The next one is shown.", "warning")
        elif now.record.sha256 != before.record.sha256:
            self.say(f"{name} was changed outside; this is what it proposes now.", "warning")
        elif now.status != before.status:
            self.say(f"{name} was {before.status} and is {now.status}: what it is about has changed.", "warning")

    def _say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self.say(text, "warning")

    @on(TakingKnown)
    def taking_known(self, message: TakingKnown) -> None:
        """Undo and redo may mean something else now."""
        self.taking = message
        for notice in message.notices:
            self._say_once(notice)
        self.refresh_keys()

    def rows_changed(self) -> None:
        """Other rows are in the queue."""

    def refresh_title(self) -> None:
        """How many wait, since when, what is marked and searched."""
        facts = self.facts
        if facts is None:
            return
        unread = facts.total - len(facts.previews)
        title = f"waiting {facts.total:,}" + (f" · oldest {facts.oldest}" if facts.oldest else "")
        entitle(self.query_one("#waiting"), title=title)
        parts = [f"{unread:,} more are not read"] if unread else []
        if self.list.marks:
            parts.append(f"{len(self.list.marks):,} marked")
        parts += self.said_of_search()
        entitle(self.query_one("#waiting"), subtitle=" · ".join(parts))

    # -- one record ---------------------------------------------------------------------------------------------

    @on(VirtualList.CursorMoved, "#queue")
    def cursor_moved(self) -> None:
        """Another record: another preview."""
        if not self.holding:
            # The step of the cursor is drawn first: a thread that compares texts beside it would slow it down.
            self.call_after_refresh(self.ask_shown)
            self.refresh_keys()

    @on(VirtualList.CursorMoved, "#operations")
    def operation_moved(self) -> None:
        """Keys may mean less on another operation."""
        self.refresh_keys()

    @on(VirtualList.MarksChanged)
    def marks_changed(self) -> None:
        """Say how many are marked."""
        self.refresh_title()
        self.hunk_moved()

    def ask_shown(self) -> None:
        """Look at the record under the cursor anew."""
        preview = self.preview
        if preview is None or self.facts is None:
            return
        self.showing += 1
        self._show(self.showing, self.facts, preview, self.masked)

    @work(thread=True, exclusive=True, exit_on_error=False, group="record")
    def _show(self, request: int, facts: InboxFacts, preview: Preview, masked: bool) -> None:
        from workbench.tui.inbox_preview import show, whence_of

        shown = show(self.workspace, facts, preview, self.glyphs, masked=masked)
        if cancelled():
            return
        self.post_message(RecordShown(request, shown))
        whence = whence_of(self.workspace, preview)
        if whence and not cancelled():
            shown = show(self.workspace, facts, preview, self.glyphs, masked=masked, whence=whence)
            self.post_message(RecordShown(request, shown))

    @on(RecordShown)
    def record_shown(self, message: RecordShown) -> None:
        """Show the record."""
        if message.request != self.showing or self.facts is None:
            return
        other = self.shown is None or self.shown.key != message.shown.key
        self.shown = message.shown
        if other:
            self.operations.clear_marks()
            if self.view == VIEWS[2]:
                self.view = VIEWS[0]
        usages = plan_usages(self.facts, self.facts.previews.get(message.shown.key))
        for bar, target in zip(self.query(UsageBar), TARGETS, strict=True):
            bar.preview(usages[target] or self.facts.usages[target])
        self.operations.set_rows(message.shown.ops)
        self.refresh_view()

    def refresh_view(self) -> None:
        """Show the view that is chosen."""
        shown = self.shown
        operations = self.view == VIEWS[1]
        moved = operations != self.has_class("-operations")
        self.set_class(operations, "-operations")
        if shown is not None:
            self.difference.show(shown.raw if self.view == VIEWS[2] else shown.rows, numbers=self.view == VIEWS[2])
            title = shown.title if self.view == VIEWS[0] else f"{shown.title} · {self.view}"
            entitle(self.query_one("#detail"), title=title)
        if moved and self.reading:
            self.set_focus(self.right)
        self.hunk_moved()

    @property
    def right(self) -> Widget:
        """What is shown at the right."""
        return self.operations if self.view == VIEWS[1] else self.difference

    @property
    def rights(self) -> tuple[Widget, ...]:
        """The difference and the operations."""
        return self.difference, self.operations

    @on(DiffView.HunkMoved)
    def hunk_moved(self) -> None:
        """Say which change is the current one, or how many operations are marked."""
        said = ""
        if self.view == VIEWS[1]:
            count = len(self.operations.marks)
            said = f"{count} of {len(self.operations.rows)} marked" if count else ""
        elif self.view == VIEWS[0] and len(self.difference.hunks) > 1:
            said = f"change {self.difference.current + 1} of {len(self.difference.hunks)}"
        entitle(self.query_one("#detail"), subtitle=said)
        self.refresh_keys()

    # -- a decision in sight ------------------------------------------------------------------------------------

    def hold(self, key: str, said: str, look: str) -> None:
        """Let a decision be seen on its row for a moment, then read what waits now."""
        self.ours, self._decided = True, key
        row = next((row for row in self.list.rows if row.id == key), None)
        if row is None or self.face.calm:
            self.reload()
            return
        badge, _, _ = said.partition(" ")
        self.list.replace_rows([Row(key, said, row.lead, badge, look=look)])
        entitle(self.query_one("#detail"), title=said)  # where the queue is folded away
        self.end_hold(read=False)
        self._hold = self.set_timer(HOLD, self.end_hold)
        self.refresh_keys()

    def end_hold(self, *, read: bool = True) -> None:
        """The decision has been seen."""
        if self._hold is not None:
            self._hold.stop()
            self._hold = None
            if read:
                self.reload()


def nothing_waits(facts: InboxFacts) -> Content:
    """Why the queue is empty, what would be here, and the key that fills it."""
    memory, skills = ("on" if on else "off" for on in facts.approval)
    lines = [
        Content.styled("Nothing waits for approval.", "$foreground bold"),
        Content(""),
        Content(
            "Here stands every write of MEMORY.md, USER.md or a skill that the agent has put aside until somebody "
            "decides, with what it would change and what would be lost."
        ),
        Content(""),
        Content(f"Asking first: memory {memory}, skills {skills}. " + _why_empty(facts.approval)),
        Content("W switches asking on and off. Newer agents (0.22) queue some of their own deletions even without it."),
    ]
    lines += [Content.styled(safe(why), "$warning") for why in facts.failed]
    return Content("\n").join(lines)


def _why_empty(approval: tuple[bool, bool]) -> str:
    if all(approval):
        return "All that was proposed is decided."
    if not any(approval):
        return "The agent writes without asking, so nothing comes here."
    return f"{'Skills are' if approval[0] else 'Memory is'} written without asking."
