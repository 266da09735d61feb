"""The app only wires: areas to screens, themes, the way out."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import App

from workbench.tui import themes
from workbench.tui.acting import Acting
from workbench.tui.actions import AREAS
from workbench.tui.glyphs import Glyphs, choose
from workbench.tui.screens.memory import MemoryScreen

if TYPE_CHECKING:
    from textual.theme import Theme

    from workbench.workspace import Workspace


class WorkbenchApp(App[None]):
    """The full screen over one workspace; the caller opens and closes that."""

    TITLE = "workbench"
    ENABLE_COMMAND_PALETTE = False
    DEFAULT_MODE = AREAS[0].id
    CSS = """
    * {
        scrollbar-color: $wb-frame; scrollbar-color-hover: $wb-frame-focus; scrollbar-color-active: $wb-frame-focus;
        scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background; scrollbar-corner-color: $background;
    }
    Toast { background: $panel; color: $foreground; border-left: outer $primary; }
    Toast.-warning { border-left: outer $warning; }
    Toast.-error { border-left: outer $error; }
    Input { border: none; height: 1; }
    """

    def __init__(self, workspace: Workspace, *, theme: str | None = None, now: float | None = None) -> None:
        self.workspace = workspace
        self.now = now
        self.glyphs: Glyphs = choose()
        chosen = themes.load(theme or themes.DEFAULT)
        super().__init__()
        # One screen per area, made when the area is first shown.
        self.add_mode("memory", lambda: MemoryScreen(workspace, self.glyphs, now))
        self.register_theme(chosen)
        self._begin_with(chosen)

    def _begin_with(self, chosen: Theme) -> None:
        """Be in a theme from the start: switching to one would parse and apply all styles a second time."""
        self.set_reactive(App.theme, chosen.name)
        self.set_class(chosen.dark, "-dark-mode")
        self.set_class(not chosen.dark, "-light-mode")
        self.add_class(f"-theme-{chosen.name}")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own colour names must exist before a theme is in force."""
        return dict(themes.DEFAULT_DATA["variables"])

    @on(events.Ready)
    def drawn(self) -> None:
        """The first frame stands; see `run`."""
        gc.enable()

    @on(events.AppFocus)
    def looked_at(self) -> None:
        """The terminal has the focus again: files may have changed meanwhile."""
        if isinstance(self.screen, Acting):
            self.screen.reload()

    async def action_quit(self) -> None:
        """Leave; asks when a screen holds something unsaved."""
        unsaved = [screen.unsaved for screen in self.screen_stack if isinstance(screen, Acting) and screen.unsaved]
        if not unsaved:
            self.exit()
            return
        from workbench.tui.parts.dialogs import ConfirmDialog

        def answered(yes: bool | None) -> None:
            if yes:
                self.exit()

        lead = f"Unsaved: {', '.join(unsaved)}."
        self.push_screen(ConfirmDialog("quit", lead, verb="quit and lose it", danger=True), answered)

    def action_help_quit(self) -> None:
        """Ctrl+c out of habit: say how to leave."""
        self.notify("q leaves the workbench, ctrl+q from anywhere.", markup=False)
