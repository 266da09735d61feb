"""The keys of what keeps a home in order: alerts, putting right, backups, forgetting; part of `actions`."""

from __future__ import annotations

from workbench.tui.action import Action, help_of


def _moves(scope: str, what: str) -> tuple[Action, ...]:
    """The keys that move in a list and scroll what is beside it."""
    return (
        Action("down", scope, ("j", "down"), "down", f"Next {what}, or a line down", "move"),
        Action("up", scope, ("k", "up"), "up", f"Previous {what}, or a line up", "move"),
        Action("top", scope, ("g", "home"), "top", "To the beginning", "move"),
        Action("bottom", scope, ("G", "end"), "bottom", "To the end", "move"),
        Action("half_down", scope, ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
        Action("half_up", scope, ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    )


_ALERTS = (
    Action("open", "alerts", ("enter",), "open", "Go to the place: the entry, the file, the waiting write", "entry", 2),
    Action("accept", "alerts", ("a",), "fix", "Take the fix that is proposed; it is shown first", "entry", 3),
    Action("dismiss", "alerts", ("r",), "dismiss", "Set it aside until what it is about changes", "entry", 4),
    Action("snooze", "alerts", ("w",), "snooze", "Set it aside for some time", "entry", 5),
    Action("forget", "alerts", ("D",), "forget", "Take the text out of everything, for good", "entry", 9, True),
    Action("view", "alerts", ("o",), "all", "What is open, or also what was set aside", "look", 6),
    Action("reveal", "alerts", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 11),
    Action("copy", "alerts", ("y",), "copy command", "Copy the command that does it without the screen", "copy", 10),
    Action("backups", "alerts", ("B",), "backups", "The backups of both files: compare, restore, clear", "look", 12),
    Action("pane", "alerts", ("tab",), "pane", "Go to the list, or to what is said of it", "view", 7),
    Action("pane_back", "alerts", ("shift+tab",), "pane", "Go to the list, or to what is said of it", "view"),
    *_moves("alerts", "alert"),
    Action("back", "alerts", ("escape",), "back", "One level back; never quits", "move"),
)

_SNOOZE = (
    Action("hour", "snooze", ("1",), "1 hour", "Until in an hour", "dialog", 3),
    Action("day", "snooze", ("2", "w", "enter"), "1 day", "Until tomorrow at this time", "dialog", 1),
    Action("week", "snooze", ("3",), "1 week", "For a week", "dialog", 4),
    Action("month", "snooze", ("4",), "30 days", "For thirty days", "dialog", 5),
    Action("close", "snooze", ("escape",), "no", "Leave it open", "leave", 2),
)

_DRIFT = (
    Action("accept", "drift", ("a",), "do it", "Put the file right the way under the cursor; one change", "entry", 2),
    Action("open", "drift", ("enter",), "open", "Cuts by key, entry by entry, or read the difference", "look", 3),
    Action("view", "drift", ("o",), "bytes", "What becomes of the entries, or of the bytes", "look", 4),
    Action("layout", "drift", ("O",), "layout", "Difference side by side, or one line below the other", "look", 10),
    Action("next_hunk", "drift", ("right_square_bracket", "full_stop"), "next", "Next change", "look", 8),
    Action("previous_hunk", "drift", ("left_square_bracket", "comma"), "previous", "Previous change", "look", 9),
    Action("reveal", "drift", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 7),
    Action("backups", "drift", ("B",), "backups", "The backups of this file", "look", 6),
    Action("pane", "drift", ("tab",), "pane", "Go to the list, or to the difference", "view", 5),
    Action("pane_back", "drift", ("shift+tab",), "pane", "Go to the list, or to the difference", "view"),
    *_moves("drift", "row"),
    help_of("drift"),
    Action("close", "drift", ("escape",), "leave", "Leave; the file stays as it is", "leave", 1),
)

_CHOOSING = (
    Action("save", "choosing", ("ctrl+s",), "save", "Make the file of the marked entries; one change", "entry", 1),
    Action("mark", "choosing", ("space",), "take", "Take this entry, or leave it out", "mark", 3),
    Action("all", "choosing", ("asterisk",), "all", "Take all, or none", "mark", 5),
    Action(
        "view", "choosing", ("o",), "version", "Take what the next version has: on disk now, last good …", "mark", 4
    ),
    Action("reveal", "choosing", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 6),
    *_moves("choosing", "entry"),
    help_of("choosing"),
    Action("close", "choosing", ("escape",), "leave", "Leave; the file stays as it is", "leave", 2),
)

_BACKUPS = (
    Action("restore", "backups", ("less_than_sign",), "restore", "Give the file the bytes of this", "entry", 2, True),
    Action(
        "delete", "backups", ("d",), "clear", "Remove the other copies of this content; one stays", "entry", 7, True
    ),
    Action("delete_all", "backups", ("D",), "clear all", "Of every content keep only the newest", "entry", 8, True),
    Action("open", "backups", ("enter",), "open", "Read the difference", "look", 3),
    Action("mark", "backups", ("space",), "mark", "Mark two: their difference is shown", "mark", 4),
    Action("layout", "backups", ("O",), "layout", "Side by side, or one line below the other", "look", 11),
    Action("next_hunk", "backups", ("right_square_bracket", "full_stop"), "next", "Next entry", "look", 9),
    Action("previous_hunk", "backups", ("left_square_bracket", "comma"), "previous", "Previous entry", "look", 10),
    Action("reveal", "backups", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 6),
    Action("pane", "backups", ("tab",), "pane", "Go to the list, or to the difference", "view", 5),
    Action("pane_back", "backups", ("shift+tab",), "pane", "Go to the list, or to the difference", "view"),
    *_moves("backups", "backup"),
    help_of("backups"),
    Action("close", "backups", ("escape",), "back", "One level back", "leave", 1),
)

_FORGET = (
    Action("confirm", "forget", ("enter",), "forget it", "Do it, once the word is typed", "dialog", 1),
    Action("down", "forget", ("down", "pagedown"), "down", "Scroll down", "move"),
    Action("up", "forget", ("up", "pageup"), "up", "Scroll up", "move"),
    Action("close", "forget", ("escape",), "leave", "Leave; what is done stays done", "leave", 2),
)

KEEPING = (*_ALERTS, *_SNOOZE, *_DRIFT, *_CHOOSING, *_BACKUPS, *_FORGET)
