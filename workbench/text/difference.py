"""The difference between two texts, by words and by lines, as plain data for any face."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

# A word, one character of a script without spaces, a run of blanks, or one other character.
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
    r"|\n|[^\S\n]+|[^\w\s]"
)
# Above this many tokens a side, words are not compared: the time grows with the product.
MANY_TOKENS = 4_000
# Above this many pairs of equal lines (blank ones, mostly) the frequent lines are not anchors any more: the time
# grows with the number of pairs.
MANY_LINE_PAIRS = 2_000_000
# Lines less alike than this are shown as one gone and one come, word marks would only be noise.
ALIKE = 0.4


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: `kind` is same, gone (only before) or come (only after)."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class LinePair:
    """One row of a comparison: `kind` is same, changed, gone or come; a missing side is None.

    `left` and `right` are the pieces of the line before and after; the numbers count from 1.
    """

    kind: str
    left: tuple[Piece, ...] | None
    right: tuple[Piece, ...] | None
    left_number: int | None
    right_number: int | None


def compare_words(before: str, after: str) -> tuple[Piece, ...]:
    """The two texts interleaved: same and gone pieces spell `before`, same and come pieces spell `after`.

    Blanks alone between two changes count as changed, so that marks do not flicker from word to word.
    """
    if before == after:
        return (Piece("same", before),) if before else ()
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if max(len(old), len(new)) > MANY_TOKENS:
        return tuple(Piece(kind, text) for kind, text in (("gone", before), ("come", after)) if text)
    pieces: list[Piece] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    codes = matcher.get_opcodes()
    for number, (code, i1, i2, j1, j2) in enumerate(codes):
        same = "".join(old[i1:i2])
        if code == "equal" and (same.strip() or number in (0, len(codes) - 1)):
            pieces.append(Piece("same", same))
            continue
        pieces.append(Piece("gone", same))
        pieces.append(Piece("come", "".join(new[j1:j2])))
    return _merged(pieces)


def compare_lines(before: str, after: str) -> tuple[LinePair, ...]:
    """The two texts line by line, side by side; lines that are alike carry word marks."""
    old, new = before.split("\n"), after.split("\n")
    rows: list[LinePair] = []
    for code, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, _too_alike(old, new)).get_opcodes():
        if code == "equal":
            rows += [
                LinePair("same", _plain("same", line), _plain("same", line), i1 + n + 1, j1 + n + 1)
                for n, line in enumerate(old[i1:i2])
            ]
        else:
            rows += _changed(old, new, (i1, i2), (j1, j2))
    return tuple(rows)


def _too_alike(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether so many lines repeat that comparing every pair of them would take seconds."""
    if len(old) * len(new) <= MANY_LINE_PAIRS:
        return False
    mine, theirs = Counter(old), Counter(new)
    return sum(number * theirs[line] for line, number in mine.items()) > MANY_LINE_PAIRS


def _changed(old: Sequence[str], new: Sequence[str], left: tuple[int, int], right: tuple[int, int]) -> list[LinePair]:
    """Pair the lines of a changed block one to one while they are alike; the rest is gone or come."""
    rows: list[LinePair] = []
    i, j = left[0], right[0]
    while i < left[1] and j < right[1]:
        if difflib.SequenceMatcher(None, old[i], new[j], autojunk=False).quick_ratio() < ALIKE:
            break
        pieces = compare_words(old[i], new[j])
        mine = tuple(piece for piece in pieces if piece.kind != "come")
        theirs = tuple(piece for piece in pieces if piece.kind != "gone")
        rows.append(LinePair("changed", mine, theirs, i + 1, j + 1))
        i, j = i + 1, j + 1
    rows += [LinePair("gone", _plain("gone", old[n]), None, n + 1, None) for n in range(i, left[1])]
    rows += [LinePair("come", None, _plain("come", new[n]), None, n + 1) for n in range(j, right[1])]
    return rows


def _plain(kind: str, line: str) -> tuple[Piece, ...]:
    return (Piece(kind, line),) if line else ()


def _merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Join neighbours of one kind; within a change all that is gone comes before all that has come."""
    out: list[Piece] = []
    gone, come = "", ""

    def close() -> None:
        nonlocal gone, come
        if gone:
            out.append(Piece("gone", gone))
        if come:
            out.append(Piece("come", come))
        gone, come = "", ""

    for piece in pieces:
        if piece.kind == "gone":
            gone += piece.text
        elif piece.kind == "come":
            come += piece.text
        elif piece.text:
            close()
            out.append(piece)
    close()
    return tuple(out)
