"""All suggestions for a home's two stores: plain functions, the same input always gives the same list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from workbench.curation import kinds
from workbench.curation.alike import Alike, pairs
from workbench.curation.contradictions import Clash, clashes
from workbench.curation.facts import Fact, normal_form, take_apart
from workbench.curation.folding import Folding, foldings
from workbench.curation.shorter import BREADCRUMB, RULES, shorten, without_user
from workbench.curation.skills import covered, skill_facts
from workbench.curation.suggestion import KINDS, LOSES, MANY_ENTRIES, QUIET, Bench, Idea, Suggestion
from workbench.errors import Usage
from workbench.memory.document import FILE_NAMES, TARGETS, Document
from workbench.memory.loss import words
from workbench.memory.operations import Batch, Exact, Merge, Move, Remove, Replace

_OTHER = {"memory": "user", "user": "memory"}
# Only so many of one kind are offered at once; what is hidden comes up when some of these have been dealt with.
MOST_OF_A_KIND = 200


def suggest(
    documents: Mapping[str, Document],
    *,
    others: Mapping[str, Collection[str]] | None = None,
    skills: Mapping[str, str] | None = None,
    first_seen: Callable[[], Mapping[str, float]] | None = None,
    dismissed: Collection[str] = frozenset(),
    kinds_wanted: Collection[str] | None = None,
    everything: bool = False,
) -> tuple[Suggestion, ...]:
    """What could make room in the two stores, most characters freed first; nothing is applied.

    `others` are the entries of other profiles by the profile's name, `skills` the texts of the home's skills by name,
    `first_seen` is asked when the history first saw an entry (Unix seconds, by its text), only where that matters;
    `dismissed` are the ids of suggestions that are not wanted. `kinds_wanted` limits the kinds; the quiet ones come
    only when they are named in it or with `everything`. A file that cannot be read gives none. Raises Usage for an
    unknown kind.
    """
    unknown = set(kinds_wanted or ()) - KINDS.keys()
    if unknown:
        raise Usage(f"Unknown kind “{min(unknown)}”; known are {', '.join(KINDS)}.")
    shown = frozenset(kinds_wanted or (KINDS if everything else KINDS.keys() - QUIET))
    bench = Bench(documents)
    look = _Look(documents, bench, first_seen or dict)
    found: dict[str, Suggestion] = {}
    number = dict.fromkeys(KINDS, 0)
    for idea in look.ideas(shown, others or {}, skills or {}):
        if idea.kind not in shown or number[idea.kind] >= MOST_OF_A_KIND:
            continue
        made = bench.tried(idea)
        if made is not None and made.id not in dismissed and made.id not in found:
            found[made.id] = made
            number[idea.kind] += 1
    return tuple(sorted(found.values(), key=lambda one: (-one.freed, one.loss, one.id)))


class _Look:
    """One look over both stores. `where` and `facts` run over all entries, MEMORY first, in file order."""

    def __init__(
        self, documents: Mapping[str, Document], bench: Bench, first_seen: Callable[[], Mapping[str, float]]
    ) -> None:
        self.documents = documents
        self.first_seen = first_seen
        self.where = [
            (target, text) for target in TARGETS if target not in bench.closed for text in bench.stores[target]
        ]
        self.facts = [take_apart(text) for _, text in self.where]
        self.homes = [kinds.belongs_to(text) for _, text in self.where]

    def ideas(
        self, shown: Collection[str], others: Mapping[str, Collection[str]], skills: Mapping[str, str]
    ) -> Iterator[Idea]:
        """Ideas of all kinds, an entry's worst fault first."""
        spoken_for: set[tuple[str, str]] = set()
        for idea in (*self._empty(), *self._alike()):
            spoken_for.add(idea.about[0])
            yield idea
        for clash in clashes(self.facts):
            idea = self._contradiction(clash)
            if not spoken_for & set(idea.about):
                yield idea
        for idea in (*self._in_skills(skills), *self._belonging(), *self._shortened()):
            if idea.about[0] not in spoken_for:
                yield idea
        if not QUIET.isdisjoint(shown):
            yield from self._quiet(others)

    # -- one after the other ----------------------------------------------------------------------------------------

    def _empty(self) -> Iterator[Idea]:
        for target, text in self.where:
            why = kinds.says_nothing(text)
            if why:
                # A heading may have meant something to somebody; a caption such as `Notes` cannot.
                doubt = len(text) + LOSES if why == kinds.HEADING else 0
                yield Idea(
                    "empty", ((target, text),), f"It holds no fact: {why}.", Remove(target, Exact(text)), doubt, 0.9
                )  # fmt: skip

    def _alike(self) -> Iterator[Idea]:
        for pair in pairs(self.facts, self._at_home()):
            goes, stays = self.where[pair.goes], self.where[pair.stays]
            fact = self.facts[pair.goes]
            loss = {"same": 0, "contained": 0, "reworded": 4}[pair.kind]
            sure = {"same": 0.99, "contained": 0.95, "reworded": 0.9}[pair.kind]
            yield Idea(
                pair.kind, (goes, stays), _why_alike(pair, goes[0], stays[0], fact), Remove(goes[0], Exact(goes[1])),
                loss, sure,
            )  # fmt: skip

    def _at_home(self) -> list[int]:
        stands = zip(self.where, self.homes, strict=True)
        return [2 if home == target else 0 if home else 1 for (target, _), (home, _) in stands]

    def _contradiction(self, clash: Clash) -> Idea:
        old, new, old_value, new_value = clash.left, clash.right, clash.left_value, clash.right_value
        times = self.first_seen()
        seen = [times.get(self.where[index][1]) for index in (old, new)]
        by = "stands later in the file"
        if self.where[old][0] != self.where[new][0]:
            by = "stands in USER.md, and which of the two is newer is not recorded"
        if seen[0] is not None and seen[1] is not None and seen[0] != seen[1]:
            by = "was written later, by the history"
            if seen[0] > seen[1]:
                old, new, old_value, new_value = new, old, new_value, old_value
        goes, stays = self.where[old], self.where[new]
        kept = set(words(stays[1]))
        gone = [word for word in dict.fromkeys(words(goes[1])) if word not in kept]
        why = (
            f"Worth a look: {clash.kind} {old_value} here, {new_value} in an entry that {by}; "
            "this one may be out of date."
        )
        loss = max(LOSES, sum(map(len, gone)))
        return Idea("contradiction", (goes, stays), why, Remove(goes[0], Exact(goes[1])), loss, 0.6)

    def _in_skills(self, skills: Mapping[str, str]) -> Iterator[Idea]:
        facts = skill_facts(skills)
        for target, text in self.where if facts else ():
            found = covered(text, facts)
            if found is None:
                continue
            unsaid = f"; the skill does not say {', '.join(found.missing[:4])}" if found.missing else ""
            why = f"The skill {found.skill} holds {found.steps} steps of this entry{unsaid}."
            loss = 6 + sum(map(len, found.missing))
            yield Idea("in_skill", ((target, text),), why, Replace(target, Exact(text), found.text), loss, 0.8)

    def _belonging(self) -> Iterator[Idea]:
        for (target, text), (home, points) in zip(self.where, self.homes, strict=True):
            if home not in ("", target):
                what = "the person" if home == "user" else "machines or projects"
                why = f"It is about {what}, which belongs in {FILE_NAMES[home]}; nothing is lost by the move."
                yield Idea(
                    "belongs", ((target, text),), why, Move(target, Exact(text), home), 2, min(0.9, 0.5 + points / 10)
                )

    def _shortened(self) -> Iterator[Idea]:
        folded: set[tuple[str, str]] = set()
        for target in TARGETS:
            texts = [text for where, text in self.where if where == target]
            for folding in foldings(texts, self.documents[target].limit):
                idea = _fold_idea(target, texts, folding)
                folded |= set(idea.about)
                yield idea
        for target, text in self.where:
            short, rules = shorten(text, RULES if (target, text) in folded else (*RULES, BREADCRUMB))
            if rules:
                why = f"The same words in fewer characters: {'; '.join(rule.does for rule in rules)}."
                yield Idea("shorter", ((target, text),), why, Replace(target, Exact(text), short), 0, 0.95)
        yield from self._about_nobody_else()

    def _about_nobody_else(self) -> Iterator[Idea]:
        """`User` in front of the entries of USER.md: taken from all at once, one by one is not worth a look."""
        if len(self.where) > MANY_ENTRIES:
            return
        changed = [(text, without_user(text)) for target, text in self.where if target == "user"]
        changed = [(text, short) for text, short in changed if short != text]
        if len(changed) > 1:
            why = f"{len(changed)} entries of USER.md begin with “User”; the file is about nobody else."
            steps = tuple(Replace("user", Exact(text), short) for text, short in changed)
            yield Idea("shorter", tuple(("user", text) for text, _ in changed), why, Batch(steps), 0, 0.95)

    def _quiet(self, others: Mapping[str, Collection[str]]) -> Iterator[Idea]:
        keys = {normal_form(text): name for name in sorted(others, reverse=True) for text in others[name]}
        for target, text in self.where:
            why = kinds.time_bound(text)
            if why:
                yield Idea(
                    "time_bound", ((target, text),), f"It may have had its time: {why}.", Remove(target, Exact(text)),
                    len(text), 0.5,
                )  # fmt: skip
            name = keys.get(normal_form(text))
            if name is not None:
                why = f"The profile {name} holds it too; keep it here only if this profile needs it."
                yield Idea("copied", ((target, text),), why, Remove(target, Exact(text)), len(text), 0.3)


def _fold_idea(target: str, texts: Sequence[str], folding: Folding) -> Idea:
    """Every word stays, but the agent's replace (0.13 to 0.19) swaps a whole entry: said, and counted a little."""
    folded = texts[folding.first : folding.last]
    why = (
        f"{len(folded)} neighbours begin with “{folding.prefix.strip()}”; one entry says it once and keeps every word. "
        "A replace by the agent would then swap them all."
    )
    operation = Merge(target, tuple(Exact(text) for text in folded), folding.text)
    return Idea("shorter", tuple((target, text) for text in folded), why, operation, 6, 0.9)


def _why_alike(pair: Alike, goes: str, stays: str, fact: Fact) -> str:
    where = "" if goes == stays else f" of {FILE_NAMES[stays]}"
    if pair.kind == "same":
        return f"Another entry{where} says the same; only case, punctuation or spacing differ."
    if pair.kind == "contained":
        return f"Another entry{where} holds it word for word and says more."
    agree = f"; the numbers ({', '.join(dict.fromkeys(fact.numbers))}) agree" if fact.numbers else ""
    return f"Another entry{where} says the same in other words{agree}."
