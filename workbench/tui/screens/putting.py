"""Putting back from the history: first what that would do, then the question, then the change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content

from workbench.errors import Conflict, WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS, difference
from workbench.tui.facts import Intent, Redo, Restore, Undo, Write
from workbench.tui.keymap import shown
from workbench.tui.putting_back import BringBack, Effects, Plan, PlanKnown, Prepared, PutEntryBack, TakeBack, prepare
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.history_view import HistoryView

if TYPE_CHECKING:
    from workbench.memory import TakenBack, Written

# How many texts a question quotes.
QUOTED = 8
_STYLES = {"gone": "$error", "come": "$success", "moved": "$wb-muted"}


class Putting(HistoryView):
    """The verbs of the History area that write."""

    planned = 0

    def do_undo(self) -> None:
        """Take the newest change back."""
        self.change(Undo())

    def do_redo(self) -> None:
        """Repeat what was taken back last."""
        self.change(Redo())

    def do_take_back(self) -> None:
        """Take the change under the cursor back, alone."""
        if self.change_set is not None:
            self._plan(TakeBack(self.change_set.id))

    def do_restore(self) -> None:
        """In the difference one entry, in the list the whole files."""
        entry = self.entry_plan()
        if self.reading and entry is not None:
            self._plan(entry)
        elif self.change_set is not None:
            self._plan(BringBack(self.change_set.id))

    def entry_plan(self) -> PutEntryBack | None:
        """How the entry that is current in the difference would be put back; None when no entry is."""
        hunk, comparison = self.difference.hunk, self.comparison
        if hunk is None or hunk.entry is None or comparison is None:
            return None
        target, change = comparison.changes[hunk.entry]
        return PutEntryBack(target, change, comparison.orders[target])

    def _plan(self, plan: Plan) -> None:
        self.planned += 1
        self._prepare(self.planned, plan)

    @work(thread=True, exclusive=True, exit_on_error=False, group="plan")
    def _prepare(self, request: int, plan: Plan) -> None:
        try:
            prepared = prepare(self.workspace, plan)
        except WorkbenchError as error:
            self.post_message(PlanKnown(request, plan, None, error))
            return
        if not cancelled():
            self.post_message(PlanKnown(request, plan, prepared))

    @on(PlanKnown)
    def plan_known(self, message: PlanKnown) -> None:
        """Name what is lost, and ask."""
        from workbench.errors import NothingTo
        from workbench.tui.parts.dialogs import ConfirmDialog, TypedDialog

        if message.request != self.planned:
            return
        prepared = message.prepared
        if prepared is None:
            error = message.error
            assert error is not None
            if isinstance(error, Conflict):
                self._conflict(error)
            elif isinstance(error, NothingTo):
                self.say(str(error))
            else:
                self.refuse(error)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(_agreed(prepared))

        quote = _quote(prepared.effects, self.glyphs.gone)
        lead = f"{prepared.lead} {shown('history.undo')} takes this back again."
        if prepared.effects.empties:
            said = f"{lead} {prepared.effects.empties} is empty afterwards."
            self.app.push_screen(TypedDialog("this empties the store", said, "empty", quote), answered)
        else:
            dialog = ConfirmDialog(prepared.title, lead, quote, verb=prepared.verb, danger=True)
            self.app.push_screen(dialog, answered)

    def changed(self, intent: Intent, result: Written | TakenBack) -> None:
        """Say what was done, and read it back."""
        from workbench.memory import TakenBack
        from workbench.tui.screens.saying import taken_sentence

        if not isinstance(result, TakenBack):
            said = "The entry is put back."
        elif result.about is None:
            said = f"Restored: {' and '.join(result.files)}."
        else:
            said = taken_sentence(result, redone=isinstance(intent, Redo), now=self.workspace.clock())
        self.said_saved(said)
        self.read_on(False)
        self.list.move(-len(self.list.rows))
        self.reload()

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """The entry or the file meant has moved on: choose, or look again, with nothing lost."""
        self.reload()
        if isinstance(intent, Restore):
            self.say("The file has changed meanwhile; this is what would be lost now.", "warning")
            self._plan(BringBack(intent.number))
        else:
            self._conflict(error)

    def _conflict(self, error: Conflict) -> None:
        from workbench.memory import Add, Exact, Replace
        from workbench.tui.parts.dialogs import ConflictDialog

        if error.target not in TARGETS or not error.yours:
            self.refuse(error)
            return
        changes = difference((error.before,), error.theirs) if error.before else ()
        theirs = next((change.after for change in changes if change.before == error.before), None)

        def chosen(choice: str | None) -> None:
            if choice == "as_new":
                self.change(Write(Add(error.target, error.yours)))
            elif choice == "over" and theirs is not None:
                self.change(Write(Replace(error.target, Exact(theirs), error.yours)))

        dialog = ConflictDialog(FILE_NAMES[error.target], error.yours, theirs, error.before)
        self.app.push_screen(dialog, chosen)


def _agreed(prepared: Prepared) -> Intent:
    """The intent with the confirmations that the one question has covered."""
    from workbench.memory.applying import ACCEPT_EMPTY

    intent = prepared.intent
    if isinstance(intent, Write) and prepared.effects.empties:
        return Write(intent.operation, intent.accept | {ACCEPT_EMPTY})
    return intent


def _quote(effects: Effects, gone: str) -> Content | str:
    """The texts that go and come, with their signs."""
    signs = {"gone": gone, "come": "+", "moved": "~"}
    lines = [
        Content.styled("\n".join(f"{signs[kind]} {line}" for line in text.split("\n")), _STYLES[kind])
        for kind, text in effects.lines[:QUOTED]
    ]
    if len(effects.lines) > QUOTED:
        lines.append(Content.styled(f"and {len(effects.lines) - QUOTED} more", "$wb-muted"))
    return Content("\n").join(lines) if lines else ""
