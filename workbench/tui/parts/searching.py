"""Searching the rows of a list; the line it is typed in (`find.py`) is only loaded when somebody searches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from workbench.tui.parts.virtual_list import Row

Spans = dict[str, tuple[tuple[int, int], ...]]


def matches(rows: Sequence[Row], wanted: str) -> Spans:
    """Where the rows' texts hold `wanted`, whatever its case, by row id; empty for an empty search."""
    if not wanted:
        return {}
    pattern = re.compile(re.escape(wanted), re.IGNORECASE)
    found = ((row.id, tuple(match.span() for match in pattern.finditer(row.text))) for row in rows)
    return {row_id: spans for row_id, spans in found if spans}


@dataclass
class SearchTyped(Message):
    """Another text is searched."""

    text: str


@dataclass
class SearchKept(Message):
    """Enter: the search stays, the list has the keys again."""
