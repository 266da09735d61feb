"""The screen with a stop-watch: from the change of the search's text to the painted rows of its first answer.

Run as a program in a terminal: `python -m tests.benchmarks.painted HOME FILE`; every answer adds its seconds to FILE.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.__main__ import main
from workbench.tui import FRAMES_A_SECOND

if TYPE_CHECKING:
    from textual.screen import Screen

    from workbench.tui.face import Face
    from workbench.tui.screens.sessions_view import SessionsView
    from workbench.tui.sessions_news import Asked


def watch(file: Path) -> None:
    """Take the time at the change event, and when the frame with the rows of the answer has gone to the terminal."""
    os.environ["TEXTUAL_FPS"] = FRAMES_A_SECOND  # as the workbench does, before Textual is loaded
    from workbench.tui.face import Face
    from workbench.tui.screens.sessions_view import SessionsView

    begun: list[float] = []
    shown: list[float] = []
    search_for, show, display = SessionsView.search_for, SessionsView._show, Face._display

    def on_change(self: SessionsView, asked: Asked) -> None:
        begun[:] = [] if asked.empty else [time.perf_counter()]
        shown.clear()
        search_for(self, asked)

    def on_rows(self: SessionsView, rows: Any, cursor: Any) -> None:
        show(self, rows, cursor)
        shown[:] = begun
        begun.clear()

    def on_frame(self: Face, screen: Screen[Any], renderable: Any) -> None:
        display(self, screen, renderable)
        if shown:
            seconds = time.perf_counter() - shown.pop()
            with file.open("a") as out:
                out.write(f"{seconds}\n")

    SessionsView.search_for = on_change  # type: ignore[method-assign]
    SessionsView._show = on_rows  # type: ignore[method-assign]
    Face._display = on_frame  # type: ignore[method-assign]


if __name__ == "__main__":
    watch(Path(sys.argv[2]))
    main(["--home", sys.argv[1]])
