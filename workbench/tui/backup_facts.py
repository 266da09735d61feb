"""What the view of backups shows, found out in workers: contents and their copies, and any two compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, Document
from workbench.tui.drift_facts import compared
from workbench.tui.parts.diff_rows import DiffRow, Remark
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import one_line, safe

if TYPE_CHECKING:
    from workbench.history.backups import Group
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace


@dataclass(frozen=True)
class BackupsView:
    """All backups, by file and content; `notes` are worth knowing."""

    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    def find(self, row_id: str | None) -> Group | None:
        """The group a row stands for."""
        return next((group for group in self.groups if row_of_group(group) == row_id), None)

    @property
    def copies(self) -> int:
        """How many files `clear all` would remove."""
        return sum(len(group.backups) - 1 for group in self.groups if group.sha256)


@dataclass
class BackupsRead(Message):
    """The backups were listed."""

    request: int
    view: BackupsView


@dataclass
class BackupsCompared(Message):
    """Two versions were compared."""

    request: int
    title: str
    rows: tuple[DiffRow, ...]


def row_of_group(group: Group) -> str:
    """The id of a group's row: its newest file's name."""
    return group.newest.path.name


def read_backups(workspace: Workspace, glyphs: Glyphs, now: float) -> BackupsView:
    """List them. Raises WorkbenchError."""
    from workbench.workspace import keeping

    found = keeping.groups(workspace)
    rows: list[Row] = []
    for of in dict.fromkeys(group.of for group in found):
        mine = [group for group in found if group.of == of]
        files = sum(len(group.backups) for group in mine)
        title = f"{of.name} · {files} file{'' if files == 1 else 's'}, {len(mine)} different"
        rows.append(Row(f"head-{of.name}", title, heading=True))
        rows += [_row(group, glyphs, now) for group in mine]
    note = keeping.snapshots_note(workspace)
    notes = () if not note else (f"{note[:1].upper()}{note[1:]}.",)
    return BackupsView(found, tuple(rows), notes)


def _row(group: Group, glyphs: Glyphs, now: float) -> Row:
    newest, many = group.newest, len(group.backups)
    ours = sum(one.ours for one in group.backups)
    whose = "ours" if ours == many else "not ours" if not ours else f"{ours} of {many} ours"
    parts = [ago(newest.at, now), f"{newest.size:,} bytes", whose]
    if newest.why:
        parts = [ago(newest.at, now), f"cannot be read: {newest.why}"]
    if many > 1:
        parts.insert(1, f"{glyphs.times}{many} identical")
    name = one_line(newest.path.name, masked=False)
    return Row(row_of_group(group), f"{' · '.join(one_line(part) for part in parts)}\n{name}")


def ago(at: float, now: float) -> str:
    """How long ago, in the largest unit that fits; both Unix seconds."""
    seconds = max(0.0, now - at)
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {name}{'' if number == 1 else 's'} ago"
    return "just now"


def compare_with_now(workspace: Workspace, group: Group, *, masked: bool) -> tuple[str, tuple[DiffRow, ...]]:
    """What restoring would do: from what the file holds now to what the backup has."""
    target = workspace.memory.target(group.of)
    assert target is not None
    name = FILE_NAMES[target]
    before = workspace.documents()[target]
    after = _document(workspace, group)
    if isinstance(after, str):
        return name, (Remark(after, "warning"),)
    if before.data == after.data:
        return f"{name}: the same as now", (Remark("The file holds these very bytes now."),)
    return f"{name}: now → backup", compared(before, after, masked=masked)


def compare_groups(
    workspace: Workspace, older: Group, newer: Group, *, masked: bool
) -> tuple[str, tuple[DiffRow, ...]]:
    """From one backup to another, of the same file or not."""
    before, after = _document(workspace, older), _document(workspace, newer)
    title = f"{one_line(older.newest.path.name)} → {one_line(newer.newest.path.name)}"
    if isinstance(before, str) or isinstance(after, str):
        return title, tuple(Remark(side, "warning") for side in (before, after) if isinstance(side, str))
    return title, compared(before, after, masked=masked)


def _document(workspace: Workspace, group: Group) -> Document | str:
    from workbench.workspace import keeping

    try:
        return keeping.document_of(workspace, group.newest)
    except WorkbenchError as error:
        return safe(str(error))


def cleared(view: BackupsView, groups: Sequence[Group]) -> list[str]:
    """The names of the files that clearing these contents would remove."""
    return [one_line(one.path.name, masked=False) for group in groups if group.sha256 for one in group.backups[1:]]
