"""Follower: everything that happens to a home while somebody follows it, without a screen."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.files import digest, is_folder
from workbench.memory import FILE_NAMES, Document
from workbench.watch.facts import (
    Fact,
    HomeBack,
    HomeGone,
    MemoryChanged,
    QueueChanged,
    SessionsChanged,
    SettingsChanged,
)
from workbench.watch.keeper import Seen, Settled
from workbench.watch.reader import Reader
from workbench.watch.watcher import Watcher

if TYPE_CHECKING:
    from workbench.workspace.workspace import Workspace

_NAMES = {
    QueueChanged: "queue_changed",
    SessionsChanged: "sessions_changed",
    SettingsChanged: "settings_changed",
    HomeGone: "home_gone",
    HomeBack: "home_back",
}
# A database that is being written to would else be told of a hundred times a second.
CALM_SECONDS = 0.25


@dataclass(frozen=True)
class Told:
    """One line: `fact` is its stable name, `path` what it is about, `at` Unix seconds, `more` by the kind of fact.

    memory_changed has target, state, chars, entries, sha256, ours, hint; backed_up has target, why, backup;
    not_backed_up and not_recorded have error and kind; gone has target and version (to be put back with `restore`);
    turns has target, versions, times; watching has mode and why; notice has what is said (that nothing can be
    recorded, that a damaged history was set aside). The rest (beside_changed: another file in
    memories/, queue_changed, sessions_changed, settings_changed, home_gone, home_back) say only where.
    """

    fact: str
    path: str
    at: float
    more: Mapping[str, Any] = field(default_factory=dict)
    sentence: str = ""


class Follower:
    """Follows one home in a thread of its own and calls `tell` from there; records and backs up on the way."""

    def __init__(self, home: Workspace, tell: Callable[[Told], object], *, polling: bool | None = None) -> None:
        self._home = home
        self._tell = tell
        self._polling = polling
        self._facts: queue.SimpleQueue[Fact | None] = queue.SimpleQueue()
        self._reader = Reader(home.home)
        self._stopped = threading.Event()
        self._seen: dict[str, Document] = {}
        self._late: dict[str, tuple[Fact, float]] = {}
        self._mode: tuple[str, str] | None = None
        self._complained = ""
        self._unrecorded: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="workbench-follow", daemon=True)

    def start(self) -> None:
        """Begin; the first line says how the home is watched, and comes when everything that follows is noticed."""
        self._thread.start()

    def stop(self) -> None:
        """End; what has not settled yet is judged now, so that no backup is missed."""
        self._stopped.set()
        self._facts.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        home, facts = self._home.home, self._facts
        watcher = Watcher(
            home, facts.put, first=self._reader.first, on_mode=lambda: facts.put(None), polling=self._polling
        )
        watcher.start()
        self._home.keeper.followed = True
        try:
            self._look()
            self._settle()
            while not self._stopped.is_set():
                self._how(watcher)
                self._turn()
        finally:
            watcher.stop()
            self._home.keeper.followed = False
            self._settle(at_once=True)

    def _turn(self) -> None:
        due = min(self._home.keeper.due(), min((at for _, at in self._late.values()), default=math.inf))
        patience = None if due == math.inf else max(0.0, due - time.monotonic())
        try:
            fact = self._facts.get(timeout=patience)
        except queue.Empty:
            fact = None
        if fact is not None:
            self._take(fact)
        self._settle()
        self._tell_late()
        self._tell_notices()

    def _how(self, watcher: Watcher) -> None:
        if (watcher.mode, watcher.why) != self._mode:
            self._mode = (watcher.mode, watcher.why)
            more = {"mode": watcher.mode, "why": watcher.why}
            said = f"{self._home.home}: {watcher.mode}" + (f" ({watcher.why})" if watcher.why else "")
            self._say("watching", str(self._home.home), more, said)

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, MemoryChanged) and fact.path.name in FILE_NAMES.values():
            self._look()
        elif isinstance(fact, HomeGone | HomeBack):
            self._say(_NAMES[type(fact)], str(fact.path), {})
            if isinstance(fact, HomeBack):
                self._home.refresh()
                self._look()
        else:
            if isinstance(fact, SettingsChanged):
                self._home.refresh()
            self._late.setdefault(str(fact.path), (fact, time.monotonic() + CALM_SECONDS))

    def _tell_late(self) -> None:
        """Facts about other files once a burst is over."""
        now = time.monotonic()
        for name in [name for name, (_, at) in self._late.items() if at <= now]:
            fact, _ = self._late.pop(name)
            beside = isinstance(fact, MemoryChanged)  # a backup, a note: files that the agent never loads
            self._say("beside_changed" if beside else _NAMES[type(fact)], name, {})

    def _tell_notices(self) -> None:
        """What the workspace has to say, that nothing is recorded say: the end may be days away."""
        said, self._home.notices[:] = tuple(self._home.notices), []
        for sentence in said:
            self._say("notice", str(self._home.home), {"said": sentence}, sentence)

    def _look(self) -> None:
        """Read both files and record what is new."""
        if not is_folder(self._home.home):
            return
        earlier = {target: self._reader.taken(target) for target in FILE_NAMES}
        for target, document in self._home.documents().items():
            before = self._seen.get(target)
            same = before is not None and (before.data, before.state) == (document.data, document.state)
            if same and not earlier[target] and target not in self._unrecorded:
                continue
            try:
                seen = self._home.keeper.record(target, document, time.monotonic(), earlier[target])
                self._unrecorded.discard(target)
            except WorkbenchError as error:
                self._complain(target, error)
                self._unrecorded.add(target)  # tried again at the next look
                seen = Seen(target, new=True)
            self._seen[target] = document
            if before is not None and not same:
                self._changed(document, seen)

    def _changed(self, document: Document, seen: Seen) -> None:
        more = {
            "target": document.target,
            "state": document.state,
            "chars": document.chars,
            "entries": len(document.entries),
            "sha256": None if document.data is None else digest(document.data),
            "ours": seen.ours,
            "hint": seen.hint,
        }
        whose = "the workbench" if seen.ours else "somebody else" + (f" ({seen.hint})" if seen.hint else "")
        said = (
            f"{FILE_NAMES[document.target]} by {whose}: {len(document.entries)} entries, {document.percent} %, "
            f"{document.state}"
        )
        self._say("memory_changed", str(self._home.memory.path(document.target)), more, said)

    def _settle(self, *, at_once: bool = False) -> None:
        for one in self._home.keeper.settle(math.inf if at_once else time.monotonic()):
            self._settled(one)

    def _settled(self, one: Settled) -> None:
        from workbench.memory.reasons import REASONS

        path = str(self._home.memory.path(one.target))
        if one.gone:
            self._say("gone", path, {"target": one.target, "version": one.version}, one.sentence())
        if one.turns is not None:
            more = {"target": one.target, "versions": list(one.turns.versions), "times": one.turns.times}
            self._say("turns", path, more, replace(one, after=one.before).sentence())
        if one.backup is not None:
            more = {"target": one.target, "why": one.why, "backup": str(one.backup)}
            self._say("backed_up", path, more, f"{one.backup.name}: {REASONS.get(one.why, one.why)}")
        if one.error is not None:
            more = {"target": one.target, "error": str(one.error), "kind": one.error.kind}
            self._say("not_backed_up", path, more, str(one.error))

    def _complain(self, target: str, error: WorkbenchError) -> None:
        if str(error) != self._complained:
            self._complained = str(error)
            more = {"target": target, "error": str(error), "kind": error.kind}
            self._say("not_recorded", str(self._home.memory.path(target)), more, str(error))

    def _say(self, fact: str, path: str, more: Mapping[str, Any], sentence: str = "") -> None:
        self._tell(Told(fact, path, self._home.clock(), more, sentence))
