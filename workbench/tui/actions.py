"""Every key of the full screen, once: bindings, footer, help and the key tables are made from this registry.

One key is one verb everywhere; a capital is the stronger or wider form. Whether an action is possible now is the
screen's to say (`why_disabled`); what it does is a method `do_<id>` of the screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Action:
    """One verb. `scope` is the screen it belongs to, or `app`.

    `keys` are Textual's names, the first one is shown. `rank` orders the footer: the lowest stay longest when it is
    narrow, 0 keeps the action out of it (it is in the help all the same). `destructive` actions ask first.
    """

    id: str
    scope: str
    keys: tuple[str, ...]
    label: str
    tooltip: str
    group: str
    rank: int = 0
    destructive: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """One of the areas, with its fixed number; only those with a screen are listed."""

    id: str
    number: int
    label: str


AREAS = (Area("memory", 1, "Memory"),)

_MEMORY = (
    Action("new", "memory", ("i",), "new", "Write a new entry at the end of this store", "entry", 2),
    Action("edit", "memory", ("e",), "edit", "Change the entry, with the result in sight", "entry", 3),
    Action("delete", "memory", ("d",), "delete", "Take the entry, or the marked ones, away", "entry", 4, True),
    Action("undo", "memory", ("u",), "undo", "Take the newest change back, after a restart too", "history", 5, True),
    Action("redo", "memory", ("U",), "redo", "Repeat what was taken back last", "history", 10, True),
    Action("open", "memory", ("enter",), "open", "Show the whole entry and what is known about it", "look", 6),
    Action("find", "memory", ("slash",), "find", "Find text in this store", "look", 7),
    Action("next", "memory", ("n",), "next", "Go to the next match", "look", 13),
    Action("previous", "memory", ("N",), "previous", "Go to the previous match", "look", 14),
    Action("reveal", "memory", ("exclamation_mark",), "reveal", "Show or mask the entry's credentials", "look", 15),
    Action("mark", "memory", ("space",), "mark", "Mark the entry, for what acts on several", "mark", 9),
    Action("range", "memory", ("v",), "range", "Mark every entry the cursor passes; again to stop", "mark", 16),
    Action("all", "memory", ("asterisk",), "all", "Mark all entries of this store, or none", "mark", 17),
    Action("copy", "memory", ("y",), "copy", "Copy the entry's exact text", "copy", 11),
    Action("copy_id", "memory", ("Y",), "copy id", "Copy the entry's id, as the headless verbs take it", "copy", 18),
    Action("pane", "memory", ("tab",), "pane", "Go to the other store", "view", 8),
    Action("pane_back", "memory", ("shift+tab",), "pane", "Go to the other store", "view"),
    Action("zoom", "memory", ("z",), "zoom", "Give this store the whole height, or give it back", "view", 12),
    Action("down", "memory", ("j", "down"), "down", "Next entry", "move"),
    Action("up", "memory", ("k", "up"), "up", "Previous entry", "move"),
    Action("top", "memory", ("g", "home"), "top", "First entry", "move"),
    Action("bottom", "memory", ("G", "end"), "bottom", "Last entry", "move"),
    Action("half_down", "memory", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "memory", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("back", "memory", ("escape",), "back", "One level back: range, marks, find, zoom; never quits", "move"),
)

_ENTRY = (
    Action("edit", "entry", ("e",), "edit", "Change the entry", "entry", 2),
    Action("delete", "entry", ("d",), "delete", "Take the entry away", "entry", 3, True),
    Action("copy", "entry", ("y",), "copy", "Copy the exact text", "copy", 5),
    Action("copy_id", "entry", ("Y",), "copy id", "Copy the id", "copy", 7),
    Action("reveal", "entry", ("exclamation_mark",), "reveal", "Show or mask its credentials", "copy", 6),
    Action("down", "entry", ("j", "down"), "down", "Scroll down", "move"),
    Action("up", "entry", ("k", "up"), "up", "Scroll up", "move"),
    Action("top", "entry", ("g", "home"), "top", "To the beginning", "move"),
    Action("bottom", "entry", ("G", "end"), "bottom", "To the end", "move"),
    Action("half_down", "entry", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "entry", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("close", "entry", ("escape", "enter"), "back", "Back to the list", "leave", 1),
)

_EDITOR = (
    Action("save", "editor", ("ctrl+s",), "save", "Save what the last line announces", "entry", 1),
    Action("close", "editor", ("escape",), "leave", "Leave; asks when something is unsaved", "leave", 2),
)

_FIND = (
    Action("keep", "find", ("enter",), "keep", "Go on with n and N", "find", 1),
    Action("close", "find", ("escape",), "stop", "Stop finding", "find", 2),
)

_DIALOGS = (
    Action("confirm", "confirm", ("enter",), "yes", "Do it", "dialog", 1),
    Action("close", "confirm", ("escape",), "no", "Leave everything as it is", "dialog", 2),
    Action("confirm", "typed", ("enter",), "do it", "Do it, once the word is typed", "dialog", 1),
    Action("close", "typed", ("escape",), "no", "Leave everything as it is", "dialog", 2),
    Action("copy", "error", ("y",), "copy", "Copy the whole message", "dialog", 2),
    Action("close", "error", ("escape", "enter"), "close", "Close", "dialog", 1),
    Action("as_new", "conflict", ("i",), "keep mine as new", "Add your text as a new entry", "mine", 1),
    Action("over", "conflict", ("o",), "put mine over theirs", "Replace their text by yours", "mine", 3, True),
    Action("take", "conflict", ("r",), "take theirs", "Drop your text and show the store as it is", "theirs", 2),
    Action("copy", "conflict", ("y",), "copy mine", "Copy your text", "mine", 5),
    Action("show_yours", "conflict", ("1",), "yours", "Show the text you were about to save", "view"),
    Action("show_theirs", "conflict", ("2",), "theirs", "Show what the store holds now", "view"),
    Action("show_before", "conflict", ("3",), "before", "Show the entry as you saw it", "view"),
    Action("close", "conflict", ("escape",), "back", "Back, with your text kept", "leave", 4),
    Action("close", "help", ("escape", "question_mark", "f1", "enter", "q"), "close", "Close this help", "leave", 1),
    Action("down", "help", ("j", "down", "pagedown"), "down", "Scroll down", "move"),
    Action("up", "help", ("k", "up", "pageup"), "up", "Scroll up", "move"),
)

_APP = (
    *(
        Action(f"area_{area.id}", "app", (str(area.number),), area.label, f"Go to {area.label}", "areas")
        for area in AREAS
    ),
    Action("quit", "app", ("q",), "quit", "Leave the workbench; asks when something is unsaved", "leave", 19),
    Action("help", "app", ("question_mark", "f1"), "more", "All keys of this screen", "leave", 1),
)

ACTIONS: tuple[Action, ...] = (*_MEMORY, *_ENTRY, *_EDITOR, *_FIND, *_DIALOGS, *_APP)

_NAMES = {
    "question_mark": "?",
    "exclamation_mark": "!",
    "slash": "/",
    "asterisk": "*",
    "escape": "esc",
    "shift+tab": "S-tab",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "down": "↓",
    "up": "↑",
    "f1": "F1",
}


def of_scopes(*scopes: str) -> tuple[Action, ...]:
    """The actions of these scopes, in the order of the registry."""
    return tuple(action for action in ACTIONS if action.scope in scopes)


def bindings(*scopes: str) -> list[Binding]:
    """Textual bindings for a screen: all lead to `action_run`, which asks `why_disabled` first."""
    return [
        Binding(key, f"run('{action.id}')", action.label, show=False, tooltip=action.tooltip)
        for action in of_scopes(*scopes)
        for key in action.keys
    ]


def key_name(key: str) -> str:
    """A key as people read it."""
    return _NAMES.get(key, key)


def clashes(actions: Iterable[Action] = ACTIONS) -> tuple[str, ...]:
    """Keys that two actions of one screen claim; empty in a sound registry."""
    seen: dict[tuple[str, str], str] = {}
    found = []
    for action in actions:
        for key in action.keys:
            first = seen.setdefault((action.scope, key), action.id)
            if first != action.id:
                found.append(f"{action.scope}: {key} is {first} and {action.id}")
    return tuple(found)
