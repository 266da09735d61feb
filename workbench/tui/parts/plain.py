"""Plain: the only way this package shows a text that does not draw itself; it never reads markup."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static


class Plain(Static):
    """A Static whose text is text."""

    def __init__(self, text: str | Content = "", *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(text, id=id, classes=classes, markup=False)

    def say(self, text: str | Content) -> None:
        """Show another text; the same one again costs nothing."""
        content = Content(text) if isinstance(text, str) else text
        # Two contents are equal when their texts are, whatever part of them stands out.
        shown = self.content
        if not (isinstance(shown, Content) and shown.plain == content.plain and shown.spans == content.spans):
            self.update(content)


def entitle(widget: Widget, *, title: str | None = None, subtitle: str | None = None) -> None:
    """Write into a widget's border; what stands there already is not drawn anew, nor is what the border surrounds."""
    if title is not None and widget.border_title != Content(title).markup:
        widget.border_title = Content(title)
    if subtitle is not None and widget.border_subtitle != Content(subtitle).markup:
        widget.border_subtitle = Content(subtitle)
