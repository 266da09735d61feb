"""DriftScreen: what makes a file differ from the agent's own form, place by place, and putting it right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from workbench.errors import Conflict, WorkbenchError
from workbench.memory import FILE_NAMES
from workbench.tui.actions import bindings
from workbench.tui.drift_facts import DriftRead, DriftView, Looked, LookedAt, look_at_place, look_at_way, read_drift
from workbench.tui.facts import Decide, Intent
from workbench.tui.glyphs import Glyphs
from workbench.tui.keymap import shown
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.changing import Changing, cancelled
from workbench.tui.screens.sides import TwoSides

if TYPE_CHECKING:
    from workbench.memory.resolving import Plan
    from workbench.tui.live import News
    from workbench.tui.screens.editor import Edited
    from workbench.workspace import Workspace


class DriftScreen(TwoSides):
    """Ways and places on the left, what the one under the cursor shows on the right; the result is what was done."""

    SCOPES = ("drift",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("drift")]
    AUTO_FOCUS = "#ways"
    LIST = "#ways"
    DEFAULT_CSS = """
    DriftScreen #lead { height: auto; max-height: 4; padding: 0 1; margin: 0 0 1 0; }
    DriftScreen #looked:focus { border-left: solid $wb-frame-focus; }
    DriftScreen #plan { height: auto; min-height: 2; max-height: 4; padding: 0 1; margin: 1 0 0 0; }
    DriftScreen.-small #lead { max-height: 3; margin: 0; }
    DriftScreen.-small #plan { margin: 0; }
    """

    def __init__(self, workspace: Workspace, target: str, glyphs: Glyphs) -> None:
        super().__init__(workspace, glyphs)
        self.target = target
        self.view: DriftView | None = None
        self.looked: Looked | None = None
        self.as_bytes = False
        self.looking = 0
        self._done = ""

    def compose(self) -> ComposeResult:
        """State, ways and places, what the one under the cursor shows, what would come of it, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content(FILE_NAMES[self.target])
            yield Plain(id="lead")
            with Container(id="sides"):
                yield VirtualList(glyphs=self.glyphs, lines=3, id="ways")
                yield DiffView(glyphs=self.glyphs, id="looked")
            yield Plain(id="plan")
            yield KeyLine()

    @property
    def how(self) -> str:
        """The way under the cursor; "" when a place is there."""
        kind, _, rest = (self.list.cursor_id or "").partition(":")
        return rest if kind == "way" else ""

    # -- reading ------------------------------------------------------------------------------------------------

    def outside(self, news: News) -> None:
        """The file moved on under the eyes of who looks at it."""
        document = news.documents.get(self.target)
        if self.view is None or document is None or document.data != self.view.document.data:
            self.reload()

    @work(thread=True, exclusive=True, exit_on_error=False, group="drift")
    def begin_reading(self, request: int) -> None:
        """Explain the file."""
        try:
            view = read_drift(self.workspace, self.target)
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if not cancelled():
            self.post_message(DriftRead(request, view))

    @on(DriftRead)
    def drift_read(self, message: DriftRead) -> None:
        """Show the ways there are, and below them why."""
        if message.request != self.request:
            return
        view = self.view = message.view
        done, self._done = self._done, ""
        if done and (not view.drift.any or not view.ways):
            self.dismiss(done)
            return
        if done:
            self.say(done)
        document = view.document
        tone = "$error" if document.state in ("unreadable", "lossy", "missing") else "$foreground"
        self.query_one("#lead", Plain).say(Content.styled(view.lead, tone))
        self.query_one("#box").border_title = Content(f"{FILE_NAMES[self.target]} · {document.state}")
        size = "no file" if document.data is None else f"{len(document.data):,} bytes"
        self.query_one("#box").border_subtitle = Content(size)
        self.list.set_rows(self._rows(view))
        self.look()

    def _rows(self, view: DriftView) -> tuple[Row, ...]:
        rows = []
        if view.ways:
            rows.append(Row("head-ways", "put it right", heading=True))
            rows += [Row(f"way:{way.how}", way.label) for way in view.ways]
        serious = [number for number, one in enumerate(view.drift.differences) if one.serious]
        notes = [number for number, one in enumerate(view.drift.differences) if not one.serious]
        for title, numbers in (("what differs", serious), ("worth knowing", notes)):
            if numbers:
                rows.append(Row(f"head-{title}", title, heading=True))
            for number in numbers:
                one = view.drift.differences[number]
                where = "" if one.line is None or f"line {one.line}" in one.text else f"line {one.line:,}: "
                badge = self.glyphs.warning if one.serious else ""
                rows.append(Row(f"place:{number}", f"{where}{safe(one.text)}", badge=badge, tone="warning"))
        if not rows:
            rows.append(Row("nothing", "not a byte differs from what the agent would write", look="faint"))
        return tuple(rows)

    @on(VirtualList.CursorMoved)
    def look(self) -> None:
        """Show what belongs to the row under the cursor."""
        row = self.list.cursor_id
        if self.view is None or row is None:
            return
        self.looking += 1
        self._look(self.looking, self.view, row, self.as_bytes, self.masked)
        self.refresh_keys()

    @work(thread=True, exclusive=True, exit_on_error=False, group="look")
    def _look(self, request: int, view: DriftView, row: str, as_bytes: bool, masked: bool) -> None:
        kind, _, rest = row.partition(":")
        if kind == "way":
            looked = look_at_way(self.workspace, self.target, rest, as_bytes=as_bytes, masked=masked)
        elif kind == "place":
            looked = look_at_place(view, int(rest), masked=masked)
        else:
            looked = Looked("")
        if not cancelled():
            self.post_message(LookedAt(request, looked))

    @on(LookedAt)
    def looked_at(self, message: LookedAt) -> None:
        """Show the difference, and what the file would come to."""
        if message.request != self.looking:
            return
        looked = self.looked = message.looked
        self.difference.two_columns = None if self.how else False  # one file has no other side
        self.difference.show(looked.rows, numbers=bool(self.list.cursor_id) and not self.how)
        self.query_one("#plan", Plain).say(self._plan(looked))
        self.refresh_keys()

    def _plan(self, looked: Looked) -> Content:
        if looked.refused:
            return Content.styled(f"cannot be done: {looked.refused}", "$error")
        lines = [Content.styled(one, "$foreground") for one in looked.said[:2]]
        if looked.usage is not None:
            chars, limit, share, state = looked.usage
            after = f"{FILE_NAMES[self.target]} then: {chars:,} of {limit:,} chars, {share} %, {state}"
            lines.append(Content.styled(after, "$foreground" if state in ("ok", "cosmetic") else "$warning"))
        lines += [Content.styled(f"{self.glyphs.warning} asks first: {one}", "$warning") for one in looked.asks[:1]]
        if looked.plan is not None and not looked.asks:
            said = f"one change; {shown('memory.undo')} takes it back, the bytes of now stay in the history"
            lines.append(Content.styled(said, "$wb-muted"))
        return Content("\n").join(lines)

    # -- why not ------------------------------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What the keys mean for the row under the cursor."""
        opens = {"split": "cuts by key", "entries": "choose"}.get(self.how, "read")
        return {
            "view": "entries" if self.as_bytes else "bytes",
            "reveal": "reveal" if self.masked else "mask",
            "open": opens,
        }

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id in ("close", "backups"):
            return ""
        if self.view is None:
            return "The file is still being read."
        match action_id:
            case "accept" | "open" if self.workspace.read_only and (action_id == "accept" or self._writes):
                return "Opened with --read-only: nothing is changed."
            case "accept" if self.busy:
                return "It is being written; another program may hold the file for a moment."
            case "accept" if not self.view.ways:
                return "Nothing has to be put right here."
            case "accept" if not self.how:
                return f"This is a place; {shown('drift.top')} goes to the ways of putting it right."
            case "accept" if self.looked is not None and self.looked.refused:
                return self.looked.refused
            case "layout" if not self.difference.compares:
                return "Nothing is compared here."
            case "view" if not self.how or self.how == "entries":
                return "A way of putting it right is shown as entries or as bytes; here is none."
            case "next_hunk" if self.difference.current + 1 >= len(self.difference.hunks):
                return "This is the last change." if self.difference.hunks else "No change is shown."
            case "previous_hunk" if self.difference.current <= 0:
                return "This is the first change." if self.difference.hunks else "No change is shown."
        return ""

    @property
    def _writes(self) -> bool:
        """Whether what `enter` opens is there to write."""
        return self.how == "entries" or (self.how == "split" and self.view is not None)

    # -- doing it -----------------------------------------------------------------------------------------------

    def do_accept(self) -> None:
        """Put the file right the way under the cursor."""
        plan = self.looked.plan if self.looked is not None else None
        if self.how == "entries":
            self.do_open()
        elif plan is not None:
            self.change(resolve_with(plan))

    def do_open(self) -> None:
        """The screen that belongs to the way, or the difference."""
        if self.how == "entries":
            from workbench.tui.screens.choosing import ChoosingScreen

            self.app.push_screen(ChoosingScreen(self.workspace, self.target, self.glyphs), self._left)
        elif self.how == "split" and self.view is not None:
            self._split()
        else:
            self.do_pane()

    def _split(self) -> None:
        from workbench.tui.facts import StoreView
        from workbench.tui.screens.split import SplitScreen

        assert self.view is not None
        document = self.view.document
        hinted = {hint.entry for hint in document.hints}
        long = [entry for entry in document.entries if 0 < document.limit < entry.chars]
        long = long or [entry for index, entry in enumerate(document.entries) if index in hinted]
        if not long:
            return

        def left(edited: Edited | None) -> None:
            self._left(f"Split in {FILE_NAMES[self.target]}." if edited is not None and edited.saved else None)

        store = StoreView(document, self.workspace.enabled(self.target), ())
        self.app.push_screen(SplitScreen(self.workspace, store, long[0].text, self.glyphs), left)

    def _left(self, done: str | None) -> None:
        self._done = done or ""
        self.reload()

    def decided(self, intent: Decide, result: object) -> None:
        """Done: leave, unless something is left to put right."""
        self.refresh_keys()
        self._left(f"{FILE_NAMES[self.target]} is put right; {shown('memory.undo')} takes it back.")

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """The file has moved on since the plan was made: look again."""
        self.say(f"{FILE_NAMES[self.target]} has changed meanwhile; this is how it is now.", "warning")
        self.reload()

    # -- looking ------------------------------------------------------------------------------------------------

    def do_view(self) -> None:
        """Entries or bytes."""
        self.as_bytes = not self.as_bytes
        self.look()

    def do_backups(self) -> None:
        """The backups, over this."""
        from workbench.tui.screens.backups import BackupsScreen

        self.app.push_screen(BackupsScreen(self.workspace, self.glyphs))

    def do_close(self) -> None:
        """From the difference to the list, from there away."""
        if self.reading:
            self.do_pane()
        else:
            self.dismiss("")


def resolve_with(plan: Plan) -> Decide:
    """The intent that carries a plan out."""

    def make(workspace: Workspace, accept: frozenset[str]) -> object:
        from workbench.workspace import resolving

        return resolving.resolve(workspace, plan, accept=accept)

    return Decide(make, plan.how)


def put_back(target: str) -> Decide:
    """The intent that gives a file that is gone its last good version; its verb is the target."""

    def make(workspace: Workspace, accept: frozenset[str]) -> object:
        from workbench.workspace import resolving

        return resolving.resolve(workspace, resolving.plan(workspace, target, "last-good"), accept=accept)

    return Decide(make, target)


def put_right(screen: Changing[None], target: str, glyphs: Glyphs, left: Callable[[str | None], None]) -> None:
    """Open the resolver of a file over a screen."""
    screen.app.push_screen(DriftScreen(screen.workspace, target, glyphs), left)
