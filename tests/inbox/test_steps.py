"""An approval that is killed, or runs out of disk, at every single step; and two that meet."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TESTS
from tests.inbox.support import SKILL, add, batch, only, opened, put_skill, queue, skill
from workbench.errors import WorkbenchError, WriteFailed
from workbench.inbox import Decided, Inbox


def decide(home: Path, what: str, step: Callable[[str], None] = lambda point: None) -> None:
    workspace = opened(home, step=step)
    inbox = workspace.inbox
    if what == "refuse":
        inbox.refuse(only(inbox).record, reason="no")
    elif what == "part":
        inbox.accept(only(inbox), numbers=[1])
    elif what == "undo":
        workspace.undo()
    else:
        inbox.accept(only(inbox))
    workspace.close()


@pytest.fixture(params=["accept", "refuse", "part", "skill", "undo"])
def scene(request: pytest.FixtureRequest, home: Path, put: Callable[..., Path]) -> tuple[Path, str]:
    put(b"alpha \n\xc2\xa7\nbeta")
    if request.param == "skill":
        path = put_skill(home)
        (path.parent / "assets").mkdir()
        (path.parent / "assets" / "a").write_text("a")
        queue(home, "aaaa1111", skill("delete"), subsystem="skills")
    elif request.param == "part":
        queue(home, "aaaa1111", batch({"action": "add", "content": "one"}, {"action": "add", "content": "two"}))
    else:
        queue(home, "aaaa1111", add("gamma"))
    if request.param == "undo":
        decide(home, "accept")
    return home, request.param


def files(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and "workbench" not in path.parts and not path.name.endswith(".lock")
    }


def steps_of(home: Path, what: str, tmp_path: Path) -> tuple[list[str], dict[str, bytes]]:
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    seen: list[str] = []
    decide(copy, what, seen.append)
    return seen, files(copy)


def kill_at(home: Path, what: str, number: int) -> int:
    child = os.fork()
    if child == 0:
        reached = 0

        def step(point: str) -> None:
            nonlocal reached
            if reached == number:
                os._exit(9)
            reached += 1

        try:
            decide(home, what, step)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def without_temps(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in found.items() if not name.endswith(".tmp")}


def test_killed_at_every_step(scene: tuple[Path, str], tmp_path: Path) -> None:
    """Afterwards each file is old or new; the next start settles all of them together, and the claim is no bar."""
    home, what = scene
    before = files(home)
    names, after = steps_of(home, what, tmp_path)
    assert before != after
    finished = 0
    for number, name in enumerate(names):
        copy = tmp_path / f"killed-{number}"
        shutil.copytree(home, copy)
        assert kill_at(copy, what, number) == 9, name
        now = without_temps(files(copy))
        for path in before.keys() | after.keys():
            assert now.get(path) in (before.get(path), after.get(path)), (name, path)
        workspace = opened(copy)
        workspace.history.recover()
        settled = without_temps(files(copy))
        assert settled in (before, after), (name, "all files or none")
        if now not in (before, after):
            finished += 1
            assert any("was finished" in notice for notice in workspace.notices), name
        if settled == before and what != "undo":
            workspace.close()
            decide(copy, what)
            assert without_temps(files(copy)) == after, (name, "the dead one's claim is taken over")
            workspace = opened(copy)
        if what != "undo":
            workspace.undo()
            assert without_temps(files(copy)) == before, (name, "and everything comes back")
        assert workspace.history.claims() == ()
        workspace.close()
    assert finished or what == "refuse", "some step lay between two files"


def test_disk_full_at_every_step(scene: tuple[Path, str], tmp_path: Path) -> None:
    home, what = scene
    before = files(home)
    names, after = steps_of(home, what, tmp_path)
    for number, name in enumerate(names):
        if name in ("read", "recorded", "file-done"):
            continue
        copy = tmp_path / f"full-{number}"
        shutil.copytree(home, copy)
        reached = 0

        def step(point: str, fail_at: int = number) -> None:
            nonlocal reached
            reached += 1
            if reached == fail_at + 1:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with pytest.raises(WriteFailed, match="No space left"):
            decide(copy, what, step)
        assert files(copy).keys() <= before.keys() | after.keys(), (name, "no temp file stays")
        opened(copy).history.recover()
        assert files(copy) in (before, after), name


RACER = """
import sys
from pathlib import Path
from tests.inbox.support import opened, only
from workbench.errors import WorkbenchError
workspace = opened(Path(sys.argv[1]))
workspace.history
seen = only(workspace.inbox)
print("ready", flush=True)
sys.stdin.readline()
try:
    workspace.inbox.accept(seen)
    print("applied", flush=True)
except WorkbenchError as error:
    print(error.kind, flush=True)
"""


def test_two_processes_approve_the_same_record(home: Path, put: Callable[..., Path]) -> None:
    """One applies it, the other is told; a batch that adds twice what it adds would show a second application."""
    path = put(["alpha"])
    for number in range(5):
        queue(home, "aaaa1111", add(f"fact {number}"))
        racers = [
            subprocess.Popen(
                [sys.executable, "-c", RACER, str(home)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=TESTS.parent,
            )
            for _ in range(2)
        ]
        for racer in racers:
            assert racer.stdout is not None
            assert racer.stdout.readline() == "ready\n"
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write("go\n")
            racer.stdin.flush()
        said = sorted(racer.communicate()[0].strip() for racer in racers)
        assert said == ["applied", "conflict"]
    assert path.read_text() == "\n§\n".join(["alpha", *(f"fact {number}" for number in range(5))])
    workspace = opened(home)
    approvals = [one for one in workspace.history.changes() if one.label.startswith("approve")]
    assert len(approvals) == 5
    assert workspace.history.claims() == ()
    workspace.close()


def claim(inbox_home: Path, pid: int, at: float) -> Inbox:
    """A workspace whose record is claimed by another process."""
    workspace = opened(inbox_home, clock=lambda: at)
    record = only(workspace.inbox).record
    assert workspace.history.claim(record.path, record.sha256, pid)
    return workspace.inbox


def test_a_living_claim_is_respected_and_a_dead_or_old_one_taken_over(home: Path) -> None:
    file = queue(home, "aaaa1111", add("x"))
    inbox = claim(home, os.getppid(), 1000.0)
    with pytest.raises(Decided, match="another workbench"):
        inbox.accept(only(inbox))
    later = opened(home, clock=lambda: 1061.0)
    later.inbox.accept(only(later.inbox))
    assert not file.exists()
    later.undo()
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    dead = claim(home, child.pid, 2000.0)
    dead.accept(only(dead))
    assert not file.exists()


def test_a_failed_approval_gives_its_claim_back(home: Path, put: Callable[..., Path]) -> None:
    put(["x" * 2200])
    queue(home, "aaaa1111", add("y"))
    workspace = opened(home)
    with pytest.raises(WorkbenchError):
        workspace.inbox.accept(only(workspace.inbox))
    assert workspace.history.claims() == ()
    workspace.close()


def test_locks_of_a_commit(home: Path, put: Callable[..., Path]) -> None:
    """Memory files lock beside themselves as the client does; everything else shares one lock of ours."""
    from workbench.history.guards import guards

    memory, user = put(["a"]), put(["b"], "user")
    record, skills = home / "pending" / "memory" / "a.json", home / "skills" / "x" / "SKILL.md"
    shared = home / "workbench" / "agent-files"
    assert guards(home, [memory, user]) == (memory, user)
    assert guards(home, [record, user, skills]) == (user, shared)
    assert guards(home, [home / "config.yaml"]) == (shared,)


def test_skills_survive_their_folder(home: Path) -> None:
    """A deletion undone, then repeated, by somebody who counts the folders."""
    put_skill(home, category="ops")
    queue(home, "aaaa1111", skill("delete"), subsystem="skills")
    decide(home, "accept")
    assert not (home / "skills" / "ops").exists()
    assert (home / "skills").is_dir()
    decide(home, "undo")
    assert (home / "skills" / "ops" / "demo" / "SKILL.md").read_text() == SKILL
