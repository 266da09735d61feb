"""SafeTextArea: an editor that can hold hostile text, because it only ever holds the revealed form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.widgets import TextArea

from workbench.text import reveal, unreveal


class SafeTextArea(TextArea):
    """Edits `reveal(text).text`; `value` is the text with its tokens turned back.

    What is pasted is revealed too, so no escape sequence in it can reach the terminal.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"safe-text-area--finding"}
    DEFAULT_CSS = """
    SafeTextArea > .safe-text-area--finding { color: $wb-finding-text; background: $wb-finding; }
    SafeTextArea { border: none; padding: 0 1; background: $surface; scrollbar-size-vertical: 1; height: 1fr; }
    SafeTextArea:focus { border: none; }
    """

    def on_unmount(self) -> None:
        """Textual 8.2.8 keeps a text area among the watchers of the app's theme until that changes: let it go now."""
        watching = getattr(self.app, "__watchers", {}).get("theme", [])
        watching[:] = [pair for pair in watching if pair[0] is not self]

    def __init__(self, value: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            reveal(value).text, soft_wrap=True, show_line_numbers=False, highlight_cursor_line=False, id=id
        )
        self._spans: dict[int, list[tuple[int, int]]] = {}

    @property
    def value(self) -> str:
        """The edited text as it would be saved."""
        return unreveal(self.text)

    def highlight(self, spans: Iterable[tuple[int, int]]) -> None:
        """Highlight stretches (start, end) in characters of `value`; a token stands for its one character.

        Nothing is highlighted while the text holds a form that `reveal` would not have chosen: places could be off.
        """
        shown = reveal(self.value)
        found: dict[int, list[tuple[int, int]]] = {}
        for start, end in spans if shown.text == self.text else ():
            at, line = shown.to_shown(start), shown.text.count("\n", 0, shown.to_shown(start))
            begins = shown.text.rfind("\n", 0, at) + 1
            for piece in shown.text[at : shown.to_shown(end)].split("\n"):
                found.setdefault(line, []).append((at - begins, at - begins + len(piece)))
                at = begins = at + len(piece) + 1
                line += 1
        if found != self._spans:
            self._spans = found
            self._line_cache.clear()
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        """A line as it is drawn."""
        line = super().get_line(line_index)
        for start, end in self._spans.get(line_index, ()):
            line.stylize(self.get_component_rich_style("safe-text-area--finding", partial=True), start, end)
        return line

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
