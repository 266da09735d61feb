"""Previewing: a change is shown in the panes first, then asked about, then made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS
from workbench.tui.facts import OutcomeKnown, Write
from workbench.tui.keymap import shown
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.memory_view import MemoryView

if TYPE_CHECKING:
    from workbench.memory import Operation, Outcome

# How many of the entries to be deleted a dialog quotes.
QUOTED = 5


@dataclass(frozen=True)
class Proposal:
    """A change to be shown and asked about. `words` turns its outcome into sentences, and texts to quote."""

    operation: Operation
    title: str
    verb: str
    words: Callable[[Outcome], tuple[Sequence[str], str]]
    danger: bool = False


class Previewing(MemoryView):
    """`propose` leads a change through preview and question."""

    proposals = 0
    proposal: Proposal | None = None
    asked: Operation | None = None  # what the open question is about

    def propose(self, proposal: Proposal) -> None:
        """Find out what a change would do; the answer is shown and asked about."""
        self.proposals += 1
        if self.desk is not None:  # the draft itself is the preview, and a step of it is taken back by a key
            self.change(Write(proposal.operation))
            return
        self.proposal = proposal
        self._preview(self.proposals, proposal.operation)

    @work(thread=True, exclusive=True, exit_on_error=False, group="preview")
    def _preview(self, request: int, operation: Operation) -> None:
        try:
            outcome = self.outcome_of(operation)
        except WorkbenchError as error:
            self.post_message(OutcomeKnown(request, operation, None, error))
            return
        if not cancelled():
            self.post_message(OutcomeKnown(request, operation, outcome))

    def show_preview(self, outcome: Outcome | None) -> None:
        """Show in the panes what would become of the entries; None shows them as they are."""
        for target in TARGETS:
            self.pane(target).preview(outcome)

    def rows_changed(self) -> None:
        """A question that is open is shown on what the stores hold now."""
        super().rows_changed()
        if self.asked is not None and self.home is not None:
            from workbench.memory import apply  # not before the first frame: it loads the operations and the scanner

            stores = {target: view.document.texts for target, view in self.home.stores.items()}
            outcome = apply(stores, self.asked, self.workspace.limits)
            self.show_preview(outcome if outcome.refused is None else None)

    @on(OutcomeKnown)
    def outcome_known(self, message: OutcomeKnown) -> None:
        """Show the result, name what is lost, and ask."""
        from workbench.memory.applying import ACCEPT_EMPTY
        from workbench.tui.parts.dialogs import TypedDialog
        from workbench.tui.parts.preview import PreviewDialog, figures

        outcome, proposal = message.outcome, self.proposal
        if message.request != self.proposals or proposal is None:
            return
        refused = message.error if outcome is None else outcome.refused
        if refused is not None or outcome is None:
            if refused is not None:
                self.refuse(refused)
            return
        accept = frozenset(needed.flag for needed in outcome.confirm)

        def answered(yes: bool | None) -> None:
            self.asked = None
            if yes:
                self.change(Write(proposal.operation, accept))
            else:
                self.show_preview(None)

        self.asked = proposal.operation
        self.show_preview(outcome)
        said, quote = proposal.words(outcome)
        asked = [needed.what for needed in outcome.confirm]
        numbers = figures(outcome, self.workspace.limits)
        if ACCEPT_EMPTY in accept:
            lead = " ".join([*asked, *said])
            self.app.push_screen(TypedDialog("this empties the store", lead, "empty", quote), answered)
        else:
            dialog = PreviewDialog(
                proposal.title, numbers, [*asked, *said], quote, verb=proposal.verb, danger=proposal.danger
            )
            self.app.push_screen(dialog, answered)


def what_is_lost(outcome: Outcome) -> tuple[tuple[str, ...], str]:
    """A sentence about the entries that are removed, and their texts, masked."""
    lost = [effect for effect in outcome.effects if effect.kind == "removed" and effect.before is not None]
    texts = [effect.before or "" for effect in lost]
    chars, name = sum(map(len, texts)), FILE_NAMES[lost[0].target]
    what = "This entry is" if len(lost) == 1 else f"These {len(lost)} entries are"
    quote = "\n\n".join(safe(text) for text in texts[:QUOTED])
    if len(texts) > QUOTED:
        quote += f"\n\n… and {len(texts) - QUOTED} more"
    return (
        f"{what} taken out of {name}, {chars:,} characters. {shown('memory.undo')} puts back what was deleted.",
    ), quote
