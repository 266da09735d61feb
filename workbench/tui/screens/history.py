"""The History area: what its keys do, and why one may do nothing now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.timer import Timer

from workbench.tui.actions import bindings
from workbench.tui.history_facts import VIEWS, ChangesFound, find_text
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.searching import SearchTyped, matches
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.putting import Putting

if TYPE_CHECKING:
    from workbench.history import ChangeSet

CHANGES = frozenset({"undo", "redo", "take_back", "restore"})
# Among so many changes a search waits for a pause in the typing (seconds).
MANY, PAUSE = 2_000, 0.15
ALWAYS = frozenset({"help", "quit", "area_memory", "area_inbox", "area_prompt"})


class HistoryScreen(Putting):
    """The verbs over the line of time."""

    SCOPES = ("history", "app")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("history", "app")]

    matching: tuple[str, ...] = ()  # ids of the rows that match, in the order of the list
    _pause: Timer | None = None
    _jump = False  # to the first match, once it is found

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What a key means here and now."""
        following = VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)]
        if len(self.chosen) == 2:
            following = VIEWS[0] if self.view == VIEWS[2] else VIEWS[2]
        return {
            "restore": "put entry back" if self.reading else "restore",
            "view": "entries" if len(self.chosen) == 2 and following == VIEWS[0] else following,
            "reveal": "reveal" if self.masked else "mask",
        }

    # -- why not ------------------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id == "area_history":
            return "This is the History area."
        if action_id in ALWAYS or action_id.startswith("area_") or action_id in ("keep", "close"):
            return ""
        if self.past is None:
            return "The home is still being read."
        if action_id in CHANGES and self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if action_id in CHANGES and self.busy:
            return "A change is being written; another program may hold the file for a moment."
        if action_id == "backups":
            return ""
        if action_id == "back":
            return "" if self._back_to() else f"This is the outermost level; {shown('app.quit')} quits."
        change = self.change_set
        if change is None:
            return "Nothing is recorded yet."
        if action_id in CHANGES:
            return self._why_not_written(action_id, change)
        return self._why_not_shown(action_id)

    def _why_not_written(self, action_id: str, change: ChangeSet) -> str:
        assert self.past is not None
        marks = self.past.marks
        match action_id:
            case "undo" if marks.undo is None:
                return "There is nothing to undo."
            case "redo" if marks.redo is None:
                return "There is nothing to redo."
            case "take_back" if len(self.chosen) == 2:
                return f"Two changes are marked; {shown('history.back')} takes the marks away."
            case "take_back" if change.kind == "baseline":
                return "So the file was first found; nothing is known from before."
            case "take_back" if change.kind == "undo":
                return (
                    f"This took a change back; redo that one with {shown('history.redo')}, "
                    f"or restore a version with {shown('history.restore')}."
                )
            case "take_back" if change.id in marks.undone:
                return "This is taken back already."
            case "take_back" | "restore" if not change.landed or not change.files:
                return "This never reached the disk."
            case "restore" if self.reading:
                return self._why_not_put_back()
            case "restore" if len(self.chosen) == 2:
                return f"Two changes are marked; {shown('history.back')} takes the marks away."
            case "restore" if all(self.past.now.get(file.path, "?") == file.after for file in change.files):
                return "The files hold this version already."
        return ""

    def _why_not_put_back(self) -> str:
        plan = self.entry_plan()
        if plan is None:
            return "No entry is chosen here; in the list this key restores the whole file."
        if plan.change.kind == "added":
            return "This entry came with the change; - in the list takes the change back."
        if plan.change.kind == "moved":
            return "This entry only changed its place; - in the list takes the change back."
        return ""

    def _why_not_shown(self, action_id: str) -> str:
        view = self.difference
        match action_id:
            case "layout" if not view.compares:
                return "Nothing is compared here."
            case "next_hunk" if view.current + 1 >= len(view.hunks):
                return "This is the last entry of this difference." if view.hunks else "No entry changed here."
            case "previous_hunk" if view.current <= 0:
                return "This is the first entry of this difference." if view.hunks else "No entry changed here."
            case "next" | "previous" if not self.searched:
                return f"Nothing is being searched; {shown('history.find')} starts."
            case "next" | "previous" if not self.matching:
                return f"No change has to do with “{safe(self.searched)}”."
            case "mark" if self.reading:
                return f"Marks belong to the list; {shown('history.pane')} goes there."
            case "open" if self.reading:
                return f"This is the difference; {shown('history.back')} goes back to the list."
        return ""

    # -- moving -------------------------------------------------------------------------------------------------

    def do_bottom(self) -> None:
        """The oldest change, reading all that is between; or the end."""
        if self.reading:
            self.difference.scroll_ends(1)
        elif not self.more(everything=True, to_end=True):
            self.list.move(len(self.list.rows))

    @on(VirtualList.Opened)
    def opened(self) -> None:
        """A double click."""
        self.action_run("open")

    def _back_to(self) -> str:
        """What one level back would end: "" at the outermost level."""
        if self.query("FindLine"):
            return "find"
        if self.zoomed:
            return "zoom"
        if self.reading:
            return "reading"
        if self.searched:
            return "find"
        if self.chosen:
            return "marks"
        return "view" if self.view != VIEWS[0] else ""

    def do_back(self) -> None:
        """One level back; never quits."""
        match self._back_to():
            case "find":
                self.end_find()
            case "zoom":
                self.zoom(False)
            case "reading":
                self.read_on(False)
            case "marks":
                self.chosen = ()
                self.show_marks()
                self.ask_difference()
            case "view":
                self.view = VIEWS[0]
                self.ask_difference()

    # -- looking ------------------------------------------------------------------------------------------------

    def do_view(self) -> None:
        """The next view of the difference."""
        step = 2 if len(self.chosen) == 2 and self.view == VIEWS[0] else 1
        self.view = VIEWS[(VIEWS.index(self.view) + step) % len(VIEWS)]
        self.ask_difference()

    def do_backups(self) -> None:
        """The backups that lie beside both files."""
        from workbench.tui.screens.backups import open_backups

        open_backups(self, self.glyphs, lambda done: None)

    def do_reveal(self) -> None:
        """Show or mask credentials in the difference."""
        self.masked = not self.masked
        self.ask_difference()

    def do_mark(self) -> None:
        """Mark the change, or take its mark away, and go on; a third mark takes the place of the first."""
        change = self.change_set
        if change is None:
            return
        if change.id in self.chosen:
            self.chosen = tuple(number for number in self.chosen if number != change.id)
        else:
            self.chosen = (*self.chosen, change.id)[-2:]
        if len(self.chosen) == 2 and self.view == VIEWS[1]:
            self.view = VIEWS[0]
        self.show_marks()
        self.list.move(1)
        self.ask_difference()

    def do_copy_id(self) -> None:
        """Copy the version of the first file, as `workbench restore` takes it."""
        change = self.change_set
        version = next((file.after for file in change.files if file.after), None) if change is not None else None
        if version is None:
            self.say("This change left no file behind.")
            return
        self.app.copy_to_clipboard(version)
        self.say(f"Copied: version {version[:12]}.")

    # -- finding ------------------------------------------------------------------------------------------------

    def do_find(self) -> None:
        """Open the line to type in; older changes are read meanwhile."""
        from workbench.tui.parts.find import FindLine

        if not self.query("FindLine"):
            self.mount(FindLine("find in changes, and in what came or went"), before=self.query_one(KeyLine))
            self.call_after_refresh(self.refresh_keys)
            self.more(everything=True)

    @on(SearchTyped)
    def find_typed(self, message: SearchTyped) -> None:
        """Search the texts in a worker, the rows at once."""
        self.searched, self._jump = message.text, True
        if self._pause is not None:
            self._pause.stop()
        if not self.searched:
            self.changes_found(ChangesFound("", frozenset()))
        elif self.past is not None and len(self.past.changes) > MANY:
            self._pause = self.set_timer(PAUSE, self._search)
        else:
            self._search()

    def _search(self) -> None:
        if self.searched and self.past is not None:
            self._find(self.past.changes, self.searched)

    @work(thread=True, exclusive=True, exit_on_error=False, group="find")
    def _find(self, changes: tuple[ChangeSet, ...], text: str) -> None:
        found = find_text(self.workspace, changes, text, cancelled)
        if not cancelled():
            self.post_message(ChangesFound(text, found))

    @on(ChangesFound)
    def changes_found(self, message: ChangesFound) -> None:
        """Mark what was found, and go to the first from the cursor on."""
        if message.text != self.searched:
            return
        stale, self.found = self.found, message.found
        self.refresh_rows(stale | self.found)
        self._match()
        found = self.matching
        for line in self.query("FindLine #found").results(Plain):
            line.say(f"{len(found):,} changes" if self.searched else "")
        self.show_marks()
        if found and self._jump:
            self._jump = False
            if self.list.cursor_id not in found:
                self.step_match(1)

    def past_changed(self) -> None:
        """A search goes on over the changes that have come."""
        self._search()

    def matching_rows(self) -> tuple[str, ...]:
        """The changes that were found."""
        return self.matching

    def _match(self) -> None:
        rows = [row for row in self.list.rows if not row.heading]
        spans = matches(rows, self.searched)
        self.list.set_matches(spans)
        texts = {str(number) for number in self.found}
        self.matching = tuple(row.id for row in rows if row.id in spans or row.id in texts)

    def search_ended(self) -> None:
        """Take the marks of the search away."""
        self.changes_found(ChangesFound("", frozenset()))
