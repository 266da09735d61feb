"""Which titles fit a query: the newest first, all of them, and no more looked at than are asked for."""

from __future__ import annotations

import re
import sqlite3
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.sessions import titles as module
from workbench.sessions.matching import CJK, fold, pattern, quick_pattern
from workbench.sessions.plans import matches
from workbench.sessions.query import Node, parse, positive
from workbench.sessions.titles import Titles, _candidates, _matching, titles

WORDS = st.sampled_from(
    ["do", "docker", "Dö", "d", "it's", "部署", "部", "数据库", "x部署", "gate/way", "2.2", "no", "Network", "s"]
)
TITLES = st.lists(st.lists(WORDS, max_size=4).map(" ".join), max_size=40)
QUERIES = ["d", "do", "dö", "docker", "部", "部署", "docker do", "d OR 部", "docker NOT it's", '"it\'s no"', "gate/way",
           "2.2", "NOT d docker", "s OR no", "(部 OR s) d"]  # fmt: skip


def held(names: list[str]) -> Titles:
    """Titles as a database of sessions named so has them, the first one the oldest."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE sessions (title TEXT)")
    db.executemany("INSERT INTO sessions VALUES (?)", [(name,) for name in names])
    try:
        return titles(db)
    finally:
        db.close()


@given(TITLES, st.sampled_from(QUERIES), st.booleans(), st.integers(1, 9))
def test_every_title_that_fits_is_found_the_newest_first(names: list[str], text: str, typing: bool, first: int) -> None:
    root = parse(text, typing=typing).root
    assert root is not None and positive(root)
    wanted = [number for number in range(len(names), 0, -1) if matches(root, fold(names[number - 1]))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FIRST", first)
        assert list(_matching(held(names), root)) == wanted


@given(st.text("abdoſKé部 -_./'2\n", max_size=30), st.sampled_from(["d", "do", "2", "é", "k", "ab"]), st.booleans())
def test_a_word_is_found_in_the_same_places_the_quick_way(text: str, piece: str, prefix: bool) -> None:
    folded, piece = fold(text), fold(piece)
    letter = rf"[^\W_{CJK}]"
    rule = re.compile(rf"(?<!{letter}){re.escape(piece)}" + ("" if prefix else rf"(?!{letter})"))
    for finder in (pattern(piece, prefix), quick_pattern(piece, prefix)):
        for first, last in ((0, len(folded)), (1, len(folded) - 1)):
            wanted = [match.span() for match in rule.finditer(folded, first, last)]
            assert [match.span() for match in finder.finditer(folded, first, last)] == wanted


@pytest.mark.parametrize("text", ["do", "docker", "docker network", "部署 OR do"])
def test_a_page_of_titles_costs_the_same_however_many_there_are(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    root = parse(text, typing=True).root
    assert root is not None
    costs = []
    for many in (5_000, 50_000):
        looked = 0
        there = held([f"docker network do 部署 {number}" for number in range(many)])

        def counted(there: Titles, node: Node, first: int, last: int) -> set[int] | None:
            nonlocal looked
            looked += last - first
            return _candidates(there, node, first, last)

        with monkeypatch.context() as patch:
            patch.setattr(module, "_candidates", counted)
            assert len(list(islice(_matching(there, root), 40))) == 40
        costs.append(looked)
    assert costs[0] == costs[1]
