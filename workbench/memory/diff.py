"""The difference between two versions of a store, by similarity: an edited entry is one change."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# An edit keeps 72 % of an entry's text in the wild (median); below a half it is another fact.
SAME_FACT = 0.5
# Above this many candidate pairs only neighbours are compared: a comparison of two entries costs about 0.2 ms.
MANY_PAIRS = 2_500
# Two texts with more characters together are compared by their ends: all else takes seconds for each megabyte.
HUGE = 1_000_000


@dataclass(frozen=True)
class EntryChange:
    """One entry's fate: `kind` is same, moved, edited, added or removed; `ratio` is the similarity of an edit."""

    kind: str
    before: str | None
    after: str | None
    ratio: float = 1.0


def difference(before: Sequence[str], after: Sequence[str]) -> tuple[EntryChange, ...]:
    """Compare two lists of distinct entries; in the order of `after`, removed ones where they stood.

    Equal texts are matched first (*moved* when their order changed), then the most alike of the rest with a ratio of
    0.5 and up become *edited*.
    """
    old, new = list(dict.fromkeys(before)), list(dict.fromkeys(after))
    kept = set(old) & set(new)
    in_order = _longest_ordered([text for text in new if text in kept], old)
    pairs = _similar_pairs([text for text in old if text not in kept], [text for text in new if text not in kept])
    back = {b: (a, ratio) for a, (b, ratio) in pairs.items()}

    out: list[EntryChange] = []
    pending = [text for text in old if text not in kept and text not in pairs]
    position = {text: index for index, text in enumerate(old)}
    for text in new:
        if text in kept:
            source: str | None = text
            change = EntryChange("same" if text in in_order else "moved", text, text)
        elif text in back:
            source, ratio = back[text]
            change = EntryChange("edited", source, text, ratio)
        else:
            source, change = None, EntryChange("added", None, text)
        if source is not None:
            while pending and position[pending[0]] < position[source]:
                out.append(EntryChange("removed", pending.pop(0), None))
        out.append(change)
    out.extend(EntryChange("removed", text, None) for text in pending)
    return tuple(out)


def summary(changes: Sequence[EntryChange]) -> str:
    """Counts in the form `+1 −2 ~1 ↕1`; "" when nothing changed."""
    signs = (("added", "+"), ("removed", "−"), ("edited", "~"), ("moved", "↕"))
    counts = ((sign, sum(change.kind == kind for change in changes)) for kind, sign in signs)
    return " ".join(f"{sign}{number}" for sign, number in counts if number)


def invert(
    before: Sequence[str], after: Sequence[str], now: Sequence[str]
) -> tuple[tuple[str, ...], tuple[EntryChange, ...]]:
    """Take the step from `before` to `after` back on a store that has moved on to `now`.

    Works by identity: what was added goes, what was removed returns to its place, what was edited gets its old text.
    Returns the new entries and the changes that could not be taken back because their entry is gone.
    """
    result = list(now)
    conflicts: list[EntryChange] = []
    changes = difference(before, after)
    for change in changes:
        if change.kind == "added" and change.after is not None:
            if change.after in result:
                result.remove(change.after)
            else:
                conflicts.append(change)
        elif change.kind == "edited" and change.after is not None and change.before is not None:
            if change.after in result:
                result[result.index(change.after)] = change.before
            elif change.before not in result:
                conflicts.append(change)
    order = list(before)
    for text in (change.before for change in changes if change.kind == "removed"):
        if text is not None and text not in result:
            result.insert(place_after(order, text, result), text)
    if set(result) == set(before) and set(now) == set(after):
        result = order  # nobody else changed anything: an undone reorder gets its order back as well
    return tuple(dict.fromkeys(result)), tuple(conflicts)


def place_after(order: Sequence[str], text: str, result: Sequence[str]) -> int:
    """Where in `result` to put an entry of `order` back: behind its nearest former predecessor that is still there."""
    for former in reversed(order[: order.index(text)]):
        if former in result:
            return list(result).index(former) + 1
    return 0


def _longest_ordered(new: Sequence[str], old: Sequence[str]) -> set[str]:
    """The largest set of common texts whose order did not change (so that one moved entry is one move)."""
    place = {text: index for index, text in enumerate(old)}
    matcher = difflib.SequenceMatcher(None, [place[text] for text in new], sorted(place[text] for text in new), False)
    return {new[index] for block in matcher.get_matching_blocks() for index in range(block.a, block.a + block.size)}


def _similar_pairs(gone: Sequence[str], come: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Pair removed with added texts, the most alike first; each text is used once."""
    everything = len(gone) * len(come) <= MANY_PAIRS
    window = 8 if everything else max(8, min(40, MANY_PAIRS * 8 // max(len(gone), len(come))))
    scored: list[tuple[float, int, int]] = []
    for i, old in enumerate(gone):
        matcher: difflib.SequenceMatcher[str] | None = None  # made when it is needed: it reads all of the text
        for j, new in enumerate(come):
            if not everything and abs(i - j) > window:
                continue
            if 2 * min(len(old), len(new)) < SAME_FACT * (len(old) + len(new)):
                continue  # their lengths alone say so
            if len(old) + len(new) > HUGE:
                ratio = _ends_alike(old, new)
            else:
                if matcher is None:
                    matcher = difflib.SequenceMatcher(None, autojunk=False)
                    matcher.set_seq2(old)
                matcher.set_seq1(new)
                ratio = matcher.quick_ratio()
                if ratio >= SAME_FACT and len(old) * len(new) < 4_000_000:
                    ratio = matcher.ratio()
            if ratio >= SAME_FACT:
                scored.append((ratio, i, j))
    return _best(gone, come, scored)


def _ends_alike(old: str, new: str) -> float:
    """How alike two texts are at least: the one holds the other, or by what they have in common at both ends."""
    shorter = min(len(old), len(new))
    if old in new or new in old:
        return 2 * shorter / (len(old) + len(new))
    head = _common(shorter, lambda size: old[:size] == new[:size])
    tail = _common(shorter - head, lambda size: size == 0 or old[-size:] == new[-size:])
    return 2 * (head + tail) / (len(old) + len(new))


def _common(most: int, alike: Callable[[int], bool]) -> int:
    """The largest size up to `most` for which two ends are alike."""
    return bisect_left(range(1, most + 1), True, key=lambda size: not alike(size))


def _best(
    gone: Sequence[str], come: Sequence[str], scored: list[tuple[float, int, int]]
) -> dict[str, tuple[str, float]]:
    """Of the scored pairs (ratio, places) the most alike first, each text once."""
    pairs: dict[str, tuple[str, float]] = {}
    used: set[int] = set()
    for ratio, i, j in sorted(scored, key=lambda row: (-row[0], abs(row[1] - row[2]), row[1])):
        if gone[i] not in pairs and j not in used:
            pairs[gone[i]] = (come[j], ratio)
            used.add(j)
    return pairs
