"""Replies in the client's shape, so that whatever reads the agent's tool results reads ours."""

from __future__ import annotations

from typing import Any

from workbench.errors import Ambiguous, Conflict, NotFound, OverBudget, WorkbenchError
from workbench.memory.applying import Outcome, flatten, targets_of
from workbench.memory.document import count
from workbench.memory.operations import Add, Batch, Move, Normalise, Patch, Remove, Reorder, Replace
from workbench.memory.prompt import usage

_DONE = {
    "add": "Entry added.",
    "replace": "Entry replaced.",
    "patch": "Entry patched.",
    "remove": "Entry removed.",
    "move": "Entry moved.",
    "merge": "Entries merged.",
    "split": "Entry split.",
    "reorder": "Entry moved to its new place.",
    "normalise": "File written in the agent's own form.",
}


def success(outcome: Outcome, limits: dict[str, int], *, dry_run: bool = False, written: bool = True) -> dict[str, Any]:
    """The client's success keys (0.19, and 0.22's `removed_entry` and so on), for the first store touched.

    `written` is False when the file was right already.
    """
    target = targets_of(outcome.operation)[0]
    after = outcome.after[target]
    reply: dict[str, Any] = {
        "success": True,
        "done": True,
        "target": target,
        "usage": usage(count(after), limits[target]),
        "entry_count": len(after),
        "message": message(outcome, written=written or dry_run),
        "note": "Nothing was written, this was a dry run." if dry_run else "Saved." if written else "Nothing to write.",
    }
    single = outcome.operation
    effect = outcome.effects[0] if len(outcome.effects) == 1 else None
    if effect is not None:
        if isinstance(single, Remove | Move):
            reply["removed_entry"] = effect.before
        elif isinstance(single, Replace):
            reply["replaced_entry"] = effect.before
        elif isinstance(single, Patch):
            reply["patched_entry_before"], reply["patched_entry_after"] = effect.before, effect.after
    return reply


def message(outcome: Outcome, *, written: bool = True) -> str:
    """One sentence on what an operation did; `written` is False when the file was right already."""
    operation = outcome.operation
    if not written and isinstance(operation, Normalise | Reorder | Replace | Patch):
        return "It is like that already; nothing was written."
    if isinstance(operation, Batch):
        return f"Applied {len(flatten(operation))} operation(s)."
    if isinstance(operation, Add) and outcome.effects[0].kind == "unchanged":
        return "Entry already exists (no duplicate added)."
    return _DONE[type(operation).__name__.lower()]


def failure(error: WorkbenchError, outcome: Outcome | None, limits: dict[str, int]) -> dict[str, Any]:
    """The error object, with the client's `current_entries`, `usage`, `matches` and 0.22's `closest_entries`."""
    reply = error.as_json()
    if isinstance(error, OverBudget) and outcome is not None:
        reply["current_entries"] = list(outcome.before[error.target])
        reply["usage"] = f"{error.chars:,}/{error.limit:,}"
    elif isinstance(error, NotFound):
        reply["current_entries"], reply["closest_entries"] = list(error.entries), list(error.closest)
        del reply["entries"], reply["closest"]
    elif isinstance(error, Ambiguous):
        reply["matches"] = [entry[:80] + ("..." if len(entry) > 80 else "") for entry in error.matches]
    elif isinstance(error, Conflict):
        reply["current_entries"] = list(error.theirs)
    return reply
