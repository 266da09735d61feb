"""Quality at a glance: one quiet line about an entry, after what the agent is told about good memory entries.

The agent's own instruction (client 0.19 and 0.22) asks for compact facts that stay useful, sends procedures to skills
and leaves out what is found again easily. The rules are data, so that the help can list them with their examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from workbench.curation.facts import take_apart

# Entries of real homes: the median has 140 characters, nine of ten have fewer than 350.
LONG = 350


@dataclass(frozen=True)
class HintRule:
    """One hint: its `name`, the line shown, what it looks at in words, an example, and the rule itself."""

    name: str
    says: str
    looks_at: str
    example: str
    fits: Callable[[str], bool]


def _is_procedure(text: str) -> bool:
    numbered = len(re.findall(r"(?m)(?:^|\s)(?:\d{1,2}[.)]|step \d+:?)\s+\S", text, re.IGNORECASE))
    arrows = len(re.findall(r"\s(?:→|->|=>)\s", text))
    then = len(re.findall(r"\b(?:then|afterwards|after that|finally|next,)\b", text, re.IGNORECASE))
    parts = len(re.findall(r"[,;]\s", text))
    return numbered >= 3 or arrows >= 2 or then >= 2 or (then == 1 and parts >= 3)


def _is_looked_up(text: str) -> bool:
    if re.fullmatch(r"\s*(?:\S+\s+){0,2}\w+://\S+\s*", text):
        return True
    listed = re.search(
        r"(?i)\b(?:dependencies|requirements|files|folders|directory structure|modules|functions)\b ?:", text
    )
    names = len(re.findall(r"\b[\w-]+\.(?:py|rs|ts|js|go|toml|ya?ml|json|md|sh|css|html)\b", text))
    dump = "```" in text or text.count("\n") > 12
    hashes = re.search(r"\b[0-9a-f]{7,40}\b", text) is not None and re.search(r"(?i)\bcommit\b", text) is not None
    return names >= 4 or (listed is not None and text.count(",") >= 3) or dump or hashes


def _specifics(text: str) -> int:
    names = re.findall(r"(?<=[a-z,;:] )[A-Z][\w.-]+", text)
    code = re.findall(r"`[^`]+`|(?<!\w)[~.]?/[\w./-]+|--?\w[\w-]+=?", text)
    return len(take_apart(text).numbers) + len(set(names)) + len(code)


def _is_vague(text: str) -> bool:
    fact = take_apart(text)
    loose = re.search(
        r"(?i)\b(?:stuff|things?|various|some|several|etc|good|nice|better|properly|important|careful|as needed|somehow"
        r"|in general|works? well|many)\b",
        text,
    )
    if _specifics(text) or fact.negations or re.search(r"[^\x00-\u024f]", text):
        return False
    return len(fact.words) < 3 or (loose is not None and len(fact.words) <= 10)


def _is_dense(text: str) -> bool:
    return 30 <= len(text) <= LONG and _specifics(text) >= 2


HINTS = (
    HintRule(
        "procedure",
        "reads like a procedure: steps fit a skill, which takes no room until it is used",
        "numbered steps, arrows, or a chain with “then”",
        "1. tag vX.Y.Z 2. wait for CI 3. run ./deploy.sh staging",
        _is_procedure,
    ),
    HintRule(
        "looked_up",
        "easily looked up again: keep what a look at the files would not tell",
        "lists of files or dependencies, pasted code, a bare address, commit hashes",
        "Files: main.py, api.py, models.py, views.py",
        _is_looked_up,
    ),
    HintRule(
        "vague",
        "too vague to act on: a number, a name, a path or a reason would make it useful",
        "few words, none of them a number, name, path or negation",
        "User likes good code",
        _is_vague,
    ),
    HintRule(
        "dense",
        "dense and specific",
        "two and more numbers, names, paths or commands in less than 350 characters",
        "Staging is 10.0.1.50, SSH on port 2200; logs in /srv/logs",
        _is_dense,
    ),
)


def hint(text: str) -> str | None:
    """The first hint that fits an entry, in plain words; None when there is nothing to say."""
    sample = text[:4_000]
    return next((rule.says for rule in HINTS if rule.fits(sample)), None)
