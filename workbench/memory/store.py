"""Reading and writing the two memory files: the thin shell around parse, apply and the history's commit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import BadContent, Conflict, NeedsConfirmation, OverBudget, Unreadable, Usage
from workbench.files import read_bytes
from workbench.history import ChangeSet, Committed, History, Images, Intent
from workbench.history.statements import digest_of
from workbench.memory.applying import Outcome, apply, flatten, targets_of
from workbench.memory.diff import invert
from workbench.memory.document import FILE_NAMES, TARGETS, Document, count, parse, serialise
from workbench.memory.files import MemoryFiles
from workbench.memory.operations import Batch, Move, Normalise, Operation, dumps

ACCEPT_OTHERS = "--yes"
FOLLOW_LINK = "--follow-link"


@dataclass(frozen=True)
class Written:
    """The result of a write: what it did, and the number of its change set (None: the file was right already)."""

    outcome: Outcome
    change: int | None


@dataclass(frozen=True)
class TakenBack:
    """The result of undo, redo or restore: the change it was about, the new change set, and how it was done.

    `exact` is True when the file's former bytes were put back, False when the inverse was applied entry by entry.
    """

    about: ChangeSet | None
    change: int | None
    exact: bool
    files: tuple[str, ...]


def preview(files: MemoryFiles, operation: Operation, documents: Mapping[str, Document] | None = None) -> Outcome:
    """What the operation would do to the files as they are, or as `documents` shows them. Raises Unreadable."""
    documents = documents if documents is not None else files.read()
    for target in targets_of(operation):
        _readable(files.path(target), documents[target])
    return apply({target: documents[target].texts for target in TARGETS}, operation, files.limits)


class MemoryStore:
    """Writes to the memory files of one home, recorded in its history."""

    def __init__(self, files: MemoryFiles, history: History) -> None:
        self.files = files
        self.history = history

    def write(
        self,
        operation: Operation,
        *,
        accept: frozenset[str] = frozenset(),
        label: str = "",
        timeout: float = 10.0,
    ) -> Written:
        """Apply an operation to what is on disk at that moment, and save. One change set, whatever it touches.

        `accept` holds the confirmations given. Raises the typed errors of apply and of History.commit; the files
        are then as they were.
        """
        targets = targets_of(operation)
        outcomes: list[Outcome] = []

        def compute(images: Images) -> Images:
            documents = {
                target: parse(images.get(self.files.path(target)), target, self.files.limits[target])
                for target in TARGETS
            }
            outcome = preview(self.files, operation, documents)
            outcome.check(accept)
            outcomes.append(outcome)
            normalised = {one.target for one in flatten(operation) if isinstance(one, Normalise)}
            return {
                self.files.path(target): serialise(outcome.after[target])
                for target in _write_order(operation, targets)
                if target in outcome.changed or (target in normalised and documents[target].data is not None)
            }

        done = self.history.commit(
            [self.files.path(target) for target in targets],
            compute,
            lambda: Intent(label or describe(operation), operations=dumps(outcomes[-1].operation)),
            timeout=timeout,
            allow_link=FOLLOW_LINK in accept,
        )
        return Written(outcomes[-1], done.change)

    # -- taking back --------------------------------------------------------------------------------------------

    def undo(self, number: int | None = None, *, accept: frozenset[str] = frozenset()) -> TakenBack:
        """Take back the newest change set, or the one with this number alone.

        Exact bytes when the file still equals what the change left, else the inverse entry by entry. Asks
        (NeedsConfirmation with `--yes`) before it takes back what somebody else did. Raises NothingTo, Conflict.
        """
        change = self.history.undo_target() if number is None else self.history.change(number)
        if change.kind not in ("edit", "restore", "outside", "redo"):
            raise Usage(f"Change {change.id} is a {change.kind}; it cannot be taken back by itself.")
        if change.actor != "workbench" and ACCEPT_OTHERS not in accept:
            what = f"Change {change.id} is not yours: {change.actor}, “{change.label}”."
            raise NeedsConfirmation(what, ACCEPT_OTHERS)
        # Taking back a redo takes back what it repeated.
        about = change.about if change.kind == "redo" else change.id
        intent = Intent(f"undo: {change.label}", kind="undo", about=about)
        return self._put_back(change, intent, back=True, accept=accept)

    def redo(self, *, accept: frozenset[str] = frozenset()) -> TakenBack:
        """Repeat the change set that was taken back last. Raises NothingTo, Conflict."""
        change = self.history.redo_target()
        intent = Intent(f"redo: {change.label}", kind="redo", about=change.id)
        return self._put_back(change, intent, back=False, accept=accept)

    def restore(self, version: str, target: str | None = None, *, accept: frozenset[str] = frozenset()) -> TakenBack:
        """Give a file the exact bytes of a version, named by the beginning of its SHA-256 (at least 4 digits).

        Raises Usage when the name fits none or several.
        """
        path = self.files.path(target) if target else None
        found = self.history.versions(path, version.lower()) if len(version) >= 4 else ()
        if len(found) != 1:
            problem = "names no version" if not found else "fits several versions, add more digits or the target"
            raise Usage(f"“{version}” {problem}; `workbench history --versions` lists them.")
        goal = self.history.path(found[0].path)
        data = self.history.bytes_of(found[0].sha256)
        done = self.history.commit(
            [goal],
            lambda images: {goal: data},
            Intent(f"restore {goal.name} to version {found[0].sha256[:12]}", kind="restore"),
            allow_link=FOLLOW_LINK in accept,
        )
        return TakenBack(None, done.change, True, (goal.name,))

    def restore_change(
        self, number: int, *, accept: frozenset[str] = frozenset(), seen: Mapping[str, str | None] | None = None
    ) -> TakenBack:
        """Give the files of a change set the exact bytes they had after it, as one change set.

        `seen` is the SHA-256 of each file (by its name in the history) when the loss was shown; raises Conflict when
        one has moved on since, for that loss was not agreed to. Raises Usage for a change that never reached the
        disk, DamagedVersion, and what History.commit raises.
        """
        change = self.history.change(number)
        goals = {self.history.path(f.path): self.history.bytes_of(f.after) for f in change.files if f.state != "not"}
        if not goals:
            raise Usage(f"Change {number} never reached the disk; there is nothing to restore.")
        paths = sorted(goals, key=lambda path: path.name)
        names = tuple(path.name for path in paths)

        def compute(images: Images) -> Images:
            for path, data in images.items():
                if seen is not None and seen.get(self.history.name(path)) != digest_of(data):
                    raise Conflict(self.files.target(path) or path.name, "", "", ())
            return goals

        done = self.history.commit(
            paths,
            compute,
            Intent(f"restore {' and '.join(names)} to change {number}", kind="restore"),
            allow_link=FOLLOW_LINK in accept,
        )
        return TakenBack(None, done.change, True, names)

    def preview_undo(self, number: int) -> dict[Path, tuple[bytes | None, bytes | None]]:
        """The bytes now and after taking this change set back, by path. Raises Usage, Conflict, OverBudget."""
        change = self.history.change(number)
        now = {self.history.path(file.path): read_bytes(self.history.path(file.path)) for file in change.files}
        then = self._led_back(change, now, back=True)
        return {path: (now[path], data) for path, (data, _) in then.items()}

    def _put_back(self, change: ChangeSet, intent: Intent, *, back: bool, accept: frozenset[str]) -> TakenBack:
        paths = sorted((self.history.path(f.path) for f in change.files if f.state != "not"), key=lambda p: p.name)
        exact: list[bool] = []

        def compute(images: Images) -> Images:
            led = self._led_back(change, images, back=back)
            exact[:] = [whole for _, whole in led.values()]
            return {path: data for path, (data, _) in led.items()}

        if not paths:
            compute({})
        done: Committed = self.history.commit(paths, compute, intent, allow_link=FOLLOW_LINK in accept)
        return TakenBack(change, done.change, all(exact), tuple(path.name for path in paths))

    def _led_back(self, change: ChangeSet, images: Images, *, back: bool) -> dict[Path, tuple[bytes | None, bool]]:
        """By path in write order: the bytes without (or again with) the change, and whether they are its exact ones."""
        files = [file for file in change.files if file.state != "not"]
        if not files:
            raise Usage(f"Change {change.id} never reached the disk; there is nothing to take back.")
        led: dict[Path, tuple[bytes | None, bool]] = {}
        for file in reversed(files) if back else files:
            path = self.history.path(file.path)
            start, goal = (file.after, file.before) if back else (file.before, file.after)
            led[path] = self._inverse(images[path], self.history.bytes_of(start), self.history.bytes_of(goal), path)
        return led

    def _inverse(
        self, now: bytes | None, start: bytes | None, goal: bytes | None, path: Path
    ) -> tuple[bytes | None, bool]:
        """The bytes that lead a file from `start` to `goal`, given what it holds now."""
        if now == start:
            return goal, True
        target = self.files.target(path)
        if target is None:
            raise Conflict(path.name, "", "", ())
        documents = [parse(data, target, self.files.limits[target]) for data in (start, goal, now)]
        for document in documents:
            _readable(path, document)
        from_texts, to_texts, now_texts = (document.texts for document in documents)
        texts, conflicts = invert(to_texts, from_texts, now_texts)
        if conflicts:
            first = conflicts[0]
            raise Conflict(target, first.after or "", first.before or "", now_texts)
        if parse(serialise(texts), target, self.files.limits[target]).texts != texts:
            raise BadContent("round_trip")
        limit, size = self.files.limits[target], count(texts)
        if size > limit and size > count(now_texts):
            raise OverBudget(target, count(now_texts), size, limit)
        return serialise(texts), False


def describe(operation: Operation) -> str:
    """A label for people: what an operation does, and to which store; the texts are in the change set's versions."""
    if isinstance(operation, Batch):
        inner = flatten(operation)
        many = "1 change" if len(inner) == 1 else f"{len(inner)} changes"
        return f"{many} in {' and '.join(FILE_NAMES[target] for target in targets_of(operation))}"
    verb = type(operation).__name__.lower()
    if isinstance(operation, Move):
        return f"move an entry from {FILE_NAMES[operation.target]} to {FILE_NAMES[operation.to]}"
    return f"{verb} in {FILE_NAMES[operation.target]}"


def operations_of(change: ChangeSet) -> list[object]:
    """The operations of a change set as JSON data, for the history listing."""
    data = json.loads(change.operations)
    return data if isinstance(data, list) else [data]


def _write_order(operation: Operation, targets: Sequence[str]) -> Iterator[str]:
    """Destination before source, so that a crash between the two leaves an entry twice rather than nowhere."""
    goals = [one.to for one in flatten(operation) if isinstance(one, Move)]
    first = goals[0] if goals else None
    if first is not None:
        yield first
    yield from (target for target in targets if target != first)


def _readable(path: Path, document: Document) -> None:
    if document.state == "unreadable":
        raise Unreadable(path, document.error, document.error_offset)
