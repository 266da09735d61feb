"""The full screen: a face of the core, in Textual. No rule of the domain lives here.

Nothing is imported before `run` is called, so that naming this package costs a headless verb nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.home import HomeChoice

__all__ = ["run"]


def run(choice: HomeChoice, *, read_only: bool = False, theme: str | None = None, now: float | None = None) -> int:
    """Show a home until the user quits; returns the exit code.

    `theme` is a name of `themes/`, `now` (Unix seconds) fixes the clock that is shown. Raises NoHome, and BadTheme
    (a WorkbenchError) for a theme that cannot be used, before anything is drawn.
    """
    import gc

    # Loading makes many objects that all stay: collecting among them costs a tenth of the time to the first frame.
    # The app switches it on again once it is drawn.
    gc.disable()
    try:
        return _run(choice, read_only, theme, now)
    finally:
        gc.enable()


def _run(choice: HomeChoice, read_only: bool, theme: str | None, now: float | None) -> int:
    import time

    from workbench.tui.app import WorkbenchApp
    from workbench.workspace import Workspace

    workspace = Workspace.open(choice, read_only=read_only, clock=time.time if now is None else lambda: now)
    try:
        app = WorkbenchApp(workspace, theme=theme, now=now, watch=True)
        app.run()
        return app.return_code or 0
    finally:
        workspace.close()
