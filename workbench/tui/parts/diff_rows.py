"""The rows of a comparison, made outside the UI thread: from two lists of entries, or from two texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from workbench.memory import EntryChange, summary
from workbench.text.difference import LinePair, Piece, compare_lines
from workbench.tui.screen_text import excerpt, safe


@dataclass(frozen=True, slots=True)
class Remark:
    """A line about the comparison, over its whole width; `tone` is heading, quiet or warning."""

    text: str
    tone: str = "quiet"


@dataclass(frozen=True, slots=True)
class Pair:
    """One compared line; `entry` is the index of the EntryChange it belongs to, None in a comparison of texts."""

    line: LinePair
    entry: int | None = None


DiffRow = Remark | Pair

Marks = Callable[[str], Sequence[tuple[int, int]]]
"""What to mark in a text that comes: spans (start, end) in its characters, as it was before it was made showable."""


def no_marks(text: str) -> Sequence[tuple[int, int]]:
    """Mark nothing."""
    return ()


_ONLY_HIDDEN = "differs only where it is not shown; ! shows it"


def text_rows(before: str, after: str, *, masked: bool = True, marks: Marks = no_marks) -> tuple[DiffRow, ...]:
    """Two texts line by line, all lines kept."""
    old, new = safe(before, masked=masked), safe(after, masked=masked)
    lines = _marked(_lines(old, new, before, after), after, marks, masked=masked)
    rows: list[DiffRow] = [Pair(line) for line in lines]
    if old == new and before != after:
        rows.append(Remark(_ONLY_HIDDEN, "warning"))
    return tuple(rows)


def entry_rows(
    changes: Sequence[EntryChange], *, first: int = 0, masked: bool = True, marks: Marks = no_marks
) -> tuple[DiffRow, ...]:
    """What happened to entries: each changed one in full, with its words marked; unchanged ones are only counted.

    `first` is the number that the rows give to the first of the changes.
    """
    rows: list[DiffRow] = []
    for index, change in enumerate(changes, first):
        if change.kind == "same":
            continue
        if any(isinstance(row, Pair) for row in rows):
            rows.append(Remark(""))
        old, new = (safe(text or "", masked=masked) for text in (change.before, change.after))
        if change.kind == "moved":
            rows.append(Remark("moved to another place"))
            rows += [Pair(line, index) for line in compare_lines(new, new)]
        elif change.kind == "edited":
            lines = _marked(compare_lines(old, new), change.after or "", marks, masked=masked)
            rows += [Pair(line, index) for line in lines]
            if old == new:
                rows.append(Remark(_ONLY_HIDDEN, "warning"))
        elif change.kind == "added":
            lines = _marked(_lines("", new, None, new), change.after or "", marks, masked=masked)
            rows += [Pair(line, index) for line in lines]
        else:
            rows += [Pair(line, index) for line in _lines(old, "", old, None)]
    same = sum(change.kind == "same" for change in changes)
    if same:
        rows.append(Remark(""))
        rows.append(Remark(f"{same} entr{'y' if same == 1 else 'ies'} unchanged"))
    return tuple(rows)


def _marked(lines: Sequence[LinePair], text: str, marks: Marks, *, masked: bool) -> Sequence[LinePair]:
    """The lines with the spans of the text that comes marked on its side; what is found is wherever it stands."""
    spans = marks(text)
    if not spans:
        return lines
    placed = excerpt(text, tuple((start, end, "finding") for start, end in spans), masked=masked)
    inside: dict[int, list[tuple[int, int]]] = {}
    begin = 0
    for number, line in enumerate(placed.text.split("\n"), 1):
        for start, end, _ in placed.spans:
            one, other = max(start - begin, 0), min(end - begin, len(line))
            if one < other:
                inside.setdefault(number, []).append((one, other))
        begin += len(line) + 1
    return [
        replace(line, right=_cut(line.right, inside[line.right_number]))
        if line.right is not None and line.right_number in inside
        else line
        for line in lines
    ]


def _cut(pieces: Sequence[Piece], spans: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """The pieces of a line, with the spans as pieces of their own."""
    out: list[Piece] = []
    at = 0
    for piece in pieces:
        edges = {at, at + len(piece.text)}
        edges.update(edge for span in spans for edge in span if at < edge < at + len(piece.text))
        ordered = sorted(edges)
        for start, end in pairwise(ordered):
            found = any(one <= start and end <= other for one, other in spans)
            out.append(Piece("finding" if found else piece.kind, piece.text[start - at : end - at]))
        at += len(piece.text)
    return tuple(out)


def counts(changes: Sequence[EntryChange]) -> str:
    """What happened, in words for people who do not know the signs yet: `1 added, 2 removed`."""
    names = (("added", "added"), ("removed", "removed"), ("edited", "edited"), ("moved", "moved"))
    found = ((sum(change.kind == kind for change in changes), name) for kind, name in names)
    return ", ".join(f"{number} {name}" for number, name in found if number) or summary(changes)


def _lines(old: str, new: str, before: str | None, after: str | None) -> Sequence[LinePair]:
    """Compare, but a side that does not exist has no line at all, where an empty text would have one empty line."""
    if before is None or before == "":
        return tuple(
            LinePair("come", None, (Piece("come", line),) if line else (), None, number)
            for number, line in enumerate(new.split("\n"), 1)
            if after
        )
    if after is None or after == "":
        return tuple(
            LinePair("gone", (Piece("gone", line),) if line else (), None, number, None)
            for number, line in enumerate(old.split("\n"), 1)
        )
    return compare_lines(old, new)
