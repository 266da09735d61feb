"""Putting back, before it is done: a change taken back alone, files as they were, one entry; what that would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import NothingTo, WorkbenchError
from workbench.files import digest, read_bytes
from workbench.memory import FILE_NAMES, EntryChange, count, difference, parse
from workbench.tui.facts import Intent, Restore, Undo, Write, observed
from workbench.tui.screen_text import one_line, safe

if TYPE_CHECKING:
    from workbench.workspace import Workspace


@dataclass(frozen=True)
class TakeBack:
    """Take one change set back alone."""

    number: int


@dataclass(frozen=True)
class BringBack:
    """Give the files of a change set the bytes they had after it."""

    number: int


@dataclass(frozen=True)
class PutEntryBack:
    """Put one entry back as it was before `change`; `order` are the entries as they stood then."""

    target: str
    change: EntryChange
    order: tuple[str, ...]


Plan = TakeBack | BringBack | PutEntryBack


@dataclass(frozen=True)
class Effects:
    """What putting back does to the entries: (sign, text) to be shown, and in words; `empties` names a store."""

    said: str
    lines: tuple[tuple[str, str], ...]
    empties: str = ""

    @property
    def nothing(self) -> bool:
        """Whether no entry changes."""
        return not self.lines


def effects_of(workspace: Workspace, pairs: Mapping[str, tuple[bytes | None, bytes | None]]) -> Effects:
    """What happens to the entries when each file (by target) goes from its first bytes to its second ones."""
    lines: list[tuple[str, str]] = []
    sums = {"removed": 0, "added": 0, "edited": 0, "moved": 0}
    empties = ""
    for target, (now, then) in pairs.items():
        before, after = (parse(data, target, workspace.limits[target]) for data in (now, then))
        for change in difference(before.texts, after.texts):
            if change.kind in sums:
                sums[change.kind] += 1
            if change.kind in ("removed", "edited"):
                lines.append(("gone", safe(change.before or "")))
            if change.kind in ("added", "edited"):
                lines.append(("come", safe(change.after or "")))
            if change.kind == "moved":
                lines.append(("moved", safe(change.after or "")))
        if before.texts and not after.texts:
            empties = FILE_NAMES[target]
    words = (
        ("removed", "is lost", "are lost"),
        ("added", "comes back", "come back"),
        ("edited", "gets another text", "get another text"),
        ("moved", "goes to another place", "go to another place"),
    )
    parts = [(sums[kind], one if sums[kind] == 1 else many) for kind, one, many in words if sums[kind]]
    sentence = ", ".join(
        f"{number} {'' if at else 'entry ' if number == 1 else 'entries '}{what}"
        for at, (number, what) in enumerate(parts)
    )
    said = f"{sentence}." if parts else "No entry changes, only blanks and line ends."
    return Effects(said, tuple(lines), empties)


@dataclass(frozen=True)
class Prepared:
    """A change ready to be made once it is agreed to: `intent` holds the confirmations that the question covers."""

    intent: Intent
    title: str
    verb: str
    lead: str
    effects: Effects


@dataclass
class PlanKnown(Message):
    """What a plan would do, or why it is refused."""

    request: int
    plan: Plan
    prepared: Prepared | None
    error: WorkbenchError | None = None


def prepare(workspace: Workspace, plan: Plan) -> Prepared:
    """Find out what a plan would do. Raises WorkbenchError when it cannot be done, NothingTo when nothing is to do."""
    observed(workspace)
    match plan:
        case TakeBack():
            return _take_back(workspace, plan.number)
        case BringBack():
            return _bring_back(workspace, plan.number)
        case PutEntryBack():
            return _put_entry_back(workspace, plan)


def _take_back(workspace: Workspace, number: int) -> Prepared:
    from workbench.memory.store import ACCEPT_OTHERS

    change = workspace.past.change(number)
    images = workspace.store.preview_undo(number)
    effects = _effects(workspace, images)
    whose = "" if change.actor == "workbench" else f" It is not yours: {one_line(change.actor)} made it."
    lead = f"“{one_line(change.label)}” (change {number}) is taken back alone.{whose} {effects.said}"
    return Prepared(Undo(number, frozenset({ACCEPT_OTHERS})), "take one change back", "take it back", lead, effects)


def _bring_back(workspace: Workspace, number: int) -> Prepared:
    past = workspace.past
    change = past.change(number)
    files = [file for file in change.files if file.state != "not"]
    images = {past.path(file.path): (read_bytes(past.path(file.path)), past.bytes_of(file.after)) for file in files}
    if all(now == then for now, then in images.values()):
        raise NothingTo("restore: the files hold this version already")
    names = " and ".join(path.name for path in images)
    effects = _effects(workspace, images)
    lead = f"{names}: back to how change {number} left it. {effects.said}"
    seen = {past.name(path): None if now is None else digest(now) for path, (now, _) in images.items()}
    return Prepared(Restore(number, seen=seen), "restore a version", "restore", lead, effects)


def _put_entry_back(workspace: Workspace, plan: PutEntryBack) -> Prepared:
    from workbench.memory import Add, Exact, Operation, Replace
    from workbench.memory.diff import place_after

    document = workspace.documents()[plan.target]
    before, after = plan.change.before or "", plan.change.after
    if before in document.texts:
        raise NothingTo("put back: the store holds this entry already")
    operation: Operation
    if after is None:
        at = place_after(plan.order, before, document.texts)
        operation = Add(plan.target, before, at if at < len(document.texts) else None)
    else:
        operation = Replace(plan.target, Exact(after), before)
    outcome = workspace.preview(operation)
    if outcome.refused is not None:
        raise outcome.refused
    was, will = count(outcome.before[plan.target]), count(outcome.after[plan.target])
    name = FILE_NAMES[plan.target]
    what = "comes back" if after is None else "gets its former text back; the present one is lost"
    lead = f"The entry {what}. {name}: {was:,} → {will:,} of {document.limit:,} chars."
    asked = " ".join(needed.what for needed in outcome.confirm)
    lines = [("gone", safe(after))] if after is not None else []
    effects = Effects("", (*lines, ("come", safe(before))))
    accept = frozenset(needed.flag for needed in outcome.confirm)
    return Prepared(Write(operation, accept), "put one entry back", "put it back", f"{lead} {asked}".strip(), effects)


def _effects(workspace: Workspace, images: Mapping[Path, tuple[bytes | None, bytes | None]]) -> Effects:
    targets = {workspace.memory.target(path): pair for path, pair in images.items()}
    return effects_of(workspace, {target: pair for target, pair in targets.items() if target is not None})
