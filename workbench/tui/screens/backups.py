"""BackupsScreen: every backup of both files, by content; compare it, put it back, clear its copies away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from workbench.errors import WorkbenchError
from workbench.tui.actions import bindings
from workbench.tui.backup_facts import (
    BackupsCompared,
    BackupsRead,
    BackupsView,
    cleared,
    compare_groups,
    compare_with_now,
    read_backups,
    row_of_group,
)
from workbench.tui.facts import Decide
from workbench.tui.glyphs import Glyphs
from workbench.tui.keymap import shown
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screen_text import one_line
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.changing import Changing, cancelled
from workbench.tui.screens.sides import TwoSides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.history.backups import Group
    from workbench.tui.live import News
    from workbench.workspace import Workspace

NOTHING = (
    "No backup lies beside MEMORY.md or USER.md. The workbench writes one when somebody else leaves a file in a state "
    "that the agent would not write, empties it or removes it; the agent writes its own when it finds such a file."
)
# How many names a question lists.
NAMED = 12


class BackupsScreen(TwoSides):
    """Contents on the left, the difference of the one under the cursor on the right; the result is what was done."""

    SCOPES = ("backups",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("backups")]
    AUTO_FOCUS = "#contents"
    LIST = "#contents"
    DEFAULT_CSS = """
    BackupsScreen #notes { height: auto; max-height: 3; padding: 0 1; color: $warning; display: none; }
    BackupsScreen #notes.-said { display: block; }
    BackupsScreen #nothing { display: none; padding: 1 2; color: $wb-muted; }
    BackupsScreen.-nothing #nothing { display: block; height: 1fr; }
    BackupsScreen.-nothing #sides { display: none; }
    BackupsScreen #title { height: 1; padding: 0 1; color: $wb-muted; }
    """

    def __init__(self, workspace: Workspace, glyphs: Glyphs) -> None:
        super().__init__(workspace, glyphs)
        self.view: BackupsView | None = None
        self.chosen: tuple[str, ...] = ()
        self.comparing = 0
        self.done = ""

    def compose(self) -> ComposeResult:
        """What to know, contents, difference, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content("backups")
            yield Plain(id="notes")
            yield Plain(NOTHING, id="nothing")
            yield Plain(id="title")
            with Container(id="sides"):
                yield VirtualList(glyphs=self.glyphs, lines=3, id="contents")
                yield DiffView(glyphs=self.glyphs, id="compared")
            yield KeyLine()

    @property
    def group(self) -> Group | None:
        """The content under the cursor."""
        return self.view.find(self.list.cursor_id) if self.view is not None else None

    # -- reading ------------------------------------------------------------------------------------------------

    def outside(self, news: News) -> None:
        """Another backup, or another file to compare with."""
        self.reload()

    @work(thread=True, exclusive=True, exit_on_error=False, group="backups")
    def begin_reading(self, request: int) -> None:
        """List the backups."""
        try:
            view = read_backups(self.workspace, self.glyphs, self.workspace.clock())
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if not cancelled():
            self.post_message(BackupsRead(request, view))

    @on(BackupsRead)
    def backups_read(self, message: BackupsRead) -> None:
        """Show the contents."""
        if message.request != self.request:
            return
        view = self.view = message.view
        there = {row_of_group(group) for group in view.groups}
        self.chosen = tuple(one for one in self.chosen if one in there)
        self.set_class(not view.groups, "-nothing")
        notes = self.query_one("#notes", Plain)
        notes.set_class(bool(view.notes), "-said")
        notes.say("\n".join(f"{self.glyphs.warning} {note}" for note in view.notes))
        self.list.set_rows(view.rows)
        self._subtitle()
        self.look()

    def _subtitle(self) -> None:
        if self.view is None:
            return
        files = sum(len(group.backups) for group in self.view.groups)
        parts = [f"{files} file{'' if files == 1 else 's'}", f"{len(self.view.groups)} different"]
        if self.chosen:
            parts.append(f"{len(self.chosen)} of 2 marked")
        self.query_one("#box").border_subtitle = Content(" · ".join(parts))

    @on(VirtualList.CursorMoved)
    def look(self) -> None:
        """Compare what the keys are about."""
        group = self.group
        self.refresh_keys()
        if self.view is None or group is None:
            return
        self.comparing += 1
        pair = [one for one in map(self.view.find, self.chosen) if one is not None]
        if len(pair) == 2:
            older, newer = sorted(pair, key=lambda one: one.newest.at)
            self._compare_two(self.comparing, older, newer, self.masked)
        else:
            self._compare(self.comparing, group, self.masked)

    @work(thread=True, exclusive=True, exit_on_error=False, group="compare")
    def _compare(self, request: int, group: Group, masked: bool) -> None:
        title, rows = compare_with_now(self.workspace, group, masked=masked)
        if not cancelled():
            self.post_message(BackupsCompared(request, title, rows))

    @work(thread=True, exclusive=True, exit_on_error=False, group="compare")
    def _compare_two(self, request: int, older: Group, newer: Group, masked: bool) -> None:
        title, rows = compare_groups(self.workspace, older, newer, masked=masked)
        if not cancelled():
            self.post_message(BackupsCompared(request, title, rows))

    @on(BackupsCompared)
    def compared(self, message: BackupsCompared) -> None:
        """Show the difference."""
        if message.request != self.comparing:
            return
        self.query_one("#title", Plain).say(message.title)
        self.difference.show(message.rows)
        self.refresh_keys()

    # -- why not ------------------------------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """Which way the keys go."""
        return {"reveal": "reveal" if self.masked else "mask", "open": "read"}

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id == "close":
            return ""
        if self.view is None:
            return "The folder is still being read."
        group = self.group
        if group is None:
            return "There is no backup to do this with."
        writes = action_id in ("restore", "delete", "delete_all")
        return self._why_not_written(action_id, group) if writes else self._why_not_shown(action_id)

    def _why_not_written(self, action_id: str, group: Group) -> str:
        assert self.view is not None
        if self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if self.busy:
            return "A change is being written; another program may hold the file for a moment."
        match action_id:
            case "restore" if self.desk is not None:
                return f"Restoring cannot wait in a draft; {shown('memory.draft')} in the Memory area leaves it first."
            case "restore" | "delete" if not group.sha256:
                return f"This backup cannot be read: {one_line(group.newest.why)}."
            case "restore" if len(self.chosen) == 2:
                return f"Two are marked; {shown('backups.close')} takes the marks away."
            case "delete" if len(group.backups) == 1:
                return "There is only one of this content, and one always stays."
            case "delete_all" if not self.view.copies:
                return "Every content is there once, and one always stays."
        return ""

    def _why_not_shown(self, action_id: str) -> str:
        hunks = self.difference.hunks
        match action_id:
            case "layout" if not self.difference.compares:
                return "Nothing is compared here."
            case "next_hunk" if self.difference.current + 1 >= len(hunks):
                return "This is the last entry of this difference." if hunks else "No entry differs."
            case "previous_hunk" if self.difference.current <= 0:
                return "This is the first entry of this difference." if hunks else "No entry differs."
        return ""

    # -- changing -----------------------------------------------------------------------------------------------

    def do_restore(self) -> None:
        """Give the file the bytes of this backup; the difference in sight is what that does."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        group = self.group
        if group is None:
            return

        def make(workspace: Workspace, accept: frozenset[str]) -> object:
            from workbench.workspace import keeping

            return keeping.restore(workspace, group.newest, follow_link="--follow-link" in accept)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(Decide(make, f"restored:{group.of.name}"))

        name = one_line(group.newest.path.name, masked=False)
        lead = (
            f"{group.of.name} gets the exact bytes of {name}. What it holds now stays in the history; "
            f"{shown('memory.undo')} in the Memory area takes this back."
        )
        self.app.push_screen(ConfirmDialog("restore a backup", lead, verb="restore", danger=True), answered)

    def do_delete(self) -> None:
        """Remove the other copies of this content."""
        if self.group is not None:
            self._clear((self.group,))

    def do_delete_all(self) -> None:
        """Keep only the newest of every content."""
        if self.view is not None:
            self._clear(self.view.groups)

    def _clear(self, groups: Sequence[Group]) -> None:
        from workbench.tui.parts.dialogs import ConfirmDialog

        assert self.view is not None
        names = cleared(self.view, groups)

        def make(workspace: Workspace, accept: frozenset[str]) -> object:
            from workbench.workspace import keeping

            return keeping.clear_away(workspace, groups)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change(Decide(make, "cleared"))

        count = f"{len(names)} file{' is' if len(names) == 1 else 's are'}"
        lead = f"{count} removed for good. Of each content the newest file stays, so no version is lost."
        quote = "\n".join(names[:NAMED]) + (f"\nand {len(names) - NAMED} more" if len(names) > NAMED else "")
        self.app.push_screen(ConfirmDialog("clear backups", lead, quote, verb="clear", danger=True), answered)

    def decided(self, intent: Decide, result: object) -> None:
        """Say what was done, and list anew."""
        what, _, name = intent.verb.partition(":")
        if what == "cleared":
            count = len(result) if isinstance(result, tuple) else 0
            said = f"Removed {count} backup{'' if count == 1 else 's'}; one of each content stays."
        elif result is None:
            said = f"{name} held these very bytes already."
        else:
            said = self.done = f"{name} is restored from a backup; {shown('memory.undo')} takes it back."
        self.say(said)
        self.reload()

    # -- looking ------------------------------------------------------------------------------------------------

    def do_mark(self) -> None:
        """Mark this content or take its mark away; a third mark takes the place of the first."""
        row = self.list.cursor_id
        if row is None:
            return
        self.chosen = (
            tuple(one for one in self.chosen if one != row) if row in self.chosen else (*self.chosen, row)[-2:]
        )
        self.list.set_marks(frozenset(self.chosen))
        self._subtitle()
        self.list.move(1)

    def do_open(self) -> None:
        """Read the difference."""
        self.do_pane()

    def do_close(self) -> None:
        """One level back: difference, marks, away."""
        if self.reading:
            self.do_pane()
        elif self.chosen:
            self.chosen = ()
            self.list.clear_marks()
            self._subtitle()
            self.look()
        else:
            self.dismiss(self.done)


def open_backups(screen: Changing[Any], glyphs: Glyphs, left: Callable[[str | None], None]) -> None:
    """Open the backups over a screen; `left` is told what was restored, "" when nothing was."""
    backups = BackupsScreen(screen.workspace, glyphs)
    backups.desk = screen.desk
    screen.app.push_screen(backups, left)
