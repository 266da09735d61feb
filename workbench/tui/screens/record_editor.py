"""RecordEditor: the editor over what a record proposes; saving accepts the record with the text as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content

from workbench.errors import Conflict, WorkbenchError
from workbench.memory import FILE_NAMES, Add, Operation, Outcome, count, percent
from workbench.memory.document import universal_newlines
from workbench.tui.facts import Decide, Intent, OutcomeKnown, StoreView
from workbench.tui.inbox_facts import InboxFacts, name_of
from workbench.tui.parts.usage_bar import UsageBar
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import Changing, cancelled
from workbench.tui.screens.editor import Edited, EditorScreen
from workbench.tui.unsaved import Draft

if TYPE_CHECKING:
    from workbench.inbox import Decision, Preview
    from workbench.tui.glyphs import Glyphs
    from workbench.tui.live import News
    from workbench.workspace import Workspace

# Which text of a skill's record a person edits.
_TEXTS = {"create": "content", "edit": "content", "write_file": "file_content", "patch": "new_string"}


@dataclass(frozen=True)
class Accepted(Edited):
    """The record was accepted with the edited text."""

    decision: Decision


@dataclass
class EditedKnown(OutcomeKnown):
    """What the record would do with the text as it stands."""

    preview: Preview | None = None


def proposed_text(preview: Preview, number: int | None) -> str:
    """The text that a record, or its operation `number` (from 1), would put somewhere; "" for none."""
    record = preview.record
    if record.subsystem == "skills":
        text = record.payload.get(_TEXTS.get(record.action, ""))
        return text if isinstance(text, str) else ""
    parts = record.operations
    part = parts[(number or 1) - 1] if parts else None
    found = [part.get(key) for key in ("content", "new_text")] if isinstance(part, Mapping) else []
    return next((text for text in found if isinstance(text, str)), "")


class RecordEditor(EditorScreen):
    """`seen` is the record as it was previewed, `number` the operation of a batch that is edited."""

    def __init__(
        self,
        workspace: Workspace,
        facts: InboxFacts,
        seen: Preview,
        number: int | None,
        glyphs: Glyphs,
        *,
        initial: str | None = None,
    ) -> None:
        self.seen = seen
        self.number = number
        self.of_skill = seen.record.subsystem == "skills"
        target = "memory" if self.of_skill else seen.record.target
        proposal = universal_newlines(proposed_text(seen, number))  # as an entry or a file would hold it
        store = StoreView(facts.documents[target], True, ())
        super().__init__(
            workspace, store, _entry(seen, number), glyphs, initial=proposal if initial is None else initial
        )
        self.start = proposal.strip()

    def on_mount(self) -> None:
        """Name what is edited."""
        super().on_mount()
        part = f" · operation {self.number}" if self.number is not None else ""
        self.query_one("#box").border_title = Content(f"edit and accept: {name_of(self.seen)}{part}")
        self.query_one(UsageBar).display = not self.of_skill

    @property
    def key_labels(self) -> Mapping[str, str]:
        """Saving is accepting here."""
        return {"save": "accept"}

    @property
    def unsaved(self) -> str:
        """The edited proposal, when its text is not what it was."""
        return "an edited proposal" if self.text_area.value.strip() != self.start else ""

    @property
    def draft(self) -> Draft | None:
        """What is kept when the terminal goes away: a memory text as an entry, a skill's with its record."""
        if not self.of_skill:
            return super().draft
        return Draft("skills", self.text_area.value, record=self.seen.record.key) if self.unsaved else None

    @property
    def savable(self) -> bool:
        """What is proposed can be accepted just as it is."""
        return True

    def operation(self, text: str) -> Operation:
        """Only names the text: what really happens is asked of the inbox."""
        return Add(self.target, text)

    def outside(self, news: News) -> None:
        """Look again at what the text would do."""
        self._ask()

    @work(thread=True, exclusive=True, exit_on_error=False, group="preview")
    def _preview(self, request: int, operation: Operation, text: str) -> None:
        from workbench.workspace.status import findings_of

        try:
            preview = self.workspace.inbox.preview_edited(self.seen, text, self.number)
        except WorkbenchError as error:
            self.post_message(EditedKnown(request, operation, None, error))
            return
        if not cancelled():
            found = () if self.of_skill else findings_of(text)
            self.post_message(EditedKnown(request, operation, preview.outcome, preview.refused, found, preview))

    def _plan(self, message: OutcomeKnown) -> Content:
        preview = message.preview if isinstance(message, EditedKnown) else None
        if not self.of_skill or preview is None or preview.refused is not None:
            return super()._plan(message)
        was, will = preview.chars or 0, preview.chars_after or 0
        lines = [Content(f"accepts the record: {was:,} → {will:,} characters in the file")]
        if preview.reason:
            lines.append(Content.styled(safe(preview.reason), "$warning"))
        return Content("\n").join(lines)

    def _result(self, outcome: Outcome) -> str:
        limit = self.store.document.limit
        was, will = count(outcome.before[self.target]), count(outcome.after[self.target])
        if not outcome.changed:
            return "accepting changes nothing: the store is like that already"
        return (
            f"accepts the record: {FILE_NAMES[self.target]} {was:,} → {will:,} chars · "
            f"{percent(was, limit)} % → {percent(will, limit)} %"
        )

    def do_save(self) -> None:
        """Accept the record with this text."""
        text = self.text_area.value

        def make(workspace: Workspace, given: frozenset[str]) -> Decision:
            return workspace.inbox.edit(self.seen, text, number=self.number, given=given)

        self.change(Decide(make, "accept", self.seen))

    def decided(self, intent: Decide, result: object) -> None:
        """Accepted: leave."""
        from workbench.inbox import Decision

        self.dismiss(Accepted(self.text_area.value, result) if isinstance(result, Decision) else None)

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """The entry is gone: there is nothing to choose from, the record can be retargeted."""
        Changing.conflicted(self, intent, error)


def _entry(seen: Preview, number: int | None) -> str | None:
    """The entry that the edited operation changes; None for an addition or a skill."""
    effects = seen.outcome.effects if seen.outcome is not None else ()
    at = (number or 1) - 1
    return effects[at].before if at < len(effects) and effects[at].kind in ("edited", "unchanged") else None
