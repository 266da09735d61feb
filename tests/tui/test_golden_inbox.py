"""The Inbox area on the demo home as text; written anew like the others (see test_golden)."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from tests.tui.support import NOW, press, running, text_of
from workbench.demo import make

GOLDEN = Path(__file__).parent / "golden"
TO_RIVAL = ("G", *"kkkkkk")
SHOTS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "inbox-80x24": ((80, 24), ("2",)),
    "inbox-open-80x24": ((80, 24), ("2", *TO_RIVAL, "enter")),
    "inbox-120x36": ((120, 36), ("2", *TO_RIVAL)),
    "inbox-200x50": ((200, 50), ("2", *TO_RIVAL, *"kkk")),
    "inbox-lossy-120x36": ((120, 36), ("2", *TO_RIVAL, "k", "a")),
    "inbox-operations-120x36": ((120, 36), ("2", "o", "space", "j", "space")),
    "inbox-all-120x36": ((120, 36), ("2", "A")),
    "inbox-gate-120x36": ((120, 36), ("2", "W")),
    "inbox-edit-80x24": ((80, 24), ("2", *TO_RIVAL, "e")),
}


@pytest.mark.parametrize("name", SHOTS)
def test_inbox_looks_as_agreed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LANG", "C.UTF-8")
    if hasattr(time, "tzset"):
        time.tzset()
    home = make(tmp_path / "agent", now=NOW).rename(tmp_path / ".hermes")
    size, keys = SHOTS[name]

    async def run() -> str:
        async with running(home, size) as pilot:
            await press(pilot, *keys)
            return text_of(pilot)

    shown = asyncio.run(run())
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("WORKBENCH_UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
    assert all(len(line) <= size[0] for line in shown.splitlines())
