"""How many tokens a text costs in a prompt, roughly: every model counts differently, so this is an estimate."""

from __future__ import annotations

import re
from functools import cache

# English prose and code measure 3.5 to 4.5 characters a token with the usual vocabularies.
CHARS_PER_TOKEN = 4


@cache
def _single() -> re.Pattern[str]:
    """Characters that mostly cost a token each: kana, Chinese characters, Hangul syllables."""
    return re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def estimate_tokens(text: str) -> int:
    """About how many tokens: one for each CJK character, one for every four others, rounded up; 0 for ""."""
    single = 0 if text.isascii() else len(_single().findall(text))
    return single + -(-(len(text) - single) // CHARS_PER_TOKEN)
