"""What the History area shows, found out in workers: changes, their numbers, and any two versions compared."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import NothingTo, WorkbenchError
from workbench.files import digest, read_bytes
from workbench.memory import FILE_NAMES, TARGETS, EntryChange, difference, parse, summary
from workbench.tui.facts import observed
from workbench.tui.parts.change_list import Gist, Marks, rows_of
from workbench.tui.parts.diff_rows import DiffRow, Remark, counts, entry_rows, text_rows
from workbench.tui.parts.header import HeaderFacts
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import one_line
from workbench.tui.screens.area import header_facts

if TYPE_CHECKING:
    from workbench.history import ChangeSet
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

VIEWS = ("what it changed", "against now", "whole file")
# More than any row has room for.
GIST_CHARS = 300
# Each of a comparison's two texts above this many bytes is said, not shown.
MOST_BYTES = 4_000_000


@dataclass(frozen=True)
class Past:
    """The newest changes; `complete` when there are no older ones. `now` is the SHA-256 of each file by its name."""

    changes: tuple[ChangeSet, ...]
    rows: tuple[Row, ...]
    marks: Marks
    complete: bool
    now: Mapping[str, str | None]
    header: HeaderFacts
    notices: tuple[str, ...] = ()

    @cached_property
    def by_number(self) -> Mapping[int, ChangeSet]:
        """The changes by their numbers."""
        return {change.id: change for change in self.changes}


@dataclass(frozen=True)
class Comparison:
    """Two versions compared. `changes` are (target, change) as the rows count them, `orders` the entries before."""

    title: str
    rows: tuple[DiffRow, ...]
    numbers: bool = False
    changes: tuple[tuple[str, EntryChange], ...] = ()
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class PastRead(Message):
    """The changes were read."""

    request: int
    past: Past


@dataclass
class GistsKnown(Message):
    """What some changes did, by change."""

    gists: Mapping[int, Gist]


@dataclass
class Compared(Message):
    """Two versions were compared."""

    request: int
    comparison: Comparison


@dataclass
class ChangesFound(Message):
    """The changes that brought or took a text."""

    text: str
    found: frozenset[int]


def read_past(workspace: Workspace, limit: int, gists: Mapping[int, Gist], glyphs: Glyphs, now: float | None) -> Past:
    """The newest `limit` changes, and where the files stand now. Raises WorkbenchError."""
    workspace.refresh()
    observed(workspace)
    past = workspace.past
    changes = past.changes(limit)
    marks = Marks(frozenset(past.undone()), _number(past.undo_target), _number(past.redo_target))
    said, workspace.notices[:] = tuple(workspace.notices), []
    held: dict[str, str | None] = {}
    for name in {file.path for change in changes for file in change.files}:
        try:
            data = read_bytes(past.path(name))
        except WorkbenchError:
            continue  # not known is not the same as none: nothing equals it then
        held[name] = None if data is None else digest(data)
    return Past(
        changes=changes,
        rows=rows_of(changes, gists, marks, glyphs),
        marks=marks,
        complete=len(changes) < limit,
        now=held,
        header=header_facts(workspace, now),
        notices=said,
    )


def _number(ask: Callable[[], ChangeSet]) -> int | None:
    try:
        return ask().id
    except NothingTo:
        return None


def gists_of(workspace: Workspace, changes: Sequence[ChangeSet], cancelled: Callable[[], bool]) -> dict[int, Gist]:
    """What each change did; as many as there is time for. A version that cannot be read any more is said to be."""
    out: dict[int, Gist] = {}
    for change in changes:
        if cancelled():
            break
        try:
            found = [one for some in workspace.differences(change).values() for one in some if one.kind != "same"]
        except WorkbenchError:
            out[change.id] = Gist("damaged")
            continue
        if change.kind == "baseline":
            out[change.id] = Gist("seen")
        elif not found:
            out[change.id] = Gist("layout" if change.files else "nothing")
        else:
            text = found[0].after or found[0].before or ""
            out[change.id] = Gist(summary(found), one_line(text)[:GIST_CHARS])
    return out


def find_text(
    workspace: Workspace, changes: Sequence[ChangeSet], text: str, cancelled: Callable[[], bool]
) -> frozenset[int]:
    """The changes after which the text, whatever its case, stands more or less often in a file than before."""
    wanted = text.casefold()
    times: dict[str | None, int] = {None: 0}

    def count(version: str | None) -> int:
        if version not in times:
            try:
                data = workspace.past.bytes_of(version) or b""
            except WorkbenchError:
                data = b""
            times[version] = data.decode("utf-8", "replace").casefold().count(wanted)
        return times[version]

    found = set()
    for change in changes:
        if cancelled():
            break
        if any(count(file.before) != count(file.after) for file in change.files):
            found.add(change.id)
    return frozenset(found)


# -- comparing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pair:
    """One file's two versions."""

    name: str
    before: bytes | None
    after: bytes | None


def compare(workspace: Workspace, change: ChangeSet, view: str, *, undone: bool, masked: bool) -> Comparison:
    """One change in one of the VIEWS. Raises WorkbenchError."""
    past = workspace.past
    pairs = []
    for file in change.files:
        after = past.bytes_of(file.after)
        if view == VIEWS[1]:
            pairs.append(_Pair(file.path, after, read_bytes(past.path(file.path))))
        elif change.kind == "baseline":
            pairs.append(_Pair(file.path, after, after))
        else:
            pairs.append(_Pair(file.path, past.bytes_of(file.before), after))
    head = [Remark(one_line(change.label), "heading"), Remark(_about(change, undone))]
    if not change.landed:
        head.append(Remark("It never reached the disk: a crash or an error came first.", "warning"))
    if not pairs:
        head.append(Remark("Nothing had to be written: the files stood so already."))
    title = f"change {change.id} · {view}"
    first = change.kind == "baseline" and view != VIEWS[1]
    return _comparison(workspace, title, head, pairs, whole=view == VIEWS[2], masked=masked, first_seen=first)


def compare_two(workspace: Workspace, older: int, newer: int, *, whole: bool, masked: bool) -> Comparison:
    """Both files as they were after two changes. Raises WorkbenchError."""
    past = workspace.past
    pairs = []
    for target in TARGETS:
        path = workspace.memory.path(target)
        versions = (past.version_at(path, older), past.version_at(path, newer))
        pairs.append(_Pair(past.name(path), *(past.bytes_of(version) for version in versions)))
    first, second = past.change(older), past.change(newer)
    head = [
        Remark(f"from change {older} to change {newer}", "heading"),
        Remark(f"{when(first.at)} to {when(second.at)}"),
    ]
    return _comparison(workspace, f"changes {older} and {newer}", head, pairs, whole=whole, masked=masked)


def _about(change: ChangeSet, undone: bool) -> str:
    whose = change.actor + (f", {change.hint}" if change.hint else "")
    parts = [when(change.at, seconds=True), one_line(whose), change.kind]
    if change.about is not None:
        parts.append(f"about change {change.about}")
    if undone:
        parts.append("taken back")
    return " · ".join(parts)


def _comparison(
    workspace: Workspace,
    title: str,
    head: Sequence[Remark],
    pairs: Sequence[_Pair],
    *,
    whole: bool,
    masked: bool,
    first_seen: bool = False,
) -> Comparison:
    rows: list[DiffRow] = list(head)
    changes: list[tuple[str, EntryChange]] = []
    orders: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        target = workspace.memory.target(workspace.past.path(pair.name))
        name = FILE_NAMES[target] if target is not None else one_line(pair.name)
        rows.append(Remark(""))
        if pair.before == pair.after and not whole:
            rows += [Remark(f"{name}: the same", "heading")] if not first_seen else _first_seen(name, pair, masked)
            continue
        if target is None or whole:
            rows += _texts(name, pair, masked)
            continue
        documents = [parse(data, target, workspace.limits[target]) for data in (pair.before, pair.after)]
        if any(document.state == "unreadable" for document in documents):
            rows += _texts(name, pair, masked)
            continue
        before, after = (document.texts for document in documents)
        found = difference(before, after)
        if all(change.kind == "same" for change in found):
            rows.append(Remark(f"{name}: no entry changed, only blanks, line ends or marks around them", "heading"))
            rows += _texts("", pair, masked)
            continue
        rows.append(Remark(f"{name}: {counts(found)}", "heading"))
        rows += entry_rows(found, first=len(changes), masked=masked)
        changes += [(target, change) for change in found]
        orders[target] = before
    return Comparison(title, tuple(rows), whole, tuple(changes), orders)


def _first_seen(name: str, pair: _Pair, masked: bool) -> list[DiffRow]:
    if pair.after is None:
        return [Remark(f"{name}: there was no file", "heading")]
    text = pair.after.decode("utf-8", "replace")
    if len(text) > MOST_BYTES:
        return [Remark(f"{name}: {len(text):,} characters", "heading")]
    return [Remark(f"{name}: what was there before is not recorded", "heading"), *text_rows(text, text, masked=masked)]


def _texts(name: str, pair: _Pair, masked: bool) -> list[DiffRow]:
    sizes = " → ".join("no file" if data is None else f"{len(data):,} bytes" for data in (pair.before, pair.after))
    rows: list[DiffRow] = [Remark(f"{name}: {sizes}", "heading")] if name else []
    if max(len(data or b"") for data in (pair.before, pair.after)) > MOST_BYTES:
        return [*rows, Remark("too large to be shown here", "warning")]
    texts = []
    for data in (pair.before, pair.after):
        try:
            texts.append((data or b"").decode("utf-8"))
        except UnicodeDecodeError as error:
            rows.append(Remark(f"not UTF-8 at byte {error.start}; what cannot be read is shown as �", "warning"))
            texts.append((data or b"").decode("utf-8", "replace"))
    return [*rows, *text_rows(*texts, masked=masked)]


def when(at: float, *, seconds: bool = False) -> str:
    """A time as people read it."""
    return time.strftime("%d %b %Y %H:%M:%S" if seconds else "%d %b %Y %H:%M", time.localtime(at))
