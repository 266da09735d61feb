"""Reader: a memory file is read in the very moment somebody hears that it changed, whatever recording takes.

Recording waits for the disk and for locks, for a tenth of a second at times; a version that stood for 20 ms would be
gone by then. What was read is handed over in order, and recorded together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from workbench.errors import Unreadable
from workbench.files import read_bytes
from workbench.memory.document import FILE_NAMES
from workbench.watch.facts import Fact, MemoryChanged

# More than this is not held back: of files that big only what stands when the recorder gets to it is kept.
MOST_BYTES = 64 << 20


class Reader:
    """Stands between a watcher and whoever takes its facts: `heard` is given to the one, `put` belongs to the other."""

    def __init__(self, home: Path, put: Callable[[Fact], None]) -> None:
        self._folder = home / "memories"
        self._put = put
        self._mutex = threading.Lock()
        self._waiting: dict[str, list[bytes | None]] = {target: [] for target in FILE_NAMES}
        self._last: dict[str, bytes | None] = {}
        self._size = 0

    def heard(self, fact: Fact) -> None:
        """Read what the fact is about, then pass the fact on; called in the thread that heard of it."""
        if isinstance(fact, MemoryChanged):
            for target, name in FILE_NAMES.items():
                if fact.path.name == name:
                    self._read(target, self._folder / name)
        self._put(fact)

    def _read(self, target: str, path: Path) -> None:
        with self._mutex:
            if self._size > MOST_BYTES:
                return
            try:
                data = read_bytes(path)
            except Unreadable:
                return  # said by whoever looks next
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
