"""`workbench alerts`: everything that needs a human, worst first, and setting it aside."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from workbench.cli.output import Output, door, one_line
from workbench.errors import Usage
from workbench.workspace import Workspace
from workbench.workspace.alerting import Listed, named, seconds_of


def alerts(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench alerts`: exit 0 when nothing is open, 1 when something is; setting aside exits 0."""
    if options.length is not None and options.snooze is None:
        raise Usage("--for says how long to --snooze an alert; name the alert.")
    if options.dismiss or options.snooze or options.again:
        return _set_aside(workspace, options, output)
    found = workspace.alerts(everything=options.all)
    if output.as_json:
        output.json({"alerts": [one.as_json() for one in found]})
    else:
        output.lines(line for one in found for line in _lines(one))
        if not found:
            output.lines(["nothing needs you"])
    return int(any(one.state == "open" for one in found))


def _set_aside(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    found = workspace.alerts(everything=True)
    alert = named(found, options.dismiss or options.snooze or options.again)
    until: float | None = None
    if options.again:
        state = "open"
        workspace.take_up(alert)
    elif options.snooze:
        state, until = "snoozed", workspace.clock() + seconds_of(options.length or "1d")
        workspace.set_aside(alert, until)
    else:
        state = "dismissed"
        workspace.set_aside(alert)
    if output.as_json:
        output.json({"success": True, "alert": Listed(alert, state, until).as_json()})
    else:
        output.lines([f"{_said(state, until)}: {door(alert.message)}"])
    return 0


def _said(state: str, until: float | None) -> str:
    if state == "dismissed":
        return "dismissed, until the text changes"
    return f"snoozed until {_when(until)}" if until is not None else "shown again"


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _lines(one: Listed) -> Iterator[str]:
    alert = one.alert
    state = "" if one.state == "open" else f" ({_said(one.state, one.until)})"
    entry = f" {one_line(alert.entry, 40)}" if alert.entry else ""
    yield f"{alert.severity:<9} {alert.id}  {one_line(alert.where)}{entry}{state}"
    yield f"    {door(alert.message)}"
    if alert.text:
        yield f"    “{one_line(alert.text, 80)}”"
    if alert.why:
        yield f"    {one_line(alert.why, 300)}"
    yield f"    The agent: {one_line(alert.agent, 300)}"
    for action in alert.actions:
        if action.command:
            yield f"    {action.id}: {one_line(action.command, 200)}"
