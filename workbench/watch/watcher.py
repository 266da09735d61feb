"""One observer on the folders of a home, and a slow guard for what an observer cannot see."""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.files import is_silent_folder
from workbench.watch.facts import MEMORY_NAMES, Fact, HomeBack, HomeGone, MemoryChanged, fact_about

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

GUARD_SECONDS = 1.0
POLL_SECONDS = 0.5
# Reading a file makes events as well; reacting to them would be a loop.
_CHANGES = frozenset({"created", "deleted", "modified", "moved", "closed"})
_SUBFOLDERS = ("memories", "pending/memory", "pending/skills", "workbench", "workbench/themes")

Stamp = tuple[int, int, int] | None


class Watcher:
    """Calls `on_fact` from its own threads, once for every change, as soon as it is known; nothing is debounced here.

    `mode` is "live" or "polling", `why` the reason for polling ("" when live). A guard looks once a second (every
    half second when polling) whether the home and its folders are still the ones that are watched.
    """

    def __init__(self, home: Path, on_fact: Callable[[Fact], None], *, polling: bool | None = None) -> None:
        self.home = home
        self.mode = "live"
        self.why = ""
        self._on_fact = on_fact
        self._forced = polling
        self._observer: Any = None
        self._watched: dict[Path, tuple[tuple[int, int], object]] = {}
        self._lost: set[Path] = set()
        self._stamps: dict[Path, Stamp] = {}
        self._gone = False
        self._home_identity: tuple[int, int] | None = None
        self._was_home = False
        self._stop = threading.Event()
        self._guard: threading.Thread | None = None
        self._mutex = threading.RLock()

    def start(self) -> None:
        """Begin to watch. Changes from here on are told; what happened before is the caller's to read."""
        silent = any(is_silent_folder(folder) for folder in self._folders())
        if self._forced or (self._forced is None and silent):
            self._poll("a network file system" if silent else "asked for")
        else:
            self._begin_live()
        self._stamps = self._look()
        self._home_identity, self._was_home = _identity(self.home), _is_home(self.home)
        self._guard = threading.Thread(target=self._watch_over, name="workbench-watch-guard", daemon=True)
        self._guard.start()

    def stop(self) -> None:
        """End both threads; returns when no further fact can come."""
        self._stop.set()
        if self._guard is not None:
            self._guard.join(timeout=5)
        self._end_live()

    # -- live ---------------------------------------------------------------------------------------------------

    def _begin_live(self) -> None:
        from watchdog.observers import Observer

        _wait_for_no_pair()
        try:
            with self._mutex:
                self._observer = Observer()
                self._observer.daemon = True
                self._observer.start()
                self._schedule()
        except OSError as error:  # inotify watches or instances ran out
            self._end_live()
            self._poll(error.strerror or "the system gives no more watches")

    def _end_live(self) -> None:
        with self._mutex:
            observer, self._observer, self._watched = self._observer, None, {}
        if observer is not None:
            observer.stop()
            observer.join(timeout=5)

    def _poll(self, why: str) -> None:
        self.mode, self.why = "polling", why

    def _folders(self) -> list[Path]:
        """The folders to watch: those of the home, and those that its linked memory files live in."""
        folders = [self.home, *(self.home / name for name in _SUBFOLDERS)]
        for name in MEMORY_NAMES:
            path = self.home / "memories" / name
            if path.is_symlink():
                folders.append(Path(os.path.realpath(path)).parent)
        return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]

    def _schedule(self) -> bool:
        """Watch every folder that is there and not watched yet (or not this one); says whether anything was new."""
        from watchdog.events import FileSystemEventHandler

        watcher = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                watcher._heard(event)

        new = False
        with self._mutex:
            if self._observer is None:
                return False
            for folder in self._folders():
                identity = _identity(folder)
                known = self._watched.get(folder)
                if identity is None or (known is not None and known[0] == identity and folder not in self._lost):
                    continue
                if known is not None:
                    self._observer.unschedule(known[1])
                self._lost.discard(folder)
                self._watched[folder] = (identity, self._observer.schedule(Handler(), str(folder)))
                new = True
        return new

    def _heard(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES:
            return
        if event.event_type in ("deleted", "moved") and Path(os.fsdecode(event.src_path)) in self._watched:
            # The guard watches it anew; its inode alone does not tell, a folder made at once may get the same one.
            self._lost.add(Path(os.fsdecode(event.src_path)))
        # An atomic replace arrives as a move of a temp file; the name that counts is where it went.
        for raw in (event.src_path, event.dest_path):
            if raw:
                self._tell(Path(os.fsdecode(raw)))

    def _tell(self, path: Path) -> None:
        if self._stop.is_set():
            return
        fact = fact_about(path, self.home)
        if fact is None:
            return
        if isinstance(fact, MemoryChanged):
            self._stamped(path)
        self._on_fact(fact)

    def _stamped(self, path: Path) -> None:
        """Note how the file looks now; behind a link, for the name in the home."""
        known = self.home / "memories" / path.name
        with self._mutex:
            for one in {path, known}:
                stamp = _stamp(one)
                if stamp is None:
                    self._stamps.pop(one, None)
                else:
                    self._stamps[one] = stamp

    # -- the guard ----------------------------------------------------------------------------------------------

    def _watch_over(self) -> None:
        while not self._stop.wait(POLL_SECONDS if self.mode == "polling" else GUARD_SECONDS):
            self._check_home()
            if not self._gone:
                self._compare()

    def _check_home(self) -> None:
        identity = _identity(self.home)
        other = identity != self._home_identity
        # What is left where a file system was mounted is an empty folder: no home, and nothing was deleted in it.
        there = self.home.is_dir() and not (other and self._was_home and not _is_home(self.home))
        if not self._gone and (not there or other):
            self._gone = True
            self._on_fact(HomeGone(self.home))
        if there and self._gone:
            self._gone = False
            self._home_identity, self._was_home = identity, _is_home(self.home)
            self._on_fact(HomeBack(self.home))
        self._was_home = self._was_home or (there and _is_home(self.home))

    def _compare(self) -> None:
        """Tell what changed unseen: everything when polling, else what lay in folders that were not watched yet."""
        if self.mode == "live":
            try:
                missed = self._schedule()
            except OSError as error:
                self._end_live()
                self._poll(error.strerror or "the system gives no more watches")
                missed = True
            if not missed:
                self._look_after_all()
                return
        now = self._look()
        with self._mutex:
            before, self._stamps = self._stamps, now
            paths = sorted(before.keys() | now.keys())
            different = [path for path in paths if before.get(path) != now.get(path)]
        for path in different:
            self._tell(path)

    def _look_after_all(self) -> None:
        """Tell what made no event: a write through a memory map, a link aimed elsewhere, an overflow of the queue.

        Only the two memory files, twice a stat a second; what was told already has its stamp.
        """
        for name in MEMORY_NAMES:
            path = self.home / "memories" / name
            if self._stamps.get(path) != _stamp(path):
                self._tell(path)

    def _look(self) -> dict[Path, Stamp]:
        stamps: dict[Path, Stamp] = {}
        for folder in self._folders():
            try:
                entries = list(os.scandir(folder))
            except OSError:
                continue
            for entry in entries:
                path = Path(entry.path)
                if fact_about(path, self.home) is not None:
                    stamps[path] = _stamp(path)
        return stamps


def _stamp(path: Path) -> Stamp:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size, info.st_ino


# Where watchdog 7 and 6 keep how long the first half of a rename waits for its second one.
_PAIRING = (
    ("watchdog.observers.inotify_move_event_grouper", "InotifyMoveEventGrouper"),
    ("watchdog.observers.inotify_buffer", "InotifyBuffer"),
)


def _wait_for_no_pair() -> None:
    """Take both halves of a rename as they come, on Linux.

    watchdog (6, 7) sleeps half a second when it meets the first half before the second, and every event behind it
    waits; each replace of a file is such a rename, and versions would come and go unseen meanwhile. We need no pairs:
    a name that went and a name that came are told alike.
    """
    if sys.platform != "linux":
        return
    for module, name in _PAIRING:
        try:
            grouper = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue  # another version, or another system: then it is as it is
        if hasattr(grouper, "delay"):
            grouper.delay = 0.0


def _is_home(folder: Path) -> bool:
    """Whether anything of an agent lies there."""
    return any((folder / name).exists() for name in ("memories", "state.db", "config.yaml"))


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        info = folder.stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino
