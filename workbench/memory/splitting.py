"""Where one entry may be cut into several, and where it had best be cut. All positions are characters (code points)."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

# A stretch without any sign of an ending gets places of its own, so that a blob without punctuation can be cut too.
LONG, STEP = 320, 200
# What is longer is a file that went to the wrong place: cut into thousands of entries it would be of no use to anybody,
# and each of them would have to be scanned.
MOST_TO_SPLIT = 1_000_000


@cache
def _sentence() -> re.Pattern[str]:
    """The gap after a sentence; the dot of an initial or of an abbreviation such as `e.g.` ends none."""
    return re.compile(r"(?<![\s.(]\w\.)(?<=[.!?;])[ \t]+(?=\S)|(?<=[。！？；])(?=[^\s。！？；])")


@cache
def _separator() -> re.Pattern[str]:
    """A line that only separates: `---` and its like, or a section sign that the agent does not take for one."""
    return re.compile(r"[ \t]*(?:§+|-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(r"#{1,6}[ \t]+\S")


@cache
def _bullet() -> re.Pattern[str]:
    return re.compile(r"([ \t]*)(?:[-*+•‣·]|\d{1,3}[.)])[ \t]+\S")


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]


def _lines(text: str) -> list[tuple[int, str]]:
    starts = _line_starts(text)
    return [(start, text[start:end].rstrip("\n")) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def places(text: str) -> tuple[int, ...]:
    """Every position where a cut may be: beginnings of lines and of sentences; blank lines have none.

    A stretch of more than 320 characters without either gets places between its words.
    """
    found = []
    for start, line in _lines(text):
        if not line.strip():
            continue
        bullet = _bullet().match(line)
        sentences = _sentence().finditer(line, bullet.end() - 1 if bullet else 0)  # the dot of `1.` ends none
        inner = [start, *(start + match.end() for match in sentences), start + len(line)]
        for at, end in pairwise(inner):
            found.append(at)
            found.extend(_between_words(text, at, end))
    begins = len(text) - len(text.lstrip())
    return tuple(at for at in found if at > begins)


def _between_words(text: str, at: int, end: int) -> Iterable[int]:
    while end - at > LONG:
        blank = text.rfind(" ", at + 1, at + STEP)
        at = blank + 1 if blank > at else at + STEP
        while at < end and unicodedata.combining(text[at]):
            at += 1
        if at < end:
            yield at


def pieces_of(text: str, cuts: Iterable[int]) -> tuple[str, ...]:
    """The entries that cuts before these positions make: stripped, without separating lines at their edges.

    Nothing but white space and separating lines is left out; a piece of which nothing remains is dropped.
    """
    edges = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    trimmed = (_trim(text[start:end]) for start, end in pairwise(edges))
    return tuple(piece for piece in trimmed if piece)


def _trim(piece: str) -> str:
    lines = piece.strip().split("\n")
    first, last = 0, len(lines)
    while first < last and _is_nothing(lines[first]):
        first += 1
    while first < last and _is_nothing(lines[last - 1]):
        last -= 1
    return "\n".join(lines[first:last]).strip()


def _is_nothing(line: str) -> bool:
    return not line.strip() or _separator().fullmatch(line) is not None


def propose_cuts(text: str, most: int | None = None) -> tuple[int, ...]:
    """Where an entry had best be cut: at separating lines, else headings, else blank lines, else bullets.

    Only the strongest of these is used, because the weaker ones structure what belongs together. With `most`, pieces
    longer than that many characters are cut further at the next weaker sign, at last between sentences, filled up as
    far as they go. Empty when the text shows no structure (and is not too long). Each cut is one of `places`.
    """
    allowed = places(text)
    begins = len(text) - len(text.lstrip())
    levels = [
        _only(allowed, [cut for cut in level if cut > begins])
        for level in (_separators(text), _headings(text), _blanks(text), _bullets(text))
    ]
    cuts: tuple[int, ...] = next(
        (level for level in (_useful(text, one) for one in levels) if level),
        (),
    )
    if most is not None:
        for level in levels:
            cuts = _useful(text, _refine(text, cuts, level, most))
        cuts = _fill(text, cuts, allowed, most)
    return cuts


def _only(allowed: Sequence[int], cuts: Iterable[int]) -> tuple[int, ...]:
    """Cuts at places; one on a blank line goes to the next place."""
    out = []
    for cut in cuts:
        at = bisect_left(allowed, cut)
        if at < len(allowed):
            out.append(allowed[at])
    return tuple(sorted(set(out)))


def _useful(text: str, cuts: Sequence[int]) -> tuple[int, ...]:
    """The cuts that have something on both sides."""
    kept: list[int] = []
    start = 0
    for cut in cuts:
        if _trim(text[start:cut]):
            kept.append(cut)
            start = cut
    while kept and not _trim(text[kept[-1] :]):
        kept.pop()
    return tuple(kept)


def _separators(text: str) -> list[int]:
    return [start for start, line in _lines(text) if _separator().fullmatch(line)]


def _headings(text: str) -> list[int]:
    """Headings; several in a row (a title and its first section) stay together."""
    out, after_heading = [], False
    for start, line in _lines(text):
        heading = _heading().match(line) is not None
        if heading and not after_heading:
            out.append(start)
        after_heading = heading or (after_heading and not line.strip())
    return out


def _blanks(text: str) -> list[int]:
    out, blank = [], False
    for start, line in _lines(text):
        if blank and line.strip():
            out.append(start)
        blank = not line.strip()
    return out


def _bullets(text: str) -> list[int]:
    """The outermost bullets; the first one stays with the line that introduces the list."""
    found = [(start, match) for start, line in _lines(text) if (match := _bullet().match(line))]
    if not found:
        return []
    outermost = min(len(match[1].expandtabs(4)) for _, match in found)
    starts = [start for start, match in found if len(match[1].expandtabs(4)) == outermost]
    before = text[: starts[0]].strip()
    introduced = before and "\n" not in before and (before.endswith((":", "：")) or _heading().match(before))
    return starts[1:] if introduced else starts


def _refine(text: str, cuts: Sequence[int], level: Sequence[int], most: int) -> tuple[int, ...]:
    out = set(cuts)
    edges = [0, *cuts, len(text)]
    for start, end in pairwise(edges):
        if len(_trim(text[start:end])) > most:
            out |= {cut for cut in level if start < cut < end}
    return tuple(sorted(out))


def _fill(text: str, cuts: Sequence[int], allowed: Sequence[int], most: int) -> tuple[int, ...]:
    """Cut what is still too long at the last place that keeps the piece within `most`."""
    out: list[int] = []
    edges = [0, *cuts, len(text)]
    for start, end in pairwise(edges):
        if start:
            out.append(start)
        # Trimming all that is left each time would be quadratic in a huge blob.
        while end - start > most + LONG * STEP or len(_trim(text[start:end])) > most:
            first = bisect_left(allowed, start + 1)
            last = min(bisect_left(allowed, start + most + 1), bisect_left(allowed, end)) - 1
            if last < first:
                if first >= len(allowed) or allowed[first] >= end:
                    break
                last = first
            start = allowed[last]
            out.append(start)
    return tuple(out)
