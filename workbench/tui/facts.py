"""What workers find out, as immutable values, and the messages that carry them to the screens.

The functions here run in worker threads: they ask the workspace and touch no widget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import NothingTo, WorkbenchError
from workbench.memory import TARGETS
from workbench.tui.home_view import LIST_CHARS, EntryView, HomeView, StoreView, read_home

if TYPE_CHECKING:
    from workbench.inbox import Preview
    from workbench.memory import Operation, Outcome, TakenBack, Written
    from workbench.threats import Finding
    from workbench.tui.drafting import DraftView
    from workbench.workspace import Workspace
    from workbench.workspace.status import Status

__all__ = [
    "LIST_CHARS", "ChangeMade", "ChangeRefused", "Decide", "DecisionMade", "DocumentsLoaded", "Edit", "EntryView",
    "HomeJudged", "HomeUnavailable", "HomeView", "Intent", "Judgement", "OutcomeKnown", "Redo", "Restore", "StoreView",
    "Undo", "Write", "carry_out", "decide", "judge_home", "observed", "pinned", "read_home",
]  # fmt: skip

# Looking reads the files before it records them: a write of ours in between would be taken for somebody else's.
_turns = Lock()


@dataclass(frozen=True)
class Judgement:
    """What takes longer: the scanner's findings by target and entry id, the home's status, what undo would take.

    `undo` and `redo` are labels of change sets, "" when there is nothing, None while that is not known; `notices`
    want to be said once. `good` counts, for a store without entries, those of the last version that had some;
    `quality` is the one line there is to say of an entry's usefulness, by its id.
    """

    findings: Mapping[str, Mapping[str, tuple[Finding, ...]]] = field(default_factory=dict)
    status: Status | None = None
    undo: str | None = ""
    redo: str | None = ""
    notices: tuple[str, ...] = ()
    good: Mapping[str, int] = field(default_factory=dict)
    quality: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Write:
    """An operation to save, with the confirmations given so far."""

    operation: Operation
    accept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Undo:
    """Take the newest change back; `number` is the change meant, once that is known."""

    number: int | None = None
    accept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Redo:
    """Repeat what was taken back."""

    accept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Restore:
    """Give the files of a change set the bytes they had after it; `seen` is what they held when that was asked."""

    number: int
    accept: frozenset[str] = frozenset()
    seen: Mapping[str, str | None] | None = None


@dataclass(frozen=True)
class Decide:
    """A decision about what waits for approval: `make` is told the confirmations given so far and carries it out.

    `verb` says what is done, `about` is the record as it was previewed (None: it is about no single one), `write` what
    goes into the open draft instead of the file.
    """

    make: Callable[[Workspace, frozenset[str]], object]
    verb: str
    about: Preview | None = None
    accept: frozenset[str] = frozenset()
    write: Write | None = None


Edit = Write | Undo | Redo | Restore
Intent = Edit | Decide


# -- messages, named after facts ------------------------------------------------------------------------------------


@dataclass
class DocumentsLoaded(Message):
    """Both files were read; `drafted` is what the open draft makes of them."""

    request: int
    home: HomeView
    drafted: DraftView | None = None


@dataclass
class HomeJudged(Message):
    """Scanner, status and history have answered."""

    request: int
    judgement: Judgement


@dataclass
class HomeUnavailable(Message):
    """The home could not be read at all."""

    request: int
    error: WorkbenchError


@dataclass
class ChangeMade(Message):
    """A change is on disk."""

    intent: Edit
    result: Written | TakenBack


@dataclass
class DecisionMade(Message):
    """A decision is on disk; `result` is what its `make` returned."""

    intent: Decide
    result: object


@dataclass
class ChangeRefused(Message):
    """A change was not made; nothing was written."""

    intent: Intent
    error: WorkbenchError


@dataclass
class OutcomeKnown(Message):
    """What an operation would do, or in `error` why that cannot be told; `findings` are those in the edited text."""

    request: int
    operation: Operation
    outcome: Outcome | None
    error: WorkbenchError | None = None
    findings: tuple[Finding, ...] = ()


# -- what workers call ----------------------------------------------------------------------------------------------


def judge_home(workspace: Workspace, home: HomeView, cancelled: Callable[[], bool]) -> Judgement | None:
    """Scan the entries, count what waits, look at the history; None when nobody wants to know any more.

    A history that cannot be opened becomes a notice: the memory can be read all the same.
    """
    from workbench.curation.hints import hint
    from workbench.workspace.status import findings_of

    quality: dict[str, str] = {}
    findings: dict[str, dict[str, tuple[Finding, ...]]] = {target: {} for target in TARGETS}
    for target, store in home.stores.items():
        for view in store.entries:
            if cancelled():
                return None
            found = findings_of(view.entry.text)
            if found:
                findings[target][view.entry.id] = found
            line = hint(view.entry.text)
            if line:
                quality[view.entry.id] = line
    status = workspace.status()
    if cancelled():
        return None
    undo = redo = ""
    good: dict[str, int] = {}
    notices: list[str] = []
    try:
        with _turns:
            workspace.observe()
        undo = _label(workspace.history.undo_target)
        redo = _label(workspace.history.redo_target)
        good = {target: _good(workspace, store) for target, store in home.stores.items() if not store.entries}
    except WorkbenchError as error:
        notices.append(str(error))
    notices += [f"{problem.key}: {problem.why}" for problem in status.config.problems]
    said, workspace.notices[:] = list(workspace.notices), []
    return Judgement(findings, status, undo, redo, (*said, *notices), good, quality)


def _good(workspace: Workspace, store: StoreView) -> int:
    from workbench.tui.drift_facts import has_good

    return has_good(workspace, store.document)


def _label(ask: Callable[[], object]) -> str:
    try:
        return str(getattr(ask(), "label", ""))
    except NothingTo:
        return ""


def observed(workspace: Workspace) -> None:
    """Record what the files hold now, never while a change of ours is under way. Raises WorkbenchError."""
    with _turns:
        workspace.observe()


def pinned(workspace: Workspace, intent: Edit) -> Edit:
    """An undo with the change it means, so that a newer one is never taken back in its place while somebody decides.

    Raises NothingTo.
    """
    if not isinstance(intent, Undo) or intent.number is not None:
        return intent
    with _turns:
        workspace.observe()
        return replace(intent, number=workspace.history.undo_target().id)


def decide(workspace: Workspace, intent: Decide) -> object:
    """Carry out a decision. Raises WorkbenchError; the files are then as they were."""
    with _turns:
        return intent.make(workspace, intent.accept)


def carry_out(workspace: Workspace, intent: Edit) -> Written | TakenBack:
    """Make the change. Raises WorkbenchError; the files are then as they were."""
    with _turns:
        match intent:
            case Write():
                return workspace.write(intent.operation, accept=intent.accept)
            case Undo():
                return workspace.undo(intent.number, accept=intent.accept)
            case Redo():
                return workspace.redo(accept=intent.accept)
            case Restore():
                return workspace.restore_change(intent.number, accept=intent.accept, seen=intent.seen)
