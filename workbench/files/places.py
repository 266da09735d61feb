"""Where a path really leads, and whether we may write there."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.errors import ForeignOwner, OutsideLink, WriteFailed

# File systems on which SQLite's WAL (shared memory) and inotify do not work between machines.
_NETWORK_TYPES = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs"})

# Where a change made on another machine, or by the host of a virtual one, makes no event here.
_SILENT_TYPES = _NETWORK_TYPES | {
    "vboxsf", "prl_fs", "virtiofs", "drvfs", "fuse.vmhgfs-fuse", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse",
    "fuse.glusterfs", "fuse.davfs", "davfs", "ncpfs", "ocfs2", "lustre", "beegfs", "smb2", "acfs", "fuse.osxfs",
    "fuse.grpcfuse", "fakeowner",
}  # fmt: skip


def real_target(path: Path, home: Path, allowed: frozenset[str] = frozenset()) -> Path:
    """Follow links from `path` (dangling ones too) to the file a write would replace.

    Raises OutsideLink when that file lies outside `home` and is not in `allowed` (absolute paths that the owner
    agreed to), WriteFailed when the links form a loop or lead into a folder that does not exist.
    """
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise WriteFailed(path, "its links form a loop", "Repair the link; nothing was written.")
    inside = Path(os.path.realpath(home))
    if not real.is_relative_to(inside) and str(real) not in allowed:
        raise OutsideLink(path, real)
    if path.is_symlink() and not real.parent.is_dir():
        raise WriteFailed(path, f"it links into {real.parent}, which does not exist", "Repair the link first.")
    return real


def check_owner(folder: Path) -> None:
    """Raise ForeignOwner when `folder` belongs to another user; does nothing where users do not exist (Windows)."""
    if not hasattr(os, "geteuid"):
        return
    owner = folder.stat().st_uid
    if owner != os.geteuid():
        raise ForeignOwner(folder, owner)


def is_network_folder(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> bool:
    """Say whether `folder` lies on a network file system; False where the system does not tell (not Linux)."""
    return _kind_of(folder, mounts) in _NETWORK_TYPES


def is_silent_folder(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> bool:
    """Say whether changes below `folder` may come without an event, so that only looking again finds them.

    True for network file systems and folders shared with a host; False where the system does not tell (not Linux).
    """
    return _kind_of(folder, mounts) in _SILENT_TYPES


def _kind_of(folder: Path, mounts: Path) -> str:
    """The type of the file system that `folder` lies on, by the table of mounts; "" when it cannot be told."""
    try:
        table = mounts.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    real = os.path.realpath(folder)
    best, kind = "", ""
    for line in table.splitlines():
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = parts[1].replace("\\040", " ")
        if (real == point or real.startswith(point.rstrip("/") + "/")) and len(point) >= len(best):
            best, kind = point, parts[2]
    return kind
