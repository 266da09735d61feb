"""Whether two entries state one fact in other words: by the weight of what they share, unless something contradicts.

Words that say more weigh more. Two values, names or paths that only one text has each make two facts, as do words that
exclude each other, a negation or a limit on one side, and values that changed places. The shorter the texts and the
more alike they look, the less may differ: a template filled in twice looks alike, a paraphrase does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property

from workbench.curation.thesaurus import ROLES, classes, meaning, scopes
from workbench.curation.vocabulary import STOP, same_beginning
from workbench.curation.wording import SIGN, Token, Wording, clauses, wording

# Least weight two texts must share, and the share of their weight it must be: for texts of one line, and for long ones.
LEAST = 2.4
SHORT = 8.0
# In texts heavier than this a clause may be denied in other words than it is said.
PAGE = 16.0
SMALL, LARGE = 4.0, 14.0
NEEDED_SHORT, NEEDED_LONG = 0.76, 0.53
# From here on two texts look like one template.
TEMPLATE = 0.55
# And from here on the second seems to be a changed copy of the first.
COPIED = 0.75
MOST_DOUBT = 0.1
# The weight of a stretch that makes a fact of its own.
OWN_FACT = 2.0
# How many characters of an entry are compared; what is longer is a page.
MOST_CHARS = 1_500


def reworded(left: str, right: str) -> tuple[bool, bool] | None:
    """None when two texts differ, else which of them says more: (left, right); both False when they are equal."""
    if max(len(left), len(right)) > min(MOST_CHARS, 3 * min(len(left), len(right)) + 40):
        return None
    both = _Both(wording(left), wording(right))
    if both.left.asks != both.right.asks or both.shared < LEAST:
        return None
    if both.likeness < both.needed or any(check(both) for check in _CHECKS):
        return None
    more_left, more_right = both.one.left_over, both.two.left_over
    return (False, False) if abs(more_left - more_right) < 0.5 else (more_left > more_right, more_right > more_left)


@dataclass
class _Side:
    """One of the two texts: what it shares by form, and what the other has not."""

    wording: Wording
    shared: dict[str, Token] = field(default_factory=dict)
    extra: list[Token] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    weight: float = 0.0

    @property
    def left_over(self) -> float:
        """The weight of what only this text has."""
        return sum(token.weight for token in self.extra) + SIGN * sum(len(run) for run in self.runs)

    def heavy(self) -> list[Token]:
        return [token for token in self.extra if token.kind != "light"]


class _Both:
    """Two texts held against each other."""

    def __init__(self, left: Wording, right: Wording) -> None:
        self.left, self.right = left, right
        self.one, self.two = _Side(left), _Side(right)
        forms = [_by_form(side.tokens) for side in (left, right)]
        self.shared = 0.0
        # Whether a path of one text was taken for the end of a path of the other.
        self.partly = False
        self._match(*forms)
        self._match_signs()

    def _match(self, ours: dict[str, Token], theirs: dict[str, Token]) -> None:
        for form, token in ours.items():
            if form in theirs:
                self._share(token, theirs[form], 1.0)
        left = [token for form, token in ours.items() if form not in theirs]
        right = [token for form, token in theirs.items() if form not in ours]
        self._join(left, right)
        self._join(right, left)
        for token in list(left):
            twin = next((other for other in right if _kin(token, other)), None)
            if twin is not None:
                self.partly = self.partly or token.kind == "code"
                self._share(token, twin, 0.9)
                left.remove(token)
                right.remove(twin)
        self.one.extra, self.two.extra = left, right
        for side, found in ((self.one, ours), (self.two, theirs)):
            side.weight = sum(token.weight for token in found.values())

    def _share(self, ours: Token, theirs: Token, part: float) -> None:
        self.shared += part * min(ours.weight, theirs.weight)
        self.one.shared[ours.form], self.two.shared[ours.form] = ours, theirs

    def _join(self, one: list[Token], other: list[Token]) -> None:
        """`file names` is `filenames`, a folder and a file are a path: two words of one text are one of the other."""
        for token in list(other):
            begin = [first for first in one if token.form.startswith(first.form)]
            pair = next(
                ((first, second) for first in begin for second in one if _is_joined(first, second, token)), None
            )
            if pair is not None:
                self.shared += token.weight
                other.remove(token)
                for word in pair:
                    one.remove(word)

    def _match_signs(self) -> None:
        runs = [_runs(side.tokens) for side in (self.left, self.right)]
        pairs = [{run[at : at + 2] for run in side for at in range(len(run) - 1)} for side in runs]
        common = pairs[0] & pairs[1]
        signs = [set("".join(side)) for side in runs]
        matched = []
        for side, mine, other in ((self.one, runs[0], signs[1]), (self.two, runs[1], signs[0])):
            found = 0.0
            for run in mine:
                left_over = ""
                for at, sign in enumerate(run):
                    if run[at : at + 2] in common or (at and run[at - 1 : at + 1] in common):
                        found += SIGN
                        sign = " "
                    elif sign in other:
                        found += SIGN / 2
                    left_over += sign
                side.runs += left_over.split()
            side.weight += SIGN * sum(map(len, mine))
            matched.append(found)
        self.shared += min(matched)

    @property
    def likeness(self) -> float:
        """The share of their weight that the texts have in common, from 0 to 1; what sounds doubtful counts less."""
        shares = [self.shared / max(side.weight, self.shared, 0.1) for side in (self.one, self.two)]
        dice = 2 * shares[0] * shares[1] / max(sum(shares), 0.1)
        return dice - min(self.doubt / max(self.size, 4.0), MOST_DOUBT)

    @cached_property
    def doubt(self) -> float:
        """The weight of small things that one text has and the other has not: limits, negations, words of a class."""
        bounds = [{name for name, _ in side.bounds} - _MILD for side in (self.left, self.right)]
        doubt = 0.3 * len(bounds[0] ^ bounds[1])
        doubt += 0.3 * abs(len(self.left.negations) - len(self.right.negations))
        doubt += 0.3 * sum(token.form in classes() for side in (self.one, self.two) for token in side.heavy())
        return doubt

    @property
    def size(self) -> float:
        """The weight of the lighter text."""
        return min(self.one.weight, self.two.weight)

    @property
    def short(self) -> bool:
        return self.size < SHORT

    @cached_property
    def needed(self) -> float:
        """The likeness that is asked for."""
        part = min(max((self.size - SMALL) / (LARGE - SMALL), 0.0), 1.0)
        hard = sum(token.hard for token in self.one.shared.values())
        needed = NEEDED_SHORT - part * (NEEDED_SHORT - NEEDED_LONG)
        if not hard and min(_own(self.one), _own(self.two)) >= 1.0:
            return needed + 0.08  # plain words alone, and each text has some of its own
        return needed - (0.03 if hard > 2 else 0.0)

    @cached_property
    def _compared(self) -> SequenceMatcher[str]:
        return SequenceMatcher(None, self.left.surface, self.right.surface, autojunk=False)

    @cached_property
    def looks(self) -> float:
        """How alike the two texts look, word by word, from 0 to 1."""
        return self._compared.ratio()

    @cached_property
    def steps(self) -> Sequence[tuple[str, int, int, int, int]]:
        """How the words of one text become those of the other."""
        return self._compared.get_opcodes()


_MILD = frozenset(("if", "before", "after", "also", "almost"))


def _by_form(tokens: Iterable[Token]) -> dict[str, Token]:
    """The tokens by their form, of equal ones that which says most."""
    found: dict[str, Token] = {}
    for token in tokens:
        if token.kind != "sign":
            known = found.get(token.form)
            if known is None or (token.hard, token.weight) > (known.hard, known.weight):
                found[token.form] = token
    return found


def _runs(tokens: Sequence[Token]) -> list[str]:
    """The signs that stand together."""
    found: list[str] = []
    before: Token | None = None
    for token in tokens:
        if token.kind == "sign":
            if before is None or before.kind != "sign" or before.clause != token.clause:
                found.append("")
            found[-1] += token.form
        before = token
    return found


def _is_joined(first: Token, second: Token, whole: Token) -> bool:
    if first is second or len(first.form) < 3:
        return False
    rest = whole.form[len(first.form) :]
    return rest.lstrip("/") == second.form if whole.kind == "code" else _kin_forms(second.form, rest)


def _kin(one: Token, other: Token) -> bool:
    if "value" in (one.kind, other.kind):
        return False
    if one.kind == "code" or other.kind == "code":
        # `setup.md` is a shorter way to say `docs/setup.md`.
        short, long = sorted((one.form, other.form), key=len)
        return long.endswith("/" + short.lstrip("/"))
    if one.form in classes() and other.form in classes():
        return False
    return _kin_forms(one.form, other.form)


def _kin_forms(one: str, other: str) -> bool:
    """Whether two words have one stem: a long common beginning and short endings."""
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()) or one[:4] != other[:4]:
        return False
    same = same_beginning(one, other)
    short, long = sorted((len(one), len(other)))
    return long - same <= 5 and short - same <= 3 and same >= 0.6 * long


# -- what speaks against it -----------------------------------------------------------------------------------------


def _other_values(both: _Both) -> bool:
    """Each text has a value, a name or a path of its own."""
    for kinds in (("value",), ("name",), ("code",), ("value", "code")):
        if all(any(token.kind in kinds for token in side.extra) for side in (both.one, both.two)):
            return True
    if both.partly and any(token.kind == "code" for side in (both.one, both.two) for token in side.extra):
        return True
    if not both.short:
        return False
    sides = ((both.one, both.two), (both.two, both.one))
    return any(any(token.hard for token in one.extra) and (other.heavy() or other.runs) for one, other in sides)


def _excluding(both: _Both) -> bool:
    """Words left over that exclude each other; in a short text one alone narrows what is said."""
    found: list[set[int]] = [set(), set()]
    for side, sets in zip((both.one, both.two), found, strict=True):
        for token in side.heavy():
            sets.update(classes().get(token.form, ()))
    if found[0] & found[1]:
        return True
    mine, theirs = both.left.sets - both.right.sets, both.right.sets - both.left.sets
    if {number for number, _ in mine} & {number for number, _ in theirs}:
        return True
    narrow = {number for number in found[0] | found[1] if number < scopes()}
    return both.short and bool(narrow or (mine | theirs))


def _turned(both: _Both) -> bool:
    """A negation or a limit on one side only, or about another word."""
    negated = [len(side.negations) for side in (both.left, both.right)]
    bounds = [{name for name, _ in side.bounds} for side in (both.left, both.right)]
    apart = bounds[0] ^ bounds[1]
    if both.short and (negated[0] != negated[1] or apart - _MILD):
        return True
    if {"before", "after"} <= apart and not bounds[0] & bounds[1] & {"before", "after"} and both.short:
        return True
    moved = [{form for form, token in side.shared.items() if token.negated} for side in (both.one, both.two)]
    if moved[0] and moved[1] and not moved[0] & moved[1]:
        return True
    sides = ((both.left, both.right), (both.right, both.left))
    return any(_clause_turned(*each) or (both.size < PAGE and _affirmed(*each)) for each in sides)


def _clause_turned(one: Wording, other: Wording) -> bool:
    """Whether a clause that is negated or limited here stands there without it."""
    theirs = clauses(other.tokens)
    there = {(name, number) for name, number in other.bounds} | {("not", number) for number in other.negations}
    for name, number in (*one.bounds, *(("not", number) for number in one.negations)):
        if name in _MILD:
            continue
        mine = [token for token in one.tokens if token.clause == number]
        for twin, tokens in theirs.items():
            if (name, twin) not in there and _cover(mine, tokens) >= 0.7 and _cover(tokens, mine) >= 0.7:
                return True
    return False


def _affirmed(one: Wording, other: Wording) -> bool:
    """Whether what is negated here is said there, in clauses without any negation."""
    theirs = clauses(other.tokens)
    for number in set(one.negations):
        mine = [token for token in one.tokens if token.clause == number and token.kind != "light"]
        scope = [token for token in mine if token.negated] or mine
        forms = {token.form for token in scope}
        said = [twin for twin, tokens in theirs.items() if any(token.form in forms for token in tokens)]
        weight = sum(token.weight for token in scope)
        if weight >= 2.0 and not set(said) & set(other.negations) and _cover(scope, other.tokens) >= 0.8:
            return True
    return False


def _cover(mine: Sequence[Token], theirs: Sequence[Token]) -> float:
    forms = {token.form for token in theirs}
    total = sum(token.weight for token in mine)
    return sum(token.weight for token in mine if token.form in forms) / total if total else 0.0


_OPPOSED = (frozenset(("from", "to")), frozenset(("before", "after")))


def _changed_places(both: _Both) -> bool:
    """`from a to b` and `from b to a`; `a on 1, b on 2` and `a on 2, b on 1`."""
    shared = both.one.shared.keys() & both.two.shared.keys()
    roles = [{row for row in side.roles if row[1] in shared and _parted(both, row)} for side in (both.left, both.right)]
    for at in (0, 1):
        sides = [_grouped(side, at) for side in roles]
        for key in sides[0].keys() & sides[1].keys():
            mine, theirs = sides[0][key], sides[1][key]
            # In a long text `before the import of x` may be `before importing into x`: there only opposites count.
            if not mine & theirs and (both.short or (at and any({*mine, *theirs} >= pair for pair in _OPPOSED))):
                return True
    return _swapped(both, shared) or _reversed(both, shared)


def _parted(both: _Both, row: tuple[str, str]) -> bool:
    """`to` leads to many things; only with a name, a value or a path behind it does it tell where."""
    return both.short or row[0] not in ("to", "via") or both.one.shared[row[1]].hard or both.two.shared[row[1]].hard


def _grouped(roles: Iterable[tuple[str, str]], at: int) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in roles:
        found[row[at]].add(row[1 - at])
    return found


def _company(side: Wording, shared: Iterable[str]) -> dict[str, set[str]]:
    """For each shared form the other shared forms it stands in a clause with."""
    wanted = set(shared)
    found: dict[str, set[str]] = {}
    for tokens in clauses(side.tokens).values():
        forms = {token.form for token in tokens if token.form in wanted and token.kind != "light"}
        for form in forms:
            found.setdefault(form, set()).update(forms - {form})
    return found


def _swapped(both: _Both, shared: Iterable[str]) -> bool:
    """Whether two words changed their company with each other."""
    ours, theirs = _company(both.left, shared), _company(both.right, shared)
    values = ("name", "value", "code")
    weighty = [form for form in ours.keys() & theirs.keys() if both.short or both.one.shared[form].kind in values]
    moved = {form: (ours[form] - theirs[form], theirs[form] - ours[form]) for form in weighty}
    for one, (lost, won) in moved.items():
        for other, (lost_too, won_too) in moved.items():
            alike = both.short or both.one.shared[one].kind == both.one.shared[other].kind
            if one < other and alike and lost & won_too and won & lost_too:
                return True
    return False


def _reversed(both: _Both, shared: Iterable[str]) -> bool:
    """Whether two names, or two values, of one clause stand the other way round, in a text that leaves little else."""
    if not both.short:
        return False
    wanted = set(shared)
    orders = []
    for side in (both.left, both.right):
        order: set[tuple[str, str]] = set()
        for tokens in clauses(side.tokens).values():
            hard = [token for token in tokens if token.form in wanted and token.kind != "light"]
            order |= {
                (first.form, second.form)
                for at, first in enumerate(hard)
                for second in hard[at + 1 :]
                if first.kind == second.kind and first.kind in ("name", "value", "code")
            }
        orders.append(order)
    return any((second, first) in orders[1] for first, second in orders[0])


def _filled_in(both: _Both) -> bool:
    """Texts that look alike and differ in a word: one template, two facts."""
    if both.looks < TEMPLATE:
        return False
    if both.looks < COPIED:
        return min(_own(side) for side in (both.one, both.two)) >= (0.6 if both.short else 1.3)
    steps = both.steps
    for at, (what, first, last, start, end) in enumerate(steps):
        if what == "equal":
            continue
        ours, theirs = (
            {meaning(word) + "ed" * word.endswith("ed") for word in words if word not in _EMPTY}
            for words in (both.left.surface[first:last], both.right.surface[start:end])
        )
        tail = at == len(steps) - 1 and at > 0
        if ours != theirs and not (tail and (not ours or not theirs)):
            return True
    return False


# In a changed copy every word counts but these.
_EMPTY = STOP - ROLES.keys() - {"all", "any", "each", "every", "about", "per", "my", "our", "your", "his", "her"}


def _own(side: _Side) -> float:
    return sum(token.weight for token in side.heavy()) + sum(SIGN * len(run) for run in side.runs if len(run) > 1)


def _facts_of_their_own(both: _Both) -> bool:
    """Each text has a stretch of clauses of which the other says next to nothing."""
    return all(_unsaid(side, other) >= OWN_FACT for side, other in ((both.one, both.two), (both.two, both.one)))


def _unsaid(side: _Side, other: _Side) -> float:
    """The weight of the heaviest run of clauses that only this text has."""
    only = {token.form for token in side.extra}
    signs = {token.form for token in other.wording.tokens if token.kind == "sign"}
    heaviest = run = 0.0
    for tokens in clauses(side.wording.tokens).values():
        weighty = [token for token in tokens if token.kind != "light"]
        total = sum(token.weight for token in weighty)
        own = sum(
            token.weight
            for token in weighty
            if (token.form not in signs if token.kind == "sign" else token.form in only)
        )
        run = run + own if own >= 0.7 * total else 0.0
        heaviest = max(heaviest, run)
    return heaviest


def _other_writing(both: _Both) -> bool:
    """What is left over stands in two writings: a translation, of which nobody can say whether it is one."""
    own = [
        {_writing(token.form[0]) for token in side.heavy()} | {"cjk" for _ in side.runs}
        for side in (both.one, both.two)
    ]
    return bool(own[0] and own[1] and not own[0] & own[1] and (own[0] | own[1]) - {"latin"})


def _writing(sign: str) -> str:
    return "latin" if sign < "\u0370" else "greek" if sign < "\u0400" else "cyrillic" if sign < "\u0530" else "other"


_CHECKS = (_other_values, _excluding, _turned, _changed_places, _filled_in, _facts_of_their_own, _other_writing)
