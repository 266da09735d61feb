"""The history of a home: every version of its files, every change set, and the only way to write them.

Protocol of a commit: lock, re-read, compute under the lock, record (one SQLite transaction), replace. A crash at any
point leaves the old or the new file and both versions in the database; `recover` finishes or rolls back the rest.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from workbench.errors import (
    Busy,
    HistoryUnavailable,
    OutsideLink,
    ReadOnly,
    Unreadable,
    WorkbenchError,
    WriteFailed,
)
from workbench.files import (
    Step,
    check_owner,
    locked,
    no_step,
    read_bytes,
    real_target,
    remove_file,
    replace_file,
    sweep,
    sync_folder,
)
from workbench.history import asides
from workbench.history.asides import Glance
from workbench.history.database import Database
from workbench.history.guards import drop_empty_folders, guards, is_left_over
from workbench.history.past import Past
from workbench.history.records import Committed, Compute, Images, Intent
from workbench.history.statements import (
    INSERT_CHANGE,
    INSERT_FILE,
    SETTLE,
    UNFINISHED,
    digest_of,
    holds,
    intent_row,
    is_known,
    latest_change,
    of_several,
    store_blob,
)

# How often a commit starts over because a program that honours no lock wrote in between.
RETRIES = 3


class History(Past):
    """The history of one home. Safe to use from several threads and beside other workbench processes."""

    def __init__(
        self,
        home: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], float] = time.time,
        step: Step = no_step,
        hint: Callable[[Path, bytes | None], str] = lambda path, data: "",
        notices: list[str] | None = None,
    ) -> None:
        super().__init__(home, Database(home / "workbench", read_only=read_only))
        self.read_only = read_only
        self._clock = clock
        self._step = step
        self._hint = hint
        self._made: set[int] = set()
        self.notices = notices if notices is not None else []
        self._tell(self._database.notice)

    def _tell(self, sentence: str) -> None:
        """Keep a sentence for the faces to show: `notices` is theirs to empty."""
        if sentence and sentence not in self.notices:
            self.notices.append(sentence)

    def close(self) -> None:
        """Close the database; what is not settled yet is settled by hash at the next access."""
        with self._mutex:
            self._database.close()

    # -- what lies beside the history ---------------------------------------------------------------------------

    def now(self) -> float:
        """The time by this history's clock, in Unix seconds."""
        return self._clock()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One durable commit of a table that is not the history's own. Raises HistoryUnavailable."""
        with self._mutex:
            self._database.ensure()
            with self._database.transaction() as db:
                yield db

    # -- writing ------------------------------------------------------------------------------------------------

    def commit(
        self,
        paths: Sequence[Path],
        compute: Compute,
        intent: Intent | Callable[[], Intent],
        *,
        timeout: float = 10.0,
        allow_link: bool = False,
    ) -> Committed:
        """Write files of the home, all or none, recorded first; `guards` says which locks are taken for `paths`.

        `compute` gets the bytes on disk under the lock and returns the bytes to write in write order (None removes
        the file). Bytes that are on disk already are not written again. An `intent` that depends on what was computed
        is given as a function, called afterwards. `timeout` is in seconds a lock; `allow_link` agrees, for good, to a
        link that leads out of the home.
        Raises ReadOnly, Busy, OutsideLink, ForeignOwner, Unreadable, HistoryUnavailable, WriteFailed, and whatever
        `compute` raises; in every case the old bytes stand.
        """
        if self.read_only:
            raise ReadOnly(self.home)
        with self._mutex:
            self._database.ensure()
            reals = self._prepare(paths, allow_link=allow_link)
            self._recover_several()
            with locked(guards(self.home, paths), timeout=timeout):
                for real in reals.values():
                    sweep(real)
                for _ in range(RETRIES):
                    done = self._commit_locked(reals, compute, intent)
                    if done is not None:
                        return done
            raise Busy(paths[0], 0)

    def made(self, change: int) -> bool:
        """Whether this change set was committed through this object, not by another workbench on the same home."""
        return change in self._made

    def rewrite_own(self, path: Path, compute: Callable[[bytes | None], bytes]) -> None:
        """Change a file of the workbench's own, below its folder; not recorded, since an undo must not meet it.

        `compute` gets the bytes on disk under the lock (None: no file). Raises ReadOnly, Busy, OutsideLink,
        ForeignOwner, Unreadable, HistoryUnavailable, WriteFailed, and whatever `compute` raises; the old bytes stand.
        """
        if self.read_only:
            raise ReadOnly(self.home)
        with self._mutex:
            self._database.ensure()
            real = self._prepare([path], allow_link=False)[path]
            with locked(guards(self.home, [path])):
                before = read_bytes(real)
                after = compute(before)
                if after != before:
                    replace_file(real, after, step=self._step)

    def _prepare(self, paths: Sequence[Path], *, allow_link: bool) -> dict[Path, Path]:
        """The file behind every path, once it is clear that we may write there."""
        reals: dict[Path, Path] = {}
        for path in paths:
            try:
                if not path.parent.is_dir():
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    sync_folder(path.parent.parent)
            except OSError as error:
                raise WriteFailed(path.parent, error.strerror or str(error)) from error
            try:
                reals[path] = self._real(path)
            except OutsideLink as error:
                if not allow_link:
                    raise
                self._allow_link(path, error.leads_to)
                reals[path] = self._real(path)
            for folder in {path.parent, reals[path].parent}:
                check_owner(folder)
        return reals

    def _real(self, path: Path) -> Path:
        return real_target(path, self.home, self.allowed_links())

    def _commit_locked(
        self, reals: Mapping[Path, Path], compute: Compute, intent: Intent | Callable[[], Intent]
    ) -> Committed | None:
        """One attempt; None when a file moved between the reading and the replacing."""
        images = {path: read_bytes(path) for path in reals}
        self._step("read")
        wanted = compute(images)
        writes = {path: data for path, data in wanted.items() if images[path] != data}
        about = intent() if callable(intent) else intent
        if not writes and about.kind not in ("undo", "redo"):
            return Committed(None, images, {})
        # An undo that finds the file as it should be is recorded all the same, else the next one would meet it again.
        change = self._record(images, writes, about)
        self._made.add(change)  # before anybody can see the new bytes
        self._step("recorded")
        done: list[Path] = []
        for path, data in writes.items():
            if read_bytes(path) != images[path]:  # somebody who honours no lock; narrow, but seen with editors
                self._take_back(change, done, reals, images, writes)
                return None
            try:
                self._put(reals[path], data)
            except WorkbenchError:
                self._take_back(change, done, reals, images, writes)
                raise
            done.append(path)
            self._step("file-done")
        self._settled("landed", change)
        drop_empty_folders(self.home, [reals[path] for path, data in writes.items() if data is None])
        return Committed(change, images, writes)

    def _put(self, real: Path, data: bytes | None) -> None:
        if data is None:
            remove_file(real, step=self._step)  # behind a link, which stays
        else:
            replace_file(real, data, step=self._step)

    def _take_back(
        self, change: int, done: Sequence[Path], reals: Mapping[Path, Path], images: Images, writes: Images
    ) -> None:
        """Undo the first files of a change set whose later file could not be written."""
        for path in reversed(done):
            if read_bytes(path) == writes[path]:
                self._put(reals[path], images[path])
        if not any(read_bytes(path) == writes[path] for path in writes):
            self._settled("not", change)

    def _settled(self, state: str, change: int) -> None:
        """Tell other processes at once, without an fsync: a crash only sends the next start back to the hashes."""
        self._database.quick_update(SETTLE, (state, change))

    def _record(self, images: Images, writes: Images, intent: Intent) -> int:
        """Everything about a write in one durable transaction: what was seen before, and what is intended."""
        with self._database.transaction() as db:
            for path, data in images.items():
                self._observe(db, path, data, "outside", locked=True)
            cursor = db.execute(INSERT_CHANGE, (self._clock(), intent.actor, "", *intent_row(intent)))
            change = cursor.lastrowid
            assert change is not None
            for seq, (path, data) in enumerate(writes.items()):
                row = (change, seq, self.name(path), store_blob(db, images[path]), store_blob(db, data), "intended")
                db.execute(INSERT_FILE, row)
            return change

    @staticmethod
    def _settle_row(db: sqlite3.Connection, name: str, now: str | None) -> None:
        """Under the path's lock: decide by hash what became of the write of a process that died.

        A file that holds neither version counts as not written: bytes that may never have been on disk must not
        come back as "exact" by an undo.
        """
        db.execute(
            "UPDATE files SET state = CASE WHEN after IS ? THEN 'landed' ELSE 'not' END"
            " WHERE path = ? AND state = 'intended'",
            (now, name),
        )

    # -- seeing -------------------------------------------------------------------------------------------------

    def observe(
        self, path: Path, data: bytes | None, *, actor: str = "outside", earlier: Sequence[bytes | None] = ()
    ) -> int | None:
        """Record the bytes `path` was seen to hold, if they are new; returns the id of the change, or None.

        `earlier` are versions that were read before those, oldest first, and could not be recorded at once. The first
        sight of a file is a *baseline*, later ones are *outside* changes. Does nothing when read-only.
        """
        if self.read_only:
            return None
        with self._mutex:
            self._database.ensure()
            if not earlier and is_known(self.latest(path), digest_of(data)):
                return None
            with self._database.transaction() as db:
                # Between the caller's reading and now somebody may have written through a history like this one;
                # what was read then is known already and no news. Nobody can record another write in here.
                try:
                    now = read_bytes(path)
                except Unreadable:
                    return None
                seen = [one for one in earlier if not holds(db, one)]
                seen += [data] if now == data or not holds(db, data) else []
                found = [self._observe(db, path, one, actor, locked=False) for one in (*seen, now)]
                return next((change for change in reversed(found) if change is not None), None)

    def _observe(
        self, db: sqlite3.Connection, path: Path, data: bytes | None, actor: str, *, locked: bool
    ) -> int | None:
        name, now = self.name(path), digest_of(data)
        known = latest_change(db, name)
        if locked and known is not None and known.state == "intended" and not of_several(db, known):
            # Its process is dead, or it would hold the lock. A set over several files is left to `recover`.
            self._settle_row(db, name, now)
            known = latest_change(db, name)
        if is_known(known, now):
            return None
        kind, before = ("baseline", None) if known is None else ("outside", known.after)
        label = f"{path.name} as it was found" if kind == "baseline" else f"{path.name} changed outside"
        cursor = db.execute(INSERT_CHANGE, (self._clock(), actor, self._hint(path, data), kind, label, "[]", None))
        change = cursor.lastrowid
        assert change is not None
        db.execute(INSERT_FILE, (change, 0, name, before, store_blob(db, data), "landed"))
        return change

    # -- links and claims ---------------------------------------------------------------------------------------

    def allowed_links(self) -> frozenset[str]:
        """Targets outside the home that the owner has agreed to write to."""
        with self._mutex:
            return frozenset(os.fsdecode(row[0]) for row in self._database.read("SELECT target FROM links"))

    def _allow_link(self, path: Path, target: Path) -> None:
        with self._database.transaction() as db:
            row = (self.name(path), os.fsencode(target), self._clock())  # bytes: a path need not be UTF-8
            db.execute("INSERT OR IGNORE INTO links VALUES (?, ?, ?)", row)

    def claim(self, path: Path, sha256: str, pid: int) -> bool:
        """Claim the file `path` with this content for this process; False when it is claimed already."""
        with self._mutex, self._database.transaction() as db:
            cursor = db.execute(
                "INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?)", (self.name(path), sha256, self._clock(), pid)
            )
            return cursor.rowcount == 1

    def release(self, path: Path, sha256: str) -> None:
        """Give a claim back; releasing what nobody claimed is fine."""
        with self._mutex, self._database.transaction() as db:
            db.execute("DELETE FROM claims WHERE path = ? AND sha256 = ?", (self.name(path), sha256))

    def claims(self) -> tuple[tuple[str, str, float, int], ...]:
        """All claims: (path, SHA-256, Unix seconds, process id)."""
        with self._mutex:
            rows = self._database.read("SELECT path, sha256, at, pid FROM claims ORDER BY at")
            return tuple((str(p), str(s), float(at), int(pid)) for p, s, at, pid in rows)

    # -- alerts set aside ---------------------------------------------------------------------------------------

    def glance(self, names: Sequence[str]) -> Glance:
        """What is set aside, and what was last seen of the files called `names`. Never raises."""
        with self._mutex:
            return asides.glance(self.home, names, self._database)

    def set_aside(self, alert: str, until: float | None) -> None:
        """Set an alert aside, by its id, until a time (Unix seconds; None: for good). Raises ReadOnly."""
        if self.read_only:
            raise ReadOnly(self.home)
        with self._mutex:
            self._database.ensure()
            asides.set_aside(self._database, alert, until, self._clock())

    def take_up(self, alert: str) -> bool:
        """Show an alert again; False when it was not set aside. Raises ReadOnly."""
        if self.read_only:
            raise ReadOnly(self.home)
        with self._mutex:
            self._database.ensure()
            return asides.take_up(self._database, alert)

    # -- recovery -----------------------------------------------------------------------------------------------

    def _recover_several(self) -> None:
        """Before a write: what a crash left half done over several files is never built upon.

        Writes to one file are settled under its lock anyway; asking for them here would take every lock twice.
        """
        rows = self._database.read(
            "SELECT change FROM files WHERE change IN (SELECT change FROM files WHERE state = 'intended')"
            " GROUP BY change HAVING count(*) > 1"
        )
        for (number,) in rows:
            self._tell(self._recover_one(number, 2.0))

    def recover(self, *, timeout: float = 2.0) -> None:
        """Settle what a process that died left half done; `notices` then say what came of it.

        A set over several files is finished when its remaining files still hold what they held. When one has moved
        on, nothing is touched: the destination is written before the source, so that an entry then stands in both
        files, and taking it out of one could take its last copy. Temp files of the dead process are removed. Takes
        the files' locks, so a living writer is never disturbed; what cannot be settled now is left for later.
        """
        if self.read_only:
            return
        with self._mutex:
            rows = self._database.read("SELECT DISTINCT change FROM files WHERE state = 'intended' ORDER BY change")
            for (number,) in rows:
                try:
                    self._tell(self._recover_one(number, timeout))
                except HistoryUnavailable:
                    raise
                except WorkbenchError as error:
                    self._tell(f"Change {number} was cut off by a crash and cannot be settled yet: {error}")
            self._drop_claims()
            if self._database.read("SELECT 1 FROM forgotten WHERE sha256 = ?", (UNFINISHED,)):
                from workbench.history.forget import finish

                finish(self)

    def _drop_claims(self) -> None:
        """Give back the claims of processes that died; what they claimed and did not finish waits as before."""
        for name, sha256, at, pid in self.claims():
            if is_left_over(at, pid, self._clock()):
                self.release(self.path(name), sha256)
                if self.path(name).exists():
                    self._tell(
                        f"A decision about {name} was cut off by a crash before anything was written; it still waits."
                    )

    def _recover_one(self, number: int, timeout: float) -> str:
        order = [self.path(file.path) for file in self.change(number).files]
        # MEMORY.md sorts before USER.md.
        with locked(guards(self.home, sorted(order, key=lambda p: p.name)), timeout=timeout):
            change = self.change(number)
            if all(file.state != "intended" for file in change.files):
                return ""  # its own process finished while we waited for the lock
            for path in order:
                sweep(self._real(path))
            now = {f.path: digest_of(read_bytes(self.path(f.path))) for f in change.files}
            written = [f for f in change.files if now[f.path] == f.after]
            waiting = [f for f in change.files if now[f.path] != f.after]
            said = ""
            if written and waiting and all(now[f.path] == f.before for f in waiting):
                for file in waiting:
                    self._put(self._real(self.path(file.path)), self.bytes_of(file.after))
                    now[file.path] = file.after
                drop_empty_folders(self.home, [self.path(file.path) for file in change.files if file.after is None])
                said = f"“{change.label}” had been cut off by a crash and was finished."
            elif written and waiting:
                names = " and ".join(path.name for path in order)
                said = f"“{change.label}” was cut off by a crash half way; look for a text that now stands in {names}."
            with self._database.transaction() as db:
                for file in change.files:
                    state = "landed" if now[file.path] == file.after else "not"
                    db.execute(
                        "UPDATE files SET state = ? WHERE change = ? AND path = ?", (state, change.id, file.path)
                    )
            return said
