"""Searching compared with the real 0.19 client: the same sessions wherever the client is right, and why where not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.client.dialogue import dialogue
from tests.conftest import TESTS
from workbench.sessions.database import connect
from workbench.sessions.lineage import roots
from workbench.sessions.schema import look
from workbench.sessions.search import search

pytestmark = pytest.mark.client
ROLES = ["user", "assistant"]
CASES = json.loads((TESTS / "cases" / "search.json").read_text("utf-8"))
Client = Callable[..., Any]


@pytest.fixture
def client(client_python: str) -> Iterator[Client]:
    """One process of the client that answers requests."""
    with dialogue(client_python, "searcher.py") as talk:
        yield lambda do, home, **more: talk({"do": do, "home": str(home), **more})


def theirs(client: Client, home: Path, query: str) -> set[str]:
    """The roots of the conversations that the client's search finds."""
    found = client("search", home, query=query, roles=ROLES)
    assert isinstance(found, list), found
    with closing(connect(home / "state.db")) as db:
        return set(roots(db, look(db), [row[0] for row in found]).values())


def ours(home: Path, query: str, **more: Any) -> set[str]:
    """The roots of the conversations whose messages (not titles) we find."""
    text = f"{query} role:user role:assistant"
    with closing(connect(home / "state.db")) as db:
        return {result.root_id for result in search(db, look(db), text, limit=500, **more).results}


def messages(home: Path, query: str) -> list[int]:
    with closing(connect(home / "state.db")) as db:
        found = search(db, look(db), query, limit=500)
    return sorted(hit.message_id for result in found.results for hit in result.shown if hit.message_id is not None)


SAME = (
    "docker", "auth", "deploy", "ledger schema", "needle-haystack", "my-app.config.ts", "P2.2", "chat-send", "dep*",
    "wrongturn", "quicksilver", "docker OR mutex", "auth NOT docker", "auth AND refactor", '"docker networking"',
    "snake_case_name", "nothingofthekind", "channels", "the",
    "大别山项目", "大别山项目部署方案", "部署", "blue OR 部署", "项目部",
)  # fmt: skip


@pytest.mark.parametrize("version", ["0.13.0", "0.14.0", "0.19.0"])
def test_the_same_conversations_are_found(unpack: Callable[[str], Path], client: Client, version: str) -> None:
    home = unpack(version)
    for query in SAME:
        assert ours(home, query) == theirs(client, home, query), query


def test_the_agent_s_own_tool_finds_what_we_put_first(unpack: Callable[[str], Path], client: Client) -> None:
    home = unpack("0.19.0")
    for query in ("docker", "auth refactor", "部署", "needle-haystack", "quicksilver"):
        tool = client("tool", home, query=query)
        with closing(connect(home / "state.db")) as db:
            cap = look(db)
            found = search(db, cap, f"{query} role:user role:assistant", order="relevance", limit=10)
            above = roots(db, cap, tool)
        sources = {result.root_id: result.source for result in found.results}
        # How many cron runs fit and which is chance; the user's own conversations come first on both sides.
        mine = {root for root, source in sources.items() if source != "cron"}
        assert mine == {above[each] for each in tool if "cron" not in each}, query


# What the client's search misses or gets wrong, and why.
WRONG = {
    "it's": "an apostrophe is a syntax error to it, which becomes an empty list",
    "gateway/run.py": "so is a slash",
    "user@host": "so is an at sign",
    "a,b": "so is a comma",
    "why?": "so is a question mark",
    "e=mc2": "so is an equals sign",
    "#tag": "so is a hash",
    "[bracket]": "so is a bracket",
    "C:\\Users\\demo": "so is a backslash",
    "100%": "so is a percent sign",
    "youer": "a Latin word within Chinese writing is one token with it",
    "ab": "so is one within Korean writing",
    "日本*": "its trigrams need three characters and its LIKE takes the star literally",
    "数据 AND 备份": "short CJK words are searched by LIKE, which joins them by OR",
    "数据 NOT 备份": "and takes what is excluded for something wanted",
}
RIGHT = {
    "wrong-book": [4], "TODO: fix": [5], "v2.21": [5], "chat-send": [5], "广西": [9], "广西 OR 桂林": [9],
    '"数据库 备份"': [10], "AND": [], "*": [], '"unclosed': [], "(deploy": [],
}  # fmt: skip


def test_every_query_that_the_client_gets_right_or_wrong(tmp_path: Path, client: Client) -> None:
    numbers = client("make", tmp_path, messages=CASES["messages"])
    assert numbers == list(range(1, 13))
    for query in WRONG:
        found = sorted(row[1] for row in client("search", tmp_path, query=query, roles=ROLES))
        assert found != messages(tmp_path, query), query
        assert len(messages(tmp_path, query)) == 1, query
    for query, wanted in RIGHT.items():
        found = sorted(row[1] for row in client("search", tmp_path, query=query, roles=ROLES))
        assert found == messages(tmp_path, query) == wanted, query
    # A word as it is typed: the client has no search while typing.
    assert client("search", tmp_path, query="sp_new", roles=ROLES) == []
    assert messages(tmp_path, "sp_new") == [6]


def test_what_was_taken_back_is_found_by_the_client_in_short_chinese_only(tmp_path: Path, client: Client) -> None:
    """Its LIKE search has no condition on the row's state; its other searches have."""
    client("make", tmp_path, messages=CASES["messages"])
    with closing(sqlite3.connect(tmp_path / "state.db")) as db:
        db.execute("UPDATE messages SET active = 0 WHERE id IN (5, 9)")
        db.commit()
    assert [row[1] for row in client("search", tmp_path, query="广西", roles=ROLES)] == [9]
    assert client("search", tmp_path, query="chat-send", roles=ROLES) == []
    assert messages(tmp_path, "广西") == messages(tmp_path, "chat-send") == []
