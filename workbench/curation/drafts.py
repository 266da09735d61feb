"""Drafts: operations collected on both files before anything is written, kept in history.db step by step.

A draft holds its operations with the exact texts they are about. When the files move on, it is applied anew to what
they hold: a step whose entry is gone is a conflict and is named, the others stand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from workbench.errors import OverBudget, Usage, WorkbenchError
from workbench.files import digest
from workbench.history.shelf import Sheet, Shelf
from workbench.memory.applying import Outcome, apply, flatten
from workbench.memory.document import TARGETS, Document, count, percent
from workbench.memory.operations import Batch, Contains, Operation, from_json, selectors_of, to_json

_FREE = dict.fromkeys(TARGETS, 1 << 62)


@dataclass(frozen=True)
class Draft:
    """A draft as it was read: its steps in order, and the SHA-256 of each file when it was begun (None: no file).

    `written` is the JSON of the batch that was being written when the draft was last touched, "" otherwise.
    """

    sheet: Sheet
    steps: tuple[Operation, ...]
    base: Mapping[str, str | None]
    written: str = ""

    @property
    def id(self) -> int:
        """Its number."""
        return self.sheet.id

    @property
    def operation(self) -> Batch:
        """All steps as one batch."""
        return Batch(self.steps)


@dataclass(frozen=True)
class DraftStep:
    """One step on the files as they are: `problem` is why it does not apply, `chars` the stores' sizes after it."""

    operation: Operation
    problem: WorkbenchError | None
    chars: Mapping[str, int]


@dataclass(frozen=True)
class Standing:
    """What a draft comes to on given files.

    `outcome` is that of the steps that apply, as one batch with the limits in force, so that its `refused` and
    `confirm` say what stands in the way of writing. `moved` are the targets whose file is not the one the draft was
    begun on. Percentages are not clamped.
    """

    steps: tuple[DraftStep, ...]
    outcome: Outcome
    moved: tuple[str, ...]
    limits: Mapping[str, int]

    @property
    def conflicts(self) -> tuple[DraftStep, ...]:
        """The steps that no longer apply."""
        return tuple(step for step in self.steps if step.problem is not None)

    def bar(self, target: str) -> tuple[int, int, int, int]:
        """The budget of a store: characters and percent before, characters and percent after."""
        before, after = count(self.outcome.before[target]), count(self.outcome.after[target])
        limit = self.limits[target]
        return before, percent(before, limit), after, percent(after, limit)


def stand(draft: Draft, documents: Mapping[str, Document]) -> Standing:
    """Apply a draft to documents step by step, for looking; nothing is written.

    A limit exceeded on the way is no conflict: it is checked on the result.
    """
    limits = {target: documents[target].limit for target in TARGETS}
    start: Mapping[str, tuple[str, ...]] = {target: documents[target].texts for target in TARGETS}
    stores, steps, good = start, [], []
    for operation in draft.steps:
        outcome = apply(stores, operation, _FREE)
        problem = None if isinstance(outcome.refused, OverBudget) else outcome.refused
        if problem is None:
            stores = outcome.after
            good.append(outcome.operation)
        steps.append(DraftStep(operation, problem, {target: count(stores[target]) for target in TARGETS}))
    moved = tuple(target for target in TARGETS if draft.base.get(target) != _sha(documents[target]))
    return Standing(tuple(steps), apply(start, Batch(tuple(good)), limits), moved, limits)


class Drafts:
    """The drafts of one home."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def all(self) -> tuple[Draft, ...]:
        """Every draft, the one changed last first."""
        return tuple(_read(sheet) for sheet in self._shelf.sheets())

    def get(self, number: int) -> Draft:
        """One draft. Raises Usage when there is none with this number."""
        return _read(self._shelf.sheet(number))

    def begin(self, documents: Mapping[str, Document]) -> Draft:
        """Start an empty draft on the files as they are. Raises ReadOnly, HistoryUnavailable."""
        base = {target: _sha(documents[target]) for target in TARGETS}
        return _read(self._shelf.lay(_body((), base)))

    def add(self, draft: Draft, *operations: Operation) -> Draft:
        """Add steps at the end and keep them at once.

        Raises Usage for an operation that names its entry by a piece of its text (it could mean another one later),
        DraftMoved when another window changed the draft.
        """
        steps = tuple(inner for operation in operations for inner in flatten(operation))
        for one in steps:
            if any(isinstance(selector, Contains) for selector in selectors_of(one)):
                raise Usage("A step of a draft names its entry by its whole text.")
        return self._put(draft, (*draft.steps, *steps))

    def take_back(self, draft: Draft, step: int = -1) -> Draft:
        """Take one step back, by its place (counts from 0; the last one by default). Raises Usage, DraftMoved."""
        if not -len(draft.steps) <= step < len(draft.steps):
            raise Usage(f"Draft {draft.id} has {len(draft.steps)} steps; there is no step {step + 1}.")
        at = step % len(draft.steps)
        return self._put(draft, draft.steps[:at] + draft.steps[at + 1 :])

    def cut(self, draft: Draft, number: int) -> Draft:
        """Take the last `number` steps back at once (1 and more). Raises Usage, DraftMoved."""
        if not 1 <= number <= len(draft.steps):
            raise Usage(f"Draft {draft.id} has {len(draft.steps)} steps, not {number}.")
        return self._put(draft, draft.steps[:-number])

    def mark(self, draft: Draft, batch: str) -> Draft:
        """Note which batch is about to be written, so that a crash behind the write does not offer it again."""
        return _read(self._shelf.change(draft.sheet, _body(draft.steps, draft.base, batch)))

    def drop(self, draft: Draft) -> None:
        """Throw a draft away. Raises DraftMoved."""
        self._shelf.drop(draft.sheet)

    def _put(self, draft: Draft, steps: tuple[Operation, ...]) -> Draft:
        sheet = self._shelf.change(draft.sheet, _body(steps, draft.base))
        return replace(draft, sheet=sheet, steps=steps, written="")


def as_json(draft: Draft) -> dict[str, Any]:
    """The draft in the form that `memory apply` reads: changes in order, each with the hash of the file it began on."""
    return {
        "version": 1,
        "changes": [
            {"target": target, "base_sha256": draft.base.get(target), "operations": [to_json(one) for one in run]}
            for target, run in groupby(draft.steps, key=lambda one: "" if isinstance(one, Batch) else one.target)
        ],
    }


def _body(steps: tuple[Operation, ...], base: Mapping[str, str | None], written: str = "") -> str:
    data = {"version": 1, "base": dict(base), "steps": [to_json(one) for one in steps], "written": written}
    return json.dumps(data, ensure_ascii=False)


def _read(sheet: Sheet) -> Draft:
    data = json.loads(sheet.body)
    steps = tuple(from_json(one) for one in data["steps"])
    return Draft(sheet, steps, data["base"], data["written"])


def _sha(document: Document) -> str | None:
    return None if document.data is None else digest(document.data)
