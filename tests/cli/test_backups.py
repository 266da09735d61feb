"""`workbench backups`, as a script would call it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.snapshots import tree


@pytest.fixture
def scene(put: Callable[..., Path]) -> Path:
    path = put(["one", "two"])
    for at, data in ((1_790_000_000, b"one"), (1_790_000_100, b"one"), (1_790_000_200, b"caf\xe9")):
        path.with_name(f"MEMORY.md.bak.{at}").write_bytes(data)
    return path


def test_list_groups_by_content_and_changes_nothing(run: Callable[..., Ran], scene: Path, home: Path) -> None:
    (home / "state-snapshots").mkdir()
    before = tree(home)
    listed = run("--read-only", "backups", "list", "--json").json
    assert [(group["copies"], group["state"]) for group in listed["groups"]] == [(1, "unreadable"), (2, "ok")]
    assert [one["name"] for one in listed["groups"][1]["backups"]] == [
        "MEMORY.md.bak.1790000100", "MEMORY.md.bak.1790000000",
    ]  # fmt: skip
    assert listed["groups"][1]["difference"] == "−1"
    assert "leave memories/ out" in listed["note"]
    assert "×2 identical" in run("--read-only", "backups", "list").out
    assert run("--read-only", "backups", "list", "user", "--json").json["groups"] == []
    assert tree(home) == before


def test_prune_keeps_one_of_each_content(run: Callable[..., Ran], scene: Path) -> None:
    dry = run("backups", "prune", "--dry-run", "--json").json
    assert (dry["removed"], dry["kept"]) == (["MEMORY.md.bak.1790000000"], 2)
    assert scene.with_name("MEMORY.md.bak.1790000000").exists()
    assert run("backups", "prune").code == 0
    assert [name for name in sorted(os.listdir(scene.parent)) if ".bak" in name] == [
        "MEMORY.md.bak.1790000100", "MEMORY.md.bak.1790000200",
    ]  # fmt: skip
    assert run("backups", "prune").out.startswith("nothing to remove")


def test_diff_against_now_and_against_each_other(run: Callable[..., Ran], scene: Path) -> None:
    now = run("backups", "diff", "MEMORY.md.bak.1790000000", "--json").json
    assert (now["identical"], now["summary"]) == (False, "+1")
    same = run("backups", "diff", "MEMORY.md.bak.1790000000", "MEMORY.md.bak.1790000100", "--json").json
    assert (same["identical"], same["entries"]) == (True, [])
    unreadable = run("backups", "diff", "MEMORY.md.bak.1790000200", "--json")
    assert (unreadable.code, unreadable.json["kind"]) == (1, "unreadable")
    assert run("backups", "diff", "MEMORY.md.bak.9").code == 2


def test_restore_gives_the_exact_bytes_and_can_be_taken_back(run: Callable[..., Ran], scene: Path) -> None:
    before = scene.read_bytes()
    dry = run("backups", "restore", "MEMORY.md.bak.1790000000", "--dry-run")
    assert "− two" in dry.out
    assert scene.read_bytes() == before
    for name, data in (("MEMORY.md.bak.1790000000", b"one"), ("MEMORY.md.bak.1790000200", b"caf\xe9")):
        done = run("backups", "restore", name, "--json")
        assert done.code == 0, done.err
        assert scene.read_bytes() == data
    assert run("backups", "restore", "MEMORY.md.bak.1790000200", "--json").json["change"] is None
    assert run("undo").code == 0
    assert run("undo").code == 0
    assert scene.read_bytes() == before


def test_an_outside_change_is_backed_up_by_the_next_verb(run: Callable[..., Ran], scene: Path) -> None:
    run("memory", "add", "memory", "three")
    stood = scene.read_bytes()
    scene.write_bytes(b"clobbered\n")
    run("history")
    ours = [group for group in run("backups", "list", "--json").json["groups"] if group["backups"][0]["ours"]]
    assert len(ours) == 1
    assert (scene.parent / ours[0]["backups"][0]["name"]).read_bytes() == stood
