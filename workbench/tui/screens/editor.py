"""EditorScreen: write or change one entry, or what several become, with the result in sight before it is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import TextArea

from workbench.errors import Conflict, WorkbenchError
from workbench.memory import (
    FILE_NAMES,
    Add,
    Exact,
    Merge,
    Operation,
    Outcome,
    Replace,
    TakenBack,
    Written,
    count,
    difference,
    percent,
)
from workbench.tui.actions import bindings
from workbench.tui.facts import Intent, OutcomeKnown, StoreView, Write
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.dialogs import ConfirmDialog, ConflictDialog
from workbench.tui.parts.editor import SafeTextArea
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.usage_bar import UsageBar, usage_of
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import Changing, cancelled
from workbench.tui.unsaved import Draft
from workbench.workspace import Workspace

if TYPE_CHECKING:
    from workbench.tui.live import News

# Typing is answered at once by the character count; the preview and the scanner follow in a pause.
PAUSE = 0.12


@dataclass(frozen=True)
class Edited:
    """How an editor was left: the text that was saved (None: nothing was), and whether the store should be re-read."""

    saved: str | None


class EditorScreen(Changing[Edited], ModalScreen[Edited]):
    """Edits `before`; writes a new entry when it is None, or with `merging` the one that those become.

    `initial` is the text to begin with where that is another one (written elsewhere, or kept from an earlier time).
    `preview` is told what the save would do, or None while there is nothing to save: the panes behind show it.
    """

    SCOPES = ("editor",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("editor")]
    DEFAULT_CSS = """
    EditorScreen { align: center bottom; background: transparent; }
    EditorScreen > #box {
        width: 100%; height: 19; max-height: 100%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $wb-muted;
        background: $surface;
    }
    EditorScreen #plan { height: 3; padding: 0 1; margin: 1 0 0 0; }
    EditorScreen UsageBar { margin: 1 0 0 0; }
    """

    def __init__(
        self,
        workspace: Workspace,
        store: StoreView,
        before: str | None,
        glyphs: Glyphs,
        *,
        initial: str | None = None,
        merging: tuple[str, ...] = (),
        preview: Callable[[Outcome | None], None] = lambda outcome: None,
    ) -> None:
        super().__init__(workspace)
        self.store = store
        self.before = before
        self.glyphs = glyphs
        self.merging = merging
        self.start = "\n".join(merging) if merging else before or ""
        self.initial = self.start if initial is None else initial
        self.preview = preview
        self.request = 0
        self._timer: Timer | None = None
        self._late: News | None = None

    def compose(self) -> ComposeResult:
        """Text, bar, what the save will do, keys."""
        name = FILE_NAMES[self.store.target]
        with Vertical(id="box") as box:
            what = f"merge {len(self.merging)} entries of" if self.merging else "entry of" if self.before else ""
            box.border_title = Content(f"{what or 'new entry in'} {name}")
            yield SafeTextArea(self.initial, id="text")
            yield UsageBar(name, self.glyphs)
            yield Plain(id="plan")
            yield KeyLine()

    def on_mount(self) -> None:
        """Say where the store stands before anything is typed."""
        self.text_area.move_cursor(self.text_area.document.end)
        self._show_usage(self.store.document.texts)
        self._count()
        self.refresh_keys()
        self._ask()

    @property
    def text_area(self) -> SafeTextArea:
        """The editor itself."""
        return self.query_one(SafeTextArea)

    @property
    def target(self) -> str:
        """memory or user."""
        return self.store.target

    @property
    def unsaved(self) -> str:
        """The entry being written, when its text is not what it was."""
        changed = self.text_area.value.strip() != self.start
        return f"an entry of {FILE_NAMES[self.target]}" if changed else ""

    @property
    def draft(self) -> Draft | None:
        """The text, as it is kept when the terminal goes away; a merge comes back as a new entry."""
        return Draft.of(self.target, self.text_area.value, self.before) if self.unsaved else None

    def outside(self, news: News) -> None:
        """Go on with the store as it is now; when the very entry has changed, say so at once."""
        if self.desk is not None:  # the store is a drafted one; the draft finds its own way on other files
            self._ask()
            return
        document = news.documents.get(self.target)
        if document is None or document.data == self.store.document.data:
            return
        if self.app.screen is not self:  # not `is_current`, which a screen behind a translucent one is too
            # A question stands before it; that one comes first.
            self._late = news if self._late is None else replace(news, steps=(*self._late.steps, *news.steps))
            return
        if document.state == "unreadable":
            self._ask()  # says why nothing can be saved now
            return
        missing = [text for text in self.merging or (self.before,) if text is not None and text not in document.texts]
        if not missing:
            self.store = replace(self.store, document=document)
            self._ask()
        elif news.by_others(self.target) and not self.busy:
            # The store stays as it was seen: what the entry has become is found by comparing with that.
            yours = self.text_area.value
            error = Conflict(self.target, missing[0], yours, document.texts)
            self.conflicted(Write(self.operation(yours)), error)

    @on(events.ScreenResume)
    def seen_again(self) -> None:
        """What came while a question stood before it."""
        late, self._late = self._late, None
        if late is not None:
            self.outside(late)

    @property
    def savable(self) -> bool:
        """Whether saving would do something: entries can be merged just as they are proposed."""
        return bool(self.merging) or bool(self.unsaved)

    def operation(self, text: str) -> Operation:
        """What saving this text means."""
        if self.merging:
            return Merge(self.target, tuple(Exact(text) for text in self.merging), text)
        if self.before is None:
            return Add(self.target, text)
        return Replace(self.target, Exact(self.before), text)

    # -- the result in sight ------------------------------------------------------------------------------------

    @on(TextArea.Changed)
    def text_changed(self) -> None:
        """Count at once, preview in the next pause."""
        self._count()
        self.refresh_keys()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self._ask)

    def _count(self) -> None:
        chars = len(self.text_area.value.strip())
        was = f"{len(self.before):,} → " if self.before is not None and self.unsaved else ""
        entitle(self.query_one("#box"), subtitle=f"{was}{chars:,} chars")

    def _show_usage(self, texts: tuple[str, ...]) -> None:
        limit, chars = self.store.document.limit, count(texts)
        usage = usage_of(chars, limit, percent(chars, limit), [len(text) for text in texts])
        bar = self.query_one(UsageBar)
        if bar.usage is None:
            bar.show(usage)
        bar.preview(usage)

    def _ask(self) -> None:
        if not self.savable:
            self.request += 1
            self._show_usage(self.store.document.texts)
            self.text_area.highlight(())
            self.preview(None)
            said = (
                "Write the entry; it goes to the end of the store." if self.before is None else "Nothing changed yet."
            )
            self.query_one("#plan", Plain).say(Content.styled(said, "$wb-muted"))
            return
        self.request += 1
        text = self.text_area.value
        self._preview(self.request, self.operation(text), text)

    @work(thread=True, exclusive=True, exit_on_error=False, group="preview")
    def _preview(self, request: int, operation: Operation, text: str) -> None:
        from workbench.workspace.status import findings_of

        try:
            outcome = self.outcome_of(operation)
        except WorkbenchError as error:
            self.post_message(OutcomeKnown(request, operation, None, error))
            return
        if not cancelled():
            self.post_message(OutcomeKnown(request, operation, outcome, None, findings_of(text)))

    @on(OutcomeKnown)
    def outcome_known(self, message: OutcomeKnown) -> None:
        """Show what the save will do; an answer to an older text is dropped."""
        if message.request != self.request:
            return
        self.text_area.highlight((found.start, found.end) for found in message.findings)
        if message.outcome is not None:
            self._show_usage(message.outcome.after[self.target])
            self.preview(message.outcome if message.outcome.refused is None else None)
        self.query_one("#plan", Plain).say(self._plan(message))
        refused = message.outcome.refused if message.outcome is not None else message.error
        if isinstance(refused, Conflict) and self.initial != self.start:
            # Written elsewhere, while the store moved on: that is to be decided before anything else.
            self.initial = self.start
            self.conflicted(Write(message.operation), refused)

    def _plan(self, message: OutcomeKnown) -> Content:
        outcome, error = message.outcome, message.error
        refused = error if outcome is None else outcome.refused
        if refused is not None or outcome is None:
            return Content.styled(f"cannot be saved: {safe(str(refused))}", "$error")
        lines = [Content.styled(self._result(outcome), "$foreground")]
        for needed in outcome.confirm:
            lines.append(Content.styled(f"{self.glyphs.warning} asks first: {safe(needed.what)}", "$warning"))
        if not outcome.confirm:
            found = [finding for _, _, finding in outcome.findings]
            for finding in found[:2]:
                said = f"{self.glyphs.warning} {finding.pattern}: {safe(finding.explanation)}"
                lines.append(Content.styled(said, "$warning"))
            if not found:
                lines.append(Content.styled("the scanner finds nothing", "$wb-muted"))
        return Content("\n").join(lines)

    def _result(self, outcome: Outcome) -> str:
        limit = self.store.document.limit
        was, will = count(outcome.before[self.target]), count(outcome.after[self.target])
        verb = "adds an entry" if self.before is None else "changes this entry"
        verb = f"makes one of {len(self.merging)} entries" if self.merging else verb
        if not outcome.changed:
            return "saving changes nothing: the store holds this text already"
        return (
            f"{verb}: {FILE_NAMES[self.target]} {was:,} → {will:,} chars · "
            f"{percent(was, limit)} % → {percent(will, limit)} % · nothing else changes"
        )

    # -- saving and leaving -------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """There must be something to save, and one save at a time."""
        if action_id == "save" and self.busy:
            return "It is being saved; another program may hold the file for a moment."
        if action_id == "save" and not self.savable:
            return "Nothing is changed yet, there is nothing to save."
        return ""

    def do_save(self) -> None:
        """Save; the editor stays open until it is done."""
        self.change(Write(self.operation(self.text_area.value)))

    def changed(self, intent: Intent, result: Written | TakenBack) -> None:
        """Saved: leave, and tell the list where to go."""
        self.dismiss(Edited(_text_of(intent)))

    def drafted(self, write: Write) -> None:
        """In the draft: leave as after a save."""
        self.dismiss(Edited(_text_of(write)))

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """Somebody else changed the entry: choose, with nothing lost."""
        theirs = counterpart(self.store, error)

        def chosen(choice: str | None) -> None:
            if choice == "as_new":
                self.change(Write(Add(self.target, error.yours)))
            elif choice == "over" and theirs is not None:
                self._over(error, theirs)
            elif choice == "take":
                self.dismiss(Edited(None))

        yours = error.yours or self.text_area.value
        self.app.push_screen(ConflictDialog(FILE_NAMES[self.target], yours, theirs, error.before), chosen)

    def _over(self, error: Conflict, theirs: str) -> None:
        if self.merging:
            self.merging = tuple(theirs if text == error.before else text for text in self.merging)
            self.change(Write(self.operation(error.yours)))
        else:
            self.change(Write(Replace(self.target, Exact(theirs), error.yours)))

    def do_close(self) -> None:
        """Leave; asks when that would lose something."""
        if not self.unsaved:
            self.dismiss(Edited(None))
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss(Edited(None))

        lead, text = "The text is not saved. Leave and lose it?", safe(self.text_area.value)
        dialog = ConfirmDialog("unsaved text", lead, text, verb="leave and lose it", danger=True)
        self.app.push_screen(dialog, answered)


def _text_of(intent: Intent) -> str | None:
    if isinstance(intent, Write) and isinstance(intent.operation, Add | Replace | Merge):
        return intent.operation.content.strip()
    return None


def counterpart(store: StoreView, error: Conflict) -> str | None:
    """The entry that the one meant has become since `store` was read, if it is recognisable."""
    changes = difference(store.document.texts, error.theirs)
    return next((change.after for change in changes if change.before == error.before), None)
