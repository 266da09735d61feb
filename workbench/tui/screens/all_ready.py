"""AllReadyScreen: accept all that are ready. First the whole list with the bar after each step, then the run."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen

from workbench.errors import Busy, Conflict, WorkbenchError
from workbench.tui.actions import bindings
from workbench.tui.facts import Decide, decide
from workbench.tui.inbox_facts import GIST_CHARS, name_of, said_here, word_of
from workbench.tui.keymap import shown
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.screen_text import one_line, safe
from workbench.tui.screens.changing import Changing, cancelled

if TYPE_CHECKING:
    from workbench.inbox import Preview, Step
    from workbench.tui.glyphs import Glyphs
    from workbench.workspace import Workspace

BAR = 10


@dataclass
class Planned(Message):
    """What would become of each record, in order; `error` is why that cannot be told."""

    steps: tuple[Step, ...]
    error: WorkbenchError | None = None


@dataclass
class Stepped(Message):
    """One record was tried."""

    index: int
    step: Step


@dataclass
class Ended(Message):
    """No record is tried any more; `why` says so when that was before the last."""

    why: str


class AllReadyScreen(Changing["tuple[Step, ...]"], ModalScreen["tuple[Step, ...]"]):
    """The result are the steps that were taken; empty when none was."""

    SCOPES = ("all_ready",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("all_ready")]
    AUTO_FOCUS = "#steps"
    DEFAULT_CSS = """
    AllReadyScreen { align: center middle; background: $background 70%; }
    AllReadyScreen:ansi { background: ansi_default; }
    AllReadyScreen > #box {
        width: 110; max-width: 98%; height: 90%; border: round $wb-frame-focus;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $wb-muted;
        background: $surface; padding: 0 1;
    }
    AllReadyScreen #lead { height: auto; margin: 1 1; }
    AllReadyScreen #steps { background: $surface; }
    """

    def __init__(self, workspace: Workspace, previews: Sequence[Preview], glyphs: Glyphs) -> None:
        super().__init__(workspace)
        self.previews = tuple(previews)
        self.glyphs = glyphs
        self.planned: tuple[Step, ...] | None = None
        self.steps: dict[int, Step] = {}
        self.state = "planning"  # then planned, running, ended
        self._stop = threading.Event()

    def compose(self) -> ComposeResult:
        """What will happen, the list, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content("accept all that are ready")
            yield Plain("finding out what would become of each …", id="lead")
            yield VirtualList(lines=2, glyphs=self.glyphs, id="steps")
            yield KeyLine()

    def on_mount(self) -> None:
        """Simulate."""
        super().on_mount()
        self._simulate()

    @property
    def list(self) -> VirtualList:
        """The records in their order."""
        return self.query_one(VirtualList)

    @property
    def ready(self) -> tuple[int, ...]:
        """The places of the records that would be accepted."""
        return tuple(index for index, step in enumerate(self.planned or ()) if step.would)

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What the keys mean at this moment."""
        leave = {"running": "stop", "ended": "close"}.get(self.state, "leave")
        return {"confirm": f"accept {len(self.ready)}" if self.planned is not None else "accept", "close": leave}

    def why_disabled(self, action_id: str) -> str:
        """The run begins once, when it is known what it would do."""
        if action_id != "confirm":
            return ""
        if self.state == "planning":
            return "It is still being found out what would become of each."
        if self.state == "running":
            return "It is running; esc stops it after the record at hand."
        if self.state == "ended":
            return f"It has ended; {shown('all_ready.close')} goes back to the queue."
        return "" if self.ready else "None of them is ready; each row says why."

    # -- the plan -----------------------------------------------------------------------------------------------

    @work(thread=True, exclusive=True, exit_on_error=False, group="plan")
    def _simulate(self) -> None:
        try:
            steps = self.workspace.inbox.accept_all(self.previews, dry_run=True)
        except WorkbenchError as error:
            self.post_message(Planned((), error))
            return
        if not cancelled():
            self.post_message(Planned(steps))

    @on(Planned)
    def plan_known(self, message: Planned) -> None:
        """Show the order, the bar after each step, and what is skipped."""
        self.planned, self.state = message.steps, "planned"
        if message.error is not None:
            self.refuse(message.error)
        skipped = len(message.steps) - len(self.ready)
        said = f"{len(self.ready)} would be accepted, the oldest first" + (f"; {skipped} stay. " if skipped else ". ")
        said += "Each is looked at again before it is written; a conflict ends the run. "
        said += f"{shown('inbox.undo')} takes back one after the other."
        self.query_one("#lead", Plain).say(said)
        ready = [self._row(index, step) for index, step in enumerate(message.steps) if step.would]
        stay = [self._row(index, step) for index, step in enumerate(message.steps) if not step.would]
        rows = (
            [Row("ready", "would be accepted, with what the store then holds", heading=True), *ready] if ready else []
        )
        rows += [Row("stay", "stay as they are", heading=True), *stay] if stay else []
        self.list.set_rows(rows)
        self.refresh_keys()

    def _row(self, index: int, step: Step) -> Row:
        preview = step.preview
        if not step.would:
            why = f"{name_of(preview)} · {word_of(preview)}: {one_line(said_here(step.reason))}"
            return Row(str(index), why, look="faint")
        of_skill = preview.record.subsystem == "skills"
        gist = preview.record.summary if of_skill else preview.after or preview.before or ""
        return Row(
            str(index),
            f"{self._bar(preview)}{name_of(preview)}: {one_line(gist[:GIST_CHARS])}",
            str(self.ready.index(index) + 1),
        )

    def _bar(self, preview: Preview) -> str:
        """How full the store is after this step."""
        if preview.record.subsystem == "skills" or preview.percent_after is None:
            return ""
        cells = min(BAR, round(preview.percent_after * BAR / 100))
        return f"{self.glyphs.full * cells}{self.glyphs.empty * (BAR - cells)} {preview.percent_after:>3} %  "

    # -- the run ------------------------------------------------------------------------------------------------

    def do_confirm(self) -> None:
        """Begin."""
        self.state = "running"
        self.refresh_keys()
        self._run_all(self.ready)

    @work(thread=True, exclusive=True, exit_on_error=False, group="run")
    def _run_all(self, order: tuple[int, ...]) -> None:
        why = ""
        for index in order:
            if self._stop.is_set() or cancelled():
                why = "Stopped; the rest was not tried."
                break
            seen = self.previews[index]
            try:
                made = decide(self.workspace, Decide(lambda ws, _, seen=seen: ws.inbox.accept_all((seen,)), "accept"))  # type: ignore[misc]
            except WorkbenchError as error:
                why = f"Stopped: {error}"
                break
            assert isinstance(made, tuple)
            step = made[0]
            self.post_message(Stepped(index, step))
            # The same end as the core's own run: what changed underneath is for a person to look at.
            if step.error is not None and (step.error.exit_code == Conflict.exit_code or isinstance(step.error, Busy)):
                why = "Stopped at a conflict; the rest was not tried."
                break
        self.post_message(Ended(why))

    @on(Stepped)
    def stepped(self, message: Stepped) -> None:
        """Mark what has been done."""
        self.steps[message.index] = message.step
        number = str(message.index)
        row = next(row for row in self.list.rows if row.id == number)
        done = message.step.decision is not None
        sign = self.glyphs.tick if done else self.glyphs.warning
        self.list.replace_rows(
            [replace(row, badge=sign, tone="" if done else "error", look="come" if done else "error")]
        )
        self.list.move_to(number)
        box = self.query_one("#box")
        box.border_subtitle = Content(f"{len(self.steps)} of {len(self.ready)}")
        if not done:
            self.say(safe(message.step.reason), "warning")

    @on(Ended)
    def ended(self, message: Ended) -> None:
        """Say how it ended; a run without a hitch needs no further key."""
        self.state = "ended"
        done = sum(step.decision is not None for step in self.steps.values())
        if not message.why and done == len(self.ready):
            self.dismiss(tuple(self.steps.values()))
            return
        said = f"{done} of {len(self.ready)} accepted. {message.why}"
        self.query_one("#lead", Plain).say(safe(said))
        self.refresh_keys()

    def do_close(self) -> None:
        """Leave, or stop what runs."""
        if self.state == "running":
            self._stop.set()
            return
        self.dismiss(tuple(self.steps.values()))

    def do_down(self) -> None:
        """Next."""
        self.list.move(1)

    def do_up(self) -> None:
        """Previous."""
        self.list.move(-1)

    def do_half_down(self) -> None:
        """Half a screen down."""
        self.list.move_half(1)

    def do_half_up(self) -> None:
        """Half a screen up."""
        self.list.move_half(-1)
