"""Finding the one entry that is meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from workbench.errors import Ambiguous, Conflict, NotFound, Usage
from workbench.memory.document import entry_id
from workbench.memory.operations import Contains, Exact, Pinned, Selector

# Characters that people and models swap freely; 0.22 folds them before it gives up on a match.
_FOLD = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "\u00a0": " ",
    }
)
_SPACE = re.compile(r"\s+")
_ID = re.compile(r"[0-9a-f]{4,12}")


def fold(text: str) -> str:
    """Quotes, dashes and white space made alike."""
    return _SPACE.sub(" ", text.translate(_FOLD)).strip()


def find(entries: Sequence[str], selector: Selector, target: str, *, yours: str = "") -> int:
    """Return the index of the entry meant.

    Exact and Pinned mean that text and nothing else: Conflict (with `yours`, what was to be written) when it is gone.
    Contains prefers a whole entry, then a substring, then a match with quotes, dashes and white space folded (the
    order of 0.22); NotFound or Ambiguous otherwise.
    """
    if isinstance(selector, Contains):
        return _containing(entries, selector.old_text.strip(), target)
    text = selector.text if isinstance(selector, Exact) else selector.matched_entry
    try:
        return list(entries).index(text)
    except ValueError:
        # The reader strips entries, a pin or a script may not have.
        stripped = text.strip()
        if isinstance(selector, Pinned) and stripped in entries:
            return list(entries).index(stripped)
        raise Conflict(target, text, yours, tuple(entries)) from None


def _containing(entries: Sequence[str], wanted: str, target: str) -> int:
    if wanted in entries:
        return list(entries).index(wanted)
    hits = [index for index, entry in enumerate(entries) if wanted in entry]
    if not hits:
        folded = fold(wanted)
        hits = [index for index, entry in enumerate(entries) if folded and folded in fold(entry)]
    if not hits:
        closest = difflib.get_close_matches(wanted, entries, n=3, cutoff=0.4) if len(entries) <= 200 else []
        raise NotFound(target, wanted, tuple(entries), tuple(closest))
    if len(hits) > 1:
        raise Ambiguous(target, wanted, tuple(entries[index] for index in hits))
    return hits[0]


def by_id(entries: Sequence[str], ident: str, target: str) -> str:
    """Return the text of the entry whose id is, or uniquely begins with, `ident` (at least 4 hex digits)."""
    matches = [entry for entry in entries if entry_id(entry).startswith(ident.lower())]
    if not matches or len(ident) < 4:
        raise NotFound(target, ident, tuple(entries))
    if len(matches) > 1:
        raise Ambiguous(target, ident, tuple(matches))
    return matches[0]


def from_words(entries: Sequence[str], wanted: str, target: str) -> Selector:
    """Read what a person typed for an entry: its exact text, its id (or the beginning), `#n`, or text it contains.

    Raises Usage for a number that is not there, Ambiguous when the text is both an id and part of another entry.
    """
    if wanted in entries:
        return Exact(wanted)
    if wanted.startswith("#") and wanted[1:].isdecimal():
        number = int(wanted[1:])
        if not 1 <= number <= len(entries):
            raise Usage(f"There is no entry {wanted} in {target}; it holds {len(entries)}.")
        return Exact(entries[number - 1])
    if _ID.fullmatch(wanted.lower()):
        matches = [entry for entry in entries if entry_id(entry).startswith(wanted.lower())]
        if len(matches) == 1:
            # A port or a year can be the beginning of an id: then both readings are named, none is taken.
            meant = [matches[0], *(entry for entry in entries if wanted in entry and entry != matches[0])]
            if len(meant) > 1:
                raise Ambiguous(target, wanted, tuple(meant))
            return Exact(matches[0])
    return Contains(wanted)
