"""What people type, as a tree of terms and a set of filters. Never raises: what makes no sense is text, or is said.

Words are joined by AND within one message; `OR` binds looser; `NOT` and a leading `-` take away; "phrases", `prefix*`
and parentheses work. Operators are written in lower case (`source:cli`); any other word with a colon is text.
"""

from __future__ import annotations

import calendar
import re
import time
from dataclasses import dataclass, replace

from workbench.sessions.matching import has_cjk, has_token

OPERATORS = ("source", "role", "title", "tool", "after", "before", "session", "model", "cwd", "in")
PLACES = ("reasoning",)
# Characters of a query that are read; the client's own search stops at the same order of magnitude.
MAX_CHARS = 2_000
MAX_DEPTH = 30
DAY = 86_400.0


@dataclass(frozen=True)
class Term:
    """One word or phrase. `prefix`: it may go on; `typed`: only because the user may still be typing it."""

    text: str
    phrase: bool = False
    prefix: bool = False
    typed: bool = False

    @property
    def cjk(self) -> bool:
        """Whether it is looked for as a piece of text rather than as words: CJK has no spaces."""
        return has_cjk(self.text)


@dataclass(frozen=True)
class Not:
    """What must not be in the message."""

    item: Node


@dataclass(frozen=True)
class And:
    """All of it in one message."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class Or:
    """Any of it."""

    items: tuple[Node, ...]


Node = Term | Not | And | Or


@dataclass(frozen=True)
class Filter:
    """One `name:value`; `out` when it was written with a minus. Dates are (start, end) Unix seconds in `span`."""

    name: str
    value: str
    out: bool = False
    span: tuple[float, float] | None = None


@dataclass(frozen=True)
class Query:
    """A query understood. `root` is None when nothing can be searched for; `ignored` is what has no letter or digit;
    `problems` are sentences about what was not understood.
    """

    text: str
    root: Node | None
    filters: tuple[Filter, ...] = ()
    ignored: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def reasoning(self) -> bool:
        """Whether the reasoning is to be searched instead of what was said."""
        return any(each.name == "in" for each in self.filters)

    def values(self, name: str, *, out: bool = False) -> tuple[str, ...]:
        """The values of one operator, in the order typed."""
        return tuple(each.value for each in self.filters if each.name == name and each.out == out)

    @property
    def note(self) -> str:
        """What has to be said about the query itself; "" when nothing."""
        said = list(self.problems)
        if self.root is None and not self.filters:
            said.insert(0, "nothing searchable in this query")
        elif self.root is not None and not positive(self.root):
            said.insert(0, "only exclusions in this query; add a word to look for")
        elif self.ignored:
            said.append(f"not searchable, left out: {' '.join(self.ignored)}")
        return "; ".join(said)


def terms(node: Node | None) -> tuple[Term, ...]:
    """The terms that a match can contain, in the order typed; not the excluded ones."""
    if node is None or isinstance(node, Not):
        return ()
    if isinstance(node, Term):
        return (node,)
    return tuple(term for item in node.items for term in terms(item))


def positive(node: Node) -> bool:
    """Whether everything that matches contains at least one of `terms`."""
    if isinstance(node, Term):
        return True
    if isinstance(node, Not):
        return False
    judged = [positive(item) for item in node.items]
    return any(judged) if isinstance(node, And) else all(judged)


def parse(text: str, *, typing: bool = False, now: float | None = None) -> Query:
    """Understand a query. With `typing` the last word may still go on; `now` (Unix seconds) is for relative dates."""
    return _Parser(text, typing, time.time() if now is None else now).query()


_WORD = re.compile(r'"(?P<phrase>[^"]*)(?P<closed>"?)(?P<star>\*?)|(?P<word>\S+)')


class _Parser:
    """Recursive descent over the characters; depth is bounded, so that no text ends the program."""

    def __init__(self, text: str, typing: bool, now: float) -> None:
        self.text = text
        # Neither a control character nor half of one can be in an index; SQLite would not even take the latter.
        self.rest = "".join(c if c >= " " and not "\ud800" <= c <= "\udfff" else " " for c in text[:MAX_CHARS])
        self.at = 0
        self.depth = 0
        self.typing = typing
        self.now = now
        self.filters: list[Filter] = []
        self.ignored: list[str] = []
        self.problems: list[str] = []

    def query(self) -> Query:
        if len(self.text) > MAX_CHARS:
            self.problems.append(f"only the first {MAX_CHARS:,} characters of the query are searched")
        root = self._any()
        while self.at < len(self.rest):
            # A closing parenthesis too many: the rest belongs to the query all the same.
            self.at += 1
            more = self._any()
            root = _joined(And, [root, more])
        return Query(self.text, root, tuple(self.filters), tuple(self.ignored), tuple(self.problems))

    def _skip(self) -> None:
        while self.at < len(self.rest) and self.rest[self.at].isspace():
            self.at += 1

    def _any(self) -> Node | None:
        groups: list[Node | None] = []
        items: list[Node | None] = []
        while True:
            self._skip()
            if self.at >= len(self.rest) or (self.depth and self.rest[self.at] == ")"):
                break
            if self._operator("OR"):
                groups.append(_joined(And, items))
                items = []
            elif not self._operator("AND"):
                items.append(self._one())
        groups.append(_joined(And, items))
        return _joined(Or, groups)

    def _operator(self, name: str) -> bool:
        end = self.at + len(name)
        if not self.rest.startswith(name, self.at) or (end < len(self.rest) and self.rest[end] not in ' \t()"'):
            return False
        self.at = end
        return True

    def _one(self) -> Node | None:
        out = False
        while self._operator("NOT"):
            out = not out
            self._skip()
        start = self.at
        if self.rest[start : start + 1] == "-" and re.match(r'[\w"(]', self.rest[start + 1 : start + 2]):
            out, self.at = not out, start + 1
        if self.at >= len(self.rest):
            return None
        if self.rest[self.at] == "(" and self.depth < MAX_DEPTH:
            item = self._group()
        else:
            item = self._word(out)
        return Not(item) if out and item is not None else item

    def _group(self) -> Node | None:
        self.at += 1
        self.depth += 1
        item = self._any()
        self.depth -= 1
        if self.at < len(self.rest):
            self.at += 1
        return item

    def _word(self, out: bool) -> Node | None:
        if self._filter(out):
            return None
        found = _WORD.match(self.rest, self.at)
        if found is None:
            self.at += 1
            return None
        if found["phrase"] is not None:
            self.at = found.end()
            return self._term(found["phrase"].strip(), phrase=True, prefix=bool(found["star"]))
        word = found["word"]
        # A quotation mark within a word ends it; so do the parentheses that close a group.
        quote = word.find('"')
        word = word[:quote] if quote > 0 else word
        while self.depth and word.endswith(")") and word.count(")") > word.count("("):
            word = word[:-1]
        self.at += max(1, len(word))
        stars = len(word) - len(word.rstrip("*"))
        return self._term(word[: len(word) - stars], prefix=bool(stars))

    def _term(self, text: str, *, phrase: bool = False, prefix: bool = False) -> Term | None:
        if not has_token(text):
            if text.strip():
                self.ignored.append(text)
            return None
        typed = self.typing and not phrase and not prefix and self.at >= len(self.rest) and _goes_on(text)
        return Term(text, phrase, prefix or typed, typed)

    def _filter(self, out: bool) -> bool:
        found = re.compile(r'([a-z]+):(?:"([^"]*)"?|([^\s"]+))').match(self.rest, self.at)
        if found is None or found[1] not in OPERATORS:
            return False
        name, value = found[1], (found[2] if found[2] is not None else found[3]).strip()
        end = found.end()
        while found[2] is None and self.depth and value.endswith(")"):
            value, end = value[:-1], end - 1
        if not value or (name == "in" and value not in PLACES):
            return False
        span = dates(value, self.now) if name in ("after", "before") else None
        self.at = end
        if name in ("after", "before") and span is None:
            self.problems.append(f"{name}:{value} is no date (2026-03-01, 2026-03, 2026, 7d, 2w, 3m, 1y, today)")
            return True
        self.filters.append(Filter(name, value, out, span))
        return True


def _goes_on(text: str) -> bool:
    """Whether a word being typed is searched as a beginning: from three letters on, or after earlier pieces of it."""
    pieces = [piece for piece in re.split(r"[\W_]+", text) if piece]
    return not has_cjk(text) and text[-1].isalnum() and (len(pieces) > 1 or len(pieces[-1]) >= 3)


def begun(text: str) -> str:
    """The word at the end of what is typed, while it is too short to be searched as a beginning; else ""."""
    word = text.split()[-1] if text.strip() and not text[-1].isspace() else ""
    return word if word.isalnum() and not has_cjk(word) and not _goes_on(word) else ""


def _joined(kind: type[And] | type[Or], items: list[Node | None]) -> Node | None:
    kept: list[Node] = []
    for item in items:
        if isinstance(item, kind):
            kept += item.items
        elif item is not None:
            kept.append(item)
    if len(kept) < 2:
        return kept[0] if kept else None
    return kind(tuple(kept))


def without_typing(query: Query) -> Query:
    """The same query with the last word as it stands, not as a beginning."""

    def whole(node: Node) -> Node:
        if isinstance(node, Term):
            return replace(node, prefix=False, typed=False) if node.typed else node
        if isinstance(node, Not):
            return Not(whole(node.item))
        return type(node)(tuple(whole(item) for item in node.items))

    return replace(query, root=whole(query.root) if query.root is not None else None)


def dates(value: str, now: float) -> tuple[float, float] | None:
    """The local (start, end) in Unix seconds of a day, month or year, or of `7d`, `today`, `yesterday`; else None."""
    relative = re.fullmatch(r"(\d{1,4})([hdwmy])", value)
    if relative:
        unit = {"h": DAY / 24, "d": DAY, "w": 7 * DAY, "m": 30 * DAY, "y": 365 * DAY}[relative[2]]
        moment = now - int(relative[1]) * unit
        return moment, moment
    if value in ("today", "yesterday"):
        moment = now if value == "today" else now - DAY
        value = time.strftime("%Y-%m-%d", time.localtime(moment))
    found = re.fullmatch(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", value)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    if not (1970 <= year <= 9998 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    if found[3]:
        after = (year, month, day + 1)
    elif found[2]:
        after = (year, month + 1, 1)
    else:
        after = (year + 1, 1, 1)
    return _local(year, month, day), _local(*after)


def _local(year: int, month: int, day: int) -> float:
    return time.mktime((year, month, day, 0, 0, 0, 0, 0, -1))
