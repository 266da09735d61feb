"""What is said in passing after a change, and of a change before it is taken back: what it was, whose, and when."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from workbench.errors import NeedsConfirmation, WorkbenchError
from workbench.memory import FILE_NAMES
from workbench.tui.facts import Intent, Undo
from workbench.tui.keymap import shown

if TYPE_CHECKING:
    from workbench.history import ChangeSet
    from workbench.memory import Outcome, TakenBack
    from workbench.workspace import Workspace

_WHOSE = {"workbench": "yours", "agent": "the agent's", "outside": "somebody else's"}


def when(at: float, now: float) -> str:
    """A time (Unix seconds) as people say it: the hour today, the day and the hour otherwise."""
    then, today = time.localtime(at), time.localtime(now)
    hour = time.strftime("%H:%M", then)
    return hour if then[:3] == today[:3] else f"{then.tm_mday} {time.strftime('%b %Y', then)}, {hour}"


def whose(change: ChangeSet, now: float) -> str:
    """`“add in MEMORY.md”, yours, 14:02`."""
    hint = f" ({change.hint})" if change.hint else ""
    return f"“{change.label}”, {_WHOSE.get(change.actor, change.actor)}{hint}, {when(change.at, now)}"


def named(workspace: Workspace, intent: Intent, error: WorkbenchError) -> WorkbenchError:
    """A refusal to take somebody else's change back without a question, with what that change was; others as they are.

    Asks the history, so it belongs into a worker.
    """
    if not isinstance(error, NeedsConfirmation) or not isinstance(intent, Undo) or intent.number is None:
        return error
    change = workspace.past.change(intent.number)
    if change.actor == "workbench":
        return error
    counts = workspace.summary(change)
    what = f"This change is not yours: {whose(change, workspace.clock())}{counts and f', {counts}'}. Take it back?"
    return NeedsConfirmation(what, error.flag)


def taken_sentence(taken: TakenBack, *, redone: bool, now: float) -> str:
    """After an undo or a redo: what it was about."""
    about = whose(taken.about, now) if taken.about is not None else ""
    how = "" if taken.exact else " Only the entries meant; the file had moved on since."
    return f"{'Redone' if redone else 'Taken back'}: {about}.{how}"


def done_sentence(outcome: Outcome) -> str:
    """After a change made without an editor."""
    kinds = [effect.kind for effect in outcome.effects]
    moved, gone = kinds.count("moved"), kinds.count("removed")
    if "reordered" in kinds:
        effect = next(effect for effect in outcome.effects if effect.kind == "reordered")
        place = outcome.after[effect.target].index(effect.after or "") + 1
        return (
            f"The entry stands at place {place} of {FILE_NAMES[effect.target]} now; "
            f"{shown('memory.undo')} puts it back."
        )
    if moved:
        goal = next(target for target in outcome.after if target not in {e.target for e in outcome.effects})
        return (
            f"Moved {moved} entr{'y' if moved == 1 else 'ies'} to "
            f"{FILE_NAMES[goal]}; {shown('memory.undo')} takes it back."
        )
    if gone:
        return f"Deleted {gone} entr{'y' if gone == 1 else 'ies'}; {shown('memory.undo')} puts back."
    return f"Written in the agent's own layout; {shown('memory.undo')} takes it back."
