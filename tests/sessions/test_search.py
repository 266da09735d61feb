"""Searching small databases of every shape, and the homes that real clients wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTS, VERSIONS
from tests.sessions.databases import SHAPES, START, Made, ids, made, sessions
from workbench.sessions import search as module
from workbench.sessions.database import connect
from workbench.sessions.found import Found
from workbench.sessions.schema import HIDDEN_SOURCES, look
from workbench.sessions.search import search
from workbench.sessions.vocabulary import rarest

CASES = json.loads((TESTS / "cases" / "search.json").read_text("utf-8"))
TRUST = "The text of a made-up message that the index of this database certainly holds."


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", CASES["queries"], ids=lambda case: case["q"])
def test_every_query_that_broke_other_tools(tmp_path: Path, shape: str, case: dict[str, Any]) -> None:
    database = made(tmp_path, shape, CASES["messages"])
    found = database.find(case["q"], typing=case["note"].startswith("prefix"))
    assert len(found.results) == case["hits"]
    if "nothing searchable" in case["note"]:
        assert found.note == "nothing searchable in this query"
        assert found.engine == "none"
    elif not case["hits"]:
        assert found.note == ""
    if case["hits"]:
        first = found.results[0].first
        assert first.snippet.highlights
        assert all(first.snippet.text[a:b].strip() for a, b in first.snippet.highlights)


# The message that each query must find, and no other.
EXACT = {
    "it's": [1], "a,b": [2], "why?": [2], "100%": [3], "wrong-book": [4], "TODO: fix": [5], "youer": [7],
    "ab": [8], "广西": [9], "广西 OR 桂林": [9], "数据 AND 备份": [10], "数据 NOT 备份": [11], '"数据库 备份"': [10],
    "日本*": [12], "数据": [11, 10], "备份 -迁移": [10], "(数据 OR 广西) -备份": [11, 9], "计划 youer": [7],
    "服务端的计划": [7], "数据 OR mistakes": [11, 10, 4],
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("text", EXACT)
def test_and_not_and_phrases_are_right_in_every_script(tmp_path: Path, shape: str, text: str) -> None:
    found = made(tmp_path, shape, CASES["messages"]).find(text)
    assert sorted(each for each in ids(found) if each) == sorted(EXACT[text])
    assert found.complete


@pytest.mark.parametrize("shape", SHAPES)
def test_both_passes_find_the_same_on_a_small_database(tmp_path: Path, shape: str) -> None:
    database = made(tmp_path, shape, CASES["messages"])
    for text in ("docker", "fix", "数据", "run.py", "sp"):
        quick, deep = database.find(text, deep=False), database.find(text)
        assert sessions(quick) == sessions(deep)


def test_a_word_with_no_whole_match_is_searched_as_a_beginning_and_that_is_said(tmp_path: Path) -> None:
    found = made(tmp_path, "inline-22", CASES["messages"]).find("sp_new")
    assert ids(found) == [6]
    assert "words that begin with it" in found.note


@pytest.mark.parametrize("shape", SHAPES)
def test_accents_and_case_make_no_difference(tmp_path: Path, shape: str) -> None:
    texts = ["Le café de Zoé", "le cafe", "CAFÉ", "привет МИР", "x\x00y café", "cafés"]
    database = made(tmp_path, shape, texts)
    for text in ("cafe", "café", "CAFÉ"):
        assert database.find(text).hits == 4
    assert ids(database.find("мир")) == [4]


def test_a_latin_word_is_whole_beside_cjk_but_not_within_latin(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22", ["修改ab服务端", "crab", "abacus", "ab alone"])
    assert sorted(filter(None, ids(database.find("ab")))) == [1, 4]


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_undone_rows_are_hidden_and_compacted_ones_kept(tmp_path: Path, shape: str) -> None:
    database = made(tmp_path, shape)
    database.say("s1", TRUST)
    database.say("s1", "zebra undone", active=0)
    archived = database.say("s1", "zebra archived", active=0, compacted=1)
    live = database.say("s1", "zebra live", role="assistant")
    found = database.index().find("zebra")
    assert sorted(filter(None, ids(found))) == [archived, live]
    states = {hit.message_id: hit.state for hit in found.results[0].shown}
    assert states == {archived: "compacted", live: "live"}


def test_a_carried_over_copy_counts_once(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.say("s1", "quicksilver caching", active=0, compacted=1)
    database.say("s1", "other quicksilver words", active=0, compacted=1)
    copy = database.say("s1", "quicksilver caching")
    found = database.index().find("quicksilver")
    assert found.hits == 2
    assert copy in ids(found)


def test_a_copy_with_a_new_time_counts_once_and_a_repeated_answer_twice(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.say("s1", "quicksilver caching", active=0, compacted=1)
    database.say("s1", "quicksilver caching", timestamp=START + 50)
    database.say("s1", "quicksilver again", timestamp=START + 60)
    database.say("s1", "quicksilver again", timestamp=START + 70)
    assert database.index().find("quicksilver").hits == 3


@pytest.mark.parametrize("shape", SHAPES)
def test_the_rarest_words_of_an_entry(tmp_path: Path, shape: str) -> None:
    texts = ["the ledger runs on port 8443", "the ledger", "the kiosk 部署方案", *["the rest of it"] * 5]
    database = made(tmp_path, shape, texts)
    with closing(connect(database.path)) as db:
        found = rarest(db, look(db), "The ledger on the kiosk, never-seen: 部署方案在这里", most=3)
    assert found[0] == ("部署方案" if shape != "absent" else "ledger")
    if shape != "absent":
        assert found[1:] == ("kiosk", "ledger")


def lineage(folder: Path) -> Made:
    database = made(folder, "inline-22")
    with database.db() as db:
        db.execute("UPDATE sessions SET end_reason = 'compression', ended_at = ?, title = 'Auth'", (START + 10,))
    database.session("s2", parent_session_id="s1", started_at=START + 20, title="Auth #2")
    database.session("other", started_at=START + 5)
    return database


def test_a_lineage_is_one_conversation_and_the_hit_stays_on_its_session(tmp_path: Path) -> None:
    database = lineage(tmp_path)
    database.say("s1", "zebra one")
    database.say("other", "zebra other", timestamp=START + 6)
    database.say("s2", "zebra two", timestamp=START + 21)
    found = database.index().find("zebra")
    assert [(each.root_id, each.session_id, each.hits) for each in found.results] == [
        ("s1", "s2", 2),
        ("other", "other", 1),
    ]
    assert [hit.session_id for hit in found.results[0].shown] == ["s2", "s1"]


def crowd(folder: Path, shape: str = "inline-22") -> Made:
    """Thirty cron runs and two subagents after one conversation of the user's, all about the same word."""
    database = made(folder, shape)
    database.say("s1", "deploy by hand")
    for number in range(30):
        ident = f"cron{number}"
        database.session(ident, "cron", started_at=START + number)
        database.say(ident, "deploy status", timestamp=START + 100 + number)
    for source in ("subagent", "tool"):
        database.session(source, source)
        database.say(source, "deploy delegated", timestamp=START + 500)
    return database.index()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", ["newest", "relevance", "oldest"])
def test_cron_comes_last_and_the_hidden_are_counted(tmp_path: Path, shape: str, order: str) -> None:
    found = crowd(tmp_path, shape).find("deploy", limit=5, order=order)
    assert sessions(found)[0] == "s1"
    assert all(each.startswith("cron") for each in sessions(found)[1:])
    assert found.hidden == {"cron": 26, "subagent": 1, "tool": 1}


def test_a_source_that_is_asked_for_is_shown(tmp_path: Path) -> None:
    database = crowd(tmp_path)
    assert sessions(database.find("deploy source:subagent")) == ["subagent"]
    assert len(database.find("deploy source:cron", limit=50).results) == 30
    assert sessions(database.find("deploy -source:cron")) == ["s1"]


def test_orders(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    for number, text in enumerate(
        ("zebra zebra zebra", "a long text that names the zebra once among others", "zebra x")
    ):
        database.session(f"n{number}")
        database.say(f"n{number}", text, timestamp=START + number)
    database.index()
    assert sessions(database.find("zebra")) == ["n2", "n1", "n0"]
    assert sessions(database.find("zebra", order="oldest")) == ["n0", "n1", "n2"]
    ranked = database.find("zebra", order="relevance")
    assert sessions(ranked)[0] == "n0"
    assert sessions(ranked)[-1] == "n1"
    assert ranked.ordered == "relevance"
    quick = database.find("zebra", order="relevance", deep=False)
    assert (sessions(quick), quick.ordered, quick.complete) == (["n2", "n1", "n0"], "newest", False)


def test_the_newest_page_is_bounded_and_the_deep_one_reaches_on(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.say("s1", "zebra here")
    database.session("noisy", "subagent")
    with database.db() as db:
        rows = [("noisy", "user", f"zebra {number}", START + number) for number in range(3_000)]
        db.executemany("INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)", rows)
    found = database.index().find("zebra")
    assert (sessions(found), found.hidden) == (["s1"], {"subagent": 1})


def test_titles_are_always_searched_and_come_first(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.session("t1", title="Zebra crossing", started_at=START - 50)
    first = database.say("t1", "nothing of that kind")
    database.session("t2", "subagent", title="zebra helper")
    database.say("s1", "zebra in a text", timestamp=START + 9)
    found = database.index().find("zebra")
    assert sessions(found) == ["t1", "s1"]
    assert (found.results[0].first.role, found.results[0].first.message_id) == ("session_title", first)
    assert found.results[0].first.snippet.highlights == ((0, 5),)
    assert found.hidden == {"subagent": 1}
    assert sessions(database.find("title:crossing")) == ["t1"]
    assert sessions(database.find("zebra title:cross")) == ["t1"]


def test_filters(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.session("t", "telegram", model="big-model-2", cwd="/srv/ledger")
    user = database.say("s1", "kiwi from me", timestamp=START)
    answer = database.say("s1", "kiwi from it", role="assistant", timestamp=START + 86_400 * 3)
    calls = '[{"function": {"name": "read_file", "arguments": "kiwi"}}]'
    caller = database.say("t", "", role="assistant", tool_calls=calls, timestamp=START + 1)
    tool = database.say("t", "kiwi file", role="tool", tool_name="read_file", timestamp=START + 2)
    database.index()

    def found(text: str) -> list[int]:
        return sorted(each for each in ids(database.find(text)) if each)

    assert found("kiwi role:user") == [user]
    assert found("kiwi role:user role:assistant") == [user, answer, caller]
    assert found("kiwi -role:user -role:tool") == [answer, caller]
    assert found("kiwi tool:read_file") == [caller, tool]
    assert found("kiwi session:s1") == [user, answer]
    assert found("kiwi model:BIG cwd:ledger") == [caller, tool]
    assert found("kiwi source:telegram") == [caller, tool]
    assert found("kiwi after:2025-10-11") == [answer]
    assert found("kiwi before:2025-10-11") == [user, caller, tool]
    assert found("role:tool") == [tool]
    assert found("source:telegram") == [tool]


@pytest.mark.parametrize("shape", ["external", "inline-22"])
def test_short_cjk_at_the_end_of_a_text_and_in_rows_the_trigrams_leave_out(tmp_path: Path, shape: str) -> None:
    database = made(tmp_path, shape)
    database.session("job", "cron")
    wanted = [
        database.say("s1", "请先部署"),
        database.say("s1", "部署方案是蓝绿发布"),
        database.say("s1", "输出：部署完成", role="tool", tool_name="terminal", timestamp=START + 1),
        database.say("job", "每日部署", timestamp=START + 2),
    ]
    found = database.index().find("部署")
    assert sorted(each for each in ids(found) if each) == wanted
    assert found.complete


def test_a_text_of_parts_is_found_and_shown_without_its_image(tmp_path: Path) -> None:
    data = "QUJD" * 50
    parts = [{"type": "text", "text": "look at kiwi"}, {"type": "image_url", "image_url": {"url": f"data:{data}"}}]
    for shape in SHAPES:
        database = made(tmp_path / shape, shape, [TRUST, "\x00json:" + json.dumps(parts)])
        found = database.find("kiwi")
        assert ids(found) == [2]
        assert found.results[0].first.snippet.text == "look at kiwi [image]"


def test_a_secret_beside_a_hit_is_known_and_masked_with_the_marks_moved(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    database = made(tmp_path, "inline-22", [f"say kiwi set GITHUB_TOKEN={token} then deploy"])
    cut = database.find("deploy").results[0].first.snippet
    assert "c3D4e5a1B2" not in cut.masked().text
    snippet = database.find("kiwi deploy").results[0].first.snippet
    assert token in snippet.text
    masked = snippet.masked()
    assert token[8:-4] not in masked.text
    assert [masked.text[a:b] for a, b in masked.highlights] == ["kiwi", "deploy"]
    whole = database.find("kiwi")
    assert token not in json.dumps(whole.as_json())
    assert token in json.dumps(whole.as_json(reveal=True))


def call(name: str, **arguments: object) -> str:
    return json.dumps(
        [{"id": "c1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]
    )


def test_a_hit_in_a_tool_call_reads_as_the_conversation_sums_the_call_up(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    database.say("s1", None, "assistant", tool_calls=call("terminal", command="docker ps -a", timeout=9))
    database.say("s1", None, "assistant", tool_calls=call("write_file", path="notes.md", content="kiwi\n zebra"))
    database.say("s1", None, "assistant", tool_calls=call("fetch", url="x", api_key="a1B2" * 60 + " walrus"))
    database.index()
    for query, text in (
        ("docker", "terminal docker ps -a"),
        ("zebra", "write_file path: notes.md · content: kiwi  zebra"),
    ):
        snippet = database.find(query).results[0].first.snippet
        assert snippet.text == text
        assert [snippet.text[a:b] for a, b in snippet.highlights] == [query]
    masked = database.find("walrus").results[0].first.snippet.masked()
    assert "a1B2" not in masked.text and "walrus" in masked.text


def test_a_long_token_cut_by_the_piece_is_known_all_the_same(tmp_path: Path) -> None:
    jwt = "eyJ" + "hbGciOiJIUzI1" * 30 + "." + "c3ViamVjdA9" * 60 + "." + "SflKxwRJSM7" * 8
    database = made(tmp_path, "inline-22", [f"say kiwi {jwt} zebra now"])
    for query in ("kiwi", "zebra"):
        masked = database.find(query).results[0].first.snippet.masked()
        assert "hbGci" not in masked.text and "SflKx" not in masked.text
        assert [masked.text[a:b] for a, b in masked.highlights] == [query]


def test_a_piece_of_a_private_key_is_known_by_its_first_line_however_far_that_is(tmp_path: Path) -> None:
    body = "\n".join(f"MIIEvQIBADANBgkq{number:03}hkiG9w0BAQEFAASCBKcwggSj" for number in range(60))
    key = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----"
    database = made(tmp_path, "inline-22", [f"keep this\n{key}\nand nothing of it in the clear, please"])
    for query in ("MIIEvQIBADANBgkq030*", "MIIEvQIBADANBgkq058*"):
        shown = database.find(query).results[0].first.snippet.masked()
        assert "MIIE" not in shown.text and "hkiG9w" not in shown.text
        assert not shown.highlights
    beside = database.find("nothing").results[0].first.snippet.masked()
    assert "hkiG9w" not in beside.text and beside.text.endswith("and nothing of it in the clear, please")
    assert [beside.text[a:b] for a, b in beside.highlights] == ["nothing"]
    (tmp_path / "glued").mkdir()
    database = made(tmp_path / "glued", "inline-22", [f"a lemon, password=hunter2X9z1Q{key} end"])
    assert "hunter2" not in database.find("lemon").results[0].first.snippet.masked().text


@pytest.mark.parametrize("text", ["kiwi.fig", "kiwi 部署", "source:cli kiwi", "session:old kiwi"])
def test_relevance_also_orders_what_the_text_of_each_row_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    database = made(tmp_path, "inline-22")
    database.session("old")
    database.session("other", "telegram")
    best = database.say("old", "kiwi.fig kiwi 部署")
    dull = "kiwi fig apart, and 部 署 too, in a long text " + "of many other words " * 20
    for _ in range(9):
        database.say("other", "kiwi and nothing else of it")
    worse = database.say("s1", "kiwi.fig 部署的" + dull)
    database.index()
    found = database.find(text, order="relevance")
    assert found.ordered == "relevance"
    assert found.results[0].first.message_id == best
    monkeypatch.setattr(module, "RANKED_OVER", 2)
    found = database.find(text, order="relevance")
    assert best in ids(found), "older than the matches that are weighed"
    assert ("session:" in text) or worse in ids(found)


def test_matches_older_than_those_weighed_are_found_where_all_of_those_are_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RANKED_OVER", 2)
    database = made(tmp_path, "inline-22")
    database.say("s1", "an old quince")
    database.session("below", "subagent")
    for _ in range(4):
        database.say("below", "quince again")
    database.index()
    assert sessions(database.find("quince", order="relevance", hide=HIDDEN_SOURCES)) == ["s1"]


def test_a_megabyte_on_one_line_is_cut_around_the_hit(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22", ["x" * 600_000 + " zebra " + "y" * 600_000])
    snippet = database.find("zebra").results[0].first.snippet
    assert len(snippet.text) <= 162
    assert [snippet.text[a:b] for a, b in snippet.highlights] == ["zebra"]


def test_times_that_no_calendar_can_show_keep_their_rows_and_come_last(tmp_path: Path) -> None:
    database = made(tmp_path, "inline-22")
    times: list[Any] = [5.49e246, float("inf"), -1e18, "abc", START]
    for number, time in enumerate(times):
        database.session(f"n{number}", started_at=time)
        database.say(f"n{number}", "zebra", timestamp=time)
    found = database.index().find("zebra")
    assert sessions(found)[0] == "n4"
    assert [result.when for result in found.results] == [START, None, None, None, None]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_homes_that_clients_wrote(unpack: Callable[[str], Path], version: str) -> None:
    with closing(connect(unpack(version) / "state.db")) as db:
        cap = look(db)

        def found(text: str, **more: Any) -> Found:
            return search(db, cap, text, **more)

        assert sessions(found("needle-haystack")) == ["20251018_090000_long01"]
        assert sessions(found("大别山项目")) == ["20251013_200000_tg0001"]
        assert sessions(found("部署")) == ["20251013_200000_tg0001"]
        assert sessions(found("my-app.config.ts")) == ["20251011_140000_d4e5f7"]
        assert sessions(found("P2.2")) == ["20251011_140000_d4e5f7"]
        kept = found("quicksilver").results[0]
        if cap.has_undo:
            assert {hit.state for hit in kept.shown} == {"compacted"}
            # Taken back by the user: only the title of that session still says it.
            assert {hit.role for result in found("channels").results for hit in result.shown} == {"session_title"}
        assert not found("quicksilver").banner
        docker = found("docker", limit=50)
        assert docker.results[0].source != "cron"
        assert docker.results[-1].source == "cron"
