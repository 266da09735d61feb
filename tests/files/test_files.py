"""Locking, replacing, links and owners."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.errors import Busy, ForeignOwner, OutsideLink, Unreadable, WriteFailed
from workbench.files import (
    check_owner,
    is_network_folder,
    is_silent_folder,
    locked,
    read_bytes,
    real_target,
    replace_file,
    sweep,
)


def test_the_mode_of_an_existing_file_is_kept_and_a_new_one_is_private(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    replace_file(path, b"one")
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o664)
    replace_file(path, b"two")
    assert path.stat().st_mode & 0o777 == 0o664
    assert path.read_bytes() == b"two"


def test_a_link_is_written_through_also_a_dangling_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "real").mkdir()
    link = home / "MEMORY.md"
    link.symlink_to(home / "real" / "MEMORY.md")
    assert read_bytes(link) is None
    replace_file(real_target(link, home), b"one")
    assert link.is_symlink()
    assert (home / "real" / "MEMORY.md").read_bytes() == b"one"


def test_links_that_lead_nowhere_safe_are_refused(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    link = home / "MEMORY.md"
    link.symlink_to(outside / "MEMORY.md")
    with pytest.raises(OutsideLink):
        real_target(link, home)
    with pytest.raises(WriteFailed, match="does not exist"):
        real_target(link, home, frozenset({str(outside / "MEMORY.md")}))
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(WriteFailed, match="loop"):
        real_target(link, home)


def test_a_linked_memories_folder_counts_as_leading_out(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (home / "memories").symlink_to(outside)
    with pytest.raises(OutsideLink):
        real_target(home / "memories" / "MEMORY.md", home)


def test_unreadable_is_never_missing(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read_bytes(tmp_path)
    assert read_bytes(tmp_path / "nothing") is None


def test_leftovers_of_dead_processes_are_removed_and_only_theirs(tmp_path: Path) -> None:
    dead = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    pid = int(dead.stdout)
    names = [f".mem_wb-{pid}-MEMORY.md-ab_12.tmp", f".mem_wb-{pid}-USER.md-ab_12.tmp", ".mem_x1.tmp"]
    names.append(f".mem_wb-{os.getpid()}-MEMORY.md-zz.tmp")
    for name in names:
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in sweep(tmp_path / "MEMORY.md")] == names[:1]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


def test_a_held_lock_is_busy_and_the_lock_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    script = (
        "import fcntl, sys\n"
        f"f = open({str(path) + '.lock'!r}, 'a+')\n"
        "fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        inode = os.stat(f"{path}.lock").st_ino
        with pytest.raises(Busy), locked([path], timeout=0.05):
            raise AssertionError("two holders")
        holder.communicate(b"")
    with locked([path], timeout=1):
        assert os.stat(f"{path}.lock").st_ino == inode
    assert os.stat(f"{path}.lock").st_ino == inode, "an unlinked lock file would let two writers in"


def test_another_owners_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_owner(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(ForeignOwner):
        check_owner(tmp_path)


def test_network_folders_are_known_by_their_mount(tmp_path: Path) -> None:
    table = tmp_path / "mounts"
    table.write_text(f"/dev/vda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n")
    assert is_network_folder(tmp_path / "home", table)
    assert not is_network_folder(Path("/usr"), table)
    assert not is_network_folder(tmp_path, tmp_path / "no such table")


def test_shares_that_tell_nothing_are_known_by_the_table_of_mounts(tmp_path: Path) -> None:
    table = tmp_path / "mounts"
    root = tmp_path.resolve()
    table.write_text(f"/dev/sda / ext4 rw 0 0\nhost {root}/share vboxsf rw 0 0\nx {root}/net\\040work nfs4 rw 0 0\n")
    assert not is_silent_folder(tmp_path, table)
    assert is_silent_folder(tmp_path / "share" / "home", table)
    assert is_silent_folder(tmp_path / "net work", table)
    assert is_network_folder(tmp_path / "net work", table)
    assert not is_network_folder(tmp_path / "share", table), "a host's folder has locks that work"
    assert not is_silent_folder(tmp_path, tmp_path / "none")
