"""DetailBox: one entry in full, and what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content

from workbench.memory import FILE_NAMES
from workbench.tui.facts import EntryView
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import excerpt, safe

if TYPE_CHECKING:
    from workbench.memory import Hint
    from workbench.threats import Finding

_LEVELS = {
    "blocks": ("$error bold", "hidden from the prompt"),
    "likely_benign": ("$warning bold", "hidden from the prompt, though it looks harmless"),
    "advisory": ("$warning bold", "worth a look"),
}
FINDING_STYLE = {"finding": "$wb-finding-text on $wb-finding"}


@dataclass(frozen=True)
class EntryFacts:
    """Everything the box says. `findings` is None while the scanner has not answered.

    `quality` is what there is to say of the entry's usefulness, "" when that is nothing.
    """

    target: str
    view: EntryView
    total: int
    findings: tuple[Finding, ...] | None
    hints: tuple[Hint, ...] = ()
    revealed: bool = False
    quality: str = ""


def entry_text(facts: EntryFacts) -> Content:
    """The entry's text through the door, with what the scanner found marked."""
    spans = tuple((found.start, found.end, "finding") for found in facts.findings or ())
    return excerpt(facts.view.entry.text, spans, masked=not facts.revealed).content(FINDING_STYLE)


def entry_lines(facts: EntryFacts, glyphs: Glyphs) -> Content:
    """The facts below the text: size, place, id; copies and hints; the scanner's findings."""
    entry = facts.view.entry
    joined = f"{entry.chars:,} chars · {facts.view.number} of {facts.total} · id {entry.id}"
    lines = [Content.styled(joined + _scanner(facts.findings), "$wb-muted")]
    if entry.copies > 1:
        lines.append(
            Content.styled(f"{glyphs.times}{entry.copies}: the file repeats it; the agent keeps one", "$wb-muted")
        )
    lines += [Content.styled(hint.text, "$wb-muted") for hint in facts.hints]
    if facts.quality:
        lines.append(Content.styled(facts.quality, "$wb-muted italic"))
    if facts.view.secret:
        state = "shown; ! masks it" if facts.revealed else "masked; ! shows it"
        lines.append(Content.styled(f"a credential, {state}", "$wb-muted"))
    for found in _once(facts.findings or ()):
        style, meaning = _LEVELS.get(found.level, _LEVELS["advisory"])
        head = (f"{glyphs.warning} {found.pattern}", style)
        lines.append(Content.assemble(head, (f"  {meaning}. {safe(found.explanation)}", "$foreground")))
    return Content("\n").join(lines)


def _scanner(findings: tuple[Finding, ...] | None) -> str:
    if findings is None:
        return " · scanning"
    return "" if findings else " · nothing found by the scanner"


def _once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The first finding of each pattern; the others are marked in the text all the same."""
    return tuple({finding.pattern: finding for finding in reversed(findings)}.values())[::-1]


class DetailBox(VerticalScroll, can_focus=False):
    """The box below the panes."""

    DEFAULT_CSS = """
    DetailBox {
        height: 26%; min-height: 8; border: round $wb-frame; border-title-color: $wb-muted; padding: 0 1;
        scrollbar-size-vertical: 1;
    }
    DetailBox > Plain { height: auto; }
    DetailBox > #entry-facts { margin: 1 0 0 0; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.text = Plain(id="entry-text")
        self.facts = Plain(id="entry-facts")
        super().__init__(self.text, self.facts)
        self.border_title = Content("entry")

    def show(self, facts: EntryFacts | None, empty: str = "No entry here.") -> None:
        """Show an entry, or nothing and why."""
        if facts is None:
            self.text.say(Content.styled(empty, "$wb-muted"))
            self.facts.say("")
            self.border_title = Content("entry")
            return
        self.border_title = Content(f"entry {facts.view.number} of {FILE_NAMES[facts.target]}")
        self.text.say(entry_text(facts))
        self.facts.say(entry_lines(facts, self.glyphs))
        self.scroll_home(animate=False)
