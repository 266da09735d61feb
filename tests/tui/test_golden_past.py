"""The Prompt and History areas as text; written anew like the others (see test_golden)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.goldens import Shots, check, same_everywhere
from tests.tui.past_home import home_with_past

SHOTS: Shots = {
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
    same_everywhere(tmp_path, monkeypatch)
    check(name, SHOTS, home_with_past(tmp_path))
