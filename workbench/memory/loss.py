"""What a whole-entry replace would drop without anybody having said so."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

# Scripts written without spaces: their words are compared as pairs of neighbouring characters.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"


@cache
def _plain_run() -> re.Pattern[str]:
    return re.compile(r"\w+")


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{_CJK}]+|[^\\W{_CJK}]+")


@dataclass(frozen=True)
class Loss:
    """What a replace drops outside the text its proposer looked at. Sizes are characters.

    `words` are the folded words and numbers that are gone, `dropped` the pieces of the entry that held them.
    """

    chars_before: int
    chars_after: int
    chars_outside: int
    words: tuple[str, ...]
    dropped: tuple[str, ...]


@lru_cache(maxsize=256)  # many records are held against the same entries
def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a text after NFKC and case folding; CJK as pairs of characters. In order."""
    if text.isascii():
        return tuple(_plain_run().findall(text.lower()))
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = []
    for run in _run().findall(folded):
        if re.match(f"[{_CJK}]", run) and len(run) > 1:
            found.extend(run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.append(run)
    return tuple(found)


def loss(entry: str, old_text: str, content: str) -> Loss | None:
    """Say what replacing `entry` by `content` drops outside `old_text`; None when nothing does.

    Only words and numbers count: punctuation and layout are not lost facts. When `old_text` is not literally in the
    entry (0.22 folds quotes and dashes), the words of `old_text` are taken out of the entry's instead.
    """
    kept = set(words(content))
    start = entry.find(old_text)
    if start < 0:
        looked_at = set(words(old_text))
        gone = [word for word in words(entry) if word not in kept and word not in looked_at]
        pieces: list[str] = [entry] if gone else []
        outside = max(0, len(entry) - len(old_text))
    else:
        around = (entry[:start], entry[start + len(old_text) :])
        missed = [[word for word in words(piece) if word not in kept] for piece in around]
        gone = [word for lost in missed for word in lost]
        pieces = [piece.strip() for piece, lost in zip(around, missed, strict=True) if lost]
        outside = sum(map(len, around))
    if not gone:
        return None
    return Loss(len(entry), len(content), outside, tuple(dict.fromkeys(gone)), tuple(pieces))
