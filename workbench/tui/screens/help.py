"""The help: every key of a screen, from the registry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from workbench.home.settings import SettingsProblem
from workbench.tui.acting import Acting
from workbench.tui.actions import Action, bindings, key_name
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import one_line

_HEADINGS = {
    "entry": "Change",
    "decide": "Decide",
    "room": "Make room",
    "history": "Take back",
    "look": "Look",
    "mark": "Mark",
    "copy": "Copy",
    "view": "Panes",
    "move": "Move",
    "areas": "Areas",
    "leave": "Leave",
}


def help_content(actions: tuple[Action, ...]) -> Content:
    """All keys by group, one action a line: keys, label, what it does."""
    lines: list[Content] = []
    for group in dict.fromkeys(action.group for action in actions):
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(_HEADINGS.get(group, group.capitalize()), "$foreground bold"))
        for action in actions:
            if action.group != group:
                continue
            keys = "  ".join(key_name(key) for key in action.keys)
            lines.append(Content.assemble((f"  {keys:<14}", "$wb-key bold"), (action.tooltip, "$foreground")))
    return Content("\n").join(lines)


# What no key can say, by scope.
_NOTES = {
    "room": (
        "A suggestion is never applied by itself. What you take becomes a step of a draft; the draft is written as one "
        "change when you apply it, and one undo takes all of it back. A draft is kept at each step."
    ),
    "inbox": (
        "The agent takes no claim on a record: do not approve one in a session and here at the same moment. Two "
        "workbenches never apply the same one twice. An external memory provider is told only by a running agent. "
        "What other programs wrote, or what cannot be read, is shown and left alone."
    ),
}


def notes_content(scopes: Sequence[str]) -> Content:
    """What there is to know about a screen besides its keys."""
    found = [_NOTES[scope] for scope in scopes if scope in _NOTES]
    said = Content("".join(f"\n\n{note}" for note in found))
    return said + _quality_content() if {"memory", "room"} & set(scopes) else said


def _quality_content() -> Content:
    """What is said quietly of an entry below its text: each line, what it looks at, and an example."""
    from workbench.curation.hints import HINTS

    lines = [Content.styled("\n\nWhat the line below an entry may say", "$foreground bold")]
    for rule in HINTS:
        lines.append(Content.styled(f"  {rule.says}", "$foreground"))
        lines.append(Content.styled(f"    looks at {rule.looks_at}; e.g. “{rule.example}”", "$wb-muted"))
    return Content("\n").join(lines)


def problems_content(problems: Sequence[SettingsProblem]) -> Content:
    """What the settings ask for and do not get, and why; nothing when all is in force."""
    if not problems:
        return Content("")
    lines = [Content.styled("\n\nSettings not in force", "$warning bold")]
    lines += [Content.styled(f"  {one_line(problem.why)}", "$foreground") for problem in problems]
    return Content("\n").join(lines)


class HelpScreen(Acting[None], ModalScreen[None]):
    """Over any screen; made from its scopes."""

    SCOPES = ("help",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("help")]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 70%; }
    HelpScreen:ansi { background: ansi_default; }
    HelpScreen > #box {
        width: 84; max-width: 96%; height: auto; max-height: 96%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; background: $surface; padding: 1 1 0 1;
    }
    HelpScreen #keys { height: auto; max-height: 40; margin: 0 1 1 1; scrollbar-size-vertical: 1; }
    """

    def __init__(self, scopes: tuple[str, ...]) -> None:
        super().__init__()
        self.scopes = scopes

    def compose(self) -> ComposeResult:
        """The table, scrolling when it is longer than the screen."""
        with Vertical(id="box") as box:
            box.border_title = Content("keys")
            with VerticalScroll(id="keys"):
                keys = help_content(self.actions(*self.scopes)) + notes_content(self.scopes)
                yield Plain(keys + problems_content(self.face.settings_problems))
            yield KeyLine()

    def on_mount(self) -> None:
        """Leave a line for the keys whatever the height."""
        self.query_one("#keys").styles.max_height = max(4, self.app.size.height - 7)
        self.refresh_keys()

    def do_down(self) -> None:
        """Scroll down."""
        self.query_one("#keys").scroll_relative(y=3, animate=False)

    def do_up(self) -> None:
        """Scroll up."""
        self.query_one("#keys").scroll_relative(y=-3, animate=False)

    def do_close(self) -> None:
        """Close."""
        self.dismiss(None)
