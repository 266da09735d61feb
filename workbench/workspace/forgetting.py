"""Forgetting a text for good: where it lives, taking it out of what is ours, and what stays with whom."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import Ambiguous, DamagedVersion, Usage
from workbench.files import Step, no_step
from workbench.history.backups import Backup, list_backups, remove
from workbench.history.forget import Held, held, needles, purge
from workbench.history.shelf import Shelf
from workbench.memory import FILE_NAMES, TARGETS, Batch, Exact, Operation, Remove, entry_id, parse
from workbench.sessions.mentions import mentions

if TYPE_CHECKING:
    from workbench.inbox.records import Record
    from workbench.workspace.workspace import Workspace

FLAG = "--yes-forget"
WORD = "forget"
# Shorter texts are in too much that has nothing to do with them.
SHORTEST = 6
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Place:
    """One kind of place where the text is: `kind` is entry, pending, history, draft, backup, kept, sessions,
    transcript, snapshot or other; `where` names it, `count` says how often. `ours`: it goes; else `how` says what removes it.
    """

    kind: str
    where: str
    count: int
    ours: bool
    how: str = ""


@dataclass(frozen=True)
class Traces:
    """Everything that was found of a text."""

    text: str
    entries: tuple[tuple[str, str], ...]
    pending: tuple[Record, ...]
    backups: tuple[Backup, ...]
    history: Held
    places: tuple[Place, ...]

    @property
    def stays(self) -> tuple[Place, ...]:
        """What belongs to others and is not touched."""
        return tuple(place for place in self.places if not place.ours)


@dataclass(frozen=True)
class Gone:
    """What came of it. `complete`: nothing of ours holds the text any more, not even in unused parts of a file."""

    traces: Traces
    removed: tuple[Place, ...]
    left: tuple[Place, ...]
    complete: bool


def text_of(workspace: Workspace, words: str) -> str:
    """The text meant: that of an entry, now or formerly, by its id (6 digits or more); else the words themselves.

    Raises Usage when they are too short to be looked for, Ambiguous.
    """
    documents = workspace.documents()
    now = [text for target in TARGETS for text in documents[target].texts]
    if words in now:
        return words
    if len(words) >= 6 and all(letter in "0123456789abcdef" for letter in words):
        found = [text for text in now if entry_id(text).startswith(words)] or _formerly(workspace, words)
        distinct = tuple(dict.fromkeys(found))
        if len(distinct) > 1:
            raise Ambiguous("the stores", words, distinct)
        if distinct:
            return distinct[0]
    if len(words.strip()) < SHORTEST:
        raise Usage(f"“{words}” is too short to be looked for everywhere; name an entry by its id, or give more text.")
    return words.strip()


def _formerly(workspace: Workspace, ident: str) -> list[str]:
    history = workspace.past
    found: list[str] = []
    for target in TARGETS:
        for version in history.versions(workspace.memory.path(target)):
            try:
                document = parse(history.bytes_of(version.sha256), target, workspace.limits[target])
            except DamagedVersion:
                continue
            found += [text for text in document.texts if entry_id(text).startswith(ident)]
    return found


def traces(workspace: Workspace, text: str) -> Traces:
    """Look everywhere; nothing is changed. The agent's logs and what was sent to a model provider are not looked at."""
    documents = workspace.documents()
    forms = needles(text)
    entries = tuple((target, one) for target in TARGETS for one in documents[target].texts if text in one)
    pending = tuple(
        record for record in workspace.inbox.queue().records if record.data and any(f in record.data for f in forms)
    )
    paths = [workspace.memory.path(target) for target in TARGETS]
    backups = tuple(one for path in paths for one in list_backups(workspace.past, path) if _holds(one.path, forms))
    found = held(workspace.past, text)
    places = [Place("entry", f"{FILE_NAMES[target]} {entry_id(one)}", 1, True) for target, one in entries]
    places += [_pending_place(record) for record in pending]
    places += [Place("backup", one.path.name, 1, True) for one in backups]
    if found.versions or found.changes:
        places.append(Place("history", "history.db", len(found.versions) + found.changes, True))
    drafted = Shelf(workspace.past).holding(text)
    if drafted:
        places.append(Place("draft", "history.db", len(drafted), True))
    places += [Place("kept", f"workbench/{path.name}", 1, True) for path in found.files]
    places += _in_conversations(workspace.home, text)
    places += _in_files(workspace.home, forms, {one.path for one in backups})
    for target in TARGETS:
        data = documents[target].data
        if data and documents[target].state == "unreadable" and any(form in data for form in forms):
            how = f"workbench memory resolve {target} --how reencode, then forget again"
            places.append(Place("other", FILE_NAMES[target], 1, False, how))
    return Traces(text, entries, pending, backups, found, tuple(places))


def _pending_place(record: Record) -> Place:
    where = f"pending/{record.subsystem}/{record.path.name}"
    if record.problem:
        return Place("pending", where, 1, False, f"look at it and delete the file: rm {where}")
    return Place("pending", where, 1, True)


def _in_conversations(home: Path, text: str) -> Iterator[Place]:
    said = mentions(home, text)
    if said.why:
        yield Place("sessions", f"state.db could not be looked at ({said.why})", 0, False, "hermes sessions repair")
    elif said.sessions:
        names = ", ".join(said.sessions[:5]) + (" and more" if len(said.sessions) > 5 else "")
        where = f"state.db: {said.messages:,} messages, and prompts, of {len(said.sessions):,} sessions ({names})"
        how = f"hermes sessions delete {said.sessions[0]} (each of them), then hermes sessions optimize"
        yield Place("sessions", where, len(said.sessions), False, how)


def _in_files(home: Path, forms: Sequence[bytes], known: set[Path]) -> Iterator[Place]:
    """Other files of the agent that may hold it: old transcripts, snapshots, whatever lies beside the memory files."""
    for folder, kind, how in (
        ("sessions", "transcript", "rm {}"),
        ("state-snapshots", "snapshot", "/snapshot prune 0 in a chat, or delete {}"),
        ("memories", "other", "delete or edit {}"),
        ("workbench", "other", "edit {}"),
    ):
        for path in _walk(home / folder):
            own = folder == "workbench" and path.name.startswith(("history.db", "unsaved-"))
            if path in known or own or path.name in FILE_NAMES.values() or not _holds(path, forms):
                continue
            where = path.relative_to(home).as_posix()
            yield Place(kind, where, 1, False, how.format(where))


def _walk(folder: Path) -> Iterator[Path]:
    for root, _, names in os.walk(folder):
        yield from (Path(root) / name for name in sorted(names))


def _holds(path: Path, forms: Sequence[bytes]) -> bool:
    """Whether a file holds one of the forms, read in pieces: a snapshot can have gigabytes."""
    if not path.is_file():
        return False
    keep = max(map(len, forms)) - 1
    try:
        with path.open("rb") as file:
            rest = b""
            while piece := file.read(_CHUNK):
                rest += piece
                if any(form in rest for form in forms):
                    return True
                rest = rest[-keep:] if keep else b""
    except OSError:
        return False
    return False


def forget(workspace: Workspace, found: Traces, *, step: Step = no_step) -> Gone:
    """Take the text out of everything of ours, in an order in which a crash leaves nothing half meant.

    First the agent's files (entries that hold it are removed whole, waiting records are refused), then backups, then
    the history, which has seen all of that. Looks again at the end, and says what is left. Raises what these raise;
    repeating it goes on where it stopped. Points: entries-gone, pending-gone, backups-gone, and those of `purge`.
    """
    history = workspace.history
    if found.entries:
        operations: list[Operation] = [Remove(target, Exact(text)) for target, text in found.entries]
        # Not `workspace.write`: with `backups: every` that would keep the very bytes.
        workspace.store.write(Batch(tuple(operations)), accept=frozenset({"--accept-empty"}), label="forget an entry")
    step("entries-gone")
    for record in found.pending:
        if not record.problem:
            workspace.inbox.refuse(record, reason="")
    step("pending-gone")
    remove(history, found.backups)
    Shelf(history).forget(found.text)
    step("backups-gone")
    gone = purge(history, found.text, step=step)
    workspace.refresh()
    workspace.changed()
    after = traces(workspace, found.text)
    removed = tuple(place for place in found.places if place.ours and place not in after.places)
    mine = any(place.ours for place in after.places)
    return Gone(found, removed, after.places, gone.finished and not mine)
