"""Taking entries away: first see what that means, then agree, then do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on, work

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES
from workbench.tui.facts import OutcomeKnown, Write
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.memory_view import MemoryView

if TYPE_CHECKING:
    from workbench.memory import Operation, Outcome

# How many of the entries to be deleted a dialog shows.
QUOTED = 5


class Removing(MemoryView):
    """The verb `delete` of the Memory area."""

    removal = 0

    def do_delete(self) -> None:
        """Take the entry, or the marked ones, away; first see what that means."""
        from workbench.memory import Batch, Exact, Remove

        store, view = self.store, self.entry
        assert store is not None and view is not None
        marked = [one for one in store.entries if one.entry.id in self.list.marks]
        removals = tuple(Remove(self.current, Exact(one.entry.text)) for one in marked or [view])
        self.removal += 1
        self._preview(self.removal, removals[0] if len(removals) == 1 else Batch(removals))

    @work(thread=True, exclusive=True, exit_on_error=False, group="preview")
    def _preview(self, request: int, operation: Operation) -> None:
        try:
            outcome = self.workspace.preview(operation)
        except WorkbenchError as error:
            self.post_message(OutcomeKnown(request, operation, None, error))
            return
        if not cancelled():
            self.post_message(OutcomeKnown(request, operation, outcome))

    @on(OutcomeKnown)
    def removal_previewed(self, message: OutcomeKnown) -> None:
        """Name what is lost, and ask."""
        from workbench.memory.applying import ACCEPT_EMPTY
        from workbench.tui.parts.dialogs import ConfirmDialog, TypedDialog

        outcome = message.outcome
        if message.request != self.removal:
            return
        refused = message.error if outcome is None else outcome.refused
        if refused is not None or outcome is None:
            if refused is not None:
                self.refuse(refused)
            return
        accept = frozenset(needed.flag for needed in outcome.confirm)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(Write(message.operation, accept))

        lead, quote = _what_is_lost(outcome)
        if ACCEPT_EMPTY in accept:
            said = " ".join(needed.what for needed in outcome.confirm)
            self.app.push_screen(TypedDialog("this empties the store", f"{said} {lead}", "empty", quote), answered)
        else:
            self.app.push_screen(ConfirmDialog("delete", lead, quote, verb="delete", danger=True), answered)


def _what_is_lost(outcome: Outcome) -> tuple[str, str]:
    """A sentence and the texts themselves, masked."""
    lost = [effect for effect in outcome.effects if effect.kind == "removed" and effect.before is not None]
    texts = [effect.before or "" for effect in lost]
    chars, name = sum(map(len, texts)), FILE_NAMES[lost[0].target]
    what = "This entry is" if len(lost) == 1 else f"These {len(lost)} entries are"
    quote = "\n\n".join(safe(text) for text in texts[:QUOTED])
    if len(texts) > QUOTED:
        quote += f"\n\n… and {len(texts) - QUOTED} more"
    return f"{what} taken out of {name}, {chars:,} characters. u puts back what was deleted.", quote
