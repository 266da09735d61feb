"""The inbox of one home: the queue with previews, and decisions by the name of a record."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import Busy, Conflict, NotFound, Unreadable, Usage, WorkbenchError
from workbench.inbox.preflight import Preview, Rules, against, preflight_memory, texts_of, texts_to_scan, with_rivals
from workbench.inbox.records import MAX_ROWS, Known, Queue, Record, read_queue
from workbench.memory.document import FILE_NAMES, Document
from workbench.memory.files import MemoryFiles
from workbench.threats import harmless

if TYPE_CHECKING:
    from workbench.history import Committed, History
    from workbench.inbox.acting import Decision, Desk
    from workbench.inbox.skills import Skills
    from workbench.memory.operations import Operation

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Step:
    """One record of an "accept all": its preview at that moment, what became of it, and why not.

    `decision` is None for a record that was skipped (`reason`), for a dry run, and for the one that `error` stopped.
    `would` says that it was, or in a dry run would be, applied.
    """

    preview: Preview
    would: bool
    reason: str = ""
    decision: Decision | None = None
    error: WorkbenchError | None = None


class Inbox:
    """The waiting writes of a home, safe to use from several threads.

    Reading opens no database; `history` is asked for when something is decided.
    """

    def __init__(
        self,
        home: Path,
        files: MemoryFiles,
        history: Callable[[], History],
        *,
        off: frozenset[str] = frozenset(),
        clock: Callable[[], float],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.home = home
        self.files = files
        self.rules = Rules(files.limits, off)
        self._history = history
        self._clock = clock
        self._changed = changed
        self._mutex = threading.Lock()
        self._known: Known = {}
        self._judged: dict[str, Preview] = {}
        self._judged_on: tuple[object, ...] = ()
        self._aims: dict[str, Preview] = {}

    # -- looking ------------------------------------------------------------------------------------------------

    def queue(self, rows: int = MAX_ROWS) -> Queue:
        """What waits, oldest first. Never raises."""
        with self._mutex:
            return read_queue(self.home, rows=rows, known=self._known)

    def previews(
        self, queue: Queue | None = None, documents: Mapping[str, Document] | None = None
    ) -> tuple[Preview, ...]:
        """Every record of the queue against the files as they are now, rivals named. Never raises.

        What was judged before is judged again only when the record or a memory file has changed; skills always. A
        piece of text that has named an entry once keeps meaning that entry: when it is gone the record is stale, even
        where another entry holds the same piece by now (the one a rival has put in its place, say).
        """
        records = (queue or self.queue()).records
        documents = documents if documents is not None else self.files.read()
        on = tuple((one.data, one.state, one.error) for one in documents.values())
        with self._mutex:
            judged = self._skills([record for record in records if record.subsystem == "skills"])
            fresh = self._memory([record for record in records if record.subsystem == "memory"], documents, on, judged)
            found = with_rivals([judged[record.key] for record in records], fresh)
            self._judged = {one.record.key: one for one in found if one.record.subsystem == "memory"}
            self._judged_on = on
        return found

    def _memory(
        self,
        records: Sequence[Record],
        documents: Mapping[str, Document],
        on: tuple[object, ...],
        judged: dict[str, Preview],
    ) -> set[str]:
        """Put the previews of memory records into `judged`; returns the keys of all that are new in it."""
        known = self._judged if self._judged_on == on else {}
        fresh: list[Record] = []
        anew = set(judged)
        for record in records:
            before = known.get(record.key)
            if before is not None and before.record is record:
                judged[record.key] = before
            else:
                fresh.append(record)
        stores = texts_of(documents)
        rules = replace(self.rules, clean=harmless(texts_to_scan(fresh))) if len(fresh) > 1 else self.rules
        for record in fresh:
            judged[record.key] = self._preview(record, documents, rules, stores)
            anew.add(record.key)
        return anew

    def _preview(
        self,
        record: Record,
        documents: Mapping[str, Document],
        rules: Rules,
        stores: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Preview:
        preview = preflight_memory(record, documents, rules, self._aim(record), stores)
        if preview.aim is not None:
            self._aims[record.key] = preview
        return preview

    def _aim(self, record: Record) -> Operation | None:
        """What the record was found to mean when it was previewed before, unless its bytes have changed since."""
        before = self._aims.get(record.key)
        return before.aim if before is not None and before.record.data == record.data else None

    def _skills(self, records: Sequence[Record]) -> dict[str, Preview]:
        if not records:
            return {}
        from workbench.inbox.skills import preflight_skill, read_skills

        found = read_skills(self.home)
        return {record.key: preflight_skill(record, found) for record in records}

    def afterwards(self, accepted: Preview, other: Preview) -> Preview | None:
        """What would become of another record if one were accepted; None when that cannot be told beforehand."""
        if accepted.outcome is None or accepted.refused is not None or other.record.subsystem != "memory":
            return None
        return against(other.record, accepted.outcome.after, self.rules, self._aim(other.record))

    def find(self, name: str, previews: Sequence[Preview] | None = None) -> Preview:
        """The preview of one record, by its id, the beginning of it (4 or more characters), or `memory/ID`.

        Raises Usage when the name fits none or several.
        """
        previews = self.previews() if previews is None else previews
        exact = [one for one in previews if name in (one.record.id, one.record.key)]
        fits = exact or [
            one
            for one in previews
            if len(name) >= 4 and (one.record.id.startswith(name) or one.record.key.startswith(name))
        ]
        if len(fits) == 1:
            return fits[0]
        if not fits:
            whole = self.queue(rows=sys.maxsize)
            if whole.total > len(previews):  # a list is capped; a record that is named is found all the same
                return self.find(name, self.previews(whole))
            raise Usage(f"No record “{name}” waits; `workbench pending list` shows what does.")
        raise Usage(
            f"“{name}” fits {len(fits)} records; write " + " or ".join(one.record.key for one in fits[:4]) + "."
        )

    # -- deciding -----------------------------------------------------------------------------------------------

    def accept(
        self,
        seen: Preview,
        *,
        given: frozenset[str] = NOTHING,
        numbers: Sequence[int] | None = None,
        reason: str = "",
    ) -> Decision:
        """Apply a record as previewed; see acting.accept for the errors."""
        from workbench.inbox.acting import accept

        return self._told(accept(self._desk(), seen, given=given, numbers=numbers, reason=reason))

    def refuse(self, record: Record, *, given: frozenset[str] = NOTHING, reason: str = "") -> Decision:
        """Take a record away without applying it; see acting.refuse for the errors."""
        from workbench.inbox.acting import FOLLOW_LINK, refuse

        return self._told(refuse(self._desk(), record, reason=reason, follow=FOLLOW_LINK in given))

    def preview_edited(self, seen: Preview, text: str, number: int | None = None) -> Preview:
        """What would become of the record with another text. Raises Usage."""
        return self._as(seen.record, self._edited(seen, text, number))

    def edit(
        self,
        seen: Preview,
        text: str,
        *,
        number: int | None = None,
        given: frozenset[str] = NOTHING,
        reason: str = "",
        keep: bool = False,
    ) -> Decision:
        """Apply a record with another text; with `keep` only its file is rewritten, and it goes on waiting.

        The entry it is about is pinned by its full text. Raises Usage and what acting.accept raises.
        """
        from workbench.inbox.acting import FOLLOW_LINK, accept, rewrite

        payload = self._edited(seen, text, number)
        if keep:
            return self._told(rewrite(self._desk(), seen.record, payload, "edit", follow=FOLLOW_LINK in given))
        return self._told(accept(self._desk(), seen, given=given, reason=reason, payload=payload))

    def retarget(
        self, seen: Preview, entry: str, *, number: int | None = None, given: frozenset[str] = NOTHING
    ) -> Decision:
        """Aim a record at another entry of its store, by the entry's full text; it goes on waiting.

        Raises Usage, NotFound when there is no such entry, Unreadable, Decided, NotOurs.
        """
        from workbench.inbox.acting import FOLLOW_LINK, retargeted_payload, rewrite

        if seen.record.subsystem == "memory" and not seen.record.problem:
            document = self.files.read()[seen.record.target]
            if document.state == "unreadable":
                raise Unreadable(self.files.path(document.target), document.error, document.error_offset)
            if entry not in document.texts:
                raise NotFound(FILE_NAMES[document.target], entry, document.texts)
        payload = retargeted_payload(seen.record, entry, number)
        return self._told(rewrite(self._desk(), seen.record, payload, "retarget", follow=FOLLOW_LINK in given))

    def preview_readdressed(self, seen: Preview, to: str) -> Preview:
        """What would become of an addition in the other store. Raises Usage."""
        from workbench.inbox.acting import readdressed_payload

        return self._as(seen.record, readdressed_payload(seen.record, to))

    def readdress(
        self, seen: Preview, to: str, *, given: frozenset[str] = NOTHING, reason: str = "", keep: bool = True
    ) -> Decision:
        """Send an addition to the store `to`; it goes on waiting, or without `keep` is applied there at once.

        Raises Usage for what is no addition, Decided, NotOurs and what acting.accept raises.
        """
        from workbench.inbox.acting import FOLLOW_LINK, accept, readdressed_payload, rewrite

        payload = readdressed_payload(seen.record, to)
        if keep:
            return self._told(rewrite(self._desk(), seen.record, payload, "retarget", follow=FOLLOW_LINK in given))
        return self._told(accept(self._desk(), seen, given=given, reason=reason, payload=payload))

    def accept_all(
        self,
        names: Sequence[Preview] | None = None,
        *,
        dry_run: bool = False,
        reason: str = "",
        given: frozenset[str] = NOTHING,
    ) -> tuple[Step, ...]:
        """Apply, oldest first, all records that are ready and have no rival; each is previewed anew before.

        What is skipped says why. Of `given` only `--follow-link` counts: what is ready needs no other. A conflict, or a
        file that stays locked, ends it: the rest is not tried. A dry run simulates the same order and writes nothing.
        """
        from workbench.inbox.acting import FOLLOW_LINK

        previews = list(self.previews() if names is None else names)
        documents = self.files.read()
        rehearsal = _Rehearsal(texts_of(documents)) if dry_run else None
        steps: list[Step] = []
        for first in previews:
            now = self._again(first, rehearsal)
            skipped = _skipped(now)
            if skipped or rehearsal is not None:
                steps.append(Step(now, not skipped, skipped))
                if not skipped and rehearsal is not None:
                    rehearsal.apply(now)
                continue
            try:
                decision = self.accept(now, reason=reason, given=given & {FOLLOW_LINK})
            except WorkbenchError as error:
                steps.append(Step(now, False, str(error), error=error))
                if error.exit_code == Conflict.exit_code or isinstance(error, Busy):
                    break
                continue
            steps.append(Step(now, True, decision=decision))
        return tuple(steps)

    def rehearse(
        self, names: Sequence[Preview], *, given: frozenset[str] = NOTHING, numbers: Sequence[int] | None = None
    ) -> tuple[Step, ...]:
        """What accepting these records one after the other would come to; what is refused leaves the rest its turn.

        `given` and `numbers` as for `accept`. Writes nothing and raises nothing: `Step.error` says what would be.
        """
        from workbench.inbox.acting import check

        rehearsal = _Rehearsal(texts_of(self.files.read()))
        steps: list[Step] = []
        for first in names:
            now = first
            try:
                now = self._again(first, rehearsal, numbers)
                check(now, given)
            except WorkbenchError as error:
                steps.append(Step(now, False, str(error), error=error))
                continue
            rehearsal.apply(now)
            steps.append(Step(now, True))
        return tuple(steps)

    def set_gate(self, subsystem: str, on: bool, *, follow: bool = False) -> Committed:
        """Switch the approval gate of memory or skills; see gate.set_gate for the errors."""
        from workbench.inbox.gate import set_gate

        return set_gate(self._history(), self.home, subsystem, on, follow=follow)

    # -- inside -------------------------------------------------------------------------------------------------

    def _told(self, decision: Decision) -> Decision:
        self._changed()
        return decision

    def _desk(self) -> Desk:
        from workbench.inbox import acting

        return acting.Desk(self.home, self.files, self._history(), self.rules, self._clock)

    def _edited(self, seen: Preview, text: str, number: int | None) -> dict[str, object]:
        from workbench.inbox.acting import edited_payload

        record = seen.record
        return edited_payload(record, text, number, self._entry_of(seen, number))

    @staticmethod
    def _entry_of(seen: Preview, number: int | None) -> str | None:
        """The full text of the entry that the edited operation changes, as it was resolved; None for an addition."""
        effects = seen.outcome.effects if seen.outcome else ()
        at = (number or 1) - 1
        return effects[at].before if at < len(effects) and effects[at].kind in ("edited", "unchanged") else None

    def _as(self, record: Record, payload: Mapping[str, object]) -> Preview:
        if record.subsystem == "skills":
            from workbench.inbox.skills import preflight_skill, read_skills

            return preflight_skill(record, read_skills(self.home), payload)
        from workbench.inbox.acting import aimed

        return preflight_memory(aimed(record, payload), self.files.read(), self.rules)

    def _again(self, first: Preview, rehearsal: _Rehearsal | None, numbers: Sequence[int] | None = None) -> Preview:
        if first.record.subsystem == "skills":
            if numbers is not None:
                raise Usage("The record of a skill has no operations to choose from.")
            fresh = (
                rehearsal.skill(first.record, self.home)
                if rehearsal
                else self._skills([first.record])[first.record.key]
            )
        elif rehearsal and not isinstance(first.refused, Unreadable):
            meant = self._aim(first.record)
            if numbers is not None and not first.record.problem:
                from workbench.inbox.acting import picked_from

                meant = picked_from(first, sorted(set(numbers)))
            fresh = against(first.record, rehearsal.stores, self.rules, meant)
        else:
            fresh = self._preview(first.record, self.files.read(), self.rules)
        return replace(fresh, rivals=first.rivals)


@dataclass
class _Rehearsal:
    """The entries and the skills as they would be after the steps of a dry run so far."""

    stores: Mapping[str, tuple[str, ...]]
    skills: Skills | None = None

    def skill(self, record: Record, home: Path) -> Preview:
        """Preview a skill's record at this point; the skills are read once."""
        from workbench.inbox.skills import preflight_skill, read_skills

        self.skills = self.skills or read_skills(home)
        return preflight_skill(record, self.skills)

    def apply(self, step: Preview) -> None:
        """Take over what a step does."""
        from workbench.inbox.skills import after

        if step.outcome is not None:
            self.stores = dict(step.outcome.after)
        elif self.skills is not None:
            self.skills = after(self.skills, step.writes)


def _skipped(preview: Preview) -> str:
    if preview.status != "ready":
        return preview.reason or preview.status
    if preview.rivals:
        return "it has rivals; decide between them one by one"
    return ""
