"""Every key of the full screen, once: bindings, footer, help and the key tables are made from this registry.

One key is one verb everywhere; a capital is the stronger or wider form. Whether an action is possible now is the
screen's to say (`why_disabled`); what it does is a method `do_<id>` of the screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from workbench.tui.action import Action, Area, help_of
from workbench.tui.keeping_actions import KEEPING
from workbench.tui.room_actions import ROOM

if TYPE_CHECKING:
    from textual.binding import Binding

__all__ = ["ACTIONS", "AREAS", "Action", "Area", "bindings", "clashes", "key_name", "of_scopes"]

AREAS = (
    Area("memory", 1, "Memory"),
    Area("inbox", 2, "Inbox"),
    Area("sessions", 3, "Sessions"),
    Area("alerts", 4, "Alerts"),
    Area("prompt", 5, "Prompt"),
    Area("history", 6, "History"),
)

_MEMORY = (
    Action("new", "memory", ("i",), "new", "Write a new entry at the end of this store", "entry", 2),
    Action("edit", "memory", ("e",), "edit", "Change the entry, with the result in sight", "entry", 3),
    Action("delete", "memory", ("d",), "delete", "Take the entry, or the marked ones, away", "entry", 4, True),
    Action("merge", "memory", ("m",), "merge", "Make one entry of the marked ones, in the editor", "entry", 13),
    Action("split", "memory", ("s",), "split", "Cut the entry into several", "entry", 10),
    Action(
        "move", "memory", ("greater_than_sign",), "move", "Take it, or the marked ones, to the other store", "entry", 12
    ),
    Action("edit_outside", "memory", ("E",), "$EDITOR", "Change the entry in your own editor", "entry"),
    Action("place_up", "memory", ("left_curly_bracket",), "up", "Move the entry one place up", "entry"),
    Action("place_down", "memory", ("right_curly_bracket",), "down", "Move the entry one place down", "entry"),
    Action(
        "normalise", "memory", ("equals_sign",), "put right", "See what is wrong with this file, and put it right",
        "entry", 22,
    ),
    Action(
        "forget", "memory", ("D",), "forget", "Take the entry's text out of everything, for good", "entry", 0, True
    ),
    Action("undo", "memory", ("u",), "undo", "Take the newest change back, after a restart too", "history", 5, True),
    Action("redo", "memory", ("U",), "redo", "Repeat what was taken back last", "history", 14, True),
    Action("backups", "memory", ("B",), "backups", "The backups of both files: compare, restore, clear", "history", 23),
    Action("open", "memory", ("enter",), "open", "Show the whole entry and what is known about it", "look", 6),
    Action("find", "memory", ("slash",), "find", "Find text in this store", "look", 7),
    Action("next", "memory", ("n",), "next", "Go to the next match", "look", 17),
    Action("previous", "memory", ("N",), "previous", "Go to the previous match", "look", 18),
    Action("reveal", "memory", ("exclamation_mark",), "reveal", "Show or mask the entry's credentials", "look", 19),
    Action("mark", "memory", ("space",), "mark", "Mark the entry, for what acts on several", "mark", 11),
    Action("range", "memory", ("v",), "range", "Mark every entry the cursor passes; again to stop", "mark", 20),
    Action("all", "memory", ("asterisk",), "all", "Mark all entries of this store, or none", "mark", 21),
    Action("copy", "memory", ("y",), "copy", "Copy the entry's exact text", "copy", 15),
    Action("copy_id", "memory", ("Y",), "copy id", "Copy the entry's id, as the headless verbs take it", "copy", 24),
    Action("sessions", "memory", ("S",), "sessions", "Look for where it was talked about", "look", 27),
    Action("room", "memory", ("c",), "room", "Suggestions that free characters, and what vanished", "room", 9),
    Action("draft", "memory", ("b",), "draft", "Start a draft, or leave it: changes are collected first", "room", 25),
    Action("apply", "memory", ("ctrl+s",), "apply draft", "Write all steps of the draft as one change", "room", 26),
    Action("pane", "memory", ("tab",), "pane", "Go to the other store", "view", 8),
    Action("pane_back", "memory", ("shift+tab",), "pane", "Go to the other store", "view"),
    Action("zoom", "memory", ("z",), "zoom", "Give this store the whole height, or give it back", "view", 16),
    Action("down", "memory", ("j", "down"), "down", "Next entry", "move"),
    Action("up", "memory", ("k", "up"), "up", "Previous entry", "move"),
    Action("top", "memory", ("g", "home"), "top", "First entry", "move"),
    Action("bottom", "memory", ("G", "end"), "bottom", "Last entry", "move"),
    Action("half_down", "memory", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "memory", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("back", "memory", ("escape",), "back", "One level back: range, marks, find, zoom; never quits", "move"),
)  # fmt: skip

_INBOX = (
    Action(
        "accept", "inbox", ("a",), "accept", "Do what the record proposes, or its marked operations", "decide", 2, True
    ),
    Action(
        "accept_all",
        "inbox",
        ("A",),
        "all ready",
        "Accept all that are ready, or the marked ones that are; shown first",
        "decide",
        5,
        True,
    ),
    Action("refuse", "inbox", ("r",), "refuse", "Take the record away; nothing of it is done", "decide", 3, True),
    Action(
        "refuse_marked",
        "inbox",
        ("R",),
        "with reason",
        "Refuse what is marked, or this one, with a reason",
        "decide",
        10,
        True,
    ),
    Action("edit", "inbox", ("e",), "edit", "Change the proposed text, then accept it", "decide", 4, True),
    Action(
        "edit_outside",
        "inbox",
        ("E",),
        "$EDITOR",
        "Change the proposed text in your own editor, then accept it",
        "decide",
    ),
    Action(
        "retarget",
        "inbox",
        ("greater_than_sign",),
        "retarget",
        "Aim the record at another entry; it goes on waiting",
        "decide",
        11,
        True,
    ),
    Action(
        "undo",
        "inbox",
        ("u",),
        "undo",
        "Take the newest change back; a decision's record waits again",
        "history",
        6,
        True,
    ),
    Action("redo", "inbox", ("U",), "redo", "Repeat what was taken back last", "history", 14, True),
    Action("open", "inbox", ("enter",), "open", "Read the preview", "look", 7),
    Action("view", "inbox", ("o",), "view", "The preview, its operations, or the record as it lies on disk", "look", 8),
    Action("layout", "inbox", ("O",), "layout", "Difference side by side, or one line below the other", "look", 20),
    Action("find", "inbox", ("slash",), "find", "Find text in the queue", "look", 13),
    Action("next", "inbox", ("n",), "next", "Go to the next match", "look", 23),
    Action("previous", "inbox", ("N",), "previous", "Go to the previous match", "look", 24),
    Action(
        "next_hunk",
        "inbox",
        ("right_square_bracket", "full_stop"),
        "next change",
        "Next change of the difference",
        "look",
        21,
    ),
    Action(
        "previous_hunk",
        "inbox",
        ("left_square_bracket", "comma"),
        "previous",
        "Previous change of the difference",
        "look",
        22,
    ),
    Action("reveal", "inbox", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 18),
    Action("mark", "inbox", ("space",), "mark", "Mark the record, or in the operations the operation", "mark", 12),
    Action("range", "inbox", ("v",), "range", "Mark all that the cursor passes; again to stop", "mark", 17),
    Action("all", "inbox", ("asterisk",), "all", "Mark all, or none", "mark", 19),
    Action("sessions", "inbox", ("S",), "sessions", "Look for where it was talked about", "look", 27),
    Action("copy", "inbox", ("y",), "copy", "Copy the proposed text", "copy", 15),
    Action("copy_id", "inbox", ("Y",), "copy id", "Copy the record's name, as the headless verbs take it", "copy", 25),
    Action("gate", "inbox", ("W",), "ask first", "Whether the agent asks before it writes memory or skills", "view", 9),
    Action("pane", "inbox", ("tab",), "pane", "Go to the queue, or to the preview", "view", 16),
    Action("pane_back", "inbox", ("shift+tab",), "pane", "Go to the queue, or to the preview", "view"),
    Action("zoom", "inbox", ("z",), "zoom", "Give the preview the whole screen, or give it back", "view", 26),
    Action("down", "inbox", ("j", "down"), "down", "Next record", "move"),
    Action("up", "inbox", ("k", "up"), "up", "Previous record", "move"),
    Action("top", "inbox", ("g", "home"), "top", "First record", "move"),
    Action("bottom", "inbox", ("G", "end"), "bottom", "Last record", "move"),
    Action("half_down", "inbox", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "inbox", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action(
        "back", "inbox", ("escape",), "back", "One level back: find, zoom, preview, marks, view; never quits", "move"
    ),
)

_INBOX_OVER = (
    Action("confirm", "all_ready", ("enter",), "accept them", "Accept what is ready, one after the other", "dialog", 1),
    Action(
        "close", "all_ready", ("escape",), "leave", "Leave; while it runs, stop after the record at hand", "dialog", 2
    ),
    Action("down", "all_ready", ("j", "down"), "down", "Next record", "move", 3),
    Action("up", "all_ready", ("k", "up"), "up", "Previous record", "move", 4),
    Action("half_down", "all_ready", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "all_ready", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("confirm", "pick", ("enter",), "this one", "Take the entry under the cursor", "dialog", 1),
    Action("close", "pick", ("escape",), "leave", "Leave everything as it is", "dialog", 2),
    Action("down", "pick", ("j", "down"), "down", "Next entry", "move", 3),
    Action("up", "pick", ("k", "up"), "up", "Previous entry", "move", 4),
    Action("confirm", "reason", ("enter",), "refuse", "Refuse, with what is written here as the reason", "dialog", 1),
    Action("close", "reason", ("escape",), "leave", "Leave everything as it is", "dialog", 2),
    Action("memory", "gate", ("m",), "memory", "Switch asking before memory writes", "dialog", 1),
    Action("skills", "gate", ("s",), "skills", "Switch asking before skill writes", "dialog", 2),
    Action("close", "gate", ("escape",), "leave", "Leave everything as it is", "dialog", 3),
)

_ENTRY = (
    Action("edit", "entry", ("e",), "edit", "Change the entry", "entry", 2),
    Action("delete", "entry", ("d",), "delete", "Take the entry away", "entry", 3, True),
    Action("edit_outside", "entry", ("E",), "$EDITOR", "Change the entry in your own editor", "entry", 8),
    Action("split", "entry", ("s",), "split", "Cut the entry into several", "entry", 4),
    Action("move", "entry", ("greater_than_sign",), "move", "Take it to the other store", "entry", 4),
    Action("copy", "entry", ("y",), "copy", "Copy the exact text", "copy", 5),
    Action("copy_id", "entry", ("Y",), "copy id", "Copy the id", "copy", 7),
    Action("reveal", "entry", ("exclamation_mark",), "reveal", "Show or mask its credentials", "copy", 6),
    Action("down", "entry", ("j", "down"), "down", "Scroll down", "move"),
    Action("up", "entry", ("k", "up"), "up", "Scroll up", "move"),
    Action("top", "entry", ("g", "home"), "top", "To the beginning", "move"),
    Action("bottom", "entry", ("G", "end"), "bottom", "To the end", "move"),
    Action("half_down", "entry", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "entry", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    help_of("entry"),
    Action("close", "entry", ("escape", "enter"), "back", "Back to the list", "leave", 1),
)

_EDITOR = (
    Action("save", "editor", ("ctrl+s",), "save", "Save what the last line announces", "entry", 1),
    Action("close", "editor", ("escape",), "leave", "Leave; asks when something is unsaved", "leave", 2),
)

_SPLIT = (
    Action("save", "split", ("ctrl+s",), "save", "Save the pieces as entries, in place", "entry", 1),
    Action("cut", "split", ("space",), "cut here", "Cut before this line, or join it to what stands above", "cut", 3),
    Action("cut_up", "split", ("left_curly_bracket",), "cut up", "Move the cut above the cursor up a line", "cut", 5),
    Action(
        "cut_down", "split", ("right_curly_bracket",), "cut down", "Move the cut above the cursor down a line", "cut", 6
    ),
    Action("all", "split", ("asterisk",), "every line", "Cut before every line, or nowhere", "cut", 8),
    Action("propose", "split", ("a",), "proposal", "Cut as it was proposed", "cut", 7),
    Action("next", "split", ("right_square_bracket", "full_stop"), "next piece", "Go to the next piece", "move", 9),
    Action("previous", "split", ("left_square_bracket", "comma"), "previous", "Go to the previous piece", "move"),
    Action("down", "split", ("j", "down"), "down", "Next line", "move", 4),
    Action("up", "split", ("k", "up"), "up", "Previous line", "move"),
    Action("top", "split", ("g", "home"), "top", "First line", "move"),
    Action("bottom", "split", ("G", "end"), "bottom", "Last line", "move"),
    Action("half_down", "split", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "split", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    help_of("split"),
    Action("close", "split", ("escape",), "leave", "Leave; nothing is cut", "leave", 2),
)

_FIND = (
    Action("keep", "find", ("enter",), "keep", "Go on with what was found", "find", 1),
    Action("close", "find", ("escape",), "stop", "Stop finding", "find", 2),
)

_PROMPT = (
    Action("open", "prompt", ("enter",), "to the entry", "Go to this entry in the Memory area", "entry", 2),
    Action("view", "prompt", ("o",), "view", "The blocks, or what has changed in them", "look", 3),
    Action("client", "prompt", ("c",), "client", "As another generation of the agent would get it", "look", 4),
    Action("layout", "prompt", ("O",), "layout", "Difference side by side, or one line below the other", "look", 9),
    Action("next_hunk", "prompt", ("right_square_bracket", "full_stop"), "next", "Next change", "look", 7),
    Action("previous_hunk", "prompt", ("left_square_bracket", "comma"), "previous", "Previous change", "look", 8),
    Action("reveal", "prompt", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 6),
    Action("copy", "prompt", ("y",), "copy", "Copy the blocks as the agent gets them", "copy", 5),
    Action("down", "prompt", ("j", "down"), "down", "Next entry", "move"),
    Action("up", "prompt", ("k", "up"), "up", "Previous entry", "move"),
    Action("top", "prompt", ("g", "home"), "top", "To the beginning", "move"),
    Action("bottom", "prompt", ("G", "end"), "bottom", "To the end", "move"),
    Action("half_down", "prompt", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "prompt", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("back", "prompt", ("escape",), "back", "Back to the blocks; never quits", "move"),
)

_HISTORY = (
    Action("open", "history", ("enter",), "open", "Read the difference of this change", "look", 2),
    Action("undo", "history", ("u",), "undo", "Take the newest change back: the one marked u", "history", 4, True),
    Action("redo", "history", ("U",), "redo", "Repeat what was taken back last: the one marked U", "history", 11, True),
    Action("take_back", "history", ("minus",), "take back", "Take this change back alone", "history", 5, True),
    Action(
        "restore", "history", ("less_than_sign",), "restore",
        "In the list: the files as this change left them. In the difference: this one entry", "history", 3, True,
    ),
    Action("view", "history", ("o",), "view", "What it changed, against now, or the whole file", "look", 6),
    Action("layout", "history", ("O",), "layout", "Side by side, or one line below the other", "look", 14),
    Action("mark", "history", ("space",), "mark", "Mark two changes: their difference is shown", "mark", 7),
    Action("find", "history", ("slash",), "find", "Find changes by words, or by a text that came or went", "look", 8),
    Action("next", "history", ("n",), "next", "Go to the next match", "look", 15),
    Action("previous", "history", ("N",), "previous", "Go to the previous match", "look", 16),
    Action("next_hunk", "history", ("right_square_bracket", "full_stop"), "next entry", "Next entry", "look", 9),
    Action("previous_hunk", "history", ("left_square_bracket", "comma"), "previous", "Previous entry", "look", 13),
    Action("reveal", "history", ("exclamation_mark",), "reveal", "Show or mask credentials", "look", 12),
    Action("backups", "history", ("B",), "backups", "The backups of both files: compare, restore, clear", "look", 19),
    Action("copy_id", "history", ("Y",), "copy id", "Copy the version as the headless verbs take it", "copy", 18),
    Action("pane", "history", ("tab",), "pane", "Go to the list, or to the difference", "view", 10),
    Action("pane_back", "history", ("shift+tab",), "pane", "Go to the list, or to the difference", "view"),
    Action("zoom", "history", ("z",), "zoom", "Give the difference the whole screen, or give it back", "view", 17),
    Action("down", "history", ("j", "down"), "down", "Next change", "move"),
    Action("up", "history", ("k", "up"), "up", "Previous change", "move"),
    Action("top", "history", ("g", "home"), "top", "Newest change", "move"),
    Action("bottom", "history", ("G", "end"), "bottom", "Oldest change", "move"),
    Action("half_down", "history", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "history", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("back", "history", ("escape",), "back", "One level back; never quits", "move"),
)  # fmt: skip

_SESSIONS = (
    Action("open", "sessions", ("enter",), "read", "Read the conversation; in it, unfold a message", "look", 2),
    Action("find", "sessions", ("slash",), "search", "Search everything ever said, as you type", "find", 3),
    Action("filters", "sessions", ("f",), "filters", "Choose source, role, dates, or the reasoning", "find", 6),
    Action(
        "view", "sessions", ("o",), "order",
        "In the list: relevance, newest or oldest first. In a conversation: what was taken back", "find", 9,
    ),
    Action("next", "sessions", ("n",), "next hit", "The next hit, on to the next conversation", "find", 4),
    Action("previous", "sessions", ("N",), "previous", "The previous hit, back to the previous conversation", "find"),
    Action("next_turn", "sessions", ("right_square_bracket", "full_stop"), "turn", "Your next turn", "look", 8),
    Action("previous_turn", "sessions", ("left_square_bracket", "comma"), "turn back", "Your previous turn", "look"),
    Action("goto", "sessions", ("J",), "go to", "Go to a message by its id or by a date", "look", 13),
    Action("part_down", "sessions", ("right_curly_bracket",), "next part", "The session it went on as", "look", 18),
    Action("part_up", "sessions", ("left_curly_bracket",), "part before", "The session it came from", "look"),
    Action("related", "sessions", ("L",), "related", "Branches and delegates of it, and what it came from", "look", 19),
    Action("tools", "sessions", ("t",), "tools", "Tools as one line each, in full, or not at all", "view", 7),
    Action("thoughts", "sessions", ("T",), "reasoning", "Show what the agent thought, or not", "view", 14),
    Action("reveal", "sessions", ("exclamation_mark",), "reveal", "Show or mask the message's credentials", "view", 16),
    Action("copy", "sessions", ("y",), "copy", "Copy the message's text", "copy", 11),
    Action("copy_id", "sessions", ("Y",), "resume", "Copy the command that goes on with this conversation", "copy", 15),
    Action("export", "sessions", ("x",), "export", "Write the conversation to a file", "copy", 10),
    Action("export_all", "sessions", ("X",), "export all", "Write all results to a file", "copy", 20),
    Action("pane", "sessions", ("tab",), "pane", "Go to the list, or to the conversation", "view", 5),
    Action("pane_back", "sessions", ("shift+tab",), "pane", "Go to the list, or to the conversation", "view"),
    Action("zoom", "sessions", ("z",), "zoom", "Give the conversation the whole screen, or give it back", "view", 12),
    Action("down", "sessions", ("j", "down"), "down", "Next conversation, or a line down", "move"),
    Action("up", "sessions", ("k", "up"), "up", "Previous conversation, or a line up", "move"),
    Action("top", "sessions", ("g", "home"), "top", "The first conversation, or the beginning of this one", "move"),
    Action("bottom", "sessions", ("G", "end"), "bottom", "The last conversation, or the end of this one", "move"),
    Action("half_down", "sessions", ("ctrl+d", "pagedown"), "down a page", "Half a screen down", "move"),
    Action("half_up", "sessions", ("ctrl+u", "pageup"), "up a page", "Half a screen up", "move"),
    Action("back", "sessions", ("escape",), "back", "One level back: box, zoom, reading, search; never quits", "move"),
)  # fmt: skip

_DIALOGS = (
    Action("confirm", "confirm", ("enter",), "yes", "Do it", "dialog", 1),
    Action("close", "confirm", ("escape",), "no", "Leave everything as it is", "dialog", 2),
    Action("confirm", "ask", ("enter",), "take it", "Take what is typed", "dialog", 1),
    Action("close", "ask", ("escape",), "leave", "Leave everything as it is", "dialog", 2),
    Action("confirm", "choose", ("enter",), "open", "Go to what stands under the cursor", "dialog", 1),
    Action("down", "choose", ("j", "down"), "down", "Next line", "move"),
    Action("up", "choose", ("k", "up"), "up", "Previous line", "move"),
    Action("close", "choose", ("escape",), "leave", "Stay here", "dialog", 2),
    Action("confirm", "filters", ("enter",), "search", "Search with these filters", "dialog", 1),
    Action("next_value", "filters", ("space", "l", "right"), "next value", "The next value", "filter", 3),
    Action("previous_value", "filters", ("h", "left"), "back", "The value before", "filter", 6),
    Action("write", "filters", ("e",), "type", "Type a value", "filter", 4),
    Action("clear", "filters", ("d",), "clear", "No filter at all", "filter", 5),
    Action("down", "filters", ("j", "down"), "down", "Next filter", "move"),
    Action("up", "filters", ("k", "up"), "up", "Previous filter", "move"),
    Action("close", "filters", ("escape",), "leave", "Leave the filters as they were", "dialog", 2),
    Action("confirm", "export", ("enter",), "write", "Write the file", "dialog", 1),
    Action("form", "export", ("ctrl+t",), "form", "JSONL, Markdown or HTML", "filter", 3),
    Action("masked", "export", ("ctrl+r",), "masked or not", "Mask credentials, or write them out", "filter", 4),
    Action("close", "export", ("escape",), "leave", "Write nothing", "dialog", 2),
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

_PALETTE = (
    Action("choose", "palette", ("enter",), "do it", "Do what stands under the cursor", "dialog", 1),
    Action("close", "palette", ("escape",), "close", "Close; a theme that was only looked at goes", "dialog", 2),
    Action("down", "palette", ("down", "ctrl+n"), "next", "Next line", "move", 3),
    Action("up", "palette", ("up",), "previous", "Previous line", "move", 4),
    Action("half_down", "palette", ("pagedown",), "down a page", "Half a page down", "move"),
    Action("half_up", "palette", ("pageup",), "up a page", "Half a page up", "move"),
)

_FIRST = (
    Action("demo", "first", ("enter",), "look around in the demo", "Make a made-up home and open it", "dialog", 1),
    Action("quit", "first", ("q", "escape"), "quit", "Leave the workbench", "leave", 2),
)

_DRAFT = (
    Action("open", "unsaved", ("enter", "e"), "open in the editor", "Go on with the text", "dialog", 1),
    Action("drop", "unsaved", ("d",), "throw away", "Remove the text for good", "dialog", 2, True),
    Action("copy", "unsaved", ("y",), "copy", "Copy the text", "copy", 4),
    Action("close", "unsaved", ("escape",), "later", "Ask again at the next start", "leave", 3),
)

_APP = (
    *(
        Action(f"area_{area.id}", "app", (str(area.number),), area.label, f"Go to {area.label}", "areas")
        for area in AREAS
    ),
    Action("palette", "app", ("ctrl+p",), "palette", "Find any action, area or theme by typing", "leave"),
    Action("redraw", "app", ("ctrl+l",), "draw again", "Draw everything anew, after another program's output", "view"),
    Action("pause", "app", ("p",), "pause", "Hold live updates back, or show what has come since", "leave", 23),
    Action("quit", "app", ("q",), "quit", "Leave the workbench; asks when something is unsaved", "leave", 22),
    Action("help", "app", ("question_mark", "f1"), "more", "All keys of this screen", "leave", 1),
)

ACTIONS: tuple[Action, ...] = (
    *_MEMORY,
    *ROOM,
    *_INBOX,
    *_PROMPT,
    *_HISTORY,
    *_SESSIONS,
    *_ENTRY,
    *_EDITOR,
    *_SPLIT,
    *KEEPING,
    *_FIND,
    *_DIALOGS,
    *_INBOX_OVER,
    *_PALETTE,
    *_FIRST,
    *_DRAFT,
    *_APP,
)

_NAMES = {
    "question_mark": "?",
    "exclamation_mark": "!",
    "slash": "/",
    "greater_than_sign": ">",
    "equals_sign": "=",
    "less_than_sign": "<",
    "minus": "-",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "full_stop": ".",
    "comma": ",",
    "asterisk": "*",
    "escape": "esc",
    "shift+tab": "S-tab",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "down": "↓",
    "up": "↑",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}


def of_scopes(*scopes: str) -> tuple[Action, ...]:
    """The actions of these scopes, in the order of the registry."""
    return tuple(action for action in ACTIONS if action.scope in scopes)


def bindings(*scopes: str) -> list[Binding]:
    """Textual bindings for a screen: all lead to `action_run`, which asks `why_disabled` first."""
    from textual.binding import Binding  # the first look draws the areas without Textual

    return [
        Binding(key, f"run('{action.id}')", action.label, show=False, id=f"{action.scope}.{action.id}")
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
