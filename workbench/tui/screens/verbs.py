"""The verbs that act on the marked entries, or on the one under the cursor: delete, move, merge, split, normalise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from workbench.memory import FILE_NAMES, TARGETS, entry_id
from workbench.tui.facts import Decide, EntryView
from workbench.tui.keymap import shown
from workbench.tui.screens.previewing import Proposal, what_is_lost
from workbench.tui.screens.reordering import Reordering

if TYPE_CHECKING:
    from workbench.memory import Outcome
    from workbench.tui.screens.editor import Edited

# An entry longer than the limit stops these until it is split or shortened.
NOT_ON_LOSSY = frozenset({"delete", "merge", "move", "place_up", "place_down"})


class Verbs(Reordering):
    """What `m`, `s`, `>`, `d`, `=` and `E` do."""

    @property
    def chosen(self) -> tuple[EntryView, ...]:
        """The marked entries in file order, or the one under the cursor."""
        store, view = self.store, self.entry
        if store is None:
            return ()
        marked = tuple(one for one in store.entries if one.entry.id in self.list.marks)
        return marked or ((view,) if view is not None else ())

    @property
    def other(self) -> str:
        """The store that is not the current one."""
        return TARGETS[1 - TARGETS.index(self.current)]

    # -- why not ------------------------------------------------------------------------------------------------

    def verb_reason(self, action_id: str, name: str) -> str:
        """Why one of these verbs does nothing now; "" when it works, or is none of them."""
        store, view = self.store, self.entry
        assert store is not None
        document = store.document
        if action_id in NOT_ON_LOSSY and document.state == "lossy":
            return (
                f"{name} holds an entry longer than its whole limit: {shown('memory.split')} splits it, "
                f"{shown('memory.edit')} shortens it; then this works."
            )
        match action_id:
            case "merge" if len(self.list.marks) < 2:
                return (
                    "Mark at least two entries of this store first: "
                    f"{shown('memory.mark')} marks one, {shown('memory.range')} a range."
                )
            case "split" | "edit_outside" | "edit" if view is not None and self._another_first(view):
                return f"{name} holds an entry longer than its whole limit; that one comes first."
            case "split" if view is not None and not self._can_be_cut(view.entry.text):
                return "There is no place in this entry to cut it."
            case "move":
                return self._why_not_there()
            case "place_up" | "place_down":
                return self.place_reason(action_id)
            case "normalise":
                return self._why_tidy(name)
        return ""

    def _can_be_cut(self, text: str) -> bool:
        return text in self.face.joins or bool(_places(text))

    def _another_first(self, view: EntryView) -> bool:
        assert self.store is not None
        document = self.store.document
        return document.state == "lossy" and view.entry.chars <= document.limit

    def _why_not_there(self) -> str:
        assert self.home is not None
        goal, name = self.home.stores[self.other].document, FILE_NAMES[self.other]
        if goal.state == "unreadable":
            return f"{name} cannot be read, so nothing is moved there."
        if goal.state == "lossy":
            return f"{name} holds an entry longer than its whole limit; split or shorten that one first."
        return ""

    def _why_tidy(self, name: str) -> str:
        from workbench.memory.layout import is_tidy

        assert self.store is not None
        document = self.store.document
        if self.good(self.current) or document.state in ("unreadable", "lossy", "over") or not is_tidy(document):
            return ""
        if document.data is None:
            return f"There is no {name}, and nothing is known of an earlier one."
        return "" if document.hints else f"{name} has the agent's own layout already."

    # -- the verbs ----------------------------------------------------------------------------------------------

    def do_delete(self) -> None:
        """Take the entry, or the marked ones, away; first see what that means."""
        from workbench.memory import Batch, Exact, Remove

        removals = tuple(Remove(self.current, Exact(one.entry.text)) for one in self.chosen)
        operation = removals[0] if len(removals) == 1 else Batch(removals)
        self.propose(Proposal(operation, "delete", "delete", what_is_lost, danger=True))

    def do_move(self) -> None:
        """Take the entry, or the marked ones, to the other store."""
        from workbench.memory import Batch, Exact, Move

        moves = tuple(Move(self.current, Exact(one.entry.text), self.other) for one in self.chosen)
        operation = moves[0] if len(moves) == 1 else Batch(moves)
        self.propose(Proposal(operation, f"move to {FILE_NAMES[self.other]}", "move", self._moved_words))

    def _moved_words(self, outcome: Outcome) -> tuple[Sequence[str], str]:
        assert self.home is not None
        goal = self.other
        texts = [effect.before for effect in outcome.effects if effect.kind == "moved"]
        there = sum(text in outcome.before[goal] for text in texts)
        what = "This entry goes" if len(texts) == 1 else f"These {len(texts)} entries go"
        lines = [f"{what} to the end of {FILE_NAMES[goal]}, in one change; {shown('memory.undo')} takes it back."]
        if there:
            lines.append(f"{there} of them stand{'s' if there == 1 else ''} there already and only leave this store.")
        if not self.home.stores[goal].enabled:
            lines.append(f"{FILE_NAMES[goal]} is switched off: the agent will not see what is moved there.")
        return lines, ""

    def do_normalise(self) -> None:
        """See what is wrong with the file, and put it right."""
        from workbench.tui.screens.drift import put_back, put_right

        if self.good(self.current) and self.store is not None and self.store.document.data is None:
            self.change(put_back(self.current))  # nothing is lost by that, so there is nothing to look at first
        else:
            put_right(self, self.current, self.glyphs, self._put_right)

    def decided(self, intent: Decide, result: object) -> None:
        """A file that was gone is there again."""
        self._put_right(f"{FILE_NAMES[intent.verb]} is back; {shown('memory.undo')} takes it back.")

    def _put_right(self, done: str | None) -> None:
        if done:
            self.forget_history()
            self.said_saved(done)
        self.reload()

    def do_backups(self) -> None:
        """The backups of both files."""
        from workbench.tui.screens.backups import open_backups

        open_backups(self, self.glyphs, self._put_right)

    def do_forget(self) -> None:
        """Take the text of the entry out of everything, for good."""
        from workbench.tui.screens.forgetting import ForgetScreen

        view = self.entry
        if view is not None:
            self.app.push_screen(ForgetScreen(self.workspace, view.entry.text, self.glyphs), self._put_right)

    def do_merge(self) -> None:
        """Make one entry out of the marked ones, in the editor."""
        views = self.chosen
        self.unmasked(views, "merge", lambda: self.open_editor(merging=tuple(view.entry.text for view in views)))

    def do_split(self) -> None:
        """Cut the entry into several."""
        view = self.entry
        if view is not None:
            self.unmasked((view,), "split", lambda: self._split(view))

    def _split(self, view: EntryView) -> None:
        from workbench.tui.screens.split import SplitScreen

        assert self.store is not None
        text = view.entry.text
        screen = SplitScreen(
            self.workspace, self.store, text, self.glyphs, self.show_preview, joined=self.face.joins.get(text)
        )
        screen.desk = self.desk
        self.app.push_screen(screen, self._left(self.current, "Split"))

    def do_edit_outside(self) -> None:
        """Change the entry in the user's own editor."""
        view = self.entry
        if view is not None:
            self.unmasked((view,), "edit", lambda: self._edit_outside(view.entry.text))

    def _edit_outside(self, before: str) -> None:
        from workbench.tui.external import edit_outside

        done = edit_outside(self.app, before)
        if done.problem:
            self.say(done.problem, "error" if done.text is None else "warning")
        if done.text is not None and done.text.strip() != before:
            self.open_editor(before, initial=done.text)

    # -- what they share ----------------------------------------------------------------------------------------

    def unmasked(self, views: Sequence[EntryView], verb: str, then: Callable[[], None]) -> None:
        """Do something that shows credentials: at once when they are revealed already, else after a question."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        hidden = [view for view in views if view.secret and view.entry.id not in self.revealed]
        if not hidden:
            then()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                then()

        what = "This entry holds a credential." if len(views) == 1 else f"{len(hidden)} of these hold a credential."
        lead = f"{what} {verb.capitalize()} {'it' if len(views) == 1 else 'them'} unmasked?"
        self.app.push_screen(ConfirmDialog("a credential", lead, hidden[0].text, verb=verb), answered)

    def open_editor(
        self, before: str | None = None, *, initial: str | None = None, merging: tuple[str, ...] = ()
    ) -> None:
        """Open the editor: on an entry, on a new one, or on what several are to become."""
        from workbench.tui.screens.editor import EditorScreen

        assert self.store is not None
        screen = EditorScreen(
            self.workspace,
            self.store,
            before,
            self.glyphs,
            initial=initial,
            merging=merging,
            preview=self.show_preview,
        )
        screen.desk = self.desk
        self.app.push_screen(screen, self._left(self.current, "Merged" if merging else "Saved"))

    def _left(self, target: str, verb: str) -> Callable[[Edited | None], None]:
        def left(edited: Edited | None) -> None:
            self.show_preview(None)
            if edited is not None and edited.saved is not None:
                self.forget_history()
                self.list.clear_marks()
                self.goto = (target, entry_id(edited.saved))
                if self.desk is not None:
                    self.say(f"{verb} in the draft; {shown('memory.undo')} takes the step back.")
                else:
                    self.said_saved(f"{verb} in {FILE_NAMES[target]}; {shown('memory.undo')} takes it back.")
            self.reload()

        return left


@lru_cache(maxsize=4)
def _places(text: str) -> tuple[int, ...]:
    from workbench.memory.splitting import places

    return places(text)
