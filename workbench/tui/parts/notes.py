"""What a pane says about its store when there is something to say: what, why, and the key or command that helps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.errors import Unreadable
from workbench.memory import FILE_NAMES, Document
from workbench.tui.keymap import shown
from workbench.tui.parts.lines import WARN_AT
from workbench.tui.screen_text import safe

_PURPOSE = {
    "memory": "Here stand the agent's own notes: projects, tools, what it learned.",
    "user": "Here stands what the agent knows of you: name, time zone, preferences.",
}
_SWITCH = {"memory": "memory.memory_enabled", "user": "memory.user_profile_enabled"}


@dataclass(frozen=True)
class Note:
    """`tone` is quiet, warning or error; `help` is the second line."""

    tone: str
    text: str
    help: str = ""


def note_for(document: Document, *, enabled: bool, read_only: bool, good: int = 0) -> Note | None:
    """The one thing to say about a store, the gravest first; None when it is simply fine.

    `good` is how many entries the last version had, for a store that has none.
    """
    state, target = document.state, document.target
    name = FILE_NAMES[target]
    adding = "read-only: nothing can be added now." if read_only else f"{shown('memory.new')} writes the first entry."
    if state == "unreadable":
        sentence = str(Unreadable(Path(name), document.error, document.error_offset))
        return Note("error", safe(sentence), f"{shown('memory.normalise')} shows where, and puts it right.")
    if state == "lossy":
        longest = max(entry.chars for entry in document.entries)
        text = f"One entry has {longest:,} characters, more than the whole limit of {document.limit:,}."
        return Note(
            "error",
            text,
            (
                f"The agent cannot edit this file. {shown('memory.split')} splits the entry, "
                f"{shown('memory.edit')} shortens it, {shown('memory.normalise')} shows all ways."
            ),
        )
    if good and not document.entries:
        return _lost(document, good, read_only=read_only)
    if not enabled:
        return Note(
            "warning", "Switched off: the agent neither reads nor writes it.", f"config.yaml: {_SWITCH[target]}"
        )
    room = f"{shown('memory.room')} makes room"
    if state == "over":
        return Note(
            "quiet",
            f"{room}; deleting ({shown('memory.delete')}) and shortening ({shown('memory.edit')}) always work.",
        )
    if state == "missing":
        return Note("quiet", f"There is no {name} yet. {_PURPOSE[target]}", f"The agent creates it; or {adding}")
    if not document.entries:
        return Note("quiet", f"Nothing in {name}. {_PURPOSE[target]}", f"The agent fills it; or {adding}")
    if state == "cosmetic":
        return _layout(document)
    return Note("quiet", f"{room}.") if document.percent >= WARN_AT else None


def _lost(document: Document, good: int, *, read_only: bool) -> Note:
    name = FILE_NAMES[document.target]
    held = f"{good} entr{'y' if good == 1 else 'ies'}"
    gone = document.data is None
    text = f"{name} is {'gone' if gone else 'empty'}; it held {held}."
    key = shown("memory.normalise")
    if read_only:
        return Note("warning", text, "read-only: it is not put back from here.")
    return Note("warning", text, f"{key} puts it back." if gone else f"{key} shows what it held, and puts it back.")


def _layout(document: Document) -> Note:
    refusing = [client for client, verbs in document.refused_by.items() if verbs]
    text = "The layout differs from the agent's own; no entry is affected."
    if refusing:
        text = f"Stray blanks or line ends: agent {', '.join(refusing)} refuses to edit this file."
    return Note(
        "warning" if refusing else "quiet", text, f"{shown('memory.normalise')} shows what tidying it would change."
    )
