"""Neighbours that begin alike, such as `Key facts > Ops > Backups: …`, folded into one entry under a common head."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from workbench.curation.shorter import EMPTY_LEVELS

# No folded entry may become a blob: the longest of a hundred real entries has about this many characters.
MOST_CHARS = 700
LEAST_PREFIX = 6


@dataclass(frozen=True, slots=True)
class Folding:
    """Neighbours from index `first` up to and without `last`, and the entry that holds all they say."""

    first: int
    last: int
    prefix: str
    text: str


@cache
def _levels() -> re.Pattern[str]:
    """The breadcrumb in front of an entry: levels that end in `>` or its like, and then one that ends in a colon."""
    return re.compile(r"(?:[^\s>›»→:：|`\"](?:[^>›»→:：|`\"\n]{0,38}[^\s>›»→:：|`\"])? ?[>›»→] ?)+")


@cache
def _label() -> re.Pattern[str]:
    return re.compile(r"[^\s:：|`\"/\\][^:：|`\"\n/\\]{3,38}: (?=\S)")


@cache
def _inner_label() -> re.Pattern[str]:
    return re.compile(r"[^\s:：|`\"/\\][^:：|`\"\n/\\]{0,38}: (?=\S)")


def foldings(texts: Sequence[str], limit: int) -> Iterator[Folding]:
    """Every run of two and more neighbours with one breadcrumb or label in front, as one entry each."""
    at = 0
    while at < len(texts):
        prefix = prefix_of(texts[at], texts[at + 1]) if at + 1 < len(texts) else ""
        end = at + 1
        size = len(texts[at])
        while prefix and end < len(texts) and _begins(texts[end], prefix):
            size += len(texts[end]) - len(prefix) + 1
            if size > min(MOST_CHARS, limit):
                break
            end += 1
        if prefix and end - at > 1:
            text = "\n".join((head_of(prefix), *(one[len(prefix) :].strip() for one in texts[at:end])))
            yield Folding(at, end, prefix, text)
        at = end


def prefix_of(one: str, other: str) -> str:
    """The longest breadcrumb with its label, or label alone, that both texts begin with; "" for none worth folding."""
    for prefix in _prefixes(one):
        if len(prefix) >= LEAST_PREFIX and _begins(one, prefix) and _begins(other, prefix):
            return prefix
    return ""


def _prefixes(text: str) -> Iterator[str]:
    """What may be a common beginning, the longest first: `a > b > c: `, `a > b > `, `a > `, or a label `c: `."""
    levels = _levels().match(text)
    if levels is None:
        label = _label().match(text)
        if label is not None:
            yield label[0]
        return
    inner = _inner_label().match(text, levels.end())
    if inner is not None:
        yield text[: inner.end()]
    ends = [match.end() for match in re.finditer(r"[>›»→] ?", levels[0])]
    for end in reversed(ends):
        yield text[:end]


def head_of(prefix: str) -> str:
    """The line over the folded entries: the breadcrumb without the levels that say nothing."""
    levels = [level.strip() for level in re.split(r"[>›»→:：]", prefix) if level.strip()]
    telling = [level for level in levels if level.casefold() not in EMPTY_LEVELS]
    return " > ".join(telling or levels[-1:]) + ":"


def _begins(text: str, prefix: str) -> bool:
    return text.startswith(prefix) and len(text) > len(prefix) and not re.search(r"\n|```|^\|", text)
