"""Entries worth a look because they give one thing two values: a port, host, version, path, date, or yes and no."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from workbench.curation.alike import NEAREST, out_of_place
from workbench.curation.facts import Fact, fold, take_apart
from workbench.curation.vocabulary import word_set

MOST_CHARS = 2_000
# What links a subject to its value, or names the kind of value: no part of the subject.
_LINKS = word_set("""
    list listen bind use be tak take run serv serve accept set mov move switch switche chang change port version
    path host server machin machine node expos expose reach reachable available point us use liv live locat locate
    stor store kept keep find found ssh's connect address ip url date deadlin deadline due schedul schedule sinc
    since default stay sit answer work instal install pin requir require need upgrad upgrade updat update firewall
""")
# What is named with the number of its release alone.
_NUMBERED = (
    "postgres|postgresql|python|node|debian|ubuntu|fedora|alpine|java|php|ruby|django|rails|react|vue|angular|redis|mysql"
    "|mariadb|mongodb|elasticsearch|ios|android|windows|macos|textual"
)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"


@dataclass(frozen=True, slots=True)
class Clash:
    """Two entries, by index, that give one subject different values; `kind` is the kind of value."""

    left: int
    right: int
    kind: str
    left_value: str
    right_value: str


@dataclass(frozen=True, slots=True)
class _Claim:
    entry: int
    kind: str
    value: str
    subject: frozenset[str]
    limits: frozenset[str]


@cache
def _values() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Kinds of values, the more particular first: what one has taken the next does not see.

    The second item names signs of which one must be there for the pattern to be worth trying; "" always is.
    """
    return tuple(
        (kind, needs, re.compile(pattern, re.IGNORECASE))
        for kind, needs, pattern in (
            ("date", "-", r"\b(\d{4}-\d{2}-\d{2})\b"),
            (
                "date",
                "",
                rf"\b(\d{{1,2}}\.? (?:{_MONTHS})[a-z]*\.?(?: \d{{4}})?|(?:{_MONTHS})[a-z]* \d{{1,2}}(?:, \d{{4}})?)\b",
            ),
            ("address", ".", r"\b(\d{1,3}(?:\.\d{1,3}){3})\b"),
            ("port", "", r"\bports?(?: is|:| =)? ?(\d{2,5})\b"),
            ("port", ":", r"(?<=[a-z0-9\]]):(\d{4,5})\b"),
            ("port", "端", r"端口号?[是为:：]? ?(\d{2,5})"),
            ("time", ":", r"\b([0-2]?\d:[0-5]\d)\b"),
            ("version", ".", r"(?<![\w.])v?(\d+\.\d+(?:\.\d+)*)(?![\w.]*\w)"),
            ("version", "", rf"\b(?:{_NUMBERED}) (\d{{1,3}})(?![\w.%:-])"),
            ("path", "/", r"(?<![\w/])((?:~|\.{0,2})/[\w.@+-]+(?:/[\w.@+-]+)*/?)"),
        )
    )


@cache
def _host() -> re.Pattern[str]:
    """A host needs no digit: `runs on host mango`."""
    return re.compile(r"\b(?:host|server|machine|node) ([a-z][\w-]{2,})\b", re.IGNORECASE)


@cache
def _sentence() -> re.Pattern[str]:
    return re.compile(r"(?<=[.;!?])\s+|\n|[。；]")


@cache
def _denied() -> re.Pattern[str]:
    return re.compile(r"\b(?:not|no longer|never|was|formerly)(?: on| in)?(?: port)? $")


def clashes(facts: Sequence[Fact]) -> tuple[Clash, ...]:
    """All pairs of entries that contradict each other, each pair once, in the order of the entries."""
    found: dict[tuple[int, int], Clash] = {}
    for one in (*_by_value(facts), *_by_negation(facts)):
        found.setdefault((one.left, one.right), one)
    return tuple(found[pair] for pair in sorted(found))


# -- one subject, two values ----------------------------------------------------------------------------------------


def _by_value(facts: Sequence[Fact]) -> Iterator[Clash]:
    exact: dict[tuple[str, frozenset[str]], list[_Claim]] = defaultdict(list)
    wider: dict[tuple[str, str], list[_Claim]] = defaultdict(list)
    for index, fact in enumerate(facts):
        if len(fact.text) > MOST_CHARS:
            continue
        for claim in _claims(index, fact):
            near = exact[claim.kind, claim.subject][-NEAREST:]
            rare = max(claim.subject, key=lambda word: (len(word), word))
            near += [one for one in wider[claim.kind, rare][-NEAREST:] if one not in near]
            for other in near:
                if other.entry != index and _about_the_same(other, claim):
                    yield Clash(other.entry, index, claim.kind, other.value, claim.value)
            exact[claim.kind, claim.subject].append(claim)
            for word in claim.subject:
                wider[claim.kind, word].append(claim)


def _about_the_same(one: _Claim, other: _Claim) -> bool:
    if one.value == other.value or one.limits - {"since"} != other.limits - {"since"}:
        return False
    if one.subject == other.subject:
        return True
    small, large = sorted((one.subject, other.subject), key=len)
    named = any(any(char.isdigit() for char in word) for word in small)
    return small < large and len(small) >= (2 if named else 3)


def _claims(index: int, fact: Fact) -> Iterator[_Claim]:
    """What an entry says of values: only where a sentence gives exactly one value of a kind."""
    for sentence in _sentence().split(fold(fact.text)):
        spans: list[tuple[int, int]] = []
        given: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for kind, match in _found(sentence):
            start, end = match.span(1)
            if any(start < there[1] and there[0] < end for there in spans):
                continue
            spans.append((start, end))
            if not _denied().search(sentence[:start]):
                given[kind].append((match.group(1), start, end))
        for kind, values in given.items():
            if len({value for value, _, _ in values}) == 1:
                claim = _claim(index, kind, sentence, *values[0])
                if claim is not None:
                    yield claim


def _found(sentence: str) -> Iterator[tuple[str, re.Match[str]]]:
    digit = any(char.isdigit() for char in sentence)
    for kind, needs, pattern in _values():
        if (digit or kind == "path") and needs in sentence:
            for match in pattern.finditer(sentence):
                yield kind, match
    for match in _host().finditer(sentence):
        yield "host", match


def _claim(index: int, kind: str, sentence: str, value: str, start: int, end: int) -> _Claim | None:
    before = take_apart(sentence[:start], keyed=False)
    words = {word for word in before.words if word not in _LINKS and word != value}
    if not words and kind == "date":
        return None  # a diary line begins with its date
    if not words:
        words = _behind(sentence[end:])
    elif kind in ("time", "date", "version"):
        # `tests at 02:30 on mango`, `Rust 1.83 for ledger`: what stands behind says which one is meant.
        words |= _behind(sentence[end:])
    if not words or len(words) > 12 or before.negations:
        return None
    return _Claim(index, kind, value.casefold() if kind != "path" else value, frozenset(words), before.limits)


def _behind(text: str) -> set[str]:
    clauses = take_apart(text, keyed=False).clauses
    return {word for word in clauses[0] if word not in _LINKS} if clauses else set()


# -- yes and no -----------------------------------------------------------------------------------------------------


def _by_negation(facts: Sequence[Fact]) -> Iterator[Clash]:
    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for index, fact in enumerate(facts):
        words = _without_signs(fact.words)
        if len(words) < 2 or len(fact.text) > MOST_CHARS:
            continue
        for other in groups[frozenset(words)][-NEAREST:]:
            values = _opposite(facts[other], fact)
            if values is not None:
                yield Clash(other, index, "yes/no", *values)
        groups[frozenset(words)].append(index)


_OPPOSITES = {
    "off": "on", "disabl": "enabl", "fals": "tru", "inactiv": "activ", "closed": "open", "deni": "allow",
    "down": "up", "deny": "allow",
}  # fmt: skip
_SIGN_WORDS = frozenset(_OPPOSITES) | frozenset(_OPPOSITES.values()) | {"clos"}


def _without_signs(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in _SIGN_WORDS)


def _opposite(one: Fact, other: Fact) -> tuple[str, str] | None:
    """What each of two facts with the same words says, when one says no to what the other says yes to."""
    if one.numbers != other.numbers or one.asks or other.asks:
        return None
    if out_of_place(_without_signs(one.words), _without_signs(other.words)) > 0:
        return None
    off = [bool(set(fact.words) & _OPPOSITES.keys()) for fact in (one, other)]
    rest = [fact.limits - _SIGN_WORDS for fact in (one, other)]
    no = [(fact.negations + switched) % 2 == 1 for fact, switched in zip((one, other), off, strict=True)]
    if no[0] == no[1] or rest[0] != rest[1]:
        return None
    return ("no", "yes") if no[0] else ("yes", "no")
