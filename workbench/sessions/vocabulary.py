"""The terms of a full-text table that begin with a text, from the table's own vocabulary, within a time limit.

`fts5vocab` lives in the temp schema, so it works on a read-only connection and leaves nothing in the file.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator

from workbench.sessions.matching import CJK, has_cjk, tokens
from workbench.sessions.schema import FTS, TRIGRAM, Capability

_LAST = "\U0010ffff"
_MOST_WORDS = 40


def _ready(db: sqlite3.Connection, schema: str, table: str, kind: str = "row") -> str:
    name = f"workbench_{schema}_{table}_{kind}"
    db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name} USING fts5vocab('{schema}', '{table}', '{kind}')")
    return name


def _by_rows(db: sqlite3.Connection, schema: str, table: str, start: str) -> Iterator[str]:
    """Terms that begin with a text. Each costs its whole list of rows: right for trigrams, which have short ones."""
    sql = f"SELECT term FROM temp.{_ready(db, schema, table)} WHERE term >= ? AND term < ?"
    for (term,) in db.execute(sql, (start, start + _LAST)):
        yield term


def _by_leaps(db: sqlite3.Connection, schema: str, table: str, start: str) -> Iterator[str]:
    """The same at one look-up a term, whatever its number of rows: right for words, where one can be in most."""
    sql = f"SELECT term FROM temp.{_ready(db, schema, table, 'instance')} WHERE term >= ? AND term < ? LIMIT 1"
    at: str | None = start
    while at is not None:
        row = db.execute(sql, (at, start + _LAST)).fetchone()
        if row is None:
            return
        yield row[0]
        at = row[0] + "\x00"


def expander(
    db: sqlite3.Connection, *, seconds: float, most: int, schema: str = "main"
) -> Callable[[str, str], tuple[tuple[str, ...], bool]]:
    """An `Expand` for `compile`: at most `most` terms (of trigrams three times that) and about `seconds`.

    It answers (terms, whether these are all); nothing at all and False when the index cannot be read.
    """

    def expand(table: str, start: str) -> tuple[tuple[str, ...], bool]:
        found: list[str] = []
        pieces = table in (TRIGRAM, "pieces")
        walk = _by_rows if pieces else _by_leaps
        # Nothing but its continuations finds a short piece, while the index itself knows the beginnings of words.
        limit = 3 * most if pieces else most
        until = time.perf_counter() + seconds
        try:
            for term in walk(db, schema, table, start):
                found.append(term)
                if len(found) >= limit or time.perf_counter() > until:
                    return tuple(found), False
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise
            return tuple(found), False
        return tuple(found), True

    return expand


def has_cjk_terms(db: sqlite3.Connection, table: str, schema: str = "main") -> bool:
    """Whether a trigram table holds any term that begins with a CJK character; looked up once while nobody writes."""
    kept: dict[str, object] = getattr(db, "kept", {})
    key, version = f"cjk in {schema}.{table}", db.execute("PRAGMA data_version").fetchone()[0]
    there = kept.get(key)
    if not isinstance(there, tuple) or there[0] != version:
        # By instance: the first such term by row would be counted first, and a common one is in many.
        name = _ready(db, schema, table, "instance")
        found = db.execute(f"SELECT 1 FROM temp.{name} WHERE term >= '\u1100' LIMIT 1").fetchone() is not None
        there = kept[key] = (version, found)
    return bool(there[1])


def rarest(
    db: sqlite3.Connection, cap: Capability, text: str, *, most: int = 3, seconds: float = 0.1
) -> tuple[str, ...]:
    """The words of a text that occur in the fewest messages, though in some; rarest first. For jumping from an entry.

    A piece of CJK writing counts as its first four characters. Without an index, the longest words.
    """
    words = dict.fromkeys(word for word in tokens(text) if len(word) >= 3 and not has_cjk(word) and not word.isdigit())
    pieces = dict.fromkeys(found[0][:4] for found in re.finditer(f"[{CJK}]{{2,}}", text))
    if cap.fts is None or cap.stale:
        return tuple(sorted([*pieces, *words], key=len, reverse=True)[:most])
    counted: list[tuple[int, str]] = []
    until = time.perf_counter() + seconds
    asked = f"SELECT doc FROM temp.{_ready(db, 'main', FTS)} WHERE term = ?"
    # Long words first: they are rarer, and counting a common one takes its whole list.
    for word in sorted(words, key=len, reverse=True)[:_MOST_WORDS]:
        row = db.execute(asked, (word,)).fetchone()
        if row is not None:
            counted.append((row[0], word))
        if time.perf_counter() > until:
            break
    found = [word for _count, word in sorted(counted)]
    return tuple([*list(pieces)[:1], *found][:most])
