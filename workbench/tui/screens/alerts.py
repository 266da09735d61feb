"""The Alerts area: everything that needs a human, worst first, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from workbench.errors import WorkbenchError
from workbench.memory import FILE_NAMES
from workbench.tui.actions import AREAS, bindings
from workbench.tui.alert_facts import (
    FILE_KINDS,
    SETTINGS_FILES,
    WORD_KINDS,
    AlertsRead,
    AlertsView,
    alert_lines,
    alert_text,
    cleaned,
    read_alerts,
)
from workbench.tui.facts import Decide, StoreView
from workbench.tui.keymap import shown
from workbench.tui.parts.plain import Plain, entitle
from workbench.tui.parts.virtual_list import VirtualList
from workbench.tui.screens.area import Area, Unavailable
from workbench.tui.screens.changing import cancelled
from workbench.tui.screens.sides import ListBeside, Words

if TYPE_CHECKING:
    from workbench.alerts import Alert
    from workbench.tui.glyphs import Glyphs
    from workbench.tui.screens.editor import Edited
    from workbench.workspace import Workspace
    from workbench.workspace.alerting import Listed

_DAY = 86_400.0
_FIXES = {"vanished": "put back", "turns": "choose", **dict.fromkeys(SETTINGS_FILES, "$EDITOR")}
_SPANS = {"hour": 3_600.0, "day": _DAY, "week": 7 * _DAY, "month": 30 * _DAY}


class AlertsScreen(ListBeside[None], Area):
    """List on the left, what is to be said on the right."""

    AREA = "alerts"
    SCOPES = ("alerts", "app")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("alerts", "app")]
    AUTO_FOCUS = "#alerts"
    DEFAULT_CSS = """
    AlertsScreen { layout: vertical; }
    AlertsScreen #panes { height: 1fr; }
    AlertsScreen #list, AlertsScreen #said {
        border: round $wb-frame; border-title-color: $wb-muted; border-subtitle-color: $wb-muted; height: 1fr;
    }
    AlertsScreen #list { width: 50%; min-width: 50; }
    AlertsScreen #said { width: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    AlertsScreen #list:focus-within, AlertsScreen #said:focus {
        border: round $wb-frame-focus; border-title-color: $foreground; border-title-style: bold;
    }
    AlertsScreen #said > Plain { height: auto; }
    AlertsScreen #text { background: $panel; padding: 0 1; margin: 0 0 1 0; display: none; }
    AlertsScreen #text.-some { display: block; }
    AlertsScreen #nothing { display: none; padding: 1 2; color: $wb-muted; }
    AlertsScreen.-nothing #nothing { display: block; }
    AlertsScreen.-nothing #panes { display: none; }
    AlertsScreen.-compact #list { width: 1fr; min-width: 0; }
    AlertsScreen.-compact #said, AlertsScreen.-compact.-reading #list { display: none; }
    AlertsScreen.-compact.-reading #said { display: block; }
    """

    def __init__(self, workspace: Workspace, glyphs: Glyphs, now: float | None = None) -> None:
        super().__init__(workspace, glyphs, now)
        self.view: AlertsView | None = None
        self.everything = False
        self.masked = True

    def compose_area(self) -> Iterable[Widget]:
        """Nothing, or list and words."""
        yield Plain(id="nothing")
        with Horizontal(id="panes"):
            with Vertical(id="list") as box:
                box.border_title = Content("alerts")
                yield VirtualList(glyphs=self.glyphs, lines=4, id="alerts")
            with Words(id="said"):
                yield Plain(id="text")
                yield Plain(id="lines")

    @property
    def list(self) -> VirtualList:
        """The alerts."""
        return self.query_one("#alerts", VirtualList)

    @property
    def beside(self) -> Words:
        """What is said of the one under the cursor."""
        return self.query_one("#said", Words)

    @property
    def reading(self) -> bool:
        """Whether keys act on the right."""
        return self.has_class("-reading")

    @property
    def one(self) -> Listed | None:
        """The alert under the cursor."""
        return self.view.find(self.list.cursor_id) if self.view is not None else None

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self, request: int) -> None:
        """Judge the home."""
        self._read(request, self.everything)

    @work(thread=True, exclusive=True, exit_on_error=False, group="alerts")
    def _read(self, request: int, everything: bool) -> None:
        try:
            view = read_alerts(self.workspace, self.glyphs, self.now, everything=everything)
        except WorkbenchError as error:
            self.post_message(Unavailable(request, error))
            return
        if not cancelled():
            self.post_message(AlertsRead(request, view))

    @on(AlertsRead)
    def alerts_read(self, message: AlertsRead) -> None:
        """Show them; the cursor stays where it was."""
        if message.request != self.request:
            return
        view = self.view = message.view
        self.show_header(view.header)
        self.set_class(not view.listed, "-nothing")
        if not view.listed:
            self.read_on(False)
        self.query_one("#nothing", Plain).say(self._nothing(view))
        self.list.set_rows(view.rows)
        parts = [f"{view.open} open"]
        if view.aside:
            parts.append(
                f"{view.aside} set aside" + ("" if self.everything else f", {shown('alerts.view')} shows them")
            )
        entitle(self.query_one("#list"), subtitle=" · ".join(parts))
        self.show_one()

    def _nothing(self, view: AlertsView) -> Content:
        lines = [Content.styled("Nothing needs you.", "$foreground bold")]
        lines.append(Content(f"\nLooked at: {view.looked_at}"))
        if view.aside:
            was = "alert was" if view.aside == 1 else "alerts were"
            lines.append(Content(f"\n{view.aside} {was} set aside; {shown('alerts.view')} shows them."))
        return Content("\n").join(lines)

    @on(VirtualList.CursorMoved)
    def show_one(self) -> None:
        """Say everything about the alert under the cursor."""
        one = self.one
        self.refresh_keys()
        if one is None or self.view is None:
            return
        text = alert_text(one.alert, masked=self.masked)
        widget = self.query_one("#text", Plain)
        widget.set_class(text is not None, "-some")
        widget.say(text if text is not None else "")
        place = self.view.places.get(one.alert.id, "")
        self.query_one("#lines", Plain).say(alert_lines(one, place, self._keys_of(one), self.glyphs))
        self.beside.scroll_home(animate=False)

    def _keys_of(self, one: Listed) -> tuple[tuple[str, str], ...]:
        """The keys that do something about this alert, in words."""
        offers = self._offers(one)
        return tuple((shown(f"alerts.{action}"), words) for action, words in offers if not self.why_disabled(action))

    def _offers(self, one: Listed) -> Iterable[tuple[str, str]]:
        yield "open", self._place_words(one.alert)
        fix = self._fix_words(one.alert)
        if fix:
            yield "accept", fix
        if one.alert.kind == "credential":
            yield "forget", "forget it for good: entries, history, backups"
        if one.state == "open":
            yield "dismiss", "dismiss it until what it is about changes"
            yield "snooze", "set it aside for some time"
        else:
            yield "dismiss", "take it up again"
        if any(action.command for action in one.alert.actions):
            yield "copy", "copy the command"

    def _place_words(self, alert: Alert) -> str:
        if alert.entry and alert.target:
            return f"go to the entry in {FILE_NAMES[alert.target]}"
        if alert.target:
            return f"go to {FILE_NAMES[alert.target]}"
        if alert.where.startswith("pending"):
            return "go to what waits"
        return "go to the conversations" if alert.where == "state.db" else "read on"

    def _fix_words(self, alert: Alert) -> str:
        """What `a` does about an alert, in words; "" when nothing is proposed."""
        if alert.kind == "vanished":
            return f"put {FILE_NAMES[alert.target]} back as it was seen last"
        if alert.kind in FILE_KINDS:
            return f"see the ways to put {FILE_NAMES[alert.target]} right"
        if alert.kind in SETTINGS_FILES:
            return f"open {SETTINGS_FILES[alert.kind]} in your editor"
        if alert.kind == "turns":
            return "choose entry by entry out of both versions"
        if alert.kind in WORD_KINDS:
            return "reword it in the editor" if cleaned(alert) == alert.text else "take the hidden characters out"
        return ""

    # -- why not ------------------------------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """What a key means for the alert under the cursor."""
        one = self.one
        labels = {"view": "open ones" if self.everything else "all", "reveal": "reveal" if self.masked else "mask"}
        if one is not None:
            kind = one.alert.kind
            if one.state != "open":
                labels["dismiss"] = "take up"
            if self._fix_words(one.alert):
                labels["accept"] = _FIXES.get(kind, "reword" if kind in WORD_KINDS else "put right")
        return labels

    def why_disabled(self, action_id: str) -> str:
        """The reason a key does nothing now; "" when it works."""
        if action_id == "area_alerts":
            return "This is the Alerts area."
        if action_id in ("help", "quit", "backups") or action_id.startswith("area_"):
            return ""
        if self.view is None:
            return "The home is still being read."
        if action_id == "back":
            return "" if self.reading or self.everything else f"This is the outermost level; {shown('app.quit')} quits."
        if action_id == "view":
            return "" if self.everything or self.view.aside else "Nothing was set aside."
        one = self.one
        if one is None:
            return "No alert is chosen: nothing needs you."
        if action_id in ("accept", "dismiss", "snooze", "forget"):
            return self._why_not_done(action_id, one)
        match action_id:
            case "copy" if not any(action.command for action in one.alert.actions):
                return "No command does anything about this; it is to be known."
            case "reveal" if not one.alert.text:
                return "No entry is quoted here."
        return ""

    def _why_not_done(self, action_id: str, one: Listed) -> str:
        from workbench.tui.external import why_no_editor

        if self.workspace.read_only:
            return "Opened with --read-only: nothing is changed."
        if self.busy:
            return "A change is being written; another program may hold the file for a moment."
        match action_id:
            case "accept" if not self._fix_words(one.alert):
                return f"No fix is proposed for this; {shown('alerts.open')} goes to the place."
            case "accept" if one.alert.kind in SETTINGS_FILES:
                return why_no_editor()
            case "forget" if one.alert.kind != "credential":
                return f"This is about no credential; {shown('memory.forget')} in the Memory area forgets any entry."
            case "snooze" if one.state == "dismissed":
                return f"It is dismissed; {shown('alerts.dismiss')} takes it up again."
        return ""

    # -- the place ----------------------------------------------------------------------------------------------

    @on(VirtualList.Opened)
    def opened(self) -> None:
        """A double click."""
        self.action_run("open")

    def do_open(self) -> None:
        """Go to the place."""
        from workbench.tui.app import WorkbenchApp

        one, app = self.one, self.app
        if one is None or not isinstance(app, WorkbenchApp):
            return
        alert = one.alert
        mode = "sessions" if alert.where == "state.db" else ""
        if alert.target:
            app.go_to_entry(alert.target, alert.entry)
        elif alert.where.startswith("pending"):
            app.go_to_record(alert.where.removeprefix("pending/").removesuffix(".json"))
        elif any(area.id == mode for area in AREAS):
            app.switch_mode(mode)
        elif not self.reading:
            self.read_on(True)
        else:
            self.do_copy()

    def do_accept(self) -> None:
        """The fix that is proposed."""
        from workbench.tui.screens.drift import put_back, put_right

        one = self.one
        if one is None:
            return
        alert = one.alert
        if alert.kind == "vanished":
            self.change(put_back(alert.target))
        elif alert.kind in FILE_KINDS:
            put_right(self, alert.target, self.glyphs, self._left)
        elif alert.kind == "turns":
            from workbench.tui.screens.choosing import ChoosingScreen

            self.app.push_screen(ChoosingScreen(self.workspace, alert.target, self.glyphs), self._left)
        elif alert.kind in SETTINGS_FILES:
            self._edit_settings(alert)
        else:
            self._reword(alert)

    def _edit_settings(self, alert: Alert) -> None:
        from workbench.tui.external import open_outside

        assert self.view is not None
        path = self.workspace.home / SETTINGS_FILES[alert.kind]
        failed = open_outside(self.app, path, self.view.lines.get(alert.id, 0))
        if failed:
            self.say(failed, "error")
        self.reload()

    def _reword(self, alert: Alert) -> None:
        from workbench.text import find_secrets
        from workbench.tui.parts.dialogs import ConfirmDialog

        def answered(yes: bool | None) -> None:
            if yes:
                self._edit(alert)

        if self.masked and find_secrets(alert.text):
            lead = "This entry holds a credential. Edit it unmasked?"
            self.app.push_screen(ConfirmDialog("a credential", lead, verb="edit"), answered)
        else:
            self._edit(alert)

    def _edit(self, alert: Alert) -> None:
        from workbench.tui.screens.editor import EditorScreen

        assert self.view is not None
        store = StoreView(self.view.documents[alert.target], self.workspace.enabled(alert.target), ())

        def left(edited: Edited | None) -> None:
            saved = edited is not None and edited.saved is not None
            self._left(f"Saved in {FILE_NAMES[alert.target]}; {shown('memory.undo')} takes it back." if saved else "")

        screen = EditorScreen(self.workspace, store, alert.text, self.glyphs, initial=cleaned(alert))
        self.app.push_screen(screen, left)

    def _left(self, done: str | None) -> None:
        if done:
            self.said_saved(done)
        self.reload()

    def do_forget(self) -> None:
        """Take the credential's entry out of everything."""
        from workbench.tui.screens.forgetting import ForgetScreen

        if self.one is not None:
            self.app.push_screen(ForgetScreen(self.workspace, self.one.alert.text, self.glyphs), self._left)

    # -- setting aside ------------------------------------------------------------------------------------------

    def do_dismiss(self) -> None:
        """Set it aside for this content, or take it up again."""
        one = self.one
        if one is None:
            return
        alert, away = one.alert, one.state == "open"

        def make(workspace: Workspace, accept: frozenset[str]) -> object:
            if not away:
                return workspace.take_up(alert)
            workspace.set_aside(alert)
            return None

        said = "Dismissed; it comes back when what it is about changes." if away else "It is open again."
        self._set_aside(make, f"{said} {shown('alerts.view')} shows what was set aside.")

    def do_snooze(self) -> None:
        """Set it aside for some time."""
        from workbench.tui.screens.snoozing import SnoozeDialog

        one = self.one
        if one is None:
            return
        alert = one.alert

        def chosen(name: str | None) -> None:
            if not name:
                return
            until = self.workspace.clock() + _SPANS[name]
            label = {"hour": "an hour", "day": "a day", "week": "a week", "month": "thirty days"}[name]

            def make(workspace: Workspace, accept: frozenset[str]) -> object:
                workspace.set_aside(alert, until)
                return None

            self._set_aside(make, f"Set aside for {label}.")

        self.app.push_screen(SnoozeDialog(alert.message), chosen)

    def _set_aside(self, make: Callable[[Workspace, frozenset[str]], object], said: str) -> None:
        self.change(Decide(make, said))

    def decided(self, intent: Decide, result: object) -> None:
        """Set aside, or put back: read it anew."""
        if intent.verb in FILE_NAMES:
            self.said_saved(f"{FILE_NAMES[intent.verb]} is back; {shown('memory.undo')} takes it back.")
        else:
            self.say(intent.verb)
        self.reload()

    # -- looking ------------------------------------------------------------------------------------------------

    def do_view(self) -> None:
        """Also what was set aside, or only what is open."""
        self.everything = not self.everything
        self.reload()

    def do_reveal(self) -> None:
        """Show or mask credentials in the text."""
        self.masked = not self.masked
        self.show_one()

    def do_copy(self) -> None:
        """Copy the first command."""
        one = self.one
        commands = [action.command for action in one.alert.actions if action.command] if one is not None else []
        if not commands:
            self.say("No command does anything about this; it is to be known.")
            return
        self.app.copy_to_clipboard(commands[0])
        self.say(f"Copied: {commands[0]}")

    def do_backups(self) -> None:
        """The backups of both files."""
        from workbench.tui.screens.backups import open_backups

        open_backups(self, self.glyphs, self._left)

    def read_on(self, reading: bool) -> None:
        """Let keys act on the right, or in the list."""
        self.set_class(reading, "-reading")
        self.set_focus(self.beside if reading else self.list)
        self.refresh_keys()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """However a pane got the focus, keys act there."""
        if event.widget in (self.list, self.beside):
            self.set_class(event.widget is self.beside, "-reading")
            self.refresh_keys()

    def do_pane(self) -> None:
        """The other pane."""
        self.read_on(not self.reading)

    do_pane_back = do_pane

    def do_back(self) -> None:
        """One level back; never quits."""
        if self.reading:
            self.read_on(False)
        else:
            self.do_view()
