"""Reader: a memory file is read in the very moment somebody hears that it changed, whatever recording takes.

Recording waits for the disk and for locks, for a tenth of a second at times; a version that stood for 20 ms would be
gone by then. What was read is handed over in order, and recorded together.
"""

from __future__ import annotations

import threading
from pathlib import Path

from workbench.errors import Unreadable
from workbench.files import read_bytes
from workbench.memory.document import FILE_NAMES

# More than this is not held back, nor read for one change: of files that big only what stands when the recorder gets
# to it is kept, else one that grows would be read again for every piece of it.
MOST_BYTES, MOST_AT_ONCE = 64 << 20, 8 << 20


class Reader:
    """Reads for a watcher: `first` is given to it, `taken` belongs to whoever records."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "memories"
        self._mutex = threading.Lock()
        self._waiting: dict[str, list[bytes | None]] = {target: [] for target in FILE_NAMES}
        self._last: dict[str, bytes | None] = {}
        self._size = 0

    def first(self, path: Path) -> None:
        """Read the memory file that changed, before anything else is done; called in the thread that heard of it.

        Opening comes first of all: what is open stays readable when the file is replaced.
        """
        for target, name in FILE_NAMES.items():
            if path.name == name and self._size <= MOST_BYTES:
                try:
                    data = read_bytes(self._folder / name, most=MOST_AT_ONCE)
                except Unreadable:
                    return  # said by whoever looks next
                self._keep(target, data)

    def _keep(self, target: str, data: bytes | None) -> None:
        with self._mutex:
            if target in self._last and self._last[target] == data:
                return
            self._last[target] = data
            self._waiting[target].append(data)
            self._size += len(data or b"")

    def taken(self, target: str) -> tuple[bytes | None, ...]:
        """What was read since the last time, oldest first; take it before looking at the file itself."""
        with self._mutex:
            waiting, self._waiting[target] = self._waiting[target], []
            self._size -= sum(len(data or b"") for data in waiting)
            return tuple(waiting)
