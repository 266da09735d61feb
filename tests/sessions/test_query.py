"""Queries as people type them."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.sessions import plans
from workbench.sessions.matching import fold, tokens
from workbench.sessions.plans import MARKED, Tables, condition, matches
from workbench.sessions.query import And, Filter, Not, Or, Query, Term, begun, dates, parse, positive, terms
from workbench.sessions.schema import FTS, TRIGRAM, Capability

CAPABILITY = Capability(frozenset(), frozenset(), frozenset(), fts="inline", fts_columns=("content",), trigram="inline")
WHERE = Tables(FTS, TRIGRAM)


def shape(node: object) -> object:
    """A tree as nested lists, terms as their text."""
    if isinstance(node, Term):
        return f'"{node.text}"' if node.phrase else node.text + "*" * node.prefix
    if isinstance(node, Not):
        return ["NOT", shape(node.item)]
    if isinstance(node, And | Or):
        return [type(node).__name__.upper(), *(shape(item) for item in node.items)]
    return node


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("docker", "docker"),
        ("docker networking", ["AND", "docker", "networking"]),
        ("docker AND networking", ["AND", "docker", "networking"]),
        ("a OR b c", ["OR", "a", ["AND", "b", "c"]]),
        ("(a OR b) c", ["AND", ["OR", "a", "b"], "c"]),
        ("a NOT b", ["AND", "a", ["NOT", "b"]]),
        ("a -b", ["AND", "a", ["NOT", "b"]]),
        ('a -"b c"', ["AND", "a", ["NOT", '"b c"']]),
        ("a -(b OR c)", ["AND", "a", ["NOT", ["OR", "b", "c"]]]),
        ("NOT NOT a", "a"),
        ("well-known", "well-known"),
        ("a - b", ["AND", "a", "b"]),
        ("dep* kub**", ["AND", "dep*", "kub*"]),
        ('"exact phrase"', '"exact phrase"'),
        ('say"so', ["AND", "say", '"so"']),
        ('"unclosed phrase', '"unclosed phrase"'),
        ("(deploy", "deploy"),
        ("deploy) now", ["AND", "deploy)", "now"]),
        ("main() foo(bar)", ["AND", "main()", "foo(bar)"]),
        ("(see main())", ["AND", "see", "main()"]),
        ("OR a OR", "a"),
        ("a AND OR b", ["OR", "a", "b"]),
        ("and or not", ["AND", "and", "or", "not"]),
        ("ANDROID", "ANDROID"),
        ("TODO: fix", ["AND", "TODO:", "fix"]),
        ("http://x.y/z", "http://x.y/z"),
        ("Source:cli", "Source:cli"),
        ("in:nowhere", "in:nowhere"),
        ("source: cli", ["AND", "source:", "cli"]),
        ("AND", None),
        ("*", None),
        ('() "" -', None),
        ("", None),
    ],
)
def test_what_people_type_becomes_a_tree(text: str, tree: object) -> None:
    assert shape(parse(text).root) == tree


def test_operators_are_filters_and_not_searched_for() -> None:
    query = parse('docker source:cli -source:cron title:"two words" in:reasoning')
    assert shape(query.root) == "docker"
    assert query.filters == (
        Filter("source", "cli"),
        Filter("source", "cron", out=True),
        Filter("title", "two words"),
        Filter("in", "reasoning"),
    )
    assert query.reasoning
    assert query.values("source") == ("cli",)


def test_a_filter_within_parentheses_leaves_the_closing_one() -> None:
    query = parse("(docker source:cli) net")
    assert shape(query.root) == ["AND", "docker", "net"]
    assert query.values("source") == ("cli",)


def test_only_the_last_word_goes_on_while_typing() -> None:
    assert shape(parse("docker netw", typing=True).root) == ["AND", "docker", "netw*"]
    assert shape(parse("docker ne", typing=True).root) == ["AND", "docker", "ne"]
    assert shape(parse("docker netw ", typing=True).root) == ["AND", "docker", "netw"]
    assert shape(parse('"docker netw', typing=True).root) == '"docker netw"'
    assert shape(parse("部署", typing=True).root) == "部署"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("AND", "nothing searchable in this query"),
        ("* -", "nothing searchable in this query"),
        ("-docker", "only exclusions in this query; add a word to look for"),
        ("a OR NOT b", "only exclusions in this query; add a word to look for"),
        ("docker ++", "not searchable, left out: ++"),
        ("docker", ""),
    ],
)
def test_what_cannot_be_searched_is_said(text: str, note: str) -> None:
    assert parse(text).note == note


def test_a_date_that_is_none_is_said_and_not_searched_for() -> None:
    query = parse("docker after:2026-13-01")
    assert "after:2026-13-01 is no date" in query.note
    assert not query.filters


def test_dates_name_whole_days_months_and_years() -> None:
    def stamp(*parts: int) -> float:
        return time.mktime((*parts, *[0] * 5, -1)[:9])  # type: ignore[arg-type]

    assert dates("2026-03-31", 0) == (stamp(2026, 3, 31, 0), stamp(2026, 4, 1, 0))
    assert dates("2026-12", 0) == (stamp(2026, 12, 1, 0), stamp(2027, 1, 1, 0))
    assert dates("2024", 0) == (stamp(2024, 1, 1, 0), stamp(2025, 1, 1, 0))
    assert dates("7d", 1_000_000.0) == (1_000_000.0 - 7 * 86_400, 1_000_000.0 - 7 * 86_400)
    assert dates("2026-02-30", 0) is None
    assert dates("soon", 0) is None


def test_a_query_of_any_size_is_read_in_time_and_cut_aloud() -> None:
    query = parse("(" * 500 + "docker " * 5_000)
    assert query.root is not None
    assert "only the first 2,000 characters" in query.note


PARTS = [*"ab \"()*-:+^{}~'\\/.,_%#部署数据éÉß\x00🎉", " AND ", " OR ", " NOT ", "source:", "title:", "abc.d"]
QUERIES = st.lists(st.sampled_from(PARTS) | st.characters(), max_size=30).map("".join)


@given(QUERIES, st.booleans())
def test_any_text_compiles_to_something_the_index_accepts(text: str, typing: bool) -> None:
    query = parse(text, typing=typing)
    if query.root is None:
        return
    plan = plans.compile(query, CAPABILITY, lambda table, start: ((start + "x", start + "yz"), True), WHERE)
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(f"CREATE VIRTUAL TABLE {FTS} USING fts5(content)")
        db.execute(f"CREATE VIRTUAL TABLE {TRIGRAM} USING fts5(content, tokenize='trigram')")
        for stream in plan.streams or ():
            found = db.execute(f"SELECT rowid FROM {stream.table} WHERE {stream.table} MATCH ?", (stream.match,))
            assert found.fetchall() == []
        db.execute("CREATE TABLE m (t TEXT)")
        sql, values = condition(query.root, "lower(t)")
        assert db.execute(f"SELECT t FROM m WHERE {sql}", values).fetchall() == []


WORDS = st.sampled_from(["docker", "net", "Ünlü", "run.py", "a", "部署", "大别山项目", "数"])
NODES = st.recursive(
    WORDS.map(Term), lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda items: And(tuple(items))),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Or(tuple(items))),
        inner.map(Not),
    ), max_leaves=6,
)  # fmt: skip
LATIN = ["docker", "Docker,", "net", "network", "ünlü", "run.py", "run py", "a"]
PIECES = [*LATIN, "部署", "的部署方案", "大别山项目", "数据"]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map(" ".join)


def test_every_letter_that_folds_to_ascii_is_known_to_the_scan() -> None:
    folding = [chr(code) for code in range(0x80, 0x11000) if fold(chr(code)).isascii() and chr(code).isalnum()]
    assert folding and [char for char in folding if not re.match(f"[{MARKED}]", char)] == []


@given(NODES, st.lists(TEXTS, min_size=1, max_size=8))
def test_index_scan_and_rule_agree_on_every_query(node: And | Or | Not | Term, texts: list[str]) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE m (id INTEGER PRIMARY KEY, t TEXT)")
        db.executemany("INSERT INTO m(t) VALUES (?)", [(text + "  ",) for text in texts])
        for table, more in ((FTS, ""), (TRIGRAM, ", tokenize='trigram'")):
            db.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(content{more})")
            db.execute(f"INSERT INTO {table}(rowid, content) SELECT id, t FROM m")
        from workbench.sessions.vocabulary import expander

        wanted = {number for number, text in enumerate(texts, 1) if matches(node, fold(text + "  "))}
        sql, values = condition(node, "lower(t)")
        narrowed = {row[0] for row in db.execute(f"SELECT id FROM m WHERE {sql}", values)}
        assert wanted <= narrowed
        plan = plans.compile(Query("", node), CAPABILITY, expander(db, seconds=5, most=1000), WHERE)
        if plan.streams is None:
            return
        found: set[int] = set()
        for stream in plan.streams:
            sql = f"SELECT rowid FROM {stream.table} WHERE {stream.table} MATCH ?"
            found |= {row[0] for row in db.execute(sql, (stream.match,))}
        if plan.verify:
            assert wanted <= found
        else:
            assert wanted == found


def test_terms_leave_out_what_is_excluded() -> None:
    root = parse("docker -net (a OR b)").root
    assert [term.text for term in terms(root)] == ["docker", "a", "b"]
    assert root is not None
    assert positive(root)


def test_folding_keeps_offsets_and_japanese_marks() -> None:
    assert fold("ÀÉß İ が") == "aeß i が".replace("i", fold("İ"))
    assert len(fold("ÀÉß İ がﬀ")) == len("ÀÉß İ がﬀ")
    assert tokens("C:\\Users\\demo 100% done_ok") == ["c", "users", "demo", "100", "done", "ok"]


@pytest.mark.parametrize(
    ("text", "word"),
    [("d", "d"), ("docker ne", "ne"), ("net", ""), ("ne ", ""), ("", ""), ("部", ""), ("a-", ""), ('"ne', "")],
)
def test_a_word_just_begun_is_not_searched_as_a_beginning_yet(text: str, word: str) -> None:
    assert begun(text) == word
    if word:
        assert not terms(parse(text, typing=True).root)[-1].prefix
