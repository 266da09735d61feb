"""Reading and writing the two memory files: the thin shell around parse, apply and the history's commit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import Conflict, NeedsConfirmation, Unreadable, Usage
from workbench.history import ChangeSet, Committed, History, Images, Intent
from workbench.memory.apply import Outcome, apply, flatten, targets_of
from workbench.memory.diff import invert
from workbench.memory.document import FILE_NAMES, TARGETS, Document, parse, read_document, serialise
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


class MemoryFiles:
    """The memory files of one home, with the limits in force."""

    def __init__(self, home: Path, limits: Mapping[str, int]) -> None:
        self.folder = home / "memories"
        self.limits = dict(limits)

    def path(self, target: str) -> Path:
        """Where a store's file lies (or would)."""
        return self.folder / FILE_NAMES[target]

    def target(self, path: Path) -> str | None:
        """The store a path belongs to; None for any other file."""
        return next((target for target in TARGETS if self.path(target) == path), None)

    def read(self) -> dict[str, Document]:
        """Both documents as they are on disk; a file that cannot be read is in state *unreadable*, never empty."""
        return {target: read_document(self.path(target), target, self.limits[target]) for target in TARGETS}

    def others(self) -> tuple[Path, ...]:
        """Other files and folders beside the two: the client never loads them, the workbench only lists them."""
        known = set(FILE_NAMES.values())
        try:
            found = sorted(self.folder.iterdir())
        except OSError:
            return ()
        return tuple(
            path
            for path in found
            if path.name not in known
            and not path.name.endswith((".lock", ".tmp"))
            and not any(path.name.startswith(f"{name}.bak.") for name in known)
        )

    def preview(self, operation: Operation, documents: Mapping[str, Document] | None = None) -> Outcome:
        """What the operation would do to the files as they are (or as `documents` shows them)."""
        documents = documents if documents is not None else self.read()
        for target in targets_of(operation):
            _readable(self.path(target), documents[target])
        return apply({target: documents[target].texts for target in TARGETS}, operation, self.limits)

    def write(
        self,
        history: History,
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
                target: parse(images.get(self.path(target)), target, self.limits[target]) for target in TARGETS
            }
            outcome = self.preview(operation, documents)
            outcome.check(accept)
            outcomes.append(outcome)
            normalised = {one.target for one in flatten(operation) if isinstance(one, Normalise)}
            return {
                self.path(target): serialise(outcome.after[target])
                for target in _write_order(operation, targets)
                if target in outcome.changed or (target in normalised and documents[target].data is not None)
            }

        done = history.commit(
            [self.path(target) for target in targets],
            compute,
            Intent(label or describe(operation), operations=dumps(operation)),
            timeout=timeout,
            allow_link=FOLLOW_LINK in accept,
        )
        return Written(outcomes[-1], done.change)

    # -- taking back --------------------------------------------------------------------------------------------

    def undo(self, history: History, number: int | None = None, *, accept: frozenset[str] = frozenset()) -> TakenBack:
        """Take back the newest change set, or the one with this number alone.

        Exact bytes when the file still equals what the change left, else the inverse entry by entry. Asks
        (NeedsConfirmation with `--yes`) before it takes back what somebody else did. Raises NothingTo, Conflict.
        """
        change = history.undo_target() if number is None else history.change(number)
        if change.kind not in ("edit", "restore", "outside", "redo"):
            raise Usage(f"Change {change.id} is a {change.kind}; it cannot be taken back by itself.")
        if change.actor != "workbench" and ACCEPT_OTHERS not in accept:
            what = f"The newest change is not yours: {change.actor}, “{change.label}”."
            raise NeedsConfirmation(what, ACCEPT_OTHERS)
        intent = Intent(f"undo: {change.label}", kind="undo", about=change.id)
        return self._put_back(history, change, intent, back=True, accept=accept)

    def redo(self, history: History, *, accept: frozenset[str] = frozenset()) -> TakenBack:
        """Repeat the change set that was taken back last. Raises NothingTo, Conflict."""
        change = history.redo_target()
        intent = Intent(f"redo: {change.label}", kind="redo", about=change.id)
        return self._put_back(history, change, intent, back=False, accept=accept)

    def restore(
        self, history: History, version: str, target: str | None = None, *, accept: frozenset[str] = frozenset()
    ) -> TakenBack:
        """Give a file the exact bytes of a version, named by the beginning of its SHA-256 (at least 4 digits).

        Raises Usage when the name fits none or several.
        """
        path = self.path(target) if target else None
        found = history.versions(path, version.lower()) if len(version) >= 4 else ()
        if len(found) != 1:
            problem = "names no version" if not found else "fits several versions, add more digits or the target"
            raise Usage(f"“{version}” {problem}; `workbench history --versions` lists them.")
        goal = history.path(found[0].path)
        data = history.bytes_of(found[0].sha256)
        done = history.commit(
            [goal],
            lambda images: {goal: data},
            Intent(f"restore {goal.name} to version {found[0].sha256[:12]}", kind="restore"),
            allow_link=FOLLOW_LINK in accept,
        )
        return TakenBack(None, done.change, True, (goal.name,))

    def _put_back(
        self, history: History, change: ChangeSet, intent: Intent, *, back: bool, accept: frozenset[str]
    ) -> TakenBack:
        files = [file for file in change.files if file.state != "not"]
        paths = sorted((history.path(file.path) for file in files), key=lambda path: path.name)
        exact: list[bool] = []

        def compute(images: Images) -> Images:
            exact.clear()
            wanted: dict[Path, bytes | None] = {}
            for file in reversed(files) if back else files:
                path = history.path(file.path)
                start, goal = (file.after, file.before) if back else (file.before, file.after)
                data, whole = self._inverse(images[path], history.bytes_of(start), history.bytes_of(goal), path)
                wanted[path] = data
                exact.append(whole)
            return wanted

        done: Committed = history.commit(paths, compute, intent, allow_link=FOLLOW_LINK in accept)
        return TakenBack(change, done.change, all(exact), tuple(path.name for path in paths))

    def _inverse(
        self, now: bytes | None, start: bytes | None, goal: bytes | None, path: Path
    ) -> tuple[bytes | None, bool]:
        """The bytes that lead a file from `start` to `goal`, given what it holds now."""
        if now == start:
            return goal, True
        target = self.target(path)
        if target is None:
            raise Conflict(path.name, "", "", ())
        documents = [parse(data, target, self.limits[target]) for data in (start, goal, now)]
        for document in documents:
            _readable(path, document)
        from_texts, to_texts, now_texts = (document.texts for document in documents)
        texts, conflicts = invert(to_texts, from_texts, now_texts)
        if conflicts:
            first = conflicts[0]
            raise Conflict(target, first.after or "", first.before or "", now_texts)
        return serialise(texts), False


def describe(operation: Operation) -> str:
    """A label for people: what an operation does, and to which store; the texts are in the change set's versions."""
    if isinstance(operation, Batch):
        inner = flatten(operation)
        return f"{len(inner)} changes in {' and '.join(FILE_NAMES[target] for target in targets_of(operation))}"
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
