"""Records that real clients wrote, and what a later look at them finds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import TESTS
from tests.inbox.support import SKILL, add, only, opened, put_skill, queue, remove, swap
from tests.snapshots import tree
from workbench.errors import Conflict, Unreadable
from workbench.inbox.skills import SkillRefused, changes, read_skills
from workbench.memory import Add

MEMORY = [
    "Project ~/code/ledger is a Rust 1.83 workspace: axum + sqlx, tests run with `make test`, CI is GitHub Actions",
    "Staging host 10.0.1.50 listens for SSH on port 2222, not 22",
    "本机运行 Debian 12，PostgreSQL 16，用 Podman 代替 Docker",
    "Deploys:\n1. tag vX.Y.Z\n2. wait for CI\n3. `./deploy.sh staging` then prod",
]
PROD = "Prod database is postgres 16 on host db-prod-1, read replica db-prod-2"
PODMAN = "Docker runs rootless through Podman; never use sudo with it"
AFTER = [MEMORY[0], "Staging host 10.0.1.50 listens for SSH on port 2200 since the move", *MEMORY[2:], PROD, PODMAN]
USER = [
    "Name: Robin Vale; timezone Europe/Lisbon; staff backend engineer",
    "Prefers short answers with the command first, no emoji",
    "Reads messages only after 15:00",
]


@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
def test_the_records_of_a_client_become_these_bytes(version: str, unpack: Callable[[str], Path]) -> None:
    home = unpack(version)
    before = tree(home)
    workspace = opened(home)
    assert {one.status for one in workspace.inbox.previews()} == {"ready"}
    assert tree(home) == before
    assert all(step.would for step in workspace.inbox.accept_all())
    assert (home / "memories" / "MEMORY.md").read_text("utf-8") == "\n§\n".join(AFTER)
    assert (home / "memories" / "USER.md").read_text("utf-8") == "\n§\n".join(USER)
    assert (home / "skills" / "deploy-ledger" / "SKILL.md").exists()
    assert workspace.inbox.queue().total == 0
    for _ in range(6):
        assert workspace.undo().exact
    now = {name: state[2] for name, state in tree(home, without=("workbench",)).items() if not name.endswith(".lock")}
    assert now == {name: state[2] for name, state in before.items() if not name.endswith(".lock")}
    workspace.close()


def test_an_approval_is_taken_back_although_the_memory_moved_on(home: Path, put: Callable[..., Path]) -> None:
    path = put(["alpha"])
    file = queue(home, "aaaa1111", add("beta"))
    record = file.read_bytes()
    workspace = opened(home)
    done = workspace.inbox.accept(only(workspace.inbox))
    workspace.write(Add("memory", "gamma"))
    taken = workspace.undo(done.change)
    assert not taken.exact
    assert (path.read_text(), file.read_bytes()) == ("alpha\n§\ngamma", record)
    workspace.close()


def test_the_client_has_applied_it_and_not_yet_removed_its_file(home: Path, put: Callable[..., Path]) -> None:
    """The client takes no claim; whatever it did to the entry, nothing happens twice."""
    path = put(["alpha", "beta b"])
    queue(home, "00000001", add("gamma"))
    queue(home, "00000002", swap("beta b", "beta b c"))
    queue(home, "00000003", remove("alpha"))
    workspace = opened(home)
    previews = workspace.inbox.previews()
    put(["beta b c", "gamma"])
    workspace.inbox.accept(previews[0])
    for one in previews[1:]:
        with pytest.raises(Conflict):
            workspace.inbox.accept(one)
    assert path.read_text() == "beta b c\n§\ngamma"
    workspace.close()


def test_what_was_read_before_is_not_read_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only new and changed files are opened, and a change of the memory is a new look at every record."""
    import os

    from workbench.inbox import records

    opened_files: list[str] = []
    read = records._read

    def spy(where: str, name: str, folders: records._Folders, size: int | None = None) -> bytes:
        opened_files.append(Path(where).stem)
        return read(where, name, folders, size)

    monkeypatch.setattr(records, "_read", spy)
    for name in ("aaaa1111", "bbbb2222"):
        os.utime(queue(home, name, add(name)), (1000, 1000))
    inbox = opened(home).inbox
    first = inbox.previews()
    assert inbox.previews()[0] is first[0]
    assert opened_files == ["aaaa1111", "bbbb2222"]
    os.utime(queue(home, "bbbb2222", add("changed")), (1000, 1000))
    assert {one.after for one in inbox.previews()} == {"aaaa1111", "changed"}
    assert opened_files == ["aaaa1111", "bbbb2222", "bbbb2222"]
    (home / "memories" / "MEMORY.md").write_text("aaaa1111")
    assert [one.status for one in inbox.previews()] == ["duplicate", "ready"]
    assert len(opened_files) == 3
    (home / "pending" / "memory" / "aaaa1111.json").unlink()
    assert only(inbox).record.id == "bbbb2222"


def test_listing_starts_light(home: Path) -> None:
    queue(home, "aaaa1111", add("x"))
    script = (
        "import sys, json\nfrom workbench.__main__ import main\n"
        f"main(['--home', {str(home)!r}, 'pending', 'list'])\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=TESTS.parent)
    loaded = {name.partition(".")[0] for name in json.loads(ran.stderr.splitlines()[-1])}
    assert loaded.isdisjoint({"textual", "rich", "watchdog", "filelock", "yaml"})


PIECES = st.sampled_from(
    [
        "..",
        ".",
        "/",
        "\\",
        "references",
        "assets",
        "SKILL.md",
        "demo",
        "x",
        "",
        "C:",
        "~",
        "\x00",
        "é",
        "\n",
        "//",
        "inner",
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    action=st.sampled_from(["create", "edit", "patch", "write_file", "remove_file", "delete"]),
    name=st.just("demo") | st.lists(PIECES, max_size=4).map("".join),
    path=st.none() | st.lists(PIECES, max_size=6).map("".join) | st.lists(PIECES, max_size=6).map("/".join),
    category=st.none() | st.lists(PIECES, max_size=4).map("".join),
)
def test_no_skill_leads_out_of_its_folder(
    tmp_path_factory: pytest.TempPathFactory, action: str, name: str, path: str | None, category: str | None
) -> None:
    root = tmp_path_factory.getbasetemp() / "paths"
    if not root.exists():
        put_skill(root)
    payload = {
        "action": action,
        "name": name,
        "file_path": path,
        "category": category,
        "content": SKILL,
        "file_content": "x",
        "old_string": "one",
        "new_string": "1",
    }
    try:
        found = changes(payload, read_skills(root), lambda file: file.read_bytes() if file.is_file() else None)
    except (SkillRefused, Unreadable):
        return
    for file in found:
        below = file.relative_to(root / "skills").parts
        assert ".." not in below
        assert len(below) >= 2
