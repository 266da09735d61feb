"""Backups: files `<file>.bak.<unix seconds>` beside a memory file, ours and those of the client.

Ours are byte-exact, written once per distinct content, and remembered in history.db by name and content: only those
are ever removed unasked, and only while the history holds their bytes. A file of that shape that somebody else wrote
goes only when its owner asks for `prune`, and never the last one of its content.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import Busy, ForeignOwner, NotBackedUp, ReadOnly, Unreadable, WriteFailed
from workbench.files import Step, check_owner, digest, locked, no_step, place_file, read_bytes, remove_file, sweep
from workbench.history.history import History
from workbench.history.past import Past
from workbench.history.statements import store_blob

# So many of ours may lie beside one file.
MOST = 10


@dataclass(frozen=True)
class Backup:
    """One `.bak`: `of` is the file it was made of, `at` Unix seconds (from its name, else its last write).

    `size` is in bytes; `sha256` is "" and `why` says the reason when it cannot be read. `ours`: written by a
    workbench of this home and unchanged since.
    """

    path: Path
    of: Path
    at: float
    size: int
    sha256: str
    ours: bool
    why: str = ""


@dataclass(frozen=True)
class Group:
    """Backups of one file with the same bytes, the newest first."""

    of: Path
    sha256: str
    backups: tuple[Backup, ...]

    @property
    def newest(self) -> Backup:
        """The one that `prune` keeps."""
        return self.backups[0]


def list_backups(history: Past, path: Path) -> tuple[Backup, ...]:
    """The backups that lie beside `path`, the newest first; a folder that cannot be listed holds none."""
    known = _remembered(history, path)
    try:
        names = os.listdir(path.parent)  # noqa: PTH208 - only names are needed
    except OSError:
        return ()
    found = []
    for name in names:
        match = re.fullmatch(re.escape(path.name) + r"\.bak(?:\.(\d{1,12})(?:-\d+)?|\..+)?", name)
        if match is None or name.endswith((".tmp", ".lock")):
            continue
        beside = path.parent / name
        at = float(match[1]) if match[1] else _written(beside)
        try:
            data, why = read_bytes(beside), ""
        except Unreadable as error:
            data, why = b"", error.why
        if data is not None:
            sha = "" if why else digest(data)
            found.append(Backup(beside, path, at, len(data), sha, bool(sha) and known.get(name) == sha, why))
    return tuple(sorted(found, key=lambda one: (-one.at, _natural(one.path.name))))


def grouped(backups: Sequence[Backup]) -> tuple[Group, ...]:
    """Backups by file and content, in the order of the newest of each; one that cannot be read stands alone."""
    groups: dict[tuple[Path, str], list[Backup]] = {}
    for one in backups:
        groups.setdefault((one.of, one.sha256 or one.path.name), []).append(one)
    return tuple(Group(of, members[0].sha256, tuple(members)) for (of, _), members in groups.items())


def keep(history: History, path: Path, data: bytes, *, at: float, step: Step = no_step) -> Path | None:
    """Write `data`, the exact bytes that `path` held, as a backup beside it; None when one with them is there.

    `at` is Unix seconds; a taken name gets a suffix. Removes the oldest of ours beyond ten. Raises NotBackedUp when
    the disk or the folder does not take it, HistoryUnavailable, ReadOnly; the history holds the bytes in any case.
    """
    if history.read_only:
        raise ReadOnly(history.home)
    with history.mutex, history.database.transaction() as db:
        store_blob(db, data)
    try:
        check_owner(path.parent)
        with locked([_lock(history)]):
            sweep(path)
            step("locked")
            placed = _place(history, path, data, at, step)
            if placed is not None:
                _trim(history, path, step)
            return placed
    except (WriteFailed, Busy, ForeignOwner, FileNotFoundError) as error:
        why = error.why if isinstance(error, WriteFailed) else str(error).rstrip(".")
        raise NotBackedUp(path, digest(data), why) from error


def _place(history: History, path: Path, data: bytes, at: float, step: Step) -> Path | None:
    sha = digest(data)
    if any(one.size == len(data) and one.sha256 == sha for one in list_backups(history, path)):
        return None
    for number in itertools.count(1):
        beside = path.with_name(f"{path.name}.bak.{max(0, int(at))}" + (f"-{number}" if number > 1 else ""))
        if os.path.lexists(beside):
            continue
        # Remembered first: a crash in between leaves a row without a file, never a file nobody remembers as ours.
        with history.mutex, history.database.transaction() as db:
            row = (beside.name, history.name(path), sha, at)
            db.execute("INSERT OR REPLACE INTO backups (name, path, sha256, at) VALUES (?, ?, ?, ?)", row)
        step("remembered")
        if place_file(beside, data, step=step):
            return beside
    raise AssertionError("unreachable")


def _trim(history: History, path: Path, step: Step) -> None:
    """Remove the oldest of ours beyond ten; the order is that of writing, whatever the clock said."""
    there = {one.path.name: one for one in list_backups(history, path) if one.ours}
    with history.mutex:
        rows = history.database.read(
            "SELECT b.name, EXISTS (SELECT 1 FROM blobs WHERE sha256 = b.sha256) FROM backups b WHERE path = ?"
            " ORDER BY id",
            (history.name(path),),
        )
    lying = [(name, bool(held)) for name, held in rows if name in there]
    for name, held in lying[: max(0, len(lying) - MOST)]:
        if held:
            remove_file(path.with_name(name), step=step)
    gone = [(name,) for name, _ in rows if not path.with_name(name).exists()]
    with history.mutex, history.database.transaction() as db:
        db.executemany("DELETE FROM backups WHERE name = ?", gone)


def prune(history: History, groups: Sequence[Group], *, step: Step = no_step) -> tuple[Path, ...]:
    """Remove all but the newest backup of each content; answers what was removed.

    Both are read again right before: one that changed or went since the list was made is left alone. Raises ReadOnly,
    Busy, ForeignOwner, WriteFailed.
    """
    if history.read_only:
        raise ReadOnly(history.home)
    gone: list[Path] = []
    with locked([_lock(history)]):
        for group in groups:
            if not group.sha256:
                continue
            check_owner(group.of.parent)
            for one in group.backups[1:]:
                step("pruning")
                if _holds(group.newest.path, group.sha256) and _holds(one.path, group.sha256):
                    remove_file(one.path, step=step)
                    gone.append(one.path)
    return tuple(gone)


def remove(history: History, backups: Sequence[Backup]) -> tuple[Path, ...]:
    """Remove these backups, the last of their content too; only `forget` does that. Answers what was removed.

    One that changed since it was listed is left alone. Raises ReadOnly, Busy, ForeignOwner, WriteFailed.
    """
    if history.read_only:
        raise ReadOnly(history.home)
    gone: list[Path] = []
    with locked([_lock(history)]):
        for one in backups:
            check_owner(one.path.parent)
            if _holds(one.path, one.sha256):
                remove_file(one.path)
                gone.append(one.path)
    return tuple(gone)


def _holds(path: Path, sha256: str) -> bool:
    try:
        data = read_bytes(path)
    except Unreadable:
        return False
    return data is not None and digest(data) == sha256


def _remembered(history: Past, path: Path) -> dict[str, str]:
    """The names that a workbench gave to backups of `path`, and what it wrote there."""
    with history.mutex:
        return dict(history.database.read("SELECT name, sha256 FROM backups WHERE path = ?", (history.name(path),)))


def _lock(history: Past) -> Path:
    return history.home / "workbench" / "backups"


def _written(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _natural(name: str) -> tuple[int, str]:
    """Of two backups of one second the one with the higher suffix is the newer."""
    suffix = name.rpartition("-")[2]
    return (-int(suffix) if suffix.isdigit() else 0), name
