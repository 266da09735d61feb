"""`workbench forget`: where a text lives, taking it out of what is ours for good, and what stays with whom."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict

from workbench.cli.output import Output, door, read_text
from workbench.errors import NeedsConfirmation
from workbench.workspace import Workspace, forgetting
from workbench.workspace.forgetting import FLAG, WORD, Gone, Place, Traces

_WORDS = {
    "entry": "entry, removed whole",
    "pending": "waiting record, refused",
    "backup": "backup, removed",
    "history": "versions and change sets, forgotten",
    "kept": "file of ours, removed",
}


def forget(workspace: Workspace, options: argparse.Namespace, output: Output) -> int:
    """`workbench forget ENTRY [--dry-run] [--yes-forget]`: exit 1 when something of ours is left."""
    text = forgetting.text_of(workspace, read_text(options.entry))
    found = forgetting.traces(workspace, text)
    if options.dry_run or not (found.places or options.yes_forget):
        _say(output, found, None)
        return 0
    if not options.yes_forget:
        _ask(found, output)
    gone = forgetting.forget(workspace, found)
    _say(output, found, gone)
    return 0 if gone.complete else 1


def _ask(found: Traces, output: Output) -> None:
    """Show what is at stake and wait for the typed word. Raises NeedsConfirmation when nobody can type or does not."""
    what = "This cannot be undone: every version and backup with the text goes, with all else that they hold."
    if output.as_json or sys.stdin is None or not sys.stdin.isatty():
        raise NeedsConfirmation(what, FLAG)
    _say(output, found, None)
    sys.stdout.write(f"{what}\nType {WORD} to go on: ")
    sys.stdout.flush()
    if sys.stdin.readline().strip() != WORD:
        raise NeedsConfirmation("Nothing was forgotten.", FLAG)


def _say(output: Output, found: Traces, gone: Gone | None) -> None:
    mine = [place for place in found.places if place.ours]
    stays = list(found.stays) if gone is None else list(gone.left)
    if output.as_json:
        # The text itself is not repeated: it may be a credential, and output ends up in logs.
        output.json(
            {
                "success": gone is None or gone.complete,
                "done": gone is not None,
                "chars": len(found.text),
                "places": [asdict(place) for place in mine],
                "stays": [asdict(place) for place in stays],
            }
        )
        return
    if not found.places:
        output.lines(["the text is nowhere to be found in this home"])
        return
    verb = "found" if gone is None else "forgotten"
    output.lines(f"{verb}  {_line(place)}" for place in mine)
    output.lines(_stays(stays))
    if gone is not None:
        rest = "" if gone.complete else ", except for what is listed above; repeat it once nothing else is open"
        output.lines([f"no byte of it is left in what is ours{rest}"])


def _line(place: Place) -> str:
    times = f" ×{place.count}" if place.count > 1 else ""
    return f"{door(place.where)}{times} ({_WORDS.get(place.kind, place.kind)})"


def _stays(places: Sequence[Place]) -> list[str]:
    return [f"stays  {door(place.where)} · {door(place.how)}" for place in places]
