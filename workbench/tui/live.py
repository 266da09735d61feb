"""Live: what happens to the home while it is open, recorded at once and told in calm portions.

One thread of its own takes the facts of the watcher. For every fact about a memory file it reads, compares and records
immediately, so that no version passes unseen; only what the screens are told is debounced, and held back while paused.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from workbench.errors import NotBackedUp, WorkbenchError
from workbench.files import is_folder
from workbench.memory import FILE_NAMES, Document
from workbench.tui.news import (
    CONFIG,
    MEMORY,
    QUEUE,
    SESSIONS,
    SETTINGS,
    HomeChanged,
    HomeFound,
    HomeLost,
    NotRecorded,
    WatchState,
)

if TYPE_CHECKING:
    from textual.message import Message

    from workbench.watch import Fact
    from workbench.watch.keeper import Settled
    from workbench.watch.reader import Reader
    from workbench.workspace import Workspace


@dataclass(frozen=True)
class Step:
    """What somebody else did to one store: its entries before and after, `hint` as the history has it.

    `workbench` says that it was another workbench, a window or a command. `remark` is worth saying with it, and
    `joined` names the entry that was written on, and the character where that begins.
    """

    target: str
    before: Document
    after: Document
    hint: str = ""
    closed: bool = False
    workbench: bool = False
    remark: str = ""
    joined: tuple[str, int] | None = None

    def sentence(self) -> str:
        """What is said in passing."""
        name = FILE_NAMES[self.target]
        if self.after.state == "unreadable":
            return f"{name} changed outside and cannot be read now."
        if self.after.data is None:
            return ""  # told when it has settled: many programs remove a file right before they write it
        from workbench.memory import difference, summary

        layout = "it is there, without an entry" if self.before.data is None else "only its layout"
        what = summary(difference(self.before.texts, self.after.texts)) or layout
        if self.workbench:
            return f"Another workbench changed {name}: {what}"
        hint = f" ({self.hint})" if self.hint else ""
        return f"{name} changed outside{hint}: {what}" + (f"; {self.remark}" if self.remark else "")


@dataclass(frozen=True)
class News:
    """What has happened since the last portion: `kinds` of facts, `steps` of others, the stores as they are now.

    `settled` says what became of outside changes: backups, files that are gone, writers that overwrite each other.
    """

    kinds: frozenset[str]
    steps: tuple[Step, ...] = ()
    settled: tuple[Settled, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)

    def by_others(self, target: str) -> bool:
        """Whether somebody else changed this store."""
        return any(step.target == target for step in self.steps)


class Live:
    """Watches one home for one app. `tell` takes messages from any thread; all other methods may be called from it.

    `mode` is starting, live or polling; `why` the reason for polling.
    """

    def __init__(self, workspace: Workspace, tell: Callable[[Message], object], *, polling: bool | None = None) -> None:
        from workbench.watch.settle import Debounce

        self.workspace = workspace
        self.mode, self.why = "starting", ""
        self.paused = False
        self.held = 0
        self.gone = False
        self._tell = tell
        self._polling = polling
        self._facts: queue.SimpleQueue[tuple[float, Fact | None]] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._debounce = Debounce()
        self._reader: Reader | None = None
        self._seen: dict[str, Document] = {}
        self._steps: list[Step] = []
        self._kinds: set[str] = set()
        self._settled: list[Settled] = []
        self._complained: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="workbench-live", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """End it; no message comes any more once this has returned."""
        self._stopped.set()
        self._arrived(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def toggle_pause(self) -> None:
        """Hold back what screens are told, or tell what was held back."""
        self.paused = not self.paused
        if not self.paused:
            self.held = 0
            self._arrived(None)  # wakes the thread, which then tells

    def note(self, width: int = 200) -> tuple[str, str]:
        """What the header says of it, and its tone: "" or warning; the short form when `width` cells are too few."""
        if self.gone:
            return "home gone", "warning"
        if self.paused:
            waiting = f"{self.held} change{'' if self.held == 1 else 's'} waiting"
            return (f"paused · {waiting}" if self.held else "paused"), "warning"
        if self.mode == "polling":
            return (f"polling: {self.why}" if width >= 100 else "polling"), "warning"
        return ("live" if self.mode == "live" else ""), ""

    # -- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        from workbench.watch import Watcher
        from workbench.watch.reader import Reader

        self._reader = Reader(self.workspace.home)
        watcher = Watcher(
            self.workspace.home,
            self._arrived,
            first=self._reader.first,
            on_mode=lambda: self._arrived(None),
            polling=self._polling,
        )
        watcher.start()
        self.workspace.keeper.followed = True
        try:
            self._state_of(watcher.mode, watcher.why)
            self._look()
            self._steps.clear()  # what changed before is no news
            self._kinds.add(MEMORY)
            self._publish()
            while not self._stopped.is_set():
                self._turn()
                self._state_of(watcher.mode, watcher.why)
        finally:
            self.workspace.keeper.followed = False
            watcher.stop()

    def _arrived(self, fact: Fact | None) -> None:
        """Note when a fact came: the pause that gathers a burst counts from there, not from when it is recorded."""
        self._facts.put((time.monotonic(), fact))

    def _turn(self) -> None:
        """Take one fact, or find that it is time to tell."""
        fact: Fact | None = None
        with contextlib.suppress(queue.Empty):
            at, fact = self._facts.get(timeout=self._patience())
        if fact is not None:
            self._take(fact, at)
        self._publish_when_due()
        self._settle()  # a backup waits for the disk, the screen does not wait for it
        self._publish_when_due()

    def _publish_when_due(self) -> None:
        if not self.paused and (self._due(time.monotonic()) or (self._debounce.first is None and self._kinds)):
            self._publish()

    def _due(self, now: float) -> bool:
        """Whether the burst is over, with all of it recorded, or has gone on for too long."""
        first = self._debounce.first
        if first is not None and not self._facts.empty() and now < first + self._debounce.longest:
            return False
        return self._debounce.due(now)

    def _patience(self) -> float | None:
        """Seconds until something has to be told or judged; None when nothing has."""
        first, last = self._debounce.first, self._debounce.last
        due = self.workspace.keeper.due()
        if first is not None and not self.paused:
            due = min(due, last + self._debounce.quiet, first + self._debounce.longest)
        return None if due == math.inf else max(0.0, due - time.monotonic())

    def _state_of(self, mode: str, why: str) -> None:
        if (mode, why) != (self.mode, self.why):
            self.mode, self.why = mode, why
            self._tell(WatchState())

    def _take(self, fact: Fact, at: float) -> None:
        from workbench.watch import HomeBack, HomeGone

        if isinstance(fact, HomeGone):
            self.gone = True
            self._tell(HomeLost())
        elif isinstance(fact, HomeBack):
            self.gone = False
            self._tell(HomeFound())
            self._hit(MEMORY, self._look(), at)
        else:
            kind = _kind(fact)
            if kind == CONFIG:
                self.workspace.refresh()
            if kind != MEMORY:
                self._hit(kind, True, at)
            else:
                known = fact.path.name in FILE_NAMES.values()
                self._hit(MEMORY, self._look() or not known, at)

    def _hit(self, kind: str, changed: bool, at: float) -> None:
        """Remember that screens have to be told, after the burst; `at` is when the fact came."""
        if not changed:
            return
        self._kinds.add(kind)
        self._debounce.hit(at)
        if self.paused and kind != SESSIONS:
            self.held += 1
            self._tell(WatchState())

    def _publish(self) -> None:
        steps = tuple(_remarked(step) for step in self._steps)
        news = News(frozenset(self._kinds), steps, tuple(self._settled), dict(self._seen))
        self._settled.clear()
        self._kinds.clear()
        self._steps.clear()
        if not self._stopped.is_set():
            self._tell(HomeChanged(news))

    # -- reading and recording ----------------------------------------------------------------------------------

    def _look(self) -> bool:
        """Read both files, record what is new, remember who did it; whether anything changed."""
        changed = False
        try:
            if not is_folder(self.workspace.home):
                return False  # the guard will say so; missing files are no news then
            reader = self._reader
            earlier = {target: reader.taken(target) if reader else () for target in FILE_NAMES}
            documents = self.workspace.documents()
        except WorkbenchError as error:
            self._complain(error)
            return False
        for target, document in documents.items():
            before = self._seen.get(target)
            if before is not None and (before.data, before.state) == (document.data, document.state):
                if earlier[target]:
                    self._record(target, document, earlier[target])  # it went and came back
                continue
            changed = True
            whose, hint = self._record(target, document, earlier[target])
            self._seen[target] = document
            if before is not None:
                self._note(Step(target, before, document, hint, workbench=whose == "workbench"), ours=whose == "ours")
        return changed

    def _record(self, target: str, document: Document, earlier: Sequence[bytes | None]) -> tuple[str, str]:
        """Tell the history, what was read `earlier` first; who wrote these bytes and what they look like.

        Who: "ours" (this process), "workbench" (another one), "" (anybody else).
        """
        try:
            seen = self.workspace.keeper.record(target, document, time.monotonic(), earlier)
        except WorkbenchError as error:
            self._complain(error)
            return "", ""
        return "" if not seen.ours else "ours" if seen.here else "workbench", seen.hint

    def _settle(self) -> None:
        """Back up what stood before outside changes that have settled by now."""
        for one in self.workspace.keeper.settle(time.monotonic()):
            self._settled.append(one)
            if one.backup is not None or one.sentence():
                self._kinds.add(MEMORY)  # else it is told with the change itself
            if one.error is not None:
                self._complain(one.error)

    def _note(self, step: Step, *, ours: bool) -> None:
        """One step more; steps of the same others that follow each other are told as one."""
        places = [index for index in reversed(range(len(self._steps))) if self._steps[index].target == step.target]
        last = places[0] if places else None
        if ours:
            if last is not None:
                self._steps[last] = replace(self._steps[last], closed=True)
        elif last is not None and not self._steps[last].closed and self._steps[last].workbench == step.workbench:
            self._steps[last] = replace(self._steps[last], after=step.after, hint=step.hint)
        else:
            self._steps.append(step)

    def _complain(self, error: WorkbenchError) -> None:
        # A backup that fails names its version each time; one reason is told once.
        said = f"{error.kind}: {error.why}" if isinstance(error, NotBackedUp) else str(error)
        if said not in self._complained:
            self._complained.add(said)
            self._tell(NotRecorded(error))


def _remarked(step: Step) -> Step:
    from workbench.tui.remarks import joined, remark

    if step.workbench:
        return step
    return replace(step, remark=remark(step.before, step.after), joined=joined(step.before, step.after))


def _kind(fact: Fact) -> str:
    from workbench.watch import MemoryChanged, QueueChanged, SettingsChanged

    if isinstance(fact, MemoryChanged):
        return MEMORY
    if isinstance(fact, QueueChanged):
        return QUEUE
    if isinstance(fact, SettingsChanged):
        return CONFIG if fact.path.name == "config.yaml" else SETTINGS
    return SESSIONS
