"""An entry taken apart for comparing: its words in order, its numbers, what is negated, what limits it.

Nothing here judges; `alike` and `contradictions` do. All of it is deterministic, without a model and without network.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from workbench.curation.vocabulary import (
    BOUNDS,
    CJK_JOINING,
    CJK_NEGATIVE_ENDINGS,
    CJK_NEGATORS,
    LIGHT,
    NEGATORS,
    NUMBER_WORDS,
    ROLES,
    SIGNS,
    STOP,
    canonical,
    cjk_alike,
    stem,
)

# Longer texts are compared by their normal form only: they are pages, not facts.
MOST_CHARS = 4_000
# Signs that belong to the sentence and not to the word beside them; + # / ~ - $ % @ & = stay.
_EDGES = ".,;:!?()[]{}\"'`*_…、。，；：！？（）「」『』“”‘’„«»·•"
_ENDS = ".,;!?)…、。，；！？）"
_COMPARING = frozenset(("<", ">", "<=", ">=", "≤", "≥", "=", "!=", "≠"))
# Behind one of these, or at the very beginning, a word in -ed tells of something that is over.
_TELLING = frozenset(("", "user", "he", "she", "they", "we", "i"))
# Chinese, Japanese and Korean writing, as ranges of a character set.
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry as it is compared.

    `key` is its normal form (equal keys say the same); `words` are the content words and numbers in order, `clauses`
    the same clause by clause; `numbers` holds every token with a digit, in order; `negated` the words a negation is
    about; `roles` are pairs of a small word and what follows it; `limits` are words that restrict, date or switch the
    fact, `light` those that link its parts and are not among its `words`.
    """

    text: str
    key: str
    words: tuple[str, ...]
    clauses: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...]
    negations: int
    negated: frozenset[str]
    limits: frozenset[str]
    roles: frozenset[tuple[str, str]]
    light: frozenset[str]
    asks: bool


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


@cache
def _runs() -> re.Pattern[str]:
    """A stretch of one script: CJK, or anything else without blanks; a line end counts as a sign of its own."""
    return re.compile(f"\n|[{CJK}]+|[^\\s{CJK}]+")


@cache
def _plain_runs() -> re.Pattern[str]:
    return re.compile(r"\n|\S+")


@cache
def _code_like() -> re.Pattern[str]:
    """A token whose letters' case may matter: a path, an option, a name with signs inside; `GitHub` is just a name."""
    return re.compile(r"[/\\~$=@]|^-|\w[._]\w|^[a-z]+[A-Z]")


def _is_code(word: str) -> bool:
    if word.isalpha() and (word.islower() or word.istitle()):
        return False
    return _code_like().search(word) is not None


def fold(text: str) -> str:
    """NFKC, and apostrophes made alike; case stays."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).replace("’", "'")


def normal_form(text: str) -> str:
    """The text without case, punctuation at word edges, width and layout; paths, options and code keep their case.

    Texts with equal forms say the same. A question keeps its mark, and `C`, `C++` and `C#` stay apart.
    """
    folded = fold(text)
    if "```" in folded:
        return folded  # in code every sign counts
    out = []
    for chunk in _bullets().sub("", folded).split():
        word = bare(chunk)
        if not word:
            continue
        out.append(word if _is_code(word) else word.casefold())
    marks = "?" if folded.rstrip(" .*_\"'").endswith("?") else ""
    return " ".join(out) + marks


def bare(chunk: str) -> str:
    """A word without the sentence's punctuation around it; the dot of `.env` and `./run` is the word's own.

    Signs without a letter or digit stay as they are (`!=`), but for punctuation and lone dashes, which are "".
    """
    if chunk.isalnum():
        return chunk
    if not any(char.isalnum() for char in chunk):
        return "" if all(char in _EDGES or char in "–—" for char in chunk) else chunk
    edges = _EDGES.replace("_", "") if "__" in chunk else _EDGES
    word = chunk.strip(edges)
    lead = chunk[: chunk.find(word)]
    if lead.endswith(".") and not lead.endswith("..."):
        return "." * (len(lead) - len(lead.rstrip("."))) + word
    return word


@cache
def _bullets() -> re.Pattern[str]:
    return re.compile(r"(?m)^[ \t]*[-*+•] ")


def take_apart(text: str, *, keyed: bool = True) -> Fact:
    """Make the comparable form of an entry; a piece of one needs no `key`, which is "" then."""
    reader = _Reader()
    if len(text) <= MOST_CHARS:
        for word, ends in _tokens(fold(text)):
            reader.read(word)
            if ends:
                reader.end_clause()
        reader.end_clause()
        if "used to " in text:
            reader.limits.add("formerly")
        reader.negations += sum(text.count(ending) for ending in CJK_NEGATIVE_ENDINGS)
    return Fact(
        text,
        normal_form(text) if keyed else "",
        tuple(word for clause in reader.clauses for word in clause),
        tuple(reader.clauses),
        tuple(reader.numbers),
        reader.negations,
        frozenset(reader.negated),
        frozenset(reader.limits),
        frozenset(reader.roles),
        frozenset(reader.light),
        "?" in text or "？" in text,
    )


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Each word with whether a clause ends behind it."""
    plain = text.isascii()
    for run in (_plain_runs() if plain else _runs()).findall(text):
        if run == "\n":
            yield "", True
        elif not plain and _cjk().match(run):
            yield from _characters(run)
        else:
            word = bare(run)
            ends = run[-1] in _ENDS
            if not plain and run[0] in _ENDS:
                yield "", True  # behind Chinese writing a comma stands at the next word
            if not word:
                yield "", ends
            elif word.isalnum() or not ("-" in word or "/" in word) or _is_path(word):
                yield word, ends
            else:
                parts = [part for part in re.split(r"[-/]", word) if part] or [word]
                yield from ((part, False) for part in parts[:-1])
                yield parts[-1], ends


def _is_path(word: str) -> bool:
    return word[0] in "/~.-$" or "://" in word or word.count("/") > 1 or any(char.isdigit() for char in word)


def _characters(run: str) -> Iterator[tuple[str, bool]]:
    """A run of Chinese or Japanese, sign by sign, spellings of one meaning made alike, joining signs left out."""
    for spelling, meaning in cjk_alike():
        if spelling in run:
            run = run.replace(spelling, meaning)
    for char in run:
        if char not in CJK_JOINING:
            yield char, False


@lru_cache(maxsize=4096)
def _plain(word: str) -> tuple[str, bool]:
    """A word as it is compared, and whether it is one that only links others."""
    lower = word.casefold()
    if any(char.isdigit() for char in word):
        return (lower.removeprefix("v") if lower[1:2].isdigit() else lower), False
    if _is_code(word):
        return word, False
    root = stem(lower.removesuffix("'s"))
    root = canonical().get(root, root)
    return root, root in LIGHT


class _Reader:
    """Collects a fact while its words come by."""

    def __init__(self) -> None:
        self.clauses: list[tuple[str, ...]] = []
        self.numbers: list[str] = []
        self.negations = 0
        self.negated: set[str] = set()
        self.limits: set[str] = set()
        self.roles: set[tuple[str, str]] = set()
        self.light: set[str] = set()
        self._before = ""
        self._clause: list[str] = []
        self._role = ""
        self._under_negation = 0

    def read(self, word: str) -> None:
        """Take the next word in; "" is none."""
        if not word:
            return
        before, self._before = self._before, word.casefold()
        if word in CJK_NEGATORS:
            self.negations += 1
        lower = word.casefold()
        plain = lower.replace("'", "")
        if lower.endswith("n't") or plain in NEGATORS:
            self.negations += 1
            self._under_negation = 2
            return
        if plain in BOUNDS or plain in SIGNS or plain in _COMPARING:
            self.limits.add(stem(plain))
        if plain.endswith("ed") and before in _TELLING:
            self.limits.add("past")  # `worked at` is not `works at`; `is deployed` tells of now
        if plain in ROLES:
            self._role = plain
        if plain in BOUNDS or self._says_nothing(word, plain):
            return
        kept, is_light = _plain(word)
        if is_light:
            self.light.add(kept)
        else:
            self._keep(NUMBER_WORDS.get(plain) or kept)

    def _says_nothing(self, word: str, plain: str) -> bool:
        if not self._clause:
            return plain in STOP or plain in ("user", "users", "user's")  # the one everything is about
        return plain in STOP and word != "A"  # `service A`

    def _keep(self, word: str) -> None:
        if not any(char.isalnum() for char in word):
            return
        self._clause.append(word)
        if any(char.isdigit() for char in word):
            self.numbers.append(word)
        if self._role:
            self.roles.add((self._role, word))
            self._role = ""
        if self._under_negation:
            self.negated.add(word)
            self._under_negation -= 1

    def end_clause(self) -> None:
        if self._clause:
            self.clauses.append(tuple(self._clause))
        self._clause = []
        self._role, self._under_negation = "", 0


def weight(words: Sequence[str]) -> int:
    """How much a list of words says: a word or a number counts two, a path or a long name with signs in it four, one
    Chinese or Japanese sign counts one.
    """
    return sum(1 if _cjk().match(word) else 4 if len(word) > 8 and not word.isalnum() else 2 for word in words)
