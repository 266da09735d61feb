"""The thin shell around the plain functions: reads the files, the profiles, the skills and the history of one home."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Protocol

from workbench.curation.drafts import Draft, Drafts, Standing, stand
from workbench.curation.planning import Plan, plan
from workbench.curation.suggesting import suggest
from workbench.curation.suggestion import KINDS, QUIET, Suggestion
from workbench.curation.vanished import Removed, first_seen, removed
from workbench.errors import Lossy, NothingTo, Unreadable, Usage
from workbench.files import read_bytes
from workbench.history import History
from workbench.history.shelf import Shelf
from workbench.home import profiles
from workbench.memory.document import Document
from workbench.memory.files import MemoryFiles
from workbench.memory.operations import Operation, dumps
from workbench.memory.store import Written

# Skills are read whole to be compared with entries; a home may hold hundreds, and some are long.
MOST_SKILLS = 200
MOST_SKILL_BYTES = 64_000


class Write(Protocol):
    """Writing an operation: `Workspace.write`."""

    def __call__(self, operation: Operation, *, accept: frozenset[str] = ..., label: str = ...) -> Written:
        """Apply an operation to what is on disk and save it."""


class Curation:
    """Making room in the two stores of one home. No method writes a memory file but `apply_draft`, through `write`."""

    def __init__(
        self,
        home: Path,
        root: Path,
        memory: Callable[[], MemoryFiles],
        history: Callable[[], History],
        past: Callable[[], History],
        write: Write,
    ) -> None:
        self.home, self.root = home, root
        self._memory, self._history, self._past, self._write = memory, history, past, write

    # -- suggestions --------------------------------------------------------------------------------------------

    def suggest(
        self,
        documents: Mapping[str, Document] | None = None,
        *,
        kinds: Collection[str] | None = None,
        everything: bool = False,
        dismissed: bool = False,
    ) -> tuple[Suggestion, ...]:
        """Suggestions for the files as they are, or as `documents` shows them; see `suggesting.suggest`.

        With `dismissed` those that were dismissed come too.
        """
        return self.suggester(kinds=kinds, everything=everything, dismissed=dismissed)(
            documents if documents is not None else self._memory().read()
        )

    def suggester(
        self, *, kinds: Collection[str] | None = None, everything: bool = False, dismissed: bool = False
    ) -> Callable[[Mapping[str, Document]], tuple[Suggestion, ...]]:
        """A function from documents to suggestions that has read everything else of the home once."""
        wants_others = everything or "copied" in (kinds or ())
        others = self.others() if wants_others else {}
        skills = self.skills()
        unwanted = frozenset() if dismissed or not self._has_history() else Shelf(self._past()).dismissed()
        seen: dict[str, float] = {}

        def when() -> Mapping[str, float]:
            if not seen and self._has_history():
                seen.update(first_seen(self._past(), self._memory()))
            return seen

        def look(documents: Mapping[str, Document]) -> tuple[Suggestion, ...]:
            return suggest(
                documents, others=others, skills=skills, first_seen=when, dismissed=unwanted, kinds_wanted=kinds,
                everything=everything,
            )  # fmt: skip

        return look

    def plan(
        self,
        target: str,
        *,
        free: int | None = None,
        under: int | None = None,
        everything: bool = False,
        documents: Mapping[str, Document] | None = None,
    ) -> Plan:
        """A plan for one store as it is on disk, or as `documents` shows it. Raises Usage, Unreadable, Lossy.

        See `planning.plan`.

        What looks time-bound is its last resort, as it loses whole entries; what other profiles hold too comes only
        with `everything`.
        """
        documents = documents if documents is not None else self._memory().read()
        document = documents[target]
        if document.state == "unreadable":
            raise Unreadable(self._memory().path(target), document.error, document.error_offset)
        if document.state == "lossy":
            raise Lossy(target, max(map(len, document.texts)), document.limit)
        wanted = (
            tuple(KINDS) if everything else tuple(kind for kind in KINDS if kind not in QUIET or kind == "time_bound")
        )
        return plan(documents, target, self.suggester(kinds=wanted), free=free, under=under)

    def dismiss(self, ident: str) -> Suggestion:
        """Do not offer a suggestion again while its texts stay as they are.

        `ident` is its id or the beginning of it. Raises Usage, ReadOnly, HistoryUnavailable.
        """
        matches = [one for one in self.suggest(everything=True) if len(ident) >= 4 and one.id.startswith(ident.lower())]
        if len(matches) != 1:
            problem = "fits several suggestions" if matches else "is no suggestion for these files"
            raise Usage(f"“{ident[:40]}” {problem}; `workbench memory suggest --all` lists them.")
        self.dismiss_this(matches[0])
        return matches[0]

    def dismiss_this(self, suggestion: Suggestion) -> None:
        """Do not offer this suggestion again while its texts stay as they are. Raises ReadOnly, HistoryUnavailable."""
        Shelf(self._history()).dismiss(suggestion.id, suggestion.kind)

    # -- removed lately -----------------------------------------------------------------------------------------

    def removed(self, target: str | None = None, *, since: float = 0.0) -> tuple[Removed, ...]:
        """The entries that vanished since a time in Unix seconds, newest first."""
        if not self._has_history():
            return ()
        files = self._memory()
        return removed(self._past(), files, files.read(), target, since=since)

    # -- drafts -------------------------------------------------------------------------------------------------

    @property
    def drafts(self) -> Drafts:
        """The home's drafts, for changing. Raises HistoryUnavailable."""
        return Drafts(Shelf(self._history()))

    def all_drafts(self) -> tuple[Draft, ...]:
        """The drafts, the one changed last first; one whose write had landed before a crash is dropped at this look."""
        if not self._has_history():
            return ()
        shelf = Shelf(self._past())
        kept = []
        for draft in Drafts(shelf).all():
            if draft.written and self._has_landed(draft) and not self._past().read_only:
                Drafts(shelf).drop(draft)
            else:
                kept.append(draft)
        return tuple(kept)

    def stand(self, draft: Draft) -> Standing:
        """What a draft comes to on the files as they are."""
        return stand(draft, self._memory().read())

    def apply_draft(self, draft: Draft, *, accept: frozenset[str] = frozenset()) -> Written:
        """Write a draft as one change set over both files, and drop it.

        Raises the first conflict, what stands in the way of writing, DraftMoved when another window changed the
        draft, NothingTo for an empty one; the files and the draft are then as they were.
        """
        if not draft.steps:
            raise NothingTo("apply: the draft is empty")
        standing = self.stand(draft)
        for step in standing.conflicts:
            assert step.problem is not None
            raise step.problem
        standing.outcome.check(accept)
        batch = standing.outcome.operation
        marked = self.drafts.mark(draft, dumps(batch))
        number = len(draft.steps)
        written = self._write(batch, accept=accept, label=f"a draft of {number} step{'' if number == 1 else 's'}")
        self.drafts.drop(marked)
        return written

    def _has_landed(self, draft: Draft) -> bool:
        changes = self._past().changes(50)
        return any(one.landed and one.at >= draft.sheet.changed and one.operations == draft.written for one in changes)

    # -- what else there is -------------------------------------------------------------------------------------

    def others(self) -> dict[str, tuple[str, ...]]:
        """The entries of the other profiles, by the profile's name; a file that cannot be read counts for none."""
        found: dict[str, tuple[str, ...]] = {}
        for profile in profiles(self.root):
            if profile.path.resolve() != self.home.resolve():
                documents = MemoryFiles(profile.path, self._memory().limits).read()
                found[profile.name] = tuple(text for document in documents.values() for text in document.texts)
        return found

    def skills(self) -> dict[str, str]:
        """The texts of the home's skills by name, the first 200 in the order of their paths; long ones are left out."""
        found: dict[str, str] = {}
        try:
            paths = sorted((self.home / "skills").glob("**/SKILL.md"))[:MOST_SKILLS]
        except OSError:
            return found
        for path in paths:
            try:
                if path.stat().st_size <= MOST_SKILL_BYTES:
                    found.setdefault(path.parent.name, (read_bytes(path) or b"").decode("utf-8"))
            except (OSError, UnicodeDecodeError, Unreadable):
                continue  # a skill that cannot be read holds no steps for sure
        return found

    def _has_history(self) -> bool:
        """Whether there is a history to ask: looking must not begin one."""
        return (self.home / "workbench" / "history.db").is_file()
