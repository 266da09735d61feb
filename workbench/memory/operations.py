"""Operations as data: one type, whatever the source (a key, a verb, a pending record, a draft, an undo)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.errors import Usage
from workbench.memory.document import TARGETS


@dataclass(frozen=True)
class Exact:
    """The entry with exactly this text."""

    text: str


@dataclass(frozen=True)
class Pinned:
    """The entry that was reviewed, by its full text (0.22's `matched_entry`); never re-aimed at another one."""

    matched_entry: str


@dataclass(frozen=True)
class Contains:
    """The one entry that holds this text: only from client-shaped input, resolved once into Exact."""

    old_text: str


Selector = Exact | Pinned | Contains


@dataclass(frozen=True)
class Add:
    """Put a new entry at the end, or before the entry at `position` (counts from 0)."""

    target: str
    content: str
    position: int | None = None


@dataclass(frozen=True)
class Replace:
    """Swap a whole entry. `old_text` is what the proposer looked at, when that was less than the entry."""

    target: str
    entry: Selector
    content: str
    old_text: str | None = None


@dataclass(frozen=True)
class Patch:
    """Change one span inside an entry and keep the rest (0.22)."""

    target: str
    entry: Selector
    old_text: str
    new_text: str


@dataclass(frozen=True)
class Remove:
    """Take an entry away."""

    target: str
    entry: Selector


@dataclass(frozen=True)
class Move:
    """Take an entry to the other store, to its end or to `position`."""

    target: str
    entry: Selector
    to: str
    position: int | None = None


@dataclass(frozen=True)
class Merge:
    """Make one entry, with the text `content`, out of several; it stands where the first of them stood."""

    target: str
    entries: tuple[Selector, ...]
    content: str


@dataclass(frozen=True)
class Split:
    """Cut an entry into several, in place."""

    target: str
    entry: Selector
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Reorder:
    """Give an entry another place: `position` counts from 0 in the store as it will be."""

    target: str
    entry: Selector
    position: int


@dataclass(frozen=True)
class Normalise:
    """Write the file in the client's own form; the entries stay as they are."""

    target: str


@dataclass(frozen=True)
class Batch:
    """Several operations, all or nothing; limits are checked on the final state (0.19)."""

    operations: tuple[Operation, ...]


Operation = Add | Replace | Patch | Remove | Move | Merge | Split | Reorder | Normalise | Batch

Resolve = Callable[[str, str], str]
"""(target, entry id) to the entry's text; raises NotFound."""


def selectors_of(operation: Operation) -> tuple[Selector, ...]:
    """Every selector of a single operation; none for what names no entry (and for a batch)."""
    if isinstance(operation, Merge):
        return operation.entries
    if isinstance(operation, Replace | Patch | Remove | Move | Split | Reorder):
        return (operation.entry,)
    return ()


def to_json(operation: Operation) -> dict[str, Any]:
    """Return the operation as plain JSON data, in the form `from_json` reads."""
    if isinstance(operation, Batch):
        return {"action": "batch", "operations": [to_json(inner) for inner in operation.operations]}
    out: dict[str, Any] = {"action": type(operation).__name__.lower(), "target": operation.target}
    for name, value in vars(operation).items():
        if name == "target" or value is None:
            continue
        if name == "entry":
            out.update(_selector_json(value))
        elif name == "entries":
            out["entries"] = [_selector_json(selector) for selector in value]
        else:
            out[name] = list(value) if isinstance(value, tuple) else value
    return out


def dumps(operation: Operation) -> str:
    """Return the operation as one line of JSON, for the history."""
    return json.dumps(to_json(operation), ensure_ascii=False)


def from_json(data: Mapping[str, Any], *, target: str = "memory", resolve: Resolve | None = None) -> Operation:
    """Read an operation in our form or in the client's (`old_text`, `content`, `new_text`, `matched_entry`).

    `target` is used where the data names none; `resolve` allows `id` in place of an entry's text.
    Raises Usage, naming what is wrong.
    """
    action = data.get("action")
    if not isinstance(action, str):
        raise Usage("An operation needs an `action`.")
    where = data.get("target", target)
    if action == "batch":
        inner = data.get("operations")
        if not isinstance(inner, list) or not inner:
            raise Usage("A batch needs a non-empty list of `operations`.")
        return Batch(tuple(from_json(one, target=where, resolve=resolve) for one in _mappings(inner)))
    if where not in TARGETS:
        raise Usage(f"Unknown target “{where}”; it is memory or user.")
    build = _BUILDERS.get(action)
    if build is None:
        raise Usage(f"Unknown action “{action}”; known are {', '.join(sorted(_BUILDERS))} and batch.")
    return build(data, where, resolve)


def _build_add(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    return Add(target, _text(data, "content", "new_text"), _number(data, "position"))


def _build_replace(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    old = data.get("old_text")
    content = _text(data, "content", "new_text")
    looked_at = _storable(old) if isinstance(old, str) else None
    return Replace(target, _selector(data, target, resolve), content, looked_at)


def _build_patch(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    old, new = _text(data, "old_text"), _text(data, "new_text", "content")
    return Patch(target, _selector(data, target, resolve), old, new)


def _build_remove(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    return Remove(target, _selector(data, target, resolve))


def _build_move(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    to = data.get("to", "user" if target == "memory" else "memory")
    if to not in TARGETS or to == target:
        raise Usage(f"Cannot move from {target} to “{to}”.")
    return Move(target, _selector(data, target, resolve), to, _number(data, "position"))


def _build_merge(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    listed = data.get("entries")
    if not isinstance(listed, list) or len(listed) < 2:
        raise Usage("A merge needs at least two `entries`.")
    if not all(isinstance(one, str | Mapping) for one in listed):
        raise Usage("The `entries` of a merge are texts or objects that name an entry.")
    selectors = tuple(Exact(one) if isinstance(one, str) else _selector(one, target, resolve) for one in listed)
    return Merge(target, selectors, _text(data, "content"))


def _build_split(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    pieces = data.get("pieces")
    if not isinstance(pieces, list) or len(pieces) < 2 or not all(isinstance(piece, str) for piece in pieces):
        raise Usage("A split needs at least two `pieces`, all text.")
    return Split(target, _selector(data, target, resolve), tuple(pieces))


def _build_reorder(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    position = _number(data, "position")
    if position is None:
        raise Usage("A reorder needs a `position`, counted from 0.")
    return Reorder(target, _selector(data, target, resolve), position)


def _build_normalise(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Operation:
    return Normalise(target)


_BUILDERS: Mapping[str, Callable[[Mapping[str, Any], str, Resolve | None], Operation]] = {
    "add": _build_add,
    "replace": _build_replace,
    "patch": _build_patch,
    "remove": _build_remove,
    "move": _build_move,
    "merge": _build_merge,
    "split": _build_split,
    "reorder": _build_reorder,
    "normalise": _build_normalise,
}


def _selector(data: Mapping[str, Any], target: str, resolve: Resolve | None) -> Selector:
    get = data.get
    if isinstance(entry := get("entry"), str) and entry:
        return Exact(_storable(entry))
    if isinstance(pinned := get("matched_entry"), str) and pinned:
        return Pinned(_storable(pinned))
    if resolve is not None and isinstance(ident := get("id"), str) and ident:
        return Exact(resolve(target, ident))
    if isinstance(old := get("old_text"), str) and old.strip():
        return Contains(_storable(old.strip()))
    raise Usage("The operation does not say which entry it means (`entry`, `id`, `matched_entry` or `old_text`).")


def _selector_json(selector: Selector) -> dict[str, str]:
    if isinstance(selector, Exact):
        return {"entry": selector.text}
    if isinstance(selector, Pinned):
        return {"matched_entry": selector.matched_entry}
    return {"old_text": selector.old_text}


def _text(data: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = data.get(name)
        if isinstance(value, str):
            return _storable(value)
    raise Usage(f"The operation needs `{names[0]}`, as text.")


def _storable(text: str) -> str:
    """Refuse half characters (lone surrogates): JSON can spell them, no file or database can hold them."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Usage("The operation holds half of a character (a lone surrogate).") from None
    return text


def _number(data: Mapping[str, Any], name: str) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Usage(f"`{name}` must be a whole number from 0.")
    return value


def _mappings(items: Sequence[Any]) -> list[Mapping[str, Any]]:
    for item in items:
        if not isinstance(item, Mapping):
            raise Usage("Every operation of a batch must be an object.")
    return list(items)
