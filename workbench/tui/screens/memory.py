"""The Memory area: what its keys do, and why one may do nothing now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType

from workbench.errors import Conflict
from workbench.memory import FILE_NAMES, TARGETS
from workbench.tui.actions import bindings, of_scopes
from workbench.tui.facts import EntryView, Intent, Redo, Undo
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.searching import SearchKept, SearchTyped, matches
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.drafting import Drafting

if TYPE_CHECKING:
    from workbench.memory import TakenBack, Written

VERBS = frozenset({"delete", "merge", "split", "move", "edit_outside", "place_up", "place_down"})
NEEDS_ENTRY = VERBS | frozenset(
    {"forget", "edit", "open", "reveal", "mark", "range", "all", "copy", "copy_id", "find", "sessions"}
)
CHANGES = VERBS | frozenset({"new", "edit", "forget", "undo", "redo", "draft", "apply"})
PLACES = frozenset({"place_up", "place_down"})  # wait for the change before them by themselves


class MemoryScreen(Drafting):
    """The verbs over both stores."""

    SCOPES = ("memory", "app")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("memory", "app")]

    searched = ""

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What putting right means for this store, and in a draft what its keys do."""
        state = self.store.document.state if self.store is not None else "ok"
        right = {"missing": "put back", "ok": "tidy", "cosmetic": "tidy"}.get(state, "put right")
        return {**super().key_labels, "normalise": right}

    @property
    def key_scopes(self) -> tuple[str, ...]:
        """While a search is typed, its keys."""
        return ("find",) if self.query("FindLine") and not self.list.has_focus else self.SCOPES

    # -- why not ------------------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if self.store is None:
            return "" if action_id in ("help", "quit") else "The home is still being read."
        name = FILE_NAMES[self.current]
        if action_id in CHANGES and self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if action_id in CHANGES - PLACES and self.busy:
            return "A change is being written; another program may hold the file for a moment."
        if action_id == "area_memory":
            return "This is the Memory area."
        if action_id in NEEDS_ENTRY and self.entry is None and self.draft_view is not None and self.list.rows:
            return f"This entry is gone in the draft; {shown('memory.undo')} takes back what was done last."
        if action_id in NEEDS_ENTRY and self.entry is None:
            return f"{name} shows no entry to do this with."
        return (
            self.verb_reason(action_id, name) or self.draft_reason(action_id) or self._special_reason(action_id, name)
        )

    def _special_reason(self, action_id: str, name: str) -> str:
        store, view, judged = self.store, self.entry, self.judgement
        assert store is not None
        match action_id:
            case "new" if store.document.state == "unreadable":
                return f"{name} cannot be read, so nothing is added to it."
            case "new" if store.document.state == "lossy":
                return f"{name} holds an entry longer than its whole limit; split (s) or shorten it first."
            case "new" if store.document.left <= 0:
                return f"{name} is full: {-store.document.left:,} characters over. Shorten or delete an entry first."
            case "reveal" if view is not None and not view.secret:
                return "This entry holds no credential."
            case "undo" if self.desk is None and judged is not None and judged.undo == "":
                return "There is nothing to undo."
            case "redo" if self.desk is None and judged is not None and judged.redo == "":
                return "There is nothing to redo."
            case "normalise" if self.workspace.read_only and store.document.data is None:
                return "Opened with --read-only: nothing is changed."
            case "next" | "previous" if not self.searched:
                return f"Nothing is being searched; {shown('memory.find')} starts."
            case "next" | "previous" if not self._matching():
                return f"“{safe(self.searched)}” is not in {name}."
            case "back" if not self._back_to() and self.journey is None:
                return f"This is the outermost level; {shown('app.quit')} quits."
        return ""

    # -- moving -------------------------------------------------------------------------------------------------

    def do_area_memory(self) -> None:
        """Already here."""

    def do_down(self) -> None:
        """Next entry."""
        self.list.move(1)

    def do_up(self) -> None:
        """Previous entry."""
        self.list.move(-1)

    def do_top(self) -> None:
        """First entry."""
        self.list.move(-len(self.list.rows))

    def do_bottom(self) -> None:
        """Last entry."""
        self.list.move(len(self.list.rows))

    def do_half_down(self) -> None:
        """Half a screen down."""
        self.list.move_half(1)

    def do_half_up(self) -> None:
        """Half a screen up."""
        self.list.move_half(-1)

    def do_pane(self) -> None:
        """The other store."""
        self.go_to(TARGETS[1 - TARGETS.index(self.current)])

    do_pane_back = do_pane

    def do_zoom(self) -> None:
        """One store over the whole height, and back."""
        self.set_zoom(not self.zoomed)

    def _back_to(self) -> str:
        """What one level back would end: "" at the outermost level."""
        if self.query("FindLine") or self.searched:
            return "find"
        if self.list.range_from is not None or self.list.marks:
            return "marks"
        return "zoom" if self.zoomed else ""

    def do_back(self) -> None:
        """One level back; never quits."""
        match self._back_to():
            case "find":
                self._end_find()
            case "marks":
                self.list.clear_marks()
            case "zoom":
                self.set_zoom(False)

    # -- marking, finding ---------------------------------------------------------------------------------------

    def do_mark(self) -> None:
        """Mark, and go on to the next."""
        self.list.toggle_mark()
        self.list.move(1)

    def do_range(self) -> None:
        """Begin or end a range."""
        self.list.toggle_range()

    def do_all(self) -> None:
        """All or none."""
        self.list.mark_all()

    def do_find(self) -> None:
        """Open the line to type in."""
        from workbench.tui.parts.find import FindLine

        if not self.query("FindLine"):
            self.mount(FindLine(), before=self.query_one(KeyLine))
            self.call_after_refresh(self.refresh_keys)

    @on(SearchTyped)
    def find_typed(self, message: SearchTyped) -> None:
        """Highlight as it is typed, and go to the first match from the cursor on."""
        self.searched = message.text
        found = self._highlight()
        self.query_one("FindLine #found", Plain).say(f"{len(found)} of {len(self.list.rows)}" if self.searched else "")
        if found and self.list.cursor_id not in found:
            self._step(1)

    @on(SearchKept)
    def find_kept(self) -> None:
        """Back to the list, the search stays for n and N."""
        self.set_focus(self.list)  # at once: a widget removed while it has the focus gives it to its neighbour
        self.query("FindLine").remove()
        self.refresh_keys()

    def do_keep(self) -> None:
        """Enter in the line of the search, by mouse."""
        self.find_kept()

    def do_close(self) -> None:
        """Escape in the line of the search, by mouse."""
        self._end_find()

    def _highlight(self) -> list[str]:
        for target in TARGETS:
            pane = self.pane(target)
            spans = matches(pane.list.rows, self.searched)
            pane.list.set_matches(spans)
            pane.searched = f"“{safe(self.searched)}” {len(spans)}" if self.searched else ""
            pane.refresh_subtitle()
        self.refresh_keys()
        return self._matching()

    def _matching(self) -> list[str]:
        return list(matches(self.list.rows, self.searched))

    def _end_find(self) -> None:
        self.searched = ""
        self.set_focus(self.list)
        self.query("FindLine").remove()
        self._highlight()

    def _step(self, direction: int) -> None:
        """To the next match in a direction, around the end."""
        found = set(self._matching())
        ids = [row.id for row in self.list.rows]
        at = ids.index(self.list.cursor_id) if self.list.cursor_id in ids else 0
        for offset in range(1, len(ids) + 1):
            candidate = ids[(at + direction * offset) % len(ids)]
            if candidate in found:
                self.list.move_to(candidate)
                return

    def do_next(self) -> None:
        """The next match."""
        self._step(1)

    def do_previous(self) -> None:
        """The previous match."""
        self._step(-1)

    def rows_changed(self) -> None:
        """A search goes on over new entries."""
        super().rows_changed()
        if self.searched:
            self._highlight()

    # -- one entry ----------------------------------------------------------------------------------------------

    @on(VirtualList.Opened)
    def opened(self) -> None:
        """A double click."""
        self.action_run("open")

    def do_open(self) -> None:
        """The entry over everything else."""
        from workbench.tui.screens.entry import EntryScreen

        facts = self.facts()
        if facts is None:
            return
        reasons = {action.id: self.why_disabled(action.id) for action in of_scopes("entry") if action.rank > 1}

        def left(action_id: str | None) -> None:
            if action_id is not None:
                self.action_run(action_id)

        self.app.push_screen(EntryScreen(facts, self.glyphs, reasons), left)

    def do_sessions(self) -> None:
        """The conversations that know most of the entry."""
        from workbench.tui.app import WorkbenchApp

        app = self.app
        if self.entry is not None and isinstance(app, WorkbenchApp):
            app.look_for_text(self.entry.entry.text)

    def do_reveal(self) -> None:
        """Show or mask the entry's credentials in the detail."""
        if self.entry is not None:
            self.revealed ^= {self.entry.entry.id}
            self.refresh_detail()

    def _copy(self, view: EntryView) -> None:
        self.app.copy_to_clipboard(view.entry.text)
        self.say(f"Copied: {view.entry.chars:,} characters.")

    def do_copy(self) -> None:
        """Copy the exact text."""
        view = self.entry
        if view is not None:
            self.unmasked((view,), "copy", lambda: self._copy(view))

    def do_copy_id(self) -> None:
        """Copy the id."""
        if self.entry is not None:
            self.app.copy_to_clipboard(self.entry.entry.id)
            self.say(f"Copied: {self.entry.entry.id}.")

    # -- changing -----------------------------------------------------------------------------------------------

    def do_new(self) -> None:
        """Write a new entry."""
        self.open_editor()

    def do_edit(self) -> None:
        """Change the entry."""
        view = self.entry
        if view is not None:
            self.unmasked((view,), "edit", lambda: self.open_editor(view.entry.text))

    def do_undo(self) -> None:
        """Take the newest change back; in a draft its last step."""
        if self.desk is not None:
            self.draft_undo(self.desk)
        else:
            self.change(Undo())

    def do_redo(self) -> None:
        """Repeat what was taken back."""
        if self.desk is not None:
            self.draft_redo(self.desk)
        else:
            self.change(Redo())

    def changed(self, intent: Intent, result: Written | TakenBack) -> None:
        """Say what was done, and read it back from the disk."""
        from workbench.memory import Reorder, TakenBack
        from workbench.tui.screens.saying import done_sentence, taken_sentence

        self.forget_history()
        if isinstance(result, TakenBack):
            now = self.workspace.clock()
            self.said_saved(taken_sentence(result, redone=isinstance(intent, Redo), now=now))
        else:
            if not isinstance(result.outcome.operation, Reorder):
                self.list.clear_marks()
            self.said_saved(done_sentence(result.outcome))
        self.reload()

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """The store has moved on: say so and show it as it is."""
        self.refuse(error)
        self.reload()
