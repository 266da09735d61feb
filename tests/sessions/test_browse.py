"""Recent conversations: order, pages, filters, and how little is read for them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import VERSIONS
from tests.sessions.made import Made
from workbench.sessions.browse import Cursor, Filters, Listed, not_shown, recent
from workbench.sessions.database import Database
from workbench.sessions.schema import look
from workbench.text import mask

GENERATIONS = ("0.13", "0.19", "0.22")


def pages(made: Made, limit: int, filters: Filters | None = None) -> list[Listed]:
    found: list[Listed] = []
    cursor: Cursor | None = None
    for _ in range(500):
        page = recent(made.db, made.cap, filters, cursor=cursor, limit=limit)
        assert len(page.rows) == limit or page.following is None
        found += page.rows
        cursor = page.following
        if cursor is None:
            return found
    raise AssertionError("the pages never end")


def ids(rows: list[Listed] | tuple[Listed, ...]) -> list[str]:
    return [each.id for each in rows]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_conversations_of_a_home(unpack: Callable[[str], Path], version: str) -> None:
    with Database(unpack(version) / "state.db").connection() as db:
        cap = look(db)
        rows = recent(db, cap, limit=100).rows
        counts = not_shown(db, cap)
        archived = recent(db, cap, Filters(archived="only")).rows
        everything = recent(db, cap, Filters(archived="all"), limit=100).rows
    assert counts == {"subagent": 1, "cron": 30}
    assert len(rows) == 40
    assert [each.automatic for each in rows] == [False] * 10 + [True] * 30
    assert {each.source for each in rows[:10]} == {"cli", "discord", "telegram"}
    auth = next(each for each in rows if each.title == "Auth refactor #3")
    assert (auth.id, auth.root_id) == ("20251012_080000_d4e5f8", "20251011_090000_d4e5f6")
    assert (auth.segments, auth.messages, auth.started_at) == (3, 14, 1760172800.0)
    assert auth.preview == "Refactor the auth module: split token parsing from session lookup."
    branch = next(each for each in rows if each.title == "Auth refactor (branch)")
    assert branch.branch_of == auth.id
    picture = next(each for each in rows if each.source == "discord")
    assert picture.preview == "What is wrong in this screenshot of the dashboard? [image]"
    has_archive = version in ("0.19.0", "0.22.2")
    assert [each.title for each in archived] == (["Archived chat"] if has_archive else [])
    assert len(everything) == 40 + has_archive


@pytest.mark.parametrize("before", [930, 960, 990, 995])
def test_the_beginning_of_a_message_ends_before_a_credential_that_is_not_read_whole(before: int) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    for lead in ("\u3000" * (before // 3), "\n" * before):
        made = Made("0.19")
        made.session("s")
        made.say("s", f"{lead}{token} is the token")
        (row,) = recent(made.db, made.cap).rows
        assert "a1B2" not in mask(row.preview), row.preview


def test_a_conversation_stands_where_its_newest_session_stands() -> None:
    made = Made("0.13")
    made.session("old")
    made.say("old", "begun long ago")
    made.end("old")
    made.session("middle")
    made.say("middle")
    made.session("tip", "old")
    made.say("tip", "gone on")
    (first, second) = recent(made.db, made.cap).rows
    assert (first.id, first.root_id, first.preview) == ("tip", "old", "begun long ago")
    assert second.id == "middle"


def test_an_old_session_that_is_written_to_again_comes_first() -> None:
    for generation in ("0.13", "0.19"):
        made = Made(generation)
        for number in range(30):
            made.session(f"s{number:02}")
            made.say(f"s{number:02}")
        made.say("s03", "once more")
        expected = ["s03", *(f"s{number:02}" for number in reversed(range(30)) if number != 3)]
        for limit in (1, 4, 7, 40):
            assert ids(pages(made, limit)) == expected


def test_the_time_of_the_last_activity_is_used_where_it_is_kept() -> None:
    made = Made("0.22")
    for number in range(5):
        made.session(f"s{number}", last_activity_at=9e8 + number * (-1) ** number if number else None)
    assert ids(pages(made, 2)) == ["s0", "s4", "s2", "s1", "s3"]


@pytest.mark.parametrize("generation", GENERATIONS)
@given(seed=st.integers(0, 10_000), limit=st.sampled_from([1, 2, 3, 5, 8, 50]))
@settings(max_examples=25, deadline=None)
def test_pages_hold_every_conversation_once(generation: str, seed: int, limit: int) -> None:
    """Chains, siblings, branches, equal and absurd times: each page size gives the same conversations."""
    rng = random.Random(seed)
    made = Made(generation)
    names: list[str] = []
    for number in range(25):
        parent = rng.choice([None, None, *names[-6:]])
        more: dict[str, object] = {"source": rng.choice(["cli", "cli", "cron", "subagent"])}
        if rng.random() < 0.3:
            more["started_at"] = rng.choice([5.49e246, float("inf"), -1e18, "abc", None, 1.76e9, 1.76e9])
        if rng.random() < 0.2:
            more["mark"] = "_branched_from"
        names.append(made.session(f"s{number:02}", parent, **more))
        for _ in range(rng.randint(0, 2)):
            made.say(rng.choice(names))
        if rng.random() < 0.5:
            made.end(names[-1], rng.choice(["compression", "user_exit"]))
    whole = pages(made, 200)
    found = pages(made, limit)
    assert sorted(ids(found)) == sorted(ids(whole))
    assert len({each.root_id for each in found}) == len(found)
    automatic = [each.automatic for each in found]
    assert automatic == sorted(automatic)
    assert all(each.source != "subagent" for each in found)
    alone = {row[0] for row in made.db.execute("SELECT id FROM sessions WHERE parent_session_id IS NULL")}
    kinds = dict(made.db.execute("SELECT id, source FROM sessions"))
    roots = {each.root_id for each in found}
    tips = {row[0] for row in made.db.execute("SELECT DISTINCT parent_session_id FROM sessions")}
    assert {each for each in alone - tips if kinds[each] != "subagent"} <= roots


def test_delegates_without_a_mark_are_not_conversations() -> None:
    made = Made("0.13")
    made.session("parent")
    made.session("run", "parent")
    assert ids(recent(made.db, made.cap).rows) == ["parent"]


def test_filters() -> None:
    made = Made()
    made.session("a", title="Deploy 100% done", started_at=100.0)
    made.session("b", title="deploy_later", started_at=200.0, source="telegram")
    made.session("c", started_at=300.0, source="subagent")
    made.session("d", started_at=400.0, archived=1, title="deploy old")
    made.session("e", started_at=500.0, source="cron", title="Deploy status")

    def listed(**more: object) -> list[str]:
        return ids(pages(made, 2, Filters(**more)))  # type: ignore[arg-type]

    assert listed() == ["b", "a", "e"]
    assert listed(title="deploy") == ["b", "a", "e"]
    assert listed(title="100%") == ["a"]
    assert listed(title="y_l") == ["b"]
    assert listed(title="%") == ["a"]
    assert listed(source="subagent") == ["c"]
    assert listed(source="cron") == ["e"]
    assert listed(after=150.0) == ["b", "e"]
    assert listed(before=200.0) == ["a"]
    assert listed(archived="only") == ["d"]
    assert listed(archived="all") == ["d", "b", "a", "e"]
    assert listed(source="nobody") == []


def test_sessions_that_the_client_hides_are_not_listed() -> None:
    made = Made("0.22")
    made.session("shown")
    made.session("hidden", hidden=1)
    assert ids(recent(made.db, made.cap).rows) == ["shown"]


def test_an_empty_database() -> None:
    for generation in GENERATIONS:
        made = Made(generation)
        assert pages(made, 5) == []
        assert not_shown(made.db, made.cap) == {}


@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_first_page_costs_the_same_however_many_sessions_there_are(generation: str) -> None:
    made = Made(generation)
    work: list[int] = []
    for size in (400, 4000):
        for number in range(made.db.execute("SELECT count(*) FROM sessions").fetchone()[0], size):
            made.session(f"s{number:05}", source="cron" if number % 9 == 0 else "cli")
            made.say(f"s{number:05}")
        cap = made.cap
        work.append(made.steps(lambda cap=cap: recent(made.db, cap)))  # type: ignore[misc]
    assert work[1] < work[0] * 1.3 + 5
