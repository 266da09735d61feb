"""FindLine: where a search is typed, and how much it finds."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from workbench.text import reveal
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.searching import SearchKept, SearchTyped


class _Search(Input):
    """What is pasted may hold anything; only its revealed form may stand here."""

    def _on_paste(self, event: events.Paste) -> None:
        # Textual would call the base class's handler as well, with the raw text.
        event.prevent_default()
        event.stop()
        if event.text:
            self.insert_text_at_cursor(reveal(event.text.splitlines()[0]).text)


class FindLine(Horizontal):
    """An input with the count beside it."""

    DEFAULT_CSS = """
    FindLine { height: 1; padding: 0 1; background: $panel; }
    FindLine > #slash { width: 2; color: $wb-key; }
    FindLine > Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    FindLine > #found { width: auto; color: $wb-muted; }
    """

    def __init__(self, placeholder: str = "find in this store") -> None:
        super().__init__()
        self.placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Sign, input, count."""
        yield Plain("/", id="slash")
        yield _Search(placeholder=self.placeholder)
        yield Plain(id="found")

    def on_mount(self) -> None:
        """Typing begins at once."""
        self.query_one(Input).focus()

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        """Search as it is typed."""
        event.stop()
        self.post_message(SearchTyped(event.value))

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Keep it."""
        event.stop()
        self.post_message(SearchKept())
