"""Deciding about waiting records: the verbs of the Inbox area that write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, TARGETS
from workbench.text import mask_piece
from workbench.tui.facts import Decide, Intent, Redo, Undo
from workbench.tui.inbox_facts import VIEWS, name_of, said_here
from workbench.tui.keymap import shown
from workbench.tui.screen_text import one_line, safe
from workbench.tui.screens.inbox_view import InboxView

if TYPE_CHECKING:
    from workbench.inbox import Decision, Preview, Step
    from workbench.memory import TakenBack, Written
    from workbench.tui.screens.editor import Edited
    from workbench.workspace import Workspace

# A question quotes at most so much of what would be lost.
QUOTED = 4_000
SAID = {"approved": "accepted", "refused": "refused", "edited": "edited", "retargeted": "retargeted"}


@dataclass(frozen=True)
class Refused:
    """The records that were taken away, and what stopped it before the last (None: nothing did)."""

    done: tuple[Decision, ...]
    error: WorkbenchError | None = None


class Deciding(InboxView):
    """What `a`, `A`, `r`, `R`, `e`, `E`, `>`, `u`, `U` and `W` do."""

    # -- what is meant ------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[Preview, ...]:
        """The marked records in the order of the queue, or the one under the cursor."""
        if self.facts is None:
            return ()
        marked = tuple(one for key, one in self.facts.previews.items() if key in self.list.marks)
        return marked or ((self.preview,) if self.preview is not None else ())

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The marked operations of a batch, from 1; None for the whole record."""
        if self.view != VIEWS[1] or self.preview is None or self.preview.record.subsystem == "skills":
            return None
        marked = tuple(sorted(int(row) for row in self.operations.marks))
        return marked if 0 < len(marked) < len(self.operations.rows) else None

    @property
    def number(self) -> int | None:
        """The operation that an edit or a new aim is about: the one under the cursor of the operations."""
        preview = self.preview
        if preview is None or len(preview.record.operations) < 2:
            return None
        row = self.operations.cursor_id if self.view == VIEWS[1] else None
        return int(row) if row is not None and row.isdigit() else None

    # -- why not ------------------------------------------------------------------------------------------------

    def why_not_decided(self, action_id: str, preview: Preview) -> str:
        """Why a verb cannot be about this record; "" when it can."""
        record = preview.record
        if action_id == "refuse_marked" and self.list.marks:
            fit = [one for one in self.chosen if not one.record.problem]
            return "" if fit else "None of the marked records is the agent's; they are left as they are."
        if record.problem:
            why = one_line(record.why)
            raw = f"{shown('inbox.view')} shows it raw"
            return f"It is left as it is ({why}); {raw}, and it can only be dealt with where it came from."
        match action_id:
            case "accept" if self.numbers is None and preview.refused is not None:
                return one_line(said_here(str(preview.refused)))
            case "edit" | "edit_outside":
                return self._why_not_edited(preview)
            case "retarget":
                return self._why_not_retargeted(preview)
        return ""

    def _why_not_edited(self, preview: Preview) -> str:
        record = preview.record
        if record.subsystem == "skills":
            if record.action in ("delete", "remove_file"):
                return f"There is no text to edit in a removal; {shown('inbox.refuse')} refuses it."
            return "" if preview.writes else one_line(str(preview.refused or "This cannot be edited here."))
        part, why = self._part(preview)
        if why:
            return why
        if part == "remove":
            ways = f"{shown('inbox.retarget')} retargets it, {shown('inbox.refuse')} refuses it"
            return f"There is no text to edit in a removal; {ways}."
        if preview.status in ("stale", "ambiguous") and part != "add":
            return "It is not clear which entry is meant; > aims it at one first."
        return ""

    def _why_not_retargeted(self, preview: Preview) -> str:
        if preview.record.subsystem == "skills":
            return "The record of a skill names its file; it cannot be aimed at another one."
        part, why = self._part(preview)
        if why:
            return why
        if part == "add":
            return "" if self._readdressed(preview) else "An addition is about no entry; there is nothing to retarget."
        if self.facts is not None and not self.facts.documents[preview.record.target].texts:
            return f"{FILE_NAMES[preview.record.target]} holds no entry to aim it at."
        return ""

    @staticmethod
    def _readdressed(preview: Preview) -> bool:
        """Whether the record holds only additions: those can go to the other store."""
        return all(isinstance(part, dict) and part.get("action") == "add" for part in preview.record.operations)

    def _part(self, preview: Preview) -> tuple[str, str]:
        """The action of the operation that is meant, or why none is."""
        parts = preview.record.operations
        if len(parts) > 1 and self.number is None:
            return "", f"The record holds {len(parts)} operations; {shown('inbox.view')} shows them, choose one there."
        number = self.number or 1
        part = parts[number - 1] if number <= len(parts) else None
        action = part.get("action") if isinstance(part, dict) else None
        return (action, "") if isinstance(action, str) else ("", "This is not an operation that can be changed.")

    # -- accepting ----------------------------------------------------------------------------------------------

    def do_accept(self) -> None:
        """Accept the record, or its marked operations; asks first for what loses something."""
        preview, numbers = self.preview, self.numbers
        if preview is None:
            return

        def make(workspace: Workspace, given: frozenset[str]) -> Decision:
            return workspace.inbox.accept(preview, given=given, numbers=numbers)

        intent = Decide(make, "accept", preview)
        if numbers is None and preview.needs:
            self.ask_needs(intent, preview)
        else:
            self.change(intent)

    def ask_needs(self, intent: Decide, preview: Preview) -> None:
        """Name what would be lost or kept from the prompt, once for all that has to be agreed to."""
        from workbench.memory.applying import ACCEPT_BLOCKED, ACCEPT_EMPTY, ACCEPT_LOSS
        from workbench.tui.parts.dialogs import ConfirmDialog, TypedDialog

        lines = [f"{name_of(preview)}:"]
        quote = ""
        needed = preview.outcome.confirm if preview.outcome is not None else ()
        for one in needed:
            lines.append(safe(one.what))
        if ACCEPT_LOSS in preview.needs:
            quote = "lost: " + " · ".join(safe(mask_piece(preview.before or "", piece)) for piece in preview.dropped)
        elif ACCEPT_EMPTY in preview.needs:
            quote = safe(preview.before or "")
        elif ACCEPT_BLOCKED in preview.needs:
            quote = safe(preview.after or "")
        given = replace(intent, accept=intent.accept | frozenset(preview.needs))

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(given)

        lead = "\n".join([*lines, f"{shown('inbox.undo')} takes it back."])
        if ACCEPT_EMPTY in preview.needs:
            self.app.push_screen(TypedDialog("this empties the store", lead, "empty", quote[:QUOTED]), answered)
        else:
            title = "this loses something" if ACCEPT_LOSS in preview.needs else "please confirm"
            dialog = ConfirmDialog(title, lead, quote[:QUOTED], verb="accept all the same", danger=True)
            self.app.push_screen(dialog, answered)

    def do_accept_all(self) -> None:
        """First what would become of all of them in their order, then, on yes, one after the other."""
        from workbench.tui.screens.all_ready import AllReadyScreen

        if self.facts is None:
            return
        previews = self.by_age(self.chosen if self.list.marks else tuple(self.facts.previews.values()))

        def left(steps: tuple[Step, ...] | None) -> None:
            self.ours = bool(steps)
            done = sum(step.decision is not None for step in steps or ())
            if done:
                self.list.clear_marks()
                many = f"{done} record{'' if done == 1 else 's'}"
                self.say(f"Accepted {many}; {shown('inbox.undo')} takes them back one by one.{self.told()}")
                self.reload()

        self.app.push_screen(AllReadyScreen(self.workspace, previews, self.glyphs), left)

    @staticmethod
    def by_age(previews: tuple[Preview, ...]) -> tuple[Preview, ...]:
        """Oldest first, as the queue itself is ordered."""
        return tuple(sorted(previews, key=lambda one: (one.record.created_at or 0.0, one.record.key)))

    # -- refusing -----------------------------------------------------------------------------------------------

    def do_refuse(self) -> None:
        """Take the record away."""
        preview = self.preview
        if preview is not None:
            self._refuse((preview,), "")

    def do_refuse_marked(self) -> None:
        """Take the marked ones, or this one, away, with a reason."""
        from workbench.tui.screens.inbox_dialogs import ReasonDialog

        previews = tuple(one for one in self.chosen if not one.record.problem)
        left_out = len(self.chosen) - len(previews)

        def answered(reason: str | None) -> None:
            if reason is not None:
                self._refuse(previews, reason)

        self.app.push_screen(ReasonDialog([name_of(one) for one in previews], left_out), answered)

    def _refuse(self, previews: tuple[Preview, ...], reason: str) -> None:
        def make(workspace: Workspace, given: frozenset[str]) -> Refused:
            done: list[Decision] = []
            for one in previews:
                try:
                    done.append(workspace.inbox.refuse(one.record, given=given, reason=reason))
                except WorkbenchError as error:
                    if not done:
                        raise
                    return Refused(tuple(done), error)
            return Refused(tuple(done))

        self.change(Decide(make, "refuse", previews[0] if len(previews) == 1 else None))

    # -- another text, another entry ----------------------------------------------------------------------------

    def do_edit(self) -> None:
        """Change the proposed text in the editor, and accept it."""
        self.unmasked("edit", lambda: self.open_editor(None))

    def do_edit_outside(self) -> None:
        """Change the proposed text in the user's own editor; it comes back into ours, to be accepted there."""
        self.unmasked("edit", self._edit_outside)

    def _edit_outside(self) -> None:
        from workbench.tui.external import edit_outside
        from workbench.tui.screens.record_editor import proposed_text

        if self.preview is None:
            return
        done = edit_outside(self.app, proposed_text(self.preview, self.number))
        if done.problem:
            self.say(done.problem, "error" if done.text is None else "warning")
        if done.text is not None:
            self.open_editor(done.text)

    def open_editor(self, initial: str | None, then: Callable[[], None] = lambda: None) -> None:
        """The editor over the proposed text, or over `initial`; `then` is called when it is left."""
        from workbench.tui.screens.record_editor import Accepted, RecordEditor

        preview = self.preview
        if preview is None or self.facts is None:
            return
        screen = RecordEditor(self.workspace, self.facts, preview, self.number, self.glyphs, initial=initial)

        def left(edited: Edited | None) -> None:
            if isinstance(edited, Accepted):
                self.after(edited.decision)
            then()

        self.app.push_screen(screen, left)

    def do_retarget(self) -> None:
        """Choose the entry that the record is to be about."""
        from workbench.tui.screens.inbox_dialogs import PickDialog

        preview, number = self.preview, self.number
        if preview is None or self.facts is None:
            return
        if self._readdressed(preview):
            other = TARGETS[1 - TARGETS.index(preview.record.target)]

            def readdress(workspace: Workspace, given: frozenset[str]) -> object:
                return workspace.inbox.readdress(preview, other, given=given)

            self.change(Decide(readdress, "retarget", preview))
            return
        texts = self.facts.documents[preview.record.target].texts

        def picked(text: str | None) -> None:
            if text is None:
                return

            def make(workspace: Workspace, given: frozenset[str]) -> Decision:
                return workspace.inbox.retarget(preview, text, number=number, given=given)

            self.change(Decide(make, "retarget", preview))

        title = f"aim it at an entry of {FILE_NAMES[preview.record.target]}"
        self.app.push_screen(PickDialog(title, texts, preview.before, self.glyphs), picked)

    def unmasked(self, verb: str, then: Callable[[], None]) -> None:
        """Do something that shows credentials: at once when they are revealed already, else after a question."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        if self.shown is None or not self.shown.secret or not self.masked:
            then()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                then()

        lead = f"The record holds a credential. {verb.capitalize()} it unmasked?"
        self.app.push_screen(ConfirmDialog("a credential", lead, verb=verb), answered)

    # -- the gate -----------------------------------------------------------------------------------------------

    def do_gate(self) -> None:
        """Show both switches and what they would change in config.yaml."""
        from workbench.tui.screens.inbox_dialogs import GateDialog

        if self.facts is None:
            return
        approval = dict(zip(("memory", "skills"), self.facts.approval, strict=True))

        def switched(subsystem: str | None) -> None:
            if subsystem is None:
                return
            on = not approval[subsystem]

            def make(workspace: Workspace, given: frozenset[str]) -> str:
                from workbench.memory.store import FOLLOW_LINK

                workspace.set_gate(subsystem, on, follow=FOLLOW_LINK in given)
                asks = "asks" if on else "does not ask"
                return f"The agent {asks} before it writes {subsystem}; {shown('inbox.undo')} takes it back."

            self.change(Decide(make, "switch"))

        self.app.push_screen(GateDialog(self.workspace, approval), switched)

    # -- taking back --------------------------------------------------------------------------------------------

    def do_undo(self) -> None:
        """Take the newest change back; the record of a decision waits again."""
        self.change(Undo())

    def do_redo(self) -> None:
        """Repeat what was taken back."""
        self.change(Redo())

    # -- afterwards ---------------------------------------------------------------------------------------------

    def told(self) -> str:
        """Who does not know of an approval."""
        provider = self.facts.provider if self.facts is not None else ""
        if not provider:
            return ""
        return f"\n{one_line(provider)} is told only by a running agent; it does not know of this."

    def decided(self, intent: Decide, result: object) -> None:
        """Let the decision be seen, say what else there is to know, go on."""
        from workbench.inbox import Decision

        if isinstance(result, Refused):
            self.list.clear_marks()
        if isinstance(result, Refused) and len(result.done) > 1:
            said = f"Refused {len(result.done)} records; {shown('inbox.undo')} puts them back one by one."
            self._said_and_read(f"{said} Stopped: {result.error}" if result.error is not None else said)
        elif isinstance(result, Refused):
            self.after(result.done[0])
        elif isinstance(result, Decision):
            self.after(result)
        else:
            self._said_and_read(str(result))

    def _said_and_read(self, said: str) -> None:
        self.taking, self.ours = None, True
        self.say(said)
        self.reload()

    def after(self, decision: Decision) -> None:
        """Show what was decided on the record's row, and say it."""
        self.taking, self.ours = None, True
        key, verdict = decision.preview.record.key, SAID[decision.verdict]
        name = name_of(decision.preview)
        if decision.verdict == "approved":
            left = f" {decision.left} of its operations still wait." if decision.left else ""
            self.say(f"Accepted: {name}.{left} {shown('inbox.undo')} takes it back.{self.told()}")
            self.hold(key, f"{self.glyphs.tick} {verdict}" + (" in part" if decision.left else ""), "come")
        elif decision.verdict == "refused":
            self.say(f"Refused: {name}; {shown('inbox.undo')} puts it back.")
            self.hold(key, f"{self.glyphs.gone} {verdict}", "faint")
        else:
            self.goto = key
            self.say(f"{verdict.capitalize()}: {name}. It goes on waiting; {shown('inbox.undo')} takes that back.")
            self.reload()

    def changed(self, intent: Intent, result: Written | TakenBack) -> None:
        """An undo or a redo: go to the record that is back."""
        from workbench.memory import TakenBack
        from workbench.tui.screens.saying import taken_sentence

        self.taking = None
        self.ours = True
        if isinstance(result, TakenBack):
            self.say(taken_sentence(result, redone=isinstance(intent, Redo), now=self.workspace.clock()))
            self.goto = _record_of(result)
        self.reload()


def _record_of(taken: TakenBack) -> str | None:
    """The key of the record whose file an undo wrote or removed."""
    for file in taken.about.files if taken.about is not None else ():
        folder, _, name = file.path.rpartition("/")
        if folder.startswith("pending/"):
            return f"{folder.removeprefix('pending/')}/{name.removesuffix('.json')}"
    return None
