"""Saying the same with fewer characters: rules that change no meaning, each with what it must leave alone.

No rule touches code, paths, addresses of the web, quoted text, tables or a fenced block; a fence that is never closed
protects the rest of the entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from workbench.curation.vocabulary import spelled

# Longer entries than this are pages; pages are split, not polished.
MOST_CHARS = 20_000


@dataclass(frozen=True)
class Rule:
    """One way to shorten: its `name`, what it `does` in words, and the function from a match to what stands instead.

    `signs` are pieces, in small letters, of which the text must hold one: looking for them is cheaper than matching.
    """

    name: str
    does: str
    signs: tuple[str, ...]
    pattern: str
    becomes: Callable[[re.Match[str]], str]
    flags: int = 0

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern; `re` keeps it once compiled."""
        return re.compile(self.pattern, self.flags)


def _capital(match: re.Match[str]) -> str:
    """The first letter behind what was taken away, large if the sentence began large."""
    lead, phrase, letter = match["lead"], match["phrase"], match["next"]
    return lead + (letter.upper() if phrase[:1].isupper() else letter)


_WORDY = {
    "in order to": "to",
    "due to the fact that": "because",
    "at this point in time": "now",
    "at the present time": "now",
    "in the event that": "if",
    "for the purpose of": "for",
    "has the ability to": "can",
    "have the ability to": "can",
    "on a daily basis": "daily",
    "on a weekly basis": "weekly",
    "on a monthly basis": "monthly",
    "on a regular basis": "regularly",
    "make use of": "use",
    "makes use of": "uses",
    "with the exception of": "except",
    "until such time as": "until",
    "is located in": "is in",
    "is located at": "is at",
    "are located in": "are in",
    "a large number of": "many",
    "in the vicinity of": "near",
    "in spite of the fact that": "although",
}
_FILLERS = (
    r"(?:please )?(?:also )?(?:note|remember|be aware|keep in mind|bear in mind)(?: that |: )",
    r"(?:it is|it's) (?:very )?important to (?:note|remember|know)(?: that |: )",
    r"(?:it is|it's) worth (?:noting|remembering|knowing)(?: that |: )",
    r"(?:just )?as a reminder,? (?:that )?",
    r"(?:just )?a reminder that ",
    r"(?:fyi|for your information)[:,] ",
    r"basically, ",
)


def _shorter_phrase(match: re.Match[str]) -> str:
    phrase = match[0]
    short = _WORDY[spelled(phrase)]
    return short[0].upper() + short[1:] if phrase[0].isupper() else short


_LABEL = r"(?:(?:\*\*)?(?:important|note|warning|attention):(?:\*\*)? )?"
_FILLER_SIGNS = (
    "note", "remember", "aware", "mind", "important", "worth", "reminder", "fyi", "information", "basically",
)  # fmt: skip
RULES = (
    Rule(
        "filler",
        "an opening that says nothing goes",
        _FILLER_SIGNS,
        rf"(?m)(?P<lead>^[ \t]*(?:[-*+•] |\d+[.)] )?{_LABEL})"
        rf"(?P<phrase>{'|'.join(_FILLERS)})(?P<next>[a-zà-ÿA-ZÀ-Þ`~/])",
        _capital,
        re.IGNORECASE,
    ),
    Rule(
        "wordy",
        "a long phrase becomes a short one",
        tuple(_WORDY),
        rf"\b(?:{'|'.join(_WORDY)})\b",
        _shorter_phrase,
        re.IGNORECASE,
    ),
    Rule(
        "emphasis",
        "Markdown bold becomes plain",
        ("**",),
        r"(?<![\w*\\])\*\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*\*(?![\w*])",
        lambda match: match[1],
    ),
    Rule(
        "blanks",
        "doubled spaces become one",
        ("  ", "\t"),
        r"(?<=[^\s|])[ \t]{2,}(?=[^\s|])",
        lambda match: " ",
    ),
    Rule("line ends", "spaces at line ends go", (" \n", "\t\n"), r"(?<=\S)[ \t]+(?=\n)", lambda match: ""),
    Rule(
        "empty lines",
        "two and more empty lines become one",
        ("\n",),
        r"\n[ \t]*\n(?:[ \t]*\n)+",
        lambda match: "\n\n",
    ),
    Rule(
        "separators",
        "long rules become short",
        ("----", "====", "****", "____"),
        r"(?m)^([-=*_])\1{3,}$",
        lambda match: match[1] * 3,
    ),
)


# Levels of a breadcrumb that name no subject; in front of a lone entry they can go (neighbours are folded instead).
EMPTY_LEVELS = frozenset((
    "key facts", "facts", "notes", "note", "memory", "memories", "general", "misc", "miscellaneous", "other", "info",
    "information", "knowledge", "context", "details", "important", "imported", "import", "entries", "items",
))  # fmt: skip
BREADCRUMB = Rule(
    "breadcrumb",
    "a heading that names no subject goes",
    (">", "›", "»", "→"),
    rf"\A(?:(?:{'|'.join(sorted(EMPTY_LEVELS, key=len, reverse=True))}) ?[>›»→] ?)+(?=\S)",
    lambda match: "",
    re.IGNORECASE,
)


@cache
def _protected() -> re.Pattern[str]:
    """What no rule may touch."""
    return re.compile(
        r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)"  # fenced blocks
        r"|``.+?``|`[^`\n]+`"  # code in a line
        r"|\w+://\S+|\bwww\.\S+"  # addresses
        r"|(?<!\w)(?:~|\.{1,2})?/[\w.@+~*?-]+(?:/[\w.@+~*?-]*)*|\b[A-Za-z]:\\\S+|\b\w+(?:/[\w.*-]+)+"  # paths
        r"|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“\n]*“|「[^」]*」|『[^』]*』|(?<!\w)'[^'\n]+'(?!\w)"  # quotations
        r"|^[ \t]*\|[^\n]*"  # a row of a table
        r"|^(?: {4,}|\t)[^\n]*",  # an indented block
        re.MULTILINE | re.DOTALL,
    )


def protected_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The stretches of a text that no rule may touch, as (start, end) in characters."""
    return tuple(match.span() for match in _protected().finditer(text))


def shorten(text: str, rules: tuple[Rule, ...] = RULES) -> tuple[str, tuple[Rule, ...]]:
    """The text with every rule applied, and the rules that changed something. The words of a fact all stay."""
    if len(text) > MOST_CHARS:
        return text, ()
    used = []
    lowered = text.lower()
    for rule in rules:
        if not any(sign in lowered for sign in rule.signs) or rule.compiled.search(text) is None:
            continue
        spans = protected_spans(text)

        def instead(match: re.Match[str], rule: Rule = rule, spans: tuple[tuple[int, int], ...] = spans) -> str:
            start, end = match.span()
            if rule.name == "filler":
                end = match.end("phrase")
            if any(start < stop and begin < end for begin, stop in spans):
                return match[0]
            return rule.becomes(match)

        changed = rule.compiled.sub(instead, text)
        if changed != text and changed.strip() and len(changed.strip()) < len(text):
            text = changed.strip()
            used.append(rule)
    return text, tuple(used)


@cache
def _user() -> re.Pattern[str]:
    return re.compile(
        r"(?:The )?[Uu]ser (?=(?:strongly |generally |usually )?(?:prefers|likes|wants|dislikes|hates|loves|speaks"
        r"|works|lives|uses|reads|needs|enjoys|writes|expects|values|asks|calls|appreciates|owns|studies|knows)\b)"
    )


def without_user(text: str) -> str:
    """An entry of USER.md without the `User` in front of its verb: the file is about nobody else."""
    found = _user().match(text)
    if found is None or _user().search(text, found.end()):
        return text
    rest = text[found.end() :]
    return rest[0].upper() + rest[1:]
