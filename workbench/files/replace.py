"""Replacing a file so that a reader, a crash or a full disk only ever meets the old bytes or the new ones."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from workbench.errors import WriteFailed

Step = Callable[[str], None]
"""Called with the name of the point just reached; fault tests raise or kill from it."""

_TEMP = re.compile(r"\.mem_wb-(\d+)-(.+)-[^-]+\.tmp")


def no_step(point: str) -> None:
    """Reach a point without doing anything: the step callback outside of fault tests."""


def replace_file(path: Path, data: bytes, *, step: Step = no_step) -> None:
    """Atomically give `path` (no link; see `real_target`) the bytes `data`.

    Writes a temp file in the same folder, fsyncs it, replaces, fsyncs the folder. The mode and group of an existing
    file are kept, a new one gets 0600. Raises WriteFailed; the old bytes then still stand and the temp file is gone.
    Points: temp-created, temp-written, temp-synced, replaced, folder-synced.
    """
    temp: str | None = None
    try:
        handle, temp = tempfile.mkstemp(dir=path.parent, prefix=f".mem_wb-{os.getpid()}-{path.name}-", suffix=".tmp")
        with os.fdopen(handle, "wb") as out:
            step("temp-created")
            _copy_mode(path, temp)
            out.write(data)
            out.flush()
            step("temp-written")
            os.fsync(out.fileno())
        step("temp-synced")
        os.replace(temp, path)  # noqa: PTH105 - named like the system call it stands for
        temp = None
        step("replaced")
        sync_folder(path.parent)
        step("folder-synced")
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error
    finally:
        if temp is not None:
            with contextlib.suppress(OSError):
                os.unlink(temp)  # noqa: PTH108


def place_file(path: Path, data: bytes, *, step: Step = no_step) -> bool:
    """Make `path` with the bytes `data`, whole or not at all; False when the name is taken already.

    The file appears under its name when it is complete and on the disk; no other file is ever replaced. Mode 0600.
    Raises WriteFailed; nothing is left behind then. Points: temp-created, temp-written, temp-synced, placed,
    folder-synced.
    """
    temp: str | None = None
    try:
        handle, temp = tempfile.mkstemp(dir=path.parent, prefix=f".mem_wb-{os.getpid()}-{path.name}-", suffix=".tmp")
        with os.fdopen(handle, "wb") as out:
            step("temp-created")
            out.write(data)
            out.flush()
            step("temp-written")
            os.fsync(out.fileno())
        step("temp-synced")
        if not _take_name(temp, path):
            return False
        step("placed")
        sync_folder(path.parent)
        step("folder-synced")
        return True
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error
    finally:
        if temp is not None:
            with contextlib.suppress(OSError):
                os.unlink(temp)  # noqa: PTH108


def _take_name(temp: str, path: Path) -> bool:
    """Give a finished file its name, unless the name is taken."""
    try:
        os.link(temp, path)
    except FileExistsError:
        return False
    except OSError:
        # FAT, some network shares and containers know no hard links; the caller's lock keeps other workbenches out.
        if os.path.lexists(path):
            return False
        os.replace(temp, path)  # noqa: PTH105
    return True


def remove_file(path: Path, *, step: Step = no_step) -> None:
    """Remove `path` and fsync its folder; a file that is already gone is fine. Raises WriteFailed.

    Points: removed, folder-synced.
    """
    try:
        path.unlink(missing_ok=True)
        step("removed")
        sync_folder(path.parent)
        step("folder-synced")
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


def sweep(path: Path) -> tuple[Path, ...]:
    """Remove the temp files of dead workbench processes for `path`; call it while holding the file's lock.

    Only temp files made for this very file are touched, so a process of another machine that works on the other
    memory file in the same shared folder is never disturbed. Returns what was removed.
    """
    gone: list[Path] = []
    try:
        names = os.listdir(path.parent)  # noqa: PTH208 - only names are needed, on the path of every write
    except OSError:
        return ()
    for name in names:
        match = _TEMP.fullmatch(name)
        if match is None or not _made_for(match[2], path.name) or _alive(int(match[1])):
            continue
        leftover = path.parent / name
        with contextlib.suppress(OSError):
            leftover.unlink()
            gone.append(leftover)
    return tuple(gone)


def _made_for(name: str, wanted: str) -> bool:
    """Whether a temp file belongs to this file: to itself, or to a backup of it that was not finished."""
    return name == wanted or name.startswith(f"{wanted}.bak.")


def _copy_mode(path: Path, temp: str) -> None:
    try:
        info = path.stat()
    except FileNotFoundError:
        return  # mkstemp made it 0600, which is what the client gives a new memory file
    os.chmod(temp, stat.S_IMODE(info.st_mode))  # noqa: PTH101
    if hasattr(os, "chown") and info.st_gid != os.getegid():
        # Only a member of the group may keep it; losing it is better than refusing the write.
        with contextlib.suppress(PermissionError):
            os.chown(temp, -1, info.st_gid)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; does nothing on Windows. Raises OSError."""
    if os.name == "nt":  # folders cannot be opened there; NTFS journals the rename itself
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return True
    if os.name == "nt":
        return True  # os.kill(pid, 0) would end the process there; leftovers wait for a POSIX start
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
