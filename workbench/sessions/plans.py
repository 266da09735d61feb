"""From a query to what the full-text tables are asked: streams of row ids, newest or oldest first.

Words are asked of `messages_fts`, CJK of the trigram table. A query that needs both is driven by one and settled on
the text of each row (`Plan.verify`); what neither can answer is scanned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.sessions.matching import cjk_run, fold, has_cjk, pattern, tokens
from workbench.sessions.query import And, Node, Not, Or, Query, Term
from workbench.sessions.schema import FTS, TRIGRAM, Capability

# (table, beginning) -> the index's terms that begin with it, and whether these are all
Expand = Callable[[str, str], tuple[tuple[str, ...], bool]]
_LETTER_AFTER = 3


@dataclass(frozen=True)
class Tables:
    """The two full-text tables to ask, each None when it is not there or not to be trusted.

    `schema` is the name of the database that holds them ("main", or an attached one).
    """

    words: str | None
    pieces: str | None
    schema: str = "main"


@dataclass(frozen=True)
class Stream:
    """One MATCH on one table; `phrases` counts what ranking would have to weigh."""

    table: str
    match: str
    phrases: int = 1


@dataclass(frozen=True)
class Plan:
    """How a query is answered.

    `streams` is None when only a scan can answer; empty when the index knows that nothing matches. `verify`: each row's
    text decides. `partial`: beginnings were cut short or left out, so a later, longer pass may find more.
    """

    root: Node
    streams: tuple[Stream, ...] | None
    verify: bool = False
    partial: bool = False

    @property
    def ranked(self) -> bool:
        """Whether the index can order the rows by relevance at a bounded cost."""
        return self.streams is not None and len(self.streams) == 1 and self.streams[0].phrases <= 16


def tables(capability: Capability) -> Tables:
    """The tables of a database that can be asked at all."""
    usable = not capability.stale
    return Tables(FTS if capability.fts and usable else None, TRIGRAM if capability.trigram and usable else None)


def compile(  # noqa: A001
    query: Query, capability: Capability, expand: Expand, where: Tables | None = None, *, wide: bool = False
) -> Plan:
    """The plan for a query that has something to search for (`query.root` is not None).

    `expand` lists the index's terms that begin with a text; `where` names other tables than the client's; `wide`: a
    beginning with more terms than could be listed is left to the index, which may take seconds.
    """
    assert query.root is not None
    compiler = _Compiler(where or tables(capability), expand, wide=wide)
    streams = compiler.streams(query.root)
    return Plan(query.root, streams, compiler.verify, compiler.partial)


def embedded(query: Query, capability: Capability, expand: Expand, where: Tables | None = None) -> Plan | None:
    """The plan for Latin words that stand within CJK writing, where the word table sees one long token.

    None when the query has no such words or there is no trigram table. Every row has to be verified.
    """
    where = where or tables(capability)
    if query.root is None or where.pieces is None:
        return None
    compiler = _Compiler(where, expand, words_in_pieces=True)
    streams = compiler.streams(query.root)
    return Plan(query.root, streams, verify=True) if streams and compiler.embedded else None


def matches(node: Node, text: str, *, loose: bool = False) -> bool:
    """Whether folded text satisfies the query; the rule that all ways of searching agree on."""
    if isinstance(node, Term):
        return pattern(node.text, node.prefix, loose).search(text) is not None
    if isinstance(node, Not):
        return not matches(node.item, text, loose=loose)
    judge = all if isinstance(node, And) else any
    return judge(matches(item, text, loose=loose) for item in node.items)


# What `fold` makes an ASCII letter of.
MARKED = "\u00c0-\u024f\u1e00-\u1eff\u212a-\u212b"


def condition(node: Node, text: str) -> tuple[str, list[str]]:
    """SQL that is true for every row that could match, and its values; `text` is the SQL of a row's text in lower case.

    It only narrows: `matches` decides.
    """
    if isinstance(node, Term):
        run = cjk_run(node.text)
        if run:
            return f"instr({text}, ?)", [run]
        pieces = tokens(node.text)
        if not pieces or not all(piece.isascii() for piece in pieces):
            # SQLite folds ASCII only, so other alphabets are left to `matches`.
            return "1", []
        # The same word may be written with accents, which SQLite cannot fold; and its GLOB ends at a NUL.
        accented = f"{text} GLOB '*[{MARKED}]*' OR instr({text}, char(0))"
        return " AND ".join(f"(instr({text}, ?) OR {accented})" for _ in pieces), pieces
    if isinstance(node, Not):
        return "1", []
    parts = [condition(item, text) for item in node.items]
    glue = " AND " if isinstance(node, And) else " OR "
    return glue.join(f"({sql})" for sql, _ in parts), [value for _, values in parts for value in values]


def quoted(text: str, *, prefix: bool = False) -> str:
    """A text as one FTS5 string, whatever is in it."""
    body = text.replace("\x00", " ").replace('"', '""')
    return f'"{body}" *' if prefix else f'"{body}"'


class _Compiler:
    def __init__(self, where: Tables, expand: Expand, *, words_in_pieces: bool = False, wide: bool = False) -> None:
        self.where = where
        self.expand = expand
        self.words_in_pieces = words_in_pieces
        self.wide = wide
        self.verify = self.partial = self.embedded = False

    def streams(self, node: Node) -> tuple[Stream, ...] | None:
        for table in (self.where.words, self.where.pieces):
            if table is not None and self._belongs(node, table):
                match, phrases = self._match(node, table)
                if match is not None:
                    return (Stream(table, match, phrases),) if match else ()
        if isinstance(node, Term | Not):
            return None
        self.verify = True
        return self._driven(node) if isinstance(node, And) else self._merged(node)

    def _driven(self, node: And) -> tuple[Stream, ...] | None:
        """The part of a conjunction that narrows most, by the look of it; the rest is verified."""
        groups: dict[str | None, list[Node]] = {}
        for item in node.items:
            if isinstance(item, Not):
                continue
            home = next((t for t in (self.where.words, self.where.pieces) if t and self._belongs(item, t)), None)
            groups.setdefault(home, []).append(item)
        for table in self._by_promise(groups):
            items = groups[table]
            if table is None:
                for item in items:
                    found = self.streams(item)
                    if found is not None:
                        return found
                continue
            match, phrases = self._match(items[0] if len(items) == 1 else And(tuple(items)), table)
            if match is not None:
                return (Stream(table, match, phrases),) if match else ()
        return None

    def _by_promise(self, groups: dict[str | None, list[Node]]) -> list[str | None]:
        def dull(table: str | None) -> tuple[bool, int]:
            if table is None:
                return True, 0
            longest = max((len(item.text) for item in groups[table] if isinstance(item, Term)), default=0)
            # Two CJK characters say about as much as a Latin word of six letters.
            return False, -longest * (4 if table == self.where.pieces else 1)

        return sorted(groups, key=dull)

    def _merged(self, node: Or) -> tuple[Stream, ...] | None:
        out: list[Stream] = []
        for item in node.items:
            found = self.streams(item)
            if found is None:
                return None
            out += found
        return tuple(dict.fromkeys(out))

    def _belongs(self, node: Node, table: str) -> bool:
        if isinstance(node, Term):
            pieces = node.cjk or self.words_in_pieces
            return table == (self.where.pieces if pieces else self.where.words)
        if isinstance(node, Not):
            return self._belongs(node.item, table)
        return all(self._belongs(item, table) for item in node.items)

    def _match(self, node: Node, table: str, out: bool = False) -> tuple[str | None, int]:
        """The FTS5 expression and its phrases; "" when nothing can match, None when FTS5 cannot say it."""
        if isinstance(node, Term):
            return self._phrase(node, table, out)
        if isinstance(node, Not):
            return None, 0
        if isinstance(node, Or):
            parts = [self._match(item, table, out) for item in node.items]
            if any(match is None for match, _ in parts):
                return None, 0
            kept = [match for match, _ in parts if match]
            return " OR ".join(f"({match})" for match in kept), sum(count for _, count in parts)
        return self._all(node, table, out)

    def _all(self, node: And, table: str, out: bool) -> tuple[str | None, int]:
        wanted = [self._match(item, table, out) for item in node.items if not isinstance(item, Not)]
        if not wanted or any(match is None for match, _ in wanted):
            return None, 0
        if not all(match for match, _ in wanted):
            return "", 0
        joined = " AND ".join(f"({match})" for match, _ in wanted)
        phrases = sum(count for _, count in wanted)
        unwanted = [self._match(item.item, table, True) for item in node.items if isinstance(item, Not)]
        if any(match is None for match, _ in unwanted) or (unwanted and (out or table == self.where.pieces)):
            # Not everything that is unwanted is in the index: the text of each row decides.
            self.verify = True
        without = [match for match, _ in unwanted if match]
        if without and not out:
            joined = f"({joined}) NOT ({' OR '.join(f'({match})' for match in without)})"
        return joined, phrases + sum(count for _, count in unwanted)

    def _phrase(self, term: Term, table: str, out: bool) -> tuple[str | None, int]:
        if table == self.where.pieces:
            return self._piece(term, table)
        pieces = tokens(term.text)
        if not term.prefix or not pieces:
            return quoted(term.text), 1
        if len(pieces) > 1 and len(pieces[-1]) < _LETTER_AFTER:
            # A short last piece would widen to half the vocabulary: the pieces before it narrow, the text decides.
            self.verify = True
            return (None, 0) if out else (quoted(" ".join(pieces[:-1])), 1)
        found, all_found = self.expand(table, pieces[-1])
        before = " ".join(pieces[:-1])
        if not all_found:
            if self.wide or not found:
                return quoted(term.text, prefix=True), 1
            self.partial = True
        return " OR ".join(quoted(f"{before} {each}".strip()) for each in found), len(found)

    def _piece(self, term: Term, table: str) -> tuple[str | None, int]:
        text = fold(term.text) if not term.cjk else term.text
        if not term.cjk:
            self.embedded = True
        if len(text) >= _LETTER_AFTER:
            return quoted(text), 1
        found, all_found = self.expand(table, text)
        self.partial = self.partial or not all_found
        if not term.cjk:
            found = tuple(each for each in found if has_cjk(each))
        return " OR ".join(quoted(each) for each in found), len(found)
