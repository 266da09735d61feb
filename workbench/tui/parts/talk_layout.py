"""Breaking the blocks of a transcript into lines of a width: done in the thread that read them, kept by the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.tui.parts.talk_lines import Block
from workbench.tui.parts.wrap import cells, wrap

# One logical line that takes more lines than this on screen is cut, with a sign.
MOST_LINES = 2_000
EDGE, TIME, BAR = 1, 6, 1
_WHO, _WHO_NARROW, _NARROW = 8, 6, 56
BLANK, RULE = -2, -1


class Line(NamedTuple):
    """One line on screen: a piece (start, end) of a paragraph, a rule (`start` is its index) or a blank."""

    para: int
    start: int = 0
    end: int = 0
    first: bool = False
    clipped: bool = False


Body = tuple[Line, ...]
# By the message's id: the paragraphs these are the lines of, the width they are for, the lines.
Bodies = Mapping[int, tuple[object, int, Body]]


def who_cells(width: int) -> int:
    """Cells for who speaks, in a view of so many cells."""
    return _WHO if width >= _NARROW else _WHO_NARROW


def room_of(width: int) -> int:
    """Cells for the text."""
    return max(8, width - EDGE - who_cells(width) - TIME - BAR)


def body(block: Block, width: int) -> Body:
    """The lines of a block without its rules; a blank line ends each message that shows anything."""
    lines: list[Line] = []
    first = True
    for number, para in enumerate(block.paras):
        room = room_of(width) - cells(para.lead)
        spans: tuple[tuple[int, int], ...] = ((0, len(para.text)),)
        clipped = False
        if not (para.text.isascii() and len(para.text) <= room):
            wrapped = wrap(para.text, max(8, room), MOST_LINES)
            spans, clipped = wrapped.lines, wrapped.clipped
        for at, (start, end) in enumerate(spans):
            lines.append(Line(number, start, end, first, clipped and at == len(spans) - 1))
            first = False
    if block.paras:
        lines.append(Line(BLANK))
    return tuple(lines)


def bodies(blocks: Sequence[Block], width: int) -> Bodies:
    """The lines of blocks, for a view to take; none while its width is not known."""
    return {block.id: (block.paras, width, body(block, width)) for block in blocks} if width > 0 else {}
