"""UsageBar: how full a store is, and first of all how much room is left."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.lines import Usage, folded_line, usage_lines, usage_of

__all__ = ["Usage", "UsageBar", "usage_of"]


class UsageBar(Widget):
    """Two lines (bar and figures), or one with the store's name when its pane is folded."""

    DEFAULT_CSS = """
    UsageBar { height: 2; padding: 0 1; color: $foreground; }
    UsageBar.-folded { height: 1; color: $wb-muted; }
    """

    def __init__(self, name: str, glyphs: Glyphs) -> None:
        super().__init__()
        self.store_name = name
        self.glyphs = glyphs
        self.usage: Usage | None = None
        self.after: Usage | None = None
        self.note = ""

    def show(self, usage: Usage | None, note: str = "") -> None:
        """Show figures, or for a store that has none (unreadable) the note in their place."""
        self.usage, self.note, self.after = usage, note, None
        self.refresh()

    def preview(self, after: Usage | None) -> None:
        """Show what the figures would become, or (None) only what they are."""
        if after == self.usage:
            after = None
        if after != self.after:
            self.after = after
            self.refresh()

    def render(self) -> Content:
        """The bar in the widget's present form."""
        folded = self.has_class("-folded")
        if self.usage is None:
            lead = Content.styled(f"{self.store_name:<10} ", "bold") if folded else Content("")
            return lead + Content.styled(self.note, "$wb-muted")
        width = self.content_size.width
        if folded:
            return Content.assemble(*folded_line(self.store_name, self.usage, self.after, self.glyphs, width))
        bar, sentence = usage_lines(self.usage, self.after, self.glyphs, width)
        return Content.assemble(*bar, "\n", *sentence)
