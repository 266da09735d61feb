"""A piece of a message around its hits, on one line, with the hits' places and any credential in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from workbench.sessions.content import content, one_line, tool_calls
from workbench.sessions.found import Snippet
from workbench.sessions.matching import fold, pattern
from workbench.sessions.query import Term
from workbench.text import Secret, find_secrets, secrets_in

WIDTH = 160
_BEFORE = 40
_MOST_MARKS = 20


def readable(stored: str) -> str:
    """A message's content as it is read: the texts of a list of parts, each attachment by its kind."""
    if not stored.startswith("\x00"):
        return stored
    said = content(stored)
    return " ".join([said.text, *(f"[{kind}]" for kind in said.attachments)]).strip()


@cache
def _spaces() -> re.Pattern[str]:
    return re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]")


def spans(text: str, terms: Sequence[Term], *, most: int = _MOST_MARKS) -> list[tuple[int, int]]:
    """Where the terms are in a text: in order, without overlaps."""
    folded = fold(text)
    found: list[tuple[int, int]] = []
    for term in terms:
        for count, match in enumerate(pattern(term.text, term.prefix).finditer(folded), 1):
            end = match.end()
            while term.prefix and not term.cjk and end < len(folded) and folded[end].isalnum():
                end += 1
            found.append((match.start(), end))
            if count >= most:
                break
    out: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def snippet(text: str, terms: Sequence[Term], *, width: int = WIDTH) -> Snippet:
    """The piece of `text` around the place where most hits stand together, at most `width` code points and two dots."""
    marks = spans(text, terms)
    start = _begin(text, marks, width)
    end = min(len(text), start + width)
    secrets = secrets_in(text, start, end)
    lead = 1 if start else 0
    shift = lead - start
    piece = ("…" if start else "") + _spaces().sub(" ", text[start:end]) + ("…" if end < len(text) else "")
    inside = tuple((max(a, start) + shift, min(b, end) + shift) for a, b in marks if a < end and b > start)
    return Snippet(piece, inside, tuple(Secret(s.kind, s.start + shift, s.end + shift, s.keep) for s in secrets))


def said(stored: str, terms: Sequence[Term]) -> Snippet:
    """The piece of a message's content."""
    return snippet(readable(stored), terms)


def called(stored: str, terms: Sequence[Term]) -> Snippet:
    """The piece of a tool call: as a conversation sums the call up, else its arguments, else what is stored."""
    calls, _whole = tool_calls(stored)
    for call in calls:
        made = snippet(call.summary, terms)
        if made.highlights:
            return made
    for call in calls:
        made = snippet(call.told, terms)
        if made.highlights:
            return _after(f"{one_line(call.name)} ", made)
    return snippet(stored, terms)


def _after(lead: str, piece: Snippet) -> Snippet:
    by = len(lead)
    marks = tuple((start + by, end + by) for start, end in piece.highlights)
    secrets = tuple(Secret(each.kind, each.start + by, each.end + by, each.keep) for each in piece.secrets)
    return Snippet(lead + piece.text, marks, (*find_secrets(lead), *secrets))


def _begin(text: str, marks: list[tuple[int, int]], width: int) -> int:
    if not marks:
        return 0
    best, most = 0, 0
    for at, (start, _end) in enumerate(marks):
        count = sum(1 for later in marks[at:] if later[1] <= start + width - _BEFORE)
        if count > most:
            best, most = at, count
    begin = max(0, marks[best][0] - _BEFORE)
    if begin > 0:
        # Not within a word, when one ends nearby.
        space = text.find(" ", begin, marks[best][0])
        begin = space + 1 if space >= 0 and space - begin < _BEFORE // 2 else begin
    return begin
