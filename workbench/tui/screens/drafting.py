"""Drafts on the Memory screen: start, take back, apply as one change, leave; and the panel that makes room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message

from workbench.errors import DraftMoved, WorkbenchError
from workbench.tui.facts import Decide, HomeJudged, Write
from workbench.tui.keymap import shown
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.previewing import Proposal
from workbench.tui.screens.verbs import Verbs

if TYPE_CHECKING:
    from workbench.memory import Outcome
    from workbench.tui.drafting import Desk, DraftView

# How many steps or texts a question quotes.
QUOTED = 6


@dataclass
class DraftKept(Message):
    """A draft of an earlier time lies in the history."""

    desk: Desk
    changed: float


class Drafting(Verbs):
    """What `b`, `ctrl+s` and `c` do, and what `u` and `U` do while a draft is open."""

    looked_for_drafts = False
    apply_when_shown = False  # asked for in the panel; what was taken there last may not stand in the panes yet

    # -- showing ------------------------------------------------------------------------------------------------

    def rows_changed(self) -> None:
        """The line above the panes says what the draft comes to."""
        super().rows_changed()
        self._show_line()
        if self.apply_when_shown and self.desk is not None and self._shows_all(self.desk):
            self.apply_when_shown = False
            self.action_run("apply")

    def _show_line(self) -> None:
        lines = self.query("#draft-line")
        view = self.draft_view
        if self.desk is None or view is None:
            lines.remove()
            return
        said = f"{view.summary()} · {self._draft_keys(view)}"
        if lines:
            lines.first(Plain).say(said)
        else:
            self.mount(Plain(said, id="draft-line"), before="#panes")

    def do_normalise(self) -> None:
        """Tidying is a step of the open draft; anything else that is wrong with a file is put right on disk."""
        store = self.store
        if self.desk is None or store is None or store.document.state != "cosmetic":
            super().do_normalise()
            return
        from workbench.memory import FILE_NAMES, Normalise
        from workbench.memory.layout import layout_changes

        changes = layout_changes(store.document)

        def words(outcome: Outcome) -> tuple[Sequence[str], str]:
            return ("Only what stands between the entries changes; no entry does.",), "\n".join(changes)

        self.propose(Proposal(Normalise(self.current), f"tidy {FILE_NAMES[self.current]}", "tidy", words))

    def _shows_all(self, desk: Desk) -> bool:
        return self.draft_view is not None and self.draft_view.steps == len(desk.steps)

    @property
    def key_labels(self) -> Mapping[str, str]:
        """While a draft is open, what the keys mean for it."""
        return {} if self.desk is None else {"undo": "back", "redo": "repeat", "draft": "leave draft"}

    def _draft_keys(self, view: DraftView) -> str:
        if not view.steps:
            return f"{shown('memory.draft')} leaves"
        if view.standing.conflicts:
            return f"{shown('memory.apply')} shows which"
        keys = f"{shown('memory.apply')} applies, {shown('memory.undo')} back, {shown('memory.draft')} leaves"
        return f"the files changed since · {keys}" if view.standing.moved else keys

    @property
    def kept_for_later(self) -> str:
        """What stays for the next start when this one ends."""
        steps = len(self.desk.steps) if self.desk is not None else 0
        return f"a draft of {steps} step{'' if steps == 1 else 's'}" if steps else ""

    # -- why not ------------------------------------------------------------------------------------------------

    def draft_reason(self, action_id: str) -> str:
        """Why one of these keys does nothing now; "" when it works, or is none of them."""
        view = self.draft_view
        match action_id:
            case "forget" if self.desk is not None:
                return f"Forgetting cannot wait in a draft; {shown('memory.draft')} leaves it first."
            case "normalise" if self.desk is not None and self.store is not None:
                # Tidying is a step of a draft; the other ways write whole files.
                tidies = self.store.document.state == "cosmetic"
                return (
                    "" if tidies else f"Putting right cannot wait in a draft; {shown('memory.draft')} leaves it first."
                )
            case "apply" if self.desk is None:
                return f"No draft is open; {shown('memory.draft')} starts one."
            case "apply" if self.desk is not None and not self.desk.steps:
                return f"The draft has no step yet; {shown('memory.room')} suggests some."
            case "undo" if self.desk is not None and not self.desk.steps:
                return f"The draft has no step to take back; {shown('memory.draft')} leaves it."
            case "redo" if self.desk is not None and not (view is not None and view.repeatable):
                return "No step of the draft was taken back."
        return ""

    # -- the draft ----------------------------------------------------------------------------------------------

    def do_draft(self) -> None:
        """Start a draft, or leave the one that is open."""
        from workbench.tui.drafting import opened

        if self.desk is None:
            self.change(Decide(lambda workspace, _: opened(workspace), "open"))
        elif not self.desk.steps:
            self._end_draft()
        else:
            self._ask_to_leave(self.desk)

    def _ask_to_leave(self, desk: Desk) -> None:
        from workbench.tui.parts.draft_dialogs import LeaveDraftDialog

        def answered(choice: str | None) -> None:
            if choice == "keep":
                self._end_draft()
            elif choice == "drop":
                self.change(Decide(lambda _, __: desk.drop(), "drop"))

        said = self.draft_view.summary() if self.draft_view is not None else "draft"
        self.app.push_screen(LeaveDraftDialog(said), answered)

    def use_desk(self, desk: Desk) -> None:
        """Go on with a draft."""
        self.desk = desk
        self.list.clear_marks()
        self.reload()

    def _end_draft(self) -> None:
        self.desk = self.draft_view = None
        self._show_line()
        self.list.clear_marks()
        self.reload()

    def drafted(self, write: Write) -> None:
        """A verb has become a step."""
        self.list.clear_marks()
        self.reload()

    def decided(self, intent: Decide, result: object) -> None:
        """The draft was opened, changed, written or thrown away."""
        from workbench.memory import Written
        from workbench.tui.drafting import Desk

        if isinstance(result, Desk):
            if result.steps:
                self.say("The draft that was kept goes on.")
            self.use_desk(result)
        elif isinstance(result, Written):
            self.forget_history()
            steps = len(self.desk.steps) if self.desk is not None else 0
            self._end_draft()
            self.said_saved(
                f"Applied: {steps} step{'' if steps == 1 else 's'} as one change; "
                f"{shown('memory.undo')} takes all of it back."
            )
        elif intent.verb == "drop":
            self._end_draft()
            self.say("The draft is thrown away; nothing of it was written.")
        else:
            self.reload()

    def refuse(self, error: WorkbenchError) -> None:
        """A draft that another window has changed is shown as it is now."""
        if isinstance(error, DraftMoved):
            self.reload()
        super().refuse(error)

    def draft_undo(self, desk: Desk) -> None:
        """Take back what the last key put in."""
        self.change(Decide(lambda _, __: desk.take_back(), "take back"))

    def draft_redo(self, desk: Desk) -> None:
        """Repeat what was taken back last."""
        self.change(Decide(lambda _, __: desk.repeat(), "repeat"))

    # -- applying -----------------------------------------------------------------------------------------------

    def do_apply(self) -> None:
        """Write all steps as one change; first what that comes to, or what no longer applies."""
        desk, view = self.desk, self.draft_view
        if desk is None or view is None:
            return
        if view.standing.conflicts:
            self._show_conflicts(desk)
            return
        outcome = view.standing.outcome
        if outcome.refused is not None:
            self.refuse(outcome.refused)
            return
        self._ask_to_apply(desk, outcome, view.steps)

    def _show_conflicts(self, desk: Desk) -> None:
        from workbench.tui.parts.dialogs import ConfirmDialog

        assert self.draft_view is not None
        conflicts = self.draft_view.standing.conflicts
        quote = "\n\n".join(safe(str(step.problem)) for step in conflicts[:QUOTED])
        many = len(conflicts) != 1
        them = "them" if many else "it"
        lead = (
            f"{len(conflicts)} step{'s' if many else ''} of the draft no longer appl{'y' if many else 'ies'}: the "
            f"files have changed since. Take {them} out? The other steps stay, and nothing is written yet."
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(Decide(lambda _, __: desk.drop_conflicts(), "take out"))

        self.app.push_screen(ConfirmDialog("what no longer applies", lead, quote, verb="take out"), answered)

    def _ask_to_apply(self, desk: Desk, outcome: Outcome, steps: int) -> None:
        from workbench.memory.applying import ACCEPT_EMPTY
        from workbench.tui.parts.dialogs import TypedDialog
        from workbench.tui.parts.preview import PreviewDialog, figures

        accept = frozenset(needed.flag for needed in outcome.confirm)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(Decide(lambda _, given: desk.apply(given), "apply", accept=accept))

        asked = [needed.what for needed in outcome.confirm]
        said, quote = _lost(outcome, steps)
        if ACCEPT_EMPTY in accept:
            self.app.push_screen(
                TypedDialog("this empties the store", " ".join([*asked, said]), "empty", quote), answered
            )
            return
        numbers = figures(outcome, self.workspace.limits)
        dialog = PreviewDialog("apply the draft", numbers, [*asked, said], quote, verb="apply", danger=bool(quote))
        self.app.push_screen(dialog, answered)

    # -- a draft of an earlier time ------------------------------------------------------------------------------

    @on(HomeJudged)
    def look_for_drafts(self) -> None:
        """Once, when everything else stands: is there a draft that was not applied?"""
        if not self.looked_for_drafts and not self.workspace.read_only:
            self.looked_for_drafts = True
            self._look_for_kept()

    @work(thread=True, exit_on_error=False, group="kept-draft")
    def _look_for_kept(self) -> None:
        from workbench.tui.drafting import Desk, kept_draft

        draft = kept_draft(self.workspace)
        if draft is not None and not cancelled():
            self.post_message(DraftKept(Desk(self.workspace, draft), draft.sheet.changed))

    @on(DraftKept)
    def draft_kept(self, message: DraftKept) -> None:
        """Offer it, unless something is going on already."""
        from workbench.tui.parts.dialogs import ConfirmDialog
        from workbench.tui.screens.saying import when

        if self.desk is not None or not self.is_current:
            self.say(f"A draft was kept; {shown('memory.draft')} goes on with it.")
            return
        steps = len(message.desk.steps)
        lead = (
            f"A draft of {steps} step{'' if steps == 1 else 's'} was kept, last changed "
            f"{when(message.changed, self.workspace.clock())}; nothing of it is written. Go on with it? "
            f"Later {shown('memory.draft')} does."
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.use_desk(message.desk)

        self.app.push_screen(ConfirmDialog("a draft", lead, verb="go on with it"), answered)

    # -- making room --------------------------------------------------------------------------------------------

    def do_room(self) -> None:
        """Open the panel of suggestions."""
        from workbench.tui.drafting import Desk
        from workbench.tui.screens.room import RoomScreen

        desk = self.desk or Desk(self.workspace)

        def drafted() -> None:
            if self.desk is None:
                self.desk = desk
            self.reload()

        def left(choice: str | None) -> None:
            if choice == "apply":
                self.desk = self.desk or desk
                self.apply_when_shown = True
                self.reload()

        screen = RoomScreen(self.workspace, desk, self.current, self.glyphs, drafted)
        self.app.push_screen(screen, left)


def _lost(outcome: Outcome, steps: int) -> tuple[str, str]:
    """A sentence about the whole draft, and the texts that leave both files."""
    kept = {text for texts in outcome.after.values() for text in texts}
    followed = {effect.before for effect in outcome.effects if effect.kind == "edited"}
    gone = [text for texts in outcome.before.values() for text in texts if text not in kept and text not in followed]
    said = f"{steps} step{'' if steps == 1 else 's'} in one change; {shown('memory.undo')} takes all of it back."
    if gone:
        said += " One entry goes, or" if len(gone) == 1 else f" {len(gone)} entries go, or"
        said += " becomes part of another:" if len(gone) == 1 else " become part of others:"
    quote = "\n\n".join(safe(text) for text in gone[:QUOTED])
    if len(gone) > QUOTED:
        quote += f"\n\n… and {len(gone) - QUOTED} more"
    return said, quote
