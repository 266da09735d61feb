"""Face: what every app of this package has in common: settings, themes, keys, plain signs, calm motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.filter import LineFilter
from textual.screen import Screen

from workbench.home.settings import Settings, SettingsProblem, load_settings
from workbench.tui import themes
from workbench.tui.glyphs import PLAIN, Glyphs, choose
from workbench.tui.keymap import Keymap, read_keymap, shown
from workbench.tui.painting import Painter
from workbench.tui.plain_signs import PlainSigns

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.theme import Theme

NO_COLOUR_THEME = "ansi"


class Face(App[None]):
    """An app that looks as the settings of a home say; `home` is None when there is none."""

    TITLE = "workbench"
    ENABLE_COMMAND_PALETTE = False
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
    .-gone > * { opacity: 50%; }
    .-gone > HeaderLine, .-gone > AreaTabs, .-gone > Banner, .-gone > KeyLine, .-gone > ToastRack { opacity: 100%; }
    """

    def __init__(self, home: Path | None, *, theme: str | None = None, driver: type[Driver] | None = None) -> None:
        self.home = home
        self.settings = load_settings(home) if home is not None else Settings()
        self.keymap: Keymap = read_keymap(self.settings.keys) if self.settings.keys else Keymap()
        self.glyphs: Glyphs = choose(setting=self.settings.glyphs)
        self.settings_problems: tuple[SettingsProblem, ...] = ()
        self._said_problems: set[str] = set()
        # Entries that somebody has written on without a delimiter, and the character where that begins.
        self.joins: dict[str, int] = {}
        self.home_gone = False
        self.painter = Painter()
        self._plain = PlainSigns()
        self._theme_given = theme is not None
        chosen, refused = self._first_theme(theme)
        super().__init__(driver_class=driver)
        self._note_problems(refused)
        if self.no_color and chosen.name != NO_COLOUR_THEME:
            chosen = themes.load(NO_COLOUR_THEME)
        self._calm()
        self._begin_with(chosen)

    # -- looks --------------------------------------------------------------------------------------------------

    def _first_theme(self, asked: str | None) -> tuple[Theme, str]:
        """The theme to begin with, and why the one of the settings cannot be used ("" when it can).

        Raises BadTheme for one that was asked for on the command line.
        """
        if asked is not None:
            return themes.load(asked, self.home), ""
        if self.settings.theme is None:
            return themes.load(themes.DEFAULT, self.home), ""
        try:
            return themes.load(self.settings.theme, self.home), ""
        except themes.BadTheme as error:
            return themes.load(themes.DEFAULT), str(error)

    def _begin_with(self, chosen: Theme) -> None:
        """Be in a theme from the start: switching to one would parse and apply all styles a second time."""
        self.register_theme(chosen)
        self.set_reactive(App.theme, chosen.name)
        self.set_class(chosen.dark, "-dark-mode")
        self.set_class(not chosen.dark, "-light-mode")
        self.add_class(f"-theme-{chosen.name}")

    def use_theme(self, theme: Theme) -> None:
        """Show a theme; one of the same name is replaced."""
        again = theme.name == self.theme
        self.register_theme(theme)
        if again:
            self._watch_theme(theme.name)
        else:
            self.theme = theme.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own colour names must exist before a theme is in force."""
        return dict(themes.DEFAULT_DATA["variables"])

    def get_line_filters(self) -> Sequence[LineFilter]:
        """No colour where none is wanted, plain signs where others cannot be drawn; for all that is drawn."""
        filters = list(super().get_line_filters())
        if self.no_color:
            from textual.filter import NoColor

            filters.append(NoColor())
        if self.glyphs == PLAIN:
            filters.append(self._plain)
        return filters

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Send to the terminal only what it does not show yet."""
        super()._display(screen, self.painter.thinned(renderable))

    def on_mount(self) -> None:
        """Whatever another program has drawn while this one was suspended is drawn over."""
        self.app_resume_signal.subscribe(self, lambda _: self.set_timer(0.05, self.draw_again))

    def draw_again(self) -> None:
        """Draw everything, whatever the terminal shows."""
        self.painter.forget()
        self.screen.refresh()

    def on_app_focus(self) -> None:
        """Whoever looks at the terminal again sees all of it, whatever another program has written there."""
        self.painter.forget()

    @property
    def calm(self) -> bool:
        """Whether motion is reduced: nothing slides, no cursor blinks."""
        return self.settings.motion == "reduced"

    def _calm(self) -> None:
        if self.calm:
            self.animation_level = "none"

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A blinking cursor is motion too."""
        self.steady(event.widget)

    def steady(self, widget: object) -> None:
        """Let the cursor of an input stand still when motion is reduced."""
        if self.calm and hasattr(widget, "cursor_blink"):
            widget.cursor_blink = False

    # -- what its keys do on every screen ------------------------------------------------------------------------

    @property
    def key_labels(self) -> Mapping[str, str]:
        """Labels of the app's own actions that depend on what is going on."""
        return {}

    def why_disabled(self, action_id: str) -> str:
        """Why an action of the app's own does nothing now."""
        return "Nothing is watched here." if action_id == "pause" else ""

    def toggle_pause(self) -> None:
        """Hold live updates back, or let them go on."""

    def alerts_known(self, count: int) -> None:
        """So many things are open, as a screen has found out."""

    def mark_gone(self, screen: Screen[Any]) -> None:
        """Show on one screen whether the home is there."""

    def keep_theme(self, name: str) -> None:
        """A theme was chosen; it stays for this run, and beyond it where there is a home to write to."""
        self.notify(f"Theme {name} for this run.", markup=False)

    def home_lost(self) -> None:
        """The home's folder is not there any more."""

    @property
    def live_note(self) -> tuple[str, str]:
        """What the header says of the watching, and its tone ("" or warning)."""
        return "", ""

    # -- settings -----------------------------------------------------------------------------------------------

    def _note_problems(self, theme_problem: str = "") -> None:
        problems = [*self.settings.problems, *self.keymap.problems]
        if theme_problem:
            problems.insert(0, SettingsProblem("theme", theme_problem))
        self.settings_problems = tuple(problems)

    def say_problems(self) -> None:
        """One notice for all settings that are not in force and have not been named yet."""
        fresh = [problem.why for problem in self.settings_problems if problem.why not in self._said_problems]
        if not fresh:
            return
        from workbench.tui.screen_text import one_line

        self._said_problems.update(fresh)
        lines = [one_line(why) for why in fresh[:3]]
        if len(fresh) > 3:
            lines.append(f"and {len(fresh) - 3} more; {shown('app.help')} lists them all")
        self.notify("\n".join(lines), title="settings", severity="warning", timeout=12, markup=False)
