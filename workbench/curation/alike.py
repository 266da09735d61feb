"""Whether two entries say the same: exactly, one inside the other, or in other words.

Precision comes first: a pair is only offered when numbers, names, negation and limits agree and every word of the one
that goes is found in the one that stays, in the same order or clause by clause.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.curation.facts import Fact, fold, weight
from workbench.curation.rewording import reworded
from workbench.curation.vocabulary import ANY_VERB, LIGHT_VERBS, NEGATORS, SCOPES, kin, scopes

# The least a text must say before another may be called its copy.
LEAST_WEIGHT = 6
LEAST_CONTAINED = 10
# How many earlier entries with one rare word in common are compared, so that many near copies stay cheap.
NEAREST = 6
RAREST = 4
# More entries than any home of usual limits holds.
MANY = 300


@dataclass(frozen=True, slots=True)
class Alike:
    """A pair that says the same: `goes` and `stays` are indexes, `kind` is same, contained or reworded.

    `extra` are the words only the one that goes has.
    """

    kind: str
    goes: int
    stays: int
    extra: tuple[str, ...] = ()


def pairs(facts: Sequence[Fact], at_home: Sequence[int]) -> tuple[Alike, ...]:
    """All pairs worth offering, each entry going at most once.

    `at_home` is larger for an entry that stands in the store it belongs to; among equals that one stays.
    """
    found: dict[int, Alike] = {}
    for look in (_same, _contained, _reworded):
        for one in look(facts, at_home, frozenset(found)):
            if one.goes not in found and not (one.stays in found and found[one.stays].stays == one.goes):
                found[one.goes] = one
    return tuple(found.values())


def _same(facts: Sequence[Fact], at_home: Sequence[int], gone: frozenset[int]) -> Iterator[Alike]:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, fact in enumerate(facts):
        if fact.key:
            groups[fact.key].append(index)
    for group in groups.values():
        stays = min(group, key=lambda index: (-at_home[index], len(facts[index].text), index))
        yield from (Alike("same", index, stays) for index in group if index != stays)


# -- one inside the other -------------------------------------------------------------------------------------------


def _contained(facts: Sequence[Fact], at_home: Sequence[int], gone: frozenset[int]) -> Iterator[Alike]:
    holders: dict[str, list[int]] = defaultdict(list)
    for index, fact in enumerate(facts):
        for word in dict.fromkeys(fact.words):
            holders[word].append(index)
    for index, fact in enumerate(facts):
        if index in gone or len(fact.key) < LEAST_CONTAINED or not fact.clauses or weight(fact.words) < LEAST_WEIGHT:
            continue
        rare = min(dict.fromkeys(fact.words), key=lambda word: len(holders[word]))
        tried = 0
        for other in holders[rare]:
            if other == index or len(facts[other].key) <= len(fact.key):
                continue
            tried += 1
            if tried > 4 * NEAREST:
                break
            if is_contained(fact, facts[other]):
                yield Alike("contained", index, other)
                break


def is_contained(inner: Fact, outer: Fact) -> bool:
    """Whether `outer` states `inner` word for word, and nothing around it turns or limits what it says."""
    at = outer.key.find(inner.key)
    while at >= 0:
        end = at + len(inner.key)
        if _word_edge(outer.key, at) and _word_edge(outer.key, end) and _says_it(inner, outer):
            return True
        at = outer.key.find(inner.key, at + 1)
    return False


def _word_edge(text: str, at: int) -> bool:
    """Whether a word begins or ends here; between two signs of CJK one may."""
    if at in (0, len(text)) or text[at - 1] == " " or text[at] == " ":
        return True
    return ord(text[at]) > 0x3000 and ord(text[at - 1]) > 0x2E00


def _says_it(inner: Fact, outer: Fact) -> bool:
    """The clause of `outer` that holds the text must neither negate nor limit it, nor be about something narrower."""
    text = fold(outer.text)
    first = _first_words(inner.text)
    start = text.casefold().find(first.casefold())
    if start < 0 or inner.asks != outer.asks:
        return False
    before = re.split(r"[.;!?\n。；！？]", text[:start])[-1]
    after = re.split(r"[.;!?\n。；！？]", text[start + len(fold(inner.text).strip(" .;,")) :] or " ")[0]
    around = {word.strip(",:()'\"").casefold() for word in f"{before} {after}".split()}
    if around & (NEGATORS | SCOPES | {"only", "unless", "except", "if", "when", "until", "but", "instead", "formerly"}):
        return False
    if any(sign in before or sign in after for sign in ("不", "没", "无", "未", "勿", "除非", "只")):
        return False
    # `The Kiosk API listens …` is not about every API: what stands before must be a label or a clause of its own.
    lead = before.rstrip()
    return not lead or lead[-1] in ":,>-–—*•)，：、" or lead.casefold().split()[-1] in ("and", "that", "und", "y", "e")


def _first_words(text: str) -> str:
    folded = fold(text).strip()
    return " ".join(folded.split()[:2]).strip(".,;:*_") if " " in folded else folded[:6]


# -- in other words -------------------------------------------------------------------------------------------------


def _reworded(facts: Sequence[Fact], at_home: Sequence[int], gone: frozenset[int]) -> Iterator[Alike]:
    numbers = [frozenset(fact.numbers) for fact in facts]
    many = len(facts) > MANY
    for left, right in _candidates(facts, gone):
        one, other = numbers[left], numbers[right]
        if one is not other and not (one <= other or other <= one):
            # Of thousands of near copies nearly all end here; `2 pm` for 14:00 is looked for in a home of usual size.
            verdict = None if many else reworded(facts[left].text, facts[right].text)
        else:
            verdict = say_the_same(facts[left], facts[right]) or reworded(facts[left].text, facts[right].text)
        if verdict is None:
            continue
        more_left, more_right = verdict
        if more_left and not more_right:
            goes, stays = right, left
        elif more_right and not more_left:
            goes, stays = left, right
        else:
            rank = [(-at_home[index], len(facts[index].text), -index) for index in (left, right)]
            goes, stays = (right, left) if rank[0] <= rank[1] else (left, right)
        yield Alike("reworded", goes, stays)


def _candidates(facts: Sequence[Fact], gone: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Pairs that share a rare word: through an index, so that the cost grows with the entries, not with their pairs."""
    often = Counter(word for index, fact in enumerate(facts) if index not in gone for word in set(fact.words))
    posted: dict[str, list[int]] = defaultdict(list)
    for index, fact in enumerate(facts):
        words = dict.fromkeys(fact.words)
        if not words or index in gone:
            continue
        shared = sorted((word for word in words if often[word] > 1), key=lambda word: (often[word], word))
        seen: set[int] = set()
        for word in shared[: max(RAREST, len(shared) // 2)] if len(facts) <= MANY else shared[:RAREST]:
            for other in posted[word][-NEAREST * (4 if len(facts) <= MANY else 1) :]:
                if other not in seen:
                    seen.add(other)
                    yield other, index
        for word in words:
            posted[word].append(index)


def say_the_same(left: Fact, right: Fact) -> tuple[bool, bool] | None:
    """None when two facts differ, else which of them says more: (left, right); both False when they are equal."""
    if left.negations != right.negations or left.limits != right.limits or left.asks != right.asks:
        return None
    if left.negated != right.negated and not (left.negated <= right.negated or right.negated <= left.negated):
        return None
    if not _verbs_agree(left.light, right.light):
        return None
    if _clause_by_clause(left, right):
        return False, False
    if not _numbers_agree(left.numbers, right.numbers):
        return None
    ours, theirs = left.words, right.words
    if not ours or not theirs or max(len(ours), len(theirs)) > 2.5 * min(len(ours), len(theirs)) + 2:
        return None
    renamed = _kin_names(frozenset(ours), frozenset(theirs))
    if renamed is None:
        return None
    theirs = tuple(renamed.get(word, word) for word in theirs)
    only_left, only_right = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    if only_left and only_right:
        return None
    shared = Counter(ours) & Counter(theirs)
    said = weight(tuple(shared.elements())) + 2 * len(left.light & right.light) + 2 * bool(left.negations)
    if said < LEAST_WEIGHT or len(shared) < 2:
        return None
    clauses = left.clauses
    others = [tuple(renamed.get(word, word) for word in clause) for clause in right.clauses]
    extra = only_left or only_right
    if extra and not _only_details(clauses if only_left else others, extra, shared):
        return None
    if not _roles_agree(left.roles, right.roles) or not _in_order(clauses, others, shared):
        return None
    return bool(only_left), bool(only_right)


def _clause_by_clause(left: Fact, right: Fact) -> bool:
    """Whether two facts of several clauses are the same clauses in another order, each with its words in one order.

    Which number belongs to what is then settled by its clause.
    """
    if len(left.clauses) < 2 or len(left.clauses) != len(right.clauses) or weight(left.words) < LEAST_WEIGHT:
        return False
    others = list(right.clauses)
    for clause in left.clauses:
        twin = next((one for one in others if Counter(one) == Counter(clause)), None)
        if twin is None or len(clause) < 2 or out_of_place(clause, twin) > (1 if len(clause) > 2 else 2):
            return False
        others.remove(twin)
    return _roles_agree(left.roles, right.roles)


def _verbs_agree(left: frozenset[str], right: frozenset[str]) -> bool:
    """`lives in` is not `works in`: of the small verbs two different ones must both be among those that say nothing."""
    mine, theirs = (left - right) & LIGHT_VERBS, (right - left) & LIGHT_VERBS
    return not mine or not theirs or mine | theirs <= ANY_VERB


def _numbers_agree(left: Sequence[str], right: Sequence[str]) -> bool:
    """The same numbers in the same order; the one that says more may add some at its end."""
    short, long = sorted((left, right), key=len)
    rest = iter(long)
    return all(any(number == other for other in rest) for number in short)


def _kin_names(ours: frozenset[str], theirs: frozenset[str]) -> dict[str, str] | None:
    """Words of the second text by the word of the first that differs only in its ending.

    None when both texts have words of their own that no ending explains: then they are about different things.
    """
    mine, others = ours - theirs, theirs - ours
    if not mine or not others:
        return {}
    renamed = {other: own for other in sorted(others) for own in sorted(mine) if kin(own, other)}
    if len(renamed) < len(others) and len(set(renamed.values())) < len(mine):
        return None
    return renamed


def _only_details(clauses: Sequence[Sequence[str]], extra: Counter[str], shared: Counter[str]) -> bool:
    """Whether what one text has more is a clause of its own or its end: a word in front would change the subject."""
    if set(extra) & scopes() or 2 * weight(tuple(extra.elements())) > weight(tuple(shared.elements())):
        return False
    if all(len(word) == 1 and ("\u3040" <= word <= "\u309f" or "\uac00" <= word <= "\ud7af") for word in extra):
        return False  # an ending more can turn a Japanese or Korean sentence around
    left_over = Counter(extra)
    last = max((n for n, clause in enumerate(clauses) if any(word in shared for word in clause)), default=0)
    for number, clause in enumerate(clauses):
        tail = len(clause)
        while tail and clause[tail - 1] in left_over:
            tail -= 1
        if tail and (number < last or weight(clause[tail:]) < 4):
            tail = len(clause)  # inside the common part only whole clauses may be added; `and macOS` is another fact
        left_over -= Counter(clause[tail:])
    return not left_over


def _roles_agree(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> bool:
    """`from a to b` is not `from b to a`: a small word that both use must lead to a word in common, and a word that
    both have behind a small word must be behind the same one.
    """
    for mine, theirs in ((_by_role(left), _by_role(right)), (_by_word(left), _by_word(right))):
        if not all(mine[one] & theirs[one] for one in mine.keys() & theirs.keys()):
            return False
    return True


def _by_word(roles: frozenset[tuple[str, str]]) -> dict[str, set[str]]:
    return _by_role(frozenset((word, role) for role, word in roles))


def _by_role(roles: frozenset[tuple[str, str]]) -> dict[str, set[str]]:
    out: dict[str, set[str]] = defaultdict(set)
    for role, word in roles:
        out[role].add(word)
    return out


def _in_order(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]], shared: Counter[str]) -> bool:
    """Whether the common words stand in one order, give or take one place, or clause by clause do."""
    mine = [word for clause in left for word in clause if word in shared]
    theirs = [word for clause in right for word in clause if word in shared]
    if out_of_place(mine, theirs) <= 1:
        return True
    parts = [[[word for word in clause if word in shared] for clause in side] for side in (left, right)]
    ours, others = ([clause for clause in side if clause] for side in parts)
    if len(ours) != len(others):
        return False
    strayed = 0
    for clause in ours:
        twin = next((one for one in others if sorted(one) == sorted(clause)), None)
        if twin is None:
            return False
        others.remove(twin)
        strayed += out_of_place(clause, twin)
    return strayed <= 1


def out_of_place(left: Sequence[str], right: Sequence[str]) -> int:
    """How many words of the shorter list are outside of the longest common order."""
    if left == right:
        return 0
    same = 0
    while same < min(len(left), len(right)) and left[same] == right[same]:
        same += 1
    left, right = left[same:], right[same:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    if not left or not right:
        return 0
    if len(left) * len(right) > 90_000:
        return len(left)
    row = [0] * (len(right) + 1)
    for word in left:
        corner = 0
        for at, other in enumerate(right, 1):
            above = row[at]
            row[at] = corner + 1 if word == other else max(above, row[at - 1])
            corner = above
    return min(len(left), len(right)) - row[-1]
