"""Verbs about what has been: history, undo, redo, restore."""

from __future__ import annotations

import argparse
import time
from typing import Any

from workbench.cli.output import Output, accepted, door, one_line
from workbench.history import ChangeSet
from workbench.memory import TakenBack
from workbench.workspace import Workspace

_SIGNS = {"added": "+", "removed": "−", "edited": "~", "moved": "↕"}


def history(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench history [CHANGE] [--versions]`."""
    workspace.observe()
    if options.change is not None:
        return _one_change(workspace, workspace.past.change(options.change), output)
    if options.versions:
        return _versions(workspace, output)
    changes = workspace.past.changes(options.limit, everything=options.all)
    if output.as_json:
        output.json({"changes": [_change_json(workspace, change) for change in changes]})
        return 0
    if not changes:
        output.lines(["nothing recorded yet; the history begins with the first change or sight of a memory file"])
    output.lines(_change_line(workspace, change) for change in changes)
    return 0


def _versions(workspace: Workspace, output: Output) -> int:
    versions = workspace.past.versions()
    if output.as_json:
        keys = ("sha256", "path", "at", "actor", "size", "change")
        output.json({"versions": [{key: getattr(version, key) for key in keys} for version in versions]})
        return 0
    output.lines(
        f"{version.sha256[:12]}  {_when(version.at)}  {door(version.path):<20} {version.size:>7,} bytes"
        f"  {version.actor}, change {version.change}"
        for version in versions
    )
    if not versions:
        output.lines(["no versions recorded yet"])
    return 0


def _one_change(workspace: Workspace, change: ChangeSet, output: Output) -> int:
    differences = workspace.differences(change)
    if output.as_json:
        entries = {
            path: [{"kind": c.kind, "before": c.before, "after": c.after, "ratio": round(c.ratio, 3)} for c in changes]
            for path, changes in differences.items()
        }
        output.json({**_change_json(workspace, change), "entries": entries})
        return 0
    lines = [_change_line(workspace, change)]
    for path, changes in differences.items():
        lines.append(f"  {door(path)}")
        for one in changes:
            if one.kind == "edited":
                lines += [f"    ~ {one_line(one.before or '')}", f"    → {one_line(one.after or '')}"]
            elif one.kind != "same":
                lines.append(f"    {_SIGNS[one.kind]} {one_line(one.after or one.before or '')}")
    output.lines(lines)
    return 0


def _change_json(workspace: Workspace, change: ChangeSet) -> dict[str, Any]:
    keys = ("id", "at", "actor", "hint", "kind", "label", "about")
    return {
        **{key: getattr(change, key) for key in keys},
        "summary": workspace.summary(change),
        "files": [
            {"path": file.path, "before": file.before, "after": file.after, "state": file.state}
            for file in change.files
        ],
    }


def _change_line(workspace: Workspace, change: ChangeSet) -> str:
    whose = door(change.actor + (f" ({change.hint})" if change.hint else ""))
    lost = "" if change.landed else " · never reached the disk"
    lost += " · what it held was forgotten" if change.forgotten else ""
    return f"{change.id:>4}  {_when(change.at)}  {whose:<24} {workspace.summary(change):<10} {door(change.label)}{lost}"


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def undo(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench undo [CHANGE]`."""
    return _say("took back", workspace.undo(options.change, accept=accepted(options)), output)


def redo(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench redo`."""
    return _say("repeated", workspace.redo(accept=accepted(options)), output)


def restore(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench restore VERSION [TARGET]`."""
    return _say("restored", workspace.restore(options.version, options.target, accept=accepted(options)), output)


def _say(verb: str, taken: TakenBack, output: Output) -> int:
    if output.as_json:
        about = None if taken.about is None else taken.about.id
        output.json(
            {"success": True, "about": about, "change": taken.change, "exact": taken.exact, "files": list(taken.files)}
        )
        return 0
    what = f" change {taken.about.id}, “{door(taken.about.label)}”," if taken.about else ""
    how = "exact bytes" if taken.exact else "entry by entry, the file had moved on"
    if taken.change is None:
        output.lines([f"{', '.join(taken.files)} held that already; nothing was written"])
    else:
        output.lines([f"{verb}{what} in {', '.join(taken.files)} ({how}); this is change {taken.change}"])
    return 0
