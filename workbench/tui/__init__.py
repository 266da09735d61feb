"""The full screen: a face of the core, in Textual. No rule of the domain lives here.

Nothing is imported before `run` is called, so that naming this package costs a headless verb nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.errors import NoHome
    from workbench.home import HomeChoice

__all__ = ["run"]

# How long a thread may compute while another one waits for its turn.
SWITCH_SECONDS = 0.0005
# Only what has changed is drawn, and nothing while nothing changes, so this is no load but a shorter wait.
FRAMES_A_SECOND = "240"


def run(choice: HomeChoice, *, read_only: bool = False, theme: str | None = None, now: float | None = None) -> int:
    """Show a home until the user quits; returns the exit code.

    `theme` is a name of `themes/`, `now` (Unix seconds) fixes the clock that is shown. Without a home a page says so
    and offers the demo. Raises NoHome where nobody can look at a page (no terminal), Usage where nobody could press a
    key, since it would wait for ever, and BadTheme (a WorkbenchError) for a theme that cannot be used, before anything
    is drawn.
    """
    import gc
    import sys

    # What is read and judged behind the screen computes in threads; each time the screen wants to go on it waits for
    # the thread that has its turn. The usual 5 ms, several times a key, would be more than a whole frame.
    before, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH_SECONDS)
    # Loading makes many objects that all stay: collecting among them costs a tenth of the time to the first frame.
    # The app switches it on again once it is drawn.
    gc.disable()
    try:
        return _run(choice, read_only, theme, now)
    finally:
        gc.enable()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(before)


def _run(choice: HomeChoice, read_only: bool, theme: str | None, now: float | None) -> int:
    import sys

    from workbench.errors import NoHome

    try:
        return _open(choice, read_only, theme, now)
    except NoHome as error:
        if not sys.stdout.isatty():
            raise
        return _first_run(error, theme, now)


def _open(choice: HomeChoice, read_only: bool, theme: str | None, now: float | None) -> int:
    import os
    import sys
    import time

    from workbench.errors import Usage
    from workbench.home import check
    from workbench.tui.first_look import Curtain, look
    from workbench.workspace import Workspace

    # Textual draws at most so often; at its 60 a second, rows found 3 ms after the letter was drawn wait for 13 more.
    os.environ.setdefault("TEXTUAL_FPS", FRAMES_A_SECOND)
    check(choice)  # before anything is drawn: without a home another screen is shown
    if sys.stdin is None or not sys.stdin.isatty():
        raise Usage("The screen needs a terminal to read keys from; `workbench --help` lists verbs that need none.")
    workspace = Workspace.open(choice, read_only=read_only, clock=time.time if now is None else lambda: now)
    curtain = Curtain()
    try:
        home = look(workspace, curtain, theme, now) if curtain.possible() else None
        from workbench.tui.app import WorkbenchApp

        driver = None
        if curtain.drawn:
            from workbench.tui.takeover import takeover

            driver = takeover(curtain)
        app = WorkbenchApp(workspace, theme=theme, now=now, watch=True, home=home, driver=driver)
        app.run()
        return app.return_code or 0
    finally:
        curtain.close()
        workspace.close()


def _first_run(error: NoHome, theme: str | None, now: float | None) -> int:
    """Say what a home is and offer the demo; what was made for that is removed at the end."""
    import shutil

    from workbench.home import resolve
    from workbench.tui.first_run import FirstRunApp

    app = FirstRunApp(error, theme=theme)
    try:
        app.run()
        if app.made is None:
            return app.return_code or 0
        return _open(resolve(str(app.made)), False, theme, now)
    finally:
        if app.folder is not None:
            shutil.rmtree(app.folder, ignore_errors=True)
