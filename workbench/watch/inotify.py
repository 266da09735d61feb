"""Linux's own notice of changes, taken in one thread: what stands between a write and its reading is what gets missed.

A general observer hands each event from the thread that reads it to one that pairs renames, and from there to one that
calls: on a busy machine each hand-over may wait for its turn, and a version that stood for 20 ms is gone by then. Here
the thread that reads an event is the one that acts on it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

# inotify(7): numbers of the kernel's interface, the same on every machine.
_MODIFY, _CLOSE_WRITE, _MOVED_FROM, _MOVED_TO = 0x2, 0x8, 0x40, 0x80
_CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x100, 0x200, 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _ONLY_FOLDERS = 0x2000, 0x4000, 0x8000, 0x01000000
# Not opening nor reading: those tell of no change, and our own reading would wake us for nothing.
_ASKED = (
    _MODIFY | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF | _ONLY_FOLDERS
)
_AWAY = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED
_HEAD = struct.Struct("iIII")
_BUFFER_BYTES = 1 << 16


@cache
def _library() -> Any:
    """The C library, when it can do this. Raises OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    if not all(hasattr(library, f"inotify_{name}") for name in ("init1", "add_watch", "rm_watch")):
        raise OSError(errno.ENOSYS, "the system tells nothing of changes")
    return library


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


class Inotify:
    """Calls `heard(path)` for every change in a watched folder, `lost(folder)` when one went or `None` for all of them.

    Both are called in the observer's own thread, `heard` before anything else is done with the event. Raises OSError
    when the system gives no more instances or, from `watch`, no more watches.
    """

    def __init__(self, heard: Callable[[Path], None], lost: Callable[[Path | None], None]) -> None:
        self._heard = heard
        self._lost = lost
        self._library = _library()
        self._mutex = threading.Lock()
        self._folders: dict[int, list[Path]] = {}
        self._handle = _checked(self._library.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        try:
            self._stop_read, self._stop_write = os.pipe()
        except OSError:
            os.close(self._handle)
            raise
        self._thread = threading.Thread(target=self._run, name="workbench-watch", daemon=True)
        self._thread.start()

    def watch(self, folder: Path) -> None:
        """Begin to tell of a folder, which may be a link to one."""
        with self._mutex:
            number = _checked(self._library.inotify_add_watch(self._handle, os.fsencode(folder), _ASKED))
            named = self._folders.setdefault(number, [])
            if folder not in named:  # one folder may be there under several names
                named.append(folder)

    def forget(self, folder: Path) -> None:
        """Tell of a folder no more; it may be gone, or another may stand in its place."""
        with self._mutex:
            for number in [number for number, named in self._folders.items() if folder in named]:
                self._folders[number].remove(folder)
                if not self._folders[number]:
                    del self._folders[number]
                    self._library.inotify_rm_watch(self._handle, number)  # fails when the folder is gone

    def stop(self) -> None:
        """End the thread, once; returns when nothing can be told any more."""
        os.write(self._stop_write, b"!")
        self._thread.join(timeout=5)
        if not self._thread.is_alive():  # else it still needs them
            for handle in (self._handle, self._stop_read, self._stop_write):
                os.close(handle)

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        poll.register(self._stop_read, select.POLLIN)
        while all(handle != self._stop_read for handle, _ in poll.poll()):
            for folders, mask, name in self._events():
                self._told(folders, mask, name)

    def _told(self, folders: list[Path], mask: int, name: bytes) -> None:
        for folder in folders:
            if name:
                self._heard(folder / os.fsdecode(name))
            elif mask & _AWAY:
                self._lost(folder)
        if mask & _OVERFLOW:
            self._lost(None)

    def _events(self) -> Iterator[tuple[list[Path], int, bytes]]:
        """What has happened: the folder under its names, the kind, the name in it (empty: the folder itself)."""
        try:
            data = os.read(self._handle, _BUFFER_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        at = 0
        while at < len(data):
            number, mask, _, length = _HEAD.unpack_from(data, at)
            at += _HEAD.size + length
            yield list(self._folders.get(number, ())), mask, data[at - length : at].rstrip(b"\0")
            if mask & _IGNORED:
                with self._mutex:
                    self._folders.pop(number, None)
