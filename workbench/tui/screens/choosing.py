"""ChoosingScreen: a file put together entry by entry, out of what it holds now, its last good version, its backups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from workbench.errors import Conflict, WorkbenchError
from workbench.memory import FILE_NAMES, Document
from workbench.memory.resolving import LAST_GOOD
from workbench.tui.actions import bindings
from workbench.tui.drift_facts import ChoicesRead, Looked, plan_of, read_choices, version_name
from workbench.tui.facts import LIST_CHARS, Decide, Intent
from workbench.tui.glyphs import Glyphs
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.usage_bar import UsageBar, usage_of
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import safe
from workbench.tui.screens.area import Unavailable
from workbench.tui.screens.changing import Changing, cancelled
from workbench.tui.screens.drift import resolve_with

if TYPE_CHECKING:
    from workbench.memory.resolving import Choice
    from workbench.workspace import Workspace


class ChoosingScreen(Changing[str], ModalScreen[str]):
    """All entries of all versions, those taken marked; the result is what was done, "" for nothing."""

    SCOPES = ("choosing",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("choosing")]
    AUTO_FOCUS = "VirtualList"
    DEFAULT_CSS = """
    ChoosingScreen { align: center middle; background: $background 70%; }
    ChoosingScreen:ansi { background: ansi_default; }
    ChoosingScreen > #box {
        width: 96%; height: 94%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $wb-muted;
        background: $surface;
    }
    ChoosingScreen VirtualList { background: $surface; margin: 1 0 0 0; }
    ChoosingScreen #versions { height: auto; max-height: 6; padding: 0 1; color: $wb-muted; }
    ChoosingScreen UsageBar { margin: 1 0 0 0; }
    ChoosingScreen #plan { height: auto; min-height: 1; max-height: 3; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace, target: str, glyphs: Glyphs) -> None:
        super().__init__(workspace)
        self.target = target
        self.glyphs = glyphs
        self.document: Document | None = None
        self.choices: tuple[Choice, ...] = ()
        self.sources: tuple[str, ...] = ()
        self.version = -1
        self.masked = True
        self.looked = Looked("")

    def compose(self) -> ComposeResult:
        """The versions by letter, the entries, bar, what the save will do, keys."""
        name = FILE_NAMES[self.target]
        with Vertical(id="box") as box:
            box.border_title = Content(f"{name}, entry by entry")
            yield Plain(id="versions")
            yield VirtualList(glyphs=self.glyphs, lines=3)
            yield UsageBar(name, self.glyphs)
            yield Plain(id="plan")
            yield KeyLine()

    def on_mount(self) -> None:
        """Read all versions."""
        self.refresh_keys()
        self._read()

    @property
    def list(self) -> VirtualList:
        """The entries."""
        return self.query_one(VirtualList)

    @property
    def texts(self) -> tuple[str, ...]:
        """The entries taken, in their order."""
        return tuple(one.text for number, one in enumerate(self.choices) if str(number) in self.list.marks)

    @property
    def unsaved(self) -> str:
        """A choice made by hand."""
        return f"the entries chosen for {FILE_NAMES[self.target]}" if self.choices and self.version < 0 else ""

    @work(thread=True, exclusive=True, exit_on_error=False, group="choices")
    def _read(self) -> None:
        try:
            document, choices, sources = read_choices(self.workspace, self.target)
        except WorkbenchError as error:
            self.post_message(Unavailable(0, error))
            return
        if not cancelled():
            self.post_message(ChoicesRead(0, document, choices, sources))

    @on(Unavailable)
    def unavailable(self, message: Unavailable) -> None:
        """Say why there is nothing to choose from."""
        self.refuse(message.error)

    @on(ChoicesRead)
    def choices_read(self, message: ChoicesRead) -> None:
        """Begin with what the file holds now, or what it held last."""
        self.document, self.choices, self.sources = message.document, message.choices, message.sources
        letters = [f"{letter(at)} {version_name(name)}" for at, name in enumerate(self.sources)]
        self.query_one("#versions", Plain).say(" · ".join(letters))
        self._show()
        self.do_view()

    def _show(self) -> None:
        rows = []
        for number, one in enumerate(self.choices):
            lead = "".join(letter(at) if name in one.sources else "·" for at, name in enumerate(self.sources))
            rows.append(Row(str(number), safe(one.text, masked=self.masked)[:LIST_CHARS], lead))
        self.list.set_rows(rows)

    @on(VirtualList.MarksChanged)
    def marks_changed(self) -> None:
        """Say at once what the file would come to."""
        if self.document is None:
            return
        looked = self.looked = plan_of(self.document, self.texts)
        assert looked.usage is not None
        chars, limit, share, _ = looked.usage
        self.query_one(UsageBar).show(usage_of(chars, limit, share, [len(text) for text in self.texts]))
        said = (
            Content.styled(f"cannot be saved: {looked.refused}", "$error")
            if looked.refused
            else Content.styled(f"{'; '.join(looked.said)}; {shown('memory.undo')} takes it back", "$wb-muted")
        )
        self.query_one("#plan", Plain).say(said)
        count = len(self.choices)
        self.query_one("#box").border_subtitle = Content(f"{len(self.texts)} of {count} taken")
        self.refresh_keys()

    # -- keys ---------------------------------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """Which version is next."""
        following = self.sources[(self.version + 1) % len(self.sources)] if self.sources else ""
        name = {"now": "as now", LAST_GOOD: "as last good"}.get(following, "as in a backup")
        return {"view": name if following else "version", "reveal": "reveal" if self.masked else "mask"}

    def why_disabled(self, action_id: str) -> str:
        """Something has to be chosen, and fit."""
        if action_id == "save" and self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if action_id == "save" and self.busy:
            return "It is being saved; another program may hold the file for a moment."
        if action_id == "save" and (self.looked.refused or self.looked.plan is None):
            return self.looked.refused or "The versions are still being read."
        if not self.choices and action_id != "close":
            return "The versions are still being read."
        return ""

    def do_save(self) -> None:
        """Make the file of what is taken."""
        if self.looked.plan is not None:
            self.change(resolve_with(self.looked.plan))

    def decided(self, intent: Decide, result: object) -> None:
        """Written."""
        self.dismiss(f"{FILE_NAMES[self.target]} is put together anew; {shown('memory.undo')} takes it back.")

    def conflicted(self, intent: Intent, error: Conflict) -> None:
        """The file has moved on: its entries of now are read, what was taken stays taken where it is still there."""
        self.say(f"{FILE_NAMES[self.target]} has changed meanwhile; look again.", "warning")
        self._read()

    def do_mark(self) -> None:
        """Take it or leave it, and go on."""
        self.version = -1
        self.list.toggle_mark()
        self.list.move(1)

    def do_all(self) -> None:
        """All or none."""
        self.version = -1
        self.list.mark_all()

    def do_view(self) -> None:
        """What the next version has."""
        self.version = (self.version + 1) % len(self.sources)
        name = self.sources[self.version]
        wanted = frozenset(str(number) for number, one in enumerate(self.choices) if name in one.sources)
        self.list.set_marks(wanted)

    def do_reveal(self) -> None:
        """Show or mask credentials."""
        self.masked = not self.masked
        self._show()
        self.refresh_keys()

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

    def do_close(self) -> None:
        """Leave; asks when a choice was made by hand."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        if not self.unsaved:
            self.dismiss("")
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss("")

        lead = "What was chosen is not saved. Leave the file as it is?"
        self.app.push_screen(ConfirmDialog("unsaved choice", lead, verb="leave", danger=True), answered)


def letter(at: int) -> str:
    """The sign of a version: A is what stands on disk, and so on; beyond Z they share one."""
    return chr(ord("A") + at) if at < 26 else "+"
