"""Screens as text, held by files in `golden/`; WORKBENCH_UPDATE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from tests.tui.support import press, running, text_of

GOLDEN = Path(__file__).parent / "golden"
Shots = dict[str, tuple[tuple[int, int], tuple[str, ...]]]


def same_everywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's home, time zone and character set are part of a picture."""
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LANG", "C.UTF-8")
    if hasattr(time, "tzset"):
        time.tzset()


def agreed(name: str, shown: str, width: int) -> None:
    """Compare with the file of that name."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("WORKBENCH_UPDATE_GOLDEN"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
    assert all(len(line) <= width for line in shown.splitlines())


def check(name: str, shots: Shots, home: Path) -> None:
    """Open a home, press the keys of a shot, compare."""
    size, keys = shots[name]

    async def run() -> str:
        async with running(home, size) as pilot:
            await press(pilot, *keys)
            return text_of(pilot)

    agreed(name, asyncio.run(run()), size[0])
