"""Deciding about records: accept, refuse, edit, retarget. Each is one change set over all files it touches.

The record's file is written last. A crash in between leaves both versions of every file in the history, and the next
start finishes the rest; an undo puts the record back byte for byte together with what it had changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.errors import ReadOnly, Unreadable, Usage, WorkbenchError
from workbench.history import Committed, History, Images, Intent
from workbench.history.guards import is_left_over
from workbench.inbox.preflight import Preview, Rules, against, operation_of
from workbench.inbox.records import Record, parse_record
from workbench.inbox.skills import preflight_skill, read_skills
from workbench.memory.applying import Outcome, targets_of
from workbench.memory.document import FILE_NAMES, TARGETS, parse, serialise
from workbench.memory.files import MemoryFiles
from workbench.memory.operations import Batch, Operation, to_json

NOTHING: frozenset[str] = frozenset()
FOLLOW_LINK = "--follow-link"
# Which text of a skill's payload a person edits.
_EDITED = {"create": "content", "edit": "content", "write_file": "file_content", "patch": "new_string"}


class Decided(WorkbenchError):
    """The record, or what it would change, is no longer what was previewed (exit 3)."""

    kind = "conflict"
    exit_code = 3
    record: str
    why: str

    def __str__(self) -> str:
        return f"{self.record}: {self.why}; nothing was written. Look at the queue again."


class NotOurs(WorkbenchError):
    """The record cannot be decided here: it is unreadable, another program's, or follows a rule we do not know."""

    kind = "unsupported"
    record: str
    why: str

    def __str__(self) -> str:
        return f"{self.record} is left as it is: {self.why}."


@dataclass(frozen=True)
class Desk:
    """What a decision needs: the home's memory files, its history, the rules in force and the clock."""

    home: Path
    files: MemoryFiles
    history: History
    rules: Rules
    clock: Callable[[], float]


@dataclass(frozen=True)
class Decision:
    """What was decided: `verdict` is approved, refused, edited or retargeted; `change` is its change set.

    `preview` is what was shown before, `left` counts the operations of a batch that still wait.
    """

    verdict: str
    preview: Preview
    change: int | None
    left: int = 0


# -- approving ------------------------------------------------------------------------------------------------------


def accept(
    desk: Desk,
    seen: Preview,
    *,
    given: frozenset[str] = NOTHING,
    numbers: Sequence[int] | None = None,
    reason: str = "",
    payload: Mapping[str, Any] | None = None,
) -> Decision:
    """Apply a record as it was previewed, and take its file away.

    `given` are the confirmations (see `Preview.needs`), `numbers` (from 1) choose operations of a batch: the others
    stay in the file. `payload` applies an edited text in place of the record's own. Raises NotOurs, Decided, the
    errors of the preview, and those of History.commit; files and record are then as they were.
    """
    record = _decidable(seen.record)
    if record.subsystem == "skills":
        if numbers is not None:
            raise Usage("The record of a skill has no operations to choose from.")
        return _accept_skill(desk, seen, reason, payload, follow=FOLLOW_LINK in given)
    seen, rest = _chosen(desk, seen, numbers, payload)
    if seen.refused is not None:
        raise seen.refused
    assert seen.outcome is not None
    operation = seen.outcome.operation
    targets = targets_of(operation)
    outcomes: list[Outcome] = []

    def compute(images: Images) -> Images:
        _unchanged(record, images[record.path])
        stores: dict[str, tuple[str, ...]] = {}
        for target in TARGETS:
            path = desk.files.path(target)
            document = parse(images.get(path), target, desk.files.limits[target])
            if document.state == "unreadable":
                raise Unreadable(path, document.error, document.error_offset)
            stores[target] = document.texts
        fresh = against(record, stores, desk.rules, operation)
        if fresh.refused is not None:
            raise fresh.refused
        assert fresh.outcome is not None
        fresh.outcome.check(given)
        outcomes.append(fresh.outcome)
        wanted = {desk.files.path(t): serialise(fresh.outcome.after[t]) for t in targets if t in fresh.outcome.changed}
        return {**wanted, record.path: rest}

    def intent() -> Intent:
        verb = record.action if rest is None else "part of a batch"
        return _intent("approve", f"{verb} in {FILE_NAMES[targets[0]]}", record, reason, [to_json(operation)])

    seen.outcome.check(given)
    paths = [*(desk.files.path(target) for target in targets), record.path]
    done = _commit(desk, record, paths, compute, intent, follow=FOLLOW_LINK in given)
    left = 0 if rest is None else len(parse_record(rest, record.path, "memory").operations)
    return Decision("approved", replace(seen, outcome=outcomes[-1]), done.change, left)


def check(seen: Preview, given: frozenset[str] = NOTHING) -> None:
    """Raise what accepting a record would raise, as far as its preview tells: NotOurs, its refusal, a confirmation."""
    _decidable(seen.record)
    if seen.refused is not None:
        raise seen.refused
    if seen.outcome is not None:
        seen.outcome.check(given)


def _chosen(
    desk: Desk, seen: Preview, numbers: Sequence[int] | None, payload: Mapping[str, Any] | None
) -> tuple[Preview, bytes | None]:
    """The preview of what is really to be applied, and the bytes that stay in the record's file."""
    record = seen.record
    if numbers is None and payload is None:
        return seen, None
    edited = record if payload is None else aimed(record, payload)
    picked = sorted(set(numbers)) if numbers is not None else None
    operation = picked_from(seen, picked) if payload is None and picked else operation_of(edited, picked)
    stores = {target: document.texts for target, document in desk.files.read().items()}
    again = replace(against(edited, stores, desk.rules, operation), record=record)
    if picked is None or len(picked) == len(record.operations):
        return again, None
    kept = [part for number, part in enumerate(record.operations, 1) if number not in picked]
    return again, rewritten(record, {**record.payload, "operations": kept})


def picked_from(seen: Preview, picked: Sequence[int]) -> Operation:
    """The chosen operations (from 1) of a batch, each about the entry that it was shown to be about. Raises Usage."""
    operation = operation_of(seen.record, picked)
    if seen.refused is not None or not isinstance(seen.aim, Batch):
        return operation
    parts = tuple(seen.aim.operations[number - 1] for number in picked)
    return parts[0] if len(parts) == 1 else Batch(parts)


def _accept_skill(
    desk: Desk, seen: Preview, reason: str, payload: Mapping[str, Any] | None, *, follow: bool
) -> Decision:
    record = seen.record
    if payload is not None:
        seen = preflight_skill(record, read_skills(desk.home), payload)
    if seen.refused is not None:
        raise seen.refused

    def compute(images: Images) -> Images:
        _unchanged(record, images[record.path])
        fresh = preflight_skill(record, read_skills(desk.home), payload)
        if fresh.refused is not None:
            raise fresh.refused
        if fresh.writes != seen.writes or any(images[path] != data for path, data in seen.images.items()):
            raise Decided(record.key, f"the files of “{record.target}” have changed since the preview")
        return {**seen.writes, record.path: None}

    names = sorted(desk.history.name(path) for path in seen.writes)
    what = f"{record.action} of the skill {record.target}"
    intent = _intent("approve", what, record, reason, [{"action": record.action, "files": names}])
    done = _commit(desk, record, [*seen.writes, record.path], compute, lambda: intent, follow=follow)
    return Decision("approved", seen, done.change)


# -- refusing and rewriting -----------------------------------------------------------------------------------------


def refuse(desk: Desk, record: Record, *, reason: str = "", follow: bool = False) -> Decision:
    """Take a record's file away without applying it; the history keeps it and the reason.

    `follow` agrees to a queue that a link leads out of the home. Raises NotOurs, Decided, OutsideLink.
    """
    _decidable(record)

    def compute(images: Images) -> Images:
        _unchanged(record, images[record.path])
        return {record.path: None}

    what = f"{record.action} of {record.target or record.subsystem}"
    intent = _intent("refuse", what, record, reason, [])
    done = _commit(desk, record, [record.path], compute, lambda: intent, follow=follow)
    return Decision("refused", Preview(record, ""), done.change)


def rewrite(desk: Desk, record: Record, payload: Mapping[str, Any], verdict: str, *, follow: bool = False) -> Decision:
    """Give a waiting record another payload; it keeps waiting. `follow` and what it raises as for `refuse`; Usage."""
    _decidable(record)
    data = rewritten(record, payload)

    def compute(images: Images) -> Images:
        _unchanged(record, images[record.path])
        return {record.path: data}

    intent = _intent(verdict, f"{record.action} of {record.target or record.subsystem}", record, "", [])
    done = _commit(desk, record, [record.path], compute, lambda: intent, follow=follow)
    return Decision("edited" if verdict == "edit" else "retargeted", Preview(record, ""), done.change)


def rewritten(record: Record, payload: Mapping[str, Any]) -> bytes:
    """The record's bytes with another payload, laid out as the client does (0.19); every other key stays."""
    assert record.data is not None
    whole = json.loads(record.data.decode("utf-8-sig"))
    text = json.dumps({**whole, "payload": dict(payload)}, ensure_ascii=False, indent=2)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Usage("The record holds half of a character (a lone surrogate); it cannot be rewritten.") from error


def edited_payload(record: Record, text: str, number: int | None, entry: str | None) -> dict[str, Any]:
    """The payload with the text that a person wrote, and, for `entry`, the pin that a new client asks for (0.22).

    `number` (from 1) names the operation of a batch. Raises Usage.
    """
    _decidable(record)
    if record.subsystem == "skills":
        key = _EDITED.get(record.action)
        if key is None:
            raise Usage(f"There is no text to edit in a record that would {record.action} a skill.")
        return {**record.payload, key: text}
    parts, at = _part(record, number)
    if parts[at].get("action") == "remove":
        raise Usage("There is no text to edit in a removal; retarget it, or refuse it.")
    changed = {**parts[at], "content": text}
    if "new_text" in changed:
        changed["new_text"] = text
    if entry is not None and parts[at].get("action") in ("replace", "patch"):
        changed["matched_entry"] = entry
    return _with_part(record, parts, at, changed)


def retargeted_payload(record: Record, entry: str, number: int | None) -> dict[str, Any]:
    """The payload aimed at another entry by its full text; `old_text` stays, so that what it lost is still counted."""
    _decidable(record)
    if record.subsystem == "skills":
        raise Usage("The record of a skill names its file; it cannot be aimed at another one.")
    parts, at = _part(record, number)
    if parts[at].get("action") == "add":
        raise Usage("An addition is about no entry; there is nothing to retarget.")
    return _with_part(record, parts, at, {**parts[at], "matched_entry": entry})


def readdressed_payload(record: Record, to: str) -> dict[str, Any]:
    """The payload of an addition (or a batch of nothing else) for the store `to`. Raises Usage."""
    _decidable(record)
    if record.subsystem == "skills":
        raise Usage("The record of a skill names its file; it cannot go to a store.")
    if to not in TARGETS:
        raise Usage(f"Unknown target “{to}”; it is memory or user.")
    if to == record.target:
        raise Usage(f"The record is meant for {FILE_NAMES[to]} already.")
    parts = record.operations
    if not parts or not all(isinstance(part, Mapping) and part.get("action") == "add" for part in parts):
        raise Usage("Only additions can go to the other store; anything else is about an entry of its own.")
    whole = {**record.payload, "target": to}
    if record.payload.get("action") == "batch":
        whole["operations"] = [{**part, "target": to} if "target" in part else part for part in parts]
    return whole


def aimed(record: Record, payload: Mapping[str, Any]) -> Record:
    """The record as it would read with another payload."""
    if record.subsystem == "skills":
        return replace(record, payload=payload)
    return replace(record, payload=payload, target=str(payload.get("target", record.target)))


def _part(record: Record, number: int | None) -> tuple[list[Any], int]:
    parts = list(record.operations)
    if number is None and len(parts) > 1:
        raise Usage(f"The record holds {len(parts)} operations; name one with --operation.")
    at = (number or 1) - 1
    if not 0 <= at < len(parts) or not isinstance(parts[at], Mapping):
        raise Usage(f"There is no operation {at + 1}; the record has {len(parts)}.")
    return parts, at


def _with_part(record: Record, parts: list[Any], at: int, changed: Mapping[str, Any]) -> dict[str, Any]:
    if record.payload.get("action") != "batch":
        return dict(changed)
    return {**record.payload, "operations": [*parts[:at], dict(changed), *parts[at + 1 :]]}


# -- the commit -----------------------------------------------------------------------------------------------------


def _decidable(record: Record) -> Record:
    if record.problem:
        raise NotOurs(record.key, record.why)
    return record


def _unchanged(record: Record, now: bytes | None) -> None:
    if now is None:
        raise Decided(record.key, "it has been decided meanwhile")
    if now != record.data:
        raise Decided(record.key, "the record has changed since it was shown")


def _intent(verdict: str, what: str, record: Record, reason: str, operations: Sequence[Mapping[str, Any]]) -> Intent:
    data = {
        "decision": verdict,
        "record": {"key": record.key, "sha256": record.sha256},
        "reason": reason,
        "operations": list(operations),
    }
    tail = f": {reason}" if reason else ""
    return Intent(f"{verdict} {what} (pending {record.id}){tail}", operations=json.dumps(data, ensure_ascii=False))


def _commit(
    desk: Desk,
    record: Record,
    paths: Sequence[Path],
    compute: Callable[[Images], Images],
    intent: Callable[[], Intent],
    *,
    follow: bool,
) -> Committed:
    with _claimed(desk, record):
        return desk.history.commit(paths, compute, intent, allow_link=follow)


@contextmanager
def _claimed(desk: Desk, record: Record) -> Iterator[None]:
    """Hold the one claim on this record with this content. Raises Decided when another workbench holds it.

    It only spares the other one a wait: under the lock the record's bytes are compared again, which is what makes
    sure that nothing is applied twice. So a claim that outlived its process can simply be taken over.
    """
    if desk.history.read_only:
        raise ReadOnly(desk.home)
    if not desk.history.claim(record.path, record.sha256, os.getpid()):
        name = desk.history.name(record.path)
        held = [one for one in desk.history.claims() if one[:2] == (name, record.sha256)]
        if any(not is_left_over(at, pid, desk.clock()) for _, _, at, pid in held):
            raise Decided(record.key, "another workbench is deciding it at this moment")
        desk.history.release(record.path, record.sha256)
        desk.history.claim(record.path, record.sha256, os.getpid())
    try:
        yield
    finally:
        desk.history.release(record.path, record.sha256)
