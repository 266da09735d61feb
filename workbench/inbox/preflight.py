"""What would become of a record if it were approved now: its status, why, and the full texts before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from workbench.errors import (
    Ambiguous,
    BadContent,
    Blocked,
    Conflict,
    Lossy,
    NotFound,
    OverBudget,
    Unreadable,
    Usage,
    WorkbenchError,
)
from workbench.inbox.records import Record
from workbench.memory.applying import (
    ACCEPT_BLOCKED,
    ACCEPT_EMPTY,
    ACCEPT_LOSS,
    Effect,
    Outcome,
    apply,
    flatten,
    targets_of,
)
from workbench.memory.document import DELIMITER, FILE_NAMES, TARGETS, Document, count, percent
from workbench.memory.loss import Loss, loss
from workbench.memory.operations import Add, Batch, Contains, Operation, Patch, Replace, from_json
from workbench.memory.select import fold
from workbench.threats import Finding, scan

STATUSES = (
    "ready", "lossy", "stale", "ambiguous", "over_budget", "blocked", "duplicate", "no_op", "emptying", "unreadable",
    "unsupported",
)  # fmt: skip
SHRINKS_BELOW = 0.4
_STATUS_OF: tuple[tuple[type[WorkbenchError], str], ...] = (
    (NotFound, "stale"),
    (Conflict, "stale"),
    (Ambiguous, "ambiguous"),
    (OverBudget, "over_budget"),
    (Usage, "unsupported"),
    (Blocked, "blocked"),
    (BadContent, "blocked"),
    (Lossy, "blocked"),
    (Unreadable, "blocked"),
)
_CONFIRMED = ((ACCEPT_EMPTY, "emptying"), (ACCEPT_LOSS, "lossy"), (ACCEPT_BLOCKED, "blocked"))


@dataclass(frozen=True)
class Preview:
    """A record against the files as they are. Sizes are characters, `percent_after` is not clamped.

    `status` is one of STATUSES, `reason` says it in a sentence. `before` and `after` are the full texts of the entry
    (a batch: of all entries it changes, joined as in the file) or of the skill's file. `rivals` are the keys of other
    records about the same entry or file. `shrinks` is the new text's share of the old in percent, when it is below 40.
    `dropped` are the pieces that a lossy replace loses. `needs` are the confirmations it takes (`--accept-loss`).
    `files` are the files it changes: a memory file, or those of a skill with their bytes.
    """

    record: Record
    status: str
    reason: str = ""
    rivals: tuple[str, ...] = ()
    before: str | None = None
    after: str | None = None
    chars: int | None = None
    chars_after: int | None = None
    limit: int | None = None
    percent_after: int | None = None
    shrinks: int | None = None
    dropped: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = None
    refused: WorkbenchError | None = None
    images: Mapping[Path, bytes | None] = field(default_factory=dict)
    writes: Mapping[Path, bytes | None] = field(default_factory=dict)

    @cached_property
    def findings(self) -> tuple[tuple[str, str, Finding], ...]:
        """What the scanner says of the text it adds, as (store or file, text, finding).

        Of a skill's file looked for when first asked, and only advice: the client (0.19) scans its own skills with
        another guard, which is off unless its owner switches it on, and refuses none.
        """
        if self.record.subsystem == "memory":
            return self.outcome.findings if self.outcome else ()
        found: list[tuple[str, str, Finding]] = []
        for path, data in self.writes.items():
            text, before = decoded(data) or "", decoded(self.images.get(path)) or ""
            known = {(one.pattern, before[one.start : one.end]) for one in scan(before)} if before != text else set()
            fresh = scan(text) if before != text else ()
            found += [
                (path.name, text, replace(one, level="advisory"))
                for one in fresh
                if (one.pattern, text[one.start : one.end]) not in known
            ]
        return tuple(found)

    @property
    def touches(self) -> frozenset[tuple[str, str]]:
        """What it changes that was there before: (store, entry) or ("skills", file); two that share one are rivals."""
        if self.record.subsystem == "skills":
            return frozenset(("skills", str(path)) for path in self.writes)
        effects = self.outcome.effects if self.outcome else ()
        return frozenset(
            [(one.target, one.before) for one in effects if one.before is not None and one.kind != "added"]
        )

    @property
    def aim(self) -> Operation | None:
        """The operation with every entry named by its full text; None while it is not clear which are meant."""
        if self.outcome is None or not (self.refused is None or isinstance(self.refused, OverBudget)):
            return None
        return self.outcome.operation


@dataclass(frozen=True)
class Rules:
    """What a preview needs to know of the home's configuration: characters by target, and the stores switched off.

    `clean` are texts of which the scanner is known to find nothing.
    """

    limits: Mapping[str, int]
    off: frozenset[str] = frozenset()
    clean: frozenset[str] = frozenset()


def decoded(data: bytes | None) -> str | None:
    """The text of a skill's file for showing; None when there is no file."""
    return None if data is None else data.decode("utf-8", "replace")


def operation_of(record: Record, numbers: Sequence[int] | None = None) -> Operation:
    """The operation of a memory record; with `numbers` (from 1) only those of its batch.

    Only what clients write is taken (add, replace, patch, remove; 0.19 and 0.22), so that a record can never name a
    second store or an operation of ours. Raises Usage, naming what is wrong.
    """
    target = str(record.target or "memory")
    parts = record.operations
    if not parts:
        raise Usage("Its batch holds no list of operations.")
    chosen = range(1, len(parts) + 1) if numbers is None else numbers
    for number in chosen:
        if not 1 <= number <= len(parts):
            raise Usage(f"There is no operation {number}; the record has {len(parts)}.")
    built = tuple(_one(parts[number - 1], target, number) for number in chosen)
    single = record.payload.get("action") != "batch" or len(built) == 1
    return built[0] if single else Batch(built)


def _one(part: Any, target: str, number: int) -> Operation:
    if not isinstance(part, Mapping):
        raise Usage(f"Operation {number} is not an object.")
    if part.get("action") not in ("add", "replace", "patch", "remove"):
        raise Usage(f"Operation {number} has the unknown action “{part.get('action')}”.")
    if part.get("target", target) != target:
        raise Usage(f"Operation {number} names another store than its record.")
    keys = ("action", "content", "new_text", "old_text", "matched_entry")
    return from_json({key: part[key] for key in keys if part.get(key) is not None}, target=target)


def preflight_memory(
    record: Record,
    documents: Mapping[str, Document],
    rules: Rules,
    operation: Operation | None = None,
    stores: Mapping[str, tuple[str, ...]] | None = None,
) -> Preview:
    """Preview a memory record against both documents, as `operation` when that is known. Never raises.

    `stores` are the texts of the documents, for who previews many records against the same ones.
    """
    document = documents.get(record.target)
    if document is not None and document.state == "unreadable" and not record.problem:
        why = f"{FILE_NAMES[record.target]} cannot be read ({document.error}); it is left as it is."
        refused = Unreadable(Path(FILE_NAMES[record.target]), document.error, document.error_offset)
        return Preview(record, "blocked", why, notes=record.notes, refused=refused)
    return against(record, texts_of(documents) if stores is None else stores, rules, operation)


def texts_of(documents: Mapping[str, Document]) -> dict[str, tuple[str, ...]]:
    """The entries of both stores, by target."""
    return {target: documents[target].texts for target in TARGETS}


def against(
    record: Record, stores: Mapping[str, tuple[str, ...]], rules: Rules, operation: Operation | None = None
) -> Preview:
    """Preview a memory record against entries by target, as `operation` when that is known. Never raises."""
    if record.problem:
        return Preview(record, record.problem, record.why, notes=record.notes)
    try:
        operation = operation_of(record) if operation is None else operation
        _quick_stale(operation, stores)
    except (Usage, NotFound) as error:
        status = "unsupported" if isinstance(error, Usage) else "stale"
        proposed = _joined([_proposed(part) for part in record.operations])
        return Preview(record, status, str(error), after=proposed, notes=record.notes, refused=error)
    return _judged(record, apply(stores, operation, rules.limits, rules.clean), operation, rules)


# Many records are held against the same entries.
_folded = lru_cache(maxsize=2048)(fold)


def _quick_stale(operation: Operation, stores: Mapping[str, tuple[str, ...]]) -> None:
    """Say at once that a text is in no entry; `apply` would look for the closest ones, which takes far longer.

    In a batch the texts that its earlier operations put there count too.
    """
    if isinstance(operation, Add):
        return
    written: list[str] = []
    for one in flatten(operation):
        if isinstance(one, Batch):
            continue
        selector = getattr(one, "entry", None)
        if isinstance(selector, Contains):
            wanted, entries = selector.old_text.strip(), (*stores[one.target], *written)
            if not any(wanted in entry for entry in entries):
                folded = _folded(wanted)
                if not folded or not any(folded in _folded(entry) for entry in entries):
                    raise NotFound(one.target, wanted, stores[one.target])
        written += [text for text in (getattr(one, "content", None), getattr(one, "new_text", None)) if text]
        if isinstance(one, Patch):
            return  # what it leaves of its entry can hold more than its own text


def _judged(record: Record, outcome: Outcome, operation: Operation, rules: Rules) -> Preview:
    target = targets_of(operation)[0]
    now, then, limit = count(outcome.before[target]), count(outcome.after[target]), rules.limits[target]
    status, reason = _status(record, outcome, operation)
    needs = tuple(dict.fromkeys(one.flag for one in outcome.confirm)) if not outcome.refused else ()
    notes = list(record.notes)
    if target in rules.off:
        notes.append(f"{FILE_NAMES[target]} is switched off in config.yaml: the agent will not see the entry")
    shown = [effect for effect in outcome.effects if effect.kind != "unchanged"] or list(outcome.effects)
    lost = _loss(outcome.effects, operation) if any(one.flag == ACCEPT_LOSS for one in outcome.confirm) else None
    before, after = _joined([one.before for one in shown]), _joined([one.after for one in shown])
    if outcome.refused is not None and after is None:
        after = _joined([_proposed(part) for part in record.operations])
    return Preview(
        record,
        status,
        reason,
        before=before,
        after=after,
        chars=now,
        chars_after=then,
        limit=limit,
        percent_after=percent(then, limit),
        shrinks=_shrinks(shown),
        dropped=lost.dropped if lost else (),
        needs=needs,
        notes=tuple(notes),
        outcome=outcome,
        refused=outcome.refused,
    )


def _status(record: Record, outcome: Outcome, operation: Operation) -> tuple[str, str]:
    if outcome.refused is not None:
        status = next((name for kind, name in _STATUS_OF if isinstance(outcome.refused, kind)), "blocked")
        return status, _refusal(outcome.refused)
    for flag, status in _CONFIRMED:
        for needed in outcome.confirm:
            if needed.flag == flag:
                return status, str(needed)
    if not outcome.changed:
        if all(
            isinstance(one, Add) for one in (operation.operations if isinstance(operation, Batch) else (operation,))
        ):
            return "duplicate", f"{FILE_NAMES[record.target]} holds it already; approving only clears the record."
        return "no_op", "It changes nothing; approving only clears the record."
    return "ready", ""


def _refusal(error: WorkbenchError) -> str:
    if isinstance(error, Conflict):
        return f"The entry that was reviewed is no longer in {error.target}."
    return str(error)


def _proposed(part: object) -> str | None:
    """The text that an operation would put somewhere, for records that are refused before they get that far."""
    found = [part.get(key) for key in ("content", "new_text")] if isinstance(part, Mapping) else []
    return next((text for text in found if isinstance(text, str)), None)


def texts_to_scan(records: Iterable[Record]) -> Iterator[str]:
    """The texts that memory records would add as they are, for `threats.harmless`."""
    for record in records:
        for part in record.operations:
            text = part.get("content") if isinstance(part, Mapping) else None
            if isinstance(text, str):
                yield text.strip()


def _joined(texts: Sequence[str | None]) -> str | None:
    there = [text for text in texts if text is not None]
    return DELIMITER.join(there) if there else None


def _loss(effects: Sequence[Effect], operation: Operation) -> Loss | None:
    """What the first lossy replace drops; the same rule that `apply` asks its confirmation by."""
    parts = operation.operations if isinstance(operation, Batch) else (operation,)
    if len(parts) != len(effects):
        return None  # it stopped half way; there is nothing to lose
    for part, effect in zip(parts, effects, strict=True):
        if not isinstance(part, Replace) or effect.before is None or effect.after is None:
            continue
        looked_at = part.old_text
        if looked_at is None and isinstance(part.entry, Contains):
            looked_at = part.entry.old_text
        found = loss(effect.before, looked_at.strip(), effect.after) if looked_at is not None else None
        if found is not None:
            return found
    return None


def _shrinks(effects: Sequence[Effect]) -> int | None:
    shares = [
        int(100 * len(one.after) / len(one.before))
        for one in effects
        if one.kind == "edited" and one.before and one.after
    ]
    return min((share for share in shares if share < 100 * SHRINKS_BELOW), default=None)


def _with(preview: Preview, **fields: Any) -> Preview:
    """`dataclasses.replace`, which binds all fields anew and takes as long as judging a simple record."""
    twin = object.__new__(Preview)
    vars(twin).update(vars(preview), **fields)
    return twin


def with_rivals(previews: Sequence[Preview]) -> tuple[Preview, ...]:
    """Name, for each preview, the other records that touch the same entry or file."""
    owners: dict[tuple[str, str], list[str]] = {}
    touched = [preview.touches for preview in previews]
    for preview, touches in zip(previews, touched, strict=True):
        for one in touches:
            owners.setdefault(one, []).append(preview.record.key)
    for keys in owners.values():
        keys.sort()
    out: list[Preview] = []
    for preview, touches in zip(previews, touched, strict=True):
        contended = [owners[one] for one in touches if len(owners[one]) > 1]
        if contended:
            keys = contended[0] if len(contended) == 1 else sorted({key for some in contended for key in some})
            at = keys.index(preview.record.key)
            preview = _with(preview, rivals=(*keys[:at], *keys[at + 1 :]))
        out.append(preview)
    return tuple(out)
