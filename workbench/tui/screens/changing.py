"""Changing: a screen that writes. One worker, one way to ask for confirmation, one way to be refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from textual import on, work
from textual.worker import Worker, WorkerState, get_current_worker

from workbench.errors import Conflict, NeedsConfirmation, NoHome, NothingTo, OutsideLink, WorkbenchError
from workbench.tui.acting import Acting
from workbench.tui.facts import (
    ChangeMade,
    ChangeRefused,
    Decide,
    DecisionMade,
    Intent,
    Write,
    carry_out,
    decide,
    pinned,
)

if TYPE_CHECKING:
    from workbench.memory import Operation, Outcome, TakenBack, Written
    from workbench.tui.drafting import Desk
    from workbench.workspace import Workspace

ResultT = TypeVar("ResultT")
# A session freezes its memory when it begins; a save reaches the agent with the next one.
SNAPSHOT = "saved · open sessions keep the old snapshot until they end or compress"


class Changing(Acting[ResultT], Generic[ResultT]):
    """`change` makes a change in a worker; what comes back is a ChangeMade or a ChangeRefused."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.busy = 0  # changes under way
        self.desk: Desk | None = None  # an open draft takes what would be written

    def changed(self, intent: Intent, result: Written | TakenBack) -> None:
        """A change is on disk."""

    def decided(self, intent: Decide, result: object) -> None:
        """A decision is on disk."""

    def drafted(self, write: Write) -> None:
        """What was to be written is a step of the open draft now."""

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """The entry meant is gone; by default that is only said."""
        self.refuse(error)

    def outcome_of(self, operation: Operation) -> Outcome:
        """What an operation would do to the files, or to the open draft; for a worker. Raises WorkbenchError."""
        return self.desk.preview(operation) if self.desk is not None else self.workspace.preview(operation)

    def change(self, intent: Intent) -> None:
        """Make a change; asks for what needs agreement. While a draft is open it goes there."""
        if self.desk is not None and isinstance(intent, Write):
            intent = self.desk.taking(intent)
        self.busy += 1
        self.refresh_keys()
        self._make(intent)

    # Not exclusive: a second change must wait for the first (the core's lock does that), never replace it.
    @work(thread=True, exit_on_error=False, group="change")
    def _make(self, intent: Intent) -> None:
        from workbench.tui.screens.saying import named

        made: ChangeMade | DecisionMade
        try:
            if isinstance(intent, Decide):
                made = DecisionMade(intent, decide(self.workspace, intent))
            else:
                intent = pinned(self.workspace, intent)
                made = ChangeMade(intent, carry_out(self.workspace, intent))
        except WorkbenchError as error:
            self.post_message(ChangeRefused(intent, named(self.workspace, intent, error)))
        else:
            self.post_message(made)

    @on(ChangeMade)
    def _change_made(self, message: ChangeMade) -> None:
        self.busy -= 1
        self.changed(message.intent, message.result)

    @on(DecisionMade)
    def _decision_made(self, message: DecisionMade) -> None:
        self.busy -= 1
        if message.intent.write is not None:
            self.drafted(message.intent.write)
        else:
            self.decided(message.intent, message.result)

    @on(ChangeRefused)
    def _change_refused(self, message: ChangeRefused) -> None:
        self.busy -= 1
        self.refresh_keys()
        intent, error = message.intent, message.error
        if isinstance(error, NeedsConfirmation):
            self.ask(intent, error.what, error.flag)
        elif isinstance(error, OutsideLink):
            from workbench.memory.store import FOLLOW_LINK

            what = f"{error.path.name} is a link that leads out of the home, to {error.leads_to}. Write there?"
            self.ask(intent, what, FOLLOW_LINK)
        elif isinstance(error, Conflict):
            self.conflicted(intent, error)
        elif isinstance(error, NothingTo):
            self.say(str(error))
        else:
            self.refuse(error)

    def ask(self, intent: Intent, what: str, flag: str) -> None:
        """Ask for one confirmation and repeat the change with it."""
        from workbench.memory.applying import ACCEPT_EMPTY
        from workbench.tui.parts.dialogs import ConfirmDialog, TypedDialog

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(replace(intent, accept=intent.accept | {flag}))

        if flag == ACCEPT_EMPTY:
            self.app.push_screen(TypedDialog("this empties the store", what, "empty"), answered)
        else:
            self.app.push_screen(ConfirmDialog("please confirm", what, verb="do it", danger=True), answered)

    def said_saved(self, sentence: str) -> None:
        """Say what was saved, and when the agent will know of it."""
        self.say(f"{sentence}\n{SNAPSHOT}")

    def refuse(self, error: WorkbenchError) -> None:
        """Show why nothing was written."""
        if isinstance(error, NoHome):
            self.face.home_lost()
            return
        self._error("nothing was changed", str(error))

    def _error(self, title: str, text: str) -> None:
        from workbench.tui.parts.dialogs import ErrorDialog

        self.app.push_screen(ErrorDialog(title, text))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed in a way nobody foresaw is never silent."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            error = event.worker.error
            self._error("unexpected failure", f"{type(error).__name__}: {error}")


def cancelled() -> bool:
    """Whether the running worker has been superseded."""
    return get_current_worker().is_cancelled
