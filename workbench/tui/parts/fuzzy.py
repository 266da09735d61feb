"""Fuzzy matching for lists that are short: every word typed must be found, as a piece or as letters in order."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Match:
    """How well it fits (higher is better) and where: spans in characters of the text, in order, not overlapping."""

    score: int
    spans: tuple[Span, ...]


def fuzzy(wanted: str, text: str) -> Match | None:
    """Match the words of `wanted` anywhere in `text`, whatever their case; None when one of them is not there."""
    folded = text.lower()
    if len(folded) != len(text):  # a letter whose small form is longer would shift the spans
        folded = text
    score, cells = 0, set[int]()
    for word in wanted.lower().split():
        found = _word(word, folded)
        if found is None:
            return None
        score += found[0]
        cells.update(found[1])
    return Match(score, _spans(sorted(cells)))


def _word(word: str, text: str) -> tuple[int, list[int]] | None:
    """A whole piece counts most, more so at the beginning of a word or of the text; scattered letters least."""
    best: tuple[int, int] | None = None
    at = text.find(word)
    while at >= 0:
        begins = at == 0 or not text[at - 1].isalnum()
        worth = 60 + 4 * len(word) + (30 if begins else 0) + (20 if at == 0 else 0) - min(at, 40) // 4
        if best is None or worth > best[0]:
            best = (worth, at)
        at = text.find(word, at + 1)
    if best is not None:
        return best[0], list(range(best[1], best[1] + len(word)))
    # Letters in order, within the label: in a long sentence almost any letters are in order somewhere.
    places, at = [], -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        places.append(at)
    spread = places[-1] - places[0] + 1
    return (max(1, 30 - spread), places) if spread <= 3 * len(word) else None


def _spans(cells: list[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for cell in cells:
        if spans and spans[-1][1] == cell:
            spans[-1] = (spans[-1][0], cell + 1)
        else:
            spans.append((cell, cell + 1))
    return tuple(spans)
