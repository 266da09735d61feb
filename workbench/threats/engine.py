"""Finds the rules of `workbench.threats.rules` in a text, in time that grows with its length.

Every token of a rule is found in one pass. Token by token the engine then keeps the places up to which the rule is
already satisfied. For both kinds of gap the *nearest* earlier place is the best one (whatever a farther one reaches
across it, it reaches too), so each place costs one bisection and nothing is tried twice.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from workbench.threats.rules import Fill, Rule, Step, Stretch

# The letters outside ASCII that Python's IGNORECASE takes for an ASCII one.
_ODD_FOLDS = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
_LONG_RUN = 64


@dataclass(frozen=True)
class Place:
    """A spot up to which a rule is satisfied: where its match began, where its last token ended."""

    start: int
    end: int


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s++"), re.IGNORECASE)


@cache
def _filler(most: int) -> re.Pattern[str]:
    return re.compile(rf"(?:\w++\s++){{0,{most}}}")


@cache
def _spaces() -> re.Pattern[str]:
    return re.compile(r"\s*+")


@cache
def _could_hold_long_run() -> re.Pattern[str]:
    return re.compile(rf"[^\x00-\u02ff\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff\uac00-\ud7a3]{{{_LONG_RUN}}}")


def folded(text: str) -> str:
    """The text in lower case as IGNORECASE sees it, for looking up hints; its length may differ."""
    return (text if text.isascii() else text.translate(_ODD_FOLDS)).lower()


def find(rule: Rule, text: str, hints_in: str) -> Iterator[tuple[int, int]]:
    """Every place of `text` where the rule matches, as (start, end); `hints_in` is `folded(text)`.

    A place is told by its last token, with the nearest beginning that leads to it.
    """
    if not any(hint in hints_in for hint in rule.hints):
        return
    first, rest = rule.steps[0], rule.steps[1:]
    places = [Place(start, end) for start, end in _tokens(first, rest[0] if rest else None, None, text)]
    for gap, token, after in zip(rest[::2], rest[1::2], (*rest[2::2], None), strict=False):
        if not places:
            return
        targets = _tokens(token, after, gap, text)
        if isinstance(gap, Fill):
            places = list(_across_words(gap, places, targets, text))
        elif isinstance(gap, Stretch):
            places = list(_across_stretch(gap, places, targets, text))
    yield from ((place.start, place.end) for place in places)


def _tokens(token: Step, gap_after: Step | None, gap_before: Step | None, text: str) -> Iterator[tuple[int, int]]:
    """All occurrences of a token, as (start, end), that have the white space its gaps ask for beside them."""
    spaced_left = isinstance(gap_before, Fill) or (isinstance(gap_before, Stretch) and gap_before.after)
    spaced_right = isinstance(gap_after, Fill) or (isinstance(gap_after, Stretch) and gap_after.before)
    regex = _regex(("(?<=\\s)" if spaced_left else "") + str(token) + ("(?=\\s)" if spaced_right else ""))
    # A group marks a token whose occurrences may overlap: it then stands in a lookahead and tells the real end.
    return ((m.start(), m.end(regex.groups)) for m in regex.finditer(text))


def _across_words(gap: Fill, places: list[Place], targets: Iterator[tuple[int, int]], text: str) -> Iterator[Place]:
    begins = [_past_spaces(text, place.end) for place in places]
    reach: dict[int, int] = {}
    for token, end in targets:
        at = bisect_right(begins, token) - 1
        if at < 0:
            continue
        if at not in reach:
            words = _filler(gap.most).match(text, begins[at])
            reach[at] = words.end() if words else begins[at]
        if token <= reach[at]:
            yield Place(places[at].start, end)


def _across_stretch(
    gap: Stretch, places: list[Place], targets: Iterator[tuple[int, int]], text: str
) -> Iterator[Place]:
    begins = [_past_spaces(text, place.end) if gap.before else place.end for place in places]
    looked, stop = 0, -1
    for token, end in targets:
        edge = _before_spaces(text, token) if gap.after else token
        if gap.after and gap.before:
            # The two runs of white space may be one: it then has to hold a character for each.
            same = bisect_right(begins, token) - 1
            if same >= 0 and begins[same] == token and token - places[same].end >= 2:
                yield Place(places[same].start, end)
                continue
        at = bisect_right(begins, edge) - 1
        if edge > looked:
            newer = text.rfind(gap.stop, looked, edge)
            stop, looked = (newer if newer >= 0 else stop), edge
        if at >= 0 and stop < begins[at] and edge - begins[at] <= gap.most:
            yield Place(places[at].start, end)


def _past_spaces(text: str, at: int) -> int:
    found = _spaces().match(text, at)
    return found.end() if found else at


def _before_spaces(text: str, at: int) -> int:
    while at > 0 and text[at - 1].isspace():
        at -= 1
    return at


def normalised(text: str) -> str:
    """The text in NFKC. A long run of combining marks, on which the library's own sort is quadratic, costs no more."""
    if text.isascii():
        return text
    if _could_hold_long_run().search(text):
        text = _marks_sorted(text)
    return unicodedata.normalize("NFKC", text)


def _marks_sorted(text: str) -> str:
    """A canonically equivalent text whose long runs of marks are already in canonical order."""
    spelled = {char: unicodedata.normalize("NFKD", char) for char in set(text)}
    expanded = "".join(map(spelled.__getitem__, text))
    pieces: list[str] = []
    for is_mark, run in groupby(expanded, key=lambda char: unicodedata.combining(char) != 0):
        chars = "".join(run)
        pieces.append("".join(sorted(chars, key=unicodedata.combining)) if is_mark else chars)
    return "".join(pieces)


def segments(text: str) -> list[tuple[int, int]]:
    """Where independent pieces of `text` begin, and where each begins in its NFKC form; closed by both lengths.

    A piece ends where the next character neither is, nor decomposes into, something that could merge with what
    stands before it, so the pieces can be normalised one by one.
    """
    joins: dict[str, bool] = {}
    starts = [0]
    for at, char in enumerate(text):
        if at and not char.isascii():
            if char not in joins:
                joins[char] = _joins(char)
            if joins[char]:
                continue
        if at:
            starts.append(at)
    out: list[tuple[int, int]] = []
    shown = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        out.append((start, shown))
        shown += len(normalised(text[start:end]))
    out.append((len(text), shown))
    return out


def _joins(char: str) -> bool:
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"


def span_in_original(marks: list[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The span of the original text whose NFKC form covers [start, end); `marks` come from `segments`."""
    first = bisect_right(marks, start, key=lambda mark: mark[1]) - 1
    last = bisect_right(marks, max(start, end - 1), key=lambda mark: mark[1])
    return marks[first][0], marks[min(last, len(marks) - 1)][0]


def occurring(literals: Iterable[str], texts: str) -> list[str]:
    """The literals that texts hold; one without a blank is looked for in their distinct words only, which are few."""
    words = " ".join(set(texts.split()))
    return [one for one in literals if one in (words if one.split() == [one] else texts)]
