"""An entry as it is compared with one in other words: tokens with their weight, their clause and what is negated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from workbench.curation import thesaurus_cjk
from workbench.curation.facts import CJK, bare, fold
from workbench.curation.thesaurus import (
    BOUNDS,
    LINKS,
    MEANT,
    NEGATORS,
    PHRASES,
    ROLES,
    classes,
    common,
    light,
    meaning,
)
from workbench.curation.values import one_spelling
from workbench.curation.vocabulary import CJK_JOINING, spelled, word_set

# What a token weighs, by its kind.
LIGHT, COMMON, WORD, NAME, VALUE, CODE = 0.15, 0.7, 1.0, 1.5, 1.5, 2.0
SIGN = 0.45  # one Chinese sign; two make a word
_REACH = 4  # how many words a negation is about
_ENDING = ".:!?。：！？"


@dataclass(frozen=True, slots=True)
class Token:
    """One word, value, name or sign: its `form` is what is compared, `kind` one of light, word, name, value, code,
    sign; `clause` is the number of its clause, `quoted` whether it stood in code marks.
    """

    form: str
    kind: str
    weight: float
    clause: int
    negated: bool
    quoted: bool

    @property
    def hard(self) -> bool:
        """Whether no other word can stand for it."""
        return self.kind in ("name", "value", "code") or self.quoted


@dataclass(frozen=True, slots=True)
class Wording:
    """One entry taken apart; `bounds` are (name, clause), `roles` (role, form), `negations` the clauses of each."""

    tokens: tuple[Token, ...]
    bounds: tuple[tuple[str, int], ...]
    roles: frozenset[tuple[str, str]]
    negations: tuple[int, ...]
    surface: tuple[str, ...]
    sets: frozenset[tuple[int, str]]
    asks: bool


@cache
def _phrases() -> re.Pattern[str]:
    rows = sorted((one for one, _ in PHRASES), key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, rows)) + r")(?!\w)", re.IGNORECASE)


@cache
def _phrase() -> dict[str, str]:
    return dict(PHRASES)


@cache
def _pieces() -> re.Pattern[str]:
    """A line end, a stretch of one script, or whatever else stands without a blank."""
    return re.compile(f"\n|`|[{CJK}]+|[^\\s`{CJK}]+")


@cache
def _is_cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


@lru_cache(maxsize=1024)
def wording(text: str) -> Wording:
    """Take an entry apart; the same text gives the same object as long as it is remembered."""
    reader = _Reader()
    plain = fold(text).translate(thesaurus_cjk.simplified()) if not text.isascii() else text
    reader.surface(plain)
    sets = frozenset(_sets(plain)) if not text.isascii() else frozenset()
    plain = _phrases().sub(lambda match: _phrase()[spelled(match[0])], plain.replace("**", ""))
    for spelling, stands in thesaurus_cjk.alike() if not text.isascii() else ():
        if spelling in plain:
            plain = plain.replace(spelling, stands)
    plain = one_spelling(plain)
    quoted = False
    for piece in _pieces().findall(plain):
        if piece == "`":
            quoted = not quoted
        elif piece == "\n":
            reader.end(sentence=True)
        elif _is_cjk().match(piece):
            reader.signs(piece)
        else:
            for word, ends in _split(piece):
                reader.word(word, quoted)
                if ends:
                    reader.end(sentence=piece[-1] in _ENDING)
    return reader.wording(sets, "?" in text or "？" in text)


def _sets(text: str) -> Iterator[tuple[int, str]]:
    for number, words in enumerate(thesaurus_cjk.classes()):
        for word in words:
            if word in text:
                yield number, word


def _split(piece: str) -> Iterator[tuple[str, bool]]:
    """The words of a stretch without blanks, and whether a clause ends behind each."""
    if piece in ("->", "→", "<", ">", "<=", ">=", "≤", "≥"):
        yield piece, False
        return
    if piece in ("-", "–", "—", "|"):
        yield "", True
        return
    opens, ends = piece[0] in "(（[", piece[-1] in ".,;:!?)…、。，；：！？）]"
    if opens:
        yield "", True
    word = bare(piece).strip("<>\"'~" if not piece.startswith("~/") else "<>\"'").rstrip("/")
    if _whole(word):
        yield word, ends
        return
    parts = [part for part in re.split(r"[-–—/_+&()\[\]{}<>=:,;|\"']+", word) if part]
    for part in parts[:-1]:
        yield part, False
    yield (parts[-1] if parts else ""), ends


def _whole(word: str) -> bool:
    """Whether a word with signs inside is one name, path, option or value; hyphens between words only join them."""
    if word.isalnum() or not word or word.endswith(("++", "#")):
        return True
    if word.startswith(("/", "~/", "./", "../", "-", "$", ".")) or "\\" in word or "@" in word:
        return True
    if "'" in word and word.replace("'", "").isalpha():
        return True
    if "(" in word or "," in word or ";" in word:
        return False
    return any(char.isdigit() for char in word) or "." in word or "_" in word or word.count("/") > 1


class _Reader:
    """Collects a wording while its words come by."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.bounds: list[tuple[str, int]] = []
        self.roles: set[tuple[str, str]] = set()
        self.negations: list[int] = []
        self._surface: tuple[str, ...] = ()
        self._clause = 0
        self._filled = False
        self._begins = True
        self.german = False
        self._role = ""
        self._under = 0

    def surface(self, text: str) -> None:
        """Remember the words as they stand, for seeing how alike two texts look."""
        self._surface = tuple(re.findall(f"[{CJK}]|[^\\W_]+|[!<>=≠≤≥+#]+", text.casefold()))
        # German writes every noun with a capital: there it tells nothing of names.
        self.german = len(_GERMAN & set(self._surface)) > 1

    def wording(self, sets: frozenset[tuple[int, str]], asks: bool) -> Wording:
        """What was collected."""
        return Wording(
            tuple(self.tokens), tuple(self.bounds), frozenset(self.roles), tuple(self.negations), self._surface, sets,
            asks,
        )  # fmt: skip

    def end(self, *, sentence: bool = False) -> None:
        """A clause ends here, or a sentence."""
        if self._filled:
            self._clause += 1
        self._begins = self._begins or sentence
        self._filled, self._role, self._under = False, "", 0

    def word(self, word: str, quoted: bool) -> None:
        """Take one word in."""
        if not word:
            return
        begins, lower = self._begins, word.casefold()
        self._begins = False
        plain = lower.replace("'", "").replace("’", "")
        if lower.endswith("n't") or plain in NEGATORS:
            if plain != "insteadof":  # what is named instead is no part of what the clause says
                self.negations.append(self._clause)
            self._under = _REACH
            if plain in MEANT:
                self._keep(MEANT[plain], "light", LIGHT, False)
            if plain == "insteadof":
                self._role = "over"
            return
        if plain in LINKS:
            self.end()
            return
        if plain in BOUNDS:
            self.bounds.append((BOUNDS[plain], self._clause))
        if plain in ROLES:
            self._role = ROLES[plain]
        if plain in BOUNDS or plain in ROLES:
            return
        if any(char.isalnum() for char in word):
            self._keep(*self._sort(word, lower, begins), quoted)

    def _sort(self, word: str, lower: str, begins: bool) -> tuple[str, str, float]:
        """Form, kind and weight of a word."""
        if any(char.isdigit() for char in word):
            form = lower.removeprefix("v") if lower[1:2].isdigit() else lower
            return form, "value" if word[:1].isdigit() or lower[:1] == "v" else "code", VALUE
        if not word.replace("'", "").isalpha():
            return word, "code", CODE
        form = meaning(lower.removesuffix("'s"))
        if lower in light() or form in light():
            return form, "light", LIGHT
        if form in classes():
            return form, "word", WORD
        if self._is_name(word, form, begins):
            return form, "name", NAME
        return form, "word", COMMON if form in common() else WORD

    def _is_name(self, word: str, form: str, begins: bool) -> bool:
        """A word with a capital inside, or inside a clause; what begins a sentence may be any word."""
        if form in common() or self.german or len(word) < 2:
            return False
        inner = any(char.isupper() for char in word[1:])
        return not word.isupper() and (inner or (word[0].isupper() and not begins))

    def _keep(self, form: str, kind: str, weight: float, quoted: bool) -> None:
        self.tokens.append(Token(form, kind, weight, self._clause, self._under > 0, quoted and kind != "light"))
        self._filled, self._begins = True, False
        if self._role and kind != "light":
            self.roles.add((self._role, form))
            self._role = ""
        if self._under and kind != "light":
            self._under -= 1

    def signs(self, run: str) -> None:
        """Take a run of Chinese, Japanese or Korean in, sign by sign."""
        for light_word in thesaurus_cjk.light():
            run = run.replace(light_word, " ") if light_word in run else run
        for at, char in enumerate(run):
            if char in _NEGATING and not (char == "不" and run[at : at + 2] in ("不过", "不同", "不错")):
                self.negations.append(self._clause)
                self._under = 2 * _REACH
            elif run[at : at + 2] in ("ない", "ませ") or run[at : at + 3] == "なし":
                self.negations.append(self._clause)
            elif char == "只" or run[at : at + 2] in ("のみ", "だけ"):
                self.bounds.append(("only", self._clause))
            elif char == " " or char in _PLAIN or "\u3040" <= char <= "\u309f":
                continue
            else:
                self._keep(char, "sign", SIGN, False)


_GERMAN = word_set(
    "der die das den dem ein eine einen und ist sind nicht nur für mit auf von vom zum zur bei kein keine immer"
)
_PLAIN = CJK_JOINING | frozenset("要会做里上已去过给到好很但时都还么什些对会有人让才就")
_NEGATING = frozenset("不没無无未勿非禁")


def clauses(tokens: Sequence[Token]) -> dict[int, list[Token]]:
    """Tokens by the number of their clause."""
    found: dict[int, list[Token]] = {}
    for token in tokens:
        found.setdefault(token.clause, []).append(token)
    return found
