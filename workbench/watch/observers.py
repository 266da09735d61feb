"""Where the news of changes come from: the system's own notice on Linux, a general observer elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

# Reading a file makes events as well; reacting to them would be a loop.
_CHANGES = frozenset({"created", "deleted", "modified", "moved", "closed"})

Heard = Callable[[Path], None]
Lost = Callable[[Path | None], None]


class Observer(Protocol):
    """Tells of changes in folders until it is stopped."""

    def watch(self, folder: Path) -> None:
        """Begin to tell of a folder. Raises OSError when the system gives no more watches."""

    def forget(self, folder: Path) -> None:
        """Tell of a folder no more."""

    def stop(self) -> None:
        """End; nothing is told any more once this has returned."""


def observe(heard: Heard, lost: Lost) -> Observer:
    """The best observer there is here: `heard` takes what changed, `lost` a watched folder that went.

    `lost` is given None when events were dropped. Raises OSError when the system gives no observer.
    """
    if sys.platform != "linux":
        return General(heard, lost)
    from workbench.watch.inotify import Inotify

    return Inotify(heard, lost)


class General:
    """The observer of the watchdog package, for every system it knows."""

    def __init__(self, heard: Heard, lost: Lost) -> None:
        from watchdog.observers import Observer as AnyObserver

        self._heard = heard
        self._lost = lost
        self._watched: dict[Path, Any] = {}
        self._observer = AnyObserver()
        self._observer.daemon = True
        self._observer.start()

    def watch(self, folder: Path) -> None:
        """Begin to tell of a folder."""
        from watchdog.events import FileSystemEventHandler

        general = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                general._take(event)

        self._watched[folder] = self._observer.schedule(Handler(), str(folder))

    def forget(self, folder: Path) -> None:
        """Tell of a folder no more."""
        self._observer.unschedule(self._watched.pop(folder))

    def stop(self) -> None:
        """End its threads."""
        self._observer.stop()
        self._observer.join(timeout=5)

    def _take(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES:
            return
        # An atomic replace arrives as a move of a temp file; the name that counts is where it went.
        for raw in (event.dest_path, event.src_path):
            if raw:
                self._heard(Path(os.fsdecode(raw)))
        if event.event_type in ("deleted", "moved") and Path(os.fsdecode(event.src_path)) in self._watched:
            self._lost(Path(os.fsdecode(event.src_path)))
