"""Making room on the demo home as text; written anew like the others (see test_golden)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.goldens import Shots, check, same_everywhere
from tests.tui.support import NOW
from workbench.demo import make

SHOTS: Shots = {
    "room-80x24": ((80, 24), ("c",)),
    "room-120x36": ((120, 36), ("c", "j")),
    "room-200x50": ((200, 50), ("c", "j", "j", "j", "enter")),
    "room-compared-80x24": ((80, 24), ("c", "j", "enter")),
    "room-plan-120x36": ((120, 36), ("c", "A")),
    "room-removed-120x36": ((120, 36), ("j", "d", "enter", "c", "o")),
    "draft-80x24": ((80, 24), ("c", "A", "A")),
    "draft-120x36": ((120, 36), ("c", "A", "A")),
    "draft-apply-120x36": ((120, 36), ("c", "A", "A", "ctrl+s")),
    "draft-leave-80x24": ((80, 24), ("b", "d", "b")),
}


@pytest.mark.parametrize("name", SHOTS)
def test_making_room_looks_as_agreed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_everywhere(tmp_path, monkeypatch)
    check(name, SHOTS, make(tmp_path / "agent", now=NOW).rename(tmp_path / ".hermes"))
