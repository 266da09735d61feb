"""A write that is killed, or runs out of disk, at every single step of it."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.errors import ForeignOwner, HistoryUnavailable, WorkbenchError, WriteFailed
from workbench.files import digest
from workbench.history import History
from workbench.home import HomeChoice
from workbench.memory import Add, Exact, Move, Normalise, Operation, Remove
from workbench.workspace import Workspace

MEMORY, USER = "one\n§\ntwo \n", "tea"
WRITES: dict[str, Operation | str] = {
    "add": Add("memory", "three"),
    "remove": Remove("memory", Exact("two")),
    "normalise": Normalise("memory"),
    "move": Move("memory", Exact("two"), "user"),
    "undo": "undo",
}


def run(workspace: Workspace, write: Operation | str) -> None:
    if isinstance(write, str):
        workspace.undo()
    else:
        workspace.write(write)


def opened(home: Path, step: Callable[[str], None] = lambda point: None) -> Workspace:
    return Workspace.open(HomeChoice(home, home, "default", "a test"), step=step)


@pytest.fixture(params=WRITES, ids=list(WRITES))
def scene(request: pytest.FixtureRequest, home: Path, put: Callable[..., Path]) -> tuple[Path, Operation | str]:
    put(MEMORY)
    put(USER, "user")
    if request.param == "undo":
        workspace = opened(home)
        workspace.write(Move("memory", Exact("two"), "user"))
        workspace.close()
    return home, WRITES[request.param]


def points(home: Path, write: Operation | str, tmp_path: Path) -> list[str]:
    """The steps of a write, taken on a copy of the home."""
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    seen: list[str] = []
    workspace = opened(copy, seen.append)
    run(workspace, write)
    workspace.close()
    return seen


def pair(home: Path) -> tuple[bytes, bytes]:
    return (home / "memories" / "MEMORY.md").read_bytes(), (home / "memories" / "USER.md").read_bytes()


def leftovers(home: Path) -> list[str]:
    return [path.name for path in (home / "memories").iterdir() if path.name.endswith(".tmp")]


def finished(home: Path, write: Operation | str, tmp_path: Path) -> tuple[bytes, bytes]:
    return pair(tmp_path / "copy")


def kill_at(home: Path, write: Operation | str, number: int) -> int:
    """Run the write in a child process that dies, without any clean-up, when it reaches step `number`."""
    child = os.fork()
    if child == 0:
        reached = 0

        def step(point: str) -> None:
            nonlocal reached
            if reached == number:
                os._exit(9)
            reached += 1

        try:
            run(opened(home, step), write)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_afterwards(home: Path, before: tuple[bytes, bytes], after: tuple[bytes, bytes], *, recorded: bool) -> None:
    """Whatever happened: whole files, nothing missing, and the next start settles it."""
    now = pair(home)
    for index in (0, 1):
        assert now[index] in (before[index], after[index]), "a file is old or new, never anything else"
    if recorded:
        with_history = History(home, read_only=True)
        known = {version.sha256 for version in with_history.versions()} | {
            sha
            for change in with_history.changes()
            for file in change.files
            for sha in (file.before, file.after)
            if sha
        }
        with_history.close()
        for old, new, there in zip(before, after, now, strict=True):
            if old != new:
                assert digest(old) in known or there == old
                assert digest(new) in known
    workspace = opened(home)
    workspace.history.recover()
    settled = pair(home)
    assert settled in (before, after), "both files or none"
    workspace.write(Add("memory", "written after the crash"))
    assert b"written after the crash" in pair(home)[0]
    assert leftovers(home) == []
    workspace.undo()
    assert workspace.documents()["memory"].texts == tuple(dict.fromkeys(workspace.documents()["memory"].texts))
    workspace.close()


def test_killed_at_every_step(scene: tuple[Path, Operation | str], tmp_path: Path) -> None:
    home, write = scene
    names = points(home, write, tmp_path)
    before, after = pair(home), finished(home, write, tmp_path)
    assert before != after
    for number, name in enumerate(names):
        copy = tmp_path / f"killed-{number}"
        shutil.copytree(home, copy)
        assert kill_at(copy, write, number) == 9, name
        check_afterwards(copy, before, after, recorded=names.index("recorded") <= number)


def test_disk_full_at_every_step(scene: tuple[Path, Operation | str], tmp_path: Path) -> None:
    home, write = scene
    names = points(home, write, tmp_path)
    before, after = pair(home), finished(home, write, tmp_path)
    for number, name in enumerate(names):
        if name in ("read", "recorded", "file-done"):
            continue  # no system call of ours lies there; the database's own are in the next test
        copy = tmp_path / f"full-{number}"
        shutil.copytree(home, copy)
        reached = 0

        def step(point: str, fail_at: int = number) -> None:
            nonlocal reached
            reached += 1
            if reached == fail_at + 1:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        workspace = opened(copy, step)
        with pytest.raises(WriteFailed, match="No space left"):
            run(workspace, write)
        workspace.close()
        assert leftovers(copy) == [], name
        check_afterwards(copy, before, after, recorded=True)


def test_nothing_recorded_nothing_written(home: Path, put: Callable[..., Path]) -> None:
    """The history's disk is full: the memory file is not touched."""
    path = put(MEMORY)
    (home / "config.yaml").write_text("memory: {memory_char_limit: 400000}")
    workspace = opened(home)
    workspace.observe()
    ((pages,),) = workspace.history._database.read("PRAGMA page_count")
    workspace.history._database.read(f"PRAGMA max_page_count={pages}")
    with pytest.raises(HistoryUnavailable, match="full"):
        workspace.write(Add("memory", "x" * 100_000))
    assert path.read_text() == MEMORY
    workspace.close()


def test_a_cut_off_move_is_finished_by_the_next_start(home: Path, put: Callable[..., Path]) -> None:
    memory, user = put(MEMORY), put(USER, "user")
    names = points(home, WRITES["move"], home.parent)
    assert kill_at(home, WRITES["move"], names.index("file-done")) == 9
    assert (memory.read_text(), user.read_text()) == (MEMORY, "tea\n§\ntwo"), "destination first: twice, not nowhere"
    workspace = opened(home)
    workspace.history.changes()
    assert (memory.read_text(), user.read_text()) == ("one", "tea\n§\ntwo")
    assert "finished" in workspace.notices[0]
    workspace.undo()
    assert (memory.read_text(), user.read_text()) == (MEMORY, USER)
    workspace.close()


def test_a_cut_off_move_whose_source_moved_on_is_left_and_said(home: Path, put: Callable[..., Path]) -> None:
    memory, user = put(MEMORY), put(USER, "user")
    names = points(home, WRITES["move"], home.parent)
    assert kill_at(home, WRITES["move"], names.index("file-done")) == 9
    memory.write_text("one\n§\ntwo\n§\nby the agent")
    workspace = opened(home)
    workspace.history.changes()
    assert user.read_text() == "tea\n§\ntwo", "taking it out here could take the last copy"
    assert "by the agent" in memory.read_text()
    assert "half way" in workspace.notices[0]
    workspace.close()


def test_the_last_copy_survives_a_cut_off_move(home: Path, put: Callable[..., Path]) -> None:
    """Another workbench, open since before the crash, takes the doubled entry out of the source."""
    memory, user = put(MEMORY), put(USER, "user")
    names = points(home, WRITES["move"], home.parent)
    other = opened(home)
    other.write(Add("memory", "by the other"))
    assert kill_at(home, WRITES["move"], names.index("file-done")) == 9
    other.write(Add("memory", "again"))
    other.close()
    workspace = opened(home)
    workspace.history.changes()
    assert "two" in memory.read_text() + user.read_text()
    assert (memory.read_text() + user.read_text()).count("two") == 1, "finished before the other wrote on"
    workspace.close()


def test_a_change_that_cannot_be_settled_does_not_block_the_rest(home: Path, put: Callable[..., Path]) -> None:
    path = put(MEMORY)
    names = points(home, WRITES["add"], home.parent)
    assert kill_at(home, WRITES["add"], names.index("recorded")) == 9
    path.unlink()
    path.mkdir()
    workspace = opened(home)
    workspace.write(Add("user", "jam"))
    assert "cannot be settled yet" in workspace.notices[0]
    workspace.close()


def as_nobody(home: Path, act: Callable[[], None]) -> str:
    """Run `act` as an unprivileged user in a child process; returns the error it ends with, as a sentence."""
    import filelock  # noqa: F401 - loaded before the child loses the right to read it

    for path in (home, *home.rglob("*")):
        os.chown(path, 65534, 65534)
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            act()
        except WorkbenchError as error:
            os.write(into, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(into)
    os.waitpid(child, 0)
    with os.fdopen(out, "rb") as pipe:
        return pipe.read().decode()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A home that another user can reach; pytest's own folders are private to root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "memories").mkdir()
        (folder / "memories" / "MEMORY.md").write_text(MEMORY)
        yield folder


def test_a_read_only_home_is_a_sentence(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    said = as_nobody(open_folder, lambda: run(opened(open_folder), Add("memory", "x")))
    assert said.startswith("HistoryUnavailable: ")
    assert "nothing was written" in said
    assert (open_folder / "memories" / "MEMORY.md").read_text() == MEMORY


def test_a_read_only_memories_folder_is_a_sentence(open_folder: Path) -> None:
    (open_folder / "memories").chmod(0o555)
    said = as_nobody(open_folder, lambda: run(opened(open_folder), Add("memory", "x")))
    assert said.startswith("WriteFailed: ")
    assert "Permission denied" in said
    assert (open_folder / "memories" / "MEMORY.md").read_text() == MEMORY


def test_a_file_without_permission_is_unreadable_not_empty(open_folder: Path) -> None:
    path = open_folder / "memories" / "MEMORY.md"
    path.chmod(0o000)

    def act() -> None:
        assert opened(open_folder).documents()["memory"].state == "unreadable"
        run(opened(open_folder), Add("memory", "x"))

    assert as_nobody(open_folder, act).startswith("Unreadable: ")
    assert path.read_text() == MEMORY


def test_another_owners_folder_is_refused(open_folder: Path) -> None:
    memories = open_folder / "memories"
    workspace = opened(open_folder)
    os.chown(memories, 65534, 65534)
    with pytest.raises(ForeignOwner):
        workspace.write(Add("memory", "x"))
    workspace.close()
    assert (memories / "MEMORY.md").read_text() == MEMORY


def test_a_vanished_home_is_a_sentence(home: Path, put: Callable[..., Path]) -> None:
    put(MEMORY)
    workspace = opened(home)
    shutil.rmtree(home)
    assert {document.state for document in workspace.documents().values()} == {"missing"}
    with pytest.raises(HistoryUnavailable, match="nothing was written"):
        workspace.write(Add("memory", "x"))
    assert not home.exists(), "nothing is made where a home used to be"


def test_a_home_that_vanishes_under_an_open_history(home: Path, put: Callable[..., Path]) -> None:
    put(MEMORY)
    workspace = opened(home)
    workspace.write(Add("memory", "three"))
    shutil.rmtree(home)
    with pytest.raises(WorkbenchError, match="nothing was written"):
        workspace.write(Add("memory", "x"))
    workspace.close()
    assert not (home / "memories").exists()
