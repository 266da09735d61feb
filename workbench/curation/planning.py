"""A plan: the cheapest suggestions, by information lost, that free so many characters or get under a mark.

Greedy in rounds with a pruning at the end: a round takes suggestions that do not touch each other, cheapest a character
first; the next round looks again at what the first left, so that a step may build on another. What turns out not to be
needed is taken out again, the costliest first, and a step that loses something is exchanged where steps that lose
nothing do as well. The result is tried as one batch before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.curation.suggestion import LOSES, MANY_ENTRIES, Suggestion
from workbench.errors import Usage, WorkbenchError
from workbench.memory.applying import Outcome, apply
from workbench.memory.document import FILE_NAMES, TARGETS, Document, count, parse, serialise
from workbench.memory.operations import Batch, Move

ROUNDS = 6
# Looking at one step costs its reader about as much as a few lost characters: a plan has few steps.
STEP_COST = 4

Suggest = Callable[[Mapping[str, Document]], Sequence[Suggestion]]
"""Gives the suggestions for documents as they would be; `suggesting.suggest` with everything else bound."""


@dataclass(frozen=True)
class Step:
    """One suggestion of a plan, and the use of the store once it and those before it are done.

    `percent` is not clamped.
    """

    suggestion: Suggestion
    chars_after: int
    percent_after: int


@dataclass(frozen=True)
class Plan:
    """Steps in the order in which they are to be applied; sizes are characters of the store `target`.

    `goal` is the size aimed at, `reached` whether the steps get there. `loss` is the sum of their losses.
    """

    target: str
    limit: int
    chars: int
    chars_after: int
    goal: int
    steps: tuple[Step, ...]

    @property
    def reached(self) -> bool:
        """Whether the store ends at the goal or below."""
        return self.chars_after <= self.goal

    @property
    def freed(self) -> int:
        """Characters the store has less of."""
        return self.chars - self.chars_after

    @property
    def loss(self) -> int:
        """Estimated characters of information lost by all steps."""
        return sum(step.suggestion.loss for step in self.steps)

    @property
    def operation(self) -> Batch:
        """All steps as one batch, one change set over both files."""
        return Batch(tuple(step.suggestion.operation for step in self.steps))

    @property
    def losing(self) -> tuple[Suggestion, ...]:
        """The steps that may lose something, which nobody should apply without having read them."""
        return tuple(step.suggestion for step in self.steps if step.suggestion.loss >= LOSES)


def plan(
    documents: Mapping[str, Document],
    target: str,
    suggestions: Suggest,
    *,
    free: int | None = None,
    under: int | None = None,
) -> Plan:
    """Plan to free `free` characters of a store, or to get its use below `under` percent.

    A move is only planned while the other store stays below 80 % too (or below `under`). When the goal cannot be
    reached, the plan holds what is there and says so. Raises Usage when the goal makes no sense.
    """
    document = documents[target]
    if (free is None) == (under is None):
        raise Usage("A plan needs either the characters to free or the percentage to get under.")
    if (free is not None and free < 1) or (under is not None and not 1 <= under <= 1000):
        raise Usage("A plan frees at least 1 character, or gets under 1 to 1000 percent.")
    goal = document.chars - free if free is not None else _below(document.limit, under or 0)
    mark = min(under, 80) if under is not None else 80
    if goal < 0:
        raise Usage(f"{FILE_NAMES[target]} holds only {document.chars:,} characters.")
    planner = _Planner(documents, target, goal, mark)
    for _ in range(ROUNDS):
        if planner.chars <= goal or not planner.take(suggestions(planner.documents())):
            break
    planner.prune()
    planner.exchange(suggestions)
    return planner.result()


def _below(limit: int, percent: int) -> int:
    """The largest size that is less than so many percent of the limit, as the client rounds."""
    size = max(0, limit * percent // 100)
    return size - 1 if limit > 0 and size > 0 and int((size / limit) * 100) >= percent else size


def cost(suggestion: Suggestion) -> float:
    """What a suggestion costs for every character it frees."""
    return (suggestion.loss + STEP_COST) / suggestion.freed


class _Planner:
    """The stores as the steps taken so far leave them."""

    def __init__(self, documents: Mapping[str, Document], target: str, goal: int, mark: int) -> None:
        self._documents = documents
        self.target, self.goal, self.mark = target, goal, mark
        self.limits = {name: documents[name].limit for name in TARGETS}
        self.start = {name: documents[name].texts for name in TARGETS}
        self.stores: Mapping[str, tuple[str, ...]] = self.start
        self.steps: list[Suggestion] = []

    @property
    def chars(self) -> int:
        return count(self.stores[self.target])

    def documents(self) -> Mapping[str, Document]:
        """The stores now, as documents that can be looked at like those on disk."""
        if not self.steps:
            return self._documents
        return {
            name: document
            if document.state == "unreadable"
            else parse(serialise(self.stores[name]), name, document.limit)
            for name, document in self._documents.items()
        }

    def take(self, suggestions: Sequence[Suggestion]) -> bool:
        """Take suggestions that do not touch each other until the goal is reached; whether any was taken."""
        touched: set[tuple[str, str]] = set()
        taken = False
        mine = [one for one in suggestions if one.target == self.target]
        for one in sorted(mine, key=lambda one: (cost(one), -one.freed, one.id)):
            if self.chars <= self.goal:
                break
            if touched & set(one.entries):
                continue
            outcome = self._applied(self.stores, one)
            if outcome is None:
                continue
            self.stores = outcome.after
            self.steps.append(one)
            touched |= set(one.entries)
            taken = True
        return taken

    def _applied(self, stores: Mapping[str, tuple[str, ...]], one: Suggestion) -> Outcome | None:
        outcome = apply(stores, one.operation, self.limits)
        if outcome.refused is not None or outcome.confirm:
            return None
        if isinstance(one.operation, Move):
            other = one.operation.to
            if count(outcome.after[other]) * 100 >= self.mark * self.limits[other]:
                return None
        return outcome

    def prune(self) -> None:
        """Take out what is not needed for the goal, the costliest first, as long as the rest still applies."""
        if self.chars > self.goal:
            return
        for one in sorted(self.steps, key=lambda one: (-one.loss, one.freed, one.id)):
            if one.freed > self.goal - self.chars:
                continue
            rest = [step for step in self.steps if step is not one]
            stores = self._all(rest)
            if stores is not None and count(stores[self.target]) <= self.goal:
                self.steps, self.stores = rest, stores

    def exchange(self, suggestions: Suggest) -> None:
        """Put steps that lose nothing in the place of one that does, where that costs less and still gets there."""
        if self.chars > self.goal or sum(map(len, self.start.values())) > MANY_ENTRIES:
            return  # looking again costs too much there for what it may save
        for one in sorted(self.steps, key=lambda one: (-one.loss, one.id)):
            rest = [step for step in self.steps if step is not one]
            stores = self._all(rest)
            if one.loss < LOSES or stores is None:
                continue
            other = _Planner(self._documents, self.target, self.goal, self.mark)
            other.steps, other.stores = rest, stores
            while other.chars > self.goal:
                harmless = [new for new in suggestions(other.documents()) if new.loss < LOSES]
                if not other.take(harmless):
                    break
            if other.chars <= self.goal and other.total < self.total:
                self.steps, self.stores = other.steps, other.stores

    @property
    def total(self) -> int:
        """What all steps cost: what they lose, and looking at each of them."""
        return sum(step.loss + STEP_COST for step in self.steps)

    def _all(self, steps: Sequence[Suggestion]) -> Mapping[str, tuple[str, ...]] | None:
        stores: Mapping[str, tuple[str, ...]] = self.start
        for one in steps:
            outcome = self._applied(stores, one)
            if outcome is None:
                return None
            stores = outcome.after
        return stores

    def result(self) -> Plan:
        """The plan with the size after each step; what each frees is counted where it stands in the plan."""
        stores: Mapping[str, tuple[str, ...]] = self.start
        limit = self.limits[self.target]
        done: list[Step] = []
        for one in self.steps:
            before = count(stores[self.target])
            stores = apply(stores, one.operation, self.limits).after
            after = count(stores[self.target])
            percent = int((after / limit) * 100) if limit > 0 else 0
            done.append(Step(replace(one, freed=before - after), after, percent))
        plan = Plan(
            self.target, limit, count(self.start[self.target]), count(stores[self.target]), self.goal, tuple(done)
        )
        problem: WorkbenchError | None = apply(self.start, plan.operation, self.limits).refused if done else None
        if problem is not None:
            raise problem
        return plan
