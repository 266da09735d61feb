"""Whether and where a term is in a text, by the rules of the index: words for alphabets, pieces for CJK.

The same rules judge a row that no index covers, mark hits in a snippet, and settle queries that need two indexes.
Offsets are Python code points of the text given.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

# Scripts written without spaces, where a word is a piece of a longer token.
CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
)


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


def has_cjk(text: str) -> bool:
    """Whether a character of Chinese, Japanese or Korean writing is in the text."""
    return not text.isascii() and _cjk().search(text) is not None


def cjk_run(text: str) -> str:
    """The longest piece of a text that is all CJK writing, "" when there is none."""
    if text.isascii():
        return ""
    return max(re.findall(f"[{CJK}]+", text), key=len, default="")


def has_token(text: str) -> bool:
    """Whether the index keeps anything of the text: a letter, a digit or a private-use character."""
    return any(c.isalnum() or unicodedata.category(c) in ("Co", "No", "Nl") for c in text)


class _Folding(dict[int, str]):
    """For str.translate: lower case without diacritics, one character for one, so that offsets stay."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        parts = unicodedata.normalize("NFD", char)
        # Only alphabets: in Japanese the mark makes another letter, and the index keeps it.
        if len(parts) > 1 and parts[0] < "\u0600" and all(unicodedata.combining(mark) for mark in parts[1:]):
            char = parts[0]
        lower = char.lower()
        self[code] = result = lower if len(lower) == 1 else char
        return result


_FOLDING = _Folding()


def fold(text: str) -> str:
    """The text as the index compares it; as long as the original."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


def tokens(text: str) -> list[str]:
    """The folded words of a text."""
    return [piece for piece in re.split(r"[\W_]+", fold(text)) if piece]


@cache
def _letter() -> re.Pattern[str]:
    return re.compile(rf"[^\W_{CJK}]")


class Finder:
    """Finds a text in folded texts: anywhere, or (`whole`) where no letter stands before it, nor (not `prefix`) behind.

    A set of characters as wide as CJK writing takes a millisecond to compile, too much for every key of a search: what
    stands around a find is looked at with one pattern for all, and plain text is left to an expression without it.
    """

    def __init__(self, body: str, *, whole: bool, prefix: bool, fixed: bool = False) -> None:
        self._body = re.compile(body)
        self._whole, self._prefix = whole, prefix
        # Looking for the word first, and then at what stands before it, takes a fraction of the time.
        before = rf"{body}(?<![^\W_]{body})" if fixed else rf"(?<![^\W_]){body}"
        self._plain = re.compile(before + ("" if prefix else r"(?![^\W_])")) if whole else self._body

    def finditer(self, text: str, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Every find, from left to right, none within another; `pos` and `endpos` as `re` has them."""
        if not self._whole or text.isascii():
            yield from self._plain.finditer(text, pos, endpos)
            return
        letter, last = _letter().match, min(endpos, len(text))
        while (found := self._body.search(text, pos, endpos)) is not None:
            start, end = found.span()
            if (start and letter(text, start - 1)) or (not self._prefix and end < last and letter(text, end)):
                pos = start + 1
            else:
                yield found
                pos = end

    def search(self, text: str) -> re.Match[str] | None:
        """The first find."""
        return next(self.finditer(text), None)


@lru_cache(maxsize=256)
def pattern(text: str, prefix: bool, loose: bool = False) -> Finder:
    """What finds a term in folded text. Words must be whole; next to CJK writing a Latin word is whole too.

    `loose` finds it anywhere: for titles, and for scans without an index.
    """
    pieces = tokens(text)
    if has_cjk(text) or loose or not pieces:
        return Finder(re.escape(fold(text)), whole=False, prefix=prefix)
    return Finder(r"[\W_]+".join(re.escape(piece) for piece in pieces), whole=True, prefix=prefix)


@lru_cache(maxsize=256)
def quick_pattern(piece: str, prefix: bool) -> Finder:
    """What finds one folded word of letters and digits in a long folded text, where `pattern` would find it."""
    return Finder(re.escape(piece), whole=True, prefix=prefix, fixed=True)
