"""The Inbox area on the demo home as text; written anew like the others (see test_golden)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.goldens import Shots, check, same_everywhere
from tests.tui.support import NOW
from workbench.demo import make

TO_RIVAL = ("G", *"kkkkkk")
SHOTS: Shots = {
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
    same_everywhere(tmp_path, monkeypatch)
    check(name, SHOTS, make(tmp_path / "agent", now=NOW).rename(tmp_path / ".hermes"))
