"""A change before it is made: what becomes of each entry, what the figures become, and the question below the panes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.memory import FILE_NAMES, count, entry_id, percent
from workbench.tui.facts import LIST_CHARS, EntryView
from workbench.tui.parts.dialogs import ConfirmDialog
from workbench.tui.parts.virtual_list import Row
from workbench.tui.screen_text import safe

if TYPE_CHECKING:
    from workbench.memory import Outcome

# The badge says what the colour says; a bare terminal gets plain signs on the way out.
GONE, COME, CHANGED, MOVED = "−", "+", "~", "↕"


def preview_rows(entries: Sequence[EntryView], outcome: Outcome, target: str) -> list[Row]:
    """The entries as they are and as they would be, in one list; ids are those of the texts they show.

    The badge tells what is gone, new, changed or moved.
    """
    after = outcome.after[target]
    known = {view.entry.text: view for view in entries}
    kept = set(after)
    effects = [effect for effect in outcome.effects if effect.target == target]
    edited = {effect.after: effect.before for effect in effects if effect.kind == "edited"}
    moved = {effect.after for effect in effects if effect.kind == "reordered"}
    followed = {before: text for text, before in edited.items()}
    gone = [view for view in entries if view.entry.text not in kept and view.entry.text not in followed]
    place = {view.entry.text: view.number for view in entries}
    rows = []
    for number, text in enumerate(after, 1):
        source = text if text in known else edited.get(text)
        if source in place:
            while gone and gone[0].number < place[source]:
                rows.append(_gone(gone.pop(0)))
        view = known.get(text)
        shown = view.text if view is not None else safe(text)[:LIST_CHARS]
        sign = "" if view is not None else CHANGED if text in edited else COME
        sign = MOVED if text in moved else sign
        look = "come" if sign else ""
        rows.append(Row(entry_id(text), shown, str(number), sign, look, look=look))
    return rows + [_gone(view) for view in gone]


def _gone(view: EntryView) -> Row:
    return Row(view.entry.id, view.text, "", GONE, "warning", look="gone")


def figures(outcome: Outcome, limits: Mapping[str, int]) -> list[str]:
    """One line for each store that changes: `MEMORY.md 96 % → 89 % · frees 153 characters · 240 left`."""
    lines = []
    for target in outcome.changed:
        was, will, limit = count(outcome.before[target]), count(outcome.after[target]), limits[target]
        step = will - was
        amount = f"{abs(step):,} character{'' if abs(step) == 1 else 's'}"
        how = f"frees {amount}" if step < 0 else f"takes {amount}" if step else "same size"
        left = f"{limit - will:,} left" if will <= limit else f"{will - limit:,} over"
        share = f"{percent(was, limit)} % → {percent(will, limit)} %"
        lines.append(f"{FILE_NAMES[target]}  {share} · {how} · {left}")
    return lines


class PreviewDialog(ConfirmDialog):
    """A question at the foot of the screen, so that the panes above can show what the answer yes would make of them."""

    DEFAULT_CSS = """
    PreviewDialog { align: center bottom; background: transparent; }
    PreviewDialog:ansi { background: transparent; }
    PreviewDialog > #box { width: 100%; max-width: 100%; max-height: 14; padding: 0 1; }
    PreviewDialog #lead { margin: 0 1; }
    PreviewDialog #body { max-height: 5; margin: 1 1; }
    PreviewDialog.-short #body { max-height: 3; margin: 0 1; }
    """

    def __init__(
        self,
        title: str,
        figures: Sequence[str],
        lines: Sequence[str],
        quote: str | Content = "",
        *,
        verb: str,
        danger: bool = False,
    ) -> None:
        said = [Content.styled(line, "bold") for line in figures] + [Content(safe(line)) for line in lines]
        super().__init__(title, Content("\n").join(said), quote, verb=verb, danger=danger)

    def on_mount(self) -> None:
        """Leave the panes as much as possible of a small terminal."""
        self.set_class(self.app.size.height < 32, "-short")
