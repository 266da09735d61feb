"""EntryScreen: one entry over everything else; the only place for details in a small terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from workbench.memory import FILE_NAMES
from workbench.tui.acting import Acting
from workbench.tui.actions import bindings
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.detail import EntryFacts, entry_lines, entry_text
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain


class EntryScreen(Acting[str | None], ModalScreen[str | None]):
    """The result is the id of an action that the list is to carry out for this entry, or None."""

    SCOPES = ("entry",)
    # The areas' keys, which stand in sight above it, work here too: the list does what they say.
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("entry"),
        *(each for each in bindings("app") if each.action.startswith("run('area_")),
    ]
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    EntryScreen { align: center middle; background: $background 70%; }
    EntryScreen:ansi { background: ansi_default; }
    EntryScreen > #box {
        width: 100; max-width: 98%; height: auto; max-height: 96%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; background: $surface; padding: 1 1 0 1;
    }
    EntryScreen #scroll { height: auto; margin: 0 1 1 1; scrollbar-size-vertical: 1; }
    EntryScreen #whole-facts { margin: 1 0 0 0; }
    """

    def __init__(self, facts: EntryFacts, glyphs: Glyphs, reasons: dict[str, str]) -> None:
        super().__init__()
        self.facts = facts
        self.glyphs = glyphs
        self.reasons = reasons

    def compose(self) -> ComposeResult:
        """Text, facts, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content(f"entry {self.facts.view.number} of {FILE_NAMES[self.facts.target]}")
            with VerticalScroll(id="scroll"):
                yield Plain(id="whole-text")
                yield Plain(id="whole-facts")
            yield KeyLine()

    def on_mount(self) -> None:
        """Fill it, leaving a line for the keys whatever the height."""
        self.query_one("#scroll").styles.max_height = max(4, self.app.size.height - 7)
        self._show()

    def _show(self) -> None:
        self.query_one("#whole-text", Plain).say(entry_text(self.facts))
        self.query_one("#whole-facts", Plain).say(entry_lines(self.facts, self.glyphs))
        self.refresh_keys()

    def why_disabled(self, action_id: str) -> str:
        """The list's reasons hold here too."""
        return self.reasons.get(action_id, "")

    def action_run(self, action_id: str) -> None:
        """An area's key closes this and goes there."""
        if action_id.startswith("area_"):
            self.dismiss(None if action_id == "area_memory" else action_id)
            return
        super().action_run(action_id)

    def _scroll(self, lines: int) -> None:
        self.query_one("#scroll").scroll_relative(y=lines, animate=False)

    def do_down(self) -> None:
        """Scroll down."""
        self._scroll(1)

    def do_up(self) -> None:
        """Scroll up."""
        self._scroll(-1)

    def do_half_down(self) -> None:
        """Scroll half a screen down."""
        self._scroll(self.app.size.height // 2)

    def do_half_up(self) -> None:
        """Scroll half a screen up."""
        self._scroll(-(self.app.size.height // 2))

    def do_top(self) -> None:
        """To the beginning."""
        self.query_one("#scroll").scroll_home(animate=False)

    def do_bottom(self) -> None:
        """To the end."""
        self.query_one("#scroll").scroll_end(animate=False)

    def do_reveal(self) -> None:
        """Show or mask credentials, here only."""
        self.facts = replace(self.facts, revealed=not self.facts.revealed)
        self._show()

    def do_edit(self) -> None:
        """Edit the entry."""
        self.dismiss("edit")

    def do_delete(self) -> None:
        """Delete the entry."""
        self.dismiss("delete")

    def do_edit_outside(self) -> None:
        """Edit it in the user's own editor."""
        self.dismiss("edit_outside")

    def do_split(self) -> None:
        """Cut it into several."""
        self.dismiss("split")

    def do_move(self) -> None:
        """Take it to the other store."""
        self.dismiss("move")

    def do_copy(self) -> None:
        """Copy the text."""
        self.dismiss("copy")

    def do_copy_id(self) -> None:
        """Copy the id."""
        self.dismiss("copy_id")

    def do_close(self) -> None:
        """Back to the list."""
        self.dismiss(None)
