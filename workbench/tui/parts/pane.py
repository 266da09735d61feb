"""StorePane: one store with its bar, what is to be said about it, and its entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from workbench.memory import FILE_NAMES, count, percent
from workbench.tui.facts import StoreView
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.notes import Note, note_for
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.usage_bar import Usage, UsageBar, usage_of
from workbench.tui.parts.virtual_list import Row, VirtualList

if TYPE_CHECKING:
    from workbench.memory import Outcome
    from workbench.threats import Finding

_TONES = {"quiet": "$wb-muted", "warning": "$warning", "error": "$error"}


class StorePane(Vertical):
    """A pane that can fold to its bar line."""

    DEFAULT_CSS = """
    StorePane {
        border: round $wb-frame; border-title-color: $wb-muted; border-subtitle-color: $wb-muted;
        height: 1fr; width: 1fr;
    }
    StorePane:focus-within {
        border: round $wb-frame-focus; border-title-color: $foreground; border-title-style: bold;
    }
    StorePane.-folded { border: none; height: 1; padding: 0 1; }
    StorePane.-folded > .note { display: none; }
    StorePane > .note { height: auto; padding: 0 1; margin: 1 0 0 0; display: none; }
    StorePane > .note.-said { display: block; }
    StorePane > VirtualList { margin: 1 0 0 0; }
    """

    @dataclass
    class Wanted(Message):
        """The pane was clicked beside its entries."""

        target: str

    def __init__(self, target: str, glyphs: Glyphs) -> None:
        super().__init__(id=f"pane-{target}")
        self.target = target
        self.glyphs = glyphs
        self.view: StoreView | None = None
        self.drafted: tuple[StoreView, Outcome] | None = None
        self.findings: Mapping[str, tuple[Finding, ...]] = {}
        self.searched = ""
        self.read_only = False
        self.previewed = False
        self.bar = UsageBar(FILE_NAMES[target], glyphs)
        self.note = Plain(classes="note")
        self.list = VirtualList(glyphs=glyphs, id=f"list-{target}")
        self.border_title = Content(FILE_NAMES[target])

    def compose(self) -> ComposeResult:
        """Bar, note, list."""
        yield self.bar
        yield self.note
        yield self.list

    def fold(self, folded: bool) -> None:
        """Show only the bar line, or everything."""
        self.set_class(folded, "-folded")
        self.bar.set_class(folded, "-folded")
        self.list.display = not folded

    def show(
        self,
        view: StoreView,
        *,
        read_only: bool,
        cursor: str | None = None,
        drafted: tuple[StoreView, Outcome] | None = None,
    ) -> None:
        """Show a store as it was read, or as a draft makes it; findings come later.

        `drafted` is the store on disk and what the draft does to it: the rows are marked, the bar shows both.
        """
        self.view = view
        self.read_only = read_only
        self.drafted = drafted
        self.previewed = False
        document = drafted[0].document if drafted is not None else view.document
        if document.state == "unreadable":
            self.bar.show(None, "cannot be read")
        else:
            lengths = [entry.chars for entry in document.entries]
            self.bar.show(usage_of(document.chars, document.limit, document.percent, lengths))
            self.bar.preview(self._drafted_usage())
        self._say(note_for(view.document, enabled=view.enabled, read_only=read_only))
        self._rows(cursor)

    def preview(self, outcome: Outcome | None) -> None:
        """Show what the entries and the bar would become; None shows what they are."""
        from workbench.tui.parts.preview import preview_rows

        if self.view is None:
            return
        if outcome is None or outcome.before[self.target] == outcome.after[self.target]:
            if self.previewed:
                self.previewed = False
                self.bar.preview(self._drafted_usage())
                self._rows(None)
            return
        self.previewed = True
        texts, limit = outcome.after[self.target], self.view.document.limit
        chars = count(texts)
        self.bar.preview(usage_of(chars, limit, percent(chars, limit), [len(text) for text in texts]))
        rows = preview_rows(self.view.entries, outcome, self.target)
        self.list.set_rows(rows)
        changed = next((row.id for row in rows if row.look), None)
        if changed is not None:
            self.call_after_refresh(self.list.bring_up, changed)

    def _drafted_usage(self) -> Usage | None:
        """What the open draft makes of the bar."""
        if self.drafted is None or self.view is None:
            return None
        document = self.view.document
        lengths = [entry.chars for entry in document.entries]
        return usage_of(document.chars, document.limit, document.percent, lengths)

    def judge(self, findings: Mapping[str, tuple[Finding, ...]], good: int = 0) -> None:
        """Mark the entries that the scanner has something to say about; say what an empty store held before."""
        found = {entry: what for entry, what in findings.items() if what}
        same, self.findings = found == self.findings, found
        if good and self.view is not None:
            self._say(note_for(self.view.document, enabled=self.view.enabled, read_only=self.read_only, good=good))
        if not (same or self.previewed):
            self._rows(None)

    def _say(self, note: Note | None) -> None:
        self.note.set_class(note is not None, "-said")
        if note is not None:
            first = Content.styled(note.text, _TONES[note.tone])
            more = Content.styled(f"\n{note.help}", "$wb-muted") if note.help else Content("")
            self.note.say(first + more)

    def _rows(self, cursor: str | None) -> None:
        assert self.view is not None
        if self.drafted is not None and self.target in self.drafted[1].changed:
            from workbench.tui.parts.preview import preview_rows

            drafted = preview_rows(self.drafted[0].entries, self.drafted[1], self.target)
            self.list.set_rows([self._found(row) for row in drafted], cursor=cursor)
            self.refresh_subtitle()
            return
        rows = []
        for entry in self.view.entries:
            found = self.findings.get(entry.entry.id, ())
            tone = "error" if any(finding.level == "blocks" for finding in found) else "warning"
            copies = f"{self.glyphs.times}{entry.entry.copies}" if entry.entry.copies > 1 else ""
            badge = self.glyphs.warning if found else copies[:2]
            rows.append(Row(entry.entry.id, entry.text, str(entry.number), badge, tone if badge else ""))
        self.list.set_rows(rows, cursor=cursor)
        self.refresh_subtitle()

    def _found(self, row: Row) -> Row:
        """A row of a draft that has no sign of its own with what the scanner found."""
        found = self.findings.get(row.id, ())
        if row.badge or not found:
            return row
        tone = "error" if any(finding.level == "blocks" for finding in found) else "warning"
        return replace(row, badge=self.glyphs.warning, tone=tone)

    def refresh_subtitle(self) -> None:
        """How many entries, how many marked, what is searched."""
        count = len(self.view.entries) if self.view is not None else len(self.list.rows)
        parts = [f"{count} entr{'y' if count == 1 else 'ies'}"] if count else []
        if self.list.marks:
            parts.append(f"{len(self.list.marks)} marked{' · range' if self.list.range_from else ''}")
        if self.searched:
            parts.append(self.searched)
        self.border_subtitle = Content(" · ".join(parts))

    def on_click(self, event: events.Click) -> None:
        """A click anywhere takes the focus here."""
        self.post_message(self.Wanted(self.target))
