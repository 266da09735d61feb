"""SafeTextArea: an editor that can hold hostile text, because it only ever holds the revealed form."""

from __future__ import annotations

from textual import events
from textual.widgets import TextArea

from workbench.text import reveal, unreveal


class SafeTextArea(TextArea):
    """Edits `reveal(text).text`; `value` is the text with its tokens turned back.

    What is pasted is revealed too, so no escape sequence in it can reach the terminal.
    """

    DEFAULT_CSS = """
    SafeTextArea { border: none; padding: 0 1; background: $surface; scrollbar-size-vertical: 1; height: 1fr; }
    SafeTextArea:focus { border: none; }
    """

    def __init__(self, value: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            reveal(value).text, soft_wrap=True, show_line_numbers=False, highlight_cursor_line=False, id=id
        )

    @property
    def value(self) -> str:
        """The edited text as it would be saved."""
        return unreveal(self.text)

    async def _on_paste(self, event: events.Paste) -> None:
        # Textual would call the base class's handler as well, with the raw text.
        event.prevent_default()
        event.stop()
        self._insert(event.text.replace("\r\n", "\n").replace("\r", "\n"))

    def action_paste(self) -> None:
        """Paste what was cut or copied inside the app."""
        self._insert(self.app.clipboard)

    def _insert(self, text: str) -> None:
        if not self.read_only and (result := self._replace_via_keyboard(reveal(text).text, *self.selection)):
            self.move_cursor(result.end_location)
