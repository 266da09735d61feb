"""Typed facts about paths that changed under an open home."""

from workbench.watch.facts import (
    Fact,
    HomeBack,
    HomeGone,
    MemoryChanged,
    QueueChanged,
    SessionsChanged,
    SettingsChanged,
)
from workbench.watch.settle import Debounce
from workbench.watch.watcher import Watcher

__all__ = [
    "Debounce",
    "Fact",
    "HomeBack",
    "HomeGone",
    "MemoryChanged",
    "QueueChanged",
    "SessionsChanged",
    "SettingsChanged",
    "Watcher",
]
