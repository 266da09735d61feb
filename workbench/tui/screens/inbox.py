"""The Inbox area: what its keys do, and why one may do nothing now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from workbench.tui.actions import bindings
from workbench.tui.inbox_facts import VIEWS
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.searching import SearchTyped, matches
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.deciding import Deciding

DECISIONS = frozenset({"accept", "refuse", "refuse_marked", "edit", "edit_outside", "retarget"})
CHANGES = DECISIONS | frozenset({"accept_all", "undo", "redo", "gate"})
NEEDS_RECORD = (
    DECISIONS
    | frozenset(
        {"accept_all", "open", "view", "layout", "find", "reveal", "mark", "range", "all", "copy", "copy_id", "pane"}
    )
    | {"pane_back", "zoom", "sessions"}
)


class InboxScreen(Deciding):
    """The verbs over the queue."""

    SCOPES = ("inbox", "app")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("inbox", "app")]

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What a key means here and now."""
        numbers, marks = self.numbers, len(self.list.marks)
        accept = "accept" if numbers is None else f"accept {len(numbers)} of {len(self.operations.rows)}"
        return {
            "accept": accept,
            "accept_all": "ready of marked" if marks else "all ready",
            "refuse_marked": f"refuse {marks}" if marks else "with reason",
            "view": VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)],
            "reveal": "reveal" if self.masked else "mask",
        }

    # -- why not ------------------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id == "area_inbox":
            return "This is the Inbox area."
        if action_id in ("help", "quit", "keep", "close") or action_id.startswith("area_"):
            return ""
        if self.facts is None:
            return "The home is still being read."
        if action_id in CHANGES and self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if action_id in CHANGES and self.busy:
            return "A change is being written; another program may hold the file for a moment."
        if action_id in NEEDS_RECORD and self.preview is None:
            return "Nothing waits, so there is nothing to do this with; W says whether the agent asks first."
        if action_id in DECISIONS and self.decided_here:
            # Not done to the next record either: a key pressed now was meant for one that nobody has seen yet.
            return "This one is decided; the next comes up in a moment, and no key decides about it before."
        if action_id in DECISIONS and self.preview is not None:
            return self.why_not_decided(action_id, self.preview)
        return self._why_not_shown(action_id)

    def _why_not_shown(self, action_id: str) -> str:
        taking, view = self.taking, self.difference
        match action_id:
            case "undo" if taking is not None and not taking.undo:
                return "There is nothing to undo."
            case "redo" if taking is not None and not taking.redo:
                return "There is nothing to redo."
            case "open" if self.reading:
                return f"This is the record; {shown('inbox.back')} goes back to the queue."
            case "reveal" if self.shown is not None and not self.shown.secret:
                return "This record holds no credential."
            case "layout" if self.view == VIEWS[1] or not view.compares:
                return "Nothing is compared here."
            case "next_hunk" | "previous_hunk" if self.view != VIEWS[0] or not view.hunks:
                return "No change is shown here."
            case "next_hunk" if view.current + 1 >= len(view.hunks):
                return "This is the last change."
            case "previous_hunk" if view.current <= 0:
                return "This is the first change."
        return self._why_not_moved(action_id)

    def _why_not_moved(self, action_id: str) -> str:
        match action_id:
            case "mark" | "range" | "all" if self.reading:
                return self._why_not_marked()
            case "copy" | "sessions" if self.preview is not None and not self._copied():
                return "There is no text to copy."
            case "next" | "previous" if not self.searched:
                return "Nothing is being searched; / starts."
            case "next" | "previous" if not self.matching_rows():
                return f"“{safe(self.searched)}” is not in the queue."
            case "back" if not self._back_to():
                return f"This is the outermost level; {shown('app.quit')} quits."
        return ""

    def _why_not_marked(self) -> str:
        if self.view != VIEWS[1]:
            return "Marks belong to the queue (tab) and to the operations (o)."
        if self.preview is not None and self.preview.record.subsystem == "skills":
            return "The files of a skill's record go together."
        return "" if len(self.operations.rows) > 1 else "There is only this one operation."

    # -- moving -------------------------------------------------------------------------------------------------

    @property
    def active(self) -> VirtualList | None:
        """The list that keys move; None in a difference."""
        if not self.reading:
            return self.list
        return self.operations if self.view == VIEWS[1] else None

    def do_area_inbox(self) -> None:
        """Already here."""

    def do_down(self) -> None:
        """Next record or operation, or a line down."""
        self.end_hold()
        self.active.move(1) if self.active is not None else self.difference.scroll_lines(1)

    def do_up(self) -> None:
        """Previous record or operation, or a line up."""
        self.end_hold()
        self.active.move(-1) if self.active is not None else self.difference.scroll_lines(-1)

    def do_half_down(self) -> None:
        """Half a screen down."""
        self.active.move_half(1) if self.active is not None else self.difference.scroll_half(1)

    def do_half_up(self) -> None:
        """Half a screen up."""
        self.active.move_half(-1) if self.active is not None else self.difference.scroll_half(-1)

    def do_top(self) -> None:
        """The first."""
        self.active.move(-len(self.active.rows)) if self.active is not None else self.difference.scroll_ends(-1)

    def do_bottom(self) -> None:
        """The last."""
        self.active.move(len(self.active.rows)) if self.active is not None else self.difference.scroll_ends(1)

    @on(VirtualList.Opened, "#queue")
    def opened(self) -> None:
        """A double click."""
        self.action_run("open")

    def _back_to(self) -> str:
        """What one level back would end: "" at the outermost level."""
        if self.query("FindLine"):
            return "find"
        if self.reading and self.operations.marks:
            return "operations"
        if self.zoomed:
            return "zoom"
        if self.reading:
            return "reading"
        if self.searched:
            return "find"
        if self.list.marks or self.list.range_from is not None:
            return "marks"
        return "view" if self.view != VIEWS[0] else ""

    def do_back(self) -> None:
        """One level back; never quits."""
        match self._back_to():
            case "find":
                self.end_find()
            case "operations":
                self.operations.clear_marks()
            case "zoom":
                self.zoom(False)
            case "reading":
                self.read_on(False)
            case "marks":
                self.list.clear_marks()
            case "view":
                self.view = VIEWS[0]
                self.refresh_view()

    # -- looking ------------------------------------------------------------------------------------------------

    def do_view(self) -> None:
        """The next view of the record."""
        self.view = VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)]
        if self.compact and not self.reading:
            self.set_class(True, "-reading")
        if self.view == VIEWS[1]:
            self.set_class(True, "-reading")
        self.refresh_view()
        if self.reading:
            self.set_focus(self.right)

    def do_reveal(self) -> None:
        """Show or mask credentials."""
        self.masked = not self.masked
        self.ask_shown()

    def do_mark(self) -> None:
        """Mark, and go on to the next."""
        if self.active is not None:
            self.active.toggle_mark()
            self.active.move(1)

    def do_range(self) -> None:
        """Begin or end a range."""
        if self.active is not None:
            self.active.toggle_range()

    def do_all(self) -> None:
        """All or none."""
        if self.active is not None:
            self.active.mark_all()

    def _copied(self) -> str:
        preview = self.preview
        return "" if preview is None else preview.after or preview.before or preview.record.summary

    def do_copy(self) -> None:
        """Copy the proposed text."""
        self.unmasked("copy", self._copy)

    def _copy(self) -> None:
        text = self._copied()
        self.app.copy_to_clipboard(text)
        self.say(f"Copied: {len(text):,} characters.")

    def do_sessions(self) -> None:
        """The conversations that know most of what the record proposes."""
        from workbench.tui.app import WorkbenchApp

        app = self.app
        if isinstance(app, WorkbenchApp):
            app.look_for_text(self._copied())

    def do_copy_id(self) -> None:
        """Copy the name."""
        if self.preview is not None:
            self.app.copy_to_clipboard(self.preview.record.key)
            self.say(f"Copied: {self.preview.record.key}.")

    # -- finding ------------------------------------------------------------------------------------------------

    def do_find(self) -> None:
        """Open the line to type in."""
        from workbench.tui.parts.find import FindLine

        if not self.query("FindLine"):
            self.mount(FindLine("find in the queue"), before=self.query_one(KeyLine))
            self.call_after_refresh(self.refresh_keys)

    @on(SearchTyped)
    def find_typed(self, message: SearchTyped) -> None:
        """Highlight as it is typed, and go to the first match from the cursor on."""
        self.searched = message.text
        found = self._highlight()
        self.query_one("FindLine #found", Plain).say(f"{len(found):,} found" if self.searched else "")
        if found and self.list.cursor_id not in found:
            self.step_match(1)

    def rows_changed(self) -> None:
        """A search goes on over new rows."""
        if self.searched:
            self._highlight()

    def _highlight(self) -> tuple[str, ...]:
        rows = [row for row in self.list.rows if not row.heading]
        self.list.set_matches(matches(rows, self.searched))
        self.refresh_title()
        self.refresh_keys()
        return self.matching_rows()

    def matching_rows(self) -> tuple[str, ...]:
        """Ids of the records whose row, or whose group's heading, holds what is searched; in their order."""
        found = matches(self.list.rows, self.searched)
        out, group = [], ""
        for row in self.list.rows:
            if row.heading:
                group = row.id
            elif row.id in found or group in found:
                out.append(row.id)
        return tuple(out)

    def search_ended(self) -> None:
        """Take the marks of the search away."""
        self._highlight()
