"""Alive: the app beside a running agent. Facts of the home become repaints, toasts and a word in the header."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual import events, on, work
from textual.app import ScreenStackError
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import Screen
from textual.widgets._toast import Toast, ToastRack

from workbench.errors import WorkbenchError
from workbench.home.settings import load_settings
from workbench.tui import themes
from workbench.tui.acting import Acting
from workbench.tui.face import Face
from workbench.tui.keymap import Keymap, read_keymap, shown
from workbench.tui.news import (
    REPAINTS,
    SESSIONS,
    SETTINGS,
    HomeChanged,
    HomeFound,
    HomeLost,
    NotRecorded,
    ThemeKept,
    WatchState,
)
from workbench.tui.parts.header import AreaTabs, HeaderLine
from workbench.tui.parts.plain import Plain
from workbench.tui.screen_text import home_name, one_line

if TYPE_CHECKING:
    from textual.await_remove import AwaitRemove
    from textual.dom import DOMNode
    from textual.driver import Driver
    from textual.widget import AwaitMount, Widget

    from workbench.tui.live import Live, News
    from workbench.tui.telling import Telling
    from workbench.tui.unsaved import Kept
    from workbench.watch.keeper import Settled
    from workbench.workspace import Workspace

# How long a process without a terminal may take to leave in order before it is ended.
LAST_SECONDS = 3.0


class DraftsFound(Message):
    """Texts were kept when a terminal went away."""

    def __init__(self, drafts: tuple[Kept, ...]) -> None:
        super().__init__()
        self.drafts = drafts


class Banner(Plain):
    """One line below the areas for what concerns the whole home."""

    DEFAULT_CSS = """
    Banner { height: auto; padding: 0 1; background: $panel; color: $warning; text-style: bold; }
    """


class AliveFace(Face):
    """Watches its workspace's home when `watch` is set; without it, nothing outside is noticed until it is read."""

    # The first frame and the first reading come before; importing the observer beside them would slow both down.
    settled_seconds = 0.3
    _stands = False

    def __init__(
        self,
        workspace: Workspace,
        *,
        theme: str | None,
        watch: bool,
        polling: bool | None = None,
        driver: type[Driver] | None = None,
    ) -> None:
        self.workspace = workspace
        self.watch_home = watch
        self.polling = polling
        self.live: Live | None = None
        self._left = threading.Event()
        self.telling: Telling | None = None
        self._alerts: int | None = None
        self._turns_said: dict[str, int] = {}
        super().__init__(workspace.home, theme=theme, driver=driver)

    # -- beginning and end --------------------------------------------------------------------------------------

    @on(events.Ready)
    def begin_to_live(self) -> None:
        """The first frame stands: now there is time to watch."""
        self.say_problems()
        if self.watch_home:
            self.set_timer(self.settled_seconds, self._begin)

    def _begin(self) -> None:
        from workbench.tui.live import Live

        self.live = Live(self.workspace, self.post_message, polling=self.polling)
        self.live.start()
        self._begin_to_tell()
        self._mind_the_terminal()
        if not self.workspace.read_only:
            self._look_for_drafts()

    def _begin_to_tell(self) -> None:
        """Title, bell and notifications, where there is a terminal to hear them."""
        driver = self._driver
        if driver is None or self.is_headless:
            return
        from workbench.tui.telling import Telling

        telling = self.telling = Telling(driver.write)
        self._tell_as_set()
        self.app_suspend_signal.subscribe(self, lambda _: telling.leave())
        self.app_resume_signal.subscribe(self, lambda _: telling.come_back())

    def _tell_as_set(self) -> None:
        if self.telling is not None:
            now = self.settings
            self.telling.settings(title=now.title, bell=now.bell, notify=now.notify)
            if self._alerts is not None:
                self.telling.alerts(self._alerts)

    def alerts_known(self, count: int) -> None:
        """So many things are open, as a screen has found out."""
        self._alerts = count
        if self.telling is not None:
            self.telling.alerts(count)

    def on_unmount(self) -> None:
        """No thread outlives the screen, and the terminal gets its title back."""
        self._left.set()
        if self.telling is not None:
            self.telling.leave()
        if self.live is not None:
            self.live.stop()

    # -- the header ---------------------------------------------------------------------------------------------

    @property
    def live_note(self) -> tuple[str, str]:
        """What the header says of the watching, and its tone."""
        return self.live.note(self.size.width) if self.live is not None else ("", "")

    @on(WatchState)
    def watch_state(self) -> None:
        """Show how the home is watched now."""
        for screen in self._all_screens():
            for line in screen.query(HeaderLine):
                line.refresh()
        if isinstance(self.screen, Acting):
            self.screen.refresh_keys()

    @property
    def key_labels(self) -> Mapping[str, str]:
        """The key says which way it goes."""
        return {"pause": "resume"} if self.live is not None and self.live.paused else {}

    def why_disabled(self, action_id: str) -> str:
        """Only what is watched can be held back."""
        if action_id == "pause" and self.live is None:
            return "Watching has not begun yet." if self.watch_home else "Nothing is watched here."
        return ""

    def toggle_pause(self) -> None:
        """Hold live updates back, or show what has come since."""
        if self.live is None:
            return
        self.live.toggle_pause()
        self.watch_state()
        if self.live.paused:
            self.notify(
                f"Everything is still recorded; {shown('app.pause')} shows what has come.", title="paused", markup=False
            )

    # -- news ---------------------------------------------------------------------------------------------------

    def _all_screens(self) -> Iterable[Screen[Any]]:
        """Every screen there is, shown or not."""
        seen: dict[int, Screen[Any]] = {}
        for stack in self._screen_stacks.values():
            for screen in stack:
                seen[id(screen)] = screen
        return seen.values()

    @on(HomeChanged)
    def home_changed(self, message: HomeChanged) -> None:
        """Tell the screens that are in sight; a hidden area reads when it is shown."""
        news = message.news
        self.joins.update(step.joined for step in news.steps if step.joined is not None)
        for sentence in filter(None, (step.sentence() for step in news.steps)):
            self.notify(one_line(sentence), markup=False)
        for one in news.settled:
            said = settled_sentence(one)
            if said and self._worth_saying(one):
                self.notify(one_line(said), severity="warning", timeout=12, markup=False)
        if SETTINGS in news.kinds:
            self.settings_changed()
        if news.kinds & REPAINTS and not self.home_gone:
            self._tell_screens(news)
        if SESSIONS in news.kinds and not self.home_gone:
            for screen in list(self.screen_stack):
                if isinstance(screen, Acting):
                    screen.database_written()

    def _worth_saying(self, one: Settled) -> bool:
        """Two writers in turn go on for hours: said at first, and whenever it is twice as often."""
        if one.turns is None or one.gone:
            return True
        before = self._turns_said.get(one.target, 0)
        if one.turns.times < 2 * before:
            return False
        self._turns_said[one.target] = one.turns.times
        return True

    def _tell_screens(self, news: News) -> None:
        for screen in list(self.screen_stack):
            # One without contents is being taken down, or is not built yet and reads for itself.
            if isinstance(screen, Acting) and screen.children:
                screen.outside(news)

    @on(NotRecorded)
    def not_recorded(self, message: NotRecorded) -> None:
        """A version that passes unrecorded is never passed over in silence."""
        self.notify(one_line(str(message.error)), severity="warning", markup=False)

    # -- the home itself ----------------------------------------------------------------------------------------

    @on(HomeLost)
    def home_lost(self) -> None:
        """Keep what is known, greyed, and say so."""
        if not self.home_gone:
            self.home_gone = True
            self._show_gone()

    @on(HomeFound)
    def home_found(self) -> None:
        """Everything is read anew."""
        if self.home_gone:
            self.home_gone = False
            self._show_gone()
            self.notify("The home is back; everything was read anew.", markup=False)
            for screen in list(self.screen_stack):
                if isinstance(screen, Acting) and not screen.is_modal:
                    screen.reload()

    def _show_gone(self) -> None:
        for screen in self._all_screens():
            self.mark_gone(screen)
        self.watch_state()

    def mark_gone(self, screen: Screen[Any]) -> None:
        """Show on one screen whether the home is there."""
        screen.set_class(self.home_gone, "-gone")
        banners = screen.query(Banner)
        if not self.home_gone:
            banners.remove()
        elif not banners:
            said = (
                f"{self.glyphs.warning} {home_name(self.workspace.home)} is gone: deleted, renamed or unmounted. "
                "What was read last is shown; it goes on by itself when the folder is back."
            )
            try:
                tabs = screen.query_one(AreaTabs)
            except NoMatches:
                return  # only the areas have room for it
            screen.mount(Banner(said), after=tabs)

    # -- areas --------------------------------------------------------------------------------------------------

    def switch_mode(self, mode: str) -> AwaitMount:
        """Show an area; one that stands already is painted at once."""
        self._stands = mode in self._screen_stacks
        return super().switch_mode(mode)

    def delay_update(self, delay: float = 0.05) -> None:
        """Textual 8.2.8 holds the frame back for 50 ms at every switch, to hide a screen that is still being built."""
        if not self._stands:
            super().delay_update(delay)

    # -- long use -----------------------------------------------------------------------------------------------

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """Let go of the drawn lines of what is removed.

        Textual 8.2.8 keeps the last 1,024 `StylesCache` objects alive (`get_inner_outer` is a method under
        `lru_cache`), each with every line its widget has drawn: some 15 MB of closed dialogs and toasts.
        """
        gone = [widget for node in nodes for widget in node.walk_children(with_self=True)]
        done = super()._prune(*nodes, parent=parent)
        # Not before the next frame: what is still in sight would only be drawn and kept again.
        self.call_after_refresh(_forget_lines, gone)
        return done

    def _refresh_notifications(self) -> None:
        """Textual 8.2.8 removes a toast that is over before its time, but not the holder around it: those pile up."""
        with contextlib.suppress(ScreenStackError, NoMatches):
            for holder in list(self.screen.get_child_by_type(ToastRack).children):
                if all(toast._notification not in self._notifications for toast in holder.query(Toast)):
                    holder.remove()
        super()._refresh_notifications()

    # -- settings -----------------------------------------------------------------------------------------------

    def settings_changed(self) -> None:
        """Read settings and theme anew; what cannot be used is named, and what was in force stays."""
        before = self.settings
        self.settings = load_settings(self.workspace.home)
        keymap = read_keymap(self.settings.keys) if self.settings.keys else Keymap()
        if keymap.keys != self.keymap.keys:
            self.keymap = keymap
            for screen in self._all_screens():
                if isinstance(screen, Acting):
                    screen.rebind()
        self.keymap = keymap
        self._calm()
        self._tell_as_set()
        problem = self._other_theme(before.theme)
        self._note_problems(problem)
        if before.glyphs != self.settings.glyphs:
            self.notify("Other signs are drawn from the next start on.", markup=False)
        self.say_problems()

    def keep_theme(self, name: str) -> None:
        """Write a theme that was chosen into the settings; says so, or why it is for this run only."""
        if self.workspace.read_only:
            self.notify(f"Theme {one_line(name)}, for this run only: opened with --read-only.", markup=False)
        else:
            self._keep_theme(name)

    @work(thread=True, exit_on_error=False, group="settings")
    def _keep_theme(self, name: str) -> None:
        try:
            self.workspace.keep_setting("theme", name)
        except WorkbenchError as error:
            self.post_message(ThemeKept(name, error))
        else:
            self.post_message(ThemeKept(name))

    @on(ThemeKept)
    def theme_kept(self, message: ThemeKept) -> None:
        """Where it stands now, or why it could not be written."""
        name = one_line(message.name)
        if message.error is None:
            self.notify(f"Theme {name}, kept in workbench/settings.yaml.", markup=False)
            return
        said = f"Theme {name}, for this run only. {one_line(str(message.error))}"
        self.notify(said, severity="warning", timeout=12, markup=False)

    def _other_theme(self, named_before: str | None) -> str:
        """The theme that settings or its file ask for now; answers why it cannot be shown."""
        wanted = self.theme
        if self.settings.theme != named_before:
            wanted = self.settings.theme or themes.DEFAULT
        if self.no_color:
            return ""
        try:
            theme = themes.load(wanted, self.home)
        except themes.BadTheme as error:
            return str(error)
        if theme != self.get_theme(self.theme):
            self.use_theme(theme)
        return ""

    # -- a terminal that goes away ------------------------------------------------------------------------------

    def _mind_the_terminal(self) -> None:
        """Before a hang-up ends the process, keep what is being written."""
        if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
            return
        loop = self._loop
        if loop is None:
            return
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, self.terminal_gone, 128 + number)
        from workbench.tui.terminal import there, watch_over

        handle = sys.__stdin__.fileno() if sys.__stdin__ is not None else -1
        if not self.is_headless and there(handle):
            given = (handle, self._left, lambda: loop.call_soon_threadsafe(self.terminal_gone), self._end_hard)
            threading.Thread(target=watch_over, args=given, name="workbench-terminal", daemon=True).start()

    def _end_hard(self) -> None:
        """The loop does not answer any more (it waits for a terminal that is gone): keep what is written, and end."""
        self.keep_drafts()
        os._exit(129)

    def terminal_gone(self, code: int = 129) -> None:
        """Keep unsaved texts and leave; ended hard if leaving in order takes too long."""
        self.keep_drafts()
        last = threading.Timer(LAST_SECONDS, os._exit, (code,))
        last.daemon = True
        last.start()
        self.exit(return_code=code)

    def keep_drafts(self) -> int:
        """Write the unsaved texts of all screens beside the history; answers how many."""
        from workbench.tui.unsaved import keep

        count = 0
        for screen in self._all_screens():
            draft = None
            # A screen that is being taken apart has no text any more, and must not keep the others from being saved.
            with contextlib.suppress(NoMatches):
                draft = screen.draft if isinstance(screen, Acting) else None
            if draft is not None and keep(self.workspace.home, draft) is not None:
                count += 1
        return count

    def _handle_exception(self, error: Exception) -> None:
        """A failure of our own must not cost the text that was being written."""
        self.keep_drafts()
        super()._handle_exception(error)

    @work(thread=True, exit_on_error=False, group="drafts")
    def _look_for_drafts(self) -> None:
        from workbench.tui.unsaved import found

        drafts = found(self.workspace.home)
        if drafts:
            self.post_message(DraftsFound(drafts))

    @on(DraftsFound)
    def drafts_found(self, message: DraftsFound) -> None:
        """Offer them, one after the other, the oldest first."""
        from workbench.tui.screens.unsaved import offer

        offer(self, message.drafts)


def settled_sentence(one: Settled) -> str:
    """What an outside change came to, with the key that helps; "" when there is nothing to say."""
    from workbench.memory import FILE_NAMES

    name = FILE_NAMES[one.target]
    if one.gone and one.version:
        return f"{name} is gone; {shown('memory.normalise')} in its pane of the Memory area puts it back."
    if one.turns is not None:
        choose = f"{shown('app.area_alerts')} chooses between them"
        return f"{one.sentence()} Both are in the history, {choose}; one of the two programs has to stop."
    return one.sentence()


def _forget_lines(widgets: Iterable[Widget]) -> None:
    for widget in widgets:
        widget._styles_cache.clear()
        widget._styles_cache._simple_strip = None
