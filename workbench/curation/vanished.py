"""Removed lately: entries that the history saw and that are in no store any more, with when and by whom."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from workbench.errors import DamagedVersion, Usage
from workbench.history.past import Past
from workbench.history.records import ChangeSet
from workbench.memory.diff import difference, place_after
from workbench.memory.document import TARGETS, Document, entry_id, parse
from workbench.memory.files import MemoryFiles
from workbench.memory.loss import words
from workbench.memory.operations import Add

# How many change sets of a file are looked through at most.
MOST_CHANGES = 300
# An entry of which so many words stand in one new entry was merged or folded into it, its heading aside.
STANDS_IN = 0.85


@dataclass(frozen=True)
class Removed:
    """An entry that vanished: `at` is when (Unix seconds), `actor` and `hint` whose change it was (see ChangeSet).

    `first_seen` is when the history first met it, `change` the change set that took it away, `beside` the store's
    entries just before, so that it can go back to its place.
    """

    id: str
    target: str
    text: str
    at: float
    change: int
    actor: str
    hint: str
    kind: str
    first_seen: float
    beside: tuple[str, ...]

    @property
    def lived(self) -> float:
        """Seconds between the first sight and the end."""
        return max(0.0, self.at - self.first_seen)

    @property
    def whose(self) -> str:
        """In words, who took it away."""
        if self.actor == "workbench":
            return "you"
        if self.actor == "agent":
            return "the agent"
        return "outside, in the agent's form" if self.hint else "outside"


def removed(
    history: Past,
    files: MemoryFiles,
    documents: Mapping[str, Document],
    target: str | None = None,
    *,
    since: float = 0.0,
) -> tuple[Removed, ...]:
    """The entries that vanished since a time (Unix seconds), newest first; each text once, at its last end.

    An edit or a merge is no end: an entry whose words stand in one new entry of the next version has not vanished,
    nor has one that stands in either store now. A file that cannot be read now is not taken for an empty one.
    """
    present = {text for document in documents.values() for text in document.texts}
    found: dict[str, Removed] = {}
    for name in (target,) if target else TARGETS:
        if documents[name].state == "unreadable":
            continue
        for one in _of_file(history, files, name, since):
            if one.text not in present and (one.text not in found or found[one.text].at < one.at):
                found[one.text] = one
    return tuple(sorted(found.values(), key=lambda one: (-one.at, -one.change, one.id)))


def put_back(item: Removed, documents: Mapping[str, Document]) -> Add:
    """The operation that puts an entry back to its former place in the store as it is now."""
    texts = documents[item.target].texts
    return Add(item.target, item.text, place_after(item.beside, item.text, texts))


def by_name(items: Collection[Removed], ident: str) -> Removed:
    """The one vanished entry whose id begins with `ident` (at least 4 hex digits). Raises Usage."""
    matches = [item for item in items if len(ident) >= 4 and item.id.startswith(ident.lower())]
    if len(matches) != 1:
        problem = "fits several entries" if matches else "is no entry that vanished"
        raise Usage(f"“{ident[:40]}” {problem}; `workbench memory removed` lists them.")
    return matches[0]


def first_seen(history: Past, files: MemoryFiles) -> dict[str, float]:
    """When the history first saw each text of the memory files, in Unix seconds."""
    seen: dict[str, float] = {}
    for target in TARGETS:
        for change, _, after in _versions(history, files, target):
            for text in after:
                seen[text] = min(change.at, seen.get(text, change.at))
    return seen


def _of_file(history: Past, files: MemoryFiles, target: str, since: float) -> Iterator[Removed]:
    seen: dict[str, float] = {}
    for change, before, after in _versions(history, files, target):
        for text in before:
            seen.setdefault(text, change.at)
        if change.at >= since:
            for text in _ended(before, after):
                yield Removed(
                    entry_id(text), target, text, change.at, change.id, change.actor, change.hint, change.kind,
                    seen[text], before,
                )  # fmt: skip
        for text in after:
            seen.setdefault(text, change.at)


def _ended(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    gone = [text for text in before if text not in set(after)]
    come = [text for text in after if text not in set(before)]
    if gone and come:
        edited = {change.before for change in difference(before, after) if change.kind == "edited"}
        held = [frozenset(words(text)) for text in come]
        gone = [text for text in gone if text not in edited and not any(_stands_in(text, one) for one in held)]
    return gone


def _stands_in(text: str, held: frozenset[str]) -> bool:
    own = words(text)
    return bool(own) and sum(word in held for word in own) >= STANDS_IN * len(own)


def _versions(
    history: Past, files: MemoryFiles, target: str
) -> Iterator[tuple[ChangeSet, tuple[str, ...], tuple[str, ...]]]:
    """The change sets of a file, oldest first, with its entries before and after; unreadable versions are left out."""
    path = files.path(target)
    known: dict[str | None, tuple[str, ...] | None] = {}
    for change in reversed(history.changes(MOST_CHANGES, path=path, everything=True)):
        for file in change.files:
            if file.path != history.name(path) or file.state == "not":
                continue
            sides = [_entries(history, known, sha, target, files.limits[target]) for sha in (file.before, file.after)]
            before, after = sides
            if before is not None and after is not None:
                yield change, before, after


def _entries(
    history: Past, known: dict[str | None, tuple[str, ...] | None], sha: str | None, target: str, limit: int
) -> tuple[str, ...] | None:
    if sha not in known:
        try:
            document = parse(history.bytes_of(sha), target, limit)
        except (DamagedVersion, Usage):
            known[sha] = None  # the history says so where it is looked at; here one version less is known
        else:
            known[sha] = None if document.state == "unreadable" else document.texts
    return known[sha]
