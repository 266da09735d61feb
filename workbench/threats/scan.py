"""`scan` says what a client's scanner would find in a text, where, and how serious it looks; advisories are ours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from workbench.text import find_secrets, without_secrets
from workbench.threats import engine, second
from workbench.threats.explain import INVISIBLE_PREFIX, explain
from workbench.threats.levels import level_of, level_of_invisible
from workbench.threats.rules import (
    INVISIBLE_014,
    INVISIBLE_019,
    RULES_014,
    RULES_019,
    RULES_022,
    UNLIMITED,
    WINDOW,
    Rule,
)

BLOCKED_PREFIX = "[BLOCKED:"
PER_PATTERN = 10
# No ordinary note repeats a suspicious phrase this often; what follows is not given the benefit of the doubt.
JUDGED_PER_PATTERN = 200

_SCOPES = ("all", "context", "strict")
_STRICT = 2


@dataclass(frozen=True)
class Finding:
    """One hit. `pattern` is the client's id, or one of ours that begins with `wb_`.

    `level` is `blocks`, `likely_benign` (the client blocks it, but it looks like an ordinary note) or `advisory`
    (the client does not mind). `start` and `end` count code points of the scanned text as it was given.
    """

    pattern: str
    level: str
    start: int
    end: int
    explanation: str


@dataclass(frozen=True, eq=False)  # told apart by identity: hashing every rule would cost more than a scan
class _Client:
    rules: tuple[Rule, ...]
    invisible: str
    window: int | None
    normalises: bool


_OLD = _Client(RULES_014, INVISIBLE_014, None, False)
_CLIENTS = {
    "0.13": _OLD,
    "0.14": _OLD,
    "0.19": _Client(RULES_019, INVISIBLE_019, WINDOW, True),
    "0.22": _Client(RULES_022, INVISIBLE_019, WINDOW, True),
}


@cache
def _client(version: str) -> _Client:
    known = _CLIENTS.get(".".join(version.split(".")[:2]))
    if known is None:
        raise ValueError(f"no scanner rules for client {version!r}; known are {', '.join(_CLIENTS)}")
    return known


def _check_scope(scope: str) -> int:
    if scope not in _SCOPES:
        raise ValueError(f"unknown scope {scope!r}; scopes are {', '.join(_SCOPES)}")
    return _SCOPES.index(scope)


@cache
def _hints(version: _Client, rank: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Every hint of the rules of a scope, with the places of the rules that name it."""
    rows: dict[str, list[int]] = {}
    for number, rule in enumerate(version.rules):
        if _SCOPES.index(rule.scope) <= rank:
            for hint in rule.hints:
                rows.setdefault(hint, []).append(number)
    return tuple((hint, tuple(numbers)) for hint, numbers in rows.items())


def _possible(version: _Client, rank: int, hints_in: str) -> list[Rule]:
    """The rules of a scope that can match at all, in the order of the table; for an ordinary note there are none."""
    named = [number for hint, numbers in _hints(version, rank) if hint in hints_in for number in numbers]
    return [version.rules[number] for number in sorted(set(named))] if named else []


@cache
def _invisible(chars: str) -> re.Pattern[str]:
    return re.compile(f"[{chars}]")


def scan(text: str, scope: str = "strict", *, client: str = "0.19", advisories: bool = True) -> tuple[Finding, ...]:
    """All findings, ordered by where they start; at most ten of each pattern and level, the first ones.

    `scope` is the client's: `all`, `context` (adds promptware and role hijacks) or `strict` (memory; adds persistence,
    exfiltration and secrets). `client` is a version, `0.13`, `0.14`, `0.19` or `0.22`; the first two look at the whole
    text and know one scope only. Advisories are the workbench's own and never part of the client's verdict.
    Raises ValueError for another scope or client. Time is linear in the first 65,536 characters, plus the advisories'.
    """
    rank, version = _check_scope(scope), _client(client)
    seen = text if version.window is None else text[: version.window]
    findings = [*_from_invisible(seen, version), *_from_rules(seen, version, rank)]
    if advisories:
        findings += _advisories(text, version)
    if not findings:
        return ()
    return tuple(sorted(findings, key=lambda f: (f.start, f.end, f.pattern)))


def client_ids(text: str, scope: str = "strict", *, client: str = "0.19") -> tuple[str, ...]:
    """The ids the client reports, in its order: invisible characters, then patterns in the order of its table.

    The client gives several invisible characters in no fixed order; here they come by code point. Raises ValueError
    like `scan`.
    """
    rank, version = _check_scope(scope), _client(client)
    seen = text if version.window is None else text[: version.window]
    ids = [f"{INVISIBLE_PREFIX}{ord(char):04X}" for char in sorted(set(version.invisible) & set(seen))]
    normal = engine.normalised(seen) if version.normalises else seen
    hints_in = engine.folded(normal)
    for rule in _possible(version, rank, hints_in):
        if next(engine.find(rule, normal, hints_in), None) is not None:
            ids.append(rule.id)
    return tuple(ids)


def harmless(texts: Iterable[str], scope: str = "strict", *, client: str = "0.19") -> frozenset[str]:
    """Texts of which `scan` finds nothing, told in one pass over all of them, in a tenth of the time.

    Only plain ASCII that holds no literal of a rule is named; of the others `scan` has to be asked. Raises ValueError
    like `scan`.
    """
    rank, version = _check_scope(scope), _client(client)
    window = version.window or UNLIMITED
    plain = [text for text in dict.fromkeys(texts) if text.isascii() and len(text) <= window]
    could_speak = second.could_speak("\n".join(plain))
    candidates = [
        text for text in without_secrets(plain) if not text.startswith(BLOCKED_PREFIX) and not could_speak(text)
    ]
    hints = engine.occurring((hint for hint, _ in _hints(version, rank)), "\n".join(candidates).lower())
    lowered = [(text, text.lower()) for text in candidates]
    for hint in hints:  # one after the other, each on what is left
        lowered = [pair for pair in lowered if hint not in pair[1]]
    return frozenset(text for text, _ in lowered)


def _from_invisible(text: str, version: _Client) -> Iterator[Finding]:
    if text.isascii():
        return
    told: Counter[tuple[str, str]] = Counter()
    for found in _invisible(version.invisible).finditer(text):
        level = level_of_invisible(text, found.start())
        told[found[0], level] += 1
        if told[found[0], level] <= PER_PATTERN:
            pattern = f"{INVISIBLE_PREFIX}{ord(found[0]):04X}"
            yield Finding(pattern, level, found.start(), found.end(), explain(pattern))


def _from_rules(text: str, version: _Client, rank: int) -> Iterator[Finding]:
    normal = engine.normalised(text) if version.normalises and not text.isascii() else text
    hints_in = engine.folded(normal)
    marks: list[tuple[int, int]] | None = None
    for rule in _possible(version, rank, hints_in):
        told: Counter[str] = Counter()
        for start, end in engine.find(rule, normal, hints_in):
            judged = sum(told.values()) < JUDGED_PER_PATTERN
            level = level_of(rule.id, normal, start, end) if judged else "blocks"
            told[level] += 1
            if told[level] > PER_PATTERN:
                continue
            if normal != text:
                marks = marks or engine.segments(text)
                start, end = engine.span_in_original(marks, start, end)
            yield Finding(rule.id, level, start, end, explain(rule.id))
            if told["blocks"] >= PER_PATTERN:
                break


def _advisories(text: str, version: _Client) -> Iterator[Finding]:
    def advise(pattern: str, start: int, end: int) -> Finding:
        return Finding(pattern, "advisory", start, end, explain(pattern))

    # The old clients neither scan memory when they load it nor stop at a window.
    if version.window is not None:
        if text.startswith(BLOCKED_PREFIX):
            yield advise("wb_blocked_prefix", 0, len(BLOCKED_PREFIX))
        if len(text) > version.window:
            yield advise("wb_beyond_window", version.window, len(text))
    for secret in find_secrets(text)[:PER_PATTERN]:
        yield advise("wb_credential", secret.start, secret.end)

    told: Counter[str] = Counter()
    reached: dict[str, int] = {}
    for pattern, start, end in sorted(second.advice(text, _newest_rules), key=lambda a: (a[0], a[1], -a[2])):
        if start < reached.get(pattern, 0):
            continue  # another phrase found in the same words
        reached[pattern] = end
        told[pattern] += 1
        if told[pattern] <= PER_PATTERN:
            yield advise(pattern, start, end)


def _newest_rules(text: str) -> list[tuple[str, int, int]]:
    """What the strictest rules find in a text that does not look harmless, for the second opinion."""
    found = _from_rules(text, _client("0.19"), _STRICT)
    return [(one.pattern, one.start, one.end) for one in found if one.level == "blocks"]
