"""The pictures of the README show what the program shows now."""

from __future__ import annotations

import pytest

from tests.tools.screenshots import FOLDER, SHOTS, draw, text_in


@pytest.mark.parametrize("name", SHOTS)
def test_picture_is_fresh(name: str) -> None:
    stored = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert text_in(draw(name)) == text_in(stored), "run python -m tests.tools.screenshots"
