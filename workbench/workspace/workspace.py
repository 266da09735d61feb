"""Workspace: a home with its rooms, opened when they are first needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import BadConfig, Forgotten, HistoryUnavailable, ReadOnly
from workbench.files import Step, is_regular, no_step
from workbench.home import Config, HomeChoice, check, load
from workbench.memory import TARGETS, Document, MemoryFiles, parse, serialise

if TYPE_CHECKING:
    # Loaded when they are first used: the first frame needs neither operations nor history nor the scanner.
    from workbench.alerts import Alert, Opinions
    from workbench.curation.room import Curation
    from workbench.history import ChangeSet, History
    from workbench.history.asides import Glance
    from workbench.inbox import Inbox, Record
    from workbench.memory import EntryChange, MemoryStore, Operation, Outcome, PromptBlock, TakenBack, Written
    from workbench.sessions.database import Database
    from workbench.watch.keeper import Keeper
    from workbench.workspace.alerting import Listed
    from workbench.workspace.provenance import Origin
    from workbench.workspace.status import Status

NO_CONFIRMATIONS: frozenset[str] = frozenset()


class Workspace:
    """One open home. Methods may be called from any thread; none of them touches a screen.

    `subscribe` registers the one change signal: called without arguments, from the writing thread, after a write.
    """

    def __init__(
        self, choice: HomeChoice, *, read_only: bool, clock: Callable[[], float], step: Step = no_step
    ) -> None:
        self.choice = choice
        self.home = choice.path
        self.read_only = read_only
        self.clock = clock
        self.notices: list[str] = []
        self._step = step
        self._mutex = threading.RLock()
        self._history: History | None = None
        self._config: Config | None = None
        self._inbox: Inbox | None = None
        self._sessions: Database | None = None
        self._keeper: Keeper | None = None
        self._opinions: Opinions | None = None
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    def open(
        cls,
        choice: HomeChoice,
        *,
        read_only: bool = False,
        clock: Callable[[], float] = time.time,
        step: Step = no_step,
    ) -> Workspace:
        """Open a home. Raises NoHome when there is none; reads nothing else yet."""
        check(choice)
        return cls(choice, read_only=read_only, clock=clock, step=step)

    def close(self) -> None:
        """Close what was opened."""
        with self._mutex:
            history, self._history = self._history, None
            sessions, self._sessions = self._sessions, None
        # Outside the mutex: whoever is recording holds the history's own lock and may be about to ask for `config`.
        if history is not None:
            history.close()
        if sessions is not None:
            sessions.close()

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def config(self) -> Config:
        """The values of config.yaml in force; read once, see `refresh`."""
        with self._mutex:
            if self._config is None:
                self._config = load(self.home)
            return self._config

    def refresh(self) -> None:
        """Forget the configuration, so that the next use reads it anew."""
        with self._mutex:
            self._config = None

    @property
    def memory(self) -> MemoryFiles:
        """The two memory files, with the limits in force."""
        return MemoryFiles(self.home, {target: self.config.limit(target) for target in TARGETS})

    @property
    def limits(self) -> dict[str, int]:
        """Characters allowed, by target."""
        return self.memory.limits

    def enabled(self, target: str) -> bool:
        """Whether the agent uses the store at all."""
        return self.config.user_profile_enabled if target == "user" else self.config.memory_enabled

    def _off(self) -> frozenset[str]:
        """The stores the agent does not use."""
        return frozenset(target for target in TARGETS if not self.enabled(target))

    def documents(self) -> dict[str, Document]:
        """Both files as they are on disk now."""
        return self.memory.read()

    def preview(self, operation: Operation) -> Outcome:
        """What an operation would do to the files as they are now. Raises Unreadable."""
        from workbench.memory import preview

        return preview(self.memory, operation)

    @property
    def client(self) -> str:
        """The generation of the client that last opened state.db, e.g. "0.19"; that one too when there is none."""
        from workbench.memory import client_of_schema
        from workbench.sessions import overview

        return client_of_schema(overview(self.home).schema)

    def prompt(self, targets: Sequence[str] = TARGETS, client: str | None = None) -> tuple[PromptBlock, ...]:
        """The blocks the agent gets at its next session.

        `client` is a generation ("0.19"); None takes the one that last opened state.db. Raises Unreadable.
        """
        from workbench.memory import prompt_block

        generation = client or self.client
        documents = self.documents()
        return tuple(
            prompt_block(documents[target], enabled=self.enabled(target), client=generation) for target in targets
        )

    def status(self) -> Status:
        """Everything about the home in one value; reads the files, counts the queues, looks at state.db."""
        from workbench.inbox import waiting
        from workbench.sessions import overview
        from workbench.workspace.alerting import listed
        from workbench.workspace.status import Status, store_status

        memory = self.memory
        documents = memory.read()
        found = listed(self, documents)
        return Status(
            choice=self.choice,
            stores={
                target: store_status(document, found, enabled=self.enabled(target))
                for target, document in documents.items()
            },
            waiting=waiting(self.home),
            sessions=overview(self.home),
            config=self.config,
            other_files=tuple(path.name for path in memory.others()),
            alerts=sum(one.state == "open" for one in found),
        )

    # -- alerts -------------------------------------------------------------------------------------------------

    @property
    def opinions(self) -> Opinions:
        """What the scanners said of texts so far, remembered as long as the workspace is open."""
        from workbench.alerts import Opinions

        with self._mutex:
            self._opinions = self._opinions or Opinions()
            return self._opinions

    def alerts(self, *, everything: bool = False) -> tuple[Listed, ...]:
        """What needs a human, worst first; with `everything` also what was dismissed or snoozed. Changes nothing."""
        from workbench.workspace.alerting import listed

        return tuple(one for one in listed(self) if everything or one.state == "open")

    def glance(self, names: Sequence[str]) -> Glance | None:
        """What the history knows of alerts and files, without opening it for writing; None where there is none."""
        with self._mutex:
            history = self._history
        if history is not None:
            return history.glance(names)
        if not is_regular(self.home / "workbench" / "history.db"):
            return None
        from workbench.history.asides import glance

        return glance(self.home, names)

    def set_aside(self, alert: Alert, until: float | None = None) -> None:
        """Dismiss an alert for the content it is about, or snooze it until a time (Unix seconds).

        Raises ReadOnly, HistoryUnavailable.
        """
        self._check_writable()
        self.history.set_aside(alert.id, until)
        self.changed()

    def take_up(self, alert: Alert) -> bool:
        """Show an alert again; False when it was not set aside. Raises ReadOnly, HistoryUnavailable."""
        self._check_writable()
        taken = self.history.take_up(alert.id)
        self.changed()
        return taken

    def _check_writable(self) -> None:
        # Before the history is opened: a home looked at with --read-only gets no folder of ours.
        if self.read_only:
            raise ReadOnly(self.home)

    # -- history and writing ------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """The home's history; opening it for writing settles what an earlier crash left. Raises HistoryUnavailable."""
        from workbench.history import History

        with self._mutex:
            if self._history is None:
                history = History(
                    self.home,
                    read_only=self.read_only,
                    clock=self.clock,
                    step=self._step,
                    hint=self._hint,
                    notices=self.notices,
                )
                self._history = history
                history.recover()
            return self._history

    @property
    def past(self) -> History:
        """The history for reading: where it cannot be opened for writing, as it is, without recording anything.

        A full disk or a read-only home must not hide what has been.
        """
        from workbench.history import History

        try:
            return self.history
        except HistoryUnavailable as error:
            self.notices.append(f"Nothing is recorded now: {error.why}.")
            with self._mutex:
                self._history = History(self.home, read_only=True, clock=self.clock, notices=self.notices)
                return self._history

    @property
    def store(self) -> MemoryStore:
        """The memory files together with the history that records their writes."""
        from workbench.memory import MemoryStore

        return MemoryStore(self.memory, self.history)

    @property
    def inbox(self) -> Inbox:
        """What waits for approval, and deciding about it. Looking opens no history; what was read is remembered."""
        from workbench.inbox import Inbox

        with self._mutex:
            # What it remembers (which entry a piece of text meant) must outlive a look at the same configuration.
            if self._inbox is None or (self._inbox.rules.off, self._inbox.rules.limits) != (self._off(), self.limits):
                off = self._off()
                self._inbox = Inbox(
                    self.home, self.memory, lambda: self.history, off=off, clock=self.clock, changed=self.changed
                )
            return self._inbox

    @property
    def curation(self) -> Curation:
        """Making room: suggestions, plans, drafts, what vanished lately. Looking opens no history that is not there."""
        from workbench.curation.room import Curation

        return Curation(
            self.home,
            self.choice.root,
            lambda: self.memory,
            lambda: self.history,
            lambda: self.past,
            self.write,
        )

    def origin_of(self, record: Record) -> Origin | None:
        """The conversation a waiting record may come from, looked for in state.db; see provenance.may_come_from."""
        from workbench.workspace.provenance import may_come_from

        return may_come_from(self.home, record)

    @property
    def sessions(self) -> Database:
        """The agent's state.db, for reading only; nothing is opened before something is asked of it."""
        from workbench.sessions.database import Database

        with self._mutex:
            if self._sessions is None:
                self._sessions = Database(self.home / "state.db")
            return self._sessions

    def set_gate(self, subsystem: str, on: bool, *, follow: bool = False) -> int | None:
        """Switch the approval gate of memory or skills; returns the change set, None when it stood like that."""
        done = self.inbox.set_gate(subsystem, on, follow=follow)
        self.refresh()
        self.changed()
        return done.change

    def keep_setting(self, key: str, value: str) -> None:
        """Write one value into the workbench's settings.yaml; everything else in it, comments too, stays.

        Raises ReadOnly, BadConfig for a text that cannot be edited safely, and what `History.rewrite_own` raises.
        """
        from workbench.home.edit import edit
        from workbench.home.settings import settings_path

        def edited(data: bytes | None) -> bytes:
            try:
                return edit((data or b"").decode(), key, value).encode()
            except UnicodeDecodeError as error:
                raise BadConfig(f"it is not UTF-8 (byte {error.start})") from error

        self.history.rewrite_own(settings_path(self.home), edited)

    @property
    def keeper(self) -> Keeper:
        """Records and judges what others make of the memory files; one for all who look."""
        from workbench.home.settings import load_settings
        from workbench.watch.keeper import Keeper

        with self._mutex:
            if self._keeper is None:
                self._keeper = Keeper(
                    lambda: self.memory,
                    lambda: self.past,
                    mode=lambda: load_settings(self.home).backups,
                    clock=self.clock,
                )
            return self._keeper

    def observe(self) -> None:
        """Record what the memory files hold now, if that is news to the history, and back up what stood before.

        While a watcher follows the home, judging is left to it; else it happens here and now. A backup that could
        not be written becomes a notice.
        """
        keeper = self.keeper
        for target, document in self.documents().items():
            keeper.record(target, document, time.monotonic())
        if not keeper.followed:
            self.notices += [str(one.error) for one in keeper.settle() if one.error is not None]

    def write(self, operation: Operation, *, accept: frozenset[str] = NO_CONFIRMATIONS, label: str = "") -> Written:
        """Apply an operation to what is on disk at that moment and save it; see MemoryStore.write for the errors."""
        from workbench.memory import targets_of

        self.keep_first(targets_of(operation))
        written = self.store.write(operation, accept=accept, label=label)
        self.changed()
        return written

    def undo(self, number: int | None = None, *, accept: frozenset[str] = NO_CONFIRMATIONS) -> TakenBack:
        """Take back the newest change set, or the given one alone."""
        self.observe()
        self.keep_first()
        taken = self.store.undo(number, accept=accept)
        self.changed()
        return taken

    def redo(self, *, accept: frozenset[str] = NO_CONFIRMATIONS) -> TakenBack:
        """Repeat what was taken back last."""
        self.observe()
        self.keep_first()
        taken = self.store.redo(accept=accept)
        self.changed()
        return taken

    def restore(
        self, version: str, target: str | None = None, *, accept: frozenset[str] = NO_CONFIRMATIONS
    ) -> TakenBack:
        """Give a file the exact bytes of a version."""
        self.keep_first()
        taken = self.store.restore(version, target, accept=accept)
        self.changed()
        return taken

    def restore_change(
        self,
        number: int,
        *,
        accept: frozenset[str] = NO_CONFIRMATIONS,
        seen: Mapping[str, str | None] | None = None,
    ) -> TakenBack:
        """Give the files of a change set the exact bytes they had after it; see MemoryStore.restore_change."""
        self.observe()
        self.keep_first()
        taken = self.store.restore_change(number, accept=accept, seen=seen)
        self.changed()
        return taken

    def differences(self, change: ChangeSet) -> dict[str, tuple[EntryChange, ...]]:
        """What a change set did to each memory file, entry by entry, by the file's name in the history.

        Versions that cannot be read as entries (not UTF-8) or were forgotten, and other files, are left out.
        """
        from workbench.memory import difference

        out: dict[str, tuple[EntryChange, ...]] = {}
        for file in change.files:
            target = self.memory.target(self.past.path(file.path))
            if target is None:
                continue
            limit = self.limits[target]
            try:
                before, after = (parse(self.past.bytes_of(sha), target, limit) for sha in (file.before, file.after))
            except Forgotten:
                continue
            if "unreadable" not in (before.state, after.state):
                out[file.path] = difference(before.texts, after.texts)
        return out

    def summary(self, change: ChangeSet) -> str:
        """Counts over all files of a change set, e.g. `+1 −2 ~1`; "" when no entry changed."""
        from workbench.memory import summary

        if change.kind == "baseline":
            return ""
        return summary([one for changes in self.differences(change).values() for one in changes])

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every write of this process."""
        self._listeners.append(listener)

    def keep_first(self, targets: Sequence[str] = TARGETS) -> None:
        """With `backups: every`, keep what the files hold before we write; a NotBackedUp refuses the write."""
        from workbench.home.settings import load_settings

        if not self.read_only and load_settings(self.home).backups == "every":
            from workbench.workspace.keeping import keep_now

            keep_now(self, targets)

    def changed(self) -> None:
        """Tell everybody that something was written."""
        for listener in self._listeners:
            listener()

    def _hint(self, path: Path, data: bytes | None) -> str:
        """Whether bytes seen on disk are exactly what the client's serialiser writes for their entries."""
        target = self.memory.target(path)
        if target is None or data is None:
            return ""
        document = parse(data, target, self.limits[target])
        if document.state == "unreadable" or serialise(document.texts) != data:
            return ""
        return "client-shaped"
