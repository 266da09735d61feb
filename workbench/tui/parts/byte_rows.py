"""Bytes of a file made visible, as rows of a comparison: what two files differ in although their entries do not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.text.difference import LinePair, Piece, compare_lines
from workbench.tui.parts.diff_rows import DiffRow, Pair, Remark
from workbench.tui.screen_text import safe

# Each side beyond this many lines is said, not compared: a file may have millions.
MOST_LINES = 2_000
# Lines shown around a difference, and around a place.
AROUND = 2
# Characters of a line that are shown before and after a place in it.
BESIDE = 400
_LONE_BYTE = re.compile("‹U\\+DC([89A-F][0-9A-F])›")


def visible(data: bytes, *, masked: bool = True) -> str:
    """The text of some bytes with everything in sight that an editor hides: CR, marks, bytes that are not UTF-8, and
    blanks at the ends of lines as middle dots."""
    shown = safe(data.decode("utf-8", "surrogateescape"), masked=masked)
    shown = _LONE_BYTE.sub(r"‹x\1›", shown)
    return re.sub(r"[ ]+(?=(?:‹CR›)?(?:\n|\Z))", lambda blanks: "·" * len(blanks[0]), shown)


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
    for line in data[begin:first].split(b"\n")[:-1]:
        rows.append(_line((Piece("same", visible(line[-BESIDE:], masked=masked)),), top))
        top += 1
    marked = data[start:end]
    lead, rest = data[max(first, start - BESIDE) : start], data[end : min(last, end + BESIDE)]
    mark = visible(marked[: 4 * BESIDE], masked=masked).replace("\n", "‹LF›\n")
    shown = [visible(lead + b"|", masked=masked)[:-1], mark, visible(rest, masked=masked)]
    rows += _marked(shown, number)
    following = number + marked.count(b"\n") + 1
    for line in data[last + 1 :].split(b"\n", AROUND)[:AROUND] if last < len(data) else ():
        rows.append(_line((Piece("same", visible(line[:BESIDE], masked=masked)),), following))
        following += 1
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
