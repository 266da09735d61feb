"""Steps of an entry that a skill of the home holds already: the entry may name the skill instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.curation.facts import Fact, take_apart, weight

LEAST_STEPS = 3
LEAST_SHARE = 0.6
LEAST_AVERAGE = 0.8
MOST_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Covered:
    """An entry whose steps a skill holds: the entry as it would be, and the words that the skill does not have."""

    skill: str
    text: str
    steps: int
    missing: tuple[str, ...]


def skill_facts(skills: Mapping[str, str]) -> dict[str, Fact]:
    """The skills of a home by name, as they are compared; only those that can be read as text belong in here."""
    return {name: take_apart(text[:4_000]) for name, text in sorted(skills.items())}


def covered(text: str, skills: Mapping[str, Fact]) -> Covered | None:
    """Find the longest run of steps in one line that one skill holds; None when there is none of three and more."""
    if len(text) > MOST_CHARS or "```" in text or not skills:
        return None
    best: Covered | None = None
    lines = text.split("\n")
    for number, line in enumerate(lines):
        label = re.match(r"(?:[^:\n]{1,80}: )?", line)
        start = label.end() if label else 0
        steps = list(re.finditer(r"[^,;]+(?:[,;]\s*|$)", line[start:]))
        for name, skill in skills.items() if len(steps) >= LEAST_STEPS else ():
            found = _run(line, start, steps, name, skill)
            if found is not None and (best is None or len(line) - len(found.text) > len(text) - len(best.text)):
                whole = "\n".join((*lines[:number], found.text, *lines[number + 1 :]))
                best = replace(found, text=whole)
    return best if best is not None and len(best.text) < len(text) else None


def _run(text: str, start: int, steps: list[re.Match[str]], name: str, skill: Fact) -> Covered | None:
    words = frozenset(skill.words)
    shares = [_share(step[0], words, skill) for step in steps]
    first, last, at = 0, 0, 0
    while at < len(shares):
        end = at
        while end < len(shares) and shares[end] >= LEAST_SHARE:
            end += 1
        if end - at > last - first:
            first, last = at, end
        at = end + 1
    if last - first < LEAST_STEPS or sum(shares[first:last]) / (last - first) < LEAST_AVERAGE:
        return None
    gone = text[start + steps[first].start() : start + steps[last - 1].end()]
    missing = tuple(word for word in take_apart(gone, keyed=False).words if word not in words)
    before, after = text[: start + steps[first].start()], text[start + steps[last - 1].end() :]
    pointer = f"skill {name}"
    return Covered(
        name, (f"{before}{pointer}; {after}" if after else f"{before}{pointer}").strip(), last - first, missing
    )


def _share(step: str, words: frozenset[str], skill: Fact) -> float:
    """How much of a step the skill says, from 0 to 1; a number, path or command of its own makes it 0."""
    fact = take_apart(step, keyed=False)
    own = [word for word in fact.words if word not in words]
    if not fact.words or fact.negations or any(not word.isalpha() for word in own):
        return 0.0
    return 1 - weight(own) / weight(fact.words)
