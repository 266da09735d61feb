"""The Prompt area: both blocks as the agent gets them at its next session, and what has changed in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES, entry_id
from workbench.tui.actions import bindings
from workbench.tui.keymap import shown
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.prompt_facts import BlockSize, PromptRead, PromptView, read_prompt
from workbench.tui.screens.area import Area, Unavailable
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.sides import ListBeside

if TYPE_CHECKING:
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

# The generations that render a block differently; 0.14 does it like 0.13.
GENERATIONS = ("0.22", "0.19", "0.13")
WHOLE = 4_000  # lines: an entry is never cut here


class PromptScreen(ListBeside[None], Area):
    """The verbs over the blocks."""

    AREA = "prompt"
    SCOPES = ("prompt", "app")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("prompt", "app")]
    AUTO_FOCUS = "#blocks"
    DEFAULT_CSS = """
    PromptScreen { layout: vertical; }
    PromptScreen #prompt {
        border: round $wb-frame-focus; border-title-color: $foreground; border-title-style: bold;
        border-subtitle-color: $wb-muted; height: 1fr;
    }
    PromptScreen #sizes { height: auto; padding: 0 1; margin: 0 0 1 0; color: $wb-muted; }
    PromptScreen #difference { display: none; }
    PromptScreen.-difference #difference { display: block; }
    PromptScreen.-difference #blocks { display: none; }
    """

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self.view: PromptView | None = None
        self.client: str | None = None  # None: the generation that last opened state.db
        self.masked = True

    def compose_area(self) -> Iterable[Widget]:
        """Sizes, blocks, difference."""
        with Vertical(id="prompt") as box:
            box.border_title = Content("prompt at the next session")
            yield Plain(id="sizes")
            yield VirtualList(lines=WHOLE, glyphs=self.glyphs, id="blocks")
            yield DiffView(glyphs=self.glyphs, id="difference")

    @property
    def list(self) -> VirtualList:
        """The blocks."""
        return self.query_one("#blocks", VirtualList)

    @property
    def difference(self) -> DiffView:
        """What has changed in them."""
        return self.query_one(DiffView)

    @property
    def beside(self) -> DiffView:
        """The difference, which is shown in the place of the list."""
        return self.difference

    @property
    def reading(self) -> bool:
        """Whether keys act in the difference."""
        return self.comparing

    @property
    def comparing(self) -> bool:
        """Whether the difference is shown."""
        return self.has_class("-difference")

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self, request: int) -> None:
        """Render the blocks."""
        self._read(request, self.client, self.masked)

    @work(thread=True, exclusive=True, exit_on_error=False, group="prompt")
    def _read(self, request: int, client: str | None, masked: bool) -> None:
        try:
            view = read_prompt(self.workspace, client, masked=masked, now=self.now, mark=self.glyphs.warning)
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if not cancelled():
            self.post_message(PromptRead(request, view))

    @on(PromptRead)
    def prompt_read(self, message: PromptRead) -> None:
        """Show the blocks."""
        if message.request != self.request:
            return
        view = self.view = message.view
        self.show_header(view.header)
        self.list.set_rows(view.rows)
        self.difference.show(view.difference)
        detected = " (it last opened this home)" if view.client == view.detected else ""
        self.query_one("#sizes", Plain).say(_sizes(view))
        entitle(self.query_one("#prompt"), title=f"prompt at the next session · agent {view.client}{detected}")
        self._subtitle()
        self.refresh_keys()

    def _subtitle(self) -> None:
        view, said = self.view, ""
        if self.comparing:
            hunks = self.difference.hunks
            said = f"difference · change {self.difference.current + 1} of {len(hunks)}" if hunks else "difference"
        elif view is not None:
            hidden = sum(size.hidden for size in view.sizes)
            said = f"{hidden} hidden from the agent" if hidden else ""
        entitle(self.query_one("#prompt"), subtitle=said)

    @on(DiffView.HunkMoved)
    def hunk_moved(self) -> None:
        """Say which change is looked at."""
        self._subtitle()
        self.refresh_keys()

    @on(VirtualList.CursorMoved)
    def cursor_moved(self) -> None:
        """Keys may mean less on another row."""
        self.refresh_keys()

    # -- why not ------------------------------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What a key leads to from here."""
        return {"view": "blocks" if self.comparing else "difference", "reveal": "reveal" if self.masked else "mask"}

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id == "area_prompt":
            return "This is the Prompt area."
        if action_id in ("help", "quit") or action_id.startswith("area_"):
            return ""
        if self.view is None:
            return "The home is still being read."
        if action_id in ("next_hunk", "previous_hunk", "layout") and not self.comparing:
            return f"The blocks are shown; {shown('prompt.view')} shows what has changed in them."
        if self.comparing:
            return self._why_not_comparing(action_id)
        match action_id:
            case "open" if self.list.cursor_id is None:
                return "There is no entry in the prompt."
            case "copy" if not self.view.text:
                return "Nothing is sent, so there is nothing to copy."
            case "reveal" if not self.view.secret:
                return "The blocks hold no credential."
            case "back":
                return (
                    f"This is the outermost level; {shown('app.quit')} quits, "
                    f"{shown('app.area_memory')} goes to the entries."
                )
        return ""

    def _why_not_comparing(self, action_id: str) -> str:
        view = self.difference
        match action_id:
            case "layout" if not view.compares:
                return "Nothing is compared here."
            case "open":
                return (
                    f"This is the difference; {shown('prompt.view')} goes back to "
                    f"the blocks, where {shown('prompt.open')} leads to an entry."
                )
            case "next_hunk" if view.current + 1 >= len(view.hunks):
                return "This is the last change." if view.hunks else "Nothing has changed."
            case "previous_hunk" if view.current <= 0:
                return "This is the first change." if view.hunks else "Nothing has changed."
        return ""

    # -- keys ---------------------------------------------------------------------------------------------------

    def do_open(self) -> None:
        """The entry under the cursor, where it can be changed."""
        from workbench.tui.app import WorkbenchApp

        row = self.list.cursor_id
        if self.view is None or row is None:
            return
        target, text = self.view.sources[row]
        app = self.app
        assert isinstance(app, WorkbenchApp)
        app.go_to_entry(target, entry_id(text))

    @on(VirtualList.Opened)
    def opened(self) -> None:
        """A double click."""
        self.action_run("open")

    def do_view(self) -> None:
        """Blocks or difference."""
        self.toggle_class("-difference")
        self.set_focus(self.difference if self.comparing else self.list)
        self._subtitle()
        self.refresh_keys()

    def do_client(self) -> None:
        """The next generation."""
        now = self.view.client if self.view is not None else GENERATIONS[0]
        at = GENERATIONS.index(now) if now in GENERATIONS else -1
        self.client = GENERATIONS[(at + 1) % len(GENERATIONS)]
        self.reload()

    def do_layout(self) -> None:
        """Columns or lines."""
        self.difference.toggle_layout()

    def do_next_hunk(self) -> None:
        """The next change."""
        self.difference.step(1)

    def do_previous_hunk(self) -> None:
        """The previous change."""
        self.difference.step(-1)

    def do_reveal(self) -> None:
        """Show or mask credentials."""
        self.masked = not self.masked
        self.reload()

    def do_copy(self) -> None:
        """Copy the blocks; asks when that shows a credential."""
        from workbench.tui.parts.dialogs import ConfirmDialog

        def answered(yes: bool | None) -> None:
            if yes:
                self._copy()

        if self.view is not None and self.view.secret and self.masked:
            lead = "The blocks hold a credential. Copy them unmasked?"
            self.app.push_screen(ConfirmDialog("a credential", lead, verb="copy"), answered)
        else:
            self._copy()

    def _copy(self) -> None:
        if self.view is not None:
            self.app.copy_to_clipboard(self.view.text)
            self.say(f"Copied: {len(self.view.text):,} characters.")

    def do_back(self) -> None:
        """From the difference to the blocks."""
        self.do_view()


def _sizes(view: PromptView) -> Content:
    """What the blocks cost; tokens are an estimate and say so."""
    total = replace(view.sizes[0], chars=len(view.text), tokens=sum(size.tokens for size in view.sizes))
    parts = [f"{FILE_NAMES[size.target]} {size.why or _short(size)}" for size in view.sizes]
    both = Content.styled(_size(total), "$foreground bold")
    return Content.assemble(both, " (an estimate) · ", " · ".join(parts))


def _short(size: BlockSize) -> str:
    return f"{size.chars:,}, ~{size.tokens:,}"


def _size(size: BlockSize) -> str:
    return f"{size.chars:,} chars, ~{size.tokens:,} tokens"
