"""Applying an operation to entries. The same call is the preview and the write."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from workbench.errors import (
    Ambiguous,
    BadContent,
    Blocked,
    Conflict,
    Lossy,
    NeedsConfirmation,
    NotFound,
    OverBudget,
    Usage,
    WorkbenchError,
)
from workbench.memory.binding import bound
from workbench.memory.document import (
    BOM,
    DELIMITER,
    count,
    parse,
    serialise,
    universal_newlines,
)
from workbench.memory.loss import loss, words
from workbench.memory.operations import (
    Add,
    Batch,
    Contains,
    Exact,
    Merge,
    Move,
    Normalise,
    Operation,
    Patch,
    Remove,
    Reorder,
    Replace,
    Selector,
    Split,
)
from workbench.memory.select import find
from workbench.threats import Finding, scan

Stores = Mapping[str, tuple[str, ...]]
"""The entries of each store, by target."""

ACCEPT_LOSS = "--accept-loss"
ACCEPT_EMPTY = "--accept-empty"
ACCEPT_BLOCKED = "--accept-blocked"


@dataclass(frozen=True)
class Effect:
    """What happens to one entry: `kind` is added, removed, edited, moved, reordered or unchanged."""

    kind: str
    target: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Outcome:
    """What an operation does to the stores, before anything is written.

    `after` is the result even when `refused` says why it may not be written (over budget, say), so that a preview can
    show it. `operation` is the one given with every selector resolved to the exact text. `confirm` lists what must be
    agreed to first. `findings` holds what the scanner says of the text added, as (target, text, finding).
    """

    operation: Operation
    before: Stores
    after: Stores
    effects: tuple[Effect, ...]
    refused: WorkbenchError | None = None
    confirm: tuple[NeedsConfirmation, ...] = ()
    findings: tuple[tuple[str, str, Finding], ...] = ()

    @property
    def changed(self) -> tuple[str, ...]:
        """The targets whose entries change."""
        return tuple([target for target, texts in self.before.items() if texts != self.after[target]])

    def check(self, accepted: frozenset[str] = frozenset()) -> None:
        """Raise what stands in the way of writing: the refusal, or the first confirmation not in `accepted`."""
        if self.refused is not None:
            raise self.refused
        for needed in self.confirm:
            if needed.flag not in accepted:
                raise needed


@dataclass
class _Work:
    """The state while operations are applied one after the other."""

    stores: dict[str, list[str]]
    limits: Mapping[str, int]
    clean: Container[str] = ()
    effects: list[Effect] = field(default_factory=list)
    confirm: list[NeedsConfirmation] = field(default_factory=list)
    findings: list[tuple[str, str, Finding]] = field(default_factory=list)
    added_text: set[str] = field(default_factory=set)
    moved: tuple[tuple[str, str], ...] = ()

    def judge(self, target: str, text: str, sources: Sequence[str] = ()) -> None:
        """Scan text that an operation adds; what its sources held already is not the operation's doing."""
        self.added_text.add(target)
        if text in self.clean:
            return
        found = scan(text, "strict")
        if not found:
            return
        known = {(f.pattern, source[f.start : f.end]) for source in sources for f in scan(source, "strict")}
        fresh = [f for f in found if (f.pattern, text[f.start : f.end]) not in known]
        self.findings.extend((target, text, finding) for finding in fresh)
        blocks = tuple(f for f in fresh if f.level == "blocks")
        if blocks:
            raise Blocked(target, tuple((f.pattern, f.level, f.start, f.end, f.explanation) for f in blocks))
        benign = [f for f in fresh if f.level == "likely_benign"]
        if benign:
            names = ", ".join(dict.fromkeys(f.pattern for f in benign))
            what = (
                f"The text looks harmless, but the agent's scanner takes it for {names}: "
                "it would be kept in the file and hidden from the prompt."
            )
            self.confirm.append(NeedsConfirmation(what, ACCEPT_BLOCKED))


def clean(content: str) -> str:
    """Return the text as an entry stores it: line ends as LF, stripped. Raises BadContent when it cannot be one entry.

    The clients up to 0.22 store a line of `§` as it comes and read it back as other entries; refusing is our policy.
    """
    text = universal_newlines(content).strip()
    if not text:
        raise BadContent("empty")
    if text.isascii():  # then no delimiter is in it, and no half of a character
        return text
    pieces = text.split(DELIMITER)
    if len(pieces) > 1:
        raise BadContent("delimiter", len(pieces))
    if text.startswith("§\n") or text.endswith("\n§") or text == "§":
        raise BadContent("stray_delimiter")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadContent("surrogate") from None
    return text


def apply(
    stores: Stores, operation: Operation, limits: Mapping[str, int], clean: Container[str] = frozenset()
) -> Outcome:
    """Apply an operation to the entries of the stores; never raises for what can be wrong with it.

    `limits` are characters by target. `clean` are texts of which the scanner is known to find nothing
    (`threats.harmless`), so that it need not be asked. See Outcome for what comes back; it keeps `stores`, no copy.
    """
    work = _Work({target: list(stores[target]) for target in targets_of(operation)}, limits, clean)
    resolved, refused = operation, None
    try:
        _refuse_on_lossy(stores, work, operation)
        resolved = _perform(work, operation)
    except WorkbenchError as error:
        refused = error.with_traceback(None)  # it is kept, and its frames would be with it
    after = dict(stores)
    for target, texts in work.stores.items():
        after[target] = tuple(dict.fromkeys(texts))
    if refused is None:
        refused = _first_problem(stores, after, work, resolved)
        _ask_when_emptying(stores, after, work)
    return bound(
        Outcome,
        operation=resolved,
        before=stores,
        after=after,
        effects=tuple(work.effects),
        refused=refused,
        confirm=tuple(work.confirm),
        findings=tuple(work.findings),
    )


def flatten(operation: Operation) -> tuple[Operation, ...]:
    """The single operations in the order in which they are applied."""
    if isinstance(operation, Batch):
        return tuple(inner for one in operation.operations for inner in flatten(one))
    return (operation,)


_MANIFOLD = Batch | Move


def targets_of(operation: Operation) -> tuple[str, ...]:
    """The stores an operation touches, in lock order."""
    if not isinstance(operation, _MANIFOLD):
        return (operation.target,)
    named: set[str] = set()
    for one in flatten(operation):
        if not isinstance(one, Batch):
            named.add(one.target)
        if isinstance(one, Move):
            named.add(one.to)
    return tuple(target for target in ("memory", "user") if target in named)


# -- the operations -------------------------------------------------------------------------------------------------


def _perform(work: _Work, operation: Operation) -> Operation:
    """Apply one operation to the work and return it with its selectors resolved."""
    match operation:
        case Batch():
            return Batch(tuple(_perform(work, inner) for inner in operation.operations))
        case Add():
            return _add(work, operation)
        case Replace():
            return _replace(work, operation)
        case Patch():
            return _patch(work, operation)
        case Remove():
            index = _find(work, operation.target, operation.entry)
            text = work.stores[operation.target].pop(index)
            work.effects.append(Effect("removed", operation.target, text, None))
            return Remove(operation.target, Exact(text))
        case Move():
            return _move(work, operation)
        case Merge():
            return _merge(work, operation)
        case Split():
            return _split(work, operation)
        case Reorder():
            return _reorder(work, operation)
        case Normalise():
            return operation


def _find(work: _Work, target: str, selector: Selector, yours: str = "") -> int:
    return find(work.stores[target], selector, target, yours=yours)


def _add(work: _Work, operation: Add) -> Operation:
    text = clean(operation.content)
    resolved = operation if text == operation.content else replace(operation, content=text)
    entries = work.stores[operation.target]
    if text in entries:
        work.effects.append(Effect("unchanged", operation.target, text, text))
        return resolved
    work.judge(operation.target, text)
    position = len(entries) if operation.position is None else _place(operation.position, len(entries))
    entries.insert(position, text)
    work.effects.append(Effect("added", operation.target, None, text))
    return resolved


def _replace(work: _Work, operation: Replace) -> Operation:
    text = clean(operation.content)
    index = _find(work, operation.target, operation.entry, text)
    entries = work.stores[operation.target]
    before = entries[index]
    looked_at = operation.old_text
    if looked_at is None and isinstance(operation.entry, Contains):
        looked_at = operation.entry.old_text
    if looked_at is not None and (lost := loss(before, looked_at.strip(), text)) is not None:
        what = (
            f"The replace swaps the whole entry: it shrinks from {lost.chars_before} to {lost.chars_after} characters "
            f"and {lost.chars_outside} characters outside of the text it names are lost."
            if lost.chars_after < lost.chars_before
            else f"The replace swaps the whole entry: {len(lost.words)} words outside of the text it names are lost."
        )
        work.confirm.append(NeedsConfirmation(what, ACCEPT_LOSS))
    work.judge(operation.target, text, (before,))
    entries[index] = text
    work.effects.append(Effect("edited" if text != before else "unchanged", operation.target, before, text))
    return Replace(operation.target, Exact(before), text, operation.old_text)


def _patch(work: _Work, operation: Patch) -> Operation:
    index = _find(work, operation.target, operation.entry, operation.new_text)
    entries = work.stores[operation.target]
    before = entries[index]
    old = operation.old_text if operation.old_text in before else operation.old_text.strip()
    found = before.count(old) if old else 0
    if found == 0:
        raise NotFound(operation.target, operation.old_text, tuple(entries))
    if found > 1:
        raise Ambiguous(operation.target, operation.old_text, (before,) * found)
    text = clean(before.replace(old, universal_newlines(operation.new_text), 1))
    work.judge(operation.target, text, (before,))
    entries[index] = text
    work.effects.append(Effect("edited" if text != before else "unchanged", operation.target, before, text))
    return replace(operation, entry=Exact(before))


def _move(work: _Work, operation: Move) -> Operation:
    index = _find(work, operation.target, operation.entry)
    text = work.stores[operation.target].pop(index)
    goal = work.stores[operation.to]
    if text not in goal:
        position = len(goal) if operation.position is None else _place(operation.position, len(goal))
        goal.insert(position, text)
        work.added_text.add(operation.to)
    work.moved += ((operation.target, text),)
    work.effects.append(Effect("moved", operation.target, text, text))
    return replace(operation, entry=Exact(text))


def _merge(work: _Work, operation: Merge) -> Operation:
    text = clean(operation.content)
    entries = work.stores[operation.target]
    indexes = [_find(work, operation.target, selector, text) for selector in operation.entries]
    if len(set(indexes)) < 2:
        raise Usage("A merge needs at least two different entries.")
    sources = tuple(entries[index] for index in indexes)
    work.judge(operation.target, text, sources)
    first = min(indexes)
    entries[first] = text
    for index in sorted(set(indexes) - {first}, reverse=True):
        del entries[index]
    work.effects.extend(Effect("removed", operation.target, source, None) for source in sources)
    work.effects.append(Effect("added", operation.target, None, text))
    return replace(operation, entries=tuple(Exact(source) for source in sources), content=text)


def _split(work: _Work, operation: Split) -> Operation:
    pieces = tuple(clean(piece) for piece in operation.pieces)
    index = _find(work, operation.target, operation.entry, DELIMITER.join(pieces))
    entries = work.stores[operation.target]
    before = entries[index]
    kept = {word for piece in pieces for word in words(piece)}
    lost = [word for word in dict.fromkeys(words(before)) if word not in kept]
    if lost and _letters(before) != _letters("".join(pieces)):  # a cut through a word loses nothing
        what = f"The pieces leave {len(lost)} words of the entry out, “{lost[0]}” among them."
        work.confirm.append(NeedsConfirmation(what, ACCEPT_LOSS))
    for piece in pieces:
        work.judge(operation.target, piece, (before,))
    entries[index : index + 1] = pieces
    work.effects.append(Effect("removed", operation.target, before, None))
    work.effects.extend(Effect("added", operation.target, None, piece) for piece in pieces)
    return replace(operation, entry=Exact(before), pieces=pieces)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _reorder(work: _Work, operation: Reorder) -> Operation:
    index = _find(work, operation.target, operation.entry)
    entries = work.stores[operation.target]
    position = _place(operation.position, len(entries) - 1)
    text = entries.pop(index)
    entries.insert(position, text)
    work.effects.append(Effect("reordered" if index != position else "unchanged", operation.target, text, text))
    return replace(operation, entry=Exact(text))


def _place(position: int, last: int) -> int:
    if not 0 <= position <= last:
        raise Usage(f"There is no place {position}; the store has places 0 to {last}.")
    return position


# -- what may stand in the way --------------------------------------------------------------------------------------


def _refuse_on_lossy(stores: Stores, work: _Work, operation: Operation) -> None:
    """A store with an entry longer than its limit takes nothing but splits and trims of such an entry."""
    for target, texts in stores.items():
        if target not in work.stores:
            continue
        limit = work.limits[target]
        longest = _longest(texts)
        if limit <= 0 or longest <= limit:
            continue
        for one in flatten(operation):
            if not _repairs(work, one, target, limit):
                raise Lossy(target, longest, limit)


def _repairs(work: _Work, operation: Operation, target: str, limit: int) -> bool:
    if isinstance(operation, Batch) or (operation.target != target and not isinstance(operation, Move)):
        return True
    if not isinstance(operation, Split | Replace | Patch):
        return False
    try:
        entry = work.stores[target][_find(work, target, operation.entry)]
    except (Conflict, NotFound, Ambiguous):
        return True  # said when it is applied
    if len(entry) <= limit:
        return False
    if isinstance(operation, Patch):
        return len(operation.new_text) < len(operation.old_text)
    return isinstance(operation, Split) or len(operation.content) < len(entry)


def _first_problem(before: Stores, after: Stores, work: _Work, operation: Operation) -> WorkbenchError | None:
    for target, texts in after.items():
        if texts == before[target]:
            continue
        limit = work.limits[target]
        then = count(texts)
        if then > limit:
            now = count(before[target])
            repaired = 0 < limit < _longest(before[target])
            grows = then > now or (then == now and target in work.added_text)
            if grows and not repaired:
                return OverBudget(target, now, then, limit)
        # Every text of the store was there before, or is that of an effect.
        fresh = [one.after for one in work.effects if one.after is not None]
        if _all_plain(before[target]) and all(map(_plain, fresh)):
            continue
        written = parse(serialise(texts), target, limit)
        if written.texts != texts:
            return BadContent("round_trip", len(written.texts))
    return None


@lru_cache(maxsize=8)
def _longest(texts: tuple[str, ...]) -> int:
    """Characters of the longest entry; many operations are held against the same entries."""
    return max(map(len, texts), default=0)


@lru_cache(maxsize=8)
def _all_plain(texts: tuple[str, ...]) -> bool:
    return all(map(_plain, texts))


@lru_cache(maxsize=1024)
def _plain(text: str) -> bool:
    """Whether distinct entries like this one, joined, are read back as they are without having to try it.

    Then no delimiter can arise at a joint or be cut in two, nothing is stripped, and every line ends in LF. A lone
    surrogate is none of that, so that what cannot be encoded fails where it did.
    """
    return (
        text == text.strip()
        and text != ""
        and "§" not in text
        and "\r" not in text
        and not text.startswith(BOM)
        and (text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text))
    )


def _ask_when_emptying(before: Stores, after: Stores, work: _Work) -> None:
    for target, texts in after.items():
        if texts or not before[target]:
            continue
        gone = [text for text in before[target] if (target, text) not in work.moved]
        if gone:
            what = f"This empties {target}: all {len(gone)} entries are removed."
            work.confirm.append(NeedsConfirmation(what, ACCEPT_EMPTY))
