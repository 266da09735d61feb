"""The Sessions area as text; written anew like the others (see test_golden)."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from tests.tui.support import NOW, press, running, text_of
from tests.tui.talk_home import rest, search
from workbench.demo import make

GOLDEN = Path(__file__).parent / "golden"
# name: (size, what is searched, keys then)
SHOTS: dict[str, tuple[tuple[int, int], str, tuple[str, ...]]] = {
    "sessions-80x24": ((80, 24), "", ("j",)),
    "sessions-120x36": ((120, 36), "", ("j",)),
    "sessions-search-80x24": ((80, 24), "docker", ()),
    "sessions-search-120x36": ((120, 36), "docker", ("tab",)),
    "sessions-search-200x50": ((200, 50), "docker network OR 部署", ("j", "tab", "t")),
    "sessions-read-80x24": ((80, 24), "compose", ("enter",)),
}


@pytest.mark.parametrize("name", SHOTS)
def test_area_looks_as_agreed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LANG", "C.UTF-8")
    if hasattr(time, "tzset"):
        time.tzset()
    home = make(tmp_path / "agent", now=NOW)
    size, text, keys = SHOTS[name]

    async def run() -> str:
        async with running(home, size) as pilot:
            await press(pilot, "3")
            await rest(pilot)
            if text:
                await search(pilot, text)
            for key in keys:
                await press(pilot, key)
                await rest(pilot)
            return text_of(pilot)

    shown = asyncio.run(run())
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("WORKBENCH_UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
    assert all(len(line) <= size[0] for line in shown.splitlines())
