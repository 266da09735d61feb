"""Acting: a screen whose keys come from the registry and lead to its `do_<id>` methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar

from textual import events, on
from textual.css.query import NoMatches
from textual.screen import Screen

from workbench.tui.actions import Action, of_scopes
from workbench.tui.face import Face
from workbench.tui.parts.footer import Key, KeyLine
from workbench.tui.parts.header import AreaTabs
from workbench.tui.screen_text import safe

if TYPE_CHECKING:
    from workbench.tui.live import News
    from workbench.tui.unsaved import Draft

ResultT = TypeVar("ResultT")


class Acting(Screen[ResultT], Generic[ResultT]):
    """Base of all screens. A key whose action is impossible now says why instead of doing nothing."""

    SCOPES: ClassVar[tuple[str, ...]] = ()

    @property
    def key_scopes(self) -> tuple[str, ...]:
        """The scopes whose keys the key line shows now."""
        return self.SCOPES

    @property
    def key_labels(self) -> Mapping[str, str]:
        """Labels that fit this screen better than the registry's, by action id."""
        return {}

    @property
    def unsaved(self) -> str:
        """What would be lost by leaving, in a few words; "" when nothing would."""
        return ""

    @property
    def kept_for_later(self) -> str:
        """What is not written but kept for the next start, in a few words; "" when nothing is."""
        return ""

    def why_disabled(self, action_id: str) -> str:
        """Why an action does nothing now, as a sentence; "" when it is possible."""
        return ""

    def reload(self) -> None:
        """Read anew what the screen shows; called when the terminal is looked at again."""

    def outside(self, news: News) -> None:
        """The home changed outside this screen; an area reads anew, what lies over it only if it must know."""
        if not self.is_modal:
            self.reload()

    def database_written(self) -> None:
        """Somebody wrote to the agent's database; only a screen that shows what is in it has to look."""

    @on(events.ScreenSuspend)
    def covered(self) -> None:
        """A question that opens over this screen must not be covered by what was said before it."""
        if self in self.app.screen_stack:  # covered, not left
            self.app.clear_notifications()

    @property
    def draft(self) -> Draft | None:
        """The unsaved text, as it is kept when the terminal goes away; None when there is none."""
        return None

    # -- keys ---------------------------------------------------------------------------------------------------

    @property
    def face(self) -> Face:
        """The app, as the settings of the home shape it."""
        app = self.app
        assert isinstance(app, Face)
        return app

    def on_mount(self) -> None:
        """The user's keys come before the first one is pressed."""
        self.rebind()

    def on_screen_resume(self) -> None:
        """What has happened to the home while this screen was hidden."""
        self.face.mark_gone(self)

    def rebind(self) -> None:
        """Bind the keys in force; again when the settings have changed."""
        merged = type(self)._merged_bindings
        if merged is not None:
            self._bindings = self.face.keymap.rebind(merged)
        self.refresh_keys()

    def actions(self, *scopes: str) -> tuple[Action, ...]:
        """The actions of these scopes with the keys in force."""
        return self.face.keymap.apply(of_scopes(*scopes))

    def reason(self, action_id: str) -> str:
        """Why an action does nothing now; what belongs to the app is answered for all screens alike."""
        if action_id in ("palette", "pause", "redraw"):
            return self.face.why_disabled(action_id)
        return self.why_disabled(action_id)

    def action_run(self, action_id: str) -> None:
        """Do what a key stands for, or say why not."""
        reason = self.reason(action_id)
        if reason:
            self.say(reason)
            return
        getattr(self, f"do_{action_id}")()

    def say(self, text: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """Say something that goes away by itself; `text` may hold text from disk."""
        said = safe(text)
        for older in list(self.app._notifications):
            if older.message == said:
                # A key pressed again and again must not cover the screen with the same sentence.
                self.app._unnotify(older, refresh=False)
        self.notify(said, severity=severity, markup=False)

    def refresh_keys(self) -> None:
        """Show which keys work now."""
        labels = {**self.face.key_labels, **self.key_labels}
        keys = [
            Key(action, self.reason(action.id), labels.get(action.id, action.label))
            for action in self.actions(*self.key_scopes)
            if action.rank
        ]
        try:
            self.query_one(KeyLine).show(keys)
        except NoMatches:
            return  # not composed yet; the screen asks again once it is

    @on(KeyLine.Pressed)
    def key_clicked(self, message: KeyLine.Pressed) -> None:
        """A click on a key is the key."""
        message.stop()
        self.action_run(message.action_id)

    # -- areas --------------------------------------------------------------------------------------------------

    @on(AreaTabs.Pressed)
    def area_clicked(self, message: AreaTabs.Pressed) -> None:
        """A click on an area is its key."""
        message.stop()
        self.action_run(f"area_{message.area_id}")

    def do_area_memory(self) -> None:
        """The entries."""
        self.app.switch_mode("memory")

    def do_area_inbox(self) -> None:
        """What waits."""
        self.app.switch_mode("inbox")

    def do_area_sessions(self) -> None:
        """What was said."""
        self.app.switch_mode("sessions")

    def do_area_alerts(self) -> None:
        """What needs a human."""
        self.app.switch_mode("alerts")

    def do_area_prompt(self) -> None:
        """What the agent gets."""
        self.app.switch_mode("prompt")

    def do_area_history(self) -> None:
        """What has been."""
        self.app.switch_mode("history")

    # -- what every area can do ---------------------------------------------------------------------------------

    def do_help(self) -> None:
        """Show all keys."""
        from workbench.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.SCOPES))

    def do_palette(self) -> None:
        """Everything that can be done here, found by typing."""
        from workbench.tui.screens.palette import open_palette

        open_palette(self)

    def do_redraw(self) -> None:
        """Draw everything anew."""
        self.face.draw_again()

    def do_pause(self) -> None:
        """Hold live updates back, or let them go on."""
        self.face.toggle_pause()

    async def do_quit_now(self) -> None:
        """Leave; the app asks when something is unsaved."""
        await self.app.action_quit()

    def do_quit(self) -> None:
        """Leave; the app asks when something is unsaved."""
        self.call_later(self.do_quit_now)
