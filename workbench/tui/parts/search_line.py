"""SearchLine: the box everything is searched in, what it found, the filters in force and what has to be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from workbench.text import reveal
from workbench.tui.parts.plain import Plain


class Box(Input):
    """What is pasted may hold anything; only its revealed form may stand here."""

    def _on_paste(self, event: events.Paste) -> None:
        # Textual would call the base class's handler as well, with the raw text.
        event.prevent_default()
        event.stop()
        if event.text:
            self.insert_text_at_cursor(reveal(event.text.splitlines()[0]).text)


class SearchLine(Vertical):
    """The box with the count beside it, and a second line for filters and notes while there are any."""

    DEFAULT_CSS = """
    SearchLine { height: auto; padding: 0 1; }
    SearchLine > #row { height: 1; }
    SearchLine #slash { width: 2; color: $wb-key; }
    SearchLine Input { width: 1fr; border: none; height: 1; padding: 0; background: $background; }
    SearchLine #count { width: auto; max-width: 60%; padding: 0 0 0 2; color: $wb-muted; }
    SearchLine #chips { height: auto; max-height: 3; display: none; color: $wb-muted; }
    SearchLine #chips.-some { display: block; }
    SearchLine:focus-within #row, SearchLine:focus-within Input { background: $panel; }
    """

    @dataclass
    class Typed(Message):
        """The words are different now."""

        text: str

    @dataclass
    class Kept(Message):
        """Enter: back to the results."""

    @dataclass
    class FiltersWanted(Message):
        """The line of the filters was clicked."""

    def compose(self) -> ComposeResult:
        """Sign, box, count; filters and notes."""
        with Horizontal(id="row"):
            yield Plain("/", id="slash")
            yield Box(placeholder="search everything ever said", id="box")
            yield Plain(id="count")
        yield Plain(id="chips")

    @property
    def box(self) -> Input:
        """Where it is typed."""
        return self.query_one("#box", Input)

    def say(self, count: str, chips: Sequence[tuple[str, str]], notes: Sequence[str]) -> None:
        """The count beside the box; chips (name, value) and notes below it."""
        self.query_one("#count", Plain).say(count)
        line = Content("")
        for name, value in chips:
            if line:
                line += Content("  ")
            line += Content.assemble((f"{name}: ", "$wb-muted"), (value, "$foreground bold"))
        for note in notes:
            if line:
                line += Content("  ·  ")
            line += Content.styled(note, "$warning")
        below = self.query_one("#chips", Plain)
        below.set_class(bool(line), "-some")
        below.say(line)

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        """Search as it is typed."""
        event.stop()
        self.post_message(self.Typed(event.value))

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Keep it."""
        event.stop()
        self.post_message(self.Kept())

    def on_click(self, event: events.Click) -> None:
        """A click on the filters is their key."""
        if event.widget is not None and event.widget.id == "chips":
            self.post_message(self.FiltersWanted())
