"""Nothing is lost when agents and workbenches write at once (short form; the benchmark command runs the long one)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.many_writers import race
from workbench.memory import parse

pytestmark = pytest.mark.client


def test_no_update_is_lost(home: Path, client_python: str) -> None:
    found = race(home, client_python, each=40)
    document = parse((home / "memories" / "MEMORY.md").read_bytes(), "memory", 1_000_000)
    assert set(document.texts) == found.expected
    assert len(document.texts) == len(found.expected)
    assert found.broken == []
    assert found.looks > 0
    assert [path.name for path in (home / "memories").iterdir() if path.name.endswith(".tmp")] == []
