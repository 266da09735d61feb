"""`workbench watch --json` as a script would use it."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTS
from workbench.memory import Add
from workbench.workspace import Workspace
from workbench.workspace.following import Follower, Told


def lines(process: subprocess.Popen[str], until: str) -> list[dict[str, Any]]:
    """Read lines up to one with this fact."""
    assert process.stdout is not None
    out: list[dict[str, Any]] = []
    for line in process.stdout:
        out.append(json.loads(line))
        assert out[-1]["schema"] == 1
        if out[-1]["fact"] == until:
            return out
    raise AssertionError(f"it ended before {until}: {out}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_line_per_fact_recorded_and_backed_up_until_interrupted(
    number: signal.Signals, home: Path, put: Callable[..., Path]
) -> None:
    path = put(["one", "two", "three"])
    before = path.read_bytes()
    argv = [sys.executable, "-m", "workbench", "--home", str(home), "watch", "--json"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TESTS.parent)
    try:
        assert lines(process, "watching")[0]["mode"] == "live"
        path.write_bytes(b"one\n")
        told = lines(process, "backed_up")
        changed = next(one for one in told if one["fact"] == "memory_changed" and one["entries"])
        assert (changed["target"], changed["state"], changed["ours"]) == ("memory", "ok", False)
        assert told[-1]["why"] == "halved"
        assert Path(told[-1]["backup"]).read_bytes() == before
        (home / "config.yaml").write_text("memory: {}")
        assert lines(process, "settings_changed")[-1]["path"].endswith("config.yaml")
        path.write_bytes(b"caf\xe9")  # not settled yet when it is interrupted
        lines(process, "memory_changed")
        process.send_signal(number)
        out, err = process.communicate(timeout=15)
        assert process.returncode == 0, err
        assert err == ""
        assert all(json.loads(line)["schema"] == 1 for line in out.splitlines()), "no torn line"
    finally:
        process.kill()
        process.wait()
    assert {one.read_bytes() for one in path.parent.glob("*.bak.*")} >= {before, b"one\n"}


def test_it_ends_quietly_when_its_reader_has_gone(home: Path, put: Callable[..., Path]) -> None:
    path = put("one")
    argv = [sys.executable, "-m", "workbench", "--home", str(home), "watch", "--json"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TESTS.parent)
    try:
        lines(process, "watching")
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        path.write_text("two")
        assert process.wait(timeout=15) == 0
        assert process.stderr.read() == ""
        process.stderr.close()
    finally:
        process.kill()
        process.wait()


def test_gone_turns_and_our_own_writes_are_told(put: Callable[..., Path], open_home: Callable[..., Workspace]) -> None:
    path = put(["one", "two"])
    workspace = open_home()
    told: queue.Queue[Told] = queue.Queue()

    def until(fact: str) -> Told:
        while (one := told.get(timeout=10)).fact != fact:
            pass
        return one

    follower = Follower(workspace, told.put, polling=None)
    follower.start()
    try:
        until("watching")
        workspace.write(Add("memory", "ours"))
        assert until("memory_changed").more["ours"]
        stood = path.read_bytes()
        path.unlink()
        gone = until("gone")
        workspace.restore(gone.more["version"], "memory")
        assert path.read_bytes() == stood
        until("memory_changed")
        for text in ("theirs", "mine", "theirs", "mine"):
            path.write_text(text)
            while until("memory_changed").more["chars"] != len(text):
                pass
        assert until("turns").more["times"] == 3
    finally:
        follower.stop()
    assert not workspace.keeper.followed
