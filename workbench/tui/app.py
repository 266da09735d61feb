"""The app only wires: areas to screens, themes, the way out."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

from textual import events, on, work

from workbench.tui.acting import Acting
from workbench.tui.actions import AREAS
from workbench.tui.alive import AliveFace
from workbench.tui.keymap import shown
from workbench.tui.screens.memory import MemoryScreen

if TYPE_CHECKING:
    from textual.driver import Driver

    from workbench.tui.home_view import HomeView
    from workbench.workspace import Workspace

# Objects made, and passes over younger ones, before the collector looks for what is not used any more.
COLLECTED_AFTER = (2_000, 10, 10)
# When the first reading is through, and what is loaded then.
IDLE_SECONDS = 0.6
LATER = (
    "parts.dialogs",
    "screens.editor",
    "screens.prompt",
    "screens.history",
    "screens.inbox",
    "inbox_preview",
    "screens.sessions",
    "screens.alerts",
    "screens.split",
    "screens.entry",
    "screens.palette",
    "screens.room",
    "parts.draft_dialogs",
)


class WorkbenchApp(AliveFace):
    """The full screen over one workspace; the caller opens and closes that. `watch` lets it follow the home."""

    DEFAULT_MODE = AREAS[0].id

    def __init__(
        self,
        workspace: Workspace,
        *,
        theme: str | None = None,
        now: float | None = None,
        watch: bool = False,
        home: HomeView | None = None,
        driver: type[Driver] | None = None,
    ) -> None:
        """`home` is what has been read of it already, `driver` replaces Textual's own choice."""
        self.now = now
        super().__init__(workspace, theme=theme, watch=watch, driver=driver)
        # One screen per area, made when the area is first shown.
        self.add_mode("memory", lambda: MemoryScreen(workspace, self.glyphs, now, home))
        self.add_mode("inbox", self._inbox)
        self.add_mode("sessions", self._sessions)
        self.add_mode("alerts", self._alerts_area)
        self.add_mode("prompt", self._prompt)
        self.add_mode("history", self._history)

    def _inbox(self) -> Acting[None]:
        from workbench.tui.screens.inbox import InboxScreen

        return InboxScreen(self.workspace, self.glyphs, self.now)

    def _prompt(self) -> Acting[None]:
        from workbench.tui.screens.prompt import PromptScreen

        return PromptScreen(self.workspace, self.glyphs, self.now)

    def _sessions(self) -> Acting[None]:
        from workbench.tui.screens.sessions import SessionsScreen

        return SessionsScreen(self.workspace, self.glyphs, self.now)

    def _alerts_area(self) -> Acting[None]:
        from workbench.tui.screens.alerts import AlertsScreen

        return AlertsScreen(self.workspace, self.glyphs, self.now)

    def _history(self) -> Acting[None]:
        from workbench.tui.screens.history import HistoryScreen

        return HistoryScreen(self.workspace, self.glyphs, self.now)

    def look_for_text(self, text: str) -> None:
        """Show the conversations in which a text (of an entry, of a waiting record) was probably talked about."""
        from workbench.tui.screens.sessions import SessionsScreen

        self.switch_mode("sessions")
        screen = self.screen
        assert isinstance(screen, SessionsScreen)
        screen.wanted_text = text
        screen.reload()

    def go_to_entry(self, target: str, entry_id: str) -> None:
        """Show an entry where it can be changed."""
        self.switch_mode("memory")
        screen = self.screen
        assert isinstance(screen, MemoryScreen)
        screen.goto = (target, entry_id)
        screen.go_to(target)
        screen.reload()

    def go_to_record(self, key: str) -> None:
        """Show a waiting record where it can be decided about; `key` as the inbox names it."""
        from workbench.tui.screens.inbox import InboxScreen

        self.switch_mode("inbox")
        screen = self.screen
        assert isinstance(screen, InboxScreen)
        screen.goto = key
        screen.reload()

    @on(events.Ready)
    def drawn(self) -> None:
        """The first frame stands; see `run`."""
        # Drawing a frame makes some thousand objects that are soon gone: looked for less often, fewer keys wait for it.
        gc.set_threshold(*COLLECTED_AFTER)
        gc.enable()
        if self.watch_home:
            self.set_timer(IDLE_SECONDS, self._load_areas)

    @work(exit_on_error=False, group="ahead")
    async def _load_areas(self) -> None:
        """While nobody needs the processor: the other areas, so that their first opening is only drawing."""
        from workbench.tui import ahead

        await asyncio.to_thread(ahead.load, LATER)
        await ahead.build(self, [area.id for area in AREAS])

    @on(events.AppFocus)
    def looked_at(self) -> None:
        """The terminal has the focus again: files may have changed meanwhile."""
        if isinstance(self.screen, Acting):
            self.screen.reload()

    async def action_quit(self) -> None:
        """Leave; asks when a screen holds something unsaved."""
        unsaved = [screen.unsaved for screen in self.screen_stack if isinstance(screen, Acting) and screen.unsaved]
        kept = [
            screen.kept_for_later
            for screen in self._all_screens()
            if isinstance(screen, Acting) and screen.kept_for_later
        ]
        if not unsaved and not kept:
            self.exit()
            return
        from workbench.tui.parts.dialogs import ConfirmDialog

        def answered(yes: bool | None) -> None:
            if yes:
                self.exit()

        lead = f"Unsaved: {', '.join(unsaved)}." if unsaved else ""
        if kept:
            lead = f"{lead} Not written, but kept for the next start: {', '.join(kept)}.".strip()
        verb = "quit and lose it" if unsaved else "quit"
        self.push_screen(ConfirmDialog("quit", lead, verb=verb, danger=bool(unsaved)), answered)

    def action_help_quit(self) -> None:
        """Ctrl+c out of habit: say how to leave."""
        self.notify(f"{shown('app.quit')} leaves the workbench, ctrl+q from anywhere.", markup=False)
