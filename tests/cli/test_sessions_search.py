"""`workbench sessions search`, as a script would call it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import VERSIONS
from tests.sessions.databases import made
from tests.snapshots import tree
from workbench.__main__ import main

Search = Callable[..., dict[str, Any]]


@pytest.fixture
def found(capfd: pytest.CaptureFixture[str]) -> Search:
    def call(home: Path, *argv: str, code: int = 0) -> dict[str, Any]:
        assert main(["--home", str(home), "sessions", "search", *argv, "--json"]) == code
        data: dict[str, Any] = json.loads(capfd.readouterr().out)
        assert data.pop("schema") == 1
        return data

    return call


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def call(home: Path, *argv: str) -> str:
        assert main(["--home", str(home), "sessions", "search", *argv]) == 0
        return capfd.readouterr().out

    return call


@pytest.mark.parametrize("version", VERSIONS)
def test_the_contract_on_every_home_and_no_trace(unpack: Callable[[str], Path], found: Search, version: str) -> None:
    home = unpack(version)
    before = tree(home)
    answer = found(home, "大别山项目")
    assert {*answer} == {"query", "engine", "note", "results", "hidden", "complete"}
    (row,) = answer["results"]
    assert {*row} == {
        "session_id", "root_id", "title", "source", "when", "match_message_id", "role", "snippet", "highlights", "hits",
    }  # fmt: skip
    assert row["session_id"] == "20251013_200000_tg0001"
    assert row["title"] == "大别山项目"
    assert [row["snippet"][a:b] for a, b in row["highlights"]] == ["大别山项目"]
    assert found(home, "docker", "--limit", "3")["hidden"]["cron"] == 28
    assert found(home, "AND")["note"] == "nothing searchable in this query"
    assert found(home, "needle-haystack", "--read-only")["results"][0]["match_message_id"] == 403
    assert tree(home) == before


def test_options_are_filters(unpack: Callable[[str], Path], found: Search) -> None:
    home = unpack("0.19.0")
    assert {row["role"] for row in found(home, "docker", "--role", "user")["results"]} == {"user"}
    assert {row["source"] for row in found(home, "部署", "--source", "telegram")["results"]} == {"telegram"}
    assert found(home, "部署", "--source", "cli")["results"] == []
    times = [row["when"] for row in found(home, "auth", "--order", "oldest", "--source", "cli")["results"]]
    assert times == sorted(times)


def test_plain_output_marks_hits_and_lets_no_escape_or_secret_through(
    home: Path, printed: Callable[..., str], found: Search
) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    made(home, "inline-22", [f"\x1b]0;owned\x07zebra and GITHUB_TOKEN={token}"])
    out = printed(home, "zebra")
    assert "1 conversation · 1 hit" in out
    assert "‹ESC›]0;owned‹BEL››zebra‹ and" in out
    assert token not in out
    assert token in printed(home, "zebra", "--reveal")
    assert token not in json.dumps(found(home, "zebra"))
    assert "nothing was searched" in printed(home, "*")


def test_reasoning_is_indexed_on_demand_unless_read_only(home: Path, found: Search) -> None:
    database = made(home, "inline-22")
    database.say("s1", "answer", role="assistant", reasoning="the zebra thought")
    database.index()
    assert found(home, "in:reasoning zebra", "--read-only")["note"] == "the reasoning is not indexed yet"
    assert not (home / "workbench").exists()
    (row,) = found(home, "in:reasoning zebra")["results"]
    assert row["snippet"] == "the zebra thought"


@pytest.mark.parametrize(("content", "word"), [(None, "no state.db"), (b"", "empty"), (b"text" * 99, "not an SQLite")])
def test_a_database_that_cannot_be_read_is_named(
    home: Path, capfd: pytest.CaptureFixture[str], content: bytes | None, word: str
) -> None:
    if content is not None:
        (home / "state.db").write_bytes(content)
    assert main(["--home", str(home), "sessions", "search", "zebra", "--json"]) == 1
    answer = json.loads(capfd.readouterr().out)
    assert (answer["success"], answer["kind"]) == (False, "database_unreadable")
    assert word in answer["error"]
