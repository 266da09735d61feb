"""Breaking a text into lines of so many cells, at blanks where there are any."""

from __future__ import annotations

import re
from dataclasses import dataclass


def cells(text: str) -> int:
    """How many cells a text takes. rich's tables are loaded for the first text that is not ASCII."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


# Latin letters and signs take one cell each too, but for the soft hyphen; what comes later has to be looked at.
_NOT_ONE_CELL = re.compile("[\x7f-\x9f\xad\u0300-\U0010ffff]")


def _plain(text: str) -> bool:
    """Whether every character takes one cell."""
    return text.isascii() or _NOT_ONE_CELL.search(text) is None


@dataclass(frozen=True, slots=True)
class Wrapped:
    """Line spans (start, end) in characters of the text; `clipped` says that more would follow."""

    lines: tuple[tuple[int, int], ...]
    clipped: bool = False


def wrap(text: str, width: int, most: int) -> Wrapped:
    """Break `text` into at most `most` lines of `width` cells; line feeds break too.

    When something is left over, the last line has room for one more cell, for the sign that says so.
    """
    width = max(1, width)
    lines: list[tuple[int, int]] = []
    at, size = 0, len(text)
    while at < size and len(lines) <= most:
        stop = text.find("\n", at)
        stop = size if stop < 0 else stop
        if stop == at:
            lines.append((at, at))
        else:
            _paragraph(text, at, stop, width, most + 1, lines)
        at = stop + 1
    if len(lines) <= most:
        return Wrapped(tuple(lines) or ((0, 0),))
    start, end = lines[most - 1]
    if most == 1:
        # A single line is cut anyway: the words are better filled up to its end.
        stop = text.find("\n", start)
        end = min(size if stop < 0 else stop, start + width * 8)
    lines[most - 1] = (start, _cut(text, start, end, width - 1))
    return Wrapped(tuple(lines[:most]), clipped=True)


def _paragraph(text: str, at: int, stop: int, width: int, most: int, lines: list[tuple[int, int]]) -> None:
    # Far more than fits: what lies beyond is never looked at, so a huge entry costs no more than a small one.
    window = text[at : min(stop, at + width * most * 8)]
    step = _narrow_line if _plain(window) else _wide_line
    while at < stop and len(lines) < most:
        end, following = step(text, at, stop, width)
        lines.append((at, end))
        at = following


def _narrow_line(text: str, at: int, stop: int, width: int) -> tuple[int, int]:
    """One line from `at`: where it ends, and where the next begins."""
    if stop - at <= width:
        return stop, stop
    blank = text.rfind(" ", at + 1, at + width + 1)
    if blank <= at:
        return at + width, at + width
    following = blank
    while following < stop and text[following] == " ":
        following += 1
    return len(text[:blank].rstrip(" ")) if text[blank - 1] == " " else blank, following


def _wide_line(text: str, at: int, stop: int, width: int) -> tuple[int, int]:
    from rich.cells import split_graphemes

    piece = text[at : min(stop, at + width * 8)]
    taken, chance, resume = 0, 0, 0
    for start, end, size in split_graphemes(piece)[0]:
        if piece[start] == " ":
            chance, resume = start, end
        elif size > 1 and start and taken <= width:
            chance, resume = start, start  # between two wide characters a line may always break
        if taken + size > width and piece[start] != " ":
            if not chance:
                chance = resume = max(start, 1)
            following = at + resume
            while following < stop and text[following] == " ":
                following += 1
            return at + len(piece[:chance].rstrip(" ")), following
        taken += size
    return at + len(piece.rstrip(" ") if taken > width else piece), at + len(piece)


def _cut(text: str, start: int, end: int, width: int) -> int:
    """The end of the longest piece from `start` that leaves the last cell free."""
    line = text[start:end]
    if _plain(line):
        return start + len(line[:width].rstrip(" "))
    from rich.cells import split_graphemes

    taken = 0
    for first, _, size in split_graphemes(line)[0]:
        if taken + size > width:
            return start + first
        taken += size
    return end


def fit(text: str, width: int, more: str = "…") -> str:
    """The text in at most `width` cells, with a sign at the end when it was cut."""
    if cells(text) <= width:
        return text
    if width <= 0:
        return ""
    return text[: _cut(text, 0, len(text), width - 1)].rstrip() + more
