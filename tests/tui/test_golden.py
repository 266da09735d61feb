"""The screens as text. `WORKBENCH_UPDATE_GOLDEN=1 pytest tests/tui/test_golden.py` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.goldens import Shots, check, same_everywhere
from tests.tui.support import real_home

SHOTS: Shots = {
    "memory-80x24": ((80, 24), ()),
    "memory-120x36": ((120, 36), ()),
    "memory-200x50": ((200, 50), ()),
    "user-80x24": ((80, 24), ("tab",)),
    "entry-80x24": ((80, 24), ("j", "enter")),
    "editor-120x36": ((120, 36), ("e",)),
    "delete-80x24": ((80, 24), ("j", "d")),
    "find-120x36": ((120, 36), ("slash", "r", "u", "s", "t")),
    "marks-120x36": ((120, 36), ("space", "v", "j")),
    "merge-120x36": ((120, 36), ("v", "j", "m")),
    "merge-200x50": ((200, 50), ("v", "j", "m")),
    "move-80x24": ((80, 24), ("j", "greater_than_sign")),
    "move-120x36": ((120, 36), ("space", "space", "greater_than_sign")),
    "split-80x24": ((80, 24), ("j", "j", "j", "s")),
    "split-120x36": ((120, 36), ("j", "j", "j", "s", "asterisk")),
    "help-120x36": ((120, 36), ("question_mark",)),
}


@pytest.mark.parametrize("name", SHOTS)
def test_screen_looks_as_agreed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_everywhere(tmp_path, monkeypatch)
    check(name, SHOTS, real_home(tmp_path).rename(tmp_path / ".hermes"))
