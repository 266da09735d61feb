"""Plain: the only way this package shows a text that does not draw itself; it never reads markup."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Plain(Static):
    """A Static whose text is text."""

    def __init__(self, text: str | Content = "", *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(text, id=id, classes=classes, markup=False)

    def say(self, text: str | Content) -> None:
        """Show another text."""
        self.update(Content(text) if isinstance(text, str) else text)
