"""RoomScreen: the panel that makes room. Suggestions, a whole plan, and what vanished lately; all go into a draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from workbench.curation.suggestion import KINDS
from workbench.errors import DraftMoved, WorkbenchError
from workbench.memory import FILE_NAMES
from workbench.tui.actions import bindings
from workbench.tui.drafting import Desk
from workbench.tui.facts import Decide
from workbench.tui.keymap import shown
from workbench.tui.parts.diff_view import DiffView
from workbench.tui.parts.footer import KeyLine
from workbench.tui.parts.plain import Plain
from workbench.tui.parts.virtual_list import Row, VirtualList
from workbench.tui.room_facts import (
    LABELS,
    Compared,
    RoomFacts,
    RoomKnown,
    bars,
    compared,
    freed_by,
    in_the_way,
    look,
    looked_at,
    remark,
    step_rows,
)
from workbench.tui.screen_text import safe
from workbench.tui.screens.changing import Changing, cancelled

if TYPE_CHECKING:
    from workbench.curation.suggestion import Suggestion
    from workbench.curation.vanished import Removed
    from workbench.memory import Operation
    from workbench.tui.glyphs import Glyphs
    from workbench.tui.live import News
    from workbench.workspace import Workspace

CHANGES = frozenset({"take", "dismiss", "undo", "apply"})


class RoomScreen(Changing["str | None"], ModalScreen["str | None"]):
    """The result is `apply` when the draft is to be applied, else None. `drafted` is called after each change of it."""

    SCOPES = ("room",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("room")]
    AUTO_FOCUS = "#ideas"
    DEFAULT_CSS = """
    RoomScreen { align: center bottom; background: transparent; }
    RoomScreen:ansi { background: transparent; }
    RoomScreen > #box {
        width: 100%; height: 72%; border: round $wb-frame-focus; border-title-color: $foreground;
        border-title-style: bold; border-subtitle-color: $wb-muted; background: $surface; padding: 0 1;
    }
    RoomScreen #lead { height: auto; max-height: 3; margin: 0 1; color: $wb-muted; }
    RoomScreen #ideas { background: $surface; margin: 1 0 0 0; }
    RoomScreen #pair { background: $surface; display: none; margin: 1 0 0 0; }
    RoomScreen.-comparing #pair { display: block; }
    RoomScreen.-comparing.-short #ideas { display: none; }
    """

    def __init__(
        self, workspace: Workspace, desk: Desk, target: str, glyphs: Glyphs, drafted: Callable[[], None]
    ) -> None:
        super().__init__(workspace)
        self.desk: Desk = desk
        self.target = target
        self.glyphs = glyphs
        self.told = drafted
        self.facts: RoomFacts | None = None
        self.view = "suggestions"
        self.kind: str | None = None
        self.revealed = False
        self.request = 0

    def compose(self) -> ComposeResult:
        """The bars, the list, the comparison, keys."""
        with Vertical(id="box") as box:
            box.border_title = Content("make room")
            yield Plain("looking …", id="lead")
            yield VirtualList(lines=3, glyphs=self.glyphs, id="ideas")
            yield DiffView(glyphs=self.glyphs, id="pair")
            yield KeyLine()

    def on_mount(self) -> None:
        """Look."""
        super().on_mount()
        self.set_class(self.app.size.height < 32, "-short")
        self.look()

    # -- looking ------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Find out anew what the view shows."""
        self.request += 1
        target = (self.facts.fullest(self.target) if self.facts is not None else None) or self.target
        self._look(self.request, self.view, target)

    @work(thread=True, exclusive=True, exit_on_error=False, group="room")
    def _look(self, request: int, view: str, target: str) -> None:
        try:
            if self.facts is None:
                self.desk.go_on()  # before any key works
            facts = look(self.workspace, self.desk, view, target)
        except WorkbenchError as error:
            self.post_message(RoomKnown(request, None, error))
            return
        if not cancelled():
            self.post_message(RoomKnown(request, facts))

    @on(RoomKnown)
    def room_known(self, message: RoomKnown) -> None:
        """Show what was found."""
        if message.request != self.request:
            return
        if message.facts is None:
            if message.error is not None:
                self.refuse(message.error)
            return
        self.facts = message.facts
        if self.kind is not None and not self.facts.of_kind(self.kind):
            self.kind = None
        self._show()

    def outside(self, news: News) -> None:
        """The files are others now, and what is suggested for them."""
        self.look()

    @property
    def ideas(self) -> VirtualList:
        """The list with the cursor."""
        return self.query_one(VirtualList)

    @property
    def comparing(self) -> bool:
        """Whether the comparison is open."""
        return self.has_class("-comparing")

    @property
    def suggestion(self) -> Suggestion | None:
        """The suggestion under the cursor, of the list or of the plan."""
        facts, row = self.facts, self.ideas.cursor_id
        if facts is None or row is None:
            return None
        if self.view == "plan":
            steps = facts.plan.steps if facts.plan is not None else ()
            return steps[int(row) - 1].suggestion if row.isdecimal() and int(row) <= len(steps) else None
        if self.view == "removed":
            return None
        return next((one for one in facts.suggestions if one.id == row), None)

    @property
    def vanished(self) -> Removed | None:
        """The vanished entry under the cursor."""
        facts, row = self.facts, self.ideas.cursor_id
        if self.view != "removed" or facts is None or facts.removed is None or row is None or not row.isdecimal():
            return None
        return facts.removed[int(row)] if int(row) < len(facts.removed) else None

    # -- showing ------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        facts = self.facts
        assert facts is not None
        said, rows = {"plan": self._plan, "removed": self._removed}.get(self.view, self._ideas)(facts)
        kept = ", kept from before" if self.desk.kept else ""
        steps = f" · draft of {facts.steps} step{'' if facts.steps == 1 else 's'}{kept}" if facts.steps else ""
        lead = Content.assemble((f"{bars(facts)}{steps}", "$foreground bold"), f"\n{said}")
        self.query_one("#lead", Plain).say(lead)
        self.ideas.set_rows(rows)
        if self.comparing and self.suggestion is None:
            self.remove_class("-comparing")
        self._compare()
        titles = {"plan": "make room · the whole plan", "removed": "make room · removed lately"}
        self.query_one("#box").border_title = Content(titles.get(self.view, "make room"))
        self.query_one("#box").border_subtitle = Content(
            f"only: {LABELS[self.kind]}" if self.kind and self.view == "suggestions" else ""
        )
        self.refresh_keys()

    def _ideas(self, facts: RoomFacts) -> tuple[str, list[Row]]:
        found = facts.of_kind(self.kind)
        quiet = {kind: len(facts.of_kind(kind)) for kind in ("time_bound", "copied")}
        more = ", ".join(f"{number} {LABELS[kind]}" for kind, number in quiet.items() if number)
        hidden = f"{shown('room.filter')} shows {more}" if more and self.kind is None else ""
        before = in_the_way(facts)
        if not found and before:
            return hidden or "nothing to suggest as it is", [remark(before)]
        if not found:
            text = f"Nothing to suggest. {looked_at(facts)}"
            return hidden or "nothing is said twice, nothing could be shorter", [remark(text)]
        many = f"{len(found)} suggestion{'' if len(found) == 1 else 's'}, {freed_by(found):,} characters; nothing is "
        many += "written before the draft is applied"
        rows = [facts.rows[one.id] for one in found] + ([remark(before)] if before else [])
        return f"{many} · {hidden}" if hidden else many, rows

    def _plan(self, facts: RoomFacts) -> tuple[str, list[Row]]:
        plan = facts.plan
        if plan is None:
            why = safe(str(facts.plan_error)) if facts.plan_error is not None else "looking …"
            return why, [remark(looked_at(facts))]
        name = FILE_NAMES[plan.target]
        if not plan.steps:
            return f"No step is known that would make {name} smaller.", [remark(looked_at(facts))]
        end = plan.steps[-1].percent_after
        goal = "gets under 80 %" if plan.reached else f"does not get under 80 %; the rest stays at {end} %"
        said = (
            f"{len(plan.steps)} step{'' if len(plan.steps) == 1 else 's'} free {plan.freed:,} characters: {name} {goal}"
        )
        return f"{said} · {shown('room.plan')} takes all", step_rows(plan, self.glyphs)

    def _removed(self, facts: RoomFacts) -> tuple[str, list[Row]]:
        removed = facts.removed
        if removed is None:
            return "looking …", []
        if not removed:
            text = "No entry vanished in the last 90 days, as far as the history saw."
            return "what the agent, you or another program took out", [remark(text)]
        said = (
            f"{len(removed)} entr{'y' if len(removed) == 1 else 'ies'} vanished in the last 90 days, the newest first"
        )
        return f"{said} · {shown('room.take')} puts one back", list(facts.gone)

    @on(VirtualList.CursorMoved)
    def cursor_moved(self) -> None:
        """Another row: another comparison, other keys."""
        self._compare()
        self.refresh_keys()

    def _compare(self) -> None:
        one = self.suggestion
        if self.comparing and one is not None:
            self._compared(self.ideas.cursor_id or "", one)

    @work(thread=True, exclusive=True, exit_on_error=False, group="compare")
    def _compared(self, row_id: str, one: Suggestion) -> None:
        rows = compared(one, masked=not self.revealed)
        if not cancelled():
            self.post_message(Compared(row_id, rows))

    @on(Compared)
    def compared_known(self, message: Compared) -> None:
        """Show it, unless the cursor has gone on."""
        if message.row_id == self.ideas.cursor_id:
            self.query_one(DiffView).show(message.rows)

    # -- why not ------------------------------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What the keys mean in this view."""
        labels = {"view": "removed" if self.view != "removed" else "suggestions"}
        if self.view == "removed":
            labels["take"] = "put back"
        if self.view == "plan":
            steps = self.facts.plan.steps if self.facts is not None and self.facts.plan is not None else ()
            labels |= {"take": "up to here", "plan": f"take all {len(steps)}" if steps else "take all"}
        return labels

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now."""
        facts = self.facts
        if facts is None:
            return "" if action_id in ("close", "help") else "It is still being looked."
        if action_id in CHANGES and self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if action_id in CHANGES and self.busy:
            return "A step is being kept; a moment."
        if action_id == "plan" and self.view == "plan" and self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        return self._special_reason(action_id, facts)

    def _special_reason(self, action_id: str, facts: RoomFacts) -> str:
        match action_id:
            case "take" if self.view == "removed" and self.vanished is None:
                return "No entry that vanished stands here."
            case "take" if self.view != "removed" and self.suggestion is None:
                return "No suggestion stands here."
            case "dismiss" | "open" | "reveal" | "layout" if self.suggestion is None:
                return "No suggestion stands here."
            case "reveal" | "layout" if not self.comparing:
                return f"It is for the comparison; {shown('room.open')} opens it."
            case "plan" if self.view == "plan" and not (facts.plan is not None and facts.plan.steps):
                return "The plan has no step to take."
            case "plan" if self.view != "plan" and facts.fullest(self.target) is None:
                unread = " and ".join(FILE_NAMES[target] for target in facts.unread)
                if unread:
                    return f"{unread} cannot be read; no other file is at 80 % or more."
                return "Both files are under 80 % already."
            case "filter" if self.view != "suggestions":
                return f"It is for the suggestions; {shown('room.close')} goes back to them."
            case "filter" if not facts.kinds:
                return "There is no suggestion of any kind."
            case "undo" | "apply" if not self.desk.steps:
                return f"The draft has no step yet; {shown('room.take')} takes one."
        return ""

    # -- keys ---------------------------------------------------------------------------------------------------

    def do_take(self) -> None:
        """Into the draft."""
        if self.view == "removed":
            self._put_back()
        elif self.view == "plan":
            self._take_steps(int(self.ideas.cursor_id or 0))
        elif self.suggestion is not None:
            self._add(self.suggestion.operation)

    def _put_back(self) -> None:
        from workbench.curation.vanished import put_back

        one, facts = self.vanished, self.facts
        if one is not None and facts is not None:
            self._add(put_back(one, facts.documents))

    def _take_steps(self, number: int) -> None:
        plan = self.facts.plan if self.facts is not None else None
        if plan is not None:
            self._add(*(step.suggestion.operation for step in plan.steps[:number]), verb="plan")

    def _add(self, *operations: Operation, verb: str = "take") -> None:
        self.change(Decide(lambda _, __: self.desk.add(*operations), verb))

    def do_plan(self) -> None:
        """Show the plan; in it, take all of it."""
        if self.view == "plan" and self.facts is not None and self.facts.plan is not None:
            self._take_steps(len(self.facts.plan.steps))
        else:
            self._go("plan")

    def _go(self, view: str) -> None:
        self.view = view
        self.remove_class("-comparing")
        self.look()

    def do_view(self) -> None:
        """What vanished, or the suggestions."""
        self._go("suggestions" if self.view == "removed" else "removed")

    def do_filter(self) -> None:
        """The next kind, and after the last one all again."""
        assert self.facts is not None
        order: list[str | None] = [None, *self.facts.kinds]
        at = order.index(self.kind) if self.kind in order else 0
        self.kind = order[(at + 1) % len(order)]
        if self.kind is not None:
            self.say(KINDS[self.kind])
        self._show()

    def do_open(self) -> None:
        """Open or close the comparison."""
        self.toggle_class("-comparing")
        self._compare()
        self.refresh_keys()

    def do_reveal(self) -> None:
        """Show or mask credentials."""
        self.revealed = not self.revealed
        self._compare()

    def do_layout(self) -> None:
        """Columns, or lines below each other."""
        self.query_one(DiffView).toggle_layout()

    def do_dismiss(self) -> None:
        """Not again, for this content."""
        one = self.suggestion
        if one is not None:
            self.change(Decide(lambda workspace, _: workspace.curation.dismiss_this(one), "dismiss"))

    def do_undo(self) -> None:
        """The draft's last step."""
        self.change(Decide(lambda _, __: self.desk.take_back(), "take back"))

    def do_apply(self) -> None:
        """Back to the panes, where the question is asked."""
        self.dismiss("apply")

    def decided(self, intent: Decide, result: object) -> None:
        """The draft has changed, or a suggestion is gone."""
        if intent.verb == "dismiss":
            self.say("Dismissed: it is not offered again while these entries stay as they are.")
        else:
            self.told()
        if intent.verb == "plan":
            steps = len(self.desk.steps)
            self.say(f"{steps} step{'' if steps == 1 else 's'} in the draft; {shown('memory.apply')} applies them.")
            self.dismiss(None)
            return
        self.look()

    def refuse(self, error: WorkbenchError) -> None:
        """What another window has done to the draft is shown."""
        if isinstance(error, DraftMoved):
            self.told()
            self.look()
        super().refuse(error)

    def do_close(self) -> None:
        """One level back."""
        if self.comparing:
            self.remove_class("-comparing")
            self.refresh_keys()
        elif self.view != "suggestions":
            self._go("suggestions")
        else:
            self.dismiss(None)

    # -- moving -------------------------------------------------------------------------------------------------

    def do_down(self) -> None:
        """Next."""
        self.ideas.move(1)

    def do_up(self) -> None:
        """Previous."""
        self.ideas.move(-1)

    def do_top(self) -> None:
        """First."""
        self.ideas.move(-len(self.ideas.rows))

    def do_bottom(self) -> None:
        """Last."""
        self.ideas.move(len(self.ideas.rows))

    def do_half_down(self) -> None:
        """Half a page on, of the comparison while it is open."""
        if self.comparing:
            self.query_one(DiffView).scroll_relative(y=6, animate=False)
        else:
            self.ideas.move_half(1)

    def do_half_up(self) -> None:
        """Half a page back."""
        if self.comparing:
            self.query_one(DiffView).scroll_relative(y=-6, animate=False)
        else:
            self.ideas.move_half(-1)
