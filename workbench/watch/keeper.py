"""Keeper: what somebody else made of the memory files, recorded at once and judged when it has settled.

Every version that is read goes into the history in the same moment. Whether it deserves a backup, and whether a file
is really gone, is judged after a pause: a program that truncates and then writes, or deletes and then makes anew,
leaves states that nobody meant. What is backed up is what stood before the whole burst.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.errors import NotBackedUp, WorkbenchError
from workbench.files import digest
from workbench.history import History
from workbench.history.turns import Turns, quarrel
from workbench.memory import FILE_NAMES, Document, MemoryFiles, parse
from workbench.watch.settle import LONGEST_SECONDS, QUIET_SECONDS

# An editor or a sync tool may take this long between removing a file and putting the new one in its place.
GONE_SECONDS = 1.0


@dataclass(frozen=True)
class Seen:
    """One version as read: whether it is `new`, whether a workbench wrote it (`here`: this process), the hint."""

    target: str
    new: bool
    ours: bool = False
    hint: str = ""
    here: bool = False


@dataclass(frozen=True)
class Settled:
    """What an outside change came to: the file before and after it.

    `why` is the reason for a backup (memory.reasons), "" when none was due; `backup` is the file that was written,
    None when one with these bytes was there or `error` says why it could not be. `version` is the SHA-256 of what
    stood before, to be put back with `restore`; `turns` is set when two writers overwrite each other.
    """

    target: str
    before: Document
    after: Document
    why: str = ""
    backup: Path | None = None
    version: str | None = None
    turns: Turns | None = None
    error: WorkbenchError | None = None

    @property
    def gone(self) -> bool:
        """Whether the file vanished."""
        return self.after.state == "missing"

    def sentence(self) -> str:
        """What has to be said in passing: a file that is gone, two writers in turn; "" for the rest."""
        name = FILE_NAMES[self.target]
        if self.gone:
            return f"{name} is gone" + (
                f"; `workbench restore {self.version[:12]}` puts it back" if self.version else ""
            )
        if self.turns is not None:
            return f"Two programs overwrite {name} in turn, {self.turns.times} times by now."
        return ""


@dataclass
class _Watch:
    """One file: as it had settled last, as it was read last, and since when (seconds) it has been restless."""

    settled: Document
    now: Document
    first: float | None = None
    last: float = 0.0

    @property
    def due(self) -> float:
        if self.first is None:
            return math.inf
        if self.now.state == "missing" or (self.settled.entries and not self.now.entries and self.now.data == b""):
            return self.last + GONE_SECONDS
        return min(self.last + QUIET_SECONDS, self.first + LONGEST_SECONDS)


class Keeper:
    """Records and judges the memory files of one home; safe to use from several threads.

    `mode` answers the setting `backups` at the moment; `clock` (Unix seconds) names the backups. The times that
    `record` and `settle` take are seconds of one steady clock, which never goes backwards. `followed` says that
    somebody calls `settle` all the time, so that others need not.
    """

    def __init__(
        self,
        files: Callable[[], MemoryFiles],
        history: Callable[[], History],
        *,
        mode: Callable[[], str],
        clock: Callable[[], float],
    ) -> None:
        self.followed = False
        self._files = files
        self._history = history
        self._mode = mode
        self._clock = clock
        self._mutex = threading.RLock()
        self._watched: dict[str, _Watch] = {}
        self._ready: list[tuple[str, Document, Document]] = []

    def record(self, target: str, document: Document, now: float, earlier: Sequence[bytes | None] = ()) -> Seen:
        """Tell the history what a file was read to hold at `now`, and what `earlier`. Raises HistoryUnavailable.

        A file that cannot be read at all, for want of permission say, is remembered here and recorded nowhere.
        """
        with self._mutex:
            history, path = self._history(), self._files().path(target)
            watch = self._watched.get(target)
            if watch is None:
                before = self._before(history, path, target, document)
                watch = self._watched[target] = _Watch(before, before)
            if document.state == "unreadable" and document.data is None:
                return Seen(target, self._moved(watch, document, now))
            history.observe(path, document.data, earlier=earlier)
            change, hint, stood = self._whose(history, path, document)
            if change is None:
                return Seen(target, self._moved(watch, document, now), hint=hint)
            new = self._taken_over(watch, target, document, stood)
            return Seen(target, new, ours=True, hint=hint, here=history.made(change))

    def due(self) -> float:
        """When something has to be judged next, in seconds of the steady clock; infinite when nothing has."""
        with self._mutex:
            return -math.inf if self._ready else min((watch.due for watch in self._watched.values()), default=math.inf)

    def settle(self, now: float = math.inf) -> tuple[Settled, ...]:
        """Judge what has settled by `now` and keep backups of what stood before; infinite: everything, at once.

        Never raises for one file: what went wrong is carried by its result.
        """
        with self._mutex:
            ready, self._ready = self._ready, []
            for target, watch in self._watched.items():
                if watch.first is not None and watch.due <= now:
                    ready.append((target, watch.settled, watch.now))
                    watch.settled, watch.first = watch.now, None
            return tuple(self._judge(*one) for one in ready)

    # -- recording ----------------------------------------------------------------------------------------------

    def _before(self, history: History, path: Path, target: str, document: Document) -> Document:
        """What the history knows the file to have held last: it may have changed while nobody looked."""
        known = history.latest(path)
        if known is None:
            return document
        try:
            return parse(history.bytes_of(known.after), target, document.limit)
        except WorkbenchError:
            return document

    @staticmethod
    def _whose(history: History, path: Path, document: Document) -> tuple[int | None, str, Document | None]:
        """The change set of a workbench that wrote these bytes, what they look like, what it found before it wrote."""
        newest = history.changes(1, path=path)
        if not newest or history.read_only:
            return None, "", None
        change = newest[0]
        name, now = history.name(path), _digest(document)
        file = next((file for file in change.files if file.path == name and file.after == now), None)
        if file is None:
            return None, "", None
        if change.actor != "workbench":
            return None, change.hint, None
        try:
            stood = parse(history.bytes_of(file.before), document.target, document.limit)
        except WorkbenchError:
            stood = None
        return change.id, change.hint, stood

    @staticmethod
    def _moved(watch: _Watch, document: Document, now: float) -> bool:
        if _same(watch.now, document):
            return False
        watch.now = document
        if _same(watch.settled, document):
            watch.first = None
        else:
            watch.first = now if watch.first is None else watch.first
            watch.last = now
        return True

    def _taken_over(self, watch: _Watch, target: str, document: Document, stood: Document | None) -> bool:
        """We wrote: what others did before that is settled now, seen or not, and our own bytes need no judging."""
        new = not _same(watch.now, document)
        if new:
            theirs = stood if stood is not None else watch.now
            if not _same(watch.settled, theirs) and not _same(watch.settled, document):
                self._ready.append((target, watch.settled, theirs))
        watch.settled = watch.now = document
        watch.first = None
        return new

    # -- judging ------------------------------------------------------------------------------------------------

    def _judge(self, target: str, before: Document, after: Document) -> Settled:
        from workbench.memory.reasons import why_backup

        result = Settled(target, before, after, version=_digest(before))
        try:
            history, path = self._history(), self._files().path(target)
            result = replace(result, turns=quarrel(history, path))
            why = "" if history.read_only else why_backup(before, after, self._mode())
            if not why or before.data is None:
                return result
            result = replace(result, why=why)
            return replace(result, backup=keep_before(history, path, before.data, self._clock()))
        except WorkbenchError as error:
            return replace(result, error=error)


def keep_before(history: History, path: Path, data: bytes, at: float) -> Path | None:
    """Keep `data` as a backup of `path`; see history.backups.keep. Raises NotBackedUp when the home itself is gone."""
    from workbench.history.backups import keep

    if not path.parent.is_dir():
        raise NotBackedUp(path, digest(data), "its folder is gone")
    return keep(history, path, data, at=at)


def _same(one: Document, other: Document) -> bool:
    return (one.data, one.state) == (other.data, other.state)


def _digest(document: Document) -> str | None:
    return None if document.data is None else digest(document.data)
