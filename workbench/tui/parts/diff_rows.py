"""The rows of a comparison, made outside the UI thread: from two lists of entries, or from two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.memory import EntryChange, summary
from workbench.text.difference import LinePair, Piece, compare_lines
from workbench.tui.screen_text import safe


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

_ONLY_HIDDEN = "differs only where it is not shown; ! shows it"


def text_rows(before: str, after: str, *, masked: bool = True) -> tuple[DiffRow, ...]:
    """Two texts line by line, all lines kept."""
    old, new = safe(before, masked=masked), safe(after, masked=masked)
    rows: list[DiffRow] = [Pair(line) for line in _lines(old, new, before, after)]
    if old == new and before != after:
        rows.append(Remark(_ONLY_HIDDEN, "warning"))
    return tuple(rows)


def entry_rows(changes: Sequence[EntryChange], *, first: int = 0, masked: bool = True) -> tuple[DiffRow, ...]:
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
            rows += [Pair(line, index) for line in compare_lines(old, new)]
            if old == new:
                rows.append(Remark(_ONLY_HIDDEN, "warning"))
        elif change.kind == "added":
            rows += [Pair(line, index) for line in _lines("", new, None, new)]
        else:
            rows += [Pair(line, index) for line in _lines(old, "", old, None)]
    same = sum(change.kind == "same" for change in changes)
    if same:
        rows.append(Remark(""))
        rows.append(Remark(f"{same} entr{'y' if same == 1 else 'ies'} unchanged"))
    return tuple(rows)


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
