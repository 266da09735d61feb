"""One observer on the folders of a home, and a slow guard for what an observer cannot see."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.files import is_folder, is_link, is_silent_folder, is_there
from workbench.watch.facts import MEMORY_NAMES, Fact, HomeBack, HomeGone, MemoryChanged, fact_about

if TYPE_CHECKING:
    from workbench.watch.observers import Observer

GUARD_SECONDS = 1.0
POLL_SECONDS = 0.5
# When watches ran out, how long until they are asked for again: whoever took them may have let them go.
AGAIN_SECONDS = 30.0
# How long a thread of this process that computes may keep the one that hears of a change waiting, each time that one
# comes back from the system; Python's own 5 ms, three times for one reading, is nearly what a version may stand.
TURN_SECONDS = 0.0005
_SUBFOLDERS = ("memories", "pending/memory", "pending/skills", "workbench", "workbench/themes")

Stamp = tuple[int, int, int] | None


class Watcher:
    """Calls `on_fact` from its own threads, once for every change, as soon as it is known; nothing is debounced here.

    `first` is given the path of a memory file that changed before anything else is done about it: what it reads then
    may be gone a moment later. `mode` is "live" or "polling", `why` the reason for polling ("" when live); `on_mode` is
    called when they are others. A guard looks once a second (every half second when polling) whether the home and its
    folders are still the ones that are watched, and asks again from time to time for watches that ran out.
    """

    def __init__(
        self,
        home: Path,
        on_fact: Callable[[Fact], None],
        *,
        first: Callable[[Path], None] | None = None,
        on_mode: Callable[[], object] | None = None,
        polling: bool | None = None,
    ) -> None:
        self.home = home
        self.mode = "live"
        self.why = ""
        self._on_fact = on_fact
        self._first = first
        self._on_mode = on_mode
        self._forced = polling
        self._observer: Observer | None = None
        self._watched: dict[Path, tuple[int, int]] = {}
        self._lost: set[Path] = set()
        self._dropped = False
        self._again = 0.0
        self._stamps: dict[Path, Stamp] = {}
        self._gone = False
        self._home_identity: tuple[int, int] | None = None
        self._was_home = False
        self._stop = threading.Event()
        self._guard: threading.Thread | None = None
        self._turn_before: float | None = None
        self._mutex = threading.RLock()

    def start(self) -> None:
        """Begin to watch. Changes from here on are told; what happened before is the caller's to read."""
        self._turn_before = sys.getswitchinterval()
        sys.setswitchinterval(min(self._turn_before, TURN_SECONDS))
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
        if self._turn_before is not None:
            sys.setswitchinterval(self._turn_before)

    # -- live ---------------------------------------------------------------------------------------------------

    def _begin_live(self) -> bool:
        """Watch instead of polling; says whether the system let us."""
        from workbench.watch.observers import observe

        try:
            with self._mutex:
                self._observer = observe(lambda path: self._heard(path), self._went)
                self._schedule()
        except OSError as error:  # inotify watches or instances ran out
            self._no_watches(error)
            return False
        self._set_mode("live", "")
        return True

    def _end_live(self) -> None:
        with self._mutex:
            observer, self._observer, self._watched = self._observer, None, {}
        if observer is not None:
            observer.stop()

    def _no_watches(self, error: OSError) -> None:
        self._end_live()
        self._again = time.monotonic() + AGAIN_SECONDS
        self._poll(error.strerror or "the system gives no more watches")

    def _poll(self, why: str) -> None:
        self._set_mode("polling", why)

    def _set_mode(self, mode: str, why: str) -> None:
        before, self.mode, self.why = (self.mode, self.why), mode, why
        if before != (mode, why) and self._on_mode is not None:
            self._on_mode()

    def _folders(self) -> list[Path]:
        """The folders to watch: those of the home, and those that its linked memory files live in."""
        folders = [self.home, *(self.home / name for name in _SUBFOLDERS)]
        for name in MEMORY_NAMES:
            path = self.home / "memories" / name
            if is_link(path):
                folders.append(Path(os.path.realpath(path)).parent)
        return [folder for folder in dict.fromkeys(folders) if is_folder(folder)]

    def _schedule(self) -> bool:
        """Watch every folder that is there and not watched yet (or not this one); says whether anything was new."""
        new = False
        with self._mutex:
            if self._observer is None:
                return False
            for folder in self._folders():
                identity = _identity(folder)
                known = self._watched.get(folder)
                if identity is None or (known == identity and folder not in self._lost):
                    continue
                if known is not None:
                    self._observer.forget(folder)
                self._lost.discard(folder)
                self._observer.watch(folder)
                self._watched[folder] = identity
                new = True
        return new

    def _heard(self, path: Path) -> None:
        self._tell(path)

    def _went(self, folder: Path | None) -> None:
        """A watched folder went, or events were dropped: the guard sees to it, as it may look at everything."""
        if folder is None:
            self._dropped = True
        else:
            # Its inode alone does not tell: a folder made at once may get the same one.
            self._lost.add(folder)

    def _tell(self, path: Path) -> None:
        if self._stop.is_set():
            return
        if self._first is not None and path.name in MEMORY_NAMES:
            self._first(path)
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
        there = is_folder(self.home) and not (other and self._was_home and not _is_home(self.home))
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
        if self._again and self.mode == "polling" and time.monotonic() >= self._again:
            self._begin_live()  # what changed until it began is found below, like every time
        elif self.mode == "live":
            missed, self._dropped = self._dropped, False
            try:
                missed = self._schedule() or missed
            except OSError as error:
                self._no_watches(error)
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


def _is_home(folder: Path) -> bool:
    """Whether anything of an agent lies there."""
    return any(is_there(folder / name) for name in ("memories", "state.db", "config.yaml"))


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        info = folder.stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino
