"""The small dialogs of the Inbox area: a reason, an entry to choose, the approval gates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from workbench.errors import WorkbenchError
from workbench.tui.actions import bindings
from workbench.tui.glyphs import Glyphs
from workbench.tui.keymap import shown
from workbench.tui.parts.dialogs import Dialog
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import safe

if TYPE_CHECKING:
    from workbench.workspace import Workspace

# How many records a question names.
NAMED = 8
# Characters of an entry that the list to choose from shows.
SHOWN = 600


class ReasonDialog(Dialog[str | None]):
    """Why records are refused; the result is the reason ("" for none), or None for back."""

    SCOPES = ("reason",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("reason")]
    AUTO_FOCUS = "Input"

    def __init__(self, names: Sequence[str], left_out: int) -> None:
        count = len(names)
        undo = shown("inbox.undo")
        lead = (
            "This record is taken away, nothing of it is done. The history keeps it with the reason; "
            f"{undo} puts it back."
            if count == 1
            else f"{count} records are taken away, nothing of them is done. The history keeps them with the reason; "
            f"{undo} puts them back one by one."
        )
        if left_out:
            lead += f" {left_out} of the marked ones are not the agent's and stay."
        more = f"\nand {count - NAMED} more" if count > NAMED else ""
        super().__init__("refuse", lead, "\n".join(names[:NAMED]) + more)

    def compose_more(self) -> ComposeResult:
        """The place to write."""
        yield Input(placeholder="reason, may stay empty")

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter inside the input is the same key."""
        self.action_run("confirm")

    def do_confirm(self) -> None:
        """Refuse."""
        self.dismiss(self.query_one(Input).value.strip())

    def do_close(self) -> None:
        """Back."""
        self.dismiss(None)


class PickDialog(Dialog[str | None]):
    """Choose an entry; the result is its text, or None for back. `likely` is where the cursor begins."""

    SCOPES = ("pick",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("pick")]
    AUTO_FOCUS = "#entries"
    DEFAULT_CSS = """
    PickDialog > #box { width: 96; }
    PickDialog #entries { height: auto; max-height: 18; min-height: 4; margin: 0 0 1 0; background: $surface; }
    """

    def __init__(self, title: str, texts: Sequence[str], likely: str | None, glyphs: Glyphs) -> None:
        super().__init__(title, "The record goes on waiting, about the entry you choose; a then accepts it.")
        self.texts = tuple(texts)
        self.likely = likely
        self.glyphs = glyphs

    def compose_more(self) -> ComposeResult:
        """The entries."""
        yield VirtualList(lines=2, glyphs=self.glyphs, id="entries")

    def on_mount(self) -> None:
        """Fill the list."""
        super().on_mount()
        rows = [Row(str(number), safe(text)[:SHOWN], str(number + 1)) for number, text in enumerate(self.texts)]
        self.list.styles.height = min(18, 2 * len(rows))
        likely = str(self.texts.index(self.likely)) if self.likely in self.texts else None
        self.list.set_rows(rows, cursor=likely)

    @property
    def list(self) -> VirtualList:
        """The entries."""
        return self.query_one(VirtualList)

    @on(VirtualList.Opened)
    def do_confirm(self) -> None:
        """This one."""
        row = self.list.cursor_id
        self.dismiss(self.texts[int(row)] if row is not None else None)

    def do_close(self) -> None:
        """Back."""
        self.dismiss(None)

    def do_down(self) -> None:
        """Next."""
        self.list.move(1)

    def do_up(self) -> None:
        """Previous."""
        self.list.move(-1)


@dataclass
class LinesKnown(Message):
    """What switching each gate would change in config.yaml: (before, after) lines by subsystem, or why it cannot."""

    lines: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]] | WorkbenchError]


class GateDialog(Dialog[str | None]):
    """Both switches, what each means, and the very lines that would change; the result is the one to switch."""

    SCOPES = ("gate",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("gate")]
    DEFAULT_CSS = "GateDialog > #box { width: 88; }"

    def __init__(self, workspace: Workspace, approval: Mapping[str, bool]) -> None:
        super().__init__("asking first", "", "reading config.yaml …")
        self.workspace = workspace
        self.approval = approval
        self.lines: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]] | WorkbenchError] = {}

    @property
    def key_labels(self) -> Mapping[str, str]:
        """Which way each switch goes."""
        return {name: f"{name} {'off' if yes else 'on'}" for name, yes in self.approval.items()}

    def why_disabled(self, action_id: str) -> str:
        """A config.yaml that cannot be changed exactly is left alone."""
        if action_id not in self.approval:
            return ""
        if self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        found = self.lines.get(action_id)
        if found is None:
            return "config.yaml is still being read."
        return str(found) if isinstance(found, WorkbenchError) else ""

    def on_mount(self) -> None:
        """Say what is in force, then look at the file."""
        from workbench.inbox import GATES

        super().on_mount()
        parts = []
        for name, gate in GATES.items():
            yes = self.approval[name]
            now, then = (gate.on, gate.off) if yes else (gate.off, gate.on)
            parts.append(Content.assemble((f"{name:<7} {'on' if yes else 'off':<4}", "$foreground bold"), now))
            parts.append(Content.styled(f"            {'off' if yes else 'on'} would mean: {then}", "$wb-muted"))
        parts.append(Content.styled("Agents from 0.19 honour both; older ones never ask.", "$wb-muted"))
        self.query_one("#lead", Plain).say(Content("\n").join(parts))
        self._look()

    @work(thread=True, exclusive=True, exit_on_error=False, group="gate")
    def _look(self) -> None:
        from workbench.inbox.gate import preview_gate

        found: dict[str, tuple[tuple[str, ...], tuple[str, ...]] | WorkbenchError] = {}
        for name, yes in self.approval.items():
            try:
                found[name] = preview_gate(self.workspace.home, name, not yes)
            except WorkbenchError as error:
                found[name] = error
        self.post_message(LinesKnown(found))

    @on(LinesKnown)
    def lines_known(self, message: LinesKnown) -> None:
        """Show the lines."""
        self.lines = message.lines
        shown = []
        for name, found in message.lines.items():
            key = name[0]
            if isinstance(found, WorkbenchError):
                shown.append(Content.styled(f"{key}  {safe(str(found))}", "$error"))
                continue
            before, after = found
            shown.append(Content.styled(f"{key}  in config.yaml", "$wb-muted"))
            shown += [Content.styled(f"   − {safe(line)}", "$error") for line in before]
            shown += [Content.styled(f"   + {safe(line)}", "$success") for line in after]
        self.query_one("#quote", Plain).say(Content("\n").join(shown))
        self.refresh_keys()
        self.call_after_refresh(self._fit_lines)

    def _fit_lines(self) -> None:
        """In a low terminal the lines scroll, so that the keys below them stay in sight."""
        around = self.query_one("#lead").size.height + 1 + 1 + 4  # margins, frame, padding, the key line
        room = self.app.size.height * 9 // 10 - around
        self.query_one("#body").styles.max_height = max(3, min(16, room))

    def do_memory(self) -> None:
        """Switch memory."""
        self.dismiss("memory")

    def do_skills(self) -> None:
        """Switch skills."""
        self.dismiss("skills")

    def do_close(self) -> None:
        """Back."""
        self.dismiss(None)
