"""Reading the history: change sets, versions, and what undo and redo would take."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import DamagedVersion, Forgotten, NothingTo, Usage
from workbench.files import digest
from workbench.history.database import Database
from workbench.history.records import ChangeSet, FileChange, Version
from workbench.history.statements import (
    FILES_BETWEEN,
    LATEST,
    NEWS,
    SELECT_CHANGE,
    VERSION_AT,
    change_set,
    is_forgotten,
)


class Past:
    """What has been. The methods may be called from several threads; `home` is the folder that paths are named by."""

    def __init__(self, home: Path, database: Database) -> None:
        self.home = home
        self._mutex = threading.RLock()
        self._database = database

    @property
    def database(self) -> Database:
        """The tables, for the other modules of this room."""
        return self._database

    @property
    def mutex(self) -> threading.RLock:
        """Held while tables are used, for the other modules of this room."""
        return self._mutex

    def latest(self, path: Path) -> FileChange | None:
        """The newest file change known of `path`; None when it was never seen."""
        with self._mutex:
            rows = self._database.read(LATEST, (self.name(path),))
            return FileChange(*rows[0]) if rows else None

    # -- reading ------------------------------------------------------------------------------------------------

    def name(self, path: Path) -> str:
        """How the history names a path: relative to the home, with forward slashes; absolute when outside it."""
        if path.is_relative_to(self.home):
            return path.relative_to(self.home).as_posix()
        return os.fsencode(path).decode("utf-8", "backslashreplace")

    def path(self, name: str) -> Path:
        """The absolute path behind a name of the history."""
        return self.home / name

    def changes(
        self, limit: int = 100, *, path: Path | None = None, before: int | None = None, everything: bool = False
    ) -> tuple[ChangeSet, ...]:
        """The newest change sets first, at most `limit`; only those that touch `path`, or older than `before`.

        The first sight of a waiting record or a skill's file is no news beside the decision that led to it: such a
        baseline is given only with `everything`, or when its `path` is asked for.
        """
        where = ["id < ?"]
        values: list[object] = [before if before is not None else sys.maxsize]
        if path is not None:
            where.append("id IN (SELECT change FROM files WHERE path = ?)")
            values.append(self.name(path))
        elif not everything:
            where.append(NEWS)
        with self._mutex:
            sql = f"{SELECT_CHANGE} WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?"
            rows = self._database.read(sql, (*values, limit))
            if not rows:
                return ()
            files: dict[int, list[FileChange]] = {}
            for number, *file in self._database.read(FILES_BETWEEN, (rows[-1][0], rows[0][0])):
                files.setdefault(number, []).append(FileChange(*file))
            return tuple(change_set(row, files.get(row[0], ())) for row in rows)

    def change(self, number: int) -> ChangeSet:
        """One change set. Raises Usage when there is none with this number."""
        with self._mutex:
            rows = self._database.read(f"{SELECT_CHANGE} WHERE id = ?", (number,))
            if not rows:
                raise Usage(f"There is no change {number}; `workbench history` lists them.")
            return self._with_files(rows[0])

    def _with_files(self, row: tuple[Any, ...]) -> ChangeSet:
        files = self._database.read(
            "SELECT path, before, after, state FROM files WHERE change = ? ORDER BY seq", (row[0],)
        )
        return change_set(row, [FileChange(*file) for file in files])

    def version_at(self, path: Path, number: int) -> str | None:
        """SHA-256 of what `path` held after change `number`; None when there was no file, or it was not seen yet."""
        with self._mutex:
            rows = self._database.read(VERSION_AT, (self.name(path), number))
            return None if not rows or rows[0][0] is None else str(rows[0][0])

    def bytes_of(self, sha256: str | None) -> bytes | None:
        """The exact bytes of a version; None for None.

        Raises Usage when the history does not hold it, DamagedVersion when its bytes are not what was recorded,
        Forgotten when its owner had it forgotten.
        """
        if sha256 is None:
            return None
        if is_forgotten(sha256):
            raise Forgotten(sha256)
        with self._mutex:
            rows = self._database.read("SELECT data FROM blobs WHERE sha256 = ?", (sha256,))
        if not rows:
            raise Usage(f"The history does not hold a version {sha256[:12]}.")
        data = rows[0][0]
        if not isinstance(data, bytes) or digest(data) != sha256:
            raise DamagedVersion(sha256)
        return data

    def versions(self, path: Path | None = None, prefix: str = "") -> tuple[Version, ...]:
        """Every distinct version, newest first; `prefix` is the beginning of its SHA-256."""
        sql = (
            "SELECT f.after, f.path, max(c.at), c.actor, b.size, max(c.id) FROM files f"
            " JOIN changes c ON c.id = f.change JOIN blobs b ON b.sha256 = f.after"
            " WHERE f.state != 'not' AND substr(f.after, 1, length(?)) = ?"
            + (" AND f.path = ?" if path is not None else "")
            + " GROUP BY f.after, f.path ORDER BY max(c.id) DESC"
        )
        values = (prefix, prefix) if path is None else (prefix, prefix, self.name(path))
        with self._mutex:
            return tuple(Version(*row) for row in self._database.read(sql, values))

    def rows_of(self, table: str, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query of a table that may not have been made yet; none then."""
        with self._mutex:
            if not self._database.read("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)):
                return []
            return self._database.read(sql, values)

    # -- undo order ---------------------------------------------------------------------------------------------

    def undo_target(self) -> ChangeSet:
        """The newest change set that has not been taken back, whoever made it. Raises NothingTo.

        One whose versions were forgotten can never be taken back; those before it still can.
        """
        undone = self.undone()
        for change in self._backwards():
            if change.kind not in ("edit", "restore", "outside") or change.id in undone or not change.landed:
                continue
            if not change.forgotten:
                return change
        raise NothingTo("undo")

    def redo_target(self) -> ChangeSet:
        """The change set taken back last, unless a newer edit ended redo. Raises NothingTo."""
        undone = self.undone()
        for change in self._backwards():
            if not change.landed:
                continue
            if change.kind in ("edit", "restore"):
                break
            if change.kind == "undo" and change.about in undone:
                about = self.change(change.about)
                if not about.forgotten:
                    return about
        raise NothingTo("redo")

    def undone(self) -> set[int]:
        """Ids of the change sets whose newest undo or redo is an undo."""
        with self._mutex:
            rows = self._database.read(
                "SELECT about, kind FROM changes c WHERE kind IN ('undo', 'redo') AND NOT EXISTS"
                " (SELECT 1 FROM files f WHERE f.change = c.id AND f.state = 'not') ORDER BY id"
            )
        latest: Mapping[int, str] = dict(rows)
        return {about for about, kind in latest.items() if kind == "undo"}

    def _backwards(self) -> Iterator[ChangeSet]:
        with self._mutex:
            rows = self._database.read(f"{SELECT_CHANGE} ORDER BY id DESC")
        return (self._with_files(row) for row in rows)
