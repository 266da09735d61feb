"""The estimate of tokens: an order of size, not a count."""

from __future__ import annotations

import pytest

from workbench.text.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("x" * 2_200, 550), ("記憶", 2), ("記憶 memory", 4), ("한국어", 3)],
)
def test_tokens_follow_the_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
