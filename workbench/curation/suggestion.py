"""What a suggestion is, and making one: what it frees is what `apply` says on the documents as they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from workbench.memory.applying import apply, targets_of
from workbench.memory.document import TARGETS, Document, count, entry_id
from workbench.memory.operations import Operation

# Above this many entries a suggestion is tried on the entries it is about and their store's size, not on a copy of
# the whole store: the result is the same and does not cost a pass over thousands of texts each.
MANY_ENTRIES = 300

# From this many estimated characters lost on, a suggestion is not for taking unseen.
LOSES = 12

KINDS: Mapping[str, str] = {
    "same": "The same fact twice: equal but for case, punctuation and width.",
    "contained": "An entry that another one says word for word.",
    "reworded": "The same fact in other words: numbers, names and negation agree.",
    "contradiction": "One subject with two values; the older entry, by file order and history, would go.",
    "belongs": "A fact about the person in MEMORY.md, or about machines in USER.md: move it.",
    "in_skill": "Steps that a skill of this home holds already: name the skill instead.",
    "shorter": "The same words in fewer characters: common beginnings folded, emphasis, fillers, doubled spaces.",
    "empty": "A caption, heading or line that says nothing.",
    "time_bound": "Finished work, temporary paths, dated notes. Quiet: shown only when asked for.",
    "copied": "An entry that another profile holds too. Quiet: shown only when asked for.",
}
QUIET = frozenset({"time_bound", "copied"})
"""Kinds that are no fault of an entry; they are looked for only when somebody asks."""


@dataclass(frozen=True)
class Suggestion:
    """One way to make room, which becomes an operation only when somebody takes it.

    `id` depends on the kind and the texts alone, so that a dismissal holds as long as they stay. `entries` are
    (target, entry id): first what goes or changes, then what stays because of it; `texts` are theirs. `freed` is
    the characters the store of the first entry has less of afterwards (a move fills the other store by as many).
    `loss` estimates the information lost in characters: 0 when every word stays somewhere the agent reads.
    `confidence` is between 0 and 1. `operation` names its entries by their exact text.
    """

    id: str
    kind: str
    entries: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]
    why: str
    freed: int
    operation: Operation
    loss: int
    confidence: float

    @property
    def target(self) -> str:
        """The store that gets room."""
        return self.entries[0][0]


@dataclass(frozen=True)
class Idea:
    """A suggestion before it was tried: `about` are (target, text) in the order of Suggestion.entries."""

    kind: str
    about: tuple[tuple[str, str], ...]
    why: str
    operation: Operation
    loss: int = 0
    confidence: float = 1.0


class Bench:
    """The stores on which ideas are tried."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.limits = {target: documents[target].limit for target in TARGETS}
        self.stores: dict[str, tuple[str, ...]] = {target: documents[target].texts for target in TARGETS}
        # A file that cannot be read takes no write, and nothing can be said of what it holds.
        self.closed = frozenset(target for target in TARGETS if documents[target].state == "unreadable")

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        return {target: frozenset(texts) for target, texts in self.stores.items()}

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {target: count(texts) for target, texts in self.stores.items()}

    @cached_property
    def _longest(self) -> dict[str, int]:
        return {target: max(map(len, texts), default=0) for target, texts in self.stores.items()}

    def tried(self, idea: Idea) -> Suggestion | None:
        """The idea as a suggestion; None when it cannot be applied as it is, needs a confirmation or frees nothing."""
        target = idea.about[0][0]
        touched = targets_of(idea.operation)
        if self.closed & set(touched):
            return None
        stores, limits = self._stage(idea, touched)
        outcome = apply(stores, idea.operation, limits)
        if outcome.refused is not None or outcome.confirm or outcome.findings:
            return None
        freed = count(outcome.before[target]) - count(outcome.after[target])
        if freed <= 0:
            return None
        entries = tuple((where, entry_id(text)) for where, text in idea.about)
        return Suggestion(
            suggestion_id(idea.kind, idea.about),
            idea.kind,
            entries,
            tuple(text for _, text in idea.about),
            idea.why,
            freed,
            outcome.operation,
            idea.loss,
            idea.confidence,
        )

    def _stage(self, idea: Idea, touched: Sequence[str]) -> tuple[dict[str, tuple[str, ...]], dict[str, int]]:
        """The stores to try an idea on: all of them, or for thousands of entries a part that behaves alike."""
        if sum(map(len, self.stores.values())) <= MANY_ENTRIES:
            return self.stores, self.limits
        stores = {target: () if target not in touched else self.stores[target] for target in TARGETS}
        for target in touched:
            if 0 < self.limits[target] < self._longest[target]:
                return stores, self.limits  # lossy: `apply` has to see the entry that makes it so
            named = {text for where, text in idea.about if where == target}
            first = min(self.stores[target].index(text) for text in named) if named else 0
            part = [*self.stores[target][first : first + 12], *self.stores[target][:1], *self.stores[target][-1:]]
            result = getattr(idea.operation, "content", None)
            if isinstance(result, str) and result in self._known[target]:
                part.append(result)
            stores[target] = tuple(dict.fromkeys([*part, *(t for t in self.stores[target] if t in named)]))
        # What the part leaves out still counts against the limit.
        limits = {
            target: self.limits[target] - (self._sizes[target] - count(stores[target])) if target in touched else limit
            for target, limit in self.limits.items()
        }
        return stores, limits


def together(suggestions: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Those that can be taken at once: in the order given, each that touches no entry of one before it."""
    touched: set[tuple[str, str]] = set()
    kept = []
    for one in suggestions:
        if not touched & set(one.entries):
            touched |= set(one.entries)
            kept.append(one)
    return tuple(kept)


def suggestion_id(kind: str, about: Sequence[tuple[str, str]]) -> str:
    """The first 12 hex digits of a SHA-256 over the kind and the texts."""
    parts = "\0".join((kind, *(f"{target}\0{text}" for target, text in about)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]
