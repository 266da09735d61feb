"""Backups of the memory files: listing, comparing, putting back, clearing away."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import Unreadable, Usage
from workbench.files import read_bytes
from workbench.history import Intent
from workbench.history.backups import Backup, Group, grouped, list_backups, prune
from workbench.memory import TARGETS, Document, EntryChange, difference, parse
from workbench.watch.keeper import keep_before

if TYPE_CHECKING:
    from workbench.workspace.workspace import Workspace

SNAPSHOTS = "state-snapshots"


def groups(workspace: Workspace, targets: Sequence[str] = TARGETS) -> tuple[Group, ...]:
    """All backups of these stores, by file and content, the newest first; one content may lie there many times."""
    history = workspace.past
    found = [one for target in targets for one in list_backups(history, workspace.memory.path(target))]
    return tuple(sorted(grouped(found), key=lambda group: -group.newest.at))


def find(workspace: Workspace, name: str) -> Backup:
    """The backup with this file name, or with a content whose SHA-256 begins so (at least 4 digits).

    Raises Usage when none is, or when two contents fit.
    """
    there = groups(workspace)
    for group in there:
        for one in group.backups:
            if one.path.name == name:
                return one
    fits = [group for group in there if len(name) >= 4 and group.sha256.startswith(name.lower())]
    if len(fits) > 1:
        raise Usage(f"“{name}” fits several backups; give the file's name, `workbench backups list` shows them.")
    if not fits:
        raise Usage(f"No backup is named “{name}”; `workbench backups list` shows them.")
    return fits[0].newest


def document_of(workspace: Workspace, backup: Backup) -> Document:
    """A backup read as the memory file it is of. Raises Unreadable when there is no reading it."""
    target = workspace.memory.target(backup.of)
    assert target is not None  # only memory files have backups
    data = read_bytes(backup.path)
    if data is None:
        raise Unreadable(backup.path, "it is gone")
    return parse(data, target, workspace.limits[target])


def compare(before: Document, after: Document) -> tuple[EntryChange, ...]:
    """Entry by entry, what leads from one to the other. Raises Unreadable when one of them is not text."""
    for document in (before, after):
        if document.state == "unreadable":
            raise Unreadable(Path(f"{document.target}"), document.error, document.error_offset)
    return tuple(difference(before.texts, after.texts))


def restore(workspace: Workspace, backup: Backup, *, follow_link: bool = False) -> int | None:
    """Give the memory file the exact bytes of a backup; the change set, None when it held them already.

    What stood there before goes into the history like with any write. Raises Unreadable when the backup is gone or
    cannot be read, and what History.commit raises.
    """
    data = read_bytes(backup.path)
    if data is None:
        raise Unreadable(backup.path, "it is gone")
    workspace.keep_first((str(workspace.memory.target(backup.of)),))
    label = f"restore {backup.of.name} from {backup.path.name}"
    done = workspace.history.commit(
        [backup.of], lambda images: {backup.of: data}, Intent(label, kind="restore"), allow_link=follow_link
    )
    workspace.changed()
    return done.change


def clear_away(workspace: Workspace, which: Sequence[Group]) -> tuple[Path, ...]:
    """Remove all but the newest backup of each content; see history.backups.prune."""
    return prune(workspace.history, which)


def keep_now(workspace: Workspace, targets: Sequence[str]) -> None:
    """Keep what these files hold at this moment. Raises NotBackedUp, Unreadable."""
    for target in targets:
        path = workspace.memory.path(target)
        data = read_bytes(path)
        if data:
            keep_before(workspace.history, path, data, workspace.clock())


def snapshots_note(workspace: Workspace) -> str:
    """What to know about the client's own quick snapshots; "" when it has made none.

    Measured on 0.19: they copy state.db, config.yaml and others, never the folder memories/.
    """
    if not (workspace.home / SNAPSHOTS).is_dir():
        return ""
    return f"the agent's own quick snapshots ({SNAPSHOTS}/) leave memories/ out: they are no backup of these files"
