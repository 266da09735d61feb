"""ForgetScreen: every place where a text lives, the word that makes it go, and what stays with whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from workbench.errors import WorkbenchError
from workbench.tui.actions import bindings
from workbench.tui.glyphs import Glyphs
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import one_line
from workbench.tui.screens.changing import Changing

if TYPE_CHECKING:
    from workbench.workspace import Workspace
    from workbench.workspace.forgetting import Gone, Place, Traces

_KINDS = {
    "entry": "entry",
    "pending": "waiting write",
    "history": "our history",
    "backup": "backup",
    "kept": "kept text",
    "draft": "draft",
    "sessions": "conversations",
    "transcript": "transcript",
    "snapshot": "snapshot",
    "other": "file",
}
# The points of the work, in the words of who waits for it.
_STEPS = {
    "entries-gone": "the entries are gone; waiting writes are next",
    "pending-gone": "waiting writes are gone; backups are next",
    "backups-gone": "backups are gone; the history is rewritten",
}


@dataclass
class TracesFound(Message):
    """All places were looked at."""

    traces: Traces


@dataclass
class Going(Message):
    """The work has come so far."""

    said: str


@dataclass
class Forgotten(Message):
    """It is done, as far as it could be."""

    gone: Gone


@dataclass
class NotForgotten(Message):
    """It stopped; `error` says why. Doing it again goes on from there."""

    error: WorkbenchError


class ForgetScreen(Changing[str], ModalScreen[str]):
    """The result is what was done, "" for nothing."""

    SCOPES = ("forget",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("forget")]
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    ForgetScreen { align: center middle; background: $background 70%; }
    ForgetScreen:ansi { background: ansi_default; }
    ForgetScreen > #box {
        width: 92; max-width: 100%; height: auto; max-height: 96%; border: round $warning;
        border-title-color: $foreground; border-title-style: bold; background: $surface; padding: 1 1 0 1;
    }
    ForgetScreen #lead { height: auto; max-height: 4; margin: 0 1 1 1; }
    ForgetScreen #quote { height: auto; max-height: 3; margin: 0 1 1 1; padding: 0 1; background: $panel; }
    ForgetScreen VirtualList { height: 12; background: $surface; }
    ForgetScreen Input { margin: 1 1 1 1; height: 1; border: none; background: $panel; padding: 0 1; }
    ForgetScreen #progress { height: auto; min-height: 1; margin: 1 1 1 1; display: none; }
    ForgetScreen.-going Input, ForgetScreen.-done Input { display: none; }
    ForgetScreen.-going #progress, ForgetScreen.-done #progress { display: block; }
    """

    def __init__(self, workspace: Workspace, text: str, glyphs: Glyphs) -> None:
        super().__init__(workspace)
        self.text = text
        self.glyphs = glyphs
        self.traces: Traces | None = None
        self.going = False
        self.done = ""

    def compose(self) -> ComposeResult:
        """What is meant, where it is, the word, how far it is, keys."""
        from workbench.workspace.forgetting import WORD

        with Vertical(id="box") as box:
            box.border_title = Content("forget for good")
            yield Plain("Looking everywhere for this text.", id="lead")
            yield Plain(one_line(self.text)[:400], id="quote")
            yield VirtualList(glyphs=self.glyphs, lines=9)
            yield Input(placeholder=f"type {WORD}")
            yield Plain(id="progress")
            yield KeyLine()

    def on_mount(self) -> None:
        """Begin to look."""
        self.query_one(VirtualList).can_focus = False
        self.refresh_keys()
        self._look()

    @property
    def list(self) -> VirtualList:
        """The places."""
        return self.query_one(VirtualList)

    @property
    def unsaved(self) -> str:
        """Work that should not be cut off."""
        return "a text that is being forgotten" if self.going else ""

    # Not exclusive with the work itself: both are begun once.
    @work(thread=True, exit_on_error=False, group="traces")
    def _look(self) -> None:
        from workbench.workspace.forgetting import traces

        try:
            self.post_message(TracesFound(traces(self.workspace, self.text)))
        except WorkbenchError as error:
            self.post_message(NotForgotten(error))

    @on(TracesFound)
    def traces_found(self, message: TracesFound) -> None:
        """List the places: what goes first, then what stays and what removes it."""
        found = self.traces = message.traces
        self._show(found.places)
        ours = sum(place.ours for place in found.places)
        others = [text for _, text in found.entries if text != self.text]
        lead = (
            f"{ours} place{'' if ours == 1 else 's'} of ours {'is' if ours == 1 else 'are'} cleared, with the bytes. "
        )
        lead += "This cannot be undone."
        if others:
            lead += f" {len(others)} more entr{'y holds' if len(others) == 1 else 'ies hold'} it, and goes as a whole."
        self.query_one("#lead", Plain).say(lead)
        self.refresh_keys()

    def _show(self, places: tuple[Place, ...]) -> None:
        rows: list[Row] = []
        for ours, title in ((True, "goes"), (False, "stays: not ours to touch")):
            some = [place for place in places if place.ours is ours]
            if some:
                rows.append(Row(f"head-{title}", title, heading=True))
            for number, place in enumerate(some):
                rows.append(self._row(f"{title}-{number}", place))
        if not rows:
            rows.append(Row("nothing", "It is nowhere any more.", look="faint"))
        self.list.set_rows(rows)

    def _row(self, row_id: str, place: Place) -> Row:
        times = f" {self.glyphs.times}{place.count}" if place.count > 1 and place.kind == "history" else ""
        how = f"\nremoved by: {one_line(place.how, masked=False)}" if place.how else ""
        text = f"{_KINDS.get(place.kind, place.kind)}  {one_line(place.where)}{times}{how}"
        return Row(row_id, text, badge="" if place.ours else self.glyphs.warning, tone="warning")

    # -- the word -----------------------------------------------------------------------------------------------

    def why_disabled(self, action_id: str) -> str:
        """First the places, then the word."""
        from workbench.workspace.forgetting import WORD

        if action_id == "close":
            return "It is being forgotten; this takes a moment." if self.going else ""
        if action_id != "confirm":
            return ""
        if self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if self.done:
            return "It is done."
        if self.going or self.traces is None:
            return "It is being forgotten." if self.going else "The places are still being looked at."
        if not any(place.ours for place in self.traces.places):
            return "Nothing of ours holds this text."
        typed = self.query_one(Input).value.strip()
        return f"Type {WORD} first." if typed != WORD else ""

    @on(Input.Changed)
    def typed_on(self) -> None:
        """The key becomes possible with the last letter."""
        self.refresh_keys()

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter inside the input is the same key."""
        self.action_run("confirm")

    def do_confirm(self) -> None:
        """Forget it."""
        if self.traces is None:
            return
        self.going = True
        self.add_class("-going")
        self.set_focus(None)
        self.query_one("#progress", Plain).say("Entries first.")
        self.refresh_keys()
        self._forget(self.traces)

    @work(thread=True, exit_on_error=False, group="forget")
    def _forget(self, found: Traces) -> None:
        from workbench.workspace.forgetting import forget

        def step(point: str) -> None:
            if point in _STEPS:
                self.post_message(Going(_STEPS[point]))

        try:
            self.post_message(Forgotten(forget(self.workspace, found, step=step)))
        except WorkbenchError as error:
            self.post_message(NotForgotten(error))

    @on(Going)
    def going_on(self, message: Going) -> None:
        """Say how far it is."""
        self.query_one("#progress", Plain).say(f"{message.said[:1].upper()}{message.said[1:]}.")

    @on(Forgotten)
    def forgotten(self, message: Forgotten) -> None:
        """Say what is left, and with whom."""
        gone = message.gone
        self.going = False
        self.remove_class("-going")
        self.add_class("-done")
        self.done = "Forgotten for good." if gone.complete else "Forgotten in part; doing it again goes on from there."
        self._show(gone.left)
        stays = sum(not place.ours for place in gone.left)
        count = len(gone.removed)
        lead = f"Cleared in {count} place{'' if count == 1 else 's'}."
        if stays:
            lead += " What stands below belongs to others; the commands remove it."
        self.query_one("#lead", Plain).say(lead)
        said = (
            Content.styled("Nothing of the workbench's own holds it any more.", "$success")
            if gone.complete
            else Content.styled("Some of ours still holds it; doing this again goes on from here.", "$error")
        )
        self.query_one("#progress", Plain).say(said)
        self.refresh_keys()

    @on(NotForgotten)
    def not_forgotten(self, message: NotForgotten) -> None:
        """It stopped half way: say why; the word may be typed again."""
        self.going = False
        self.remove_class("-going")
        self.set_focus(self.query_one(Input))
        self.refuse(message.error)
        self.refresh_keys()

    def do_down(self) -> None:
        """Further down."""
        self.list.move(1)

    def do_up(self) -> None:
        """Further up."""
        self.list.move(-1)

    def do_close(self) -> None:
        """Leave."""
        self.dismiss(self.done)
