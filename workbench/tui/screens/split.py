"""SplitScreen: cut one entry into several, with the pieces, their sizes and the result in sight."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen

from workbench.errors import Conflict, WorkbenchError
from workbench.memory import (
    FILE_NAMES,
    Add,
    Batch,
    Exact,
    Operation,
    Outcome,
    Split,
    TakenBack,
    Written,
    count,
    percent,
)
from workbench.memory.splitting import pieces_of, places, propose_cuts
from workbench.tui.actions import bindings
from workbench.tui.facts import LIST_CHARS, Intent, OutcomeKnown, StoreView, Write
from workbench.tui.glyphs import Glyphs
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.preview import figures
from workbench.tui.parts.usage_bar import UsageBar, usage_of
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import Changing, cancelled
from workbench.tui.screens.editor import Edited, counterpart
from workbench.workspace import Workspace

if TYPE_CHECKING:
    from workbench.tui.live import News

WIDE = 110
# One stretch of a line without any place to cut stays readable; what is longer is shown in part.
LINES_SHOWN = 6


class SplitScreen(Changing[Edited], ModalScreen[Edited]):
    """Lines and sentences on the left, cut into pieces by key; on the right the entries they make."""

    SCOPES = ("split",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("split")]
    AUTO_FOCUS = "#lines"
    DEFAULT_CSS = """
    SplitScreen { align: center middle; background: $background 70%; }
    SplitScreen:ansi { background: ansi_default; }
    SplitScreen > #box {
        width: 96%; height: 94%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $wb-muted;
        background: $surface;
    }
    SplitScreen.-small > #box { width: 100%; height: 100%; }
    SplitScreen #sides { height: 1fr; }
    SplitScreen VirtualList { background: $surface; }
    SplitScreen #lines { width: 3fr; }
    SplitScreen #pieces { width: 2fr; border-left: solid $wb-frame; }
    SplitScreen.-narrow #pieces { display: none; }
    SplitScreen UsageBar { margin: 1 0 0 0; }
    SplitScreen #plan { height: auto; max-height: 4; min-height: 2; padding: 0 1; }
    """

    def __init__(
        self,
        workspace: Workspace,
        store: StoreView,
        before: str,
        glyphs: Glyphs,
        preview: Callable[[Outcome | None], None] = lambda outcome: None,
        *,
        joined: int | None = None,
    ) -> None:
        super().__init__(workspace)
        self.store = store
        self.before = before
        self.glyphs = glyphs
        self.preview = preview
        # Where somebody has written on the entry may be in the middle of a word.
        seam: tuple[int, ...] = () if joined is None else (joined,)
        self.places: tuple[int, ...] = tuple(sorted({*places(before), *seam}))
        limit = store.document.limit
        self.proposed = seam or propose_cuts(before, limit if 0 < limit < len(before) else None)
        self.cuts = set(self.proposed)
        self.request = 0
        self._lines: dict[int, Row] = {}
        self._made: tuple[frozenset[int], tuple[str, ...]] | None = None

    def compose(self) -> ComposeResult:
        """Lines and pieces, bar, what the save will do, keys."""
        name = FILE_NAMES[self.target]
        with Vertical(id="box") as box:
            box.border_title = Content(f"split an entry of {name}")
            with Horizontal(id="sides"):
                yield VirtualList(glyphs=self.glyphs, lines=LINES_SHOWN, id="lines")
                pieces = VirtualList(glyphs=self.glyphs, lines=3, id="pieces")
                pieces.can_focus = False
                yield pieces
            yield UsageBar(name, self.glyphs)
            yield Plain(id="plan")
            yield KeyLine()

    def on_mount(self) -> None:
        """Begin with what is proposed."""
        self._fit()
        document = self.store.document
        lengths = [entry.chars for entry in document.entries]
        self.query_one(UsageBar).show(usage_of(document.chars, document.limit, document.percent, lengths))
        self._show()

    def on_resize(self) -> None:
        """Two columns where there is room for them."""
        self._fit()

    def _fit(self) -> None:
        self.set_class(self.app.size.width < WIDE, "-narrow")
        self.set_class(self.app.size.width < 100 or self.app.size.height < 32, "-small")

    @property
    def target(self) -> str:
        """memory or user."""
        return self.store.target

    @property
    def lines(self) -> VirtualList:
        """The list with the cursor."""
        return self.query_one("#lines", VirtualList)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The entries that the cuts make."""
        cuts = frozenset(self.cuts)
        if self._made is None or self._made[0] != cuts:
            self._made = (cuts, pieces_of(self.before, cuts))
        return self._made[1]

    @property
    def unsaved(self) -> str:
        """Cuts that were made by hand."""
        changed = self.cuts != set(self.proposed)
        return f"the cuts in an entry of {FILE_NAMES[self.target]}" if changed else ""

    def outside(self, news: News) -> None:
        """Go on with the store as it is now; when the very entry has changed, say so at once."""
        document = news.documents.get(self.target)
        if document is None or document.data == self.store.document.data or document.state == "unreadable":
            return
        if self.before in document.texts:
            self.store = replace(self.store, document=document)
            self._ask()
        elif news.by_others(self.target) and not self.busy and self.app.screen is self:
            yours = "\n§\n".join(self.pieces)
            self.conflicted(Write(self._operation()), Conflict(self.target, self.before, yours, document.texts))

    # -- showing ------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Lines under a heading for each piece; then ask what the whole comes to."""
        starts = [0, *self.places]
        rows: list[Row] = []
        number = 0
        edges = [0, *sorted(self.cuts), len(self.before)]
        limit = self.store.document.limit
        for start, end in pairwise(edges):
            made = pieces_of(self.before[start:end], ())
            number += bool(made)
            size = len(made[0]) if made else 0
            over = f" · {size - limit:,} more than the whole limit" if 0 < limit < size else ""
            title = f"{self.glyphs.empty * 2} piece {number} · {size:,} chars{over}" if made else "left out"
            rows.append(Row(f"piece-{start}", title, heading=True, badge=self.glyphs.warning if over else ""))
            for at in starts[bisect_left(starts, start) : bisect_left(starts, end)]:
                rows.append(self._line(at))
        self.lines.set_rows(rows)
        made = self.pieces
        shown = [
            Row(
                str(number),
                safe(piece[:LIST_CHARS], masked=False),
                f"{len(piece):,}",
                look="come" if len(made) > 1 else "",
            )
            for number, piece in enumerate(made, 1)
        ]
        self.query_one("#pieces", VirtualList).set_rows(shown)
        self.query_one("#box").border_subtitle = Content(f"{len(self.before):,} chars → {len(made)} entries")
        self.refresh_keys()
        self._ask()

    def _line(self, at: int) -> Row:
        """The row of the line that begins here; cuts never change it."""
        if at not in self._lines:
            following = bisect_right(self.places, at)
            stop = self.places[following] if following < len(self.places) else len(self.before)
            text = safe(self.before[at:stop].strip("\n"), masked=False)[:LIST_CHARS]
            look = "" if pieces_of(self.before[at:stop], ()) else "faint"
            self._lines[at] = Row(str(at), text, look=look)
        return self._lines[at]

    def _ask(self) -> None:
        self.request += 1
        if len(self.pieces) < 2:
            self.query_one(UsageBar).preview(None)
            self.preview(None)
            said = (
                f"Nothing is cut yet: {shown('split.down')} and {shown('split.up')} "
                f"choose a line, {shown('split.cut')} cuts before it."
            )
            self.query_one("#plan", Plain).say(Content.styled(said, "$wb-muted"))
            return
        self._preview(self.request, self._operation())

    def _operation(self) -> Operation:
        return Split(self.target, Exact(self.before), self.pieces)

    @work(thread=True, exclusive=True, exit_on_error=False, group="preview")
    def _preview(self, request: int, operation: Operation) -> None:
        try:
            outcome = self.outcome_of(operation)
        except WorkbenchError as error:
            self.post_message(OutcomeKnown(request, operation, None, error))
            return
        if not cancelled():
            self.post_message(OutcomeKnown(request, operation, outcome))

    @on(OutcomeKnown)
    def outcome_known(self, message: OutcomeKnown) -> None:
        """Show what the save will do; an answer to other cuts is dropped."""
        if message.request != self.request:
            return
        outcome, error = message.outcome, message.error
        plan = self.query_one("#plan", Plain)
        refused = error if outcome is None else outcome.refused
        if outcome is not None:
            texts, limit = outcome.after[self.target], self.store.document.limit
            chars = count(texts)
            lengths = [len(text) for text in texts]
            self.query_one(UsageBar).preview(usage_of(chars, limit, percent(chars, limit), lengths))
            self.preview(outcome if refused is None else None)
        if refused is not None or outcome is None:
            plan.say(Content.styled(f"cannot be saved: {safe(str(refused))}", "$error"))
            return
        lines = [Content.styled(line, "$foreground") for line in figures(outcome, self.workspace.limits)]
        for needed in outcome.confirm:
            lines.append(Content.styled(f"{self.glyphs.warning} asks first: {safe(needed.what)}", "$warning"))
        if not outcome.confirm:
            lines.append(Content.styled(f"no word is lost; {shown('memory.undo')} takes it back", "$wb-muted"))
        plan.say(Content("\n").join(lines))

    # -- why not ------------------------------------------------------------------------------------------------

    @property
    def _at(self) -> int:
        """Where the line under the cursor begins."""
        row = self.lines.cursor_id
        return int(row) if row is not None and row.isdecimal() else 0

    def _cut_above(self) -> int | None:
        """The cut that `{` and `}` move: the one at the cursor, else the nearest above it."""
        cuts = sorted(self.cuts)
        found = bisect_right(cuts, self._at)
        return cuts[found - 1] if found else None

    def _shifted(self, step: int) -> int | None:
        """Where the cut above the cursor would go; None when there is no way."""
        cut = self._cut_above()
        if cut is None:
            return None
        goal = self.places.index(cut) + step
        if not 0 <= goal < len(self.places) or self.places[goal] in self.cuts:
            return None
        return self.places[goal]

    def why_disabled(self, action_id: str) -> str:
        """One save at a time, and of something; a cut goes where there is room for it."""
        match action_id:
            case "save" if self.busy:
                return "It is being saved; another program may hold the file for a moment."
            case "save" if len(self.pieces) < 2:
                return f"Nothing is cut yet: {shown('split.cut')} cuts before the line under the cursor."
            case "cut" if self._at == 0:
                return "The entry begins here; a cut goes between two lines."
            case "cut_up" | "cut_down" if self._cut_above() is None:
                return "There is no cut at or above the cursor."
            case "cut_up" if self._shifted(-1) is None:
                return "The cut can go no further up."
            case "cut_down" if self._shifted(1) is None:
                return "The cut can go no further down."
            case "propose" if self.cuts == set(self.proposed):
                return "It is cut as proposed." if self.proposed else "Its text shows no structure to cut it at."
            case "next" | "previous" if not self.cuts:
                return "There is only one piece."
        return ""

    # -- cutting ------------------------------------------------------------------------------------------------

    def do_cut(self) -> None:
        """Cut before the line, or join it to what stands above."""
        self.cuts ^= {self._at}
        self._show()

    def _shift(self, step: int) -> None:
        cut, goal = self._cut_above(), self._shifted(step)
        if cut is None or goal is None:
            return
        self.cuts = (self.cuts - {cut}) | {goal}
        self._show()
        self.lines.move_to(str(goal))

    def do_cut_up(self) -> None:
        """The cut one line up."""
        self._shift(-1)

    def do_cut_down(self) -> None:
        """The cut one line down."""
        self._shift(1)

    def do_all(self) -> None:
        """A cut before every line, or none at all."""
        self.cuts = set() if self.cuts == set(self.places) else set(self.places)
        self._show()

    def do_propose(self) -> None:
        """Back to the proposal."""
        self.cuts = set(self.proposed)
        self._show()

    # -- moving -------------------------------------------------------------------------------------------------

    @on(VirtualList.CursorMoved, "#lines")
    def cursor_moved(self) -> None:
        """The keys may mean another cut now; the piece it belongs to stands out at the right."""
        number = len(pieces_of(self.before[: self._at], (cut for cut in self.cuts if cut < self._at)))
        self.query_one("#pieces", VirtualList).move_to(str(number + (self._at in self.cuts or not number)))
        self.refresh_keys()

    def do_next(self) -> None:
        """The first line of the next piece."""
        self.lines.move_to(str(next((cut for cut in sorted(self.cuts) if cut > self._at), max(self.cuts))))

    def do_previous(self) -> None:
        """The first line of the piece above."""
        self.lines.move_to(str(max((cut for cut in self.cuts if cut < self._at), default=0)))

    def do_down(self) -> None:
        """Next line."""
        self.lines.move(1)

    def do_up(self) -> None:
        """Previous line."""
        self.lines.move(-1)

    def do_top(self) -> None:
        """First line."""
        self.lines.move(-len(self.lines.rows))

    def do_bottom(self) -> None:
        """Last line."""
        self.lines.move(len(self.lines.rows))

    def do_half_down(self) -> None:
        """Half a screen down."""
        self.lines.move_half(1)

    def do_half_up(self) -> None:
        """Half a screen up."""
        self.lines.move_half(-1)

    # -- saving and leaving -------------------------------------------------------------------------------------

    def do_save(self) -> None:
        """Save the pieces; the screen stays until it is done."""
        self.change(Write(self._operation()))

    def changed(self, intent: Intent, result: Written | TakenBack) -> None:
        """Saved: leave for the first piece."""
        self.dismiss(Edited(self.pieces[0]))

    def drafted(self, write: Write) -> None:
        """In the draft: leave as after a save."""
        self.dismiss(Edited(self.pieces[0]))

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """Somebody else changed the entry: choose, as in the editor; going back keeps the cuts."""
        from workbench.tui.parts.dialogs import ConflictDialog

        theirs, pieces = counterpart(self.store, error), self.pieces

        def chosen(choice: str | None) -> None:
            if choice == "as_new":
                self.change(Write(Batch(tuple(Add(self.target, piece) for piece in pieces))))
            elif choice == "over" and theirs is not None:
                self.change(Write(Split(self.target, Exact(theirs), pieces)))
            elif choice == "take":
                self.dismiss(Edited(None))

        yours = "\n§\n".join(pieces)  # as the file would hold them
        self.app.push_screen(ConflictDialog(FILE_NAMES[self.target], yours, theirs, self.before), chosen)

    def do_close(self) -> None:
        """Leave; asks when cuts were made by hand."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        if not self.unsaved:
            self.dismiss(Edited(None))
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss(Edited(None))

        lead = "The cuts are not saved. Leave the entry as it was?"
        self.app.push_screen(ConfirmDialog("unsaved cuts", lead, verb="leave", danger=True), answered)
