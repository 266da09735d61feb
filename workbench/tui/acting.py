"""Acting: a screen whose keys come from the registry and lead to its `do_<id>` methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, Literal, TypeVar

from textual import on
from textual.css.query import NoMatches
from textual.screen import Screen

from workbench.tui.actions import of_scopes
from workbench.tui.parts.footer import Key, KeyLine
from workbench.tui.screen_text import safe

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

    def why_disabled(self, action_id: str) -> str:
        """Why an action does nothing now, as a sentence; "" when it is possible."""
        return ""

    def reload(self) -> None:
        """Read anew what the screen shows; called when the terminal is looked at again."""

    def action_run(self, action_id: str) -> None:
        """Do what a key stands for, or say why not."""
        reason = self.why_disabled(action_id)
        if reason:
            self.say(reason)
            return
        getattr(self, f"do_{action_id}")()

    def say(self, text: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """Say something that goes away by itself; `text` may hold text from disk."""
        self.notify(safe(text), severity=severity, markup=False)

    def refresh_keys(self) -> None:
        """Show which keys work now."""
        labels = self.key_labels
        keys = [
            Key(action, self.why_disabled(action.id), labels.get(action.id, action.label))
            for action in of_scopes(*self.key_scopes)
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

    # -- what every area can do ---------------------------------------------------------------------------------

    def do_help(self) -> None:
        """Show all keys."""
        from workbench.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.SCOPES))

    async def do_quit_now(self) -> None:
        """Leave; the app asks when something is unsaved."""
        await self.app.action_quit()

    def do_quit(self) -> None:
        """Leave; the app asks when something is unsaved."""
        self.call_later(self.do_quit_now)
