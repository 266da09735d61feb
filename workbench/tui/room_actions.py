"""The keys of making room, part of the registry in `actions`."""

from __future__ import annotations

from workbench.tui.action import Action

ROOM = (
    Action("take", "room", ("a",), "take", "Take it into the draft; starts one", "room", 1),
    Action("plan", "room", ("A",), "plan", "The whole plan to get under 80 %; again to take all of it", "room", 3),
    Action("open", "room", ("enter",), "compare", "Both entries, the differing words marked", "look", 2),
    Action("dismiss", "room", ("r",), "dismiss", "Do not offer this again while its entries stay", "room", 5),
    Action("undo", "room", ("u",), "undo", "Take back what the last key put into the draft", "room", 6),
    Action("apply", "room", ("ctrl+s",), "apply draft", "Write all steps of the draft as one change", "room", 4),
    Action("filter", "room", ("f",), "kind", "Only one kind; what looks time-bound too", "look", 8),
    Action("view", "room", ("o",), "removed", "Entries that vanished lately, or the suggestions", "look", 9),
    Action("reveal", "room", ("exclamation_mark",), "reveal", "Show or mask credentials in the comparison", "look", 11),
    Action("layout", "room", ("O",), "layout", "Side by side, or one line below the other", "look", 12),
    Action("down", "room", ("j", "down"), "down", "Next one", "move"),
    Action("up", "room", ("k", "up"), "up", "Previous one", "move"),
    Action("top", "room", ("g", "home"), "top", "First one", "move"),
    Action("bottom", "room", ("G", "end"), "bottom", "Last one", "move"),
    Action("half_down", "room", ("ctrl+d", "pagedown"), "down a page", "Half a page down", "move"),
    Action("half_up", "room", ("ctrl+u", "pageup"), "up a page", "Half a page up", "move"),
    Action("help", "room", ("question_mark", "f1"), "more", "All keys of this panel", "leave", 7),
    Action("close", "room", ("escape",), "back", "One level back: comparison, plan, panel", "leave", 4),
    Action("keep", "leave_draft", ("enter",), "leave, keep it", "Look at the files; the draft waits", "dialog", 1),
    Action("drop", "leave_draft", ("d",), "throw away", "Forget the draft for good", "dialog", 2, True),
    Action("close", "leave_draft", ("escape",), "go on", "Go on with the draft", "dialog", 3),
)
