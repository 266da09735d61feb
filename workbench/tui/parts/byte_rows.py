"""Bytes of a file made visible, as rows of a comparison: what two files differ in although their entries do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workbench.text import mask, secrets_in
from workbench.text.difference import LinePair, Piece, compare_lines
from workbench.tui.parts.diff_rows import DiffRow, Pair, Remark
from workbench.tui.screen_text import safe

# Each side beyond this many lines is said, not compared: a file may have millions.
MOST_LINES = 2_000
# Lines shown around a difference, and around a place.
AROUND = 2
# Characters of a line that are shown before and after a place in it.
BESIDE = 400
# Bytes around a piece in which a credential may begin or end.
AROUND_BYTES = 16_000
_LONE_BYTE = re.compile("‹U\\+DC([89A-F][0-9A-F])›")


def visible(data: bytes, *, masked: bool = True) -> str:
    """The text of some bytes with everything in sight that an editor hides: CR, marks, bytes that are not UTF-8, and
    blanks at the ends of lines as middle dots."""
    shown = safe(data.decode("utf-8", "surrogateescape"), masked=masked)
    shown = _LONE_BYTE.sub(r"‹x\1›", shown)
    return re.sub(r"[ ]+(?=(?:‹CR›)?(?:\n|\Z))", lambda blanks: "·" * len(blanks[0]), shown)


def visible_part(data: bytes, start: int, end: int, *, masked: bool = True) -> str:
    """`data[start:end]` as `visible` gives it; a credential that the piece cuts in two is known by what is beside."""
    lead, piece, tail = data[max(0, start - AROUND_BYTES) : start], data[start:end], data[end : end + AROUND_BYTES]
    if not masked:
        return visible(piece, masked=False)
    before, text, after = (part.decode("utf-8", "surrogateescape") for part in (lead, piece, tail))
    first = len(before)
    found = secrets_in(before + text + after, first, first + len(text))
    shifted = [replace(one, start=one.start - first, end=one.end - first) for one in found]
    return visible(mask(text, shifted).encode("utf-8", "surrogateescape"))


def byte_rows(before: bytes, after: bytes, *, masked: bool = True) -> tuple[DiffRow, ...]:
    """What differs between two files, byte by byte; stretches of equal lines are only counted."""
    sides, cut = [], False
    for data in (before, after):
        lines = data.split(b"\n")
        cut = cut or len(lines) > MOST_LINES
        sides.append(visible(b"\n".join(lines[:MOST_LINES]), masked=masked))
    rows = folded(compare_lines(*sides))
    if cut:
        rows.append(
            Remark(f"only the first {MOST_LINES:,} lines are compared here; all of the file is written", "warning")
        )
    return tuple(rows)


def folded(lines: Sequence[LinePair]) -> list[DiffRow]:
    """Compared lines with long stretches of equal ones as a remark."""
    near = {
        other for at, line in enumerate(lines) if line.kind != "same" for other in range(at - AROUND, at + AROUND + 1)
    }
    rows: list[DiffRow] = []
    skipped = 0
    for at, line in enumerate(lines):
        if at not in near:
            skipped += 1
            continue
        if skipped:
            rows.append(_equal(skipped))
        skipped = 0
        rows.append(Pair(line))
    if skipped:
        rows.append(_equal(skipped))
    return rows


def _equal(count: int) -> Remark:
    return Remark(f"{count:,} equal line{'' if count == 1 else 's'}")


def place_rows(data: bytes, start: int, end: int, *, masked: bool = True) -> tuple[DiffRow, ...]:
    """The lines around a place (byte offsets `start` to `end`), with the place itself marked."""
    first = data.rfind(b"\n", 0, start) + 1
    last = data.find(b"\n", end)
    last = len(data) if last < 0 else last
    number = data.count(b"\n", 0, first) + 1
    top, begin = number, first
    while top > max(1, number - AROUND):
        begin = data.rfind(b"\n", 0, begin - 1) + 1
        top -= 1
    rows: list[DiffRow] = []
    while begin < first:
        close = data.index(b"\n", begin)
        rows.append(_line((Piece("same", visible_part(data, max(begin, close - BESIDE), close, masked=masked)),), top))
        begin, top = close + 1, top + 1
    marked = data[start:end]
    mark = visible_part(data, start, min(end, start + 4 * BESIDE), masked=masked).replace("\n", "‹LF›\n")
    lead = visible_part(data, max(first, start - BESIDE), start, masked=masked)
    # Blanks before the place are not at the end of their line.
    blanks = start - max(first, len(data[:start].rstrip(b" ")), start - BESIDE)
    lead = lead[: len(lead) - blanks] + " " * blanks
    shown = [lead, mark, visible_part(data, end, min(last, end + BESIDE), masked=masked)]
    rows += _marked(shown, number)
    following = number + marked.count(b"\n") + 1
    begin = last + 1
    for number in range(following, following + AROUND):
        if begin > len(data):
            break
        close = data.find(b"\n", begin)
        close = len(data) if close < 0 else close
        rows.append(
            _line((Piece("same", visible_part(data, begin, min(close, begin + BESIDE), masked=masked)),), number)
        )
        begin = close + 1
    return tuple(rows)


def _marked(shown: Sequence[str], number: int) -> list[DiffRow]:
    """Lead, marked text and rest, cut into lines. What is marked may reach over many of them."""
    rows: list[DiffRow] = []
    line: list[Piece] = []
    for text, kind in zip(shown, ("same", "warning", "same"), strict=True):
        for at, part in enumerate(text.split("\n")):
            if at:
                rows.append(_line(line, number))
                number, line = number + 1, []
            if part:
                line.append(Piece(kind, part))
    rows.append(_line(line, number))
    return rows


def _line(pieces: Sequence[Piece], number: int) -> Pair:
    return Pair(LinePair("same", tuple(pieces), tuple(pieces), number, number))
