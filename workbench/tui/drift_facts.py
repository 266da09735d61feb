"""Why a memory file is not as the agent writes it, and what each way of putting it right would make of it.

The functions here run in worker threads: they ask the workspace and touch no widget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import NeedsConfirmation, Usage, WorkbenchError
from workbench.memory import FILE_NAMES, Document, count, difference, parse, percent, serialise
from workbench.memory.drift import Difference, Drift, drift
from workbench.memory.resolving import LAST_GOOD, Choice, Plan, readings
from workbench.tui.parts.byte_rows import byte_rows, place_rows
from workbench.tui.parts.diff_rows import DiffRow, Remark, counts, entry_rows
from workbench.tui.screen_text import safe

if TYPE_CHECKING:
    from workbench.workspace import Workspace

# More readings of a file than these were never worth a look.
READINGS = 4
# Each side above this many bytes is said, not compared.
MOST_BYTES = 2_000_000
_LABELS = {
    "normalise": "tidy: write it in the agent's own form",
    "split": "split: cut into entries what is one",
    "trim": "trim: keep only the beginning of what is too long",
    "last-good": "take the last good version",
    "entries": "choose entry by entry",
}
_ABOUT = {
    "unreadable": "It is not UTF-8. The agent cannot read it, and refuses to write it or takes it for empty.",
    "lossy": "One entry alone is longer than the whole limit: the agent would cut the file at its next write.",
    "over": "It is over its limit: the agent refuses every add until something is shortened or goes.",
    "cosmetic": "Its layout is not what the agent writes; every entry is whole.",
    "missing": "It is gone.",
    "ok": "Nothing in it stops the agent.",
}


@dataclass(frozen=True)
class Way:
    """One way to put a file right: `how` as `resolving.plan` takes it, or `entries`."""

    how: str
    label: str


@dataclass(frozen=True)
class DriftView:
    """A file explained: what differs, place by place, and the ways there are, the best first."""

    document: Document
    drift: Drift
    ways: tuple[Way, ...]

    @property
    def lead(self) -> str:
        """What state the file is in and what that means, who refuses what."""
        state, found = self.document.state, self.drift
        said = _ABOUT.get(state, "")
        if state == "unreadable" and self.document.data is None:
            said = f"It cannot be read: {safe(self.document.error)}."
        if state == "ok" and self.document.data is not None and not self.document.entries:
            said = "It holds no entry."
        return f"{said} {_refusals(found.refused_by)}".strip()


def _refusals(refused_by: Mapping[str, Sequence[str]]) -> str:
    """Who refuses what, generations that refuse the same named together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for client in sorted(refused_by):
        if refused_by[client]:
            groups.setdefault(tuple(refused_by[client]), []).append(client)
    said = [f"{' and '.join(clients)}: {', '.join(verbs)}" for verbs, clients in groups.items()]
    return f"Refused by agent {'; '.join(said)}." if said else ""


@dataclass(frozen=True)
class Looked:
    """What one row shows: `rows` of a comparison and a sentence or two.

    `plan` is what would be carried out; None for a place, or when `refused` says why it cannot be. `usage` is
    (characters, limit, percent, state) of the file as it would be.
    """

    title: str
    rows: tuple[DiffRow, ...] = ()
    said: tuple[str, ...] = ()
    plan: Plan | None = None
    refused: str = ""
    asks: tuple[str, ...] = ()
    usage: tuple[int, int, int, str] | None = None


@dataclass
class DriftRead(Message):
    """A file was explained."""

    request: int
    view: DriftView


@dataclass
class LookedAt(Message):
    """What a row shows was found out."""

    request: int
    looked: Looked


@dataclass
class ChoicesRead(Message):
    """All entries of a file's versions; `sources` names the versions in their order."""

    request: int
    document: Document
    choices: tuple[Choice, ...]
    sources: tuple[str, ...]


def read_drift(workspace: Workspace, target: str) -> DriftView:
    """Explain a file. Raises WorkbenchError when the home is gone."""
    from workbench.workspace import resolving

    document = workspace.documents()[target]
    found = drift(document)
    good = resolving.last_good(workspace, target)
    ways: list[Way] = []
    for how in found.ways:
        if how == "reencode":
            ways += [
                Way(
                    f"reencode={one.encoding}",
                    f"re-encode: read it as {one.encoding}{', the best guess' if not at else ''}",
                )
                for at, one in enumerate(readings(document)[:READINGS])
            ]
        elif how != "last-good":
            ways.append(Way(how, _LABELS[how]))
    if good is not None and (document.state in ("unreadable", "lossy", "missing") or not document.entries):
        ways.append(Way("last-good", _LABELS["last-good"]))
    if found.any or not document.entries:
        choices = resolving.choices(workspace, target)
        if any(choice.sources != ("now",) for choice in choices):
            ways.append(Way("entries", _LABELS["entries"]))
    return DriftView(document, found, tuple(ways))


def has_good(workspace: Workspace, document: Document) -> int:
    """How many entries the last good version of a store without any has; 0 when there is none.

    What its owner emptied with the workbench is not lost, and is no news to anybody.
    """
    from workbench.workspace import resolving

    if document.entries or document.state == "unreadable":
        return 0
    newest = workspace.past.changes(1, path=workspace.memory.path(document.target))
    if newest and newest[0].actor == "workbench":
        return 0
    found = resolving.last_good(workspace, document.target)
    return 0 if found is None else len(found.entries)


def look_at_place(view: DriftView, number: int, *, masked: bool = True) -> Looked:
    """The bytes around one difference."""
    found, data = view.drift.differences[number], view.document.data
    title = safe(found.text)
    if data is None or found.start is None or found.end is None:
        return Looked(title, (Remark(title, "heading"),))
    start, end = _bytes_of(data, found)
    return Looked(title, (Remark(title, "heading"), Remark(""), *place_rows(data, start, end, masked=masked)))


def _bytes_of(data: bytes, found: Difference) -> tuple[int, int]:
    """The place in bytes; differences count characters of the text, but for one that is not UTF-8."""
    assert found.start is not None
    assert found.end is not None
    if found.kind == "not_utf8":
        return found.start, found.end
    text = data.decode("utf-8", "surrogateescape")
    start = len(text[: found.start].encode("utf-8", "surrogateescape"))
    return start, start + len(text[found.start : found.end].encode("utf-8", "surrogateescape"))


def look_at_way(workspace: Workspace, target: str, how: str, *, as_bytes: bool, masked: bool = True) -> Looked:
    """What one way would make of the file; why it cannot be gone is said, not raised."""
    from workbench.workspace import resolving

    title = FILE_NAMES[target]
    if how == "entries":
        return _look_at_choices(workspace, target)
    try:
        plan = resolving.plan(workspace, target, how)
        return _look_at_plan(workspace, plan, as_bytes=as_bytes, masked=masked)
    except WorkbenchError as error:
        return Looked(title, (), (), None, safe(str(error)))


def _look_at_plan(workspace: Workspace, plan: Plan, *, as_bytes: bool, masked: bool) -> Looked:
    before = workspace.documents()[plan.target]
    limit, refused = before.limit, ""
    confirm: tuple[NeedsConfirmation, ...] = ()
    if plan.operation is not None:
        outcome = workspace.preview(plan.operation)
        refused = "" if outcome.refused is None else safe(str(outcome.refused))
        confirm = outcome.confirm
        data = serialise(outcome.after[plan.target])
    else:
        data = plan.data or b""
    after = parse(data, plan.target, limit)
    said = tuple(safe(one) for one in plan.said)
    chars = count(after.texts)
    usage = (chars, limit, percent(chars, limit), after.state)
    asks = tuple(safe(one.what) for one in confirm)
    rows = compared(before, after, as_bytes=as_bytes, masked=masked)
    return Looked(FILE_NAMES[plan.target], rows, said, None if refused else plan, refused, asks, usage)


def compared(before: Document, after: Document, *, as_bytes: bool = False, masked: bool = True) -> tuple[DiffRow, ...]:
    """Two versions of a file entry by entry; byte by byte where entries do not differ, or cannot be read."""
    old, new = before.data or b"", after.data or b""
    if max(len(old), len(new)) > MOST_BYTES:
        said = f"{len(old):,} → {len(new):,} bytes: too much to compare here; every byte of before stays in the history"
        return (Remark(said, "warning"),)
    if as_bytes or "unreadable" in (before.state, after.state):
        return byte_rows(old, new, masked=masked)
    changes = difference(before.texts, after.texts)
    if not any(change.kind != "same" for change in changes):
        return (Remark("No entry changes."), *byte_rows(old, new, masked=masked))
    return (Remark(counts(changes), "heading"), Remark(""), *entry_rows(changes, masked=masked))


def _look_at_choices(workspace: Workspace, target: str) -> Looked:
    from workbench.workspace import resolving

    found = resolving.choices(workspace, target)
    if not found:
        return Looked(FILE_NAMES[target], refused="No version of this file can be read as entries.")
    versions = dict.fromkeys(source for choice in found for source in choice.sources)
    rows: list[DiffRow] = [Remark(f"{len(found)} different entries in {len(versions)} versions", "heading"), Remark("")]
    for name in versions:
        rows.append(Remark(f"{sum(name in one.sources for one in found):>4}  {version_name(name)}"))
    return Looked(FILE_NAMES[target], tuple(rows), ("each entry is taken or left out by itself",))


def version_name(source: str) -> str:
    """A version as people know it."""
    return "on disk now" if source == "now" else safe(source)


def read_choices(workspace: Workspace, target: str) -> tuple[Document, tuple[Choice, ...], tuple[str, ...]]:
    """Every entry of the file now, of its last good version and of its backups, and the versions' names."""
    from workbench.workspace import resolving

    document = workspace.documents()[target]
    found = resolving.choices(workspace, target)
    names = tuple(dict.fromkeys(source for choice in found for source in choice.sources))
    if not found:
        raise Usage(f"No version of {FILE_NAMES[target]} can be read as entries.")
    order = [name for name in ("now", LAST_GOOD) if name in names]
    return document, found, (*order, *(name for name in names if name not in order))


def plan_of(document: Document, texts: tuple[str, ...]) -> Looked:
    """What the chosen entries would make of the file."""
    from workbench.memory.resolving import compose

    chars = count(texts)
    usage = (chars, document.limit, percent(chars, document.limit), "")
    try:
        plan = compose(document, texts)
    except WorkbenchError as error:
        return Looked("", refused=safe(str(error)), usage=usage)
    return Looked("", said=plan.said, plan=plan, usage=usage)
