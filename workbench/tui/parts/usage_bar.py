"""UsageBar: how full a store is, and first of all how much room is left."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from textual.content import Content
from textual.widget import Widget

from workbench.tui.glyphs import Glyphs

# The median entry of real homes, for a store that holds none yet.
TYPICAL = 140
WARN_AT, FULL_AT = 80, 100
JOINT = 3
BAR_CELLS = 26


@dataclass(frozen=True)
class Usage:
    """Characters used and allowed, the store's own percent, and the length of its median entry."""

    chars: int
    limit: int
    percent: int
    typical: float = TYPICAL

    @property
    def tone(self) -> str:
        """Calm, warning from 80 %, error above the limit."""
        if self.chars > max(self.limit, 0):
            return "error"
        return "warning" if self.percent >= WARN_AT else "calm"

    @property
    def room(self) -> int:
        """How many entries of the store's median size still fit; each costs three characters more for its joint."""
        return max(0, int((self.limit - self.chars) // (self.typical + JOINT)))

    def sentence(self, width: int = 1_000) -> str:
        """Room left first, then the figures; over the limit, by how much and what that means.

        The longest form that fits into `width` cells, the shortest one when none does.
        """
        left = self.limit - self.chars
        forms: tuple[str, ...]
        if self.limit <= 0:
            forms = (f"the limit is {self.limit:,}: every add is refused", f"limit {self.limit:,}")
        elif left < 0:
            forms = (f"{-left:,} over: every add is refused", f"{-left:,} over")
        else:
            room = f"room for ~{self.room} more" if self.room else "no room for a typical entry"
            forms = (f"{room} · {left:,} of {self.limit:,} chars left", f"{room} · {left:,} left", f"{left:,} left")
        return next((form for form in forms if len(form) <= width), forms[-1])


def usage_of(chars: int, limit: int, percent: int, lengths: list[int]) -> Usage:
    """Usage of a store whose entries have these lengths."""
    return Usage(chars, limit, percent, median(lengths) if lengths else TYPICAL)


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
        lead = Content.styled(f"{self.store_name:<10} ", "bold") if folded else Content("")
        if self.usage is None:
            return lead + Content.styled(self.note, "$wb-muted")
        usage = self.after or self.usage
        width = self.content_size.width
        bar = self._bar(
            min(BAR_CELLS, max(8, width // 3)) if folded else min(40, max(8, width - (16 if self.after else 8)))
        )
        style = "$error bold" if usage.tone == "error" else "$warning bold" if usage.tone == "warning" else "bold"
        was = f" {self.usage.percent} % →" if self.after is not None else ""
        figure = Content.styled(was, "$wb-muted") + Content.styled(f" {usage.percent:>{1 if was else 3}} %", style)
        room_style = style if usage.tone == "error" else "$foreground"
        if folded:
            rest = width - lead.cell_length - bar.cell_length - figure.cell_length - 2
            return lead + bar + figure + Content.styled(f"  {usage.sentence(rest)}", "$wb-muted")
        return bar + figure + Content("\n") + Content.styled(usage.sentence(width), room_style)

    def _bar(self, cells: int) -> Content:
        """Filled as far as it is used; in a preview, what would come or go stands out at the end of it."""
        assert self.usage is not None
        usage = self.after or self.usage
        was, full = (self._cells(one, cells) for one in (self.usage, usage))
        tones = {"calm": "$wb-bar", "warning": "$warning", "error": "$error"}
        return Content.assemble(
            (self.glyphs.full * min(was, full), tones[usage.tone]),
            (self.glyphs.full * max(0, full - was), "$accent bold"),
            (self.glyphs.empty * max(0, was - full), "$accent"),
            (self.glyphs.empty * (cells - max(was, full)), "$wb-bar-empty"),
        )

    @staticmethod
    def _cells(usage: Usage, cells: int) -> int:
        share = 1.0 if usage.limit <= 0 else min(1.0, usage.chars / usage.limit)
        return max(round(share * cells), 1 if usage.chars else 0)
