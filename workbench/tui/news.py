"""What the watching thread says to the app. Plain classes in a small module: they are loaded before the first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from workbench.errors import WorkbenchError
    from workbench.tui.live import News

# What a fact is about, as screens ask for it.
MEMORY, QUEUE, SESSIONS, CONFIG, SETTINGS = "memory", "queue", "sessions", "config", "settings"
# A repaint that only concerns the agent's database is not worth redrawing the memory for.
REPAINTS = frozenset({MEMORY, QUEUE, CONFIG})


class HomeChanged(Message):
    """It is time to show what has changed."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class HomeLost(Message):
    """The home's folder is not there any more."""


class HomeFound(Message):
    """The home's folder is there again."""


class WatchState(Message):
    """How the home is watched, or how much is held back, is different now."""


class NotRecorded(Message):
    """A version was seen and could not be recorded."""

    def __init__(self, error: WorkbenchError) -> None:
        super().__init__()
        self.error = error


class ThemeKept(Message):
    """A theme was written into the settings; `error` says why it could not be."""

    def __init__(self, name: str, error: WorkbenchError | None = None) -> None:
        super().__init__()
        self.name = name
        self.error = error
