"""A text as it reads to somebody who does not see what hides in it; a view knows where its characters come from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, cached_property, lru_cache

# What a screen draws as nothing: soft hyphens, zero-width and direction marks, fillers, variation selectors, tags.
UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_LATIN_MARKS = range(0x300, 0x370)
_ARABIC_MARKS = (*range(0x64B, 0x656), 0x640)


class View:
    """A changed copy of a text, made character by character: `text` is what each becomes, which may be nothing.

    Where a character of the view comes from is worked out only when somebody asks for a span.
    """

    def __init__(self, source: str, become: Callable[[str], str]) -> None:
        self.source = source
        self._become = become
        self.text = "".join(map(become, source))

    @cached_property
    def _origin(self) -> list[int]:
        return [at for at, char in enumerate(self.source) for _ in self._become(char)]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where [start, end) of the view, which is not empty, stands in the source."""
        return self._origin[start], self._origin[end - 1] + 1


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(f"[{UNSEEN}]")


@cache
def lookalikes() -> dict[str, str]:
    """The English letter that a letter of another alphabet looks like."""
    from workbench.threats.lookalikes import LOOKALIKES

    return {char: letter for letter, chars in LOOKALIKES.items() for char in chars}


@lru_cache(maxsize=8192)
def folded_char(char: str) -> str:
    """A character without case, accents and vowel marks that writers leave out; it may become none or several."""
    if char.isascii():
        return char.lower()
    if _unseen().match(char):
        return ""
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", char).casefold())
    kept = "".join(one for one in parts if ord(one) not in _LATIN_MARKS and ord(one) not in _ARABIC_MARKS)
    return unicodedata.normalize("NFC", kept)


def folded(text: str) -> str:
    """A text, or a pattern for one, in the form of `readable`."""
    return text.lower() if text.isascii() else "".join(map(folded_char, text))


@lru_cache(maxsize=8192)
def _drawn(char: str) -> str:
    return "" if _unseen().match(char) else char


@lru_cache(maxsize=8192)
def _english(char: str) -> str:
    if char.isascii():
        return char
    bare = lookalikes().get(char) or folded_char(char)
    return bare if bare.isascii() else char


def without_unseen(text: str) -> View | None:
    """The text without what is drawn as nothing; None where there is none of it."""
    return None if text.isascii() or not _unseen().search(text) else View(text, _drawn)


def readable(text: str) -> View:
    """The text without case, accents and what is not drawn, in its own alphabet."""
    return View(text, str.lower if text.isascii() else folded_char)


def in_english_letters(text: str) -> View | None:
    """The text as it looks to somebody who only knows English letters; None where it looks the same."""
    view = View(text, _english)
    return None if view.text == text else view
