"""What would become of a record if it were approved now: its status, why, and the full texts before and after."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
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
from workbench.memory.binding import bound
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

    `status` is one of STATUSES, `reason` says it in a sentence. `rivals` are the keys of other records about the same
    entry or file. `needs` are the confirmations it takes (`--accept-loss`). `images` and `writes` are the bytes of a
    skill's files now and then, `found` is the text that a refused record of a skill would have changed. The texts
    (of a batch: of all entries it changes, joined as in the file) are worked out when one record is looked at: a list
    of a thousand shows none of them.
    """

    record: Record
    status: str
    reason: str = ""
    rivals: tuple[str, ...] = ()
    found: str | None = None
    chars: int | None = None
    chars_after: int | None = None
    limit: int | None = None
    percent_after: int | None = None
    needs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = None
    refused: WorkbenchError | None = None
    images: Mapping[Path, bytes | None] = field(default_factory=dict)
    writes: Mapping[Path, bytes | None] = field(default_factory=dict)

    @property
    def before(self) -> str | None:
        """The full text of what it changes, as it is."""
        return self._texts[0]

    @property
    def after(self) -> str | None:
        """The full text as it would be; of a record that is refused before it gets that far, what it proposes."""
        return self._texts[1]

    @cached_property
    def _texts(self) -> tuple[str | None, str | None]:
        if self.outcome is not None:
            shown = _shown(self.outcome)
            before, after = _joined([one.before for one in shown]), _joined([one.after for one in shown])
            return before, self._proposed if after is None and self.refused is not None else after
        if self.writes:
            main = next((path for path in self.writes if path.name == "SKILL.md"), next(iter(self.writes)))
            return decoded(self.images[main]), decoded(self.writes[main])
        return self.found, self._proposed if isinstance(self.refused, Usage | NotFound) else None

    @property
    def _proposed(self) -> str | None:
        return _joined([_proposed(part) for part in self.record.operations])

    @cached_property
    def shrinks(self) -> int | None:
        """The new text's share of the old in percent, when it is below 40."""
        if self.outcome is not None:
            return _shrinks([(one.before, one.after) for one in _shown(self.outcome) if one.kind == "edited"])
        return _shrinks([self._texts]) if self.writes else None

    @cached_property
    def dropped(self) -> tuple[str, ...]:
        """The pieces that a lossy replace loses."""
        if self.outcome is None or not any(one.flag == ACCEPT_LOSS for one in self.outcome.confirm):
            return ()
        lost = _loss(self.outcome.effects, self.outcome.operation)
        return lost.dropped if lost else ()

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
        if self.outcome is None:
            return frozenset()
        return frozenset(
            [(one.target, one.before) for one in self.outcome.effects if one.before is not None and one.kind != "added"]
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
    if numbers is None and len(parts) == 1:
        return _one(parts[0], target, 1)
    chosen = range(1, len(parts) + 1) if numbers is None else numbers
    for number in chosen:
        if not 1 <= number <= len(parts):
            raise Usage(f"There is no operation {number}; the record has {len(parts)}.")
    built = tuple([_one(parts[number - 1], target, number) for number in chosen])
    single = record.payload.get("action") != "batch" or len(built) == 1
    return built[0] if single else Batch(built)


def _one(part: Any, target: str, number: int) -> Operation:
    if type(part) is not dict and not isinstance(part, Mapping):  # asking an abstract class takes far longer
        raise Usage(f"Operation {number} is not an object.")
    if part.get("action") not in ("add", "replace", "patch", "remove"):
        raise Usage(f"Operation {number} has the unknown action “{part.get('action')}”.")
    if part.get("target", target) != target:
        raise Usage(f"Operation {number} names another store than its record.")
    if not part.keys() <= _CLIENTS_KEYS:
        part = {key: part[key] for key in _CLIENTS_KEYS if part.get(key) is not None}
    return from_json(part, target=target)


_CLIENTS_KEYS = frozenset({"action", "target", "content", "new_text", "old_text", "matched_entry"})


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
        error.with_traceback(None)  # it is kept, and its frames would be with it
        return Preview(record, status, str(error), notes=record.notes, refused=error)
    return _judged(record, apply(stores, operation, rules.limits, rules.clean), operation, rules)


# Many records are held against the same entries.
_folded = lru_cache(maxsize=2048)(fold)


@lru_cache(maxsize=8)
def _all_folded(entries: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(fold, entries))


def _quick_stale(operation: Operation, stores: Mapping[str, tuple[str, ...]]) -> None:
    """Say at once that a text is in no entry; `apply` would look for the closest ones, which takes far longer.

    In a batch the texts that its earlier operations put there count too.
    """
    if isinstance(operation, Add):
        return
    written: list[str] = []
    for one in flatten(operation) if isinstance(operation, Batch) else (operation,):
        if isinstance(one, Batch):
            continue
        selector = getattr(one, "entry", None)
        if isinstance(selector, Contains):
            wanted, entries = selector.old_text.strip(), stores[one.target]
            if not _holds(entries, wanted) and not _holds(written, wanted):
                folded = _folded(wanted)
                if not folded or not (_holds(_all_folded(entries), folded) or _holds(map(fold, written), folded)):
                    raise NotFound(one.target, wanted, entries)
        written += [text for text in (getattr(one, "content", None), getattr(one, "new_text", None)) if text]
        if isinstance(one, Patch):
            return  # what it leaves of its entry can hold more than its own text


def _holds(entries: Iterable[str], wanted: str) -> bool:
    for entry in entries:  # noqa: SIM110 - `any` makes a generator, which takes as long as the search
        if wanted in entry:
            return True
    return False


def _judged(record: Record, outcome: Outcome, operation: Operation, rules: Rules) -> Preview:
    target = targets_of(operation)[0]
    now, limit = _size(outcome.before[target]), rules.limits[target]
    then = count(outcome.after[target]) if outcome.after[target] is not outcome.before[target] else now
    status, reason = _status(record, outcome, operation)
    refused = outcome.refused
    notes = record.notes
    if target in rules.off:
        notes += (f"{FILE_NAMES[target]} is switched off in config.yaml: the agent will not see the entry",)
    return bound(
        Preview,
        record=record,
        status=status,
        reason=reason,
        chars=now,
        chars_after=then,
        limit=limit,
        percent_after=percent(then, limit),
        needs=tuple(dict.fromkeys([one.flag for one in outcome.confirm])) if outcome.confirm and not refused else (),
        notes=notes,
        outcome=outcome,
        refused=refused,
        images=_NO_FILES,
        writes=_NO_FILES,
    )


_NO_FILES: Mapping[Path, bytes | None] = MappingProxyType({})


# Many records are held against the same entries.
_size = lru_cache(maxsize=8)(count)


def _shown(outcome: Outcome) -> list[Effect]:
    return [effect for effect in outcome.effects if effect.kind != "unchanged"] or list(outcome.effects)


def _status(record: Record, outcome: Outcome, operation: Operation) -> tuple[str, str]:
    if outcome.refused is not None:
        status = next((name for kind, name in _STATUS_OF if isinstance(outcome.refused, kind)), "blocked")
        return status, _refusal(outcome.refused)
    if outcome.confirm:
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
            text = part.get("content") if isinstance(part, dict) else None
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


def _shrinks(changes: Iterable[tuple[str | None, str | None]]) -> int | None:
    shares = [int(100 * len(after) / len(before)) for before, after in changes if before and after is not None]
    return min((share for share in shares if share < 100 * SHRINKS_BELOW), default=None)


def with_rivals(previews: Sequence[Preview], fresh: Container[str] = frozenset()) -> tuple[Preview, ...]:
    """Name, for each preview, the other records that touch the same entry or file.

    Those with a key in `fresh` nobody has seen yet: they are told in place, of others there is a new one.
    """
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
        rivals: tuple[str, ...] = ()
        key = preview.record.key
        if contended:
            keys = contended[0] if len(contended) == 1 else sorted({key for some in contended for key in some})
            at = bisect_left(keys, key)
            rivals = (*keys[:at], *keys[at + 1 :])
        if rivals != preview.rivals:
            if key in fresh:
                object.__setattr__(preview, "rivals", rivals)
            else:
                preview = replace(preview, rivals=rivals)
        out.append(preview)
    return tuple(out)
