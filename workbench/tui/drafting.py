"""Drafting: while a draft is open, screens write into it instead of the files, and see what it comes to.

The functions here run in worker threads; none touches a widget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.errors import DraftMoved, NothingTo, OverBudget, Usage
from workbench.memory import TARGETS
from workbench.tui.facts import Decide, Write
from workbench.tui.home_view import HomeView, drafted_home

if TYPE_CHECKING:
    from workbench.curation.drafts import Draft, Standing
    from workbench.memory import Document, Operation, Outcome, Written
    from workbench.workspace import Workspace

# A limit is checked on the result of a draft, not on the way there.
_FREE = dict.fromkeys(TARGETS, 1 << 62)


@dataclass(frozen=True)
class Drafted:
    """The draft has other steps now: `added` were put in, or `taken` were taken out of it (numbers of steps)."""

    added: int = 0
    taken: int = 0


@dataclass(frozen=True)
class DraftView:
    """A draft on the files as they were read: both stores as drafted, and how its steps stand.

    `disk` is what was read; `repeatable` says how many steps taken back can be repeated.
    """

    disk: HomeView
    home: HomeView
    standing: Standing
    steps: int
    repeatable: int

    @property
    def freed(self) -> int:
        """Characters that both files together have less of; negative when they grow."""
        from workbench.memory import count

        outcome = self.standing.outcome
        return sum(count(outcome.before[target]) - count(outcome.after[target]) for target in TARGETS)

    def summary(self) -> str:
        """`draft · 3 steps · −420 chars`, and what has come between."""
        if not self.steps:
            return "draft · no step yet · every change goes into it, not to the disk"
        freed = self.freed
        size = f"{'−' if freed > 0 else '+'}{abs(freed):,} chars" if freed else "same size"
        said = f"draft · {self.steps} step{'' if self.steps == 1 else 's'} · {size}"
        conflicts = len(self.standing.conflicts)
        if conflicts:
            said += f" · {conflicts} no longer appl{'ies' if conflicts == 1 else 'y'}"
        return said


class Desk:
    """One open draft. `draft` is None until its first step, so that nothing is left of one that never had any.

    The methods that change it belong into `Decide` (see `facts.decide`), which lets one write at a time.
    """

    def __init__(self, workspace: Workspace, draft: Draft | None = None) -> None:
        self.workspace = workspace
        self.draft = draft
        self.kept = False
        # How many steps each key put in, and what was taken back, key by key.
        self._keys: tuple[int, ...] = ()
        self._repeat: tuple[tuple[Operation, ...], ...] = ()

    def go_on(self) -> None:
        """Take up the draft that was kept, if none is open: what is taken next belongs to it (`kept` says so then)."""
        if self.draft is None and not self.workspace.read_only:
            self.draft = kept_draft(self.workspace)
            self.kept = self.draft is not None

    # -- looking ------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> tuple[Operation, ...]:
        """Its steps so far."""
        return self.draft.steps if self.draft is not None else ()

    def stores(self, documents: Mapping[str, Document]) -> Mapping[str, tuple[str, ...]]:
        """The entries of both stores with the draft on these documents."""
        if self.draft is None:
            return {target: documents[target].texts for target in TARGETS}
        from workbench.curation.drafts import stand

        return stand(self.draft, documents).outcome.after

    def preview(self, operation: Operation) -> Outcome:
        """What a further step would do to the drafted stores; one that goes over the limit is not refused here."""
        from workbench.memory import apply

        stores = self.stores(self.workspace.documents())
        outcome = apply(stores, operation, self.workspace.limits)
        return apply(stores, operation, _FREE) if isinstance(outcome.refused, OverBudget) else outcome

    def view(self, disk: HomeView) -> DraftView:
        """The draft on the files as they were just read."""
        from workbench.curation.drafts import Standing, stand
        from workbench.memory import Batch, apply

        documents = {target: store.document for target, store in disk.stores.items()}
        if self.draft is not None:
            standing = stand(self.draft, documents)
        else:
            texts = {target: documents[target].texts for target in TARGETS}
            limits = {target: documents[target].limit for target in TARGETS}
            standing = Standing((), apply(texts, Batch(()), limits), (), limits)
        home = drafted_home(disk, standing.outcome.after)
        return DraftView(disk, home, standing, len(self.steps), len(self._repeat))

    # -- changing -----------------------------------------------------------------------------------------------

    def taking(self, write: Write) -> Decide:
        """An intent to write as an intent to put that into the draft."""
        return Decide(lambda _, __: self.add(write.operation), "draft", write=write)

    def add(self, *operations: Operation) -> Drafted:
        """Put steps at the end and keep them at once. Raises what stands in their way; then none is added."""
        from workbench.memory import Batch, Normalise

        outcome = self.preview(operations[0] if len(operations) == 1 else Batch(operations))
        if outcome.refused is not None:
            raise outcome.refused
        tidies = isinstance(outcome.operation, Normalise)  # changes no entry, and what stands between them
        if not outcome.changed and not tidies:
            raise NothingTo("take into the draft: it holds that already")
        drafted = self._put(outcome.operation)
        self._repeat = ()
        return drafted

    def _put(self, operation: Operation) -> Drafted:
        drafts = self.workspace.curation.drafts
        before = len(self.steps)
        try:
            self.draft = drafts.add(self.draft or drafts.begin(self.workspace.documents()), operation)
        except DraftMoved:
            self._read_again()
            raise
        added = len(self.steps) - before
        self._keys = (*self._keys, added)
        return Drafted(added=added)

    def take_back(self) -> Drafted:
        """Take back what the last key put in: one step, or all of a plan. Raises NothingTo, DraftMoved.

        Of a draft that was kept it is one step: by which key it came is not kept.
        """
        if self.draft is None or not self.draft.steps:
            raise NothingTo("take back: the draft has no step")
        number = self._keys[-1] if self._keys else 1
        last = self.draft.steps[-number:]
        try:
            self.draft = self.workspace.curation.drafts.cut(self.draft, number)
        except DraftMoved:
            self._read_again()
            raise
        self._keys, self._repeat = self._keys[:-1], (*self._repeat, last)
        return Drafted(taken=number)

    def repeat(self) -> Drafted:
        """Put in again what was taken back last. Raises NothingTo, and what stands in its way."""
        from workbench.memory import Batch

        if not self._repeat:
            raise NothingTo("repeat: no step of the draft was taken back")
        steps = self._repeat[-1]
        outcome = self.preview(steps[0] if len(steps) == 1 else Batch(steps))
        if outcome.refused is not None:
            raise outcome.refused
        drafted = self._put(outcome.operation)
        self._repeat = self._repeat[:-1]
        return drafted

    def drop_conflicts(self) -> Drafted:
        """Take the steps out that no longer apply."""
        if self.draft is None:
            return Drafted()
        standing = self.workspace.curation.stand(self.draft)
        gone = [place for place, step in enumerate(standing.steps) if step.problem is not None]
        for place in reversed(gone):
            self._take(self.draft, place)
        self._keys = ()
        return Drafted(taken=len(gone))

    def _take(self, draft: Draft, place: int) -> None:
        try:
            self.draft = self.workspace.curation.drafts.take_back(draft, place)
        except DraftMoved:
            self._read_again()
            raise

    def apply(self, accept: frozenset[str]) -> Written:
        """Write all steps as one change. Raises what stands in the way; the files and the draft are then as before."""
        if self.draft is None:
            raise NothingTo("apply: the draft is empty")
        return self.workspace.curation.apply_draft(self.draft, accept=accept)

    def drop(self) -> None:
        """Throw the draft away."""
        if self.draft is not None:
            self.workspace.curation.drafts.drop(self.draft)
            self.draft = None

    def _read_again(self) -> None:
        """Another window has changed the draft: go on with what it is now, or with a new one."""
        if self.draft is None:
            return
        try:
            self.draft = self.workspace.curation.drafts.get(self.draft.id)
        except Usage:
            self.draft = None
        self._keys, self._repeat = (), ()


def kept_draft(workspace: Workspace) -> Draft | None:
    """The draft that was changed last and holds steps; None when there is none. Looking begins no history."""
    if not (workspace.home / "workbench" / "history.db").is_file():
        return None
    from workbench.history.shelf import Shelf

    if not Shelf(workspace.past).sheets():
        return None
    return next((draft for draft in workspace.curation.all_drafts() if draft.steps), None)


def opened(workspace: Workspace) -> Desk:
    """A desk with the draft that was kept, or with an empty one."""
    return Desk(workspace, kept_draft(workspace))
