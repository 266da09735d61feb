"""`workbench backups …`: list, compare, put back and clear away the `.bak` files of the memory files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from workbench.cli.output import Output, accepted, door, one_line
from workbench.errors import Unreadable, WorkbenchError
from workbench.history.backups import Backup, Group
from workbench.memory import TARGETS, Document, EntryChange, summary
from workbench.workspace import Workspace, keeping

_SIGNS = {"added": "+", "removed": "−", "edited": "~", "moved": "↕"}


def backups(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """Run one action; errors carry the exit code."""
    action = {"list": _list, "prune": _prune, "diff": _diff, "restore": _restore}[options.action]
    return action(workspace, options, output)


def _targets(options: argparse.Namespace) -> tuple[str, ...]:
    return (options.target,) if options.target else TARGETS


def _list(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    groups = keeping.groups(workspace, _targets(options))
    note = keeping.snapshots_note(workspace)
    documents = workspace.documents()
    rows = [(group, *_against_now(workspace, group.newest, documents)) for group in groups]
    if output.as_json:
        output.json({"groups": [_group_json(*row) for row in rows], "note": note})
        return 0
    output.lines(_group_line(workspace, *row) for row in rows)
    if not groups:
        output.lines(["no backups lie beside the memory files"])
    if note:
        output.lines([f"note: {note}"])
    return 0


def _against_now(workspace: Workspace, backup: Backup, documents: dict[str, Document]) -> tuple[str, str]:
    """How a backup differs from the file now, counted, and the state it is in."""
    target = workspace.memory.target(backup.of)
    assert target is not None
    try:
        then = keeping.document_of(workspace, backup)
        if then.data == documents[target].data:
            return "the same as now", then.state
        return summary(keeping.compare(documents[target], then)) or "only its layout", then.state
    except Unreadable:
        return "not comparable", "unreadable"


def _group_json(group: Group, difference: str, state: str) -> dict[str, Any]:
    return {
        "file": group.of.name,
        "sha256": group.sha256,
        "size": group.newest.size,
        "copies": len(group.backups),
        "state": state,
        "difference": difference,
        "backups": [{"name": one.path.name, "at": one.at, "ours": one.ours, "why": one.why} for one in group.backups],
    }


def _group_line(workspace: Workspace, group: Group, difference: str, state: str) -> str:
    newest = group.newest
    many = f" ×{len(group.backups)} identical" if len(group.backups) > 1 else ""
    whose = "ours" if any(one.ours for one in group.backups) else "not ours"
    said = f" · {newest.why}" if newest.why else ""
    # Restoring is what the difference is for, so it reads as what that would do.
    return (
        f"{group.sha256[:12]:<12}  {door(newest.path.name):<30} {_age(workspace.clock() - newest.at):>8}"
        f" {newest.size:>9,} bytes  {whose}{many} · {state} · restoring it: {difference}{said}"
    )


def _age(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now" if seconds >= 0 else "ahead"  # a clock that went backwards


def _prune(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    groups = keeping.groups(workspace, _targets(options))
    spare = [one.path for group in groups if group.sha256 for one in group.backups[1:]]
    gone = spare if options.dry_run or not spare else keeping.clear_away(workspace, groups)
    kept = sum(len(group.backups) for group in groups) - len(gone)
    if output.as_json:
        names = [path.name for path in gone]
        output.json({"success": True, "dry_run": options.dry_run, "removed": names, "kept": kept})
        return 0
    output.lines(f"{'would remove' if options.dry_run else 'removed'} {door(path.name)}" for path in gone)
    what = "nothing to remove" if not gone else f"{len(gone)} removed" if not options.dry_run else f"{len(gone)} to go"
    output.lines([f"{what}; {kept} stay, one of each content at least"])
    return 0


def _diff(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    one = keeping.find(workspace, options.backup)
    then = keeping.document_of(workspace, one)
    if options.other is None:
        name, other = one.of.name, workspace.documents()[then.target]
    else:
        second = keeping.find(workspace, options.other)
        name, other = second.path.name, keeping.document_of(workspace, second)
    _say_difference(output, one.path.name, name, then, other)
    return 0


def _say_difference(output: Output, one: str, other: str, before: Document, after: Document) -> None:
    same = before.data == after.data
    changes = () if same else keeping.compare(before, after)
    if output.as_json:
        entries = [{"kind": c.kind, "before": c.before, "after": c.after} for c in changes if c.kind != "same"]
        output.json({"from": one, "to": other, "identical": same, "summary": summary(changes), "entries": entries})
        return
    output.lines([f"{door(one)} → {door(other)}: {_words(same, changes)}", *_entries(changes)])


def _words(same: bool, changes: Sequence[EntryChange]) -> str:
    return "identical" if same else summary(changes) or "only the layout differs"


def _entries(changes: Sequence[EntryChange]) -> list[str]:
    lines = []
    for one in changes:
        if one.kind == "edited":
            lines += [f"  ~ {one_line(one.before or '')}", f"  → {one_line(one.after or '')}"]
        elif one.kind != "same":
            lines.append(f"  {_SIGNS[one.kind]} {one_line(one.after or one.before or '')}")
    return lines


def _restore(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    one = keeping.find(workspace, options.backup)
    now, then = workspace.documents()[str(workspace.memory.target(one.of))], keeping.document_of(workspace, one)
    try:
        changes = keeping.compare(now, then)
    except WorkbenchError:
        changes = ()  # bytes that are no text can be put back all the same: that is what a backup is for
    change = None
    if not options.dry_run:
        change = keeping.restore(workspace, one, follow_link="--follow-link" in accepted(options))
    if output.as_json:
        data = {"success": True, "dry_run": options.dry_run, "change": change, "summary": summary(changes)}
        output.json({**data, "file": one.of.name, "backup": one.path.name})
        return 0
    if options.dry_run:
        said = f"would give {one.of.name} the bytes of {one.path.name}"
    elif change is None:
        said = f"{one.of.name} held that already; nothing was written"
    else:
        said = f"restored {one.of.name} from {one.path.name} (exact bytes); this is change {change}"
    output.lines([door(said), *_entries(changes)])
    return 0
