"""The Prompt and History areas as text; written anew like the others (see test_golden)."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from tests.tui.past_home import home_with_past
from tests.tui.support import press, running, text_of

GOLDEN = Path(__file__).parent / "golden"
SHOTS: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = {
    "prompt-80x24": ((80, 24), ("5",)),
    "prompt-120x36": ((120, 36), ("5", "j")),
    "prompt-difference-120x36": ((120, 36), ("5", "o")),
    "history-80x24": ((80, 24), ("6",)),
    "history-120x36": ((120, 36), ("6", "j", "j")),
    "history-200x50": ((200, 50), ("6", "j", "j", "j", "j", "j", "tab")),
    "history-open-80x24": ((80, 24), ("6", "j", "j", "enter")),
    "history-take-back-120x36": ((120, 36), ("6", "j", "j", "j", "minus")),
    "history-marked-120x36": ((120, 36), ("6", "space", "j", "j", "j", "space")),
}


@pytest.mark.parametrize("name", SHOTS)
def test_area_looks_as_agreed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LANG", "C.UTF-8")
    if hasattr(time, "tzset"):
        time.tzset()
    home = home_with_past(tmp_path)
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
